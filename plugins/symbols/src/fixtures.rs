//! Plumbing fixtures, seen from above: outlines of their size with the shapes inside that make them what they are.
//!
//! A water closet tapers from a flat end to a round one, a basin has a bowl and a drain, a tub a long bowl with the drain
//! at one end, a shower floor falls from its corners to its drain. All sizes are inches in the building, by the scale.

use fanlight_vocabulary::Rect;

use crate::doors::Scales;
use crate::drawing::Drawing;
use crate::places::Places;
use crate::plan::{Plan, extent, rect};
use crate::plane::{Extent, Point};
use crate::shapes::{self, Figure};

/// A plumbing fixture, or what may be one.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// What it is.
    pub kind: FixtureKind,
    /// Around its outline, in user space of the unrotated page.
    pub bbox: Rect,
    /// How likely it is a fixture of this kind, from 0 to 1: above 0.5 it is rather one than not.
    pub confidence: f32,
}

/// What a fixture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixtureKind {
    /// A water closet, on the floor or on the wall, with a tank or without; a squat pan too.
    Wc,
    /// A urinal.
    Urinal,
    /// A washbasin.
    Lavatory,
    /// A kitchen's, a laundry's or a janitor's sink.
    Sink,
    /// A bathtub.
    Bathtub,
    /// A shower's floor.
    Shower,
    /// Another one: a drinking fountain, a bidet. Lines alone never tell them.
    Other,
}

impl FixtureKind {
    /// Whether it is a toilet: a water closet or a urinal.
    pub fn is_toilet(self) -> bool {
        matches!(self, Self::Wc | Self::Urinal)
    }
}

/// What is surer than this is rather a fixture than not.
const LIKELY: f32 = 0.5;

impl Fixture {
    /// Whether it is rather a fixture of its kind than not: what isn't is no result, only a candidate.
    pub fn is_likely(&self) -> bool {
        self.confidence > LIKELY
    }
}

/// The smallest and the largest side of what is looked at, in inches.
const SMALLEST: f32 = 7.5;
const LARGEST: f32 = 76.0;
/// Lines longer than this are left out, in inches: those of walls, and those that no fixture has.
const LONGEST_LINES: [f32; 2] = [26.0, LARGEST];
/// Fixtures that share more than this of the smaller one's box are the same.
const SAME: f32 = 0.6;
/// What speaks for another scale than the first must outweigh the first by this.
const CLEARLY: f32 = 1.2;
/// Outlines that overlap by more than this are the same one.
const TWIN: f32 = 0.85;
/// Fixtures of a page that are kept.
const MOST_FIXTURES: usize = 5_000;
/// What is no likelier than this isn't worth keeping.
const LEAST_CONFIDENCE: f32 = 0.05;

/// A figure measured in inches, with what lies inside.
struct Outline<'a> {
    figure: &'a Figure,
    scale: f32,
    /// The longer and the shorter side, in inches.
    long: f32,
    short: f32,
    slanted: f32,
    /// Drains, taps and holes: where they lie along the longer and the shorter side, from -0.5 to 0.5.
    dots: Vec<Point>,
    /// Bowls: figures inside of a good part of its size.
    bowls: Vec<&'a Figure>,
    /// Small figures inside that are no dots: letters, for the most part.
    marks: usize,
}

/// Finds the fixtures of a plan, the likeliest first: at the first of the scales, unless water closets, which differ less in
/// size than doors do, speak clearly for another.
pub(crate) fn find(plan: &Plan, scales: &Scales) -> Vec<Fixture> {
    distinct(candidates(plan, scales))
}

