//! Determines how a contents page is arranged: the columns of its section numbers, the side of the
//! titles they are on, and the number of newspaper columns.

use std::collections::HashSet;

use super::cells::Cell;
use super::titles;
use fanlight_masterformat::numbers::{self, Number};
use fanlight_text::folding::has_letters;

/// A section number on the page. A cell consists of it, begins with it or ends with it.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    /// The index of its cell.
    pub(crate) cell: usize,
    pub(crate) number: Number,
    /// The text of the cell beside the number.
    pub(crate) rest: String,
    /// Whether another number is above or below it in the same column.
    pub(crate) aligned: bool,
}

/// The side of its title that a number is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A newspaper column. Most pages have one.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// The column's cells begin at this x or to the right of it, and to the left of `right`.
    pub(crate) left: f32,
    pub(crate) right: f32,
    /// Sorted by cell.
    pub(crate) anchors: Vec<Anchor>,
}

/// The arrangement of a page.
#[derive(Clone, Debug)]
pub(crate) struct Arrangement {
    pub(crate) side: Side,
    pub(crate) columns: Vec<Column>,
}

/// Numbers whose left edges are at most this far apart, in points, are in one column. Level-4
/// numbers may be indented.
const CLUSTER_GAP: f32 = 20.0;

/// Section numbers that are parts of pages ("08 11 13 - 1") number the sections of a page without other numbers if there are
/// at least so many: a body has one in its footer.
const MIN_OF_PAGES: usize = 3;

/// The numbers of a page, grouped in columns once as if they were to the left of their titles, and
/// once as if they were to the right.
pub(crate) struct Sides {
    left: Vec<Vec<Anchor>>,
    right: Vec<Vec<Anchor>>,
    pub(crate) scores: SideScores,
}

/// How much the numbers of a page look like contents on either side of their titles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SideScores {
    pub(crate) left: f32,
    pub(crate) right: f32,
}

impl Sides {
    /// Groups the section numbers of a page's cells in columns.
    pub(crate) fn new(cells: &[Cell]) -> Self {
        let (of_pages, mut leading): (Vec<Anchor>, Vec<Anchor>) =
            anchors(cells).partition(|anchor| titles::is_page_of_section(&cells[anchor.cell].text));
        if leading.is_empty() && of_pages.len() >= MIN_OF_PAGES {
            leading.extend(of_pages.into_iter().map(|anchor| Anchor { rest: String::new(), ..anchor }));
        }
        remove_dates(cells, &mut leading);
        let left = left_clusters(cells, leading.clone());
        let right = right_clusters(cells, leading);
        let scores = SideScores { left: total(cells, &left, Side::Left), right: total(cells, &right, Side::Right) };
        Self { left, right, scores }
    }

    /// Returns the arrangement; `None` if the page has no number with a title beside it. The side
    /// with twice the score of the other wins. Otherwise `usual` decides.
    pub(crate) fn arrange(self, cells: &[Cell], usual: Side) -> Option<Arrangement> {
        let SideScores { left, right } = self.scores;
        let side = match () {
            () if left > 0.0 && left >= 2.0 * right => Side::Left,
            () if right > 0.0 && right >= 2.0 * left => Side::Right,
            () if self.left.is_empty() => Side::Right,
            () if self.right.is_empty() => Side::Left,
            () => usual,
        };
        let columns = match side {
            Side::Left => columns_left(cells, self.left),
            Side::Right => columns_right(cells, self.right),
        };
        (!columns.is_empty()).then_some(Arrangement { side, columns })
    }
}

/// Returns the section numbers that cells begin with.
fn anchors(cells: &[Cell]) -> impl Iterator<Item = Anchor> {
    cells.iter().enumerate().filter_map(|(index, cell)| {
        let (number, rest) = numbers::leading(&cell.text)?;
        Some(Anchor { cell: index, number, rest: rest.to_owned(), aligned: false })
    })
}

/// Removes dates that are printed like numbers, as in "01 10 00   10 19 24   Summary": they directly follow a number.
fn remove_dates(cells: &[Cell], leading: &mut Vec<Anchor>) {
    let bare: HashSet<usize> =
        leading.iter().filter(|anchor| anchor.rest.is_empty()).map(|anchor| anchor.cell).collect();
    leading.retain(|anchor| {
        let before = anchor.cell.wrapping_sub(1);
        !(bare.contains(&before) && cells[before].line == cells[anchor.cell].line && !anchor.number.worded)
    });
}

