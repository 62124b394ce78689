//! Joins the text runs of a page into words, phrases and lines.
//!
//! A PDF shows glyphs, not words: a word processor may place every letter by itself, move instead of showing a space, print a line
//! twice for bold, or set the page sideways. [`Page::read`] undoes that in three steps:
//!
//! 1. [`Frame`]: which way up the page is read, whatever its `/Rotate` says, and the way back to user space;
//! 2. `fragment`: splits each run at its spaces and gaps;
//! 3. `line`: joins fragments on one baseline into [`Word`]s; a row of dots becomes one word that is a leader. Words are in order
//!    from left to right; `order` puts the letters and words of Hebrew and Arabic in the order in which they are read.
//!
//! [`folding`] normalizes text for comparison; [`vocabulary`] and [`words`] hold the word lists of all readers.
//!
//! ```
//! # use fanlight_contract::{Font, Geometry, PageText, Rect, TextRun};
//! # let glyphs = |text: &str, x: f32| TextRun {
//! #     text: text.into(), lengths: vec![1; text.len()], advances: vec![5.0; text.len()],
//! #     codes: text.bytes().map(u32::from).collect(), x, y: 700.0, size: 10.0, angle: 0.0,
//! #     bbox: Rect { x1: x, y1: 698.0, x2: x + 5.0 * text.len() as f32, y2: 708.0 }, font: 0, color: 0, visible: true,
//! # };
//! # let sheet = Rect { x1: 0.0, y1: 0.0, x2: 612.0, y2: 792.0 };
//! # let geometry = Geometry { media_box: sheet, crop_box: sheet, rotation: 0, user_unit: 1.0 };
//! # let text = PageText {
//! #     fonts: vec![Font { name: String::new(), bold: false, italic: false }],
//! #     runs: vec![glyphs("08 11 13", 72.0), glyphs("Hollow Metal Doors", 144.0)],
//! # };
//! let page = fanlight_text::Page::read(&text, &geometry);
//! let phrases = page.lines[0].phrases(1.0);
//! assert_eq!(phrases[0].text(), "08 11 13");
//! assert_eq!(phrases[1].text(), "Hollow Metal Doors");
//! ```

mod direction;
pub mod folding;
mod fragment;
mod line;
mod order;
pub mod room_names;
pub mod vocabulary;
pub mod words;

use fanlight_contract::{Geometry, PageText, Rect};

pub use fanlight_geometry::Frame;
pub use line::{Line, Phrase, are_apart, text};

/// The text of a page as it is read, from top to bottom.
#[derive(Clone, Debug)]
pub struct Page {
    /// The upright frame that all boxes of `lines` are in.
    pub frame: Frame,
    /// Lines by baseline from the top, each over the whole width of the page.
    pub lines: Vec<Line>,
    /// Text at another angle than the page's: margin text, a rotated table header, a watermark.
    pub turned: Vec<Turned>,
}

/// Lines of one other reading direction.
#[derive(Clone, Debug)]
pub struct Turned {
    /// The frame in which these lines are upright.
    pub frame: Frame,
    /// Lines by baseline from that frame's top.
    pub lines: Vec<Line>,
}

/// How a word is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Index into the page's fonts.
    pub font: u32,
    /// Whether the font is bold or the word is printed twice, slightly shifted.
    pub bold: bool,
    /// Whether the font is italic.
    pub italic: bool,
    /// Fill color, 0xRRGGBB.
    pub color: u32,
    /// False for the text layer of a scan.
    pub visible: bool,
}

/// A run of characters without a space, or a leader.
#[derive(Clone, Debug)]
pub struct Word {
    /// The characters, in reading order. For a leader, its dots.
    pub text: String,
    /// In the frame: points, y down.
    pub bbox: Rect,
    /// y of the baseline in the frame.
    pub baseline: f32,
    /// Height of the em in points.
    pub size: f32,
    /// How it is set.
    pub style: Style,
    /// White space between the word before it on the line and this one, in points; 0 for the first.
    pub gap: f32,
    /// Whether this is a row of dots, dashes or underscores that leads the eye to the next word.
    pub leader: bool,
}

impl Page {
    /// Reads a page. The cost grows with the number of glyphs. A page without text has no lines.
    pub fn read(text: &PageText, geometry: &Geometry) -> Self {
        let directions = direction::directions(text, geometry);
        let widths = fragment::GlyphWidths::from_page(text);
        let mut views = directions.into_iter().map(|direction| {
            let frame = Frame::new(geometry.crop_box, direction.angle);
            let fragments = fragment::fragments(text, &direction.runs, &frame, &widths);
            Turned { lines: line::lines(fragments), frame }
        });
        let Some(upright) = views.next() else {
            let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
            return Self { frame, lines: Vec::new(), turned: Vec::new() };
        };
        Self { frame: upright.frame, lines: upright.lines, turned: views.collect() }
    }
}
