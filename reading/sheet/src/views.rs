//! The views of a sheet: drawings, schedules, notes, title block.
//!
//! [`find`] proposes boxes, asks a network what each one holds, fuses its answers with the titles, and keeps the likeliest boxes
//! that do not overlap.
//!
//! - `candidates`: boxes that may hold one view;
//! - `network_input`: what the network `view-classifier` sees of a candidate, and the classes it tells apart;
//! - `words`: the classes that titles name;
//! - `fusion`: both together;
//! - `classifier`: the network behind the host;
//! - `image`: the image of the sheet.

pub mod candidates;
mod classifier;
pub mod fusion;
pub mod image;
pub mod network_input;
pub mod words;

use fanlight_contract::{Geometry, Rect};
use fanlight_geometry::{Frame, RectExt as _};
use fanlight_plugin::page::{Readable, upright};
use fanlight_raster::can_be_rendered;
use fanlight_text::Page;

use crate::parts::Phrases;

pub use classifier::ViewClassifier;

use image::SheetImage;
use network_input::{CLASSES, PLACE, ViewClass};
use words::Titles;

/// A view of a sheet.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// What is drawn of it, with its dimensions if they are near; in user space of the unrotated page, points.
    pub bbox: Rect,
    /// Its likeliest class.
    pub class: ViewClass,
    /// The probability that the box holds a view of this class, 0 to 1.
    pub confidence: f32,
    /// The probability that the box holds one view of any class.
    pub is_view: f32,
}

/// Least probability that a box holds one view.
const MIN_IS_VIEW: f32 = 0.5;
/// A box that has this share of its area in common with a likelier one, or of that one's area, is no view beside it.
const MAX_COMMON: f32 = 0.5;
/// Bounds of the resolution of a rendered page, in pixels per inch: those of the contract.
const RESOLUTION: (f32, f32) = (1.0, 1200.0);

/// Finds the views of a page, the likeliest first. `classify` returns the network's logits for a picture and a place, or `None`
/// without the network; then there are no views.
pub fn find(page: &impl Readable, mut classify: impl FnMut(Vec<f32>, [f32; PLACE]) -> Option<Vec<f32>>) -> Vec<View> {
    let geometry = page.geometry();
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    let Some(dpi) = resolution(&geometry, &frame) else { return Vec::new() };
    // In this order: reading the paths reads the text in the same pass.
    if !can_be_rendered(&page.paths(), &frame, image::LENGTH / frame.width.max(frame.height)) {
        eprintln!("views are not looked for: the page has too many lines to be rendered");
        return Vec::new();
    }
    let Some(raster) = page.render(&upright(None, dpi)) else { return Vec::new() };
    let Some(image) = SheetImage::new(raster.bytes(), raster.width as usize, raster.height as usize) else {
        return Vec::new();
    };
    let phrases = Phrases::from_page(&Page::read(&page.text(), &geometry));
    let titles = Titles::find(&phrases, frame.width, frame.height);
    let scale = frame.width / image.width() as f32;
    let mut likely = Vec::new();
    for bbox in candidates::candidates(&image) {
        let answer = classify(network_input::picture(&image, bbox), network_input::place(&image, bbox));
        let Some(logits) = answer.and_then(|logits| <[f32; CLASSES.len()]>::try_from(logits).ok()) else {
            return Vec::new();
        };
        let framed = Rect { x1: bbox.x1 * scale, y1: bbox.y1 * scale, x2: bbox.x2 * scale, y2: bbox.y2 * scale };
        let probabilities = fusion::probabilities(&logits, &titles.named_for(framed));
        let is_view = 1.0 - probabilities[0];
        let best = (1..CLASSES.len()).max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
        if let Some(best) = best.filter(|_| is_view >= MIN_IS_VIEW) {
            likely.push(View { bbox: framed, class: CLASSES[best], confidence: probabilities[best], is_view });
        }
    }
    let kept = without_overlaps(likely);
    kept.into_iter().map(|view| View { bbox: frame.to_user_space(view.bbox), ..view }).collect()
}

/// Returns the resolution at which a page's longer side is [`image::LENGTH`] pixels long. `None` if it has no size.
fn resolution(geometry: &Geometry, frame: &Frame) -> Option<f32> {
    let unit = if geometry.user_unit.is_finite() && geometry.user_unit > 0.0 { geometry.user_unit } else { 1.0 };
    let inches = frame.width.max(frame.height) * unit / 72.0;
    let is_sound = inches.is_finite() && frame.width > 0.0 && frame.height > 0.0;
    is_sound.then(|| (image::LENGTH / inches).clamp(RESOLUTION.0, RESOLUTION.1))
}

/// Keeps the likeliest views that do not overlap (greedy non-maximum suppression).
fn without_overlaps(mut likely: Vec<View>) -> Vec<View> {
    likely.sort_by(|a, b| b.is_view.total_cmp(&a.is_view));
    let mut kept: Vec<View> = Vec::new();
    for view in likely {
        let overlaps = |other: &View| {
            let common = view.bbox.intersection(&other.bbox).area();
            common >= MAX_COMMON * view.bbox.area().min(other.bbox.area())
        };
        if !kept.iter().any(overlaps) {
            kept.push(view);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_of_boxes_that_overlap_is_kept() {
        let view = |x1: f32, x2: f32, is_view: f32| View {
            bbox: Rect { x1, y1: 0.0, x2, y2: 100.0 },
            class: ViewClass::Plan,
            confidence: 0.5,
            is_view,
        };
        let kept = without_overlaps(vec![view(0.0, 100.0, 0.7), view(0.0, 300.0, 0.9), view(290.0, 400.0, 0.6)]);
        let corners: Vec<(f32, f32)> = kept.iter().map(|view| (view.bbox.x1, view.bbox.x2)).collect();
        assert_eq!(corners, [(0.0, 300.0), (290.0, 400.0)]);
    }
}
