//! Splits a page into cells: words that belong together on a line, with struck-out text marked.

use fanlight_contract::PagePaths;
use fanlight_geometry::{PathStep, RectExt as _, bounding_box, median, walk};
use fanlight_text::{Frame, Line, Phrase, Word};

use fanlight_masterformat::numbers;
use fanlight_text::folding::tidy;

/// White space that separates cells, in em. Word spaces are narrower even in justified text;
/// gutters of columns are not.
const CELL_GAP: f32 = 1.0;
/// The parts of a number ("08   11   13", "Section   081113") may be further apart than cells, in
/// em.
const NUMBER_GAP: f32 = 4.0;

/// Words that belong together on a line. Lengths in points, in the page's upright frame.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The index of its line, from the top of the page.
    pub(crate) line: usize,
    pub(crate) text: String,
    pub(crate) words: Vec<Word>,
    pub(crate) x1: f32,
    pub(crate) x2: f32,
    /// The y coordinate of the baseline, which grows downwards.
    pub(crate) y: f32,
    pub(crate) size: f32,
    pub(crate) bold: bool,
    /// White space to the preceding cell on the line.
    pub(crate) gap: f32,
    pub(crate) after_leader: bool,
    pub(crate) struck: bool,
}

impl Cell {
    fn new(line: usize, words: Vec<Word>, gap: f32, after_leader: bool, struck: bool) -> Option<Self> {
        let (first, last) = (words.first()?, words.last()?);
        Some(Self {
            line,
            text: text_of(&words),
            x1: first.bbox.x1,
            x2: words.iter().map(|word| word.bbox.x2).fold(last.bbox.x2, f32::max),
            y: first.baseline,
            size: words.iter().map(|word| word.size).fold(0.0, f32::max),
            bold: first.style.bold,
            gap,
            after_leader,
            struck,
            words,
        })
    }

    /// Returns the x coordinate at which `tail`, the end of the text, begins.
    pub(crate) fn x_of_tail(&self, tail: &str) -> f32 {
        let mut left = tail.len();
        for word in self.words.iter().rev() {
            if left <= word.text.len() {
                let share = left as f32 / word.text.len().max(1) as f32;
                return word.bbox.x2 - (word.bbox.x2 - word.bbox.x1) * share;
            }
            left = left.saturating_sub(word.text.len() + 1);
        }
        self.x1
    }
}

/// A horizontal rule: a thin line or a filled strip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    x1: f32,
    x2: f32,
    y: f32,
}

/// Returns the cells of a page's lines, from the top, each line from the left.
pub(crate) fn cells(lines: &[Line], rules: &[Rule]) -> Vec<Cell> {
    let stops = TabStops::from_lines(lines);
    let mut cells = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let mut row = Vec::new();
        for phrase in line.phrases(CELL_GAP) {
            split_phrase(index, phrase, rules, &stops, &mut row);
        }
        cells.extend(join_numbers(row));
    }
    split_before_numbers(cells)
}

/// A column begins at an x coordinate at which this many lines continue after more white space than
/// between words.
const MIN_TAB_LINES: usize = 4;

/// Where columns begin that are closer than [`CELL_GAP`] to the text to the left of them.
struct TabStops {
    /// The white space before a column's first word, in em.
    gap: f32,
    /// The x coordinates of the columns, in ascending order.
    stops: Vec<f32>,
}

impl TabStops {
    fn from_lines(lines: &[Line]) -> Self {
        let words = || lines.iter().flat_map(|line| line.words.iter().skip(1)).filter(|word| !word.leader);
        let gaps = words().map(|word| word.gap / word.size).filter(|gap| *gap < CELL_GAP);
        // Monospaced faces have wide spaces, and each letter is below others.
        let between_words = median(gaps.collect()).unwrap_or_default();
        let gap = (1.6 * between_words).max(0.45);
        let mut starts: Vec<f32> =
            words().filter(|word| word.gap >= gap * word.size).map(|word| word.bbox.x1).collect();
        starts.sort_by(f32::total_cmp);
        let chunks = starts.chunk_by(|a, b| b - a < 0.6).filter(|chunk| chunk.len() >= MIN_TAB_LINES);
        Self { gap, stops: chunks.map(|chunk| chunk[chunk.len() / 2]).collect() }
    }

