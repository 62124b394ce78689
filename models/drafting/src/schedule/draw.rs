//! Draws tables and their surroundings.

use super::TableTruth;
use super::content::{CONTENTS, Column, Content, Holds, text};
use super::lettering;
use super::style::{Lettering, Ruling, Signs, Style, Tags, TitlePlace};
use crate::chance::Chance;
use crate::pdf::{self, Face, Mark, Page, Segment};

/// The origin of a table on the sheet: x to the right and y down, upright or turned by a quarter.
struct Canvas<'a> {
    page: &'a mut Page,
    left: f32,
    top: f32,
    turned: bool,
    lettering: Lettering,
    face: Face,
    /// The random deviations of a hand.
    hand: Chance,
}

/// The height of capitals in em.
const CAPITAL: f32 = 0.72;
/// The stroke width of lettering in em, of headers and of other text.
const PEN: (f32, f32) = (0.11, 0.08);
/// The grey of shaded rows.
const SHADE: f32 = 0.85;
/// The deviation of the ends of rules drawn by hand, in tenths of a point.
const WAVER: u32 = 7;
/// How far such rules extend beyond their corners, in points.
const OVERRUN: f32 = 1.5;

impl Canvas<'_> {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        if self.turned { (self.left + y, self.top + x) } else { (self.left + x, self.top - y) }
    }

    fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32) {
        let (from, to) = if self.lettering == Lettering::Hand { self.by_hand(from, to) } else { (from, to) };
        let (from, to) = (self.place(from.0, from.1), self.place(to.0, to.1));
        self.page.stroke(from, to, width);
    }

    /// Draws the sides of a rectangle between two opposite corners.
    fn frame(&mut self, (x1, y1): (f32, f32), (x2, y2): (f32, f32), width: f32) {
        for (from, to) in [((x1, y1), (x2, y1)), ((x1, y2), (x2, y2)), ((x1, y1), (x1, y2)), ((x2, y1), (x2, y2))] {
            self.line(from, to, width);
        }
    }

    /// Returns where a hand draws a line: a little off at both ends, and beyond its corners.
    fn by_hand(&mut self, from: (f32, f32), to: (f32, f32)) -> ((f32, f32), (f32, f32)) {
        let long = (to.0 - from.0).hypot(to.1 - from.1).max(1.0);
        let past = ((to.0 - from.0) / long * OVERRUN, (to.1 - from.1) / long * OVERRUN);
        let mut off = || (self.hand.between(0, 2 * WAVER) as f32 - WAVER as f32) / 10.0;
        ((from.0 - past.0 + off(), from.1 - past.1 + off()), (to.0 + past.0 + off(), to.1 + past.1 + off()))
    }

    /// Draws a thin filled rectangle instead of a stroke.
    fn strip(&mut self, from: (f32, f32), to: (f32, f32)) {
        let (a, b) = (self.place(from.0, from.1), self.place(to.0, to.1));
        let (x, y) = (a.0.min(b.0), a.1.min(b.1));
        let (width, height) = ((a.0 - b.0).abs().max(0.7), (a.1 - b.1).abs().max(0.7));
        self.page.marks.push(Mark::Fill { x, y, width, height, grey: 0.0 });
    }

    /// Draws a light grey box behind texts.
    fn shade(&mut self, from: (f32, f32), to: (f32, f32)) {
        let (a, b) = (self.place(from.0, from.1), self.place(to.0, to.1));
        let (x, y) = (a.0.min(b.0), a.1.min(b.1));
        let (width, height) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
        self.page.marks.push(Mark::Fill { x, y, width, height, grey: SHADE });
    }

    fn text(&mut self, x: f32, y: f32, face: Face, size: f32, words: &str) {
        let (px, py) = self.place(x, y);
        match self.lettering {
            Lettering::Type if self.turned => self.page.text_upward(px, py, face, size, words),
            Lettering::Type => self.page.text(px, py, face, size, words),
            Lettering::Outlines => {
                self.page.marks.extend(pdf::outlined((px, py), self.turned, face, size, words));
            }
            Lettering::Strokes | Lettering::Hand => self.letter((px, py), self.turned, face, size, words),
        }
    }

    /// Draws text that runs upwards, on upright tables only.
    fn upward(&mut self, x: f32, y: f32, size: f32, words: &str) {
        let (px, py) = self.place(x, y);
        match self.lettering {
            Lettering::Type => self.page.text_upward(px, py, self.face, size, words),
            Lettering::Outlines => {
                self.page.marks.extend(pdf::outlined((px, py), true, self.face, size, words));
            }
            Lettering::Strokes | Lettering::Hand => self.letter((px, py), true, self.face, size, words),
        }
    }

    /// Draws text as single strokes, from a point of the page.
    fn letter(&mut self, (x, y): (f32, f32), upward: bool, face: Face, size: f32, words: &str) {
        let pen = size * if face.bold { PEN.0 } else { PEN.1 };
        let hand = (self.lettering == Lettering::Hand).then_some(&mut self.hand);
        for stroke in lettering::strokes(words, CAPITAL * size, face.width(words, size), hand) {
            let place = |(along, up): (f32, f32)| if upward { (x - up, y + along) } else { (x + along, y + up) };
            let mut points = stroke.into_iter().map(place);
            let mut outline: Vec<Segment> = points.next().map(|(x, y)| Segment::Move(x, y)).into_iter().collect();
            outline.extend(points.map(|(x, y)| Segment::Line(x, y)));
            self.page.marks.push(Mark::Shape { outline, width: Some(pen) });
        }
    }

    fn disc(&mut self, x: f32, y: f32, radius: f32) {
        let (px, py) = self.place(x, y);
        self.page.marks.push(Mark::Shape { outline: circle(px, py, radius), width: None });
    }

    /// Draws a sign for "yes" around a point, for a table of this type size.
    fn sign(&mut self, sign: Signs, x: f32, y: f32, size: f32) {
        let r = 0.3 * size;
        match sign {
            Signs::Dots => self.disc(x, y, 0.28 * size),
            Signs::Crosses => {
                self.line((x - r, y - r), (x + r, y + r), 0.6);
                self.line((x - r, y + r), (x + r, y - r), 0.6);
            }
            Signs::Checks => {
                let [a, b, c] = [(x - r, y), (x - 0.3 * r, y + r), (x + r, y - r)].map(|(x, y)| self.place(x, y));
                let outline = vec![Segment::Move(a.0, a.1), Segment::Line(b.0, b.1), Segment::Line(c.0, c.1)];
                self.page.marks.push(Mark::Shape { outline, width: Some(0.7) });
            }
        }
    }

    /// Draws the frame of a mark, as high as its row.
    fn tag(&mut self, tags: Tags, (x, y): (f32, f32), width: f32, height: f32) {
        match tags {
            Tags::None => {}
            Tags::Circles => {
                let (px, py) = self.place(x, y);
                let outline = circle(px, py, 0.48 * height);
                self.page.marks.push(Mark::Shape { outline, width: Some(0.5) });
            }
            Tags::Boxes => {
                self.frame((x - width / 2.0, y - height / 2.0), (x + width / 2.0, y + height / 2.0), 0.4);
            }
        }
    }

    fn bbox(&self, width: f32, height: f32) -> [f32; 4] {
        let (a, b) = (self.place(0.0, 0.0), self.place(width, height));
        [a.0.min(b.0), a.1.min(b.1), a.0.max(b.0), a.1.max(b.1)]
    }
}

