//! Pages as a PDF file, written the way one producer or another writes them.
//!
//! Everything is placed in points as the page is viewed, origin at the bottom left of the upright page; rotation and
//! the origin of the `MediaBox` come in only when the page is written.

mod face;
mod fonts;
mod metrics;
mod outlined;
mod write;

pub(crate) use face::Face;
pub use face::Family;
pub(crate) use outlined::outlined;
use serde::{Deserialize, Serialize};

/// Into which pieces a producer cuts a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextUnit {
    /// One `Tj` a line.
    Line,
    /// One `Tj` a word, the space left out: only the position tells the words apart.
    Word,
    /// One `Tj` a word with its trailing space.
    WordAndSpace,
    /// One `Tj` a glyph, spaces left out.
    Glyph,
    /// One `TJ` a line, pairs kerned, spaces as glyphs.
    Kerned,
    /// One `TJ` a line, pairs kerned, spaces as offsets.
    KernedOffsets,
}

/// In which order a producer writes the pieces of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WritingOrder {
    /// As a reader reads.
    Reading,
    /// Font by font, as some print drivers do.
    ByFont,
    /// From the foot of the page to its head.
    BottomUp,
    /// Left edges first, so a table comes out column by column.
    ByColumn,
}

/// How the pages are written, apart from what stands on them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Producer {
    pub(crate) unit: TextUnit,
    pub(crate) order: WritingOrder,
    /// Whether the standard fonts' programs go into the file.
    pub(crate) embed_standard_fonts: bool,
    /// Whether OpenType fonts carry a map to Unicode.
    pub(crate) unicode: bool,
    /// Where the lower left corner of the page lies in user space.
    pub(crate) origin: (f32, f32),
}

/// Something on a page.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// A line of text from the left end of its baseline.
    Text { x: f32, y: f32, face: Face, size: f32, text: String },
    /// A line of text that reads upwards, turned by 90 degrees counterclockwise, from the foot of its baseline.
    Upward { x: f32, y: f32, face: Face, size: f32, text: String },
    /// A straight stroke; `dash` is the length of dash and gap.
    Stroke { from: (f32, f32), to: (f32, f32), width: f32, dash: Option<(f32, f32)> },
    /// A filled rectangle, lower left corner and extent; `grey` from 0 (black) to 1.
    Fill { x: f32, y: f32, width: f32, height: f32, grey: f32 },
    /// Lines and curves, black: filled, or stroked where `width` is given.
    Shape { outline: Vec<Segment>, width: Option<f32> },
    /// Lines and curves in colour: filled, stroked, or both.
    Drawn { outline: Vec<Segment>, fill: Option<Colour>, stroke: Option<Stroke> },
}

/// Red, green and blue from 0 to 1.
pub(crate) type Colour = [f32; 3];

/// How an outline is stroked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    /// In points.
    pub(crate) width: f32,
    pub(crate) colour: Colour,
    /// Length of dash and gap in points.
    pub(crate) dash: Option<(f32, f32)>,
}

/// A piece of an outline.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Segment {
    /// A part begins here.
    Move(f32, f32),
    /// A straight line to here.
    Line(f32, f32),
    /// A cubic Bézier: two points that draw it, and its end.
    Curve([(f32, f32); 3]),
    /// Back to where the part began.
    Close,
}

/// A page as viewed.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// The page's `/Rotate`: 0, 90, 180 or 270. What is placed stays upright for the viewer.
    pub(crate) rotate: u16,
    pub(crate) marks: Vec<Mark>,
}

impl Page {
    pub(crate) fn text(&mut self, x: f32, y: f32, face: Face, size: f32, text: &str) {
        if !text.trim().is_empty() {
            self.marks.push(Mark::Text { x, y, face, size, text: text.to_owned() });
        }
    }

    /// Text that reads upwards; (x, y) is the foot of its baseline.
    pub(crate) fn text_upward(&mut self, x: f32, y: f32, face: Face, size: f32, text: &str) {
        if !text.trim().is_empty() {
            self.marks.push(Mark::Upward { x, y, face, size, text: text.to_owned() });
        }
    }

    pub(crate) fn text_right(&mut self, right: f32, y: f32, face: Face, size: f32, text: &str) {
        self.text(right - face.width(text, size), y, face, size, text);
    }

    pub(crate) fn text_centred(&mut self, middle: f32, y: f32, face: Face, size: f32, text: &str) {
        self.text(middle - face.width(text, size) / 2.0, y, face, size, text);
    }

    pub(crate) fn stroke(&mut self, from: (f32, f32), to: (f32, f32), width: f32) {
        self.marks.push(Mark::Stroke { from, to, width, dash: None });
    }
}

/// One entry of the outline; a deeper level than the entry before is its child.
#[derive(Clone, Debug)]
pub(crate) struct OutlineEntry {
    pub(crate) title: String,
    /// 1-based page.
    pub(crate) page: usize,
    /// 0 at the top.
    pub(crate) level: usize,
}

/// A document to be written.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) title: String,
    pub(crate) pages: Vec<Page>,
    pub(crate) outline: Vec<OutlineEntry>,
}

impl Document {
    /// The document as a PDF file.
    pub(crate) fn to_pdf(&self, producer: &Producer) -> Vec<u8> {
        write::document(self, producer)
    }
}

/// Breaks a text at its spaces so that no line is wider than `width`; a word wider than that stands alone.
pub(crate) fn wrap(text: &str, face: Face, size: f32, first_width: f32, width: f32) -> Vec<String> {
    let space = face.width(" ", size);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut used = 0.0;
    for word in text.split(' ') {
        let wide = face.width(word, size);
        let room = if lines.is_empty() { first_width } else { width };
        if !line.is_empty() && used + space + wide > room {
            lines.push(std::mem::take(&mut line));
            used = 0.0;
        }
        if !line.is_empty() {
            line.push(' ');
            used += space;
        }
        line.push_str(word);
        used += wide;
    }
    lines.push(line);
    lines
}