/// Finds all that may be fixtures of a plan, the likeliest first: what [`find`] finds and what lies on it, each outline once.
pub(crate) fn candidates(plan: &Plan, scales: &Scales) -> Vec<Fixture> {
    let scales = match scales {
        Scales::All(scales) => return kept(scales.iter().flat_map(|&scale| at_scale(plan, scale)).collect(), is_twin),
        Scales::OneOf(scales) => scales,
    };
    let weight = |candidates: &[Fixture]| -> f32 {
        let closets = distinct(candidates.to_vec()).into_iter().filter(|fixture| fixture.kind == FixtureKind::Wc);
        closets.map(|closet| (closet.confidence - 0.5).max(0.0)).sum()
    };
    let mut best: Vec<Fixture> = Vec::new();
    let mut best_weight = 0.0;
    for &scale in scales {
        let found = kept(at_scale(plan, scale), is_twin);
        let weight = weight(&found);
        if weight > CLEARLY * best_weight || best.is_empty() {
            (best, best_weight) = (found, weight);
        }
    }
    best
}

/// Finds what may be a fixture of a plan at a scale.
fn at_scale(plan: &Plan, scale: f32) -> Vec<Fixture> {
    let mut found: Vec<(Judged, Extent)> = Vec::new();
    // A tank that touches a wall's line is found where lines as long as walls' are left out, a tub where they aren't.
    for longest_line in LONGEST_LINES {
        let figures = shapes::figures(&plan.drawing, longest_line * scale, LARGEST * scale);
        let near = Near::new(&figures, 12.0 * scale);
        for figure in &figures {
            if figure.long() <= LARGEST * scale && figure.short() >= SMALLEST * scale {
                let outline = Outline::new(figure, &near, scale);
                found.extend(outline.judged(&plan.drawing).map(|judged| (judged, figure.extent)));
                found.extend(outline.valved_closet(&near));
            }
        }
        found.extend(closets_of_two(&plan.drawing, &figures, &near, scale));
    }
    let fixture = |(judged, extent): (Judged, Extent)| Fixture {
        kind: judged.kind,
        bbox: rect(extent),
        confidence: judged.confidence,
    };
    found.into_iter().map(fixture).collect()
}

/// Of fixtures that lie on one another the likeliest, the likeliest first.
pub fn distinct(mut found: Vec<Fixture>) -> Vec<Fixture> {
    found.retain(|fixture| fixture.confidence > LEAST_CONFIDENCE);
    kept(found, is_on)
}

/// The likeliest of what is alike, the likeliest first.
fn kept(mut found: Vec<Fixture>, alike: fn(&Extent, &Extent) -> bool) -> Vec<Fixture> {
    let area = |fixture: &Fixture| extent(&fixture.bbox).area();
    found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(area(b).total_cmp(&area(a))));
    found.truncate(MOST_FIXTURES);
    let mut kept: Vec<Fixture> = Vec::new();
    for fixture in found {
        if kept.iter().all(|other| !alike(&extent(&fixture.bbox), &extent(&other.bbox))) {
            kept.push(fixture);
        }
    }
    kept
}

/// Whether one of two outlines lies on the other for the most part.
fn is_on(a: &Extent, b: &Extent) -> bool {
    a.common(b) > SAME * a.area().min(b.area()).max(0.01)
}

/// Whether two outlines are nearly the same.
fn is_twin(a: &Extent, b: &Extent) -> bool {
    a.overlap(b) > TWIN
}

#[derive(Clone, Copy, Debug)]
struct Judged {
    kind: FixtureKind,
    confidence: f32,
}

impl<'a> Outline<'a> {
    fn new(figure: &'a Figure, near: &Near<'a>, scale: f32) -> Self {
        let (long, short) = (figure.long(), figure.short());
        let mut outline = Self {
            figure,
            scale,
            long: long / scale,
            short: short / scale,
            slanted: figure.slanted,
            dots: Vec::new(),
            bowls: Vec::new(),
            marks: 0,
        };
        for other in near.within(figure.extent.grown(0.5 * scale)) {
            if std::ptr::eq(other, figure) {
                continue;
            }
            let size = other.long() / scale;
            if is_dot(other, scale) {
                let place = figure.own(other.middle);
                let (along, across) =
                    if figure.width >= figure.height { (place.x, place.y) } else { (place.y, place.x) };
                outline.dots.push(Point::new(along / long, across / short));
            } else if other.short() / scale >= 6.0 && other.extent.area() >= 0.16 * figure.extent.area() {
                outline.bowls.push(other);
            } else if (1.5..=9.0).contains(&size) {
                outline.marks += 1;
            }
        }
        outline
    }