/// Returns a circle as four curves.
pub(crate) fn circle(x: f32, y: f32, r: f32) -> Vec<Segment> {
    let k = 0.5523 * r;
    vec![
        Segment::Move(x + r, y),
        Segment::Curve([(x + r, y + k), (x + k, y + r), (x, y + r)]),
        Segment::Curve([(x - k, y + r), (x - r, y + k), (x - r, y)]),
        Segment::Curve([(x - r, y - k), (x - k, y - r), (x, y - r)]),
        Segment::Curve([(x + k, y - r), (x + r, y - k), (x + r, y)]),
        Segment::Close,
    ]
}

/// White space between tables side by side, in em.
const BESIDE: f32 = 5.0;

/// White space between two blocks of a table, in em.
const BETWEEN_BLOCKS: f32 = 2.0;

/// Draws notes beside a table, at their own pitch, below a title that names it.
fn notes_beside(canvas: &mut Canvas<'_>, size: f32) {
    let (face, bold) = (canvas.face, Face { bold: true, ..canvas.face });
    canvas.text(0.0, -0.4 * size, bold, 1.2 * size, "NOTES TO SCHEDULE");
    let notes = [
        "FIELD VERIFY ALL OPENINGS BEFORE FABRICATION.",
        "SEE HARDWARE SETS IN THE SPECIFICATIONS.",
        "REFER TO THE FINISH SCHEDULE FOR COLORS.",
        "ALL GLASS WITHIN 18\" OF THE FLOOR IS TEMPERED.",
    ];
    for (number, note) in notes.iter().cycle().take(9).enumerate() {
        let y = (1.3 + 1.37 * number as f32) * size;
        canvas.text(0.0, y, face, size, &format!("{}.", number + 1));
        canvas.text(2.5 * size, y, face, size, note);
    }
}

