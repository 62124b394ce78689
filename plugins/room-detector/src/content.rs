//! What is read of a page before its rooms are detected.
//!
//! A page that is drawn with lines has its doors from its lines, a scan from the network `symbol-detector`. Where a plan has no
//! text, OCR reads it.

use fanlight_contract::{Geometry, PagePaths, PageText, Rect};
use fanlight_detection::detector::Detection;
use fanlight_detection::symbols::Plan;
use fanlight_plugin::page::{Layout, Readable, finest_dpi};
use fanlight_raster::{read_part, scanned_area};

/// Door candidates count from this confidence on: a false door only closes a gap that is there. Of 0.2, 0.3, 0.4 and 0.7, 0.3
/// does best on the labelled rooms (`labelled_rooms`).
const MIN_DOOR: f32 = 0.3;
/// Most pixels of a page for OCR, which takes one to two seconds for a million on two cores.
const MAX_OCR_PIXELS: f32 = 15e6;
/// Highest resolution for OCR, in pixels per inch.
const MAX_OCR_DPI: f32 = 200.0;

/// What is read of a page.
#[derive(Clone, Debug)]
pub struct PageContent {
    /// Its text, by OCR if it has none and is a plan.
    pub text: PageText,
    /// Its lines.
    pub paths: PagePaths,
    /// Its boxes and rotation.
    pub geometry: Geometry,
    /// The boxes of its doors in user space.
    pub doors: Vec<Rect>,
}

impl PageContent {
    /// Reads a page that is drawn with lines, without OCR.
    pub fn from_lines(text: PageText, paths: PagePaths, geometry: Geometry) -> Self {
        let doors = Plan::read(&paths, &text, &geometry).doors();
        let doors = doors.into_iter().filter(|door| door.confidence >= MIN_DOOR).map(|door| door.bbox).collect();
        Self { text, paths, geometry, doors }
    }

    /// Reads a page. `detections` are the symbols in the scanned part of a page; they are asked for if it is a scan.
    pub fn read(page: &impl Readable, detections: impl FnOnce(Rect) -> Vec<Detection>) -> Self {
        let (text, paths, geometry) = (page.text(), page.paths(), page.geometry());
        let scanned = scanned_area(paths.ops.len(), &geometry, || page.images());
        let content = match scanned {
            Some(area) => {
                let doors =
                    detections(area).into_iter().filter(|own| own.class.is_door() && own.confidence >= MIN_DOOR);
                Self { text, paths, geometry, doors: doors.map(|door| door.bbox).collect() }
            }
            None => Self::from_lines(text, paths, geometry),
        };
        if content.doors.is_empty() || !content.text.runs.is_empty() {
            return content;
        }
        let text = recognized(page, content.geometry.crop_box).unwrap_or_else(|| content.text.clone());
        Self { text, ..content }
    }
}

/// Returns the text that OCR reads on a page, whose `shown` part is in user space, if the host grants it. All of it is read: a
/// note of the scale may stand anywhere.
fn recognized(page: &impl Readable, shown: Rect) -> Option<PageText> {
    let dpi = finest_dpi(shown, &page.geometry(), MAX_OCR_PIXELS, MAX_OCR_DPI);
    read_part(page, shown, dpi, Layout::Sparse)
}
