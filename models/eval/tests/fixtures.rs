//! Fixtures and toilets of synthetic plans, detected as the plugins do: scores with both networks, which must not be clearly below
//! those of lines alone. The bars are a little below what was measured.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use drafting::plan::{self, Catalogue, Style, generate, styles};
use eval::NativeNetworks;
use fanlight_contract::Rect;
use fanlight_detection::detector::detect_on_lines;
use fanlight_detection::fixtures::{COEFFICIENTS, COEFFICIENTS_ON_LINES, evidence, fused, fused_evidence};
use fanlight_detection::repeats::DrawnLines;
use fanlight_detection::symbols::{Fixture, Plan};
use native::{NativePage, Readable as _};
use scoring::{Tally, match_boxes, rect};

/// Counts of fixtures and of toilets, each with the networks and by lines alone.
#[derive(Debug, Default)]
struct Tallies {
    fixtures: [Tally; 2],
    toilets: [Tally; 2],
}

/// By how much lines alone may be better: the trees that score them have learnt from sheets of the same program, the coefficients of
/// the fusion from real ones.
const FITTED: f64 = 0.01;

fn is_toilet(kind: plan::FixtureKind) -> bool {
    matches!(kind, plan::FixtureKind::Wc | plan::FixtureKind::SquatWc | plan::FixtureKind::Urinal)
}

impl Tallies {
    fn add(&mut self, style: &Style, seed: u64, networks: &NativeNetworks) {
        let drafted = generate(style, seed);
        let truth = &drafted.truth;
        let wanted: Vec<Rect> = truth.fixtures.iter().map(|own| rect(own.bbox)).collect();
        let toilets = truth.fixtures.iter().filter(|own| is_toilet(own.kind));
        let wanted_toilets: Vec<Rect> = toilets.map(|own| rect(own.bbox)).collect();
        let unclear: Vec<Rect> = truth.uncertain.iter().map(|own| rect(own.bbox)).collect();

        let page = NativePage::open(drafted.pdf, 1).unwrap();
        let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
        let plan = Plan::read(&paths, &text, &geometry);
        let scales = plan.scales();
        let candidates = plan.fixture_candidates(&scales);
        let mut detections = detect_on_lines(&page, &scales, |tile| networks.detector.maps(&tile).ok());
        detections.retain(|own| own.class.is_fixture());
        let evidence = evidence(&candidates, &detections, |boxes| networks.classifier.classify(&page, boxes));
        let lines = DrawnLines::of_plan(&plan);
        let by_all = fused_evidence(&evidence, &COEFFICIENTS_ON_LINES, |bbox| lines.places_like(bbox));
        let by_lines = fused(candidates.clone(), &vec![None; candidates.len()], COEFFICIENTS);
        for (way, found) in [by_all, by_lines].into_iter().enumerate() {
            let listed: Vec<Fixture> = found.into_iter().filter(Fixture::is_likely).collect();
            let all: Vec<Rect> = listed.iter().map(|own| own.bbox).collect();
            let toilets: Vec<Rect> = listed.iter().filter(|own| own.kind.is_toilet()).map(|own| own.bbox).collect();
            self.fixtures[way] += match_boxes(&all, &wanted, &unclear).tally();
            self.toilets[way] += match_boxes(&toilets, &wanted_toilets, &unclear).tally();
        }
    }

    fn assert(&self, fixtures: f64, toilets: f64) {
        for (what, [seen, unseen], bar) in [("fixtures", self.fixtures, fixtures), ("toilets", self.toilets, toilets)] {
            eprintln!("{what}: {:.3} {seen:?}, by lines alone {:.3} {unseen:?}", seen.f1(), unseen.f1());
            assert!(seen.f1() >= bar, "{what}: F1 {:.3} is below {bar}", seen.f1());
        }
        let [seen, unseen] = self.fixtures;
        assert!(seen.f1() >= unseen.f1() - FITTED, "fixtures: lines alone do better, {:.3}", unseen.f1());
    }
}

#[test]
fn fixtures_of_random_styles_are_detected() {
    let networks = NativeNetworks::open().unwrap();
    let mut tallies = Tallies::default();
    for seed in 700..710 {
        tallies.add(&Style::random(seed), seed, &networks);
    }
    tallies.assert(0.86, 0.93);
}

#[test]
fn fixtures_of_the_named_styles_are_detected() {
    let networks = NativeNetworks::open().unwrap();
    let mut tallies = Tallies::default();
    for (seed, (_, style)) in (1..).zip(styles()) {
        tallies.add(&style, seed, &networks);
    }
    tallies.assert(0.96, 0.97);
}

#[test]
fn fixtures_of_rarer_forms_are_detected() {
    let networks = NativeNetworks::open().unwrap();
    let mut tallies = Tallies::default();
    for (seed, (_, style)) in (1..).zip(styles()) {
        tallies.add(&Style { catalogue: Catalogue::Rarer, ..style }, seed, &networks);
    }
    for seed in 700..710 {
        tallies.add(&Style { catalogue: Catalogue::Rarer, ..Style::random(seed) }, seed, &networks);
    }
    tallies.assert(0.88, 0.88);
}
