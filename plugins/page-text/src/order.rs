//! The order in which the lines of a page are read, by recursive XY-cuts (Nagy and Seth, "Hierarchical representation of optically
//! scanned documents", 1984).
//!
//! A page is cut at gutters, which are vertical white space between columns, and at horizontal white space. White space between
//! the columns of a table is no gutter: a table is read row by row. A gutter has columns of running text on both sides, or is wide
//! and has lines on its sides that are not aligned.

use fanlight_geometry::median;
use fanlight_text::Phrase;

/// Least gap between two phrases of a line, in em: the gap at which all readers of sheets split lines.
pub(crate) const PHRASE_GAP: f32 = 1.0;
/// Least length of the lines of a column of running text, in em. Books set columns in lines of 40 characters or more (Bringhurst,
/// "The Elements of Typographic Style", 2.1.2), newspapers in 30; a character takes half an em.
const MIN_COLUMN: f32 = 15.0;
/// Least lines of a column.
const MIN_LINES: usize = 3;
/// Least gap between the phrases of different lines or columns that are not running text, in em.
const MIN_GUTTER: f32 = 3.0;
/// Lines are aligned if at least this share of the lines on the side with fewer ones has a line at its height on the other side.
const MIN_ALIGNED: f32 = 0.5;
/// Greatest depth of cuts. A page of newspaper has some ten.
const MAX_DEPTH: usize = 60;

/// Where a phrase is, in the frame of its direction: points, y down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    left: f32,
    right: f32,
    /// Top and bottom of its small letters, which lines that are set close do not share.
    top: f32,
    bottom: f32,
    size: f32,
    /// The line that it is a phrase of.
    line: usize,
    /// Whether a row of dots leads to it.
    after_leader: bool,
}

/// Height of small letters in em: about the same in all text faces.
const SMALL_LETTER: f32 = 0.5;

impl Place {
    /// Returns the place of a phrase of line number `line`.
    pub(crate) fn new(phrase: &Phrase, line: usize) -> Self {
        let size = phrase.size();
        Self {
            left: phrase.bbox.x1,
            right: phrase.bbox.x2,
            top: phrase.baseline - SMALL_LETTER * size,
            bottom: phrase.baseline,
            size,
            line,
            after_leader: phrase.after_leader,
        }
    }

    /// Returns whether the next phrase in order is in the same row.
    fn is_in_row_with(&self, next: &Self) -> bool {
        self.line == next.line && (next.after_leader || next.left - self.right < MIN_GUTTER * self.size.max(next.size))
    }
}

/// Returns the phrases in reading order, as rows: the indices of phrases that make up one line together.
pub(crate) fn rows(places: &[Place]) -> Vec<Vec<usize>> {
    let mut rows = Vec::new();
    let all: Vec<usize> = (0..places.len()).collect();
    Cutter { places, em: median(places.iter().map(|place| place.size).collect()).unwrap_or(1.0) }
        .cut(&all, 0, &mut rows);
    rows
}

/// An interval of x.
#[derive(Clone, Copy, Debug)]
struct Interval {
    from: f32,
    to: f32,
}

struct Cutter<'a> {
    places: &'a [Place],
    /// The usual size of the page's text in points.
    em: f32,
}