/// Draws the tables one below the other, from the sheet's upper left corner.
pub(super) fn schedules(page: &mut Page, style: &Style, chance: &mut Chance) -> Vec<TableTruth> {
    let (mut across, mut down) = (80.0, 70.0);
    let mut tables = Vec::new();
    let face = Face::new(style.family, false);
    let common = style.one_frame.then(|| {
        let chosen = (0..style.tables).map(|n| content(style, n));
        chosen.map(|content| content.columns.iter().map(|column| column.ems).sum::<f32>()).fold(0.0, f32::max)
    });
    for number in 0..style.tables {
        let content = content(style, number);
        let ems: f32 = content.columns.iter().map(|column| column.ems).sum();
        let stretch = common.map_or(1.0, |widest| widest / ems);
        let (left, top) = if style.turned { (80.0 + down, 120.0) } else { (across, page.height - down) };
        let hand = Chance::new(number as u64 + 1);
        let mut canvas = Canvas { page, left, top, turned: style.turned, lettering: style.lettering, face, hand };
        let rows = style.rows + 3 * number;
        let (mut truth, mut height) = table(&mut canvas, style, content, rows, stretch, chance);
        if style.parted_blocks {
            let along = if style.turned { &mut canvas.top } else { &mut canvas.left };
            let [left, bottom, right, top] = truth.bbox;
            *along = if style.turned { top } else { right } + BETWEEN_BLOCKS * style.size;
            let untitled = Style { title: TitlePlace::Nowhere, ..*style };
            let (block, block_height) = table(&mut canvas, &untitled, content, rows, stretch, chance);
            let [block_left, block_bottom, block_right, block_top] = block.bbox;
            truth.bbox = [left.min(block_left), bottom.min(block_bottom), right.max(block_right), top.max(block_top)];
            truth.rows.extend(block.rows);
            height = height.max(block_height);
        }
        let right = truth.bbox[2];
        tables.push(truth);
        if style.beside {
            across = right + BESIDE * style.size;
            continue;
        }
        if style.lists && !style.turned {
            canvas.left = right + BESIDE * style.size;
            notes_beside(&mut canvas, style.size);
        }
        down += height + if style.one_frame { 0.0 } else { 60.0 };
    }
    tables
}

fn content(style: &Style, number: usize) -> &'static Content {
    &CONTENTS[(style.content + number) % CONTENTS.len()]
}

/// The texts and height of a row.
struct Line {
    texts: Vec<Vec<String>>,
    height: f32,
    /// The text of a row that is the heading of a group.
    group: Option<String>,
}

