//! The input of the classifier network, and the meaning of its output.
//!
//! Training and serving resample their inputs here, so both see the same pixels. An input shows a square around a box:
//! the box's longer side takes [`SHARE`] of the square's. It has [`SIDE`] by [`SIDE`] cells, each from 0 (paper) to 1
//! (black), whatever the size of the box on the page and the resolution of the raster.

use crate::placed_raster::PlacedRaster;

/// Side of an input, in cells.
pub const SIDE: usize = 64;

/// Share of an input's side that the box's longer side takes.
pub const SHARE: f32 = 0.6;

/// The classes in the order of the network's first outputs. It has 16 outputs, of which the last are unused.
pub const CLASSES: [Class; 13] = [
    Class::Nothing,
    Class::SwingingDoor,
    Class::DoubleDoor,
    Class::SlidingDoor,
    Class::OtherDoor,
    Class::WaterCloset,
    Class::SquatPan,
    Class::Urinal,
    Class::Lavatory,
    Class::Sink,
    Class::Bathtub,
    Class::Shower,
    Class::OtherFixture,
];

/// What an input shows in its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// No symbol of another class, or only a part of one.
    Nothing,
    /// A leaf that swings, to one side or both.
    SwingingDoor,
    /// Two leaves that swing, of equal widths or not.
    DoubleDoor,
    /// Panels that move along the wall or up: sliding, pocket and overhead doors.
    SlidingDoor,
    /// A folding or a revolving door.
    OtherDoor,
    /// A water closet.
    WaterCloset,
    /// A squat pan.
    SquatPan,
    /// A urinal.
    Urinal,
    /// A basin to wash hands.
    Lavatory,
    /// A kitchen, laundry or mop sink.
    Sink,
    /// A bath.
    Bathtub,
    /// A shower.
    Shower,
    /// A drinking or wash fountain, a bidet.
    OtherFixture,
}

impl Class {
    /// Returns whether the class is a kind of door.
    pub fn is_door(self) -> bool {
        matches!(self, Self::SwingingDoor | Self::DoubleDoor | Self::SlidingDoor | Self::OtherDoor)
    }

    /// Returns whether the class is a kind of toilet: a water closet, a squat pan or a urinal.
    pub fn is_toilet(self) -> bool {
        matches!(self, Self::WaterCloset | Self::SquatPan | Self::Urinal)
    }

    /// Returns whether the class is a kind of fixture, toilets among them.
    pub fn is_fixture(self) -> bool {
        !self.is_door() && self != Self::Nothing
    }
}

/// Returns the probabilities of logits, which sum to 1. The highest logit is finite and none is NaN.
pub fn softmax<L: AsMut<[f32]>>(mut logits: L) -> L {
    let values = logits.as_mut();
    let highest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for value in &mut *values {
        *value = (*value - highest).exp();
    }
    let sum: f32 = values.iter().sum();
    for value in values {
        *value /= sum;
    }
    logits
}

/// The probability of each of [`CLASSES`] for one input.
#[derive(Clone, Debug, PartialEq)]
pub struct Classification([f32; CLASSES.len()]);

impl Classification {
    /// Applies the softmax to the network's first logits; the result is calibrated.
    ///
    /// Returns `None` if there are fewer logits than classes, one of them is NaN, or the highest is infinite.
    pub fn from_logits(logits: &[f32]) -> Option<Self> {
        let logits: [f32; CLASSES.len()] = logits.get(..CLASSES.len())?.try_into().ok()?;
        let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        if !highest.is_finite() || logits.iter().any(|logit| logit.is_nan()) {
            return None;
        }
        Some(Self(softmax(logits)))
    }

    /// Returns the summed probability of the classes for which `belongs` holds, for example [`Class::is_door`].
    pub fn likelihood(&self, belongs: impl Fn(Class) -> bool) -> f32 {
        CLASSES.iter().zip(self.0).filter(|(class, _)| belongs(**class)).map(|(_, likely)| likely).sum()
    }