impl Cutter<'_> {
    /// Cuts a region and adds its rows.
    fn cut(&self, region: &[usize], depth: usize, rows: &mut Vec<Vec<usize>>) {
        if depth > MAX_DEPTH {
            self.add_rows(region, rows);
            return;
        }
        if let Some(gutter) = self.gutter(region) {
            let (left, right) = self.split(region, gutter);
            self.cut(&left, depth + 1, rows);
            self.cut(&right, depth + 1, rows);
            return;
        }
        let bands = self.bands(region);
        if bands.len() == 1 {
            self.add_rows(region, rows);
            return;
        }
        let mut first = 0;
        while first < bands.len() {
            let end = self.end_of_columns(&bands, first);
            let part = bands[first..end].concat();
            self.cut(&part, depth + 1, rows);
            first = end;
        }
    }

    /// Returns the end of the bands from `first` on that a gutter divides; the next band if none does.
    fn end_of_columns(&self, bands: &[Vec<usize>], first: usize) -> usize {
        let mut white = self.white_space(&bands[first]);
        let mut end = first + 1;
        while let Some(band) = bands.get(end) {
            let common = intersection(&white, &self.white_space(band));
            if !common
                .iter()
                .any(|gap| gap.to - gap.from >= PHRASE_GAP * self.em && gap.from.is_finite() && gap.to.is_finite())
            {
                break;
            }
            white = common;
            end += 1;
        }
        // One band alone would be cut again without end.
        let several = end - first > 1 && end - first < bands.len();
        if several && self.gutter(&bands[first..end].concat()).is_some() { end } else { first + 1 }
    }

    /// Returns the widest gutter of a region.
    fn gutter(&self, region: &[usize]) -> Option<Interval> {
        let white = self.white_space(region);
        let inner = white.iter().filter(|gap| gap.from.is_finite() && gap.to.is_finite());
        let gutters = inner.filter(|gap| self.is_gutter(region, **gap));
        gutters.max_by(|a, b| (a.to - a.from).total_cmp(&(b.to - b.from))).copied()
    }

    /// Returns whether white space through a region separates columns, and not the cells of rows.
    fn is_gutter(&self, region: &[usize], gap: Interval) -> bool {
        let width = gap.to - gap.from;
        if width < PHRASE_GAP * self.em {
            return false;
        }
        let (left, right) = self.split(region, gap);
        let (left, right) = (self.lines(&left), self.lines(&right));
        if is_running_text(&left, self.em) && is_running_text(&right, self.em) {
            return true;
        }
        let aligned = left.iter().filter(|line| right.binary_search_by_key(&line.number, |other| other.number).is_ok());
        let fewer = left.len().min(right.len());
        width >= MIN_GUTTER * self.em && (aligned.count() as f32) < MIN_ALIGNED * fewer as f32
    }

    /// Splits a region at a gap.
    fn split(&self, region: &[usize], gap: Interval) -> (Vec<usize>, Vec<usize>) {
        region.iter().partition(|index| self.places[**index].right <= gap.from)
    }

    /// Returns the lines of a region, sorted by number.
    fn lines(&self, region: &[usize]) -> Vec<LineExtent> {
        let mut places: Vec<&Place> = region.iter().map(|&index| &self.places[index]).collect();
        places.sort_by_key(|place| place.line);
        places.chunk_by(|a, b| a.line == b.line).map(LineExtent::new).collect()
    }

    /// Returns the parts of a region between horizontal white space, from the top.
    fn bands(&self, region: &[usize]) -> Vec<Vec<usize>> {
        let mut sorted = region.to_vec();
        sorted.sort_by(|&a, &b| self.places[a].top.total_cmp(&self.places[b].top));
        let mut bands: Vec<Vec<usize>> = Vec::new();
        let mut bottom = f32::MIN;
        for index in sorted {
            let place = &self.places[index];
            match bands.last_mut() {
                Some(band) if place.top < bottom => band.push(index),
                _ => bands.push(vec![index]),
            }
            bottom = bottom.max(place.bottom);
        }
        bands
    }

    /// Returns the intervals of x that no phrase of a region covers, from the left. The first and the last have no end.
    fn white_space(&self, region: &[usize]) -> Vec<Interval> {
        let mut sorted: Vec<&Place> = region.iter().map(|&index| &self.places[index]).collect();
        sorted.sort_by(|a, b| a.left.total_cmp(&b.left));
        let mut white = Vec::new();
        let mut from = f32::NEG_INFINITY;
        for place in sorted {
            if place.left > from {
                white.push(Interval { from, to: place.left });
            }
            from = from.max(place.right);
        }
        white.push(Interval { from, to: f32::INFINITY });
        white
    }

    /// Adds the rows of a region without gutters, from the top: its lines, split at wide gaps.
    fn add_rows(&self, region: &[usize], rows: &mut Vec<Vec<usize>>) {
        let mut sorted = region.to_vec();
        sorted.sort_by(|&a, &b| {
            let (a, b) = (&self.places[a], &self.places[b]);
            a.line.cmp(&b.line).then(a.left.total_cmp(&b.left))
        });
        let found = sorted.chunk_by(|&a, &b| self.places[a].is_in_row_with(&self.places[b]));
        rows.extend(found.map(<[usize]>::to_vec));
    }
}

/// A line of a region.
struct LineExtent {
    number: usize,
    length: f32,
}

impl LineExtent {
    /// Returns the extent of phrases of one line, which are at least one.
    fn new(line: &[&Place]) -> Self {
        let right = line.iter().map(|place| place.right).fold(f32::MIN, f32::max);
        let left = line.iter().map(|place| place.left).fold(f32::MAX, f32::min);
        Self { number: line[0].line, length: right - left }
    }
}