    /// What it is likeliest to be.
    fn judged(&self, drawing: &Drawing) -> Option<Judged> {
        let all = [self.closet(drawing), self.squat_pan(), self.basin(drawing), self.bathtub(), self.shower(drawing)];
        all.into_iter().flatten().max_by(|a, b| a.confidence.total_cmp(&b.confidence))
    }

    /// How wide it is near each end of its longer side, of its shorter side.
    fn ends(&self, drawing: &Drawing) -> (f32, f32) {
        self.widths(drawing, self.figure.width >= self.figure.height)
    }

    /// From where to where it reaches across, as shares of its extent across, where it is cut at a share of its extent along.
    fn cut(&self, drawing: &Drawing, along_x: bool, share: f32) -> (f32, f32) {
        let (long, short) =
            if along_x { (self.figure.width, self.figure.height) } else { (self.figure.height, self.figure.width) };
        let at = share * long;
        let mut crossed: (f32, f32) = (f32::MAX, f32::MIN);
        for &chain in &self.figure.chains {
            let Some(chain) = drawing.chains.get(chain as usize) else { continue };
            for (a, b) in drawing.pieces(chain) {
                let (a, b) = (self.figure.own(a), self.figure.own(b));
                let (a, b) = if along_x { (a, b) } else { (Point::new(a.y, a.x), Point::new(b.y, b.x)) };
                if (a.x - at) * (b.x - at) <= 0.0 && (a.x - b.x).abs() > 1e-6 {
                    let across = a.y + (b.y - a.y) * (at - a.x) / (b.x - a.x);
                    crossed = (crossed.0.min(across), crossed.1.max(across));
                }
            }
        }
        if crossed.0 > crossed.1 { (0.0, 0.0) } else { (crossed.0 / short.max(0.01), crossed.1 / short.max(0.01)) }
    }

    /// How wide it is close to each end along its first axis (x) or its second, of its extent across.
    fn widths(&self, drawing: &Drawing, along_x: bool) -> (f32, f32) {
        let cut = |share: f32| {
            let (low, high) = self.cut(drawing, along_x, share);
            (high - low).clamp(0.0, 1.0)
        };
        (cut(-0.42), cut(0.42))
    }

    /// Whether both halves along its longer side are alike, and one end is round: what tapers like an arrow isn't.
    fn is_bowl_shaped(&self, drawing: &Drawing) -> bool {
        let along_x = self.figure.width >= self.figure.height;
        let cuts = [-0.47, -0.42, -0.25, 0.0, 0.25, 0.42, 0.47].map(|share| self.cut(drawing, along_x, share));
        let even = cuts.iter().all(|(low, high)| (low + high).abs() <= 0.14);
        let width = |index: usize| cuts.get(index).map_or(0.0, |(low, high)| high - low);
        let front = if width(1) < width(5) { [0, 1, 2, 3] } else { [6, 5, 4, 3] };
        let [tip, round, wide, middle] = front.map(width);
        even && (0.15..=0.62).contains(&tip) && (0.3..=0.76).contains(&round) && wide > round && middle >= 0.55
    }

    /// A water closet in one piece: flat at the wall, round in front.
    fn closet(&self, drawing: &Drawing) -> Option<Judged> {
        let sized = (18.5..=34.0).contains(&self.long) && (12.0..=24.5).contains(&self.short);
        let ratio = self.long / self.short;
        if !sized || !(1.12..=2.3).contains(&ratio) || !(0.22..=0.92).contains(&self.slanted) {
            return None;
        }
        let (low, high) = self.ends(drawing);
        let (round, flat) = (low.min(high), low.max(high));
        if round > 0.76 || flat < 0.55 || flat - round < 0.12 || !self.is_bowl_shaped(drawing) {
            return None;
        }
        let usual = (23.0..=31.5).contains(&self.long) && (13.0..=22.0).contains(&self.short);
        let bowl = self.bowls.iter().any(|bowl| bowl.slanted > 0.4);
        let confidence = 0.62 + 0.13 * share(usual) + 0.1 * share(bowl) + 0.08 * share(flat - round > 0.25);
        Some(Judged { kind: FixtureKind::Wc, confidence })
    }

