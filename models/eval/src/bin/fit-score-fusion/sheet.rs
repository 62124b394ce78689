//! The candidates of a sheet, with what detector and classifier say of them and what is true.

use anyhow::Result;
use drafting::plan::{SyntheticSheet, Truth};
use eval::{LabelledScores, NativeClassifier};
use fanlight_contract::Rect;
use fanlight_detection::classifier_input::{Class, Classification};
use fanlight_detection::symbols::{DoorKind, Plan};
use native::{NativePage, Readable as _};
use scoring::{MATCH_IOU, padded_iou, rect};

/// Candidates that are weighed alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// Doors that swing.
    Swinging,
    /// Doors of panels that pass each other.
    Sliding,
    /// Doors of leaves that fold.
    Folding,
    /// Doors that are told by the opening they close.
    Closing,
    /// Leaves that stand open without their swing.
    Standing,
    /// Plumbing fixtures.
    Fixture,
}

impl Group {
    pub(crate) const ALL: [Self; 6] =
        [Self::Swinging, Self::Sliding, Self::Folding, Self::Closing, Self::Standing, Self::Fixture];

    fn of_door(kind: DoorKind) -> Self {
        match kind {
            DoorKind::Single | DoorKind::Pair => Self::Swinging,
            DoorKind::Sliding => Self::Sliding,
            DoorKind::Folding => Self::Folding,
            DoorKind::Leaf => Self::Standing,
            DoorKind::Pocket | DoorKind::Surface | DoorKind::Overhead | DoorKind::Accordion | DoorKind::Revolving => {
                Self::Closing
            }
        }
    }

    /// How likely an classification shows one of the group, as it is weighed.
    fn likelihood(self, classification: &Classification) -> f32 {
        match self {
            Self::Swinging | Self::Sliding | Self::Folding | Self::Closing | Self::Standing => {
                classification.likelihood(Class::is_door)
            }
            Self::Fixture => classification.likelihood(Class::is_fixture),
        }
    }

    /// The symbols of a sheet that candidates of the group may be.
    fn wanted(self, truth: &Wanted) -> &[Rect] {
        match self {
            Self::Swinging | Self::Sliding | Self::Folding | Self::Closing | Self::Standing => &truth.doors,
            Self::Fixture => &truth.fixtures,
        }
    }
}

/// What is true of a sheet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) doors: Vec<Rect>,
    pub(crate) fixtures: Vec<Rect>,
    /// What counts neither as right nor as wrong.
    pub(crate) unclear: Vec<Rect>,
    /// Parts of the sheet in which nothing counts.
    pub(crate) apart: Vec<Rect>,
}

impl Wanted {
    /// Of a drafted sheet.
    pub(crate) fn of(truth: &Truth) -> Self {
        Self {
            doors: truth.doors.iter().map(|door| rect(door.bbox)).collect(),
            fixtures: truth.fixtures.iter().map(|fixture| rect(fixture.bbox)).collect(),
            unclear: truth.uncertain.iter().map(|thing| rect(thing.bbox)).collect(),
            apart: truth.ignore_regions.iter().map(|thing| rect(thing.bbox)).collect(),
        }
    }
}

/// A sheet's candidates and what is true of it.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pub(crate) candidates: Vec<Judged>,
    pub(crate) wanted: Wanted,
}

/// A candidate that was judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    /// What it is weighed with.
    pub(crate) group: Group,
    /// Where it is.
    pub(crate) bbox: Rect,
    /// What the detector and the classifier say of it, the classifier of the group's classes, and whether there is such a symbol.
    pub(crate) scores: LabelledScores,
}

/// A drafted sheet's candidates.
pub(crate) fn drafted(drafted: SyntheticSheet, classifier: &NativeClassifier) -> Result<Sheet> {
    judged(drafted.pdf, 1, Wanted::of(&drafted.truth), classifier)
}

/// A page's candidates. Those that count neither as right nor as wrong are left out, and those that the classifier can't be shown.
pub(crate) fn judged(pdf: Vec<u8>, number: u32, wanted: Wanted, classifier: &NativeClassifier) -> Result<Sheet> {
    let page = NativePage::open(pdf, number)?;
    let plan = Plan::read(&page.paths(), &page.text(), &page.geometry());
    let doors = plan.doors().into_iter().map(|door| (Group::of_door(door.kind), door.bbox, door.confidence));
    let fixtures = plan.fixture_candidates().into_iter().map(|found| (Group::Fixture, found.bbox, found.confidence));
    let found: Vec<(Group, Rect, f32)> = doors.chain(fixtures).collect();

    let boxes: Vec<Rect> = found.iter().map(|(_, bbox, _)| *bbox).collect();
    let classifications = classifier.classify(&page, &boxes);

    let mut candidates = Vec::new();
    for ((group, bbox, confidence), classification) in found.into_iter().zip(classifications) {
        let Some(classification) = classification else { continue };
        let counts_neither = wanted.unclear.iter().any(|thing| padded_iou(bbox, *thing) >= MATCH_IOU)
            || wanted.apart.iter().any(|region| holds_middle(*region, bbox));
        if !counts_neither {
            let likelihood = group.likelihood(&classification);
            let is_true = group.wanted(&wanted).iter().any(|own| padded_iou(bbox, *own) >= MATCH_IOU);
            candidates.push(Judged { group, bbox, scores: LabelledScores { confidence, likelihood, is_true } });
        }
    }
    Ok(Sheet { candidates, wanted })
}

fn holds_middle(region: Rect, bbox: Rect) -> bool {
    let (x, y) = (f32::midpoint(bbox.x1, bbox.x2), f32::midpoint(bbox.y1, bbox.y2));
    (region.x1..=region.x2).contains(&x) && (region.y1..=region.y2).contains(&y)
}
