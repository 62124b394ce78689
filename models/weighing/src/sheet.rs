//! The candidates of a drafted sheet, with what finder and judge say of them and what is true.

use anyhow::{Result, anyhow};
use drafting::plan::{self, Drafted, Truth};
use fanlight_crops::Class;
use fanlight_symbols::{DoorKind, FixtureKind, Plan};
use fanlight_vocabulary::Rect;
use weighing::NativeJudge;

/// Candidates that are weighed alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// Doors that swing.
    Swinging,
    /// Doors of panels that pass each other.
    Sliding,
    /// Doors of leaves that fold.
    Folding,
    /// Water closets and urinals.
    Toilet,
    /// All other fixtures.
    Fixture,
}

impl Group {
    fn of_door(kind: DoorKind) -> Self {
        match kind {
            DoorKind::Single | DoorKind::Pair => Self::Swinging,
            DoorKind::Sliding => Self::Sliding,
            DoorKind::Folding => Self::Folding,
        }
    }

    fn of_fixture(kind: FixtureKind) -> Self {
        if matches!(kind, FixtureKind::Wc | FixtureKind::Urinal) { Self::Toilet } else { Self::Fixture }
    }

    /// Whether a class of the judge's is of the group.
    pub(crate) fn has(self, class: Class) -> bool {
        match self {
            Self::Swinging | Self::Sliding | Self::Folding => class.is_door(),
            Self::Toilet => class.is_toilet(),
            Self::Fixture => class.is_fixture(),
        }
    }

    /// The symbols of a sheet that candidates of the group may be.
    fn wanted(self, truth: &Truth) -> Vec<Rect> {
        let is_toilet =
            |kind| matches!(kind, plan::FixtureKind::Wc | plan::FixtureKind::SquatWc | plan::FixtureKind::Urinal);
        match self {
            Self::Swinging | Self::Sliding | Self::Folding => truth.doors.iter().map(|door| rect(door.bbox)).collect(),
            Self::Toilet => {
                let toilets = truth.fixtures.iter().filter(|fixture| is_toilet(fixture.kind));
                toilets.map(|fixture| rect(fixture.bbox)).collect()
            }
            Self::Fixture => truth.fixtures.iter().map(|fixture| rect(fixture.bbox)).collect(),
        }
    }
}

/// A candidate that was judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    /// What it is weighed with.
    pub(crate) group: Group,
    /// The finder's.
    pub(crate) confidence: f32,
    /// The judge's, of the group's classes.
    pub(crate) likelihood: f32,
    /// Whether there is such a symbol.
    pub(crate) is_true: bool,
}

/// A sheet's candidates. Those that count neither as right nor as wrong are left out, and those that the judge can't be shown.
pub(crate) fn judged(drafted: Drafted, judge: &NativeJudge) -> Result<Vec<Judged>> {
    let document = pdf_engine::Document::open(drafted.pdf).map_err(|error| anyhow!("{error:?}"))?;
    let page = document.page(1).map_err(|error| anyhow!("{error:?}"))?;
    let plan = Plan::read(&page.paths(), &page.text(), &page.geometry());
    let doors = plan.doors().into_iter().map(|door| (Group::of_door(door.kind), door.bbox, door.confidence));
    let fixtures =
        plan.fixtures().into_iter().map(|found| (Group::of_fixture(found.kind), found.bbox, found.confidence));
    let found: Vec<(Group, Rect, f32)> = doors.chain(fixtures).collect();

    let boxes: Vec<Rect> = found.iter().map(|(_, bbox, _)| *bbox).collect();
    let answers = judge.answers(&page, &boxes);

    let truth = drafted.truth;
    let unclear: Vec<Rect> = truth.uncertain.iter().map(|thing| rect(thing.bbox)).collect();
    let apart: Vec<Rect> = truth.ignore_regions.iter().map(|thing| rect(thing.bbox)).collect();
    let mut judged = Vec::new();
    for ((group, bbox, confidence), answer) in found.into_iter().zip(answers) {
        let Some(answer) = answer else { continue };
        let counts_neither = unclear.iter().any(|thing| overlap(bbox, *thing) >= SAME)
            || apart.iter().any(|region| holds_middle(*region, bbox));
        if !counts_neither {
            let likelihood = answer.likelihood(|class| group.has(class));
            let is_true = group.wanted(&truth).iter().any(|own| overlap(bbox, *own) >= SAME);
            judged.push(Judged { group, confidence, likelihood, is_true });
        }
    }
    Ok(judged)
}

/// Boxes with this much in common, over what either covers, are of the same symbol.
const SAME: f32 = 0.5;

fn rect([x1, y1, x2, y2]: [f32; 4]) -> Rect {
    Rect { x1, y1, x2, y2 }
}

fn holds_middle(region: Rect, bbox: Rect) -> bool {
    let (x, y) = (f32::midpoint(bbox.x1, bbox.x2), f32::midpoint(bbox.y1, bbox.y2));
    (region.x1..=region.x2).contains(&x) && (region.y1..=region.y2).contains(&y)
}

fn common(a: Rect, b: Rect) -> Rect {
    Rect { x1: a.x1.max(b.x1), y1: a.y1.max(b.y1), x2: a.x2.min(b.x2), y2: a.y2.min(b.y2) }
}

/// What two boxes have in common, over what either covers. Thin ones are both 4 points wider: a point's difference would
/// decide.
fn overlap(a: Rect, b: Rect) -> f32 {
    let thin = (b.x2 - b.x1).min(b.y2 - b.y1) < 12.0;
    let by = if thin { 4.0 } else { 0.0 };
    let grown = |r: Rect| Rect { x1: r.x1 - by, y1: r.y1 - by, x2: r.x2 + by, y2: r.y2 + by };
    let area = |r: Rect| (r.x2 - r.x1).max(0.0) * (r.y2 - r.y1).max(0.0);
    let (a, b) = (grown(a), grown(b));
    let both = area(common(a, b));
    both / (area(a) + area(b) - both).max(0.01)
}