    /// A water closet without a tank: an egg within an egg, often with the circle of its flush valve behind.
    fn valved_closet(&self, near: &Near<'_>) -> Option<(Judged, Extent)> {
        let sized = (16.0..=24.5).contains(&self.long) && (11.5..=16.5).contains(&self.short);
        let ratio = self.long / self.short;
        if !sized || !(1.18..=1.75).contains(&ratio) || self.slanted < 0.45 {
            return None;
        }
        let area = self.figure.extent.area();
        let inner = self.bowls.iter().any(|bowl| {
            bowl.slanted > 0.5
                && (0.28..=0.8).contains(&(bowl.extent.area() / area))
                && bowl.long() >= 1.1 * bowl.short()
        });
        // A basin's drain lies in its middle.
        if !inner || self.dots.iter().any(|dot| dot.x.abs() < 0.45) {
            return None;
        }
        let valve = near.around(self.figure.extent.grown(5.0 * self.scale)).into_iter().find(|dot| {
            let place = self.figure.own(dot.middle);
            let (along, across) =
                if self.figure.width >= self.figure.height { (place.x, place.y) } else { (place.y, place.x) };
            let beyond = (along.abs() - self.figure.long() / 2.0) / self.scale;
            is_dot(dot, self.scale) && (0.0..=5.0).contains(&beyond) && across.abs() <= 1.5 * self.scale
        });
        let extent = valve.map_or(self.figure.extent, |valve| self.figure.extent.joined(valve.extent));
        let confidence = if valve.is_some() { 0.88 } else { 0.66 };
        Some((Judged { kind: FixtureKind::Wc, confidence }, extent))
    }

    /// A squat pan: a rounded plate with a long slot.
    fn squat_pan(&self) -> Option<Judged> {
        let sized = (16.0..=30.0).contains(&self.long) && (9.0..=22.0).contains(&self.short);
        let slot = self.bowls.iter().any(|bowl| {
            let (long, short) = (bowl.long() / self.scale, bowl.short() / self.scale);
            let place = self.figure.own(bowl.middle);
            let centred = place.x.abs().max(place.y.abs()) <= 0.12 * self.figure.short();
            let lengthwise = long >= 0.72 * self.long
                && (bowl.extent.width() > bowl.extent.height())
                    == (self.figure.extent.width() > self.figure.extent.height());
            let slot = (11.0..=24.0).contains(&long) && (5.0..=11.0).contains(&short) && long >= 1.7 * short;
            slot && centred && lengthwise && bowl.slanted > 0.35
        });
        let pan = sized && slot && self.long >= 1.1 * self.short && (0.03..=0.7).contains(&self.slanted);
        pan.then_some(Judged { kind: FixtureKind::Wc, confidence: 0.9 })
    }