/// Returns the score of all columns of numbers together, if the numbers are on `side` of their titles.
fn total(cells: &[Cell], clusters: &[Vec<Anchor>], side: Side) -> f32 {
    clusters.iter().map(|cluster| score(cluster) * title_variety(cells, cluster, side)).sum()
}

/// Returns the share of the texts beside a column of numbers that are different. Titles nearly all are; disciplines,
/// consultants and division names, in a column on the other side of the numbers, are not.
fn title_variety(cells: &[Cell], cluster: &[Anchor], side: Side) -> f32 {
    let titles: Vec<&str> = cluster.iter().filter_map(|anchor| text_beside(cells, anchor, side)).collect();
    if titles.is_empty() {
        return 1.0;
    }
    let distinct = titles.iter().collect::<HashSet<_>>().len();
    distinct as f32 / titles.len() as f32
}

/// Returns the text on the line of a number that is its title if the number is on `side` of it.
fn text_beside<'a>(cells: &'a [Cell], anchor: &'a Anchor, side: Side) -> Option<&'a str> {
    if has_letters(&anchor.rest, 2) {
        return Some(&anchor.rest);
    }
    let beside = match side {
        Side::Left => title_after(cells, anchor.cell),
        Side::Right => title_before(cells, anchor.cell),
    };
    beside.map(|cell| cell.text.as_str())
}

/// Returns the first cell after a number on its line that can be a title.
fn title_after(cells: &[Cell], number: usize) -> Option<&Cell> {
    let line = cells.get(number)?.line;
    cells[number + 1..].iter().take_while(|cell| cell.line == line).find(|cell| titles::can_be_title(&cell.text))
}

/// Returns how much a column of numbers looks like contents: their count, reduced by the square of
/// the share that does not ascend, and increased by half if words announce most of them.
fn score(cluster: &[Anchor]) -> f32 {
    let pairs = cluster.len().saturating_sub(1);
    let ascending = cluster.windows(2).filter(|pair| pair[0].number.rank() < pair[1].number.rank()).count();
    let share = if pairs == 0 { 0.5 } else { ascending as f32 / pairs as f32 };
    let worded = cluster.iter().filter(|anchor| anchor.number.worded).count() * 2 > cluster.len();
    cluster.len() as f32 * share * share * if worded { 1.5 } else { 1.0 }
}

/// Groups anchors by an edge, from left to right, each group from the top.
fn clusters(mut anchors: Vec<Anchor>, edge: impl Fn(&Anchor) -> f32) -> Vec<Vec<Anchor>> {
    anchors.sort_by(|a, b| edge(a).total_cmp(&edge(b)));
    let mut clusters: Vec<Vec<Anchor>> = Vec::new();
    let mut last = f32::MIN;
    for anchor in anchors {
        let at = edge(&anchor);
        match clusters.last_mut() {
            Some(cluster) if at - last <= CLUSTER_GAP => cluster.push(anchor),
            _ => clusters.push(vec![anchor]),
        }
        last = at;
    }
    for cluster in &mut clusters {
        cluster.sort_by_key(|anchor| anchor.cell);
        mark_aligned(cluster);
    }
    clusters
}

/// Marks the numbers of a column as aligned if there are several.
fn mark_aligned(column: &mut [Anchor]) {
    let several = column.len() > 1;
    for anchor in column {
        anchor.aligned = several;
    }
}

/// Returns whether numbers are ordered as in contents: most ascend, and few are repeated. Columns
/// of dates do neither.
fn is_ordered(cluster: &[Anchor]) -> bool {
    let all_alike = cluster.windows(2).all(|pair| pair[0].number == pair[1].number);
    if cluster.len() < 4 {
        return cluster.len() < 2 || !all_alike;
    }
    let pairs = cluster.len() - 1;
    let ascending = cluster.windows(2).filter(|pair| pair[0].number.rank() <= pair[1].number.rank()).count();
    let distinct = cluster.iter().map(|anchor| &anchor.number).collect::<HashSet<_>>().len();
    ascending * 10 >= pairs * 6 && distinct * 2 >= cluster.len()
}