fn table(
    canvas: &mut Canvas<'_>,
    style: &Style,
    content: &Content,
    count: usize,
    stretch: f32,
    chance: &mut Chance,
) -> (TableTruth, f32) {
    let size = style.size;
    let (pad, leading, row_gap) = (0.35 * size, 1.2 * size, style.row_gap * size);
    let face = canvas.face;
    let bold = Face::new(style.family, true);
    let mut columns: Vec<Column> = content.columns.to_vec();
    if style.floors {
        columns.insert(0, Column { group: "", head: "FLR", ems: 3.5, holds: Holds::Word(&[""], 100) });
    }
    let blocks = if style.two_blocks { 2 } else { 1 };
    let own = columns.len();
    // A column is at least as wide as the longest word of its header.
    let own_widths = columns.iter().map(|column| {
        let head = column.head.split(' ').map(|word| bold.width(word, size)).fold(0.0, f32::max) + 3.0 * pad;
        let turned = style.turned_heads && is_narrow(column);
        (column.ems * size * 0.9 * stretch).max(if turned { 0.0 } else { head })
    });
    let mut widths: Vec<f32> = own_widths.collect();
    for _ in 1..blocks {
        widths.extend_from_within(..own);
    }
    let mut edges = vec![0.0];
    for width in &widths {
        edges.push(edges[edges.len() - 1] + width);
    }
    let right = edges[edges.len() - 1];

    // Content.
    let mut lines: Vec<Line> = Vec::new();
    let mut truth: Vec<Vec<String>> = Vec::new();
    let floors = ["GROUND", "FIRST", "SECOND"];
    let mut starts: Vec<usize> = Vec::new();
    for row in 0..count {
        if row % 7 == 0 {
            if style.blank_rows && row > 0 {
                lines.push(Line { texts: vec![Vec::new(); widths.len()], height: leading + row_gap, group: None });
            }
            if style.group_rows {
                let group = format!("{} FLOOR", floors[(row / 7) % floors.len()]);
                lines.push(Line { texts: Vec::new(), height: leading + row_gap, group: Some(group) });
            }
            starts.push(lines.len());
        }
        let mut cells: Vec<String> = Vec::new();
        for block in 0..blocks {
            let number = row + block * count;
            cells.extend(columns.iter().map(|column| match (column.holds, text(column.holds, number, chance)) {
                (Holds::Dot(_), sign) if !sign.is_empty() => sign_of(style.signs).to_owned(),
                (_, text) => text,
            }));
        }
        if style.floors && row % 7 == 0 {
            floors[(row / 7) % floors.len()].clone_into(&mut cells[0]);
        }
        let texts: Vec<Vec<String>> = cells
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(index, (cell, width))| {
                let upright = !(style.floors && index == 0);
                if cell.is_empty() || !upright || matches!(columns[index % own].holds, Holds::Dot(_)) {
                    return Vec::new();
                }
                pdf::wrap(cell, face, size, width - 2.0 * pad, width - 2.0 * pad)
            })
            .collect();
        let most = texts.iter().map(Vec::len).max().unwrap_or(1).max(1) as f32;
        lines.push(Line { texts, height: most * leading + row_gap, group: None });
        truth.push(cells);
    }

    // Title and head.
    let rows_high: f32 = lines.iter().map(|line| line.height).sum();
    let mut y = if style.head_below { rows_high } else { 0.0 };
    let title_size = 1.5 * size;
    match style.title {
        TitlePlace::Inside => {
            let middle = (right - bold.width(content.title, title_size)) / 2.0;
            canvas.text(middle.max(pad), title_size + pad, bold, title_size, content.title);
            y += title_size + 3.0 * pad;
        }
        TitlePlace::Above => canvas.text(0.0, -1.2 * size, bold, title_size, content.title),
        TitlePlace::Below | TitlePlace::Nowhere => {}
    }
    let title_bottom = y;
    let groups = style.grouped_heads && columns.iter().any(|column| !column.group.is_empty());
    let group_height = if groups { leading + pad } else { 0.0 };
    let longest = columns.iter().filter(|column| is_narrow(column)).map(|column| face.width(column.head, size));
    let head_height = if style.turned_heads {
        longest.fold(0.0, f32::max) + 4.0 * pad
    } else {
        let rows = columns
            .iter()
            .zip(&widths)
            .map(|(column, width)| pdf::wrap(column.head, bold, size, width - 2.0 * pad, width - 2.0 * pad).len());
        rows.max().unwrap_or(1) as f32 * leading + pad
    };
    let head_bottom = y + group_height + head_height;
    let mut leaf_tops = Vec::new();
    for index in 0..widths.len() {
        let column = columns[index % own];
        let grouped = groups && !column.group.is_empty();
        leaf_tops.push(if grouped { y + group_height } else { y });
        let (left, width) = (edges[index], widths[index]);
        if style.turned_heads && is_narrow(&column) {
            canvas.upward(left + f32::midpoint(width, 0.7 * size), head_bottom - 2.0 * pad, size, column.head);
        } else {
            let broken = pdf::wrap(column.head, bold, size, width - 2.0 * pad, width - 2.0 * pad);
            let first = head_bottom - pad - leading * (broken.len() - 1) as f32;
            for (number, words) in broken.iter().enumerate() {
                let x = if style.left_heads { left + pad } else { left + (width - bold.width(words, size)) / 2.0 };
                canvas.text(x, first + leading * number as f32 - 0.1 * size, bold, size, words);
            }
        }
        let begins = index == 0 || columns[(index - 1) % own].group != column.group;
        if grouped && begins {
            let span = (index..widths.len()).take_while(|&n| columns[n % own].group == column.group).count();
            let wide = edges[index + span] - left;
            let x = left + (wide - bold.width(column.group, size)) / 2.0;
            canvas.text(x, y + leading - 0.1 * size, bold, size, column.group);
        }
    }

    // Rows.
    let mut tops = vec![if style.head_below { 0.0 } else { head_bottom }];
    for line in &lines {
        tops.push(tops[tops.len() - 1] + line.height);
    }
    let bottom = head_bottom.max(tops[tops.len() - 1]);
    let mut cell_rows = truth.iter();
    for (line, &top) in lines.iter().zip(&tops) {
        if let Some(group) = &line.group {
            canvas.text(pad, top + leading - 0.1 * size, face, size, group);
            continue;
        }
        let blank = line.texts.iter().all(Vec::is_empty) && style.blank_rows && line.height < 1.3 * leading + row_gap;
        let cells = if blank { None } else { cell_rows.next() };
        for (index, words) in line.texts.iter().enumerate() {
            for (number, words) in words.iter().enumerate() {
                let x = if index % own == 0 && !style.left_heads {
                    edges[index] + (widths[index] - face.width(words, size)) / 2.0
                } else {
                    edges[index] + pad
                };
                canvas.text(x, top + leading * (number + 1) as f32 - 0.1 * size, face, size, words);
            }
            let text = cells.and_then(|cells| cells.get(index)).filter(|text| !text.is_empty());
            let (x, y) = (f32::midpoint(edges[index], edges[index + 1]), top + line.height / 2.0);
            if text.is_some() && matches!(columns[index % own].holds, Holds::Dot(_)) {
                canvas.sign(style.signs, x, y, size);
            }
            if text.is_some() && index % own == 0 {
                canvas.tag(style.tags, (x, y), 0.7 * widths[index], line.height);
            }
        }
    }

    // Merged cells of the first column, with text that runs upwards.
    let merged: Vec<(usize, usize)> = if style.floors {
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        starts.iter().copied().zip(ends).collect()
    } else {
        Vec::new()
    };
    for (number, &(first, end)) in merged.iter().enumerate() {
        let words = floors[number % floors.len()];
        let middle = f32::midpoint(tops[first], tops[end]) + face.width(words, size) / 2.0;
        canvas.upward(f32::midpoint(widths[0], 0.7 * size), middle, size, words);
    }

    rules(
        canvas,
        style,
        &Layout {
            edges: &edges,
            tops: &tops,
            leaf_tops: &leaf_tops,
            lines: &lines,
            merged: &merged,
            title_bottom,
            group_bottom: y + group_height,
            head_bottom,
            spans: columns_spanned(&columns, blocks, groups),
        },
    );
    if style.clouds && lines.len() > 6 {
        cloud(canvas, (edges[1] - 3.0, tops[3] - 2.0), (right + 8.0, tops[5] + 2.0));
    }
    let mut down = bottom;
    if style.title == TitlePlace::Below {
        down += 1.6 * title_size;
        canvas.text((right - bold.width(content.title, title_size)) / 2.0, down, bold, title_size, content.title);
    }
    if style.notes {
        down += 2.0 * leading;
        canvas.text(0.0, down, bold, size, "NOTES:");
        for note in ["1. VERIFY ALL SIZES IN THE FIELD BEFORE ORDERING.", "2. SEE SPECIFICATIONS FOR HARDWARE SETS."] {
            down += leading;
            canvas.text(0.0, down, face, size, note);
        }
    }

    let headers = columns.iter().map(|column| match column.group {
        group if groups && !group.is_empty() => format!("{group} {}", column.head),
        _ => column.head.to_owned(),
    });
    let headers = headers.collect();
    let rows = if blocks == 1 {
        truth
    } else {
        (0..blocks)
            .flat_map(|block| truth.iter().map(move |row| row[block * own..(block + 1) * own].to_vec()))
            .collect()
    };
    let bbox = canvas.bbox(right, bottom);
    let schedule_type = content.schedule_type.to_owned();
    let title = if style.title == TitlePlace::Nowhere { String::new() } else { content.title.to_owned() };
    (TableTruth { schedule_type, title, headers, rows, bbox }, down)
}

