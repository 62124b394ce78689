//! Which classes the words on a sheet name: the titles near a box, and the title of the sheet.

use fanlight_contract::page::finest_dpi;
use fanlight_contract::{Geometry, PageText, Rect};
use fanlight_geometry::{Frame, RectExt as _};
use fanlight_plugin::page::{Layout, Readable};
use fanlight_raster::{needs_ocr, read_part};
use fanlight_text::Page;
use fanlight_text::room_names::{is_furnished_room, words};
use fanlight_text::vocabulary::Vocabulary;
use fanlight_text::words as vocabularies;

use crate::phrases::{Phrase, Phrases};
use crate::views::network_input::{CLASSES, ViewClass};

/// A set of classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassSet(u32);

impl ClassSet {
    /// Creates a set.
    pub fn new(classes: &[ViewClass]) -> Self {
        let bit = |(index, class): (usize, &ViewClass)| if classes.contains(class) { 1 << index } else { 0 };
        Self(CLASSES.iter().enumerate().map(bit).sum())
    }

    /// Returns whether the set has no class.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set has the class of this place in [`CLASSES`].
    pub fn has(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }

    /// Returns the classes as bits, that of `CLASSES[0]` the lowest.
    pub fn bits(self) -> u32 {
        self.0
    }

    fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The classes that words name, by where they stand. Sets are empty where no words name any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NamedClasses {
    /// By titles below the box or at its lower edge.
    pub below: ClassSet,
    /// By titles above the box or at its upper edge.
    pub above: ClassSet,
    /// By titles inside the box.
    pub inside: ClassSet,
    /// By the title of the sheet.
    pub sheet: ClassSet,
}

impl NamedClasses {
    /// Returns the four sets.
    pub fn sets(&self) -> [ClassSet; 4] {
        [self.below, self.above, self.inside, self.sheet]
    }
}

/// Maximum number of words of a title. More are a sentence.
const MAX_WORDS: usize = 9;
/// Minimum size of a title, as a multiple of the median size of the sheet's text.
const TITLE_SIZE: f32 = 1.1;
/// Minimum size of the sheet's title, likewise.
const SHEET_TITLE_SIZE: f32 = 1.5;
/// Share of the sheet, from its right and its lower edge, that holds the sheet's title.
const TITLE_BLOCK: f32 = 0.18;
/// Greatest distance of a title from its view, as a share of the sheet's longer side.
const REACH: f32 = 0.06;
/// A title at an edge of a box is within this share of the box's height.
const EDGE: f32 = 0.12;

/// The titles of a sheet: what may name its views.
#[derive(Clone, Debug, Default)]
pub struct Titles {
    /// Box in the frame, and the classes that its words name.
    of_views: Vec<(Rect, ClassSet)>,
    sheet: ClassSet,
    /// Greatest distance of a title from its view, in points.
    reach: f32,
}

/// Most pixels of a page for OCR, which takes some seconds for it.
const MAX_OCR_PIXELS: f32 = 5e6;
/// Highest resolution for OCR, in pixels per inch: titles have capitals of 3/32 in or more.
const MAX_OCR_DPI: f32 = 200.0;

impl Titles {
    /// Finds the titles of a page: in its text or, if it has none, in what OCR reads. Without OCR, such a page has no titles.
    pub fn read(page: &impl Readable) -> Self {
        let (geometry, text) = (page.geometry(), page.text());
        let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
        let text = recognized(page, &text, &geometry).unwrap_or(text);
        let phrases = Phrases::from_page(&Page::read(&text, &geometry));
        Self::find(&phrases, frame.width, frame.height)
    }

