//! Tells which parts of a drawing sheet do not show the building: its title block, key plans, legends, schedules, titles,
//! and drawings of types. A door or a basin drawn there is a symbol and not one more door or basin.
//!
//! What a part is, its words say; how far it reaches, white space, rules and rows do. Where either is in doubt there is no
//! part: to lose a piece of a plan is worse than to count a legend.
//!
//! All files work in the frame that a sheet is read in, points, y down; what [`Parts::find`] gives is user space.
//!
//! - `phrases`: the sheet's texts with their places;
//! - `border`: the sheet's frame and its title block;
//! - `headings`: which words head which part;
//! - `headed`: how far a headed part reaches;
//! - `schedules`: ruled tables;
//! - `titles`: the titles under, over or beside drawings; `view_kind`: what their words say is drawn.

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
pub use titles::{MOST_TITLES, Title, view_titles};
pub use view_kind::ViewKind;

/// What a part of a sheet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Who drew what, when; on many sheets with a key plan and notes in the same strip.
    TitleBlock,
    /// The building again, small, to show which part of it the sheet is about; a map of where it stands.
    KeyPlan,
    /// Symbols beside what they mean.
    Legend,
    /// A ruled table.
    Schedule,
    /// A drawing's title with its mark and scale: what it names is not there.
    ViewTitle,
    /// Doors, frames, windows or walls by type, without a place in the building; heights to mount fixtures at.
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

/// A line that is broken by no more than this, in points, is one.
const LINE_GAP: f32 = 1.5;
/// Lines shorter than this, as a share of the sheet's longer side, part nothing.
const SHORTEST_LINE: f32 = 0.008;

impl Parts {
    /// Finds the parts of a page. The time it takes grows with the number of segments and glyphs. Nothing is found on a page
    /// without text, whose words would have to say what a part is.
    pub fn find(paths: &PagePaths, text: &PageText, geometry: &Geometry) -> Self {
        let page = Page::read(text, geometry);
        let frame = page.frame;
        let long = frame.width.max(frame.height);
        let phrases = Phrases::of(&page);
        if phrases.all.is_empty() || !(long.is_finite() && frame.width >= 1.0 && frame.height >= 1.0) {
            return Self::default();
        }
        let segments = segments(paths, &frame);
        let lines = Lines::from_segments(&segments, LINE_GAP, SHORTEST_LINE * long);
        let border = Border::of(&lines, &phrases, &frame);
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

    /// The parts, in no order. They may overlap.
    pub fn iter(&self) -> impl Iterator<Item = &Part> {
        self.0.iter()
    }

    /// What the part is that the middle of a box (user space) lies in; none where the box may show the building.
    pub fn holding(&self, bbox: Rect) -> Option<PartKind> {
        let (x, y) = bbox.center();
        self.0.iter().find(|part| part.bbox.contains_point(x, y)).map(|part| part.kind)
    }
}

fn part(kind: PartKind, framed: Rect, frame: &Frame) -> Part {
    Part { kind, bbox: frame.to_user_space(framed) }
}
