//! Classifies views: interior elevation or not.

use fanlight_contract::Rect;
use fanlight_geometry::{Frame, RectExt as _};
use fanlight_sheet::parts::{Border, Phrase, Phrases, Title, ViewKind};
use fanlight_text::room_names::{is_furnished_room, words};

use crate::look::{Look, Looks};
use crate::notes;
use crate::segmentation::Segmentation;
use crate::views::View;

/// What a sheet's text says about its views as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SheetEvidence {
    /// The title names interior elevations.
    inside: bool,
    /// The title names fronts of buildings.
    outside: bool,
    /// Number of view titles that say inside, and outside.
    views: (usize, usize),
    /// Whether the sheet has text.
    pub(crate) lettered: bool,
}

/// Share of the sheet, from its right and its bottom edge, that holds the entries of a title block.
const EDGE: f32 = 0.15;
/// Least size of such entries, as a multiple of the common text size.
const ENTRY_SIZE: f32 = 1.5;
/// Least views that say inside, for which the other views are taken to be inside too.
const FEW_VIEWS: usize = 2;
/// A sheet with fewer characters has its lettering drawn as lines.
const FEW_CHARACTERS: usize = 40;

impl SheetEvidence {
    pub(crate) fn new(phrases: &Phrases, titles: &[Title], border: &Border, frame: &Frame) -> Self {
        // A title block without rules or labels is no border's, but its entries are large and stand at the edge.
        let in_block = |phrase: &&Phrase| {
            let (x, y) = (f32::midpoint(phrase.bbox.x1, phrase.bbox.x2), f32::midpoint(phrase.bbox.y1, phrase.bbox.y2));
            let at_edge = x > (1.0 - EDGE) * frame.width || y > (1.0 - EDGE) * frame.height;
            !border.holds(x, y) || (at_edge && phrase.size >= ENTRY_SIZE * phrases.common_size)
        };
        let short = |phrase: &&Phrase| phrase.text.split_whitespace().count() <= 8;
        let block: Vec<&str> =
            phrases.all.iter().filter(in_block).filter(short).map(|phrase| phrase.text.as_str()).collect();
        let mut sheet = Self::default();
        for (index, text) in block.iter().enumerate() {
            // A title may be broken into lines.
            let pair = block.get(index + 1).map(|next| format!("{text} {next}"));
            for words in std::iter::once((*text).to_owned()).chain(pair) {
                match elevations(&words) {
                    Some(ViewKind::Inside) => sheet.inside = true,
                    Some(ViewKind::Outside) => sheet.outside = true,
                    _ => {}
                }
            }
        }
        let count = |kind: ViewKind| titles.iter().filter(|title| title.kind == kind).count();
        sheet.views = (count(ViewKind::Inside), count(ViewKind::Outside));
        let characters: usize = phrases.all.iter().map(|phrase| phrase.text.chars().count()).sum();
        sheet.lettered = characters >= FEW_CHARACTERS;
        sheet
    }

    /// Whether the sheet's title or a view's title names interior elevations.
    fn says_inside(&self) -> bool {
        self.inside || self.views.0 > 0
    }

    /// Whether views without a statement are taken to be inside.
    fn leans_inside(&self) -> bool {
        let said = self.inside && !self.outside;
        let shown = self.views.0 >= FEW_VIEWS && self.views.0 > self.views.1 && !self.outside;
        said || shown || (self.inside && self.views.0 >= self.views.1)
    }

    /// Whether views without a statement are taken to be outside.
    fn leans_outside(&self) -> bool {
        !self.inside && (self.outside || self.views.1 > self.views.0)
    }
}

