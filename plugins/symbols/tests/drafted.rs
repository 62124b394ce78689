//! Floor plans of many offices, drafted with their truth: how much of each kind of door and fixture is found.
//!
//! The bars are a little below what was measured, and tell what is not to be lost; they are no promise for other offices.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::BTreeMap;

use drafting::plan::{Office, Truth, draft, offices};
use fanlight_symbols::{FixtureKind, Plan};

/// Left, bottom, right, top.
type Box4 = [f32; 4];

/// What is found where it should be.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    hit: usize,
    missed: usize,
    wrong: usize,
}

impl Tally {
    fn recall(self) -> f64 {
        self.hit as f64 / (self.hit + self.missed).max(1) as f64
    }

    fn f1(self) -> f64 {
        2.0 * self.hit as f64 / (2 * self.hit + self.missed + self.wrong).max(1) as f64
    }
}

/// Of doors, of fixtures and of toilets, in all and by kind.
#[derive(Debug, Default)]
struct Tallies {
    doors: Tally,
    fixtures: Tally,
    toilets: Tally,
    by_kind: BTreeMap<String, Tally>,
}

fn area(b: Box4) -> f32 {
    (b[2] - b[0]).max(0.0) * (b[3] - b[1]).max(0.0)
}

/// What two boxes have in common, over what either covers. Around a thin truth both are 4 points wider: a point's
/// difference would decide.
fn overlap(found: Box4, truth: Box4) -> f32 {
    let thin = (truth[2] - truth[0]).min(truth[3] - truth[1]) < 12.0;
    let by = if thin { 4.0 } else { 0.0 };
    let grown = |b: Box4| [b[0] - by, b[1] - by, b[2] + by, b[3] + by];
    let (a, b) = (grown(found), grown(truth));
    let both = area([a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]);
    both / (area(a) + area(b) - both).max(0.01)
}

/// Matches boxes to the truth one to one, the best first. What matches something uncertain counts neither way.
fn tally(
    found: &[Box4],
    wanted: &[(String, Box4)],
    uncertain: &[Box4],
    by_kind: &mut BTreeMap<String, Tally>,
) -> Tally {
    let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
    for (index, one) in found.iter().enumerate() {
        for (place, (_, truth)) in wanted.iter().enumerate() {
            pairs.push((overlap(*one, *truth), index, place));
        }
    }
    pairs.retain(|(common, ..)| *common >= 0.5);
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut used, mut met) = (vec![false; found.len()], vec![false; wanted.len()]);
    for (_, index, place) in pairs {
        if !used[index] && !met[place] {
            (used[index], met[place]) = (true, true);
        }
    }
    let mut all = Tally::default();
    for ((kind, _), met) in wanted.iter().zip(met) {
        let own = by_kind.entry(kind.clone()).or_default();
        for tally in [own, &mut all] {
            tally.hit += usize::from(met);
            tally.missed += usize::from(!met);
        }
    }
    let is_wrong = |index: &usize| !used[*index] && uncertain.iter().all(|thing| overlap(found[*index], *thing) < 0.5);
    all.wrong = (0..found.len()).filter(is_wrong).count();
    all
}

