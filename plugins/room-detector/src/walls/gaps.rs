//! Where walls are interrupted: between two walls in one line, and from a wall's end to a wall across it.

use crate::mask::Mask;
use crate::walls::{Axis, MAX_IN_LINE, ROUNDING, Strip};

/// Centre lines of two walls in one line differ by at most this share of the thickness. Set by hand.
const OFF_LINE: f32 = 0.3;
/// Thicknesses of two walls in one line differ by at most this share. Set by hand.
const MAX_DIFFERENCE: f32 = 0.4;
/// Distance between two places that are probed for a wall across, as a share of the thickness: a wall has two at least.
const STEP: f32 = 0.35;
/// A wall continues at its end if the place this many steps beyond it is wall: the end of a strip is not exact.
const STEPS_BEYOND: f32 = 2.0;
/// The first step at which a wall across is looked for.
const FIRST_STEP: usize = 3;
/// A strip shorter than this many times its thickness has no end that leads to a wall across. Set by hand.
const MIN_LENGTH: f32 = 2.0;

/// Where a wall is interrupted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gap {
    /// The part of the wall that is missing.
    pub(crate) strip: Strip,
    /// The walls in one line on both sides of it; `None` from a wall's end to a wall across.
    pub(crate) between: Option<[Strip; 2]>,
}

/// Most widths of gaps, in points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GapLimits {
    /// Between two walls in one line.
    pub(crate) in_line: f32,
    /// From a wall's end to a wall across.
    pub(crate) to_wall: f32,
}

/// Returns the gaps of walls along an axis.
pub(crate) fn gaps(mut walls: Vec<Strip>, axis: Axis, mask: &Mask, limits: GapLimits) -> Vec<Gap> {
    walls.sort_by(|a, b| a.middle().total_cmp(&b.middle()));
    let mut found = Vec::new();
    for (index, wall) in walls.iter().enumerate() {
        found.extend(gap_in_line(&walls, index, limits.in_line));
        if wall.length() >= MIN_LENGTH * wall.thickness() {
            for (end, sign) in [(wall.to, 1.0), (wall.from, -1.0)] {
                found.extend(gap_to_wall(wall, end, sign, axis, mask, limits.to_wall));
            }
        }
    }
    found
}

/// Returns the gap from a wall to the next one in its line. `walls` are sorted by their centre lines.
fn gap_in_line(walls: &[Strip], index: usize, widest: f32) -> Option<Gap> {
    let wall = walls.get(index)?;
    let slack = OFF_LINE * wall.thickness();
    let from = walls.partition_point(|other| other.middle() < wall.middle() - slack);
    let line = walls.iter().enumerate().skip(from);
    let next = line
        .take_while(|(_, other)| other.middle() <= wall.middle() + slack)
        .take(MAX_IN_LINE)
        .filter(|(at, other)| *at != index && other.from >= wall.to - ROUNDING)
        .map(|(_, other)| other)
        .filter(|other| (other.thickness() - wall.thickness()).abs() <= MAX_DIFFERENCE * wall.thickness())
        .min_by(|a, b| a.from.total_cmp(&b.from))?;
    let strip = Strip { from: wall.to, to: next.from, low: wall.low, high: wall.high };
    (strip.length() > 0.0 && strip.length() <= widest).then_some(Gap { strip, between: Some([*wall, *next]) })
}

/// Returns the gap from an end of a wall to the next wall across. `sign` is the direction out of the wall: 1 along the axis, -1
/// against it.
fn gap_to_wall(wall: &Strip, end: f32, sign: f32, axis: Axis, mask: &Mask, widest: f32) -> Option<Gap> {
    let step = STEP * wall.thickness();
    let is_wall = |off: f32| mask.is_wall(axis.place(end + sign * off, wall.middle()));
    if is_wall(STEPS_BEYOND * step) {
        return None;
    }
    let steps = (widest / step) as usize;
    let off = (FIRST_STEP..steps).map(|count| count as f32 * step).find(|off| is_wall(*off))?;
    let (from, to) = if sign > 0.0 { (end, end + off) } else { (end - off, end) };
    Some(Gap { strip: Strip { from, to, low: wall.low, high: wall.high }, between: None })
}

#[cfg(test)]
mod tests {
    use fanlight_contract::Rect;
    use fanlight_geometry::Frame;

    use super::*;

    fn mask() -> Mask {
        Mask::new(&Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 600.0, y2: 100.0 }, 0.0), 1.0)
    }

    fn wall(from: f32, to: f32) -> Strip {
        Strip { from, to, low: 10.0, high: 15.0 }
    }

    /// Returns the gaps as strips along the x axis.
    fn found(walls: Vec<Strip>, mask: &Mask, in_line: f32, to_wall: f32) -> Vec<(f32, f32)> {
        let gaps = gaps(walls, Axis::Horizontal, mask, GapLimits { in_line, to_wall });
        gaps.iter().map(|gap| (gap.strip.from, gap.strip.to)).collect()
    }

    #[test]
    fn a_door_is_a_gap_between_two_walls_in_line() {
        let walls = vec![wall(0.0, 50.0), wall(86.0, 200.0), wall(400.0, 500.0)];
        assert_eq!(found(walls, &mask(), 50.0, 0.0), [(50.0, 86.0)]);
    }

    #[test]
    fn walls_of_other_thickness_are_in_another_line() {
        let thick = Strip { low: 8.5, high: 16.5, ..wall(86.0, 200.0) };
        assert!(found(vec![wall(0.0, 50.0), thick], &mask(), 50.0, 0.0).is_empty());
    }

    #[test]
    fn a_gap_leads_from_an_end_to_a_wall_across() {
        let mut mask = mask();
        mask.draw(Axis::Vertical, &Strip { from: 0.0, to: 90.0, low: 91.0, high: 96.0 });
        let gaps = found(vec![wall(20.0, 50.0)], &mask, 0.0, 60.0);
        assert_eq!(gaps.len(), 1, "{gaps:?}");
        assert!(gaps[0].0 == 50.0 && (gaps[0].1 - 91.0).abs() < 2.0, "{gaps:?}");
        assert!(found(vec![wall(20.0, 50.0)], &mask, 0.0, 30.0).is_empty(), "too wide");
    }
}
