//! Doors without a drawn swing, identified by what is drawn in an opening and beside it.
//!
//! A pocket door is a panel that stands partly in the wall beside its opening, a surface-sliding one stands on the wall's
//! face, an overhead one closes a wide opening and has a dashed line or its dashed outline within; an accordion is a zigzag
//! from one end of the opening; a revolving door has wings that cross in the opening's middle, in a drum. Leaves that fold
//! and a leaf that stands open without its swing are hung at the opening's end: `leaves`.

mod leaves;

use crate::symbols::doors::DoorSymbol;
use crate::symbols::openings::Opening;
use crate::symbols::panels::Panelled;
use crate::symbols::plan::{Plan, covered};
use crate::symbols::plane::{Extent, Point, ordered};
use crate::symbols::swings::saturated;

/// Panels are drawn this thick, in inches.
const THICK: std::ops::RangeInclusive<f32> = 0.5..=3.2;
/// A panel on the wall's face is this far from it at most, in inches.
const OFF_FACE: f32 = 4.0;
/// Widths of openings that each kind closes, in inches.
const POCKET: std::ops::RangeInclusive<f32> = 22.0..=62.0;
const SURFACE: std::ops::RangeInclusive<f32> = 24.0..=100.0;
const OVERHEAD: std::ops::RangeInclusive<f32> = 58.0..=250.0;
const ACCORDION: std::ops::RangeInclusive<f32> = 24.0..=200.0;
const REVOLVING: std::ops::RangeInclusive<f32> = 60.0..=150.0;
/// An overhead door that is up reaches this far into the building, in inches.
const RAISED: std::ops::RangeInclusive<f32> = 60.0..=150.0;
/// Strokes in a row are a dashed line where they are so many and cover this share of it.
const LEAST_DASHES: usize = 6;
const DASHES: std::ops::RangeInclusive<f32> = 0.3..=0.85;
/// Leaves of an accordion, in inches, how many it has at least, and how many lines may look like some.
const PLEAT: std::ops::RangeInclusive<f32> = 2.5..=14.0;
const LEAST_PLEATS: usize = 4;
const MOST_PLEATS: usize = 200;
/// How far beside a wall a door's leaves are drawn, in inches, but for wings, and doors that are up.
const BESIDE: f32 = 8.0;
/// Lines of each kind around an opening that are looked at: more are a hatch.
const MOST_LINES: usize = 800;

/// Detects what closes openings of a plan; `scale` is in points of paper per inch of the building.
pub(crate) fn detect(plan: &Plan, openings: &[Opening], scale: f32) -> Vec<(DoorSymbol, Panelled)> {
    openings.iter().filter_map(|opening| Closing::look(plan, opening, scale, Look::About)?.door(plan)).collect()
}

/// A line that runs along an opening, in its own frame: from the opening's beginning, to the left of its middle line.
#[derive(Clone, Copy, Debug)]
struct Parallel {
    from: f32,
    to: f32,
    off: f32,
    dashed: bool,
}

/// A panel: a thin rectangle along an opening, in the opening's frame.
#[derive(Clone, Copy, Debug)]
struct Panel {
    from: f32,
    to: f32,
    off: f32,
    thick: f32,
}

impl Panel {
    fn long(&self) -> f32 {
        self.to - self.from
    }

    /// The length of it that lies in the opening.
    fn within(&self, width: f32) -> f32 {
        (self.to.min(width) - self.from.max(0.0)).max(0.0)
    }
}

/// Which part of a plan is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// The opening, the walls beside it, and what swings before it.
    About,
    /// What lies before the opening, as far as a door that is up reaches.
    Before,
}

/// What is drawn about an opening, in its frame.
struct Closing {
    opening: Opening,
    scale: f32,
    width: f32,
    half: f32,
    parallels: Vec<Parallel>,
    /// Neither along nor across, near the opening.
    slanted: Vec<(Point, Point)>,
    /// Not along and without gaps, where they reach the wall.
    from_wall: Vec<(Point, Point)>,
    /// Across, where they lie along the opening, and from where to where.
    crossing: Vec<(f32, f32, f32)>,
    /// Across at the opening's ends, however far they go: from and to across, `off` along the opening.
    sides: Vec<Parallel>,
}

