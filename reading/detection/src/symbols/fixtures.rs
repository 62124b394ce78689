//! Plumbing fixtures, seen from above: outlines of their size with the shapes inside that make them what they are.
//!
//! A water closet tapers from a flat end to a round one, a basin has a bowl and a drain, a tub a long bowl with the drain
//! at one end, a shower floor falls from its corners to its drain. All sizes are inches in the building, by the scale.
//!
//! - `outline`: a figure in inches, with the shapes inside;
//! - `closets`, `basins`, `bathing`: its most likely kind;
//! - `falls`: shower floors without an outline.

mod basins;
mod bathing;
mod closets;
mod falls;
mod outline;

use fanlight_contract::Rect;

use crate::symbols::doors::Scales;
use crate::symbols::fixtures::basins::{pairs, tapped};
use crate::symbols::fixtures::closets::closets_of_two;
use crate::symbols::fixtures::falls::falling_floors;
use crate::symbols::fixtures::outline::{Near, Outline, Scored};
use crate::symbols::places::Grid;
use crate::symbols::plan::{Plan, extent, rect};
use crate::symbols::plane::Extent;
use crate::symbols::shapes;

/// A plumbing fixture candidate.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// What it is.
    pub kind: FixtureKind,
    /// Box around its outline, in user space of the unrotated page.
    pub bbox: Rect,
    /// Probability, from 0 to 1, that it is a fixture of this kind.
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
    /// A drinking fountain or a bidet.
    Other,
}

impl FixtureKind {
    /// Whether it is a toilet: a water closet or a urinal.
    pub fn is_toilet(self) -> bool {
        matches!(self, Self::Wc | Self::Urinal)
    }
}

/// Candidates above this confidence are results.
const LIKELY: f32 = 0.5;

impl Fixture {
    /// Whether it is a result and not only a candidate.
    pub fn is_likely(&self) -> bool {
        self.confidence > LIKELY
    }
}

/// The smallest and the largest side of what is looked at, in inches.
const SMALLEST: f32 = 7.5;
const LARGEST: f32 = 86.0;
/// Parts of a figure whose shorter side is longer than this, in inches, may be trays that share an edge.
const LEAST_TRAY: f32 = 26.0;
/// Lines longer than this are left out, in inches: those of walls, and those that no fixture has.
const LONGEST_LINES: [f32; 2] = [26.0, LARGEST];
/// Fixtures that share more than this of the smaller one's box are the same.
const SAME: f32 = 0.6;
/// A likely fixture is a part of one around it whose odds are no less than this share of its own, and that holds this share
/// of its area.
const PART_FOR_WHOLE: f32 = 0.1;
const INSIDE: f32 = 0.9;
/// A whole of the same kind, and one of another, is no more than so many times as large as its part: what is larger is the
/// counter or the stall that it is in. A tub or a tray is a part of its rim alone.
const LARGEST_WHOLE: f32 = 4.0;
const LARGEST_OTHER: f32 = 2.3;
const LARGEST_RIM: f32 = 1.6;
/// The odds of an outline that words fill, to those of the same one without, and where it has a drain.
const LETTERED: f32 = 0.1;
const LETTERED_WITH_DRAIN: f32 = 0.25;
/// What lies in walls with this share of its box is made of their lines, and its odds are less by a factor; what lies in a
/// dark area wholly stands on a floor that is shaded.
const IN_WALLS: std::ops::Range<f32> = 0.33..0.98;
const WALLED: f32 = 0.05;
/// What is painted black by this share of its box is made of letters, and its odds are less by a factor.
const LEAST_INK: f32 = 0.2;
const INKED: f32 = 0.05;
/// The evidence for another scale than the first must be larger by this factor.
const CLEARLY: f32 = 1.2;
/// Outlines that overlap by more than this are the same one.
const TWIN: f32 = 0.85;
/// Letters of one place that are kept.
const MOST_LETTERS: u32 = 64;
/// Fixtures of a page that are kept.
const MOST_FIXTURES: usize = 5_000;
/// What is no likelier than this isn't worth keeping.
const LEAST_CONFIDENCE: f32 = 0.05;

/// Detects the fixtures of a plan, the most confident first.
///
/// The first scale is taken unless water closets, whose sizes differ less than doors', are clear evidence for another.
pub(crate) fn detect(plan: &Plan, scales: &Scales) -> Vec<Fixture> {
    non_maximum_suppression(candidates(plan, scales))
}

/// Detects the fixtures of a plan including overlapping candidates, each outline once, the most confident first.
pub(crate) fn candidates(plan: &Plan, scales: &Scales) -> Vec<Fixture> {
    let scales = match scales {
        Scales::All(scales) => {
            return most_confident(scales.iter().flat_map(|&scale| at_scale(plan, scale)).collect(), is_twin);
        }
        Scales::OneOf(scales) => scales,
    };
    let evidence = |candidates: &[Fixture]| -> f32 {
        let closets =
            non_maximum_suppression(candidates.to_vec()).into_iter().filter(|fixture| fixture.kind == FixtureKind::Wc);
        closets.map(|closet| (closet.confidence - 0.5).max(0.0)).sum()
    };
    let mut best: Vec<Fixture> = Vec::new();
    let mut best_evidence = 0.0;
    for &scale in scales {
        let found = most_confident(at_scale(plan, scale), is_twin);
        let evidence = evidence(&found);
        if evidence > CLEARLY * best_evidence || best.is_empty() {
            (best, best_evidence) = (found, evidence);
        }
    }
    best
}