    /// Finds the titles among the phrases of a sheet of this size in points.
    pub fn find(phrases: &Phrases, width: f32, height: f32) -> Self {
        let mut found = Self { reach: REACH * width.max(height), ..Self::default() };
        for phrase in phrases.all.iter().filter(|phrase| is_title(phrase, phrases.common_size)) {
            let classes = named_classes(&phrase.text);
            if classes.is_empty() {
                continue;
            }
            found.of_views.push((phrase.bbox, classes));
            let (x, y) = phrase.bbox.center();
            let in_title_block = x > (1.0 - TITLE_BLOCK) * width || y > (1.0 - TITLE_BLOCK) * height;
            if in_title_block && phrase.size >= SHEET_TITLE_SIZE * phrases.common_size {
                found.sheet = found.sheet.with(classes);
            }
        }
        found
    }

    /// Returns the classes that are named for a box in the sheet's frame.
    pub fn named_for(&self, bbox: Rect) -> NamedClasses {
        let mut named = NamedClasses { sheet: self.sheet, ..NamedClasses::default() };
        let edge = EDGE * (bbox.y2 - bbox.y1);
        for (title, classes) in &self.of_views {
            let beside = title.x2 < bbox.x1 || title.x1 > bbox.x2;
            let middle = f32::midpoint(title.y1, title.y2);
            if beside || middle < bbox.y1 - self.reach || middle > bbox.y2 + self.reach {
                continue;
            }
            let place = if middle > bbox.y2 - edge {
                &mut named.below
            } else if middle < bbox.y1 + edge {
                &mut named.above
            } else {
                &mut named.inside
            };
            *place = place.with(*classes);
        }
        named
    }
}

/// Returns what OCR reads on a page that has this text; `None` if that is enough, or without OCR.
fn recognized(page: &impl Readable, text: &PageText, geometry: &Geometry) -> Option<PageText> {
    if !needs_ocr(page, text, geometry) {
        return None;
    }
    let dpi = finest_dpi(geometry.crop_box, geometry, MAX_OCR_PIXELS, MAX_OCR_DPI);
    read_part(page, geometry.crop_box, dpi, Layout::Sparse)
}

/// Returns whether a phrase may be a title: a few words, larger than most of the sheet's text or with a scale.
fn is_title(phrase: &Phrase, common_size: f32) -> bool {
    let large = phrase.size >= TITLE_SIZE * common_size || phrase.note.is_some();
    large && phrase.text.split_whitespace().count() <= MAX_WORDS && !phrase.is_dimension()
}

/// Returns the classes that a title names; none if it says nothing that the vocabularies know.
pub fn named_classes(title: &str) -> ClassSet {
    use ViewClass::{
        Detail, Diagram, ExteriorElevation, InteriorElevation, KeyPlan, Legend, Notes, OpeningTypes, Plan, Rendering,
        Schedule, Section, SitePlan,
    };
    let words = words(title);
    let has = |vocabulary: &Vocabulary| vocabulary.matches_any(&words);
    let has_any = |all: &[&Vocabulary]| all.iter().any(|vocabulary| has(vocabulary));
    let elevation = has_any(&[&vocabularies::DRAWING_ELEVATION, &vocabularies::VIEW_ELEVATION]);
    let inside = has(&vocabularies::VIEW_INSIDE);
    let lists = [&*vocabularies::DRAWING_SCHEDULE, &vocabularies::DRAWING_NOTES, &vocabularies::DRAWING_INDEX];
    if has_any(&lists) || has(&vocabularies::VIEW_LIST) {
        return ClassSet::new(&[Schedule, Legend, Notes]);
    }
    if has(&vocabularies::VIEW_TYPES) || (elevation && has(&vocabularies::VIEW_OPENINGS)) {
        return ClassSet::new(&[OpeningTypes]);
    }
    if has_any(&[&vocabularies::DRAWING_DETAIL, &vocabularies::VIEW_DETAIL]) {
        return ClassSet::new(&[Detail]);
    }
    if has(&vocabularies::DRAWING_SECTION) && !(elevation && inside) {
        return ClassSet::new(&[Section, Detail]);
    }
    if has_any(&[&vocabularies::DRAWING_PICTURE, &vocabularies::DRAWING_DIAGRAM, &vocabularies::VIEW_PICTURE]) {
        return ClassSet::new(&[Rendering, Diagram]);
    }
    if has_any(&[&vocabularies::DRAWING_PLAN, &vocabularies::DRAWING_CEILING]) {
        return ClassSet::new(&[Plan, SitePlan, KeyPlan]);
    }
    if has(&vocabularies::VIEW_OUTSIDE) && !inside {
        return ClassSet::new(&[ExteriorElevation]);
    }
    let room = has(&vocabularies::VIEW_BUILT_IN) || words.iter().any(|word| is_furnished_room(word));
    let direction = has(&vocabularies::VIEW_DIRECTIONS);
    match (elevation, inside, room, direction) {
        (_, true, ..) | (true, _, true, _) | (_, _, true, true) => ClassSet::new(&[InteriorElevation]),
        (true, ..) | (_, _, _, true) => ClassSet::new(&[InteriorElevation, ExteriorElevation]),
        (_, _, true, _) => ClassSet::new(&[InteriorElevation, Plan]),
        _ => ClassSet::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_names_classes() {
        for (title, expected) in [
            ("KITCHEN ELEVATION", vec![ViewClass::InteriorElevation]),
            ("Wandabwicklung Küche", vec![ViewClass::InteriorElevation]),
            ("NORTH ELEVATION", vec![ViewClass::InteriorElevation, ViewClass::ExteriorElevation]),
            ("FAÇADE SUD", vec![ViewClass::ExteriorElevation]),
            ("BUILDING SECTION", vec![ViewClass::Section, ViewClass::Detail]),
            ("DOOR ELEVATIONS", vec![ViewClass::OpeningTypes]),
            ("ROOM FINISH SCHEDULE", vec![ViewClass::Schedule, ViewClass::Legend, ViewClass::Notes]),
            ("ROOF PLAN", vec![ViewClass::Plan, ViewClass::SitePlan, ViewClass::KeyPlan]),
            ("PERSPECTIVE", vec![ViewClass::Rendering, ViewClass::Diagram]),
            ("Развёртка стены", vec![ViewClass::InteriorElevation]),
            ("Разрез 1-1", vec![ViewClass::Section, ViewClass::Detail]),
            ("ELEWACJA POŁUDNIOWA", vec![ViewClass::ExteriorElevation]),
            ("3", vec![]),
        ] {
            assert_eq!(named_classes(title), ClassSet::new(&expected), "{title}");
        }
    }

    #[test]
    fn titles_name_the_classes_of_the_box_above_them() {
        let phrase = |text: &str, x: f32, y: f32, size: f32| Phrase {
            text: text.to_owned(),
            bbox: Rect { x1: x, y1: y, x2: x + 60.0, y2: y + size },
            size,
            note: None,
        };
        let notes = (0..20).map(|row| phrase("paint all walls", 700.0, 100.0 + 10.0 * row as f32, 6.0));
        let titles = [phrase("ROOF PLAN", 120.0, 310.0, 10.0), phrase("INTERIOR ELEVATIONS", 900.0, 750.0, 16.0)];
        let phrases = Phrases::from(notes.chain(titles).collect::<Vec<_>>());
        let titles = Titles::find(&phrases, 1000.0, 800.0);
        let named = titles.named_for(Rect { x1: 100.0, y1: 100.0, x2: 300.0, y2: 300.0 });
        assert_eq!(named.below, named_classes("ROOF PLAN"));
        assert_eq!(named.sheet, ClassSet::new(&[ViewClass::InteriorElevation]));
        assert!(named.above.is_empty() && named.inside.is_empty());
        let far = titles.named_for(Rect { x1: 500.0, y1: 100.0, x2: 600.0, y2: 300.0 });
        assert!(far.below.is_empty(), "the title is beside this box");
    }
}
