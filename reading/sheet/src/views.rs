//! The views of a sheet: drawings, schedules, notes, title block.
//!
//! [`find`] proposes boxes, asks a network what each one holds, fuses its answers with the titles and with what the sheet
//! shows elsewhere, and keeps the likeliest boxes that do not overlap.
//!
//! - `candidates`: boxes that may hold one view;
//! - `network_input`: what the network `view-classifier` sees of a candidate, and the classes it tells apart;
//! - `words`: the classes that titles name;
//! - `fusion`: both together;
//! - `context`: what the other views of the sheet say;
//! - `classifier`: the network behind the host;
//! - `image`: the image of the sheet.

pub mod candidates;
mod classifier;
mod context;
pub mod fusion;
pub mod image;
pub mod network_input;
pub mod words;

use fanlight_contract::Rect;
use fanlight_geometry::Frame;
use fanlight_plugin::page::{Readable, upright};
use fanlight_raster::can_be_rendered;

pub use classifier::ViewClassifier;

use context::Candidate;
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

/// Bounds of the resolution of a rendered page, in pixels per inch: those of the contract.
const RESOLUTION: (f32, f32) = (1.0, 1200.0);

/// Finds the views of a page, the likeliest first. `classify` returns the network's logits for a picture and a place, or `None`
/// without the network; then there are no views.
pub fn find(page: &impl Readable, mut classify: impl FnMut(Vec<f32>, [f32; PLACE]) -> Option<Vec<f32>>) -> Vec<View> {
    let geometry = page.geometry();
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    let Some(dpi) = resolution(&frame) else { return Vec::new() };
    // In this order: reading the paths reads the text in the same pass.
    if !can_be_rendered(&page.paths(), &frame, image::LENGTH / frame.width.max(frame.height)) {
        eprintln!("views are not looked for: the page has too many lines to be rendered");
        return Vec::new();
    }
    let Some(raster) = page.render(&upright(None, dpi)) else { return Vec::new() };
    let Some(image) = SheetImage::new(raster.bytes(), raster.width as usize, raster.height as usize) else {
        return Vec::new();
    };
    let scale = frame.width / image.width() as f32;
    let mut answered = Vec::new();
    for bbox in candidates::candidates(&image) {
        let answer = classify(network_input::picture(&image, bbox), network_input::place(&image, bbox));
        let Some(logits) = answer.and_then(|logits| <[f32; CLASSES.len()]>::try_from(logits).ok()) else {
            return Vec::new();
        };
        let framed = Rect { x1: bbox.x1 * scale, y1: bbox.y1 * scale, x2: bbox.x2 * scale, y2: bbox.y2 * scale };
        answered.push((framed, logits));
    }
    // OCR may have to read the titles, which takes seconds, so they come after the network, without which nothing is found.
    let titles = Titles::read(page);
    let proposed: Vec<Candidate> = answered
        .into_iter()
        .map(|(bbox, logits)| Candidate { bbox, scores: fusion::scores(&logits, &titles.named_for(bbox)) })
        .collect();
    let views = context::likely_views(&context::with_context(&proposed));
    views.iter().filter_map(|candidate| view(candidate, &frame)).collect()
}

/// Returns a candidate as a view of its likeliest class.
fn view(candidate: &Candidate, frame: &Frame) -> Option<View> {
    let probabilities = candidate.probabilities();
    let classes = CLASSES.iter().zip(probabilities).skip(1);
    let (class, confidence) = classes.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(View { bbox: frame.to_user_space(candidate.bbox), class: *class, confidence, is_view: 1.0 - probabilities[0] })
}

/// Returns the resolution at which a page's longer side is [`image::LENGTH`] pixels long. `None` if it has no size.
fn resolution(frame: &Frame) -> Option<f32> {
    let inches = frame.width.max(frame.height) / 72.0;
    let is_sound = inches.is_finite() && frame.width > 0.0 && frame.height > 0.0;
    is_sound.then(|| (image::LENGTH / inches).clamp(RESOLUTION.0, RESOLUTION.1))
}