impl Closing {
    /// None where so much is drawn that nothing is told by it.
    fn look(plan: &Plan, opening: &Opening, scale: f32, look: Look) -> Option<Self> {
        let along = (opening.b - opening.a).unit();
        let (width, half) = (opening.a.to(opening.b), opening.thick / 2.0);
        let aside = if look == Look::Before { 1.05 * RAISED.end() * scale } else { 0.6 * width };
        // Beside wider openings no panel stands.
        let has_panel = look == Look::About && width <= SURFACE.end() * scale;
        let reach = if has_panel { 1.3 * width } else { 0.65 * width };
        let (before, beyond) = (along * -reach, along * reach);
        let across = along.left() * (half + aside);
        let corners = [before + across, before - across, beyond + across, beyond - across];
        let area = Extent::bounding(corners.map(|corner| (opening.a + opening.b) * 0.5 + corner));
        let mut closing = Self {
            opening: *opening,
            scale,
            width,
            half,
            parallels: Vec::new(),
            slanted: Vec::new(),
            from_wall: Vec::new(),
            crossing: Vec::new(),
            sides: Vec::new(),
        };
        let local = |point: Point| Point::new(along.dot(point - opening.a), along.cross(point - opening.a));
        let mut found = Vec::new();
        for (_, segment) in plan.near(area, &mut found).filter(|(_, segment)| segment.inked) {
            let (a, b) = (local(segment.a), local(segment.b));
            let ((from, to), (low, high)) = (ordered(a.x, b.x), ordered(a.y, b.y));
            if to < -1.4 * width || from > 2.4 * width || low > half + aside || high < -half - aside {
                continue;
            }
            let beside = low <= half + BESIDE * scale && high >= -half - BESIDE * scale;
            let before = from >= -0.1 * width && to <= 1.1 * width;
            let is_along = high - low <= 0.03 * (to - from) + 0.05;
            if beside && !is_along && !segment.dashed {
                closing.from_wall.push((a, b));
            }
            if is_along {
                if beside || before {
                    let off = f32::midpoint(low, high);
                    closing.parallels.push(Parallel { from, to, off, dashed: segment.dashed });
                }
            } else if to - from <= 0.03 * (high - low) + 0.05 {
                let at = f32::midpoint(from, to);
                if beside {
                    closing.crossing.push((at, low, high));
                }
                if at.abs().min((at - width).abs()) <= 0.05 * width {
                    closing.sides.push(Parallel { from: low, to: high, off: at, dashed: segment.dashed });
                }
            } else if before && low >= -0.6 * width && high <= 0.6 * width {
                closing.slanted.push((a, b));
            }
        }
        let [parallels, crossing] = [closing.parallels.len(), closing.crossing.len()];
        let most = parallels.max(crossing).max(closing.slanted.len()).max(closing.from_wall.len());
        (most <= MOST_LINES).then_some(closing)
    }

    /// The likeliest of what may close the opening.
    fn door(&self, plan: &Plan) -> Option<(DoorSymbol, Panelled)> {
        let panels = self.panels();
        let ways = [
            (DoorSymbol::Revolving, self.revolving()),
            (DoorSymbol::Accordion, self.accordion()),
            (DoorSymbol::Pocket, self.pocket(&panels)),
            (DoorSymbol::Surface, self.surface(&panels)),
            (DoorSymbol::Overhead, self.overhead(plan, &panels)),
            (DoorSymbol::Folding, self.folding()),
            (DoorSymbol::Leaf, self.standing(plan)),
        ];
        let found = ways.into_iter().filter_map(|(kind, panelled)| Some((kind, panelled?)));
        found.max_by(|a, b| a.1.confidence.total_cmp(&b.1.confidence))
    }

