//! Prints of each form of fixture that is drafted how many there are, how many the lines propose, and how many are listed
//! by lines and picture; then what is listed and is none, by what was drafted there; and how many of those that are listed
//! at each tenth of confidence are right: `forms [SHEETS [FOLDER]]`. Sheets of offices at random and of each named one, with forms of either catalogue; into the folder go the sheets, with what was
//! missed and what is wrong.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use drafting::plan::{Catalogue, FixtureKind, Style, generate, styles};
use eval::NativeClassifier;
use fanlight_contract::Rect;
use fanlight_detection::fixtures::{COEFFICIENTS, fused};
use fanlight_detection::symbols::{Fixture, Plan};
use fanlight_sheet::parts::Parts;
use native::{NativePage, Readable as _};
use scoring::{MATCH_IOU, padded_iou, rect};
use serde_json::json;

/// The first seed of sheets of offices at random: tests have fewer than 1,000, coefficients are fitted on those from 12,000 on.
const FIRST_SEED: u64 = 40_000;

/// How many of a form there are, are proposed, and are listed.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    drafted: usize,
    proposed: usize,
    listed: usize,
}

#[derive(Debug, Default)]
struct Counts {
    forms: BTreeMap<String, Count>,
    wrong: BTreeMap<String, usize>,
    fixtures: Calibration,
    toilets: Calibration,
}

/// By tenths of confidence what is listed: how many, how sure together, and how many are right.
#[derive(Clone, Copy, Debug, Default)]
struct Calibration([(usize, f32, usize); 10]);

impl Calibration {
    fn add(&mut self, confidence: f32, is_right: bool) {
        if let Some((count, sure, right)) = self.0.get_mut((confidence * 10.0) as usize) {
            *count += 1;
            *sure += confidence;
            *right += usize::from(is_right);
        }
    }

    fn merge(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own = (own.0 + other.0, own.1 + other.1, own.2 + other.2);
        }
    }

    fn show(&self, of: &str) {
        for (count, sure, right) in self.0.iter().filter(|(count, ..)| *count > 0) {
            let share = |sum: f32| sum / *count as f32;
            println!("{of}: {count} listed at {:.2}, {:.2} of them right", share(*sure), share(*right as f32));
        }
    }
}

fn is_toilet(kind: FixtureKind) -> bool {
    matches!(kind, FixtureKind::Wc | FixtureKind::SquatWc | FixtureKind::Urinal)
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let sheets: u64 = arguments.next().map_or(Ok(20), |sheets| sheets.parse())?;
    let folder = arguments.next().map(PathBuf::from);
    let classifier = NativeClassifier::open()?;
    let mut all = Counts::default();
    for catalogue in [Catalogue::Common, Catalogue::Rarer] {
        let mut counts = Counts::default();
        for seed in FIRST_SEED..FIRST_SEED + sheets {
            let style = Style { catalogue, ..Style::random(seed) };
            counts.add(&format!("random-{seed}"), &style, seed, &classifier, folder.as_deref())?;
        }
        counts.show(&format!("random styles, {catalogue:?}"));
        all.merge(&counts);
        let mut counts = Counts::default();
        for (seed, (name, style)) in (FIRST_SEED..).zip(styles()) {
            counts.add(name, &Style { catalogue, ..style }, seed, &classifier, folder.as_deref())?;
        }
        counts.show(&format!("named offices, {catalogue:?}"));
        all.merge(&counts);
    }
    all.fixtures.show("fixtures");
    all.toilets.show("toilets");
    Ok(())
}

fn corners(bbox: Rect) -> [f32; 4] {
    [bbox.x1, bbox.y1, bbox.x2, bbox.y2]
}

