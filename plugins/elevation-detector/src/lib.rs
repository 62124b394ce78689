//! Finds the interior elevations of drawing sheets: the walls of rooms as they look from inside, each drawn view with
//! its dimensions, without its title.
//!
//! All of it works in the frame that a sheet is read in, points, y down, on what is drawn as lines and set as text:
//!
//! - `kind`: what words say a view is.
//! - `titles`: the titles under, over or beside views, by scale notes, underlines and words.
//! - `views`: which clusters belong to which title, and so what the views are.
//! - `look`: what a view's own lines look like. `judgement`: whether it is an interior elevation.
//! - `plugin`, `result`: the model that the host runs.
//!
//! Words decide where there are any; where titles say no more than "NORTH" or a number, the sheet's title and the other
//! views do, and last how a view looks. A page that is a picture has no lines and yields nothing.

mod judgement;
mod kind;
mod look;
mod plugin;
mod result;
mod titles;
mod views;

pub use plugin::ElevationDetector;
pub use result::{BoundingBox, Elevation, Elevations, Partial};

use fanlight_layout::Page;
use fanlight_linework::{Lines, pieces};
use fanlight_sheetparts::{Border, Phrases};
use fanlight_vocabulary::{Geometry, PagePaths, PageText, Rect};

/// Pieces of a dashed line are further apart than those of a broken one; floors and frames are neither, but hatches
/// must not become lines.
const LINE_GAP: f32 = 1.5;
/// Lines shorter than this, as a share of the sheet's longer side, say nothing of a view.
const SHORTEST_LINE: f32 = 0.008;

/// The interior elevations of a page, in user space, from the top left as the page is read. The time it takes grows
/// with the number of segments and glyphs.
pub fn find(text: &PageText, paths: &PagePaths, geometry: &Geometry) -> Vec<Rect> {
    let page = Page::read(text, geometry);
    let frame = page.frame;
    let long = frame.width.max(frame.height);
    if !(long.is_finite() && long >= 1.0 && frame.width > 0.0 && frame.height > 0.0) {
        return Vec::new();
    }
    let mut pieces = pieces(paths, &frame);
    let lines = Lines::of(&pieces, LINE_GAP, SHORTEST_LINE * long);
    let phrases = Phrases::of(&page);
    let border = Border::of(&lines, &phrases, &frame);
    border.take_away(&mut pieces);
    let titles = titles::find(&phrases, &lines, &border);
    let sheet = judgement::Sheet::of(&phrases, &titles, &border);
    let views = views::part(&pieces, &lines, &phrases, &titles, sheet.lettered, &frame);
    let mut found = judgement::interior(&views, &titles, &sheet, &look::Looks::of(&pieces, &lines), &phrases);
    found.sort_by(|a, b| (a.y1, a.x1).partial_cmp(&(b.y1, b.x1)).unwrap_or(std::cmp::Ordering::Equal));
    found.into_iter().map(|bbox| frame.to_user_space(bbox)).collect()
}
