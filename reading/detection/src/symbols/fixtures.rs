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
use crate::symbols::fixtures::closets::closets_of_two;
use crate::symbols::fixtures::falls::falling_floors;
use crate::symbols::fixtures::outline::{Near, Outline, ScoredFigure};
use crate::symbols::plan::{Plan, extent, rect};
use crate::symbols::plane::Extent;
use crate::symbols::shapes::{self, Figure};

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
    /// Returns whether it is a toilet: a water closet or a urinal.
    pub fn is_toilet(self) -> bool {
        matches!(self, Self::Wc | Self::Urinal)
    }
}

/// Candidates above this confidence are results.
const LIKELY: f32 = 0.5;

impl Fixture {
    /// Returns whether it is a result and not only a candidate.
    pub fn is_likely(&self) -> bool {
        self.confidence > LIKELY
    }
}

/// The smallest side of what is looked at, in inches.
const SMALLEST: f32 = 7.5;
/// The largest side of what is looked at, in inches.
const LARGEST: f32 = 86.0;
/// Fixtures that share more than this of the smaller one's box are the same.
const SAME: f32 = 0.6;
/// The evidence for another scale than the first must be larger by this factor.
const CLEARLY: f32 = 1.2;
/// Outlines that overlap by more than this are the same one.
const TWIN: f32 = 0.85;
/// The side of a cell in which figures are looked for, in inches.
const CELL: f32 = 12.0;
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
    let mut best: Vec<Fixture> = Vec::new();
    let mut best_evidence = 0.0;
    for &scale in scales {
        let found = most_confident(at_scale(plan, scale), is_twin);
        let evidence = evidence_for_scale(&found);
        if evidence > CLEARLY * best_evidence || best.is_empty() {
            (best, best_evidence) = (found, evidence);
        }
    }
    best
}

/// Returns the evidence of candidates for the scale at which they were detected: how far water closets are more likely than
/// not.
fn evidence_for_scale(candidates: &[Fixture]) -> f32 {
    let fixtures = non_maximum_suppression(candidates.to_vec()).into_iter();
    let closets = fixtures.filter(|fixture| fixture.kind == FixtureKind::Wc);
    closets.map(|closet| (closet.confidence - LIKELY).max(0.0)).sum()
}

/// Detects fixture candidates at a scale.
fn at_scale(plan: &Plan, scale: f32) -> Vec<Fixture> {
    let figures = shapes::figures(&plan.drawing, LARGEST * scale);
    let near = Near::new(&figures, CELL * scale);
    let single = figures.iter().filter(|figure| is_candidate(figure, scale)).filter_map(|figure| {
        let scored = Outline::new(figure, &near, scale).score(&plan.drawing)?;
        Some(ScoredFigure { scored, extent: figure.extent })
    });
    let pairs = closets_of_two(&plan.drawing, &figures, &near, scale);
    let floors = falling_floors(&plan.drawing, &figures, scale);
    single.chain(pairs).chain(floors).map(|found| fixture(&found)).collect()
}

/// Returns whether a figure is as large as a fixture, and not a part of a larger figure.
fn is_candidate(figure: &Figure, scale: f32) -> bool {
    !figure.is_part && figure.long() <= LARGEST * scale && figure.short() >= SMALLEST * scale
}

fn fixture(ScoredFigure { scored, extent }: &ScoredFigure) -> Fixture {
    Fixture { kind: scored.kind, bbox: rect(*extent), confidence: scored.confidence }
}

/// Applies non-maximum suppression; the result has the most confident first.
pub fn non_maximum_suppression(mut found: Vec<Fixture>) -> Vec<Fixture> {
    found.retain(|fixture| fixture.confidence > LEAST_CONFIDENCE);
    most_confident(found, is_on)
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

/// Returns whether two outlines overlap by more than [`SAME`] of the smaller.
fn is_on(a: &Extent, b: &Extent) -> bool {
    a.common(b) > SAME * a.area().min(b.area()).max(0.01)
}

/// Returns whether the intersection over union of two outlines is above [`TWIN`].
fn is_twin(a: &Extent, b: &Extent) -> bool {
    a.overlap(b) > TWIN
}