    /// Returns whether a column begins at a word with white space of `gap` before it.
    fn begin_at(&self, word: &Word, gap: f32) -> bool {
        let place = self.stops.partition_point(|stop| *stop < word.bbox.x1 - 1.2);
        gap >= self.gap * word.size && self.stops.get(place).is_some_and(|stop| stop - word.bbox.x1 < 1.2)
    }
}

/// Splits a phrase where it begins or ends to be struck out, and where another column begins.
fn split_phrase(line: usize, phrase: Phrase, rules: &[Rule], stops: &TabStops, row: &mut Vec<Cell>) {
    let (mut gap, mut after_leader) = (phrase.gap, phrase.after_leader);
    let mut open: Vec<Word> = Vec::new();
    let mut open_struck = false;
    for word in phrase.words {
        let struck = is_struck(&word, rules);
        // A mark may hang before the first word of a column.
        let mark = open.last().filter(|mark| mark.text.chars().all(|c| "*•†+#".contains(c)));
        let before_mark = mark.map_or(0.0, |mark| mark.gap + mark.bbox.x2 - mark.bbox.x1);
        let at_stop = stops.begin_at(&word, word.gap + before_mark);
        if (struck != open_struck || at_stop) && !open.is_empty() {
            row.extend(Cell::new(line, std::mem::take(&mut open), gap, after_leader, open_struck));
            // A column's gap counts as a cell's, however narrow.
            gap = if at_stop { word.gap.max(CELL_GAP * word.size) } else { word.gap };
            after_leader = false;
        }
        open_struck = struck;
        open.push(word);
    }
    row.extend(Cell::new(line, open, gap, after_leader, open_struck));
}

fn is_struck(word: &Word, rules: &[Rule]) -> bool {
    let through = (word.baseline - 0.5 * word.size)..(word.baseline - 0.14 * word.size);
    let first = rules.partition_point(|rule| rule.y < through.start);
    let covered: f32 = rules[first..]
        .iter()
        .take_while(|rule| rule.y <= through.end)
        .map(|rule| (rule.x2.min(word.bbox.x2) - rule.x1.max(word.bbox.x1)).max(0.0))
        .sum();
    covered >= 0.6 * word.bbox.width()
}

/// Splits cells before a number at an x coordinate at which most numbers of the page begin. A
/// column to the left of the numbers may be closer to them than the gap between cells.
fn split_before_numbers(cells: Vec<Cell>) -> Vec<Cell> {
    let starts = common_number_starts(&cells);
    let mut split = Vec::with_capacity(cells.len());
    for cell in cells {
        let cut = (1..cell.words.len()).find(|&at| {
            let word = &cell.words[at];
            starts.iter().any(|start| (word.bbox.x1 - start).abs() < 1.5)
                && numbers::leading(&text_of(&cell.words[at..])).is_some()
        });
        match cut.filter(|_| numbers::leading(&cell.text).is_none()) {
            Some(at) => {
                let gap = cell.words[at].gap;
                let mut words = cell.words;
                let tail = words.split_off(at);
                split.extend(Cell::new(cell.line, words, cell.gap, cell.after_leader, cell.struck));
                split.extend(Cell::new(cell.line, tail, gap, false, cell.struck));
            }
            None => split.push(cell),
        }
    }
    split
}

/// Returns the x coordinates at which at least three numbers begin. Numbers that do not begin a
/// cell follow one short code.
fn common_number_starts(cells: &[Cell]) -> Vec<f32> {
    let is_code = |word: &Word| word.text.chars().count() <= 4 && !word.text.chars().any(char::is_lowercase);
    let mut starts: Vec<f32> = Vec::new();
    for cell in cells {
        if numbers::leading(&cell.text).is_some() {
            starts.push(cell.x1);
            continue;
        }
        let [code, number, ..] = &cell.words[..] else { continue };
        if is_code(code) && numbers::leading(&text_of(&cell.words[1..])).is_some() {
            starts.push(number.bbox.x1);
        }
    }
    starts.sort_by(f32::total_cmp);
    starts.chunk_by(|a, b| b - a < 1.0).filter(|chunk| chunk.len() >= 3).map(|chunk| chunk[chunk.len() / 2]).collect()
}