    fn is_wide(&self, widths: &std::ops::RangeInclusive<f32>) -> bool {
        widths.contains(&(self.width / self.scale))
    }

    /// Pairs of lines of one length that make thin rectangles, as long as half the opening at least.
    fn panels(&self) -> Vec<Panel> {
        let level = 0.02 * self.width + 0.2;
        let mut lines: Vec<&Parallel> =
            self.parallels.iter().filter(|line| line.to - line.from >= 0.5 * self.width).collect();
        lines.sort_by(|a, b| a.off.total_cmp(&b.off));
        let mut panels = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let others =
                lines.iter().skip(index + 1).take_while(|other| other.off - line.off <= THICK.end() * self.scale);
            for other in others {
                let thick = other.off - line.off;
                let even = (line.from - other.from).abs().max((line.to - other.to).abs()) <= level;
                let panel = Panel { from: line.from, to: line.to, off: line.off + thick / 2.0, thick };
                if even && thick >= THICK.start() * self.scale && self.is_capped(&panel) {
                    panels.push(panel);
                    break;
                }
            }
        }
        panels
    }

    /// Whether a panel is closed at its ends, or ends at the opening's, and is not two lines that end together.
    fn is_capped(&self, panel: &Panel) -> bool {
        let near = 0.3 * panel.thick + 0.25;
        [panel.from, panel.to].into_iter().all(|end| {
            let at_end = end.abs().min((end - self.width).abs()) <= near && panel.off.abs() <= self.half;
            at_end
                || self.crossing.iter().any(|&(at, low, high)| {
                    (at - end).abs() <= near
                        && (f32::midpoint(low, high) - panel.off).abs() <= near
                        && (high - low - panel.thick).abs() <= 2.0 * near
                })
        })
    }

    /// The share of a stretch along the opening that lines cover whose distance from its middle is in a range.
    fn lined(&self, (from, to): (f32, f32), offs: std::ops::RangeInclusive<f32>) -> f32 {
        let lining = self.parallels.iter().filter(|line| offs.contains(&line.off));
        let mut covers: Vec<(f32, f32)> =
            lining.map(|line| (line.from.max(from), line.to.min(to))).filter(|(from, to)| to > from).collect();
        covered(&mut covers) / (to - from).max(0.01)
    }

    /// How much of a stretch both of the wall's faces run along.
    fn walled(&self, stretch: (f32, f32)) -> f32 {
        let by = 1.2 * self.scale + 0.3;
        let [low, high] = [-self.half, self.half].map(|face| self.lined(stretch, face - by..=face + by));
        low.min(high)
    }

    /// A place in the opening's frame, on the page.
    fn on_page(&self, place: Point) -> Point {
        let along = (self.opening.b - self.opening.a).unit();
        self.opening.a + along * place.x + along.left() * place.y
    }

    /// The opening alone, through the wall's thickness.
    fn in_wall(&self, confidence: f32) -> Panelled {
        Panelled { extent: self.opening.extent(), confidence }
    }

    /// A panel in the wall's middle that stands partly in the wall, or wholly and up to the opening; what it leaves of the
    /// opening is free.
    fn pocket(&self, panels: &[Panel]) -> Option<Panelled> {
        let width = self.width;
        if !self.is_wide(&POCKET) {
            return None;
        }
        let lined = saturated(self.walled((0.1 * width, 0.9 * width)), 0.6, 0.95);
        let parked = panels.iter().filter_map(|panel| {
            let is_before = panel.from < 0.0;
            // What of it stands in the wall, and how far it reaches from the wall's end into the opening.
            let (in_wall, reach) =
                if is_before { ((panel.from, 0.0), panel.to) } else { ((width, panel.to), width - panel.from) };
            let stands = (0.2 * width..=1.2 * width).contains(&(in_wall.1 - in_wall.0))
                && (-0.03 * width..=0.8 * width).contains(&reach);
            let inside = panel.off.abs() + panel.thick / 2.0 <= 0.85 * self.half;
            if !stands || !inside || !(0.8..=1.25).contains(&(panel.long() / width)) {
                return None;
            }
            // The wall has room for all of it.
            let room = if is_before { (-width, 0.0) } else { (width, 2.0 * width) };
            if self.walled(in_wall) < 0.85 || self.walled(room) < 0.75 {
                return None;
            }
            let free = if is_before { (reach.max(0.0), width) } else { (0.0, width - reach.max(0.0)) };
            let (margin, inner) = (0.08 * width, 0.8 * self.half);
            let taken = self.lined((free.0 + margin, free.1 - margin), -inner..=inner);
            Some(0.55 + 0.25 * saturated(reach, 0.0, 0.1 * width) - 0.4 * saturated(taken, 0.4, 0.8))
        });
        let best = parked.max_by(f32::total_cmp)?;
        Some(self.in_wall(best - 0.4 * lined))
    }

    /// A panel that stands on the wall's face, before the opening or partly beside it.
    fn surface(&self, panels: &[Panel]) -> Option<Panelled> {
        let width = self.width;
        if !self.is_wide(&SURFACE) {
            return None;
        }
        let lined = saturated(self.walled((0.1 * width, 0.9 * width)), 0.6, 0.95);
        let standing = panels.iter().filter_map(|panel| {
            let long = panel.long() / width;
            let gap = panel.off.abs() - panel.thick / 2.0 - self.half;
            let on_face = (-0.3 * self.scale - 0.2..=OFF_FACE * self.scale).contains(&gap);
            let within = panel.within(width) / width;
            // It stands half open: a closed one may as well be a threshold, a curb or a counter's edge.
            let beside = (panel.from < -0.05 * width) != (panel.to > 1.05 * width);
            (on_face && beside && (0.95..=1.45).contains(&long) && within >= 0.2).then_some(0.65)
        });
        let best = standing.max_by(f32::total_cmp)?;
        Some(self.in_wall(best - 0.2 * lined))
    }

    /// A panel or a dashed line from end to end of a wide opening, and its dashed outline inside where it is up.
    fn overhead(&self, plan: &Plan, panels: &[Panel]) -> Option<Panelled> {
        let (width, scale) = (self.width, self.scale);
        if !self.is_wide(&OVERHEAD) {
            return None;
        }
        let spans = |from: f32, to: f32| from <= 0.04 * width && to >= 0.96 * width && to - from <= 1.15 * width;
        let near = self.half + OFF_FACE * scale;
        let panel = panels.iter().any(|panel| spans(panel.from, panel.to) && panel.off.abs() <= near);
        let dashed = has_dashed(&self.parallels, 0.0..=near, spans);
        if !panel && !dashed {
            return None;
        }
        let raised = Self::look(plan, &self.opening, scale, Look::Before).is_some_and(|before| before.is_raised());
        let sum = match (panel, dashed, raised) {
            (true, true, true) => 0.9,
            (true, false, true) | (false, true, true) => 0.7,
            (true, true, false) => 0.5,
            _ => return None,
        };
        let lined = saturated(self.walled((0.1 * width, 0.9 * width)), 0.6, 0.95);
        let divided = if self.is_divided() { 0.3 } else { 0.0 };
        Some(self.in_wall(sum - 0.25 * lined - divided))
    }

    /// Whether a door that is up is drawn inside: a dashed line as long as the opening, and one from each end of the opening
    /// towards it.
    fn is_raised(&self) -> bool {
        let (width, half) = (self.width, self.half);
        let [least, most] = [RAISED.start(), RAISED.end()].map(|depth| half + depth * self.scale);
        let spans = |from: f32, to: f32| from <= 0.05 * width && to >= 0.95 * width && to - from <= 1.15 * width;
        let reaches = |from: f32, to: f32| from <= half + 0.3 * least && to >= 0.8 * least;
        // A side that goes on beyond the wall is an axis.
        let is_side = |end: f32| {
            let [left, right] =
                [1.0, -1.0].map(|side| has_dashed(&self.side(end, side, 1.05 * most), 0.0..=0.0, reaches));
            left != right
        };
        has_dashed(&self.parallels, least..=most, spans) && is_side(0.0) && is_side(width)
    }

    /// The lines across at an end of the opening that lie to one side of the wall, from its middle to as far as `most`.
    fn side(&self, end: f32, side: f32, most: f32) -> Vec<Parallel> {
        self.sides
            .iter()
            .filter(|line| (line.off - end).abs() <= 0.05 * self.width)
            .map(|line| (side * line.from, side * line.to, line.dashed))
            .map(|(a, b, dashed)| Parallel { from: a.min(b), to: a.max(b), off: 0.0, dashed })
            .filter(|line| line.to >= 0.0 && line.to <= most)
            .collect()
    }

    /// Whether posts divide the opening, as a window's do.
    fn is_divided(&self) -> bool {
        let inner = 0.1 * self.width..=0.9 * self.width;
        let mut posts: Vec<f32> = self
            .crossing
            .iter()
            .filter(|(at, low, high)| inner.contains(at) && *low >= -1.1 * self.half && *high <= 1.1 * self.half)
            .map(|(at, ..)| *at)
            .collect();
        posts.sort_by(f32::total_cmp);
        posts.dedup_by(|a, b| *a - *b <= 0.03 * self.width);
        posts.len() >= 2
    }

    /// A zigzag along the opening from one of its ends.
    fn accordion(&self) -> Option<Panelled> {
        if !self.is_wide(&ACCORDION) {
            return None;
        }
        let aside = self.half + 6.0 * self.scale;
        let pleats: Vec<(Point, Point)> = self
            .slanted
            .iter()
            .filter(|(a, b)| PLEAT.contains(&(a.to(*b) / self.scale)) && a.y.abs().max(b.y.abs()) <= aside)
            .map(|(a, b)| if a.x <= b.x { (*a, *b) } else { (*b, *a) })
            .collect();
        if !(LEAST_PLEATS..=MOST_PLEATS).contains(&pleats.len()) {
            return None;
        }
        let mut sorted = pleats;
        sorted.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
        let touching = 0.15 * self.scale + 0.2;
        let mut best: Vec<(Point, Point)> = Vec::new();
        for first in 0..sorted.len() {
            let mut run: Vec<(Point, Point)> = sorted.get(first).copied().into_iter().collect();
            for next in sorted.iter().skip(first + 1) {
                let Some(last) = run.last() else { break };
                let alike = (0.6..=1.6).contains(&(next.0.to(next.1) / last.0.to(last.1).max(0.01)));
                let turns = (next.1.y - next.0.y) * (last.1.y - last.0.y) < 0.0;
                if next.0.to(last.1) <= touching && alike && turns {
                    run.push(*next);
                }
            }
            if run.len() > best.len() {
                best = run;
            }
            if best.len() * 2 > sorted.len() {
                break;
            }
        }
        let (start, end) = (best.first()?.0.x, best.last()?.1.x);
        let share = (end - start) / self.width;
        let at_end = start.abs().min((self.width - end).abs()) <= 0.06 * self.width;
        // Among as many other strokes it is a hatch's, or chance's.
        let about = sorted.iter().filter(|(a, b)| a.x >= start && b.x <= end).count();
        if best.len() < LEAST_PLEATS || share < 0.3 || !at_end || 2 * best.len() < about {
            return None;
        }
        let Panelled { extent, .. } = self.in_wall(0.0);
        let extent =
            best.iter().flat_map(|(a, b)| [*a, *b]).map(|point| self.on_page(point)).fold(extent, Extent::with);
        let confidence = 0.55 + 0.2 * saturated(best.len() as f32, 4.0, 7.0) + 0.15 * saturated(share, 0.4, 0.7);
        Some(Panelled { extent, confidence })
    }

    /// Three wings or four from the opening's middle, in a drum.
    fn revolving(&self) -> Option<Panelled> {
        if !self.is_wide(&REVOLVING) {
            return None;
        }
        let (radius, middle) = (self.width / 2.0, Point::new(self.width / 2.0, 0.0));
        let straight =
            self.parallels.iter().map(|line| (Point::new(line.from, line.off), Point::new(line.to, line.off)));
        let across = self.crossing.iter().map(|&(at, low, high)| (Point::new(at, low), Point::new(at, high)));
        let lines: Vec<(Point, Point)> = self.slanted.iter().copied().chain(straight).chain(across).collect();
        let mut wings: Vec<f32> = Vec::new();
        let mut drum = [false; 24];
        for (a, b) in lines {
            for (near, far) in [(a, b), (b, a)] {
                let (from, to) = (near.to(middle), far.to(middle));
                let is_radial = (near - middle).cross((far - middle).unit()).abs() <= 0.08 * radius;
                if from <= 0.15 * radius && (0.75..=1.06).contains(&(to / radius)) && is_radial {
                    wings.push((far - middle).angle());
                }
            }
            let (from, to) = (a.to(middle) / radius, b.to(middle) / radius);
            let round = ((a + b) * 0.5 - middle).unit().dot((b - a).unit()).abs() <= 0.2;
            if (0.85..=1.12).contains(&from) && (0.85..=1.12).contains(&to) && round && a.to(b) <= 0.6 * radius {
                let angle = ((a + b) * 0.5 - middle).angle().rem_euclid(std::f32::consts::TAU);
                let place = (angle / std::f32::consts::TAU * drum.len() as f32) as usize % drum.len();
                if let Some(drawn) = drum.get_mut(place) {
                    *drawn = true;
                }
            }
        }
        let share = drum.iter().filter(|drawn| **drawn).count() as f32 / drum.len() as f32;
        if !are_even(&mut wings) || share < 0.3 {
            return None;
        }
        let along = (self.opening.b - self.opening.a).unit();
        let centre = self.opening.a + along * radius;
        let Panelled { extent, .. } = self.in_wall(0.0);
        let extent = extent.joined(Extent::bounding([centre]).grown(radius));
        Some(Panelled { extent, confidence: 0.7 + 0.27 * saturated(share, 0.3, 0.45) })
    }
}