/// Returns the kind of elevations that a sheet's title names, if any: "ENLARGED PLANS AND INTERIOR ELEVATIONS".
fn elevations(text: &str) -> Option<ViewKind> {
    let parts =
        text.split([',', ';', '&', '/', '+']).flat_map(|part| part.split(" AND ")).flat_map(|part| part.split(" - "));
    let kinds: Vec<ViewKind> = parts.map(ViewKind::from_title).collect();
    let said = kinds.iter().copied().find(|kind| matches!(kind, ViewKind::Inside | ViewKind::Outside));
    // "TOILET PLANS & ELEVATIONS": what the plans are of, the elevations are of as well.
    let beside_plans = kinds.contains(&ViewKind::Elevation) && kinds.contains(&ViewKind::Other);
    let of_rooms = words(text).iter().any(|word| is_furnished_room(word) || word == "ENLARGED");
    said.or((beside_plans && of_rooms).then_some(ViewKind::Inside))
}

/// Range of the heights of walls as drawn, in inches of the building: from a counter's to a hall's.
const HEIGHTS: (f32, f32) = (24.0, 420.0);
/// Height in inches that rooms' walls rarely exceed, and that buildings' fronts rarely stay below.
const STOREY: f32 = 216.0;
/// Least score of the notes around a view that says inside.
const FURNISHED: i32 = 2;
/// Least views of equal height for interior elevations on a sheet without text.
const ALIKE: usize = 3;

/// Least likelihood by the network for a view whose title does not say whether it is inside.
const LIKELY: f32 = 0.6;
/// The same for a view that looks like a wall, on a sheet with interior elevations.
const LIKELY_AMONG: f32 = 0.3;
/// Least mean likelihood of all such views, on a sheet whose text names no elevations.
const SURE: f32 = 0.7;

/// A view without text that is narrower than this share of its height may be a door's leaf.
const NARROWEST: f32 = 0.6;

/// Returns the boxes of the views that are interior elevations, in the frame.
pub(crate) fn interior(
    views: &[View],
    titles: &[Title],
    sheet: &SheetEvidence,
    looks: &Looks<'_>,
    phrases: &Phrases,
    segmentation: Option<&Segmentation>,
) -> Vec<Rect> {
    if segmentation.is_none() && !sheet.lettered {
        return unlettered(views, looks);
    }
    let contents: Vec<(f32, f32, i32)> = phrases
        .all
        .iter()
        .filter_map(|phrase| {
            let score = notes::score(&phrase.text);
            let bbox = phrase.bbox;
            (score != 0).then(|| (f32::midpoint(bbox.x1, bbox.x2), f32::midpoint(bbox.y1, bbox.y2), score))
        })
        .collect();
    let is_drawn =
        |view: &View, title: Option<&Title>| is_interior(view, title, sheet, &looks.at(view.bbox), &contents);
    let title_of = |view: &View| view.title.and_then(|index| titles.get(index));
    let Some(segmentation) = segmentation else {
        let found: Vec<Rect> =
            views.iter().filter(|view| is_drawn(view, title_of(view))).map(|view| view.bbox).collect();
        // Views may have nothing but a number in a circle, which the sheet's title speaks for.
        let untitled = found.is_empty() && titles.is_empty() && sheet.inside && !sheet.outside;
        return if untitled { unlettered(views, looks) } else { found };
    };
    let mut found = Vec::new();
    let mut unsaid = Vec::new();
    for view in views {
        let title = title_of(view);
        let fits = sheet.leans_inside() && is_drawn(view, title);
        match title.map_or(ViewKind::Silent, |title| title.kind) {
            ViewKind::Inside => found.push(view.bbox),
            ViewKind::Elevation | ViewKind::Room if fits => found.push(view.bbox),
            ViewKind::Elevation if sheet.leans_outside() => {}
            ViewKind::Outside | ViewKind::Other => {}
            ViewKind::Elevation | ViewKind::Room | ViewKind::Silent => {
                let likely = segmentation.interior(view.bbox);
                if likely >= if fits { LIKELY_AMONG } else { LIKELY } {
                    unsaid.push((view.bbox, likely));
                }
            }
        }
    }
    if sheet.says_inside() || are_sure(&unsaid) {
        found.extend(unsaid.into_iter().map(|(bbox, _)| bbox));
    }
    found
}

