//! What the network that judges symbols looks at, and what its answers mean.
//!
//! Training and serving cut their crops here, so both see the same pixels: a square around a box, the box's longer side
//! [`SHARE`] of the square's, [`SIDE`] by [`SIDE`] cells of ink from 0 (paper) to 1, however large the box is on the page
//! and however fine its picture.

/// Cells along a side of a crop.
pub const SIDE: usize = 64;

/// The share of a crop's side that a box's longer side takes.
pub const SHARE: f32 = 0.6;

/// What a crop may show, in the order of the network's first outputs; it has 16 outputs, the last ones mean nothing.
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

/// What a crop shows in the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Nothing that is looked for, or only a part of it.
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
    /// Whether the class is a kind of door.
    pub fn is_door(self) -> bool {
        matches!(self, Self::SwingingDoor | Self::DoubleDoor | Self::SlidingDoor | Self::OtherDoor)
    }

    /// Whether the class is a kind of toilet: a water closet, a squat pan or a urinal.
    pub fn is_toilet(self) -> bool {
        matches!(self, Self::WaterCloset | Self::SquatPan | Self::Urinal)
    }

    /// Whether the class is a kind of fixture, toilets among them.
    pub fn is_fixture(self) -> bool {
        !self.is_door() && self != Self::Nothing
    }
}

/// What the network says of a crop: for each of [`CLASSES`], how likely it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer([f32; CLASSES.len()]);

impl Answer {
    /// Reads the network's outputs, of which there are at least as many as classes; their softmax is calibrated. None where
    /// there are too few or they are no numbers.
    pub fn of(outputs: &[f32]) -> Option<Self> {
        let outputs: [f32; CLASSES.len()] = outputs.get(..CLASSES.len())?.try_into().ok()?;
        let highest = outputs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        if !highest.is_finite() || outputs.iter().any(|output| output.is_nan()) {
            return None;
        }
        let powers = outputs.map(|output| (output - highest).exp());
        let sum: f32 = powers.iter().sum();
        Some(Self(powers.map(|power| power / sum)))
    }

    /// How likely the crop shows one of the classes for which `belongs` holds: [`Class::is_door`], say.
    pub fn likelihood(&self, belongs: impl Fn(Class) -> bool) -> f32 {
        CLASSES.iter().zip(self.0).filter(|(class, _)| belongs(**class)).map(|(_, likely)| likely).sum()
    }

    /// The likeliest of the classes for which `belongs` holds.
    pub fn likeliest(&self, belongs: impl Fn(Class) -> bool) -> Option<Class> {
        let those = CLASSES.iter().zip(self.0).filter(|(class, _)| belongs(**class));
        those.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(class, _)| *class)
    }
}

/// A grey picture of a part of a page.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// One byte a pixel, 0 is black, rows from the top.
    pub pixels: &'a [u8],
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The picture's left and upper edges in user space, in points.
    pub left: f32,
    /// See [`Self::left`].
    pub top: f32,
    /// Pixels of a point.
    pub scale: f32,
}

/// The square of the page that the crop for a box shows, as x1, y1, x2, y2 in points; what the box is in.
pub fn square([x1, y1, x2, y2]: [f32; 4]) -> [f32; 4] {
    let half = (x2 - x1).max(y2 - y1) / SHARE / 2.0;
    let (x, y) = (f32::midpoint(x1, x2), f32::midpoint(y1, y2));
    [x - half, y - half, x + half, y + half]
}

