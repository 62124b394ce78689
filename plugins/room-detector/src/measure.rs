//! How large the building is on paper: by the sheet's own notes, else by its doors.

use fanlight_layout::Page;
use fanlight_scale::{Note, Scale};
use fanlight_vocabulary::Rect;

/// The scales of a sheet.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    /// Points of paper for an inch of the building: the noted scale of most of the sheet, or an estimate.
    pub(crate) points_per_inch: f32,
    /// Noted scales and where they stand in the frame.
    noted: Vec<(Scale, (f32, f32))>,
}

/// Plans are drawn at 1:10 at the largest and 1:500 at the smallest.
const PLANS: (f32, f32) = (10.0, 500.0);
/// The longer side of half of all doors' boxes is no longer than this, in inches.
const DOOR: f32 = 38.0;
/// Logarithm of how far off the doors' size may be: less than by half.
const AGREES: f32 = 0.5;
/// Fewer doors than this say nothing.
const FEW_DOORS: usize = 3;
/// 1/8" = 1'-0", where nothing tells.
const USUAL: f32 = 0.75;

impl Measure {
    pub(crate) fn of(page: &Page, doors: &[Rect]) -> Self {
        let mut noted = Vec::new();
        for line in &page.lines {
            for phrase in line.phrases(1.6) {
                let text = phrase.text();
                if text.chars().count() > 80 {
                    continue;
                }
                let Some(scale) = Note::find(&text).and_then(|note| note.scale) else { continue };
                if (PLANS.0..=PLANS.1).contains(&scale.ratio) {
                    let bbox = phrase.bbox;
                    noted.push((scale, (f32::midpoint(bbox.x1, bbox.x2), f32::midpoint(bbox.y1, bbox.y2))));
                }
            }
        }
        let by_doors = by_doors(doors);
        // Of several noted scales the one that the doors agree with; a sheet may be printed at half its size, and then
        // none does.
        let fits = |points: f32| by_doors.is_none_or(|other| (points / other).ln().abs() <= AGREES);
        let fitting: Vec<f32> =
            noted.iter().map(|(scale, _)| scale.points_per_inch()).filter(|points| fits(*points)).collect();
        let points_per_inch = most(&fitting).or(by_doors).unwrap_or(USUAL);
        if fitting.is_empty() {
            noted.clear();
        }
        Self { points_per_inch, noted }
    }

    /// The scale of the plan at a place: the only one that is noted, else that of the nearest note below.
    pub(crate) fn scale_at(&self, (x, y): (f32, f32)) -> Option<Scale> {
        let away = |(_, at): &&(Scale, (f32, f32))| {
            let below = at.1 - y;
            (if below >= 0.0 { below } else { -4.0 * below }) + 0.5 * (at.0 - x).abs()
        };
        self.noted.iter().min_by(|a, b| away(a).total_cmp(&away(b))).map(|(scale, _)| *scale)
    }
}

/// By the middle door of all.
fn by_doors(doors: &[Rect]) -> Option<f32> {
    if doors.len() < FEW_DOORS {
        return None;
    }
    let mut sides: Vec<f32> = doors.iter().map(|door| (door.x2 - door.x1).max(door.y2 - door.y1)).collect();
    sides.sort_by(f32::total_cmp);
    sides.get(sides.len() / 2).map(|side| side / DOOR).filter(|points| *points > 0.05 && *points < 10.0)
}

/// The commonest, the first of equals.
fn most(values: &[f32]) -> Option<f32> {
    let count = |value: f32| values.iter().filter(|other| (**other - value).abs() <= 0.01 * value).count();
    let largest = values.iter().map(|value| count(*value)).max()?;
    values.iter().copied().find(|value| count(*value) == largest)
}
