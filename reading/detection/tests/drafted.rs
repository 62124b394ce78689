//! Doors and fixtures of synthetic plans, detected by lines alone and compared with the truth.
//!
//! The bars are a little below what was measured. They guard against regressions and promise nothing for real plans.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::BTreeMap;

use drafting::plan::{Style, Truth, generate, styles};
use fanlight_contract::Rect;
use fanlight_detection::symbols::{FixtureKind, Plan};
use scoring::{Tally, match_boxes, rect};

/// Counts of doors, fixtures and toilets, in total and by kind.
#[derive(Debug, Default)]
struct Tallies {
    doors: Tally,
    fixtures: Tally,
    toilets: Tally,
    by_kind: BTreeMap<String, Tally>,
}

/// The name of a kind, and the box of one such symbol.
type Wanted = (String, Rect);

impl Tallies {
    /// Matches boxes to the truth, and counts them by kind.
    fn tally(&mut self, found: &[Rect], wanted: &[Wanted], unclear: &[Rect]) -> Tally {
        let boxes: Vec<Rect> = wanted.iter().map(|(_, bbox)| *bbox).collect();
        let matches = match_boxes(found, &boxes, unclear);
        for ((kind, _), met) in wanted.iter().zip(&matches.truths) {
            let (hit, missed) = (usize::from(*met), usize::from(!met));
            *self.by_kind.entry(kind.clone()).or_default() += Tally { hit, missed, wrong: 0 };
        }
        matches.tally()
    }

    fn add(&mut self, style: &Style, seed: u64) {
        let drafted = generate(style, seed);
        let document = pdf_engine::Document::open(drafted.pdf).unwrap();
        let page = document.page(1).unwrap();
        let plan = Plan::read(&page.paths(), &page.text(), &page.geometry());
        let Truth { doors, fixtures, uncertain, .. } = drafted.truth;
        let unclear: Vec<Rect> = uncertain.iter().map(|thing| rect(thing.bbox)).collect();

        let found: Vec<Rect> = plan.doors().iter().filter(|door| door.confidence > 0.5).map(|door| door.bbox).collect();
        let wanted: Vec<Wanted> = doors.iter().map(|door| (format!("{:?}", door.kind), rect(door.bbox))).collect();
        let tally = self.tally(&found, &wanted, &unclear);
        self.doors += tally;

        let of_plan = plan.fixtures();
        let likely: Vec<_> = of_plan.iter().filter(|fixture| fixture.confidence > 0.5).collect();
        let found: Vec<Rect> = likely.iter().map(|fixture| fixture.bbox).collect();
        let wanted: Vec<Wanted> =
            fixtures.iter().map(|fixture| (format!("{:?}", fixture.kind), rect(fixture.bbox))).collect();
        let tally = self.tally(&found, &wanted, &unclear);
        self.fixtures += tally;

        let toilets = |kind: FixtureKind| matches!(kind, FixtureKind::Wc | FixtureKind::Urinal);
        let found: Vec<Rect> =
            likely.iter().filter(|fixture| toilets(fixture.kind)).map(|fixture| fixture.bbox).collect();
        let toilets = wanted.iter().filter(|(kind, _)| ["Wc", "SquatWc", "Urinal"].contains(&kind.as_str()));
        let wanted: Vec<Rect> = toilets.map(|(_, bbox)| *bbox).collect();
        self.toilets += match_boxes(&found, &wanted, &unclear).tally();
    }

    fn assert_recall(&self, bars: &[(&str, f64)]) {
        for (kind, bar) in bars {
            let tally = self.by_kind.get(*kind).copied().unwrap_or_default();
            assert!(tally.hit + tally.missed > 0, "no {kind} was drafted");
            assert!(tally.recall() >= *bar, "{kind}: {tally:?} is below {bar}");
        }
    }
}

#[test]
fn doors_and_fixtures_of_the_named_styles_are_detected() {
    let mut tallies = Tallies::default();
    for (seed, (_, style)) in (1..).zip(styles()) {
        tallies.add(&style, seed);
    }
    eprintln!("{tallies:#?}");
    for (what, tally, bar) in [
        ("doors", tallies.doors, DOORS),
        ("fixtures", tallies.fixtures, FIXTURES),
        ("toilets", tallies.toilets, TOILETS),
    ] {
        assert!(tally.f1() >= bar, "{what}: F1 {:.3} is below {bar}", tally.f1());
    }
    tallies.assert_recall(&BY_KIND);
}

#[test]
fn doors_and_fixtures_of_random_styles_are_detected() {
    let mut tallies = Tallies::default();
    for seed in 700..710 {
        tallies.add(&Style::random(seed), seed);
    }
    eprintln!("{tallies:#?}");
    assert!(tallies.doors.f1() >= 0.85, "doors: {:.3}", tallies.doors.f1());
    assert!(tallies.toilets.f1() >= 0.62, "toilets: {:.3}", tallies.toilets.f1());
    assert!(tallies.fixtures.f1() >= 0.68, "fixtures: {:.3}", tallies.fixtures.f1());
}

/// Least F1 of doors, fixtures and toilets of the named styles.
const DOORS: f64 = 0.88;
const FIXTURES: f64 = 0.8;
const TOILETS: f64 = 0.7;
/// Least recall of each kind, by lines alone.
const BY_KIND: [(&str, f64); 13] = [
    ("Single", 0.92),
    ("Double", 0.82),
    ("Uneven", 0.8),
    ("Stall", 0.88),
    ("DoubleActing", 0.8),
    ("Sliding", 0.55),
    ("Pocket", 0.7),
    ("Wc", 0.72),
    ("SquatWc", 0.95),
    ("Urinal", 0.45),
    ("Lavatory", 0.52),
    ("Sink", 0.65),
    ("Shower", 0.65),
];

#[test]
fn symbols_are_detected_at_each_page_rotation() {
    let (_, style) = styles().into_iter().find(|(name, _)| *name == "renovation").unwrap();
    for rotate in [0, 90, 180, 270] {
        let mut tallies = Tallies::default();
        tallies.add(&Style { rotate, ..style.clone() }, 8);
        let [doors, fixtures, toilets] = [tallies.doors, tallies.fixtures, tallies.toilets].map(Tally::f1);
        assert!(doors.min(fixtures).min(toilets) >= 0.88, "{rotate}: {doors:.3} {fixtures:.3} {toilets:.3}");
    }
}