/// Whether angles are three or four, and the same turn lies between each and the next.
fn are_even(angles: &mut Vec<f32>) -> bool {
    angles.sort_by(f32::total_cmp);
    angles.dedup_by(|a, b| (*a - *b).abs() < 0.25);
    let (Some(first), Some(last)) = (angles.first(), angles.last()) else { return false };
    if last - first > std::f32::consts::TAU - 0.25 {
        angles.pop();
    }
    let turn = std::f32::consts::TAU / angles.len().max(1) as f32;
    let even = angles.windows(2).all(|pair| (pair[1] - pair[0] - turn).abs() <= 0.25);
    (3..=4).contains(&angles.len()) && even
}

/// Whether one of some lines is dashed, drawn in dashes or in many strokes in a row, lies this far aside, and spans what it
/// should.
fn has_dashed(lines: &[Parallel], offs: std::ops::RangeInclusive<f32>, spans: impl Fn(f32, f32) -> bool) -> bool {
    let mut strokes: Vec<&Parallel> = lines.iter().filter(|line| offs.contains(&line.off.abs())).collect();
    if strokes.iter().any(|line| line.dashed && spans(line.from, line.to)) {
        return true;
    }
    strokes.sort_by(|a, b| a.off.total_cmp(&b.off));
    strokes.chunk_by(|a, b| b.off - a.off <= 0.15).any(|row| {
        let from = row.iter().map(|line| line.from).fold(f32::MAX, f32::min);
        let to = row.iter().map(|line| line.to).fold(f32::MIN, f32::max);
        let mut covers: Vec<(f32, f32)> = row.iter().map(|line| (line.from, line.to)).collect();
        let share = covered(&mut covers) / (to - from).max(0.01);
        let longest = row.iter().map(|line| line.to - line.from).fold(0.0, f32::max);
        row.len() >= LEAST_DASHES && longest <= 0.2 * (to - from) && spans(from, to) && DASHES.contains(&share)
    })
}
