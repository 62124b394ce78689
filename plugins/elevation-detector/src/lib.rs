//! Finds the interior elevations of drawing sheets: the walls of rooms as they look from inside, each drawn view with
//! its dimensions, without its title.
//!
//! All of it works in the frame that a sheet is read in, points, y down, on what is drawn as lines and set as text.
//! Of a page that is a picture (`scanned`), `picture` makes lines of its ink, `lettering` reads its titles by OCR, and
//! `segmentation` has what a network says is where; from there on it goes the same way.
//!
//! - `views`: which connected components belong to which of the sheet's titles, and so what the views are.
//! - `look`: what a view's own lines look like. `notes`: what is said beside it. `judgement`: whether it is an interior
//!   elevation.
//! - `plugin`, `result`: the model that the host runs.
//!
//! Words decide where there are any; where titles say no more than "NORTH" or a number, the sheet's title and the other
//! views do, and last how a view looks. A page that is a picture yields nothing where there is neither OCR nor the
//! network.

mod classification;
mod lettering;
mod look;
mod notes;
mod picture;
mod plugin;
mod result;
mod scanned;
mod segmentation;
mod views;

pub use plugin::ElevationDetector;
pub use result::{Elevation, Elevations};

use fanlight_contract::{Geometry, PagePaths, PageText, Rect};
use fanlight_geometry::{Lines, Segment, segments};
use fanlight_plugin::page::Readable;
use fanlight_sheet::parts::{Border, Phrases, view_titles};
use fanlight_text::{Frame, Page};

use segmentation::Segmentation;
use views::Lettering;

/// Segments of a dashed line are further apart than those of a broken one; floors and frames are neither, but hatches
/// must not become lines.
const LINE_GAP: f32 = 1.5;
/// Lines shorter than this, as a share of the sheet's longer side, say nothing of a view.
const SHORTEST_LINE: f32 = 0.008;

/// The interior elevations of a page, in user space, from the top left as the page is read. `segment` gives what the network
/// that maps views makes of what `fanlight_sheet::view_segmentation` shows it, or none where there is no network or it fails; only pages
/// that are pictures ask for it.
pub fn detect(page: &impl Readable, segment: impl FnOnce(Vec<f32>) -> Option<Vec<f32>>) -> Vec<Rect> {
    let (text, geometry) = (page.text(), page.geometry());
    if fanlight_raster::is_scan(&text, || page.images(), &geometry) {
        return scanned::detect(page, &geometry, segment);
    }
    detect_drawn(&text, &page.paths(), &geometry)
}

/// The interior elevations of a page that is drawn, in user space, from the top left as the page is read. The time it
/// takes grows with the number of segments and glyphs.
pub fn detect_drawn(text: &PageText, paths: &PagePaths, geometry: &Geometry) -> Vec<Rect> {
    let page = Page::read(text, geometry);
    let frame = page.frame;
    if !is_sound(&frame) {
        return Vec::new();
    }
    let found = interior(segments(paths, &frame), &Phrases::of(&page), &frame, None);
    found.into_iter().map(|bbox| frame.to_user_space(bbox)).collect()
}

/// Whether a page has an extent that can be worked with.
fn is_sound(frame: &Frame) -> bool {
    let long = frame.width.max(frame.height);
    long.is_finite() && long >= 1.0 && frame.width > 0.0 && frame.height > 0.0
}

/// The interior elevations among what is drawn on a sheet, in its frame. `segmentation` is a scan's, where there is the network.
fn interior(
    mut segments: Vec<Segment>,
    phrases: &Phrases,
    frame: &Frame,
    segmentation: Option<&Segmentation>,
) -> Vec<Rect> {
    let long = frame.width.max(frame.height);
    let lines = Lines::from_segments(&segments, LINE_GAP, SHORTEST_LINE * long);
    let border = Border::of(&lines, phrases, frame);
    border.take_away(&mut segments);
    let mut titles = view_titles(phrases, &lines, &border);
    if let Some(segmentation) = segmentation {
        segmentation.add_titles(&mut titles, phrases, &border);
        segments.retain(|segment| {
            let (x, y) = segment.midpoint();
            segmentation.is_of_a_view(x, y)
        });
    }
    let sheet = classification::SheetEvidence::new(phrases, &titles, &border, frame);
    let lettering = match (segmentation, sheet.lettered) {
        (Some(_), _) => Lettering::Scanned,
        (None, true) => Lettering::Set,
        (None, false) => Lettering::Drawn,
    };
    let views = views::split(&segments, &lines, phrases, &titles, lettering, frame);
    let mut found =
        classification::interior(&views, &titles, &sheet, &look::Looks::new(&segments, &lines), phrases, segmentation);
    found.sort_by(|a, b| (a.y1, a.x1).partial_cmp(&(b.y1, b.x1)).unwrap_or(std::cmp::Ordering::Equal));
    found
}
