//! Detects the interior elevations of drawing sheets: the walls of rooms as seen from inside, each view with its dimensions and
//! without its title.
//!
//! All modules work in the reading frame of a sheet, in points with y down, on lines and text. On a scan (`scanned`), `picture`
//! converts ink to lines, `lettering` reads titles by OCR, and `segmentation` holds the output of a network.
//!
//! - `views`: assigns connected components to the sheet's titles, which gives the views;
//! - `look`: features of a view's lines; `notes`: features of the text beside it;
//! - `classification`: whether a view is an interior elevation;
//! - `plugin`, `result`: the model that the host runs.
//!
//! Text decides if there is any. If titles say no more than "NORTH" or a number, the sheet's title and the other views decide,
//! and last the look of a view. A scan has no elevations if neither OCR nor the network is available.

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

/// Detects the interior elevations of a page and returns their boxes in user space, from the top left in reading order.
///
/// `segment` runs view segmentation on an input of `fanlight_sheet::view_segmentation`, or returns `None` without a network. It
/// is called only for scans.
pub fn detect(page: &impl Readable, segment: impl FnOnce(Vec<f32>) -> Option<Vec<f32>>) -> Vec<Rect> {
    let (text, geometry) = (page.text(), page.geometry());
    if fanlight_raster::is_scan(&text, || page.images(), &geometry) {
        return scanned::detect(page, &geometry, segment);
    }
    detect_drawn(&text, &page.paths(), &geometry)
}

/// Detects the interior elevations of a page with lines and returns their boxes in user space, in reading order.
///
/// The time grows with the number of segments and glyphs.
pub fn detect_drawn(text: &PageText, paths: &PagePaths, geometry: &Geometry) -> Vec<Rect> {
    let page = Page::read(text, geometry);
    let frame = page.frame;
    if !is_sound(&frame) {
        return Vec::new();
    }
    let found = interior(segments(paths, &frame), &Phrases::from_page(&page), &frame, None);
    found.into_iter().map(|bbox| frame.to_user_space(bbox)).collect()
}

/// Whether a page has a finite, positive size.
fn is_sound(frame: &Frame) -> bool {
    let long = frame.width.max(frame.height);
    long.is_finite() && long >= 1.0 && frame.width > 0.0 && frame.height > 0.0
}

/// Detects the interior elevations of a sheet in its frame. `segmentation` is that of a scan, if there is the network.
fn interior(
    mut segments: Vec<Segment>,
    phrases: &Phrases,
    frame: &Frame,
    segmentation: Option<&Segmentation>,
) -> Vec<Rect> {
    let long = frame.width.max(frame.height);
    let lines = Lines::from_segments(&segments, LINE_GAP, SHORTEST_LINE * long);
    let border = Border::find(&lines, phrases, frame);
    border.remove_from(&mut segments);
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
