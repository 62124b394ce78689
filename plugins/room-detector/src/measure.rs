//! The scales of a sheet, by its notes or else by its doors.

use fanlight_contract::Rect;
use fanlight_geometry::{RectExt, median};
use fanlight_sheet::scale::{Note, Scale};
use fanlight_text::Page;

/// The scales of a sheet.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    /// Points of paper per inch of the building: the noted scale of most of the sheet or an estimate, then those of other
    /// plans on it.
    pub(crate) points_per_inch: Vec<f32>,
    /// Noted scales with their places in the frame.
    noted: Vec<(Scale, (f32, f32))>,
    doors: Vec<Rect>,
}

/// Range of plans' scales: 1:10 to 1:500.
const PLANS: (f32, f32) = (10.0, 500.0);
/// The longer side of half of all doors' boxes is no longer than this, in inches.
const DOOR: f32 = 38.0;
/// Logarithm of how far off the doors' size may be: less than by half.
const AGREES: f32 = 0.5;
/// Logarithm of how far apart the scales of two plans are at least.
const DIFFERS: f32 = 0.25;
/// Most scales of plans on one sheet.
const MOST_SCALES: usize = 3;
/// Number of nearest doors that determine the scale of a place.
const NEAREST: usize = 7;
/// Most doors of a sheet that are examined for plans of other scales.
const MOST_DOORS: usize = 2_000;
/// Another plan that no note tells of has this share of all doors at least.
const SHARE: f32 = 0.12;
/// Least doors for an estimate.
const FEW_DOORS: usize = 3;
/// The default: 1/8" = 1'-0".
const USUAL: f32 = 0.75;

impl Measure {
    pub(crate) fn new(page: &Page, doors: &[Rect]) -> Self {
        let mut noted = Vec::new();
        for line in &page.lines {
            for phrase in line.phrases(1.6) {
                let text = phrase.text();
                if text.chars().count() > 80 {
                    continue;
                }
                let Some(scale) = Note::find(&text).and_then(|note| note.scale) else { continue };
                if (PLANS.0..=PLANS.1).contains(&scale.ratio) {
                    noted.push((scale, phrase.bbox.center()));
                }
            }
        }
        let all_doors = by_doors(doors);
        // Of several noted scales the one that the doors agree with; a sheet may be printed at half its size, and then
        // none does.
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
            if another && points_per_inch.len() < MOST_SCALES {
                points_per_inch.push(points);
            }
        }
        noted.retain(|(scale, _)| {
            points_per_inch.iter().any(|points| (scale.points_per_inch() / points).ln().abs() <= 0.01)
        });
        Self { points_per_inch, noted, doors: doors.to_vec() }
    }

    /// Whether the plan at a place is drawn with so many points an inch: as its doors tell, else the nearest note.
    pub(crate) fn holds(&self, place: (f32, f32), points_per_inch: f32) -> bool {
        if self.points_per_inch.len() < 2 {
            return true;
        }
        let here = about(&self.doors, place).or_else(|| nearest(&self.noted, place).map(Scale::points_per_inch));
        here.is_none_or(|here| {
            let off = |points: f32| (points / here).ln().abs();
            self.points_per_inch.iter().all(|other| off(points_per_inch) <= off(*other))
        })
    }

    /// The noted scale of the plan at a place, of those with so many points an inch the nearest below.
    pub(crate) fn scale_at(&self, place: (f32, f32), points_per_inch: f32) -> Option<Scale> {
        let own = |(scale, _): &&(Scale, (f32, f32))| (scale.points_per_inch() / points_per_inch).ln().abs() <= 0.01;
        let own: Vec<(Scale, (f32, f32))> = self.noted.iter().filter(own).copied().collect();
        nearest(&own, place)
    }
}

/// The scales of a sheet that says none: by its doors, and by those of another plan on it.
fn unnoted(doors: &[Rect]) -> Vec<f32> {
    let Some(all) = by_doors(doors) else { return vec![USUAL] };
    if doors.len() > MOST_DOORS {
        return vec![all];
    }
    let local: Vec<f32> = doors.iter().filter_map(|door| about(doors, door.center())).collect();
    let (others, own): (Vec<f32>, Vec<f32>) = local.iter().partition(|points| (**points / all).ln().abs() > AGREES);
    let enough = others.len() >= NEAREST && others.len() as f32 >= SHARE * doors.len() as f32;
    match (median(own), median(others)) {
        (Some(own), Some(another)) if enough => vec![own, another],
        _ => vec![all],
    }
}

/// Points for an inch of the building about a place, by the doors nearest to it.
fn about(doors: &[Rect], (x, y): (f32, f32)) -> Option<f32> {
    let away = |door: &Rect| {
        let (across, along) = door.center();
        (across - x).powi(2) + (along - y).powi(2)
    };
    let mut near = doors.to_vec();
    if near.len() > NEAREST {
        near.select_nth_unstable_by(NEAREST - 1, |a, b| away(a).total_cmp(&away(b)));
        near.truncate(NEAREST);
    }
    by_doors(&near)
}

fn nearest(noted: &[(Scale, (f32, f32))], (x, y): (f32, f32)) -> Option<Scale> {
    let away = |(_, at): &&(Scale, (f32, f32))| {
        let below = at.1 - y;
        (if below >= 0.0 { below } else { -4.0 * below }) + 0.5 * (at.0 - x).abs()
    };
    noted.iter().min_by(|a, b| away(a).total_cmp(&away(b))).map(|(scale, _)| *scale)
}

/// By the middle door of all.
fn by_doors(doors: &[Rect]) -> Option<f32> {
    if doors.len() < FEW_DOORS {
        return None;
    }
    let sides = doors.iter().map(RectExt::long_side);
    median(sides.collect()).map(|side| side / DOOR).filter(|points| *points > 0.05 && *points < 10.0)
}

/// The commonest, the first of equals.
fn most(values: &[f32]) -> Option<f32> {
    let count = |value: f32| values.iter().filter(|other| (**other - value).abs() <= 0.01 * value).count();
    let largest = values.iter().map(|value| count(*value)).max()?;
    values.iter().copied().find(|value| count(*value) == largest)
}