/// Cuts the crop for a box: [`SIDE`] rows of [`SIDE`] cells, the first one the page's upper one. What lies beside the
/// picture is paper. A cell holds the square root of the share of ink in its part of the page, which makes thin and grey lines
/// show beside heavy ones. A box that is no box gives paper.
pub fn cut(picture: &Picture<'_>, bbox: [f32; 4]) -> Vec<f32> {
    let mut crop = vec![0.0; SIDE * SIDE];
    let [x1, y1, x2, y2] = square(bbox);
    if !(x2 > x1 && y2 > y1 && (x2 - x1).is_finite() && (y2 - y1).is_finite()) {
        return crop;
    }
    // Edges of the cells in pixels.
    let step = (x2 - x1) * picture.scale / SIDE as f32;
    let (left, top) = ((x1 - picture.left) * picture.scale, (picture.top - y2) * picture.scale);
    let columns: Vec<Vec<(usize, f32)>> =
        (0..SIDE).map(|cell| covered(left + step * cell as f32, step, picture.width)).collect();
    for row in 0..SIDE {
        let rows = covered(top + step * row as f32, step, picture.height);
        for (column, across) in columns.iter().enumerate() {
            let mut ink = 0.0;
            for &(y, high) in &rows {
                for &(x, wide) in across {
                    let grey = picture.pixels.get(y * picture.width + x).copied().unwrap_or(u8::MAX);
                    ink += high * wide * (1.0 - f32::from(grey) / 255.0);
                }
            }
            crop[row * SIDE + column] = (ink / (step * step)).clamp(0.0, 1.0).sqrt();
        }
    }
    crop
}

/// The pixels that a stretch covers, each with how much of it.
fn covered(from: f32, length: f32, count: usize) -> Vec<(usize, f32)> {
    let to = (from + length).min(count as f32);
    let from = from.max(0.0);
    if to <= from {
        return Vec::new();
    }
    (from as usize..(to.ceil() as usize).min(count))
        .map(|pixel| (pixel, to.min(pixel as f32 + 1.0) - from.max(pixel as f32)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of 40 x 40 points with a black square in it, 10 to 30 points from the left, 5 to 25 from the bottom.
    fn pixels(scale: usize) -> Vec<u8> {
        let side = 40 * scale;
        let black = |x: usize, y: usize| (10..30).contains(&(x / scale)) && (15..35).contains(&(y / scale));
        (0..side * side).map(|at| if black(at % side, at / side) { 0 } else { 255 }).collect()
    }

    #[test]
    fn a_crop_looks_the_same_at_any_resolution() {
        let crop = |scale: usize| {
            let picture = Picture {
                pixels: &pixels(scale),
                width: 40 * scale,
                height: 40 * scale,
                left: 0.0,
                top: 40.0,
                scale: scale as f32,
            };
            cut(&picture, [10.0, 5.0, 30.0, 25.0])
        };
        let ink: f32 = crop(4).iter().sum::<f32>() / (SIDE * SIDE) as f32;
        assert!((ink - SHARE * SHARE).abs() < 0.02, "{ink}");
        assert_eq!(crop(4)[SIDE * SIDE / 2 + SIDE / 2], 1.0);
        assert_eq!(crop(4)[0], 0.0);
        for (a, b) in crop(1).into_iter().zip(crop(8)) {
            assert!((a - b).abs() < 0.3, "{a} {b}");
        }
    }

    #[test]
    fn answers_are_likelihoods() {
        let mut outputs = [0.0; 16];
        outputs[5] = 3.0_f32.ln();
        outputs[1] = 2.0_f32.ln();
        let answer = Answer::of(&outputs).unwrap();
        // One part for each of eleven classes, two for the swinging door, three for the water closet.
        assert!((answer.likelihood(|_| true) - 1.0).abs() < 1e-6);
        assert!((answer.likelihood(Class::is_door) - 5.0 / 16.0).abs() < 1e-6);
        assert!((answer.likelihood(Class::is_toilet) - 5.0 / 16.0).abs() < 1e-6);
        assert_eq!(answer.likeliest(|_| true), Some(Class::WaterCloset));
        assert_eq!(answer.likeliest(Class::is_door), Some(Class::SwingingDoor));
        assert_eq!(answer.likeliest(|_| false), None);
        assert_eq!(Answer::of(&[0.0; 12]), None);
        assert_eq!(Answer::of(&[f32::NAN; 16]), None);
        assert_eq!(Answer::of(&[f32::INFINITY; 16]), None);
    }

    #[test]
    fn no_box_and_no_picture_are_paper() {
        let picture = Picture { pixels: &[], width: 0, height: 0, left: 0.0, top: 0.0, scale: 2.0 };
        for bbox in
            [[0.0; 4], [f32::NAN; 4], [5.0, 5.0, 1.0, 1.0], [0.0, 0.0, f32::INFINITY, 1.0], [0.0, 0.0, 9.0, 9.0]]
        {
            assert_eq!(cut(&picture, bbox), vec![0.0; SIDE * SIDE]);
        }
    }
}