/// Detects fixture candidates at a scale.
fn at_scale(plan: &Plan, scale: f32) -> Vec<Fixture> {
    let mut found: Vec<(Scored, Extent)> = Vec::new();
    let mut letters = Grid::new((12.0 * scale).max(1.0), MOST_LETTERS);
    // A tank that touches a wall's line is found where lines as long as walls' are left out, a tub where they aren't.
    for longest_line in LONGEST_LINES {
        let figures = shapes::figures(&plan.drawing, longest_line * scale, LARGEST * scale);
        let near = Near::new(&figures, 12.0 * scale);
        for figure in &figures {
            let is_candidate = !figure.is_part || figure.short() >= LEAST_TRAY * scale;
            if is_candidate && figure.long() <= LARGEST * scale && figure.short() >= SMALLEST * scale {
                let outline = Outline::new(figure, &near, scale);
                let alone = outline.score(&plan.drawing).map(|scored| (scored, figure.extent));
                if alone.is_some() && outline.is_letter(&near) {
                    letters.add(figure.extent.middle(), figure.extent);
                    continue;
                }
                // A tag by itself has words and nothing else; one over a fixture may have its drain in it, and hides it.
                let is_lettered = plan.lettering.fills(figure.extent) || outline.is_in_mark(&near);
                let factor = |kind: FixtureKind| match (is_lettered, outline.dots.is_empty()) {
                    (true, true) => LETTERED,
                    (true, false) if kind != FixtureKind::Wc => LETTERED_WITH_DRAIN,
                    _ => 1.0,
                };
                let both = alone.into_iter().chain(outline.valved_closet(&near));
                found.extend(both.map(|(scored, extent)| (scored.discounted(factor(scored.kind)), extent)));
            }
        }
        found.extend(closets_of_two(&plan.drawing, &figures, &near, scale));
        found.extend(pairs(&figures, &near, scale));
        found.extend(tapped(&figures, &near, scale));
        found.extend(falling_floors(&plan.drawing, &figures, scale));
    }
    // Where long lines are left out, a letter has lost others of its word.
    found.retain(|(_, extent)| !letters.near(*extent).any(|letter| is_twin(letter, extent)));
    let fixture = |(scored, extent): (Scored, Extent)| {
        let dark = if scored.confidence > LEAST_CONFIDENCE { plan.poche.share(&plan.drawing, extent) } else { 0.0 };
        let scored = if IN_WALLS.contains(&dark) { scored.discounted(WALLED) } else { scored };
        let inked = scored.confidence > LEAST_CONFIDENCE && plan.poche.ink(&plan.drawing, extent) >= LEAST_INK;
        let scored = if inked { scored.discounted(INKED) } else { scored };
        Fixture { kind: scored.kind, bbox: rect(extent), confidence: scored.confidence }
    };
    found.into_iter().map(fixture).collect()
}

/// Multiplies the odds of a confidence by a factor.
fn discounted(confidence: f32, factor: f32) -> f32 {
    let odds = factor * confidence / (1.0 - confidence).max(1e-3);
    odds / (1.0 + odds)
}

/// Applies non-maximum suppression; the result has the most confident first.
///
/// Of overlapping fixtures the most confident is kept, or a likely one around it: a bowl is a part of its fixture.
pub fn non_maximum_suppression(mut found: Vec<Fixture>) -> Vec<Fixture> {
    found.retain(|fixture| fixture.confidence > LEAST_CONFIDENCE);
    let likeliest = most_confident(found.clone(), is_on);
    let around = |part: &Fixture| {
        let inner = extent(&part.bbox);
        let least = discounted(part.confidence, PART_FOR_WHOLE).max(LIKELY);
        let wholes = found.iter().filter(|whole| {
            let outer = extent(&whole.bbox);
            let most = match part.kind {
                FixtureKind::Bathtub | FixtureKind::Shower => LARGEST_RIM,
                kind if kind == whole.kind => LARGEST_WHOLE,
                _ => LARGEST_OTHER,
            };
            whole.confidence > least
                && outer.area() > inner.area()
                && outer.area() <= most * inner.area()
                && inner.common(&outer) > INSIDE * inner.area()
        });
        wholes.max_by(|a, b| a.confidence.total_cmp(&b.confidence)).unwrap_or(part).clone()
    };
    most_confident(likeliest.iter().map(around).collect(), is_on)
}

/// Keeps the most confident of fixtures that `alike` says are the same, the most confident first.
fn most_confident(mut found: Vec<Fixture>, alike: fn(&Extent, &Extent) -> bool) -> Vec<Fixture> {
    let area = |fixture: &Fixture| extent(&fixture.bbox).area();
    found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(area(b).total_cmp(&area(a))));
    found.truncate(MOST_FIXTURES);
    fanlight_geometry::non_maximum_suppression(found, |kept, fixture| {
        alike(&extent(&fixture.bbox), &extent(&kept.bbox))
    })
}

/// Whether two outlines overlap by more than [`SAME`] of the smaller.
fn is_on(a: &Extent, b: &Extent) -> bool {
    a.common(b) > SAME * a.area().min(b.area()).max(0.01)
}

/// Whether the intersection over union of two outlines is above [`TWIN`].
fn is_twin(a: &Extent, b: &Extent) -> bool {
    a.overlap(b) > TWIN
}
