//! Plumbing fixtures, seen from above: outlines of their size with the shapes inside that make them what they are.
//!
//! No rule says what a fixture looks like: boosted trees tell it from features of an outline. They are fitted on labelled pages.
//! All sizes are inches in the building, by the scale.
//!
//! - `outline`: a figure in inches, with the shapes inside;
//! - `pairs`: water closets that are two figures;
//! - `features`: what the trees are given.

mod features;
mod outline;
mod pairs;

use std::sync::LazyLock;

use fanlight_contract::Rect;

use crate::classifier::logistic;
use crate::symbols::boosted_trees::BoostedTrees;
use crate::symbols::doors::Scales;
use crate::symbols::fixtures::outline::{Near, Outline};
use crate::symbols::fixtures::pairs::bowls_with_tanks;
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

    /// Returns whether it is likely enough to be looked at more closely.
    pub fn is_possible(&self) -> bool {
        self.confidence > LEAST_CONFIDENCE
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
const LEAST_CONFIDENCE: f32 = 0.08;

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

/// An outline that may be a fixture.
#[derive(Clone, Debug)]
pub struct MeasuredOutline {
    /// Box around it, in user space of the unrotated page.
    pub bbox: Rect,
    /// What the trees are given.
    pub features: Vec<f32>,
    /// Whether it is a part of a larger outline. Such ones are no candidates, but examples to fit the trees on.
    pub is_part: bool,
}

/// Measures the outlines of a plan that are as large as fixtures; `scale` is in points of paper per inch of the building.
pub(crate) fn outlines(plan: &Plan, scale: f32) -> Vec<MeasuredOutline> {
    measured(plan, scale, is_sized)
}

/// Measures the pairs of a plan and those figures that `is_measured` says, at a scale.
fn measured(plan: &Plan, scale: f32, is_measured: fn(&Figure, f32) -> bool) -> Vec<MeasuredOutline> {
    let figures = shapes::figures(&plan.drawing, LARGEST * scale);
    let near = Near::new(&figures, CELL * scale);
    let pairs = bowls_with_tanks(&plan.drawing, &figures, &near, scale);
    let single = figures.iter().filter(|figure| is_measured(figure, scale)).map(|figure| (figure, 1));
    let outlines = single.chain(pairs.iter().map(|pair| (pair, 2)));
    let measured = outlines.map(|(figure, count)| MeasuredOutline {
        bbox: rect(figure.extent),
        features: Outline::new(figure, &near, scale).features(&plan.drawing, count),
        is_part: figure.is_part,
    });
    measured.collect()
}

/// Returns whether a figure is as large as a fixture.
fn is_sized(figure: &Figure, scale: f32) -> bool {
    figure.long() <= LARGEST * scale && figure.short() >= SMALLEST * scale
}

/// Returns whether a figure is as large as a fixture, and not a part of a larger figure.
fn is_candidate(figure: &Figure, scale: f32) -> bool {
    !figure.is_part && is_sized(figure, scale)
}

/// Detects fixture candidates at a scale.
fn at_scale(plan: &Plan, scale: f32) -> Vec<Fixture> {
    measured(plan, scale, is_candidate).iter().filter_map(classified).collect()
}

/// The trees, fitted by `models/train/outline_trees.py`. Their first class is that of outlines that are no fixtures.
static TREES: LazyLock<BoostedTrees> = LazyLock::new(|| BoostedTrees::read(include_bytes!("fixtures/outlines.trees")));
/// The kinds of the other classes, in their order.
const KINDS: [FixtureKind; 7] = [
    FixtureKind::Wc,
    FixtureKind::Urinal,
    FixtureKind::Lavatory,
    FixtureKind::Sink,
    FixtureKind::Bathtub,
    FixtureKind::Shower,
    FixtureKind::Other,
];
/// Slope and intercept that calibrate the log-odds of the trees (Platt 1999), fitted on real pages of offices that the trees had not
/// seen: on these they are less certain than on drafted ones.
const CALIBRATION: [f32; 2] = [0.47, -0.62];

/// Returns the fixture that an outline may be.
fn classified(outline: &MeasuredOutline) -> Option<Fixture> {
    let probabilities = TREES.probabilities(&outline.features);
    let (nothing, kinds) = probabilities.split_first()?;
    let (kind, _) = KINDS.into_iter().zip(kinds).max_by(|a, b| a.1.total_cmp(b.1))?;
    let log_odds = (kinds.iter().sum::<f32>() / nothing.max(f32::MIN_POSITIVE)).ln();
    let [slope, intercept] = CALIBRATION;
    Some(Fixture { kind, bbox: outline.bbox, confidence: logistic(slope * log_odds + intercept) })
}

/// Applies non-maximum suppression; the result has the most confident first.
pub fn non_maximum_suppression(mut found: Vec<Fixture>) -> Vec<Fixture> {
    found.retain(Fixture::is_possible);
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