/// Whether the area-weighted mean likelihood of the views is high: a sheet's elevations look alike.
fn are_sure(views: &[(Rect, f32)]) -> bool {
    let all: f32 = views.iter().map(|(bbox, _)| bbox.signed_area()).sum();
    let together: f32 = views.iter().map(|(bbox, likely)| likely * bbox.signed_area()).sum();
    together >= SURE * all
}

fn is_interior(
    view: &View,
    title: Option<&Title>,
    sheet: &SheetEvidence,
    look: &Look,
    contents: &[(f32, f32, i32)],
) -> bool {
    let kind = title.map_or(ViewKind::Silent, |title| title.kind);
    let bbox = view.bbox;
    let inches = title.and_then(|title| title.scale).map(|scale| (bbox.y2 - bbox.y1) / scale.points_per_inch());
    if inches.is_some_and(|inches| !(HEIGHTS.0..HEIGHTS.1).contains(&inches)) {
        return false;
    }
    let plan = look.swings > 0 || look.poche;
    let upright = look.floor || look.ceiling;
    let aside = 0.15 * (bbox.x2 - bbox.x1);
    let content: i32 = contents
        .iter()
        .filter(|(x, y, _)| bbox.x1 - aside <= *x && *x <= bbox.x2 + aside && bbox.y1 <= *y && *y <= bbox.y2)
        .map(|(_, _, score)| score)
        .sum();
    let low = inches.is_none_or(|inches| inches <= STOREY);
    match kind {
        ViewKind::Inside => look.swings == 0,
        ViewKind::Outside | ViewKind::Other => false,
        ViewKind::Elevation if look.swings > 0 => false,
        ViewKind::Elevation => {
            // Where only the other views are inside, a view as high as a building's front may be one.
            if sheet.leans_inside() {
                return sheet.inside || (low && !look.roof);
            }
            !sheet.leans_outside() && !look.roof && low && !plan && content >= FURNISHED
        }
        ViewKind::Room | ViewKind::Silent => {
            // A detail has no scale, a list neither a scale nor a mark; a stair's slope is a roof's elsewhere.
            let drawn = title.is_some_and(|title| title.scale.is_some() || (title.marked && sheet.inside));
            let likely = drawn && !plan && upright && low;
            let furnished = look.floor && look.ceiling && !look.roof && content > FURNISHED;
            likely && (sheet.leans_inside() || (furnished && !sheet.leans_outside()))
        }
    }
}

/// Returns the interior elevations of a sheet without text: views with floor and ceiling, without swings and poché, of which
/// several are equally high. Rooms of a storey are; fronts, sections and details of one sheet rarely.
fn unlettered(views: &[View], looks: &Looks<'_>) -> Vec<Rect> {
    let likely: Vec<(Rect, Option<f32>)> = views
        .iter()
        .filter_map(|view| {
            let look = looks.at(view.bbox);
            let walls = view.bbox.x2 - view.bbox.x1 >= NARROWEST * (view.bbox.y2 - view.bbox.y1);
            let fits = walls && look.floor && look.ceiling && look.swings == 0 && !look.poche;
            fits.then(|| (view.bbox, looks.height(view.bbox)))
        })
        .collect();
    let alike = |height: f32| {
        likely.iter().filter_map(|(_, other)| *other).filter(|other| (other - height).abs() <= 0.02 * height).count()
    };
    // Most of what stands on the sheet must be such views.
    let rooms = likely.iter().filter(|(_, height)| height.is_some_and(|height| alike(height) >= ALIKE)).count();
    if 2 * rooms < views.len() {
        return Vec::new();
    }
    likely.iter().filter(|(_, height)| height.is_some_and(|height| alike(height) >= 2)).map(|(bbox, _)| *bbox).collect()
}
