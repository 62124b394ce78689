//! Fixtures and toilets of synthetic plans, detected as the plugins do: scores with the classifier, which must not be below
//! those of lines alone. The bars are a little below what was measured.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use drafting::plan::{self, Catalogue, Style, generate, styles};
use eval::NativeClassifier;
use fanlight_contract::Rect;
use fanlight_detection::fixtures::{COEFFICIENTS, fused};
use fanlight_detection::symbols::{Fixture, Plan};
use fanlight_sheet::parts::Parts;
use native::{NativePage, Readable as _};
use scoring::{Tally, match_boxes, rect};

/// Counts of fixtures and of toilets, each with the classifier and by lines alone.
#[derive(Debug, Default)]
struct Tallies {
    fixtures: [Tally; 2],
    toilets: [Tally; 2],
}

fn is_toilet(kind: plan::FixtureKind) -> bool {
    matches!(kind, plan::FixtureKind::Wc | plan::FixtureKind::SquatWc | plan::FixtureKind::Urinal)
}

impl Tallies {
    fn add(&mut self, style: &Style, seed: u64, classifier: &NativeClassifier) {
        let drafted = generate(style, seed);
        let truth = &drafted.truth;
        let wanted: Vec<Rect> = truth.fixtures.iter().map(|own| rect(own.bbox)).collect();
        let toilets = truth.fixtures.iter().filter(|own| is_toilet(own.kind));
        let wanted_toilets: Vec<Rect> = toilets.map(|own| rect(own.bbox)).collect();
        let unclear: Vec<Rect> = truth.uncertain.iter().map(|own| rect(own.bbox)).collect();

        let page = NativePage::open(drafted.pdf, 1).unwrap();
        let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
        let plan = Plan::read(&paths, &text, &geometry);
        let mut candidates = plan.fixture_candidates(&plan.scales());
        let parts = Parts::find(&paths, &text, &geometry);
        candidates.retain(|candidate| parts.kind_at(candidate.bbox).is_none());
        let boxes: Vec<Rect> = candidates.iter().map(|candidate| candidate.bbox).collect();
        let classified = classifier.classify(&page, &boxes);
        let by_lines = vec![None; boxes.len()];
        for (way, classifications) in [classified, by_lines].iter().enumerate() {
            let listed: Vec<Fixture> = fused(candidates.clone(), classifications, COEFFICIENTS)
                .into_iter()
                .filter(Fixture::is_likely)
                .collect();
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
        assert!(seen.f1() >= unseen.f1(), "fixtures: lines alone do better, {:.3}", unseen.f1());
    }
}

#[test]
fn fixtures_of_random_styles_are_detected() {
    let classifier = NativeClassifier::open().unwrap();
    let mut tallies = Tallies::default();
    for seed in 700..710 {
        tallies.add(&Style::random(seed), seed, &classifier);
    }
    tallies.assert(0.86, 0.93);
}

#[test]
fn fixtures_of_the_named_styles_are_detected() {
    let classifier = NativeClassifier::open().unwrap();
    let mut tallies = Tallies::default();
    for (seed, (_, style)) in (1..).zip(styles()) {
        tallies.add(&style, seed, &classifier);
    }
    tallies.assert(0.94, 0.94);
}

#[test]
fn fixtures_of_rarer_forms_are_detected() {
    let classifier = NativeClassifier::open().unwrap();
    let mut tallies = Tallies::default();
    for (seed, (_, style)) in (1..).zip(styles()) {
        tallies.add(&Style { catalogue: Catalogue::Rarer, ..style }, seed, &classifier);
    }
    for seed in 700..710 {
        tallies.add(&Style { catalogue: Catalogue::Rarer, ..Style::random(seed) }, seed, &classifier);
    }
    tallies.assert(0.88, 0.88);
}
