//! The candidates of a sheet, with their scores and labels.

use anyhow::Result;
use drafting::plan::{SyntheticSheet, Truth};
use eval::{LabelledScores, NativeClassifier};
use fanlight_contract::Rect;
use fanlight_detection::classifier_input::{Class, Classification};
use fanlight_detection::symbols::{DoorSymbol, Fixture, Plan};
use native::{NativePage, Readable as _};
use scoring::{MATCH_IOU, padded_iou, rect};

/// Groups of candidates, each with coefficients of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// Doors with a drawn swing.
    Swinging,
    /// Doors of panels that pass each other.
    Sliding,
    /// Doors of leaves that fold.
    Folding,
    /// Doors that are identified by the opening they close.
    Closing,
    /// Plumbing fixtures.
    Fixture,
}

impl Group {
    pub(crate) const ALL: [Self; 5] = [Self::Swinging, Self::Sliding, Self::Folding, Self::Closing, Self::Fixture];

    fn from_door(kind: DoorSymbol) -> Self {
        match kind {
            DoorSymbol::OneSwing | DoorSymbol::SeveralSwings => Self::Swinging,
            DoorSymbol::Sliding => Self::Sliding,
            DoorSymbol::Folding => Self::Folding,
            DoorSymbol::Pocket => Self::Closing,
        }
    }

    /// Returns the classifier's likelihood that a candidate is of the group.
    fn likelihood(self, classification: &Classification) -> f32 {
        match self {
            Self::Swinging | Self::Sliding | Self::Folding | Self::Closing => classification.likelihood(Class::is_door),
            Self::Fixture => classification.likelihood(Class::is_fixture),
        }
    }

    /// Returns the symbols of a sheet that candidates of the group may be.
    fn truths(self, truth: &Labels) -> &[Rect] {
        match self {
            Self::Swinging | Self::Sliding | Self::Folding | Self::Closing => &truth.doors,
            Self::Fixture => &truth.fixtures,
        }
    }
}

/// The labels of a sheet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    pub(crate) doors: Vec<Rect>,
    pub(crate) fixtures: Vec<Rect>,
    /// Boxes that count neither as right nor as wrong.
    pub(crate) uncertain: Vec<Rect>,
    /// Parts of the sheet in which nothing counts.
    pub(crate) ignored: Vec<Rect>,
}

impl Labels {
    /// Returns the labels of a synthetic sheet.
    pub(crate) fn from_truth(truth: &Truth) -> Self {
        Self {
            doors: truth.doors.iter().map(|door| rect(door.bbox)).collect(),
            fixtures: truth.fixtures.iter().map(|fixture| rect(fixture.bbox)).collect(),
            uncertain: truth.uncertain.iter().map(|thing| rect(thing.bbox)).collect(),
            ignored: truth.ignore_regions.iter().map(|thing| rect(thing.bbox)).collect(),
        }
    }
}

/// A sheet's candidates and labels.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) labels: Labels,
}

/// A candidate with its scores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Its group.
    pub(crate) group: Group,
    /// Its box in user space.
    pub(crate) bbox: Rect,
    /// The detector's confidence, the classifier's likelihood of the group's classes, and whether there is such a symbol.
    pub(crate) scores: LabelledScores,
}

/// Detects and classifies the candidates of a synthetic sheet.
pub(crate) fn synthetic(sheet: SyntheticSheet, classifier: &NativeClassifier) -> Result<Sheet> {
    classified(sheet.pdf, 1, Labels::from_truth(&sheet.truth), classifier)
}

/// Detects and classifies the candidates of a page. Those that count neither way or cannot be classified are left out.
pub(crate) fn classified(pdf: Vec<u8>, number: u32, labels: Labels, classifier: &NativeClassifier) -> Result<Sheet> {
    let page = NativePage::open(pdf, number)?;
    let plan = Plan::read(&page.paths(), &page.text(), &page.geometry());
    let doors = plan.doors().into_iter().map(|door| (Group::from_door(door.kind), door.bbox, door.confidence));
    let fixtures = plan.fixture_candidates(&plan.scales()).into_iter().filter(Fixture::is_possible);
    let fixtures = fixtures.map(|found| (Group::Fixture, found.bbox, found.confidence));
    let found: Vec<(Group, Rect, f32)> = doors.chain(fixtures).collect();

    let boxes: Vec<Rect> = found.iter().map(|(_, bbox, _)| *bbox).collect();
    let classifications = classifier.classify(&page, &boxes);

    let mut candidates = Vec::new();
    for ((group, bbox, confidence), classification) in found.into_iter().zip(classifications) {
        let Some(classification) = classification else { continue };
        let counts_neither = labels.uncertain.iter().any(|thing| padded_iou(bbox, *thing) >= MATCH_IOU)
            || labels.ignored.iter().any(|region| holds_centre(*region, bbox));
        if !counts_neither {
            let likelihood = group.likelihood(&classification);
            let is_true = group.truths(&labels).iter().any(|own| padded_iou(bbox, *own) >= MATCH_IOU);
            candidates.push(Candidate { group, bbox, scores: LabelledScores { confidence, likelihood, is_true } });
        }
    }
    Ok(Sheet { candidates, labels })
}

/// Returns whether a box's centre is in a region.
fn holds_centre(region: Rect, bbox: Rect) -> bool {
    let (x, y) = (f32::midpoint(bbox.x1, bbox.x2), f32::midpoint(bbox.y1, bbox.y2));
    (region.x1..=region.x2).contains(&x) && (region.y1..=region.y2).contains(&y)
}