fn left_clusters(cells: &[Cell], leading: Vec<Anchor>) -> Vec<Vec<Anchor>> {
    let numbered: HashSet<usize> = leading.iter().map(|anchor| anchor.cell).collect();
    clusters(leading, |anchor| cells[anchor.cell].x1)
        .into_iter()
        .filter(|cluster| {
            let titled = cluster.iter().filter(|anchor| has_title(cells, anchor, &numbered));
            titled.count() * 2 >= cluster.len()
        })
        .filter(|cluster| is_ordered(cluster))
        .collect()
}

/// Returns whether a number has a title in its own cell, to its right or below it.
fn has_title(cells: &[Cell], anchor: &Anchor, numbered: &HashSet<usize>) -> bool {
    if has_letters(&anchor.rest, 2) {
        return true;
    }
    let line = cells[anchor.cell].line;
    cells
        .iter()
        .enumerate()
        .skip(anchor.cell + 1)
        .take_while(|(index, cell)| cell.line == line && !numbered.contains(index))
        .any(|(_, cell)| titles::is_unused(&cell.text) || titles::can_be_title(&cell.text))
        || has_title_below(cells, anchor)
        || has_title_around(cells, anchor, Side::Right)
}

/// Returns whether the next line below a number begins, at about the number's left edge, with a
/// text that can be its title.
fn has_title_below(cells: &[Cell], anchor: &Anchor) -> bool {
    let over = &cells[anchor.cell];
    cells[anchor.cell + 1..]
        .iter()
        .skip_while(|cell| cell.line == over.line)
        .take_while(|cell| cell.y - over.y < 2.2 * over.size)
        .find(|cell| cell.x1 > over.x1 - over.size && cell.x1 < over.x1 + 6.0 * over.size)
        .is_some_and(|cell| titles::can_be_title(&cell.text) && numbers::leading(&cell.text).is_none())
}

/// Returns whether the lines of a title are above and below a number in the middle of a table's
/// row, on `side` of it.
fn has_title_around(cells: &[Cell], anchor: &Anchor, side: Side) -> bool {
    let number = &cells[anchor.cell];
    let near = |cell: &&Cell| (cell.y - number.y).abs() < 0.95 * number.size;
    let above = cells[..anchor.cell].iter().rev().take_while(near);
    let below = cells[anchor.cell + 1..].iter().take_while(near);
    above
        .chain(below)
        .filter(|cell| cell.line != number.line)
        .filter(|cell| match side {
            Side::Left => cell.x2 < number.x1,
            Side::Right => cell.x1 > number.x2,
        })
        .any(|cell| titles::can_be_title(&cell.text))
}

fn right_clusters(cells: &[Cell], leading: Vec<Anchor>) -> Vec<Vec<Anchor>> {
    let mut anchors: Vec<Anchor> = leading
        .into_iter()
        .filter(|anchor| {
            anchor.rest.is_empty()
                && (title_before(cells, anchor.cell).is_some() || has_title_around(cells, anchor, Side::Left))
        })
        .collect();
    let taken: HashSet<usize> = anchors.iter().map(|anchor| anchor.cell).collect();
    anchors.extend(cells.iter().enumerate().filter(|(index, _)| !taken.contains(index)).filter_map(|(index, cell)| {
        let (title, number) = numbers::trailing(&cell.text)?;
        has_letters(title, 2).then(|| Anchor { cell: index, number, rest: title.to_owned(), aligned: false })
    }));
    clusters(anchors, |anchor| cells[anchor.cell].x2).into_iter().filter(|cluster| is_ordered(cluster)).collect()
}

/// Returns the cell before a number on its line that can be a title, passing over dates and the
/// like.
fn title_before(cells: &[Cell], number: usize) -> Option<&Cell> {
    let line = cells.get(number)?.line;
    let before = cells[..number].iter().rev().take_while(|cell| cell.line == line);
    before.take_while(|cell| numbers::leading(&cell.text).is_none()).find(|cell| titles::can_be_title(&cell.text))
}

/// Returns the columns that begin at the numbers' left edges. Each begins at the middle of a white
/// corridor to the left of its numbers.
fn columns_left(cells: &[Cell], clusters: Vec<Vec<Anchor>>) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for cluster in clusters {
        let mut gutter = None;
        if let Some(before) = columns.last() {
            gutter = corridor(cells, &before.anchors, &cluster);
            let cuts_titles_off = gutter.is_some_and(|gutter| !keep_titles(cells, &before.anchors, gutter));
            if cuts_titles_off && cluster.len() < before.anchors.len() {
                continue;
            }
        }
        add_cluster(&mut columns, cluster, gutter);
    }
    for column in &mut columns {
        mark_aligned(&mut column.anchors);
    }
    columns
}

