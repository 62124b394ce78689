//! From boxes to network inputs to classifications.

use fanlight_contract::{Geometry, Orientation, PixelFormat, Raster, Rect, RenderOptions};

use crate::classifier::regions::{Region, regions};
use crate::classifier_input::{Classification, input_for_box};
use crate::placed_raster::PlacedRaster;

/// Most boxes of a page that are classified, from the first on: each takes about a millisecond.
const MAX_CLASSIFIED: usize = 2_000;

/// Classifies each box of a page; an entry is `None` if the box cannot be rendered.
///
/// `render` renders a region of the page. `run` returns the network's logits for one input; once it returns `None`, no
/// further box is classified.
pub fn classify(
    geometry: &Geometry,
    boxes: &[Rect],
    mut render: impl FnMut(&RenderOptions) -> Option<Raster>,
    mut run: impl FnMut(Vec<f32>) -> Option<Vec<f32>>,
) -> Vec<Option<Classification>> {
    let mut classifications = vec![None; boxes.len()];
    let candidates = boxes.get(..MAX_CLASSIFIED).unwrap_or(boxes);
    let (dpi, regions) = regions(geometry, candidates);
    for Region { rect, boxes: own } in regions {
        let options =
            RenderOptions { dpi, region: Some(rect), format: PixelFormat::Grey, orientation: Orientation::UserSpace };
        let Some(rendered) = render(&options) else { continue };
        let raster = PlacedRaster::of_region(&rendered, rect, dpi);
        for index in own {
            let (Some(bbox), Some(classification)) = (candidates.get(index), classifications.get_mut(index)) else {
                continue;
            };
            let input = input_for_box(&raster, [bbox.x1, bbox.y1, bbox.x2, bbox.y2]);
            let Some(logits) = run(input) else { return classifications };
            *classification = Classification::from_logits(&logits);
        }
    }
    classifications
}

#[cfg(test)]
mod tests {
    use crate::classifier_input::{Class, SIDE};
    use crate::placed_raster::INCH;

    use super::*;

    const PAGE: Rect = Rect { x1: 0.0, y1: 0.0, x2: 400.0, y2: 300.0 };
    const GEOMETRY: Geometry = Geometry { media_box: PAGE, crop_box: PAGE, rotation: 90, user_unit: 1.0 };

    /// Renders a page that is black right of x = 200 and white elsewhere.
    fn half_black(options: &RenderOptions) -> Option<Raster> {
        let (region, scale) = (options.region?, options.dpi / INCH);
        let width = ((region.x2 - region.x1) * scale).ceil() as u32;
        let height = ((region.y2 - region.y1) * scale).ceil() as u32;
        let black = |x: u32| region.x1 + x as f32 / scale >= 200.0;
        let bytes: Vec<u8> = (0..width * height).map(|at| if black(at % width) { 0 } else { 255 }).collect();
        Some(Raster::from_bytes(width, height, PixelFormat::Grey, &bytes))
    }

    /// Classifies a black input as a bathtub and any other input as nothing.
    #[expect(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "the signature that `classify` wants")]
    fn baths(input: Vec<f32>) -> Option<Vec<f32>> {
        let full = input.iter().sum::<f32>() / (SIDE * SIDE) as f32 > 0.9;
        let mut outputs = vec![-20.0; 16];
        outputs[if full { 10 } else { 0 }] = 20.0;
        Some(outputs)
    }

    const BOXES: [Rect; 4] = [
        Rect { x1: 40.0, y1: 100.0, x2: 70.0, y2: 130.0 },
        Rect { x1: 280.0, y1: 100.0, x2: 310.0, y2: 130.0 },
        Rect { x1: 900.0, y1: 100.0, x2: 930.0, y2: 130.0 },
        Rect { x1: 260.0, y1: 60.0, x2: 360.0, y2: 150.0 },
    ];

    #[test]
    fn each_box_is_classified_by_its_own_input() {
        let classifications = classify(&GEOMETRY, &BOXES, half_black, baths);
        let likeliest: Vec<Option<Class>> = classifications
            .iter()
            .map(|classification| classification.as_ref().and_then(|classification| classification.likeliest(|_| true)))
            .collect();
        assert_eq!(likeliest, [Some(Class::Nothing), Some(Class::Bathtub), None, Some(Class::Bathtub)]);
    }

    #[test]
    fn nothing_is_classified_without_a_raster_or_network() {
        assert_eq!(classify(&GEOMETRY, &BOXES, |_| None, baths), vec![None; 4]);
        let mut runs = 0;
        let refuses = |_| {
            runs += 1;
            None
        };
        assert_eq!(classify(&GEOMETRY, &BOXES, half_black, refuses), vec![None; 4]);
        assert_eq!(runs, 1);
    }
}