    /// A washbasin, a sink or a urinal: a bowl, a drain, taps.
    fn basin(&self, drawing: &Drawing) -> Option<Judged> {
        if !(10.0..=44.0).contains(&self.long) || !(8.0..=27.0).contains(&self.short) {
            return None;
        }
        let ratio = self.long / self.short;
        let area = self.figure.extent.area();
        let bowls = self.bowls.iter().filter(|bowl| bowl.extent.area() <= 0.96 * area).count();
        let bowled = self.bowls.iter().map(|bowl| bowl.extent.area()).fold(0.0, f32::max) / area;
        let drains = self.dots.iter().filter(|dot| dot.x.abs() <= 0.42 && dot.y.abs() <= 0.42).count();
        let central = self.dots.iter().any(|dot| dot.x.abs() <= 0.14 && dot.y.abs() <= 0.36);
        let lettered = self.marks >= 2 && bowls == 0;
        let oval = self.slanted >= 0.55 && ratio <= 1.7;
        let straight = self.slanted <= 0.2;
        let (low, high) = self.widths(drawing, true);
        let (left, right) = self.widths(drawing, false);
        let bowed = (low - high).abs().max((left - right).abs());
        // Round in front and flat at the wall.
        let rounded_front = !oval && bowed > 0.12 && self.slanted >= 0.12;
        if self.long >= 21.5 {
            // A counter is far larger than its one basin.
            let two = ratio >= 1.25 && (self.has_two_bowls() || (bowls >= 1 && self.has_two_drains()));
            let sink = straight && self.short >= 13.0 && (two || (bowled >= 0.48 && drains >= 1));
            let confidence = 0.36 + 0.08 * share(two) + 0.42 * share(drains >= 1);
            if sink {
                return Some(Judged { kind: FixtureKind::Sink, confidence });
            }
        }
        // Narrower for its length is one side of a kitchen range: two burners and their knobs.
        if self.long > 27.0 || ratio > 2.1 || lettered {
            return None;
        }
        // A circle in a circle is a column or a floor drain.
        let egg = oval && bowed > 0.06;
        // How wide it is along the wall, in inches: a urinal is narrower than a basin.
        let wide = if (low - high).abs() > (left - right).abs() { self.figure.height } else { self.figure.width };
        let narrow = wide / self.scale < 15.2 && self.long <= 19.5 && self.short <= 15.8;
        if narrow && drains <= 1 && !(central && bowls >= 1) && (rounded_front || (egg && bowls >= 1 && drains == 0)) {
            return Some(Judged { kind: FixtureKind::Urinal, confidence: 0.45 + 0.14 * share(bowls >= 1) });
        }
        let confidence = match (bowls >= 1, central || drains >= 1) {
            (true, true) if bowled >= 0.3 => 0.86,
            (true, true) => 0.4,
            (false, true) if (oval && ratio >= 1.08 && self.marks <= 2) || rounded_front => 0.78,
            (false, true) if central && straight && self.short >= 9.5 && ratio <= 2.0 => 0.68,
            (true, false) if oval || rounded_front => 0.42,
            (true, false) => 0.25,
            (false, _) if oval => 0.2,
            _ => return None,
        };
        Some(Judged { kind: FixtureKind::Lavatory, confidence })
    }

    /// Whether two bowls of about one size lie side by side.
    fn has_two_bowls(&self) -> bool {
        let area = self.figure.extent.area();
        let halves: Vec<&Extent> = self
            .bowls
            .iter()
            .map(|bowl| &bowl.extent)
            .filter(|extent| (0.16..=0.55).contains(&(extent.area() / area)))
            .collect();
        halves.iter().enumerate().any(|(index, one)| {
            halves.iter().skip(index + 1).any(|other| {
                let (small, large) = (one.area().min(other.area()), one.area().max(other.area()));
                small >= 0.5 * large && one.common(other) <= 0.05 * small
            })
        })
    }

    /// Whether two drains lie as far from the middle as one another, to its left and its right.
    fn has_two_drains(&self) -> bool {
        let aside = |dot: &&Point| (0.12..=0.38).contains(&dot.x.abs()) && dot.y.abs() <= 0.3;
        let drains: Vec<&Point> = self.dots.iter().filter(aside).collect();
        drains.iter().any(|one| drains.iter().any(|other| (one.x + other.x).abs() <= 0.06 && one.x * other.x < 0.0))
    }