/// Splits cells into lines.
pub(crate) fn lines(cells: &[Cell]) -> impl DoubleEndedIterator<Item = &[Cell]> {
    cells.chunk_by(|a, b| a.line == b.line)
}

/// Returns the text of a line of cells.
pub(crate) fn text_of_line(line: &[Cell]) -> String {
    line.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn text_of(words: &[Word]) -> String {
    tidy(&words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "))
}

/// Joins cells that make a number only together: "08" "11" "13", or "Section" and a number.
fn join_numbers(row: Vec<Cell>) -> Vec<Cell> {
    let mut joined: Vec<Cell> = Vec::with_capacity(row.len());
    let mut row = row.into_iter().peekable();
    while let Some(mut cell) = row.next() {
        while let Some(next) = row.peek() {
            let near = next.gap <= NUMBER_GAP * next.size && !next.after_leader && next.struck == cell.struck;
            let partial = numbers::is_announcement(&cell.text) || is_part_of_number(&cell.text);
            let both = format!("{} {}", cell.text, next.text);
            let makes_one = numbers::leading(&both).is_some() || (is_part_of_number(&both) && partial);
            let starts_anew = numbers::leading(&next.text).is_some() && !numbers::is_announcement(&cell.text);
            if !near || !partial || !makes_one || starts_anew {
                break;
            }
            let Some(next) = row.next() else { break };
            cell.text = both;
            cell.x2 = next.x2;
            cell.words.extend(next.words);
        }
        joined.push(cell);
    }
    joined
}

/// Returns whether a text is the beginning of a number: "08", "08 11", "08 1113".
fn is_part_of_number(text: &str) -> bool {
    text.len() <= 5 && text.split(' ').all(|pair| pair.len() == 2 && pair.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Rules thicker than this, in points, are bars rather than strokes through text.
const MAX_RULE_WIDTH: f32 = 2.5;
/// Rules shorter than this, in points, are ticks and dashes.
const MIN_RULE_LENGTH: f32 = 4.0;
/// White, which shows nothing on paper, as 0xRRGGBB.
const WHITE: u32 = 0x00FF_FFFF;

/// Returns the horizontal rules of a page, from the top.
pub(crate) fn rules(paths: &PagePaths, frame: &Frame) -> Vec<Rule> {
    let mut rules = Vec::new();
    for path in paths.each() {
        let style = path.style;
        let stroked = style.stroke.is_some_and(|color| color != WHITE) && style.width <= MAX_RULE_WIDTH;
        let filled = style.fill.is_some_and(|color| color != WHITE);
        let mut last: Option<(f32, f32)> = None;
        let mut points = Vec::new();
        for step in walk(&path, |x, y| frame.place(x, y)) {
            match step {
                PathStep::MoveTo(to) => points.push(to),
                PathStep::LineTo(to) => {
                    if let Some(from) = last.filter(|from| stroked && (to.1 - from.1).abs() <= 0.6) {
                        let y = f32::midpoint(to.1, from.1);
                        rules.push(Rule { x1: from.0.min(to.0), x2: from.0.max(to.0), y });
                    }
                    points.push(to);
                }
                PathStep::CurveTo([a, b], to) => points.extend([a, b, to]),
                PathStep::Close => {}
            }
            last = points.last().copied();
        }
        if filled && !points.is_empty() {
            let extent = bounding_box(points);
            if extent.height() <= MAX_RULE_WIDTH {
                rules.push(Rule { x1: extent.x1, x2: extent.x2, y: f32::midpoint(extent.y1, extent.y2) });
            }
        }
    }
    rules.retain(|rule| rule.x2 - rule.x1 >= MIN_RULE_LENGTH);
    rules.sort_by(|a, b| a.y.total_cmp(&b.y));
    rules
}