impl Counts {
    fn add(
        &mut self,
        name: &str,
        style: &Style,
        seed: u64,
        classifier: &NativeClassifier,
        folder: Option<&Path>,
    ) -> Result<()> {
        let drafted = generate(style, seed);
        let pdf = drafted.pdf.clone();
        let page = NativePage::open(drafted.pdf, 1)?;
        let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
        let mut candidates = Plan::read(&paths, &text, &geometry).fixture_candidates();
        let parts = Parts::find(&paths, &text, &geometry);
        candidates.retain(|candidate| parts.holding(candidate.bbox).is_none());
        let boxes: Vec<Rect> = candidates.iter().map(|candidate| candidate.bbox).collect();
        let classifications = classifier.classify(&page, &boxes);
        let listed: Vec<Fixture> =
            fused(candidates.clone(), &classifications, COEFFICIENTS).into_iter().filter(Fixture::is_likely).collect();

        let best = |found: &[Fixture], truth: Rect| {
            found.iter().max_by(|a, b| padded_iou(a.bbox, truth).total_cmp(&padded_iou(b.bbox, truth))).cloned()
        };
        let is_found = |found: &[Fixture], truth: Rect| {
            best(found, truth).is_some_and(|own| padded_iou(own.bbox, truth) >= MATCH_IOU)
        };
        let mut missed = Vec::new();
        for fixture in &drafted.truth.fixtures {
            let truth = rect(fixture.bbox);
            let count = self.forms.entry(format!("{:?} {}", fixture.kind, fixture.form)).or_default();
            count.drafted += 1;
            count.proposed += usize::from(is_found(&candidates, truth));
            count.listed += usize::from(is_found(&listed, truth));
            if !is_found(&listed, truth) {
                let nearest = candidates
                    .iter()
                    .zip(&classifications)
                    .max_by(|a, b| padded_iou(a.0.bbox, truth).total_cmp(&padded_iou(b.0.bbox, truth)));
                let nearest = nearest.map(|(own, classification)| {
                    json!({
                        "overlap": padded_iou(own.bbox, truth), "kind": format!("{:?}", own.kind), "lines": own.confidence,
                        "picture": classification.as_ref().map(|classification| classification.likelihood(fanlight_detection::classifier_input::Class::is_fixture)),
                        "class": classification.as_ref().map(|classification| format!("{:?}", classification.likeliest(|_| true))),
                        "bbox": corners(own.bbox),
                    })
                });
                missed.push(json!({ "what": format!("{:?} {}", fixture.kind, fixture.form), "bbox": fixture.bbox, "nearest": nearest }));
            }
        }
        let mut wrong = Vec::new();
        for own in &listed {
            let counts = |bbox: [f32; 4]| padded_iou(own.bbox, rect(bbox)) >= MATCH_IOU;
            let there = drafted.truth.fixtures.iter().find(|fixture| counts(fixture.bbox));
            self.fixtures.add(own.confidence, there.is_some());
            if own.kind.is_toilet() {
                self.toilets.add(own.confidence, there.is_some_and(|fixture| is_toilet(fixture.kind)));
            }
            if drafted.truth.fixtures.iter().any(|fixture| counts(fixture.bbox))
                || drafted.truth.uncertain.iter().any(|thing| counts(thing.bbox))
            {
                continue;
            }
            let doors = drafted.truth.doors.iter().map(|door| ("Door", door.bbox));
            let fixtures = drafted.truth.fixtures.iter().map(|fixture| (fixture.form, fixture.bbox));
            let things = drafted.truth.things.iter().map(|thing| (thing.kind.as_str(), thing.bbox));
            let most = doors
                .chain(fixtures)
                .chain(things)
                .max_by(|a, b| padded_iou(own.bbox, rect(a.1)).total_cmp(&padded_iou(own.bbox, rect(b.1))));
            let there =
                most.filter(|(_, bbox)| padded_iou(own.bbox, rect(*bbox)) > 0.1).map_or("nothing", |(what, _)| what);
            let what = format!("{:?} on {there}", own.kind);
            *self.wrong.entry(what.clone()).or_default() += 1;
            wrong.push(json!({ "what": what, "bbox": corners(own.bbox), "confidence": own.confidence }));
        }
        if let Some(folder) = folder {
            fs::create_dir_all(folder)?;
            fs::write(folder.join(format!("{name}-{:?}.pdf", style.catalogue)), pdf)?;
            fs::write(
                folder.join(format!("{name}-{:?}.json", style.catalogue)),
                json!({ "missed": missed, "wrong": wrong }).to_string(),
            )?;
        }
        Ok(())
    }

    /// Adds what was listed on other sheets.
    fn merge(&mut self, other: &Self) {
        self.fixtures.merge(&other.fixtures);
        self.toilets.merge(&other.toilets);
    }

    fn show(&self, of: &str) {
        let sum = |what: fn(&Count) -> usize| self.forms.values().map(what).sum::<usize>();
        let (drafted, proposed, listed) = (sum(|c| c.drafted), sum(|c| c.proposed), sum(|c| c.listed));
        let wrong: usize = self.wrong.values().sum();
        let f1 = 2.0 * listed as f64 / (drafted + listed + wrong).max(1) as f64;
        println!("{of}: {drafted} drafted, {proposed} proposed, {listed} listed, {wrong} wrong, F1 {f1:.3}");
        for (form, count) in &self.forms {
            println!("  {form}: {} drafted, {} proposed, {} listed", count.drafted, count.proposed, count.listed);
        }
        for (what, count) in &self.wrong {
            println!("  wrong: {count} {what}");
        }
    }
}