    /// Returns the most probable of the classes for which `belongs` holds.
    pub fn likeliest(&self, belongs: impl Fn(Class) -> bool) -> Option<Class> {
        let those = CLASSES.iter().zip(self.0).filter(|(class, _)| belongs(**class));
        those.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(class, _)| *class)
    }
}

/// Returns the square that the input for a box shows, as x1, y1, x2, y2 in the box's units.
pub fn input_square([x1, y1, x2, y2]: [f32; 4]) -> [f32; 4] {
    let half = (x2 - x1).max(y2 - y1) / SHARE / 2.0;
    let (x, y) = (f32::midpoint(x1, x2), f32::midpoint(y1, y2));
    [x - half, y - half, x + half, y + half]
}

/// Returns the input for a box: [`SIDE`] rows of [`SIDE`] cells, as [`PlacedRaster::ink`] averages them.
///
/// An empty or infinite box gives paper only.
pub fn input_for_box(raster: &PlacedRaster<'_>, bbox: [f32; 4]) -> Vec<f32> {
    let [x1, _, x2, y2] = input_square(bbox);
    raster.ink((x1, y2), SIDE as f32 / (x2 - x1), SIDE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of 40 x 40 points with a black square, 10 to 30 points from the left and 5 to 25 from the bottom.
    fn pixels(scale: usize) -> Vec<u8> {
        let side = 40 * scale;
        let black = |x: usize, y: usize| (10..30).contains(&(x / scale)) && (15..35).contains(&(y / scale));
        (0..side * side).map(|at| if black(at % side, at / side) { 0 } else { 255 }).collect()
    }

    #[test]
    fn an_input_is_the_same_at_any_resolution() {
        let input = |scale: usize| {
            let raster = PlacedRaster {
                pixels: &pixels(scale),
                width: 40 * scale,
                height: 40 * scale,
                left: 0.0,
                top: 40.0,
                scale: scale as f32,
            };
            input_for_box(&raster, [10.0, 5.0, 30.0, 25.0])
        };
        let ink: f32 = input(4).iter().sum::<f32>() / (SIDE * SIDE) as f32;
        assert!((ink - SHARE * SHARE).abs() < 0.02, "{ink}");
        assert_eq!(input(4)[SIDE * SIDE / 2 + SIDE / 2], 1.0);
        assert_eq!(input(4)[0], 0.0);
        for (a, b) in input(1).into_iter().zip(input(8)) {
            assert!((a - b).abs() < 0.3, "{a} {b}");
        }
    }

    #[test]
    fn classifications_are_probabilities() {
        let mut outputs = [0.0; 16];
        outputs[5] = 3.0_f32.ln();
        outputs[1] = 2.0_f32.ln();
        let answer = Classification::from_logits(&outputs).unwrap();
        // One part of 16 for each of eleven classes, two for the swinging door, three for the water closet.
        assert!((answer.likelihood(|_| true) - 1.0).abs() < 1e-6);
        assert!((answer.likelihood(Class::is_door) - 5.0 / 16.0).abs() < 1e-6);
        assert!((answer.likelihood(Class::is_toilet) - 5.0 / 16.0).abs() < 1e-6);
        assert_eq!(answer.likeliest(|_| true), Some(Class::WaterCloset));
        assert_eq!(answer.likeliest(Class::is_door), Some(Class::SwingingDoor));
        assert_eq!(answer.likeliest(|_| false), None);
        assert_eq!(Classification::from_logits(&[0.0; 12]), None);
        assert_eq!(Classification::from_logits(&[f32::NAN; 16]), None);
        assert_eq!(Classification::from_logits(&[f32::INFINITY; 16]), None);
    }

    #[test]
    fn an_invalid_box_or_an_empty_raster_is_paper() {
        let raster = PlacedRaster { pixels: &[], width: 0, height: 0, left: 0.0, top: 0.0, scale: 2.0 };
        for bbox in
            [[0.0; 4], [f32::NAN; 4], [5.0, 5.0, 1.0, 1.0], [0.0, 0.0, f32::INFINITY, 1.0], [0.0, 0.0, 9.0, 9.0]]
        {
            assert_eq!(input_for_box(&raster, bbox), vec![0.0; SIDE * SIDE]);
        }
    }
}
