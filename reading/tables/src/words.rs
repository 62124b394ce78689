//! The text of a page as tables need it: phrases with their positions in a frame and their reading direction.

use fanlight_contract::{Rect, TextRun};
use fanlight_geometry::RectExt as _;
use fanlight_text::{Frame, Line, Page};

/// A word in a frame.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// In the frame, y down.
    pub(crate) bbox: Rect,
}

/// Words of one line without a wide gap between them.
#[derive(Clone, Debug)]
pub(crate) struct Phrase {
    pub(crate) words: Vec<Word>,
    /// In the frame, y down.
    pub(crate) bbox: Rect,
    /// Quarter turns counterclockwise from the frame's own reading direction to this phrase's: 0 to 3.
    pub(crate) turns: u8,
    /// The number of its line on the page. Phrases of a line have the same.
    pub(crate) line: u32,
    /// Height of the em, in points.
    pub(crate) size: f32,
    /// Whether its first word is bold.
    pub(crate) bold: bool,
}

impl Phrase {
    /// Returns a phrase of one word.
    pub(crate) fn of_word(text: &str, bbox: Rect, size: f32, turns: u8, line: u32) -> Self {
        let words = vec![Word { text: text.to_owned(), bbox }];
        Self { words, bbox, turns, line, size, bold: false }
    }

    /// Returns its words, separated by spaces.
    pub(crate) fn text(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        words.join(" ")
    }

    /// Returns the boxes of its words, those together that are less than `gap` points apart.
    pub(crate) fn parted_at(&self, gap: f32) -> impl Iterator<Item = Rect> {
        let parts = self.words.chunk_by(move |word, next| next.bbox.x1 - word.bbox.x2 < gap);
        parts.filter_map(|words| words.iter().map(|word| word.bbox).reduce(|a, b| a.union(&b)))
    }

    /// Returns whether it is on the line that begins with `first`.
    fn is_on_line_of(&self, first: &Self) -> bool {
        (self.bbox.center().1 - first.bbox.center().1).abs() <= SAME_LINE * self.size
    }
}

/// White space that separates phrases, in em: wider than a space, narrower than between two columns.
const PHRASE_GAP: f32 = 0.75;
/// Text at a greater angle to the quarter turns is no table's text, in degrees.
const MAX_LEAN: f32 = 8.0;
/// Phrases of a line are at most this far above or below its first one, in em.
const SAME_LINE: f32 = 0.4;

/// Returns all phrases of a page, with their boxes in `frame`, sorted from the top. Text that leans is left out.
pub(crate) fn phrases(page: &Page, dots: &[TextRun], frame: &Frame) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    let mut lines = 0;
    for dot in dots {
        lines += 1;
        let bbox = frame.place_box(dot.bbox);
        let turns = QuarterTurns::between(frame.angle, dot.angle).count;
        phrases.push(Phrase::of_word(dot.text.trim(), bbox, dot.size, turns, lines));
    }
    let views = std::iter::once((&page.frame, &page.lines)).chain(page.turned.iter().map(|t| (&t.frame, &t.lines)));
    for (own, of_view) in views {
        let turns = QuarterTurns::between(frame.angle, own.angle);
        for line in of_view {
            lines += 1;
            if turns.lean <= MAX_LEAN {
                add_line(line, own, frame, turns.count, lines, &mut phrases);
            }
        }
    }
    phrases.sort_by(|a, b| a.bbox.center().1.total_cmp(&b.bbox.center().1));
    phrases
}

/// The angle between two directions.
struct QuarterTurns {
    /// The nearest number of quarter turns counterclockwise, 0 to 3.
    count: u8,
    /// The difference from them, in degrees.
    lean: f32,
}

impl QuarterTurns {
    /// Returns the angle from one direction to another, both in degrees.
    fn between(from: f32, to: f32) -> Self {
        let angle = (to - from).rem_euclid(360.0);
        let turns = (angle / 90.0).round();
        Self { count: turns as u8 % 4, lean: (angle - turns * 90.0).abs() }
    }
}

/// Adds the phrases of a line, which is number `number` of the page, with their boxes in `frame`.
fn add_line(line: &Line, own: &Frame, frame: &Frame, turns: u8, number: u32, phrases: &mut Vec<Phrase>) {
    let framed = |bbox: Rect| frame.place_from(own, bbox);
    for phrase in line.phrases(PHRASE_GAP) {
        let (bbox, size, bold) = (framed(phrase.bbox), phrase.size(), phrase.style().bold);
        let words = phrase.words.into_iter().map(|word| Word { bbox: framed(word.bbox), text: word.text });
        phrases.push(Phrase { words: words.collect(), bbox, turns, line: number, size, bold });
    }
    // A row of dashes or dots is a leader in running text, and the text of a cell in a table.
    for word in line.words.iter().filter(|word| word.leader) {
        phrases.push(Phrase::of_word(&word.text, framed(word.bbox), word.size, turns, number));
    }
}

/// Groups phrases that are sorted from the top by the line that they are on.
pub(crate) fn by_line<'a>(phrases: &[&'a Phrase]) -> Vec<Vec<&'a Phrase>> {
    let mut lines: Vec<Vec<&Phrase>> = Vec::new();
    for &phrase in phrases {
        match lines.last_mut() {
            Some(line) if line.first().is_some_and(|first| phrase.is_on_line_of(first)) => line.push(phrase),
            _ => lines.push(vec![phrase]),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase(x: f32, y: f32) -> Phrase {
        Phrase::of_word("MARK", Rect { x1: x, y1: y, x2: x + 20.0, y2: y + 10.0 }, 10.0, 0, 1)
    }

    #[test]
    fn phrases_at_about_one_height_are_one_line() {
        let phrases = [phrase(0.0, 0.0), phrase(50.0, 3.0), phrase(0.0, 12.0)];
        let lines = by_line(&phrases.iter().collect::<Vec<_>>());
        assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn angles_are_rounded_to_quarter_turns() {
        for (from, to, count, lean) in [(0.0, 93.0, 1, 3.0), (90.0, 0.0, 3, 0.0), (0.0, 358.0, 0, 2.0)] {
            let turns = QuarterTurns::between(from, to);
            assert_eq!(turns.count, count, "{from} to {to}");
            assert!((turns.lean - lean).abs() < 1e-3, "{from} to {to}");
        }
    }
}