/// Adds a cluster as a column of its own to the right of `gutter`. Without a gutter, its numbers belong to the last
/// column.
fn add_cluster(columns: &mut Vec<Column>, cluster: Vec<Anchor>, gutter: Option<f32>) {
    match (columns.last_mut(), gutter) {
        (Some(before), Some(gutter)) => {
            before.right = gutter;
            columns.push(Column { left: gutter, right: f32::MAX, anchors: cluster });
        }
        (Some(before), None) => {
            before.anchors.extend(cluster);
            before.anchors.sort_by_key(|anchor| anchor.cell);
        }
        (None, _) => columns.push(Column { left: f32::MIN, right: f32::MAX, anchors: cluster }),
    }
}

/// Returns whether at least half of a column's numbers keep their titles if the column ends at
/// `gutter`.
fn keep_titles(cells: &[Cell], anchors: &[Anchor], gutter: f32) -> bool {
    let starts: Vec<f32> = anchors.iter().filter_map(|anchor| title_start(cells, anchor)).collect();
    starts.iter().filter(|x| **x < gutter).count() * 2 >= starts.len()
}

/// Returns the left edge of the title on a number's line. A title in the number's cell or below it
/// is to the left of every gutter: the result is then `f32::MIN`.
fn title_start(cells: &[Cell], anchor: &Anchor) -> Option<f32> {
    if has_letters(&anchor.rest, 2) || has_title_below(cells, anchor) {
        return Some(f32::MIN);
    }
    title_after(cells, anchor.cell).map(|cell| cell.x1)
}

/// Returns the middle of the white strip between two columns of numbers that is nearest to the second; `None` if text
/// crosses it on many lines.
fn corridor(cells: &[Cell], before: &[Anchor], after: &[Anchor]) -> Option<f32> {
    let left = |anchors: &[Anchor]| anchors.iter().map(|anchor| cells[anchor.cell].x1).fold(f32::MAX, f32::min);
    let (from, to) = (left(before), left(after));
    let lines = || before.iter().chain(after).map(|anchor| cells[anchor.cell].line);
    let (top, bottom) = (lines().min()?, lines().max()?);
    let width = (to - from).ceil().clamp(1.0, 5000.0) as usize;
    let mut crossings = vec![0_u32; width + 2];
    let mut rows = 0;
    let mut last_line = usize::MAX;
    for cell in cells.iter().filter(|cell| (top..=bottom).contains(&cell.line)) {
        rows += u32::from(cell.line != last_line);
        last_line = cell.line;
        let start = (cell.x1 - from).floor().max(0.0) as usize;
        let end = ((cell.x2 - from).ceil().max(0.0) as usize).min(width);
        crossings.get_mut(start..end).into_iter().flatten().for_each(|crossed| *crossed += 1);
    }
    // Headings that extend to the left may cross the strip directly at the numbers.
    let fewest = *crossings.get(2..width)?.iter().min()?;
    if fewest * 8 > rows {
        return None;
    }
    // A line across all columns crosses the gutter, and may miss the gap between numbers and
    // titles.
    let few = fewest + (rows / 20).max(1);
    let is_open = |x: &usize| crossings[*x] <= few;
    let end = (2..width).rev().find(is_open)?;
    let start = (2..=end).rev().take_while(is_open).last()?;
    Some(from + (start + end) as f32 / 2.0)
}

/// Returns the columns that end at the numbers' right edges.
fn columns_right(cells: &[Cell], clusters: Vec<Vec<Anchor>>) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for cluster in clusters {
        let title_start = cluster
            .iter()
            .map(|anchor| {
                let cell = &cells[anchor.cell];
                let before = title_before(cells, anchor.cell).filter(|_| anchor.rest.is_empty());
                before.map_or(cell.x1, |before| before.x1)
            })
            .fold(f32::MAX, f32::min);
        let gutter = columns.last().and_then(|before| {
            let end = before.anchors.iter().map(|anchor| cells[anchor.cell].x2).fold(f32::MIN, f32::max);
            (title_start > end).then(|| f32::midpoint(end, title_start))
        });
        add_cluster(&mut columns, cluster, gutter);
    }
    columns
}