impl Tallies {
    fn add(&mut self, office: &Office, seed: u64) {
        let drafted = draft(office, seed);
        let document = pdf_engine::Document::open(drafted.pdf).unwrap();
        let page = document.page(1).unwrap();
        let plan = Plan::read(&page.paths(), &page.text(), &page.geometry());
        let Truth { doors, fixtures, uncertain, .. } = drafted.truth;
        let uncertain: Vec<Box4> = uncertain.iter().map(|thing| thing.bbox).collect();
        let corners = |bbox: fanlight_vocabulary::Rect| [bbox.x1, bbox.y1, bbox.x2, bbox.y2];
        let add = |to: &mut Tally, own: Tally| {
            *to = Tally { hit: to.hit + own.hit, missed: to.missed + own.missed, wrong: to.wrong + own.wrong };
        };

        let found: Vec<Box4> =
            plan.doors().iter().filter(|door| door.confidence > 0.5).map(|door| corners(door.bbox)).collect();
        let wanted: Vec<(String, Box4)> = doors.iter().map(|door| (format!("{:?}", door.kind), door.bbox)).collect();
        add(&mut self.doors, tally(&found, &wanted, &uncertain, &mut self.by_kind));

        let of_plan = plan.fixtures();
        let likely: Vec<_> = of_plan.iter().filter(|fixture| fixture.confidence > 0.5).collect();
        let found: Vec<Box4> = likely.iter().map(|fixture| corners(fixture.bbox)).collect();
        let wanted: Vec<(String, Box4)> =
            fixtures.iter().map(|fixture| (format!("{:?}", fixture.kind), fixture.bbox)).collect();
        add(&mut self.fixtures, tally(&found, &wanted, &uncertain, &mut self.by_kind));

        let toilets = |kind: FixtureKind| matches!(kind, FixtureKind::Wc | FixtureKind::Urinal);
        let found: Vec<Box4> =
            likely.iter().filter(|fixture| toilets(fixture.kind)).map(|fixture| corners(fixture.bbox)).collect();
        let wanted: Vec<(String, Box4)> =
            wanted.into_iter().filter(|(kind, _)| ["Wc", "SquatWc", "Urinal"].contains(&kind.as_str())).collect();
        add(&mut self.toilets, tally(&found, &wanted, &uncertain, &mut BTreeMap::new()));
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
fn doors_and_fixtures_of_the_named_offices_are_found() {
    let mut tallies = Tallies::default();
    for (seed, (_, office)) in (1..).zip(offices()) {
        tallies.add(&office, seed);
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
fn doors_and_fixtures_of_offices_at_random_are_found() {
    let mut tallies = Tallies::default();
    for seed in 700..710 {
        tallies.add(&Office::random(seed), seed);
    }
    eprintln!("{tallies:#?}");
    assert!(tallies.doors.f1() >= 0.85, "doors: {:.3}", tallies.doors.f1());
    assert!(tallies.toilets.f1() >= 0.75, "toilets: {:.3}", tallies.toilets.f1());
    assert!(tallies.fixtures.f1() >= 0.7, "fixtures: {:.3}", tallies.fixtures.f1());
}

/// Of the named offices' doors, fixtures and toilets, F1 at least.
const DOORS: f64 = 0.94;
const FIXTURES: f64 = 0.8;
const TOILETS: f64 = 0.85;
/// The share of a kind that is found at least, by lines alone.
const BY_KIND: [(&str, f64); 17] = [
    ("Single", 0.92),
    ("Double", 0.82),
    ("Uneven", 0.8),
    ("Stall", 0.88),
    ("DoubleActing", 0.8),
    ("Sliding", 0.55),
    ("Pocket", 0.7),
    ("Surface", 0.65),
    ("Overhead", 0.85),
    ("Accordion", 0.85),
    ("Revolving", 0.7),
    ("Wc", 0.85),
    ("SquatWc", 0.95),
    ("Urinal", 0.7),
    ("Lavatory", 0.52),
    ("Sink", 0.65),
    ("Shower", 0.65),
];

#[test]
fn a_plan_is_read_whichever_way_its_sheet_lies() {
    let (_, office) = offices().into_iter().find(|(name, _)| *name == "renovation").unwrap();
    for rotate in [0, 90, 180, 270] {
        let mut tallies = Tallies::default();
        tallies.add(&Office { rotate, ..office.clone() }, 8);
        let [doors, fixtures, toilets] = [tallies.doors, tallies.fixtures, tallies.toilets].map(Tally::f1);
        assert!(doors.min(fixtures).min(toilets) >= 0.88, "{rotate}: {doors:.3} {fixtures:.3} {toilets:.3}");
    }
}
