//! Drafted sheets, read and judged natively as the plugin reads and judges them: how many of their doors are found, and that
//! sheets without a plan have hardly any.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use door_detector::{Candidate, building, filter, judgement};
use drafting::elevation::Other;
use drafting::plan::DoorKind;
use drafting::{elevation, plan, schedule};
use fanlight_plugin::BoundingBox;
use native::{NativePage, Readable as _};
use weighing::NativeJudge;

/// Of the named offices' doors, F1 at least.
const DOORS: f64 = 0.95;
/// The share of a kind that is found at least.
const BY_KIND: [(DoorKind, f64); 12] = [
    (DoorKind::Single, 0.95),
    (DoorKind::Double, 0.9),
    (DoorKind::Uneven, 0.85),
    (DoorKind::Stall, 0.97),
    (DoorKind::DoubleActing, 0.85),
    (DoorKind::Sliding, 0.9),
    (DoorKind::Pocket, 0.7),
    (DoorKind::Surface, 0.7),
    (DoorKind::Overhead, 0.9),
    (DoorKind::BifoldPair, 0.8),
    (DoorKind::Accordion, 0.85),
    (DoorKind::Revolving, 0.7),
];
/// False doors on a sheet without a plan.
const MOST_FALSE: usize = 2;
/// Boxes with this much in common, over what either covers, are of the same door.
const SAME: f64 = 0.5;

/// The boxes of the doors on a file's first page.
fn doors(judge: &NativeJudge, pdf: Vec<u8>) -> Vec<BoundingBox> {
    let page = NativePage::open(pdf, 1).unwrap();
    let doors = building::doors(&page.paths(), &page.text(), &page.geometry());
    let confidences = judgement::confidences(&doors, |boxes| judge.answers(&page, boxes));
    let judged = doors.iter().zip(confidences).map(|(door, confidence)| Candidate {
        id: String::new(),
        page: 1,
        bbox: door.bbox.into(),
        confidence,
    });
    filter::doors(&judged.collect::<Vec<_>>()).into_iter().map(|door| door.bbox).collect()
}

/// What two boxes have in common, over what either covers. Around a thin truth both are 4 points wider: a point's
/// difference would decide.
fn overlap(found: BoundingBox, truth: [f32; 4]) -> f64 {
    let thin = (truth[2] - truth[0]).min(truth[3] - truth[1]) < 12.0;
    let by = if thin { 4.0 } else { 0.0 };
    let grown = |[x1, y1, x2, y2]: [f64; 4]| [x1 - by, y1 - by, x2 + by, y2 + by];
    let area = |b: [f64; 4]| (b[2] - b[0]).max(0.0) * (b[3] - b[1]).max(0.0);
    let (a, b) = (grown([found.x1, found.y1, found.x2, found.y2]), grown(truth.map(f64::from)));
    let both = area([a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]);
    both / (area(a) + area(b) - both)
}

#[test]
fn doors_of_the_named_offices_are_found() {
    let judge = NativeJudge::open().unwrap();
    let (mut hits, mut missed, mut wrong) = (0, 0, 0);
    let mut kinds: Vec<(DoorKind, bool)> = Vec::new();
    for (seed, (name, office)) in (1..).zip(plan::offices()) {
        let drafted = plan::draft(&office, seed);
        let mut left = doors(&judge, drafted.pdf);
        let (mut own_hits, mut own_missed) = (0, 0);
        for door in drafted.truth.doors {
            let common = |index: &usize| overlap(left[*index], door.bbox);
            let best = (0..left.len()).max_by(|a, b| common(a).total_cmp(&common(b)));
            let own = best.filter(|best| common(best) >= SAME);
            kinds.push((door.kind, own.is_some()));
            match own {
                Some(best) => {
                    left.swap_remove(best);
                    own_hits += 1;
                }
                None => own_missed += 1,
            }
        }
        left.retain(|found| drafted.truth.uncertain.iter().all(|thing| overlap(*found, thing.bbox) < SAME));
        eprintln!("{name}: {own_hits} found, {own_missed} missed, {} wrong", left.len());
        (hits, missed, wrong) = (hits + own_hits, missed + own_missed, wrong + left.len());
    }
    let f1 = 2.0 * hits as f64 / (2 * hits + missed + wrong) as f64;
    eprintln!("{hits} found, {missed} missed, {wrong} wrong: F1 {f1:.3}");
    assert!(f1 >= DOORS, "F1 {f1:.3} is below {DOORS}");
    for (kind, bar) in BY_KIND {
        let of_kind: Vec<bool> = kinds.iter().filter(|(own, _)| *own == kind).map(|(_, is_found)| *is_found).collect();
        let found = of_kind.iter().filter(|is_found| **is_found).count();
        eprintln!("{kind:?}: {found} of {}", of_kind.len());
        assert!(!of_kind.is_empty() && found as f64 >= bar * of_kind.len() as f64, "{kind:?} is found below {bar}");
    }
}

#[test]
fn sheets_without_a_plan_have_hardly_a_door() {
    let judge = NativeJudge::open().unwrap();
    for (seed, (name, mut office)) in (1..).zip(elevation::offices()) {
        office.others.retain(|other| *other != Other::EnlargedPlan);
        office.others.push(Other::DoorTypes);
        let found = doors(&judge, elevation::draft(&office, seed).pdf);
        assert!(found.len() <= MOST_FALSE, "elevations of {name}: {found:?}");
    }
    for (seed, (name, office)) in (1..).zip(schedule::offices()) {
        let found = doors(&judge, schedule::draft(&office, seed).pdf);
        assert!(found.len() <= MOST_FALSE, "schedules of {name}: {found:?}");
    }
}