    /// A bathtub: a long bowl in a rim, the drain at one end or in the middle.
    fn bathtub(&self) -> Option<Judged> {
        if !(46.0..=76.0).contains(&self.long) || !(23.0..=46.0).contains(&self.short) {
            return None;
        }
        let area = self.figure.extent.area();
        let bowl =
            self.bowls.iter().any(|bowl| bowl.slanted > 0.02 && (0.5..=0.95).contains(&(bowl.extent.area() / area)));
        let drain = self.dots.iter().any(|dot| dot.y.abs() <= 0.2 && dot.x.abs() <= 0.46);
        let oval = self.slanted >= 0.5;
        let confidence = match (bowl || oval, drain) {
            (true, true) => 0.86,
            (true, false) if oval && bowl => 0.6,
            (true, false) => 0.42,
            (false, true) => 0.4,
            _ => return None,
        };
        Some(Judged { kind: FixtureKind::Bathtub, confidence })
    }

    /// A shower: the floor falls from the corners to the drain.
    fn shower(&self, drawing: &Drawing) -> Option<Judged> {
        if !(26.0..=76.0).contains(&self.long) || !(24.0..=66.0).contains(&self.short) {
            return None;
        }
        let corner = Point::new(self.figure.width / 2.0, self.figure.height / 2.0);
        let from_corner = |point: Point| Point::new(point.x.abs() - corner.x, point.y.abs() - corner.y).length();
        let diagonal = 2.0 * corner.length();
        let inside = std::iter::once(self.figure).chain(self.bowls.iter().copied());
        let mut falls: Vec<Point> = Vec::new();
        for &chain in inside.flat_map(|figure| &figure.chains) {
            let Some(chain) = drawing.chains.get(chain as usize) else { continue };
            for (a, b) in drawing.pieces(chain) {
                let (a, b) = (self.figure.own(a), self.figure.own(b));
                let (outer, inner) = if from_corner(a) <= from_corner(b) { (a, b) } else { (b, a) };
                if from_corner(outer) <= 0.1 * diagonal
                    && from_corner(inner) >= 0.16 * diagonal
                    && outer.to(inner) >= 0.16 * diagonal
                {
                    let way = (inner - outer).unit();
                    if way.x.abs().max(way.y.abs()) < 0.985 {
                        falls.push(inner);
                    }
                }
            }
        }
        let middle = falls.iter().fold(Point::default(), |sum, point| sum + *point) * (1.0 / falls.len().max(1) as f32);
        let meet = falls.iter().filter(|point| point.to(middle) <= 5.0 * self.scale).count();
        let apart = falls.iter().any(|point| point.to(middle) >= 0.4 * self.scale);
        let drain = !self.dots.is_empty();
        // A tray with a cut or a rounded corner and nothing in it but its drain.
        let tray = (28.0..=62.0).contains(&self.long) && (27.0..=44.0).contains(&self.short) && self.dots.len() == 1;
        if tray && (0.05..=0.42).contains(&self.slanted) && self.marks <= 1 {
            return Some(Judged { kind: FixtureKind::Shower, confidence: 0.62 });
        }
        let confidence = match (meet >= 3, drain || apart) {
            (true, true) => 0.84,
            (true, false) => 0.3,
            _ => return None,
        };
        Some(Judged { kind: FixtureKind::Shower, confidence })
    }
}

