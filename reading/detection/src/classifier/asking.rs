//! From boxes to crops to answers.

use crate::classifier_input::{Answer, Picture, cut};
use fanlight_contract::{Geometry, Orientation, PixelFormat, Raster, Rect, RenderOptions};

use crate::classifier::regions::{Region, regions};

/// Points of an inch.
const INCH: f32 = 72.0;
/// Boxes of a page that are asked about, from the first on: an answer takes about a millisecond.
const MOST_ASKED: usize = 2_000;

/// What a network says of each box of a page; none for a box that can't be shown to it. `render` renders the page,
/// `run` gives a network's outputs for a crop; from where it gives none on, nothing more is asked.
pub fn answers(
    geometry: &Geometry,
    boxes: &[Rect],
    mut render: impl FnMut(&RenderOptions) -> Option<Raster>,
    mut run: impl FnMut(Vec<f32>) -> Option<Vec<f32>>,
) -> Vec<Option<Answer>> {
    let mut answers = vec![None; boxes.len()];
    let asked = boxes.get(..MOST_ASKED).unwrap_or(boxes);
    let (dpi, regions) = regions(geometry, asked);
    for Region { rect, boxes: own } in regions {
        let options =
            RenderOptions { dpi, region: Some(rect), format: PixelFormat::Grey, orientation: Orientation::UserSpace };
        let Some(raster) = render(&options) else { continue };
        let picture = Picture {
            pixels: raster.bytes(),
            width: raster.width as usize,
            height: raster.height as usize,
            left: rect.x1,
            top: rect.y2,
            scale: dpi / INCH,
        };
        for index in own {
            let (Some(bbox), Some(answer)) = (asked.get(index), answers.get_mut(index)) else { continue };
            let crop = cut(&picture, [bbox.x1, bbox.y1, bbox.x2, bbox.y2]);
            let Some(outputs) = run(crop) else { return answers };
            *answer = Answer::of(&outputs);
        }
    }
    answers
}

#[cfg(test)]
mod tests {
    use crate::classifier_input::{Class, SIDE};

    use super::*;

    const PAGE: Rect = Rect { x1: 0.0, y1: 0.0, x2: 400.0, y2: 300.0 };
    const GEOMETRY: Geometry = Geometry { media_box: PAGE, crop_box: PAGE, rotation: 90, user_unit: 1.0 };

    /// White, but for what lies right of x = 200, which is black.
    fn half_black(options: &RenderOptions) -> Option<Raster> {
        let (region, scale) = (options.region?, options.dpi / INCH);
        let width = ((region.x2 - region.x1) * scale).ceil() as u32;
        let height = ((region.y2 - region.y1) * scale).ceil() as u32;
        let black = |x: u32| region.x1 + x as f32 / scale >= 200.0;
        let bytes: Vec<u8> = (0..width * height).map(|at| if black(at % width) { 0 } else { 255 }).collect();
        Some(Raster::from_bytes(width, height, PixelFormat::Grey, &bytes))
    }

    /// Says that a crop full of ink is a bath, and any other one nothing.
    #[expect(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "a network is asked like this")]
    fn baths(crop: Vec<f32>) -> Option<Vec<f32>> {
        let full = crop.iter().sum::<f32>() / (SIDE * SIDE) as f32 > 0.9;
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
    fn each_box_has_the_answer_to_its_own_crop() {
        let answers = answers(&GEOMETRY, &BOXES, half_black, baths);
        let likeliest: Vec<Option<Class>> =
            answers.iter().map(|answer| answer.as_ref().and_then(|answer| answer.likeliest(|_| true))).collect();
        assert_eq!(likeliest, [Some(Class::Nothing), Some(Class::Bathtub), None, Some(Class::Bathtub)]);
    }

    #[test]
    fn without_a_picture_or_a_network_there_are_no_answers() {
        assert_eq!(answers(&GEOMETRY, &BOXES, |_| None, baths), vec![None; 4]);
        let mut asked = 0;
        let refuses = |_| {
            asked += 1;
            None
        };
        assert_eq!(answers(&GEOMETRY, &BOXES, half_black, refuses), vec![None; 4]);
        assert_eq!(asked, 1);
    }
}