/// Returns whether lines are a column of running text.
fn is_running_text(lines: &[LineExtent], em: f32) -> bool {
    let usual = median(lines.iter().map(|line| line.length).collect());
    lines.len() >= MIN_LINES && usual.is_some_and(|usual| usual >= MIN_COLUMN * em)
}

/// Returns what two sorted lists of intervals have in common.
fn intersection(a: &[Interval], b: &[Interval]) -> Vec<Interval> {
    let (mut at, mut other, mut common) = (0, 0, Vec::new());
    while let (Some(one), Some(two)) = (a.get(at), b.get(other)) {
        let (from, to) = (one.from.max(two.from), one.to.min(two.to));
        if from < to {
            common.push(Interval { from, to });
        }
        if one.to < two.to { at += 1 } else { other += 1 }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    const EM: f32 = 10.0;

    /// Lines 12 points apart; each text of a line from its left edge on, half an em a letter. Returns them as read.
    fn read(lines: &[&[(f32, &str)]]) -> Vec<String> {
        let mut places = Vec::new();
        let mut texts = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            for &(left, text) in *line {
                let bottom = 12.0 * (number + 1) as f32;
                let right = left + 0.5 * EM * text.len() as f32;
                places.push(Place {
                    left,
                    right,
                    top: bottom - 5.0,
                    bottom,
                    size: EM,
                    line: number,
                    after_leader: text == "12",
                });
                texts.push(text);
            }
        }
        rows(&places).iter().map(|row| row.iter().map(|&index| texts[index]).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn newspaper_columns_are_read_one_after_the_other() {
        let (long, other) = ("a line of the first column of text", "a line of the other column of text");
        let lines: [&[(f32, &str)]; 6] = [
            &[(120.0, "a heading over both columns of the page")],
            &[(0.0, long), (200.0, other)],
            &[(0.0, long), (200.0, other)],
            &[(0.0, long), (200.0, other)],
            &[(0.0, "end."), (200.0, other)],
            &[(170.0, "page 3 of 12 pages")],
        ];
        let mut expected = vec!["a heading over both columns of the page"];
        expected.extend([long, long, long, "end."]);
        expected.extend([other; 4]);
        expected.push("page 3 of 12 pages");
        assert_eq!(read(&lines), expected);
    }

    #[test]
    fn a_table_is_read_row_by_row() {
        let lines: [&[(f32, &str)]; 3] = [
            &[(0.0, "08 11 13"), (60.0, "Hollow Metal Doors"), (400.0, "12")],
            &[(0.0, "08 14 16"), (60.0, "Flush Wood Doors"), (400.0, "31")],
            &[(0.0, "08 71 00"), (60.0, "Door Hardware"), (400.0, "40")],
        ];
        let expected =
            ["08 11 13 Hollow Metal Doors 12", "08 14 16 Flush Wood Doors", "31", "08 71 00 Door Hardware", "40"];
        assert_eq!(read(&lines), expected);
    }

    #[test]
    fn blocks_of_a_sheet_that_are_not_aligned_are_read_apart() {
        let lines: [&[(f32, &str)]; 5] = [
            &[(0.0, "GENERAL NOTES")],
            &[(500.0, "PROJECT")],
            &[(0.0, "1. VERIFY ALL")],
            &[(500.0, "A-101")],
            &[(0.0, "DIMENSIONS.")],
        ];
        assert_eq!(read(&lines), ["GENERAL NOTES", "1. VERIFY ALL", "DIMENSIONS.", "PROJECT", "A-101"]);
    }

    #[test]
    fn distant_texts_at_one_height_are_lines_of_their_own() {
        assert_eq!(
            read(&[&[(0.0, "10'-6\""), (100.0, "BEDROOM"), (300.0, "4'-0\"")]]),
            ["10'-6\"", "BEDROOM", "4'-0\""]
        );
    }

    #[test]
    fn no_place_and_absurd_places_have_an_end() {
        assert!(rows(&[]).is_empty());
        let odd = Place {
            left: f32::NAN,
            right: f32::INFINITY,
            top: f32::NAN,
            bottom: 0.0,
            size: 1.0,
            line: 0,
            after_leader: false,
        };
        assert_eq!(rows(&[odd; 50]).concat().len(), 50);
    }
}
