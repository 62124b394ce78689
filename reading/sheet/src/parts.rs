//! Finds the parts of a drawing sheet that do not show the building: title block, key plans, legends, schedules, titles, and
//! drawings of types. A door or a basin drawn there is a symbol, not one more door or basin.
//!
//! Words say what a part is; white space, rules and rows say how far it reaches. Where either is in doubt there is no part,
//! because losing a piece of a plan is worse than counting a legend.
//!
//! All modules work in the frame in which a sheet is read, in points, y down. [`Parts::find`] returns user space.
//!
//! - `phrases`: the texts of the sheet with their positions;
//! - `border`: the border of the sheet and its title block;
//! - `headings`: which words head which part;
//! - `headed`: the extent of a part with a heading;
//! - `schedules`: ruled tables;
//! - `titles`: the titles of views; `view_kind`: what their words say is drawn.

mod border;
mod headed;
mod headings;
mod phrases;
mod schedules;
mod titles;
mod view_kind;

use fanlight_contract::{Geometry, PagePaths, PageText, Rect};
use fanlight_geometry::{Lines, RectExt as _, segments};
use fanlight_text::{Frame, Page};

pub use border::Border;
pub use phrases::{Phrase, Phrases};
pub use titles::{MAX_TITLES, Title, view_titles};
pub use view_kind::ViewKind;

/// What a part of a sheet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Who drew what and when; on many sheets a key plan and notes are in the same strip.
    TitleBlock,
    /// A small drawing of the whole building that marks the part on this sheet, or a map of the site.
    KeyPlan,
    /// Symbols beside their meaning.
    Legend,
    /// A ruled table.
    Schedule,
    /// The title of a drawing with its mark and scale.
    ViewTitle,
    /// Doors, frames, windows or walls by type, without a place in the building; mounting heights of fixtures.
    Types,
}

/// A part of a sheet that does not show the building.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// In user space of the unrotated page, points.
    pub bbox: Rect,
}

/// The parts of a sheet that do not show the building.
#[derive(Clone, Debug, Default)]
pub struct Parts(Vec<Part>);

/// Maximum length of a gap in a line, in points.
const MAX_LINE_GAP: f32 = 1.5;
/// Minimum length of a line that separates parts, as a share of the sheet's longer side.
const MIN_LINE: f32 = 0.008;

impl Parts {
    /// Finds the parts of a page. The cost grows with the number of segments and glyphs. A page without text has no parts,
    /// because only words say what a part is.
    pub fn find(paths: &PagePaths, text: &PageText, geometry: &Geometry) -> Self {
        let page = Page::read(text, geometry);
        let frame = page.frame;
        let long = frame.width.max(frame.height);
        let phrases = Phrases::from_page(&page);
        if phrases.all.is_empty() || !(long.is_finite() && frame.width >= 1.0 && frame.height >= 1.0) {
            return Self::default();
        }
        let segments = segments(paths, &frame);
        let lines = Lines::from_segments(&segments, MAX_LINE_GAP, MIN_LINE * long);
        let border = Border::find(&lines, &phrases, &frame);
        let title_blocks = border.title_blocks.iter().map(|bbox| (PartKind::TitleBlock, *bbox));
        let titles = view_titles(&phrases, &lines, &border).into_iter().filter(|title| title.sure);
        let mut parts: Vec<Part> = title_blocks
            .chain(headed::parts(&segments, &phrases, &frame))
            .chain(titles.map(|title| (PartKind::ViewTitle, title.bbox)))
            .map(|(kind, bbox)| part(kind, bbox, &frame))
            .collect();
        parts.extend(schedules::find(paths, text, geometry));
        Self(parts)
    }

    /// Returns the parts, in no order. They may overlap.
    pub fn iter(&self) -> impl Iterator<Item = &Part> {
        self.0.iter()
    }

    /// Returns what the part is that holds the center of a box (user space); `None` if the box may show the building.
    pub fn kind_at(&self, bbox: Rect) -> Option<PartKind> {
        let (x, y) = bbox.center();
        self.0.iter().find(|part| part.bbox.contains_point(x, y)).map(|part| part.kind)
    }
}

/// Creates a part from a box in the frame.
fn part(kind: PartKind, framed: Rect, frame: &Frame) -> Part {
    Part { kind, bbox: frame.to_user_space(framed) }
}
