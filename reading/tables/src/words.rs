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

/// Words of one line that stand together.
#[derive(Clone, Debug)]
pub(crate) struct Phrase {
    pub(crate) words: Vec<Word>,
    /// In the frame, y down.
    pub(crate) bbox: Rect,
    /// Quarter turns counterclockwise from the frame's own reading direction to this phrase's: 0 to 3.
    pub(crate) turns: u8,
    /// The line it is on, counted over the page; two phrases of a line have the same.
    pub(crate) line: u32,
    /// Height of the em, in points.
    pub(crate) size: f32,
    /// Whether its first word is bold.
    pub(crate) bold: bool,
}

impl Phrase {
    pub(crate) fn text(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        words.join(" ")
    }
}

/// White space that parts phrases, in em: wider than a space, narrower than between two columns.
const PHRASE_GAP: f32 = 0.75;
/// Text that leans further from the quarter turns than this is no table's text, in degrees.
const LEAN: f32 = 8.0;

/// All phrases of a page, with their places in `frame`, from the top. Text that stands on its head in that frame or
/// leans is left out.
pub(crate) fn phrases(page: &Page, dots: &[TextRun], frame: &Frame) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    let mut lines = 0;
    for dot in dots {
        let bbox = frame.place_box(dot.bbox);
        let off = (dot.angle - frame.angle).rem_euclid(360.0);
        lines += 1;
        phrases.push(Phrase {
            words: vec![Word { text: dot.text.trim().to_owned(), bbox }],
            bbox,
            turns: (off / 90.0).round() as u8 % 4,
            line: lines,
            size: dot.size,
            bold: false,
        });
    }
    let views = std::iter::once((&page.frame, &page.lines)).chain(page.turned.iter().map(|t| (&t.frame, &t.lines)));
    for (own, of_view) in views {
        let off = (own.angle - frame.angle).rem_euclid(360.0);
        let turns = (off / 90.0).round();
        let leans = (off - turns * 90.0).abs() > LEAN;
        for line in of_view {
            lines += 1;
            if !leans {
                add(line, own, frame, turns as u8 % 4, lines, &mut phrases);
            }
        }
    }
    phrases.sort_by(|a, b| a.bbox.center().1.total_cmp(&b.bbox.center().1));
    phrases
}

fn add(line: &Line, own: &Frame, frame: &Frame, turns: u8, number: u32, phrases: &mut Vec<Phrase>) {
    let framed = |bbox: Rect| if own == frame { bbox } else { frame.place_box(own.to_user_space(bbox)) };
    for phrase in line.phrases(PHRASE_GAP) {
        let (bbox, size, bold) = (framed(phrase.bbox), phrase.size(), phrase.style().bold);
        let words = phrase.words.into_iter().map(|word| Word { bbox: framed(word.bbox), text: word.text });
        phrases.push(Phrase { words: words.collect(), bbox, turns, line: number, size, bold });
    }
    // What a leader stands for: a row of dashes or dots alone in a cell is the cell's text.
    for word in line.words.iter().filter(|word| word.leader) {
        let bbox = framed(word.bbox);
        phrases.push(Phrase {
            words: vec![Word { text: word.text.clone(), bbox }],
            bbox,
            turns,
            line: number,
            size: word.size,
            bold: false,
        });
    }
}