/// Returns the text that stands for a sign for "yes".
fn sign_of(signs: Signs) -> &'static str {
    match signs {
        Signs::Dots => "●",
        Signs::Checks => "✓",
        Signs::Crosses => "X",
    }
}

fn is_narrow(column: &Column) -> bool {
    column.ems < 7.0
}

/// Returns for each border between two columns whether a common header covers it.
fn columns_spanned(columns: &[Column], blocks: usize, groups: bool) -> Vec<bool> {
    let all = columns.len() * blocks;
    (0..=all)
        .map(|border| {
            let at = |index: usize| columns[index % columns.len()].group;
            groups && border > 0 && border < all && !at(border).is_empty() && at(border) == at(border - 1)
        })
        .collect()
}

/// The positions of a table's rules.
struct Layout<'a> {
    edges: &'a [f32],
    tops: &'a [f32],
    leaf_tops: &'a [f32],
    lines: &'a [Line],
    merged: &'a [(usize, usize)],
    title_bottom: f32,
    group_bottom: f32,
    head_bottom: f32,
    spans: Vec<bool>,
}

/// A rule from one point to another, and whether it is heavy.
type Stretch = ((f32, f32), (f32, f32), bool);

fn rules(canvas: &mut Canvas<'_>, style: &Style, at: &Layout<'_>) {
    let right = at.edges[at.edges.len() - 1];
    let (first, last) = (at.tops[0], at.tops[at.tops.len() - 1]);
    let bottom = last.max(at.head_bottom);
    if style.ruling == Ruling::Shaded {
        for pair in at.tops.windows(2).step_by(2) {
            canvas.shade((0.0, pair[0]), (right, pair[1]));
        }
    }
    if matches!(style.ruling, Ruling::Shaded | Ruling::Unruled) {
        return;
    }
    let in_rows = !matches!(style.ruling, Ruling::ColumnsOnly | Ruling::HeadOnly);
    let in_columns = !matches!(style.ruling, Ruling::RowsOnly | Ruling::Level | Ruling::HeadOnly);
    let framed = style.ruling != Ruling::HeadOnly;
    let mut segments: Vec<Stretch> = Vec::new();
    if framed {
        for y in [0.0, bottom] {
            segments.push(((0.0, y), (right, y), true));
        }
        let sides = if style.ruling == Ruling::Level { &[][..] } else { &[0.0, right] };
        for &x in sides {
            segments.push(((x, 0.0), (x, bottom), true));
        }
        if at.title_bottom > 0.0 {
            segments.push(((0.0, at.title_bottom), (right, at.title_bottom), false));
        }
    }
    segments.push(((0.0, at.head_bottom), (right, at.head_bottom), framed));
    // Below common headers.
    if at.group_bottom > at.title_bottom && framed {
        for (index, &top) in at.leaf_tops.iter().enumerate() {
            if top == at.group_bottom {
                segments.push(((at.edges[index], top), (at.edges[index + 1], top), false));
            }
        }
    }
    if in_rows {
        for (row, &y) in at.tops.iter().enumerate().skip(1).take(at.tops.len().saturating_sub(2)) {
            let inside = at.merged.iter().any(|&(first, end)| row > first && row < end);
            let left = if inside { at.edges[1] } else { 0.0 };
            segments.push(((left, y), (right, y), false));
        }
    }
    if in_columns {
        for (border, &x) in at.edges.iter().enumerate().skip(1).take(at.edges.len().saturating_sub(2)) {
            let top = if at.spans[border] { at.group_bottom } else { at.title_bottom };
            segments.push(((x, top), (x, at.head_bottom), false));
            // Not through headings of groups.
            let mut start = first;
            for (row, line) in at.lines.iter().enumerate() {
                if line.group.is_some() {
                    if at.tops[row] > start {
                        segments.push(((x, start), (x, at.tops[row]), false));
                    }
                    start = at.tops[row + 1];
                }
            }
            if last > start {
                segments.push(((x, start), (x, last), false));
            }
        }
    }
    for (from, to, heavy) in segments {
        let level = from.1 == to.1;
        match style.ruling {
            Ruling::Strips => canvas.strip(from, to),
            Ruling::Double if heavy => {
                for off in [0.0, 2.0] {
                    let moved = |(x, y): (f32, f32)| if level { (x, y + off) } else { (x + off, y) };
                    canvas.line(moved(from), moved(to), 0.5);
                }
            }
            Ruling::Gaps => {
                let short = |a: f32, b: f32| if a < b { (a + 0.9, b - 0.9) } else { (a, b) };
                let ((x1, x2), (y1, y2)) = (short(from.0, to.0), short(from.1, to.1));
                canvas.line((x1, y1), (x2, y2), 0.5);
            }
            Ruling::Boxes => {
                // Piece by piece, from border to border.
                let stops = if level { at.edges } else { at.tops };
                let (start, end) = if level { (from.0, to.0) } else { (from.1, to.1) };
                let mut last = start;
                for stop in stops.iter().copied().filter(|&stop| stop > start && stop < end).chain([end]) {
                    let ends = if level { ((last, from.1), (stop, from.1)) } else { ((from.0, last), (from.0, stop)) };
                    canvas.line(ends.0, ends.1, 0.5);
                    last = stop;
                }
            }
            _ => canvas.line(from, to, if heavy { 1.2 } else { 0.4 }),
        }
    }
}