/// Water closets whose tank is drawn apart from the bowl.
fn closets_of_two(drawing: &Drawing, figures: &[Figure], near: &Near<'_>, scale: f32) -> Vec<(Judged, Extent)> {
    let mut found = Vec::new();
    for bowl in figures {
        let (long, short) = (bowl.long() / scale, bowl.short() / scale);
        let round = bowl.slanted >= 0.42 && bowl.pieces >= 8;
        // A bowl with a rounded front has its inside drawn.
        let nested = || {
            near.within(bowl.extent).into_iter().any(|inner| {
                !std::ptr::eq(inner, bowl)
                    && inner.slanted > 0.06
                    && (0.3..=0.82).contains(&(inner.extent.area() / bowl.extent.area()))
            })
        };
        let rounded = !round && bowl.slanted >= 0.06 && bowl.pieces >= 8 && long >= 1.15 * short && nested();
        if !(round || rounded) || !(10.5..=25.0).contains(&long) || !(9.5..=19.0).contains(&short) {
            continue;
        }
        for tank in near.around(bowl.extent.grown(16.0 * scale)) {
            if std::ptr::eq(tank, bowl) || tank.slanted > 0.45 {
                continue;
            }
            let (tank_long, tank_short) = (tank.long() / scale, tank.short() / scale);
            if !(12.0..=26.0).contains(&tank_long) || !(3.2..=11.5).contains(&tank_short) {
                continue;
            }
            // In the tank's own axes: the bowl stands before its middle.
            let place = tank.own(bowl.middle);
            let (aside, before) = if tank.width >= tank.height { (place.x, place.y) } else { (place.y, place.x) };
            let joined = tank.extent.joined(bowl.extent);
            let (whole_long, whole_short) = (joined.long() / scale, joined.short() / scale);
            let reach = (before.abs() - tank.short() / 2.0) / scale;
            let centred = aside.abs() / scale <= 2.2;
            let gap = reach - if long > short { long / 2.0 } else { short / 2.0 };
            let whole = (18.0..=34.0).contains(&whole_long) && (12.0..=27.0).contains(&whole_short);
            let alone = Outline::new(bowl, near, scale);
            let along_x = tank.width < tank.height;
            let (low, high) = alone.widths(drawing, along_x);
            // The front, away from the tank, is round; a pipe may lead from the back to the tank.
            let back = bowl.own(tank.middle);
            let front = if (if along_x { back.x } else { back.y }) < 0.0 { high } else { low };
            if front > if rounded { 0.98 } else { 0.8 } || front < 0.3 {
                continue;
            }
            if centred && whole && whole_long >= 1.02 * whole_short && (-5.0..=4.5).contains(&gap) && reach > 3.0 {
                let usual = tank_long >= 0.95 * short && (20.0..=31.5).contains(&whole_long);
                let confidence = 0.72 + 0.14 * share(usual);
                found.push((Judged { kind: FixtureKind::Wc, confidence }, joined));
            }
        }
    }
    found
}

/// A drain, a tap or a hole: small and round.
fn is_dot(figure: &Figure, scale: f32) -> bool {
    let (long, short) = (figure.long() / scale, figure.short() / scale);
    (0.9..=5.6).contains(&long) && short >= 0.6 * long && figure.slanted >= 0.35 && figure.pieces >= 6
}

fn share(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Figures by where their middles lie.
struct Near<'a> {
    cell: f32,
    cells: Places<(i32, i32), Vec<&'a Figure>>,
}

/// Figures that are looked at in one cell: a place with more is a hatch.
const MOST_IN_CELL: usize = 200;

impl<'a> Near<'a> {
    fn new(figures: &'a [Figure], cell: f32) -> Self {
        let cell = cell.max(1.0);
        let mut cells: Places<(i32, i32), Vec<&Figure>> = Places::default();
        for figure in figures {
            let middle = figure.extent.middle();
            let key = ((middle.x / cell).floor() as i32, (middle.y / cell).floor() as i32);
            let own = cells.entry(key).or_default();
            if own.len() < MOST_IN_CELL {
                own.push(figure);
            }
        }
        Self { cell, cells }
    }

    /// The figures that lie within a box.
    fn within(&self, area: Extent) -> Vec<&'a Figure> {
        let mut found = self.around(area);
        found.retain(|figure| {
            let extent = figure.extent;
            extent.x1 >= area.x1 && extent.y1 >= area.y1 && extent.x2 <= area.x2 && extent.y2 <= area.y2
        });
        found
    }

    /// The figures whose middles lie within a box.
    fn around(&self, area: Extent) -> Vec<&'a Figure> {
        let column = |x: f32| (x / self.cell).floor() as i32;
        let mut found = Vec::new();
        for x in column(area.x1)..=column(area.x2) {
            for y in column(area.y1)..=column(area.y2) {
                let own = self.cells.get(&(x, y)).map(Vec::as_slice).unwrap_or_default();
                found.extend(own.iter().filter(|figure| area.holds(figure.extent.middle())));
            }
        }
        found
    }
}
