//! The scale that holds at a place of a sheet: by the sheet's notes, or else by the sizes of its doors.

use fanlight_contract::Rect;
use fanlight_geometry::{RectExt, median};
use fanlight_text::Page;

use super::{Scale, stated};

/// The scales of the plans of a sheet.
#[derive(Clone, Debug)]
pub struct PlanScales {
    /// Points of paper per inch of the building: the noted scale of most of the sheet or an estimate, then those of other plans
    /// on it.
    pub points_per_inch: Vec<f32>,
    /// Noted scales and their positions in the frame.
    noted: Vec<(Scale, (f32, f32))>,
    /// The boxes of the sheet's doors, in the frame.
    doors: Vec<Rect>,
}

/// Ratios of plans.
const PLANS: std::ops::RangeInclusive<f32> = 10.0..=500.0;
/// Median of the longer side of a door's box, in inches.
const MEDIAN_DOOR: f32 = 38.0;
/// Maximum difference, as a natural logarithm, between a noted scale and that of the doors which agree with it: a factor of
/// less than 2, since a sheet may be printed at half its size.
const AGREES: f32 = 0.5;
/// Minimum difference between the scales of two plans, as a natural logarithm.
const DIFFERS: f32 = 0.25;
/// Maximum number of scales of a sheet.
const MAX_SCALES: usize = 3;
/// Number of the nearest doors that decide the scale at a place.
const NEAREST: usize = 7;
/// Maximum number of doors of a sheet that is searched for plans of other scales.
const MAX_DOORS: usize = 2_000;
/// Minimum share of all doors for another plan without a note.
const MIN_SHARE: f32 = 0.12;
/// Minimum number of doors for an estimate.
const MIN_DOORS: usize = 3;
/// The scale of a sheet without notes and doors, in points of paper per inch of the building: 1/8" = 1'-0".
const DEFAULT: f32 = 0.75;

/// Minimum gap that separates phrases, in ems.
const PHRASE_GAP: f32 = 1.6;

impl PlanScales {
    /// Finds the scales of a sheet by its notes and by `doors`, the boxes of its doors in the page's frame.
    pub fn new(page: &Page, doors: &[Rect]) -> Self {
        let mut noted = Vec::new();
        for line in &page.lines {
            for phrase in line.phrases(PHRASE_GAP) {
                let Some(scale) = stated(&phrase.text()) else { continue };
                if PLANS.contains(&scale.ratio) {
                    noted.push((scale, phrase.bbox.center()));
                }
            }
        }
        let all_doors = by_doors(doors);
        // Of several noted scales those that the doors agree with hold. A sheet may be printed at half its size, and then none does.
        let agree = |points: f32, by_doors: f32| (points / by_doors).ln().abs() <= AGREES;
        let fits = |points: f32| all_doors.is_none_or(|by_doors| agree(points, by_doors));
        let fitting: Vec<f32> =
            noted.iter().map(|(scale, _)| scale.points_per_inch()).filter(|points| fits(*points)).collect();
        let Some(main) = most(&fitting) else {
            return Self { points_per_inch: unnoted(doors), noted: Vec::new(), doors: doors.to_vec() };
        };
        let mut points_per_inch = vec![main];
        for (scale, _) in &noted {
            let points = scale.points_per_inch();
            let known = points_per_inch.iter().any(|other| (points / other).ln().abs() <= DIFFERS);
            let own: Vec<Rect> =
                doors.iter().filter(|door| nearest(&noted, door.center()) == Some(*scale)).copied().collect();
            let another = !known && by_doors(&own).is_some_and(|by_doors| agree(points, by_doors));
            if another && points_per_inch.len() < MAX_SCALES {
                points_per_inch.push(points);
            }
        }
        noted.retain(|(scale, _)| {
            points_per_inch.iter().any(|points| (scale.points_per_inch() / points).ln().abs() <= 0.01)
        });
        Self { points_per_inch, noted, doors: doors.to_vec() }
    }

