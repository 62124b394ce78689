//! Drafted sheets, read and fused natively as the plugin reads and judges them: how many of their doors are found, and that
//! sheets without a plan have hardly any.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use door_detector::{Candidate, building, filter, fusion};
use drafting::elevation::Other;
use drafting::plan::{DoorKind, Truth};
use drafting::{elevation, plan, schedule};
use eval::NativeClassifier;
use fanlight_plugin::vocabulary::Rect;
use native::{NativePage, Readable as _};
use scoring::{Tally, match_boxes, rect};

/// Of the named offices' doors, F1 at least.
const DOORS: f64 = 0.95;
/// The share of a kind that is found at least.
const BY_KIND: [(DoorKind, f64); 13] = [
    (DoorKind::Single, 0.95),
    (DoorKind::Double, 0.9),
    (DoorKind::Uneven, 0.85),
    (DoorKind::Stall, 0.97),
    (DoorKind::DoubleActing, 0.85),
    (DoorKind::Sliding, 0.9),
    (DoorKind::Pocket, 0.7),
    (DoorKind::Surface, 0.7),
    (DoorKind::Overhead, 0.9),
    (DoorKind::Bifold, 0.8),
    (DoorKind::BifoldPair, 0.8),
    (DoorKind::Accordion, 0.85),
    (DoorKind::Revolving, 0.7),
];
/// False doors on a sheet without a plan.
const MOST_FALSE: usize = 2;

/// The boxes of the doors on a file's first page.
fn doors(classifier: &NativeClassifier, pdf: Vec<u8>) -> Vec<Rect> {
    let page = NativePage::open(pdf, 1).unwrap();
    let doors = building::doors(&page.paths(), &page.text(), &page.geometry());
    let confidences = fusion::confidences(&doors, |boxes| classifier.classify(&page, boxes));
    let fused = doors.iter().zip(confidences).map(|(door, confidence)| Candidate {
        id: String::new(),
        page: 1,
        bbox: door.bbox.into(),
        confidence,
    });
    let listed = filter::doors(&fused.collect::<Vec<_>>()).into_iter().map(|door| door.bbox);
    listed.map(|b| rect([b.x1, b.y1, b.x2, b.y2].map(|corner| corner as f32))).collect()
}

#[test]
fn doors_of_the_named_offices_are_found() {
    let classifier = NativeClassifier::open().unwrap();
    let mut sum = Tally::default();
    let mut kinds: Vec<(DoorKind, bool)> = Vec::new();
    for (seed, (name, style)) in (1..).zip(plan::styles()) {
        let drafted = plan::generate(&style, seed);
        let found = doors(&classifier, drafted.pdf);
        let Truth { doors, uncertain, .. } = drafted.truth;
        let wanted: Vec<Rect> = doors.iter().map(|door| rect(door.bbox)).collect();
        let unclear: Vec<Rect> = uncertain.iter().map(|thing| rect(thing.bbox)).collect();
        let matches = match_boxes(&found, &wanted, &unclear);
        kinds.extend(doors.iter().map(|door| door.kind).zip(matches.truths.iter().copied()));
        eprintln!("{name}: {:?}", matches.tally());
        sum += matches.tally();
    }
    let f1 = sum.f1();
    eprintln!("{sum:?}: F1 {f1:.3}");
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
    let classifier = NativeClassifier::open().unwrap();
    for (seed, (name, mut style)) in (1..).zip(elevation::styles()) {
        style.others.retain(|other| *other != Other::EnlargedPlan);
        style.others.push(Other::DoorTypes);
        let found = doors(&classifier, elevation::generate(&style, seed).pdf);
        assert!(found.len() <= MOST_FALSE, "elevations of {name}: {found:?}");
    }
    for (seed, (name, style)) in (1..).zip(schedule::styles()) {
        let found = doors(&classifier, schedule::generate(&style, seed).pdf);
        assert!(found.len() <= MOST_FALSE, "schedules of {name}: {found:?}");
    }
}