/// Draws a revision cloud around a box: arcs along its sides.
fn cloud(canvas: &mut Canvas<'_>, from: (f32, f32), to: (f32, f32)) {
    let corners = [from, (to.0, from.1), to, (from.0, to.1), from];
    for side in corners.windows(2) {
        let (a, b) = (side[0], side[1]);
        let long = (b.0 - a.0).abs() + (b.1 - a.1).abs();
        let count = (long / 14.0).ceil().max(1.0);
        let step = ((b.0 - a.0) / count, (b.1 - a.1) / count);
        // Outwards: to the left of the way around.
        let out = (step.1 * 0.6, -step.0 * 0.6);
        let mut outline = Vec::new();
        for number in 0..count as usize {
            let start = (a.0 + step.0 * number as f32, a.1 + step.1 * number as f32);
            let end = (start.0 + step.0, start.1 + step.1);
            let points = [start, (start.0 + out.0, start.1 + out.1), (end.0 + out.0, end.1 + out.1), end];
            let [start, b1, b2, end] = points.map(|(x, y)| canvas.place(x, y));
            outline.push(Segment::Move(start.0, start.1));
            outline.push(Segment::Curve([b1, b2, end]));
        }
        canvas.page.marks.push(Mark::Shape { outline, width: Some(0.8) });
    }
}