    /// Returns whether the plan at a position is drawn at this scale: by the doors near it, or else by the nearest note.
    pub fn holds(&self, place: (f32, f32), points_per_inch: f32) -> bool {
        if self.points_per_inch.len() < 2 {
            return true;
        }
        let here =
            by_nearest_doors(&self.doors, place).or_else(|| nearest(&self.noted, place).map(Scale::points_per_inch));
        here.is_none_or(|here| {
            let off = |points: f32| (points / here).ln().abs();
            self.points_per_inch.iter().all(|other| off(points_per_inch) <= off(*other))
        })
    }

    /// Returns the noted scale of the plan at a position: the nearest note with this scale, preferably below. `None` if there is
    /// none.
    pub fn scale_at(&self, place: (f32, f32), points_per_inch: f32) -> Option<Scale> {
        let own = |(scale, _): &&(Scale, (f32, f32))| (scale.points_per_inch() / points_per_inch).ln().abs() <= 0.01;
        let own: Vec<(Scale, (f32, f32))> = self.noted.iter().filter(own).copied().collect();
        nearest(&own, place)
    }
}

/// Returns the scales of a sheet without notes: by its doors, and by those of another plan on it.
fn unnoted(doors: &[Rect]) -> Vec<f32> {
    let Some(all) = by_doors(doors) else { return vec![DEFAULT] };
    if doors.len() > MAX_DOORS {
        return vec![all];
    }
    let local: Vec<f32> = doors.iter().filter_map(|door| by_nearest_doors(doors, door.center())).collect();
    let (others, own): (Vec<f32>, Vec<f32>) = local.iter().partition(|points| (**points / all).ln().abs() > AGREES);
    let enough = others.len() >= NEAREST && others.len() as f32 >= MIN_SHARE * doors.len() as f32;
    match (median(own), median(others)) {
        (Some(own), Some(another)) if enough => vec![own, another],
        _ => vec![all],
    }
}

/// Returns the scale at a position by the nearest doors, in points per inch.
fn by_nearest_doors(doors: &[Rect], place: (f32, f32)) -> Option<f32> {
    let mut near = doors.to_vec();
    if near.len() > NEAREST {
        near.select_nth_unstable_by(NEAREST - 1, |a, b| {
            squared_distance(a.center(), place).total_cmp(&squared_distance(b.center(), place))
        });
        near.truncate(NEAREST);
    }
    by_doors(&near)
}

fn squared_distance(a: (f32, f32), b: (f32, f32)) -> f32 {
    (a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)
}

/// Returns the scale of the nearest note.
fn nearest(noted: &[(Scale, (f32, f32))], place: (f32, f32)) -> Option<Scale> {
    let nearest = noted.iter().min_by(|(_, a), (_, b)| from_note(*a, place).total_cmp(&from_note(*b, place)));
    nearest.map(|(scale, _)| *scale)
}

/// Returns how far a place is from a note that may hold for it. Notes stand below what they hold for: one above is four times as
/// far.
fn from_note((note_x, note_y): (f32, f32), (x, y): (f32, f32)) -> f32 {
    let below = note_y - y;
    (if below >= 0.0 { below } else { -4.0 * below }) + 0.5 * (note_x - x).abs()
}

/// Returns the scale by the median door, in points per inch; `None` for few doors or an absurd result.
fn by_doors(doors: &[Rect]) -> Option<f32> {
    if doors.len() < MIN_DOORS {
        return None;
    }
    let sides = doors.iter().map(RectExt::long_side);
    median(sides.collect()).map(|side| side / MEDIAN_DOOR).filter(|points| *points > 0.05 && *points < 10.0)
}

/// Returns the most frequent value, the first of equals.
fn most(values: &[f32]) -> Option<f32> {
    let count = |value: f32| values.iter().filter(|other| (**other - value).abs() <= 0.01 * value).count();
    let largest = values.iter().map(|value| count(*value)).max()?;
    values.iter().copied().find(|value| count(*value) == largest)
}
