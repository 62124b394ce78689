//! Writes pages as a PDF file in the manner of various producers.
//!
//! All positions are in points of the displayed page, with the origin at the bottom left of the
//! upright page. Rotation and the origin of the `MediaBox` are applied when the page is written.

mod face;
mod fonts;
mod metrics;
mod outlined;
mod write;

pub(crate) use face::Face;
pub use face::Family;
pub(crate) use outlined::outlined;
use serde::{Deserialize, Serialize};

/// How a producer splits a line of text into strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextUnit {
    /// One `Tj` for each line.
    Line,
    /// One `Tj` for each word, without the space: only the positions separate words.
    Word,
    /// One `Tj` for each word with its trailing space.
    WordAndSpace,
    /// One `Tj` for each glyph, without spaces.
    Glyph,
    /// One `TJ` for each line, with kerning and spaces as glyphs.
    Kerned,
    /// One `TJ` for each line, with kerning and spaces as offsets.
    KernedOffsets,
}

/// The order in which a producer writes the strings of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WritingOrder {
    /// In reading order.
    Reading,
    /// Font by font, as some print drivers do.
    ByFont,
    /// From the bottom of the page to its top.
    BottomUp,
    /// By left edge, so that a table is written column by column.
    ByColumn,
}

/// How the pages are written, apart from their content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Producer {
    pub(crate) unit: TextUnit,
    pub(crate) order: WritingOrder,
    /// Whether the programs of the standard fonts are embedded.
    pub(crate) embed_standard_fonts: bool,
    /// Whether OpenType fonts have a map to Unicode.
    pub(crate) unicode: bool,
    /// The position of the page's lower left corner in user space.
    pub(crate) origin: (f32, f32),
}

/// An element of a page.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// A line of text from the left end of its baseline.
    Text { x: f32, y: f32, face: Face, size: f32, text: String },
    /// A line of text that runs upwards, turned by 90 degrees counterclockwise, from the beginning
    /// of its baseline.
    Upward { x: f32, y: f32, face: Face, size: f32, text: String },
    /// A straight stroke; `dash` is the length of dash and gap.
    Stroke { from: (f32, f32), to: (f32, f32), width: f32, dash: Option<(f32, f32)> },
    /// A filled rectangle, lower left corner and extent; `grey` from 0 (black) to 1.
    Fill { x: f32, y: f32, width: f32, height: f32, grey: f32 },
    /// Lines and curves in black: filled, or stroked if `width` is given.
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

/// A segment of an outline.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Segment {
    /// Begins a subpath.
    Move(f32, f32),
    /// A straight line.
    Line(f32, f32),
    /// A cubic Bézier curve: two control points and the end.
    Curve([(f32, f32); 3]),
    /// A line to the beginning of the subpath.
    Close,
}

/// A page as displayed.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// The page's `/Rotate`: 0, 90, 180 or 270. Its elements are displayed upright.
    pub(crate) rotate: u16,
    pub(crate) marks: Vec<Mark>,
}

impl Page {
    pub(crate) fn text(&mut self, x: f32, y: f32, face: Face, size: f32, text: &str) {
        if !text.trim().is_empty() {
            self.marks.push(Mark::Text { x, y, face, size, text: text.to_owned() });
        }
    }

    /// Adds text that runs upwards; (x, y) is the beginning of its baseline.
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

/// An item of the outline. A deeper level than the preceding item's makes it a child.
#[derive(Clone, Debug)]
pub(crate) struct OutlineEntry {
    pub(crate) title: String,
    /// The page, from 1.
    pub(crate) page: usize,
    /// The nesting level; 0 is the topmost.
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
    /// Returns the document as a PDF file.
    pub(crate) fn to_pdf(&self, producer: &Producer) -> Vec<u8> {
        write::document(self, producer)
    }
}

/// Breaks a text at its spaces into lines of at most `width`. A wider word is on a line of its own.
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