/// A list that is no schedule: its title, and rows of texts with the offset of each column in em.
struct List {
    title: &'static str,
    starts: &'static [f32],
    rows: &'static [&'static [&'static str]],
}

/// Lists in columns and rows that are no schedules.
const LISTS: &[List] = &[
    List {
        title: "SHEET INDEX",
        starts: &[0.0, 8.0, 26.0],
        rows: &[
            &["SHEET NO.", "SHEET TITLE", "SCALE"],
            &["A-101", "FLOOR PLAN", "1/8\" = 1'-0\""],
            &["A-201", "ELEVATIONS", "1/8\" = 1'-0\""],
            &["A-301", "SECTIONS", "1/4\" = 1'-0\""],
            &["A-601", "SCHEDULES", "NONE"],
        ],
    },
    List {
        title: "REVISION SCHEDULE",
        starts: &[0.0, 6.0, 15.0, 32.0],
        rows: &[
            &["NO.", "DATE", "DESCRIPTION", "BY"],
            &["1", "03/04/25", "ISSUED FOR BID", "JM"],
            &["2", "05/06/25", "ADDENDUM 1", "JM"],
            &["3", "07/09/25", "BULLETIN 2", "KL"],
            &["4", "08/01/25", "BULLETIN 3", "KL"],
        ],
    },
    List {
        title: "SYMBOL LEGEND",
        starts: &[0.0, 7.0, 22.0],
        rows: &[
            &["SYMBOL", "DESCRIPTION", "NOTES"],
            &["D1", "DOOR TAG", "SEE A-601"],
            &["W1", "WINDOW TAG", "SEE A-602"],
            &["101", "ROOM NUMBER", ""],
            &["K1", "KEYNOTE", "THIS SHEET"],
        ],
    },
    List {
        title: "ABBREVIATIONS",
        starts: &[0.0, 6.0, 22.0, 28.0],
        rows: &[
            &["AFF", "ABOVE FINISHED FLOOR", "HM", "HOLLOW METAL"],
            &["CLG", "CEILING", "MAT", "MATERIAL"],
            &["DR", "DOOR", "NO", "NUMBER"],
            &["FIN", "FINISH", "WD", "WOOD"],
        ],
    },
    List {
        title: "KEYNOTES - DOOR SCHEDULE",
        starts: &[0.0, 3.0],
        rows: &[
            &["1", "PROVIDE PANIC HARDWARE."],
            &["2", "PROVIDE ELECTRIC STRIKE, SEE ELECTRICAL."],
            &["3", "REUSE EXISTING FRAME."],
            &["4", "UNDERCUT DOOR 3/4\"."],
        ],
    },
    List {
        title: "DOOR TYPES - SEE SCHEDULE",
        starts: &[0.0, 12.0, 24.0],
        rows: &[&["3'-0\"", "3'-0\"", "6'-0\""], &["7'-0\"", "8'-0\"", "7'-0\""], &["A", "B", "C1"]],
    },
    List {
        title: "SCHEDULES",
        starts: &[0.0, 12.0, 22.0, 32.0],
        rows: &[
            &["PROJECT NO.", "DRAWN BY", "CHECKED BY", "DATE"],
            &["2417", "JM", "KL", "08/01/25"],
            &["SHEET NO.", "SCALE", "PHASE", "ISSUE"],
            &["A-601", "NONE", "CD", "BID"],
        ],
    },
];

/// Draws lists that are no schedules, one below the other.
fn lists(canvas: &mut Canvas<'_>, size: f32, leading: f32) {
    let (face, bold) = (canvas.face, Face { bold: true, ..canvas.face });
    let mut y = 0.0;
    for list in LISTS {
        canvas.text(0.0, y, bold, 1.5 * size, list.title);
        y += 0.6 * size;
        for row in list.rows {
            y += leading;
            for (start, words) in list.starts.iter().zip(*row).filter(|(_, words)| !words.is_empty()) {
                canvas.text(start * size, y, face, size, words);
            }
        }
        y += 5.0 * size;
    }
}

/// Draws the rest of the sheet: border, title block, legend, notes, doors in a grid.
pub(super) fn surroundings(page: &mut Page, style: &Style, chance: &mut Chance) {
    let (width, height) = (page.width, page.height);
    let face = Face::new(style.family, false);
    let bold = Face::new(style.family, true);
    let (lettering, hand) = (style.lettering, Chance::new(0));
    let mut canvas = Canvas { page, left: 0.0, top: height, turned: false, lettering, face, hand };
    canvas.frame((36.0, 36.0), (width - 36.0, height - 36.0), 1.6);

    // The title block, down the right side: labelled boxes, and the revisions.
    let left = width - 260.0;
    canvas.line((left, 36.0), (left, height - 36.0), 1.6);
    let labels = ["PROJECT", "OWNER", "ARCHITECT", "PROJECT NO.", "DRAWN BY", "CHECKED BY", "SHEET TITLE", "SHEET NO."];
    let values = ["RIVERBEND LIBRARY", "CITY OF ALDER", "STUDIO NORTE", "2417", "JM", "KL", "SCHEDULES", "A-601"];
    let mut y = height - 36.0;
    for (label, value) in labels.iter().zip(values).rev() {
        y -= 70.0;
        canvas.line((left, y), (width - 36.0, y), 0.8);
        canvas.text(left + 5.0, y + 12.0, face, 7.0, label);
        canvas.text(left + 20.0, y + 44.0, bold, 14.0, value);
    }
    let revisions = y - 160.0;
    for row in 0..=6 {
        let y = revisions + 16.0 * row as f32;
        canvas.line((left, y), (width - 36.0, y), 0.5);
    }
    for x in [left + 40.0, left + 100.0] {
        canvas.line((x, revisions), (x, revisions + 96.0), 0.5);
    }
    for (row, texts) in
        [["NO.", "DATE", "DESCRIPTION"], ["1", "03/04/25", "ISSUED FOR BID"], ["2", "05/06/25", "ADDENDUM 1"]]
            .iter()
            .enumerate()
    {
        for (x, words) in [left + 6.0, left + 46.0, left + 106.0].iter().zip(texts) {
            canvas.text(*x, revisions + 12.0 + 16.0 * row as f32, face, 8.0, words);
        }
    }

    if style.lists {
        // Beside the tables, with the same pitch.
        (canvas.left, canvas.top) = (width - 260.0 - 620.0, height - 90.0);
        lists(&mut canvas, style.size, (1.2 + style.row_gap) * style.size);
        return;
    }

    // A legend in two columns of boxes.
    let (x, mut y) = (left - 420.0, 120.0);
    canvas.text(x, y - 10.0, bold, 12.0, "SYMBOL LEGEND");
    for words in ["DOOR TAG", "WINDOW TAG", "ROOM NUMBER", "KEYNOTE"] {
        canvas.frame((x, y), (x + 60.0, y + 24.0), 0.5);
        canvas.frame((x + 60.0, y), (x + 260.0, y + 24.0), 0.5);
        canvas.page.marks.push(Mark::Shape { outline: circle(x + 30.0, height - y - 12.0, 8.0), width: Some(0.5) });
        canvas.text(x + 68.0, y + 15.0, face, 9.0, words);
        y += 24.0;
    }

    // Notes.
    y += 60.0;
    canvas.text(x, y, bold, 12.0, "GENERAL NOTES");
    for number in 1..=6 {
        y += 14.0;
        let note = chance.pick(&[
            "COORDINATE WITH STRUCTURAL DRAWINGS.",
            "ALL DIMENSIONS ARE TO FACE OF STUD.",
            "PROVIDE BLOCKING AT WALL-MOUNTED ITEMS.",
        ]);
        canvas.text(x, y, face, 9.0, &format!("{number}. {note}"));
    }

    // Doors in a ruled grid, with their dimensions.
    y += 60.0;
    canvas.text(x, y - 8.0, bold, 12.0, "DOOR TYPES");
    for row in 0..2 {
        for column in 0..3 {
            let (bx, by) = (x + 120.0 * column as f32, y + 150.0 * row as f32);
            canvas.frame((bx, by), (bx + 120.0, by + 150.0), 0.6);
            canvas.frame((bx + 40.0, by + 30.0), (bx + 80.0, by + 110.0), 0.8);
            canvas.line((bx + 40.0, by + 70.0), (bx + 80.0, by + 30.0), 0.3);
            canvas.text(bx + 46.0, by + 22.0, face, 7.0, "3'-0\"");
            canvas.text(bx + 54.0, by + 136.0, bold, 10.0, ["A", "B", "C1", "D2", "F", "G"][row * 3 + column]);
        }
    }
}
