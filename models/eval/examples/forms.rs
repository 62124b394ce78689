//! Prints, for each form of fixture on synthetic sheets, how many there are, how many the lines propose and how many are
//! listed; then the false fixtures by what is drawn there; then the share of listed fixtures that is right, by confidence:
//! `forms [SHEETS [FOLDER]]`.
//!
//! The sheets have random styles and each named style, with forms of either catalogue. They go into the folder, with what was
//! missed and what is false.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use drafting::plan::{Catalogue, FixtureKind, Style, Truth, generate, styles};
use eval::NativeClassifier;
use fanlight_contract::Rect;
use fanlight_detection::classifier_input::{Class, Classification};
use fanlight_detection::fixtures::{COEFFICIENTS, fused};
use fanlight_detection::symbols::{Fixture, Plan};
use native::{NativePage, Readable as _};
use scoring::{MATCH_IOU, padded_iou, rect};
use serde_json::{Value, json};

/// The first seed of random styles: tests use seeds below 1,000, coefficients are fitted on seeds from 12,000 on.
const FIRST_SEED: u64 = 40_000;
/// A false fixture is attributed to what it overlaps by more than this.
const MIN_OVERLAP: f32 = 0.1;

/// How many fixtures of a form there are, are proposed, and are listed.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    generated: usize,
    proposed: usize,
    listed: usize,
}

/// The fixtures with a confidence within one tenth.
#[derive(Clone, Copy, Debug, Default)]
struct Bin {
    listed: usize,
    right: usize,
    /// Sum of their confidences.
    confidence: f32,
}

/// Calibration: listed fixtures by tenths of confidence.
#[derive(Clone, Copy, Debug, Default)]
struct Calibration([Bin; 10]);

impl Calibration {
    fn add(&mut self, confidence: f32, is_right: bool) {
        if let Some(bin) = self.0.get_mut((confidence * 10.0) as usize) {
            bin.listed += 1;
            bin.right += usize::from(is_right);
            bin.confidence += confidence;
        }
    }

    fn merge(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            own.listed += other.listed;
            own.right += other.right;
            own.confidence += other.confidence;
        }
    }

    fn show(&self, what: &str) {
        for Bin { listed, right, confidence } in self.0.iter().filter(|bin| bin.listed > 0) {
            let share = |sum: f32| sum / *listed as f32;
            println!("{what}: {listed} listed at {:.2}, {:.2} of them right", share(*confidence), share(*right as f32));
        }
    }
}

/// What is counted over sheets.
#[derive(Debug, Default)]
struct Counts {
    forms: BTreeMap<String, Count>,
    wrong: BTreeMap<String, usize>,
    fixtures: Calibration,
    toilets: Calibration,
}

/// The fixture candidates of a sheet, their classifications, and those that are listed.
struct Detected {
    candidates: Vec<Fixture>,
    classifications: Vec<Option<Classification>>,
    listed: Vec<Fixture>,
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
        counts.show(&format!("named styles, {catalogue:?}"));
        all.merge(&counts);
    }
    all.fixtures.show("fixtures");
    all.toilets.show("toilets");
    Ok(())
}

/// Detects the fixtures of a file's first page as `fixture-detector` does.
fn detect(pdf: Vec<u8>, classifier: &NativeClassifier) -> Result<Detected> {
    let page = NativePage::open(pdf, 1)?;
    let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
    let plan = Plan::read(&paths, &text, &geometry);
    let mut candidates = plan.fixture_candidates(&plan.scales());
    candidates.retain(Fixture::is_possible);
    let boxes: Vec<Rect> = candidates.iter().map(|candidate| candidate.bbox).collect();
    let classifications = classifier.classify(&page, &boxes);
    let fixtures = fused(candidates.clone(), &classifications, COEFFICIENTS);
    let listed = fixtures.into_iter().filter(Fixture::is_likely).collect();
    Ok(Detected { candidates, classifications, listed })
}

fn is_detected(fixtures: &[Fixture], truth: Rect) -> bool {
    fixtures.iter().any(|own| padded_iou(own.bbox, truth) >= MATCH_IOU)
}

fn is_toilet(kind: FixtureKind) -> bool {
    matches!(kind, FixtureKind::Wc | FixtureKind::SquatWc | FixtureKind::Urinal)
}

fn corners(bbox: Rect) -> [f32; 4] {
    [bbox.x1, bbox.y1, bbox.x2, bbox.y2]
}

/// Describes the candidate that overlaps a truth most.
fn nearest(detected: &Detected, truth: Rect) -> Option<Value> {
    let candidates = detected.candidates.iter().zip(&detected.classifications);
    let overlap = |own: &Fixture| padded_iou(own.bbox, truth);
    let (own, classification) = candidates.max_by(|a, b| overlap(a.0).total_cmp(&overlap(b.0)))?;
    Some(json!({
        "overlap": overlap(own), "kind": format!("{:?}", own.kind), "lines": own.confidence,
        "picture": classification.as_ref().map(|own| own.likelihood(Class::is_fixture)),
        "class": classification.as_ref().map(|own| format!("{:?}", own.likeliest(|_| true))),
        "bbox": corners(own.bbox),
    }))
}

/// Names what is drawn at a false fixture: the door, form of fixture or other thing that it overlaps most.
fn drawn_at(bbox: Rect, truth: &Truth) -> String {
    let doors = truth.doors.iter().map(|door| ("Door", door.bbox));
    let fixtures = truth.fixtures.iter().map(|fixture| (fixture.form, fixture.bbox));
    let things = truth.things.iter().map(|thing| (thing.kind.as_str(), thing.bbox));
    let overlap = |corners: [f32; 4]| padded_iou(bbox, rect(corners));
    let most = doors.chain(fixtures).chain(things).max_by(|a, b| overlap(a.1).total_cmp(&overlap(b.1)));
    most.filter(|(_, corners)| overlap(*corners) > MIN_OVERLAP).map_or("nothing", |(what, _)| what).to_owned()
}

impl Counts {
    /// Adds a synthetic sheet, and writes it with its errors into the folder.
    fn add(
        &mut self,
        name: &str,
        style: &Style,
        seed: u64,
        classifier: &NativeClassifier,
        folder: Option<&Path>,
    ) -> Result<()> {
        let sheet = generate(style, seed);
        let detected = detect(sheet.pdf.clone(), classifier)?;
        let missed = self.add_forms(&detected, &sheet.truth);
        let wrong = self.add_listed(&detected, &sheet.truth);
        if let Some(folder) = folder {
            let name = format!("{name}-{:?}", style.catalogue);
            fs::create_dir_all(folder)?;
            fs::write(folder.join(format!("{name}.pdf")), sheet.pdf)?;
            fs::write(folder.join(format!("{name}.json")), json!({ "missed": missed, "wrong": wrong }).to_string())?;
        }
        Ok(())
    }

    /// Counts the fixtures of a sheet by form, and returns those that are not listed.
    fn add_forms(&mut self, detected: &Detected, truth: &Truth) -> Vec<Value> {
        let mut missed = Vec::new();
        for fixture in &truth.fixtures {
            let bbox = rect(fixture.bbox);
            let what = format!("{:?} {}", fixture.kind, fixture.form);
            let is_listed = is_detected(&detected.listed, bbox);
            let count = self.forms.entry(what.clone()).or_default();
            count.generated += 1;
            count.proposed += usize::from(is_detected(&detected.candidates, bbox));
            count.listed += usize::from(is_listed);
            if !is_listed {
                missed.push(json!({ "what": what, "bbox": fixture.bbox, "nearest": nearest(detected, bbox) }));
            }
        }
        missed
    }

    /// Adds the listed fixtures to the calibration, and returns the false ones.
    fn add_listed(&mut self, detected: &Detected, truth: &Truth) -> Vec<Value> {
        let mut wrong = Vec::new();
        for own in &detected.listed {
            let matches = |bbox: [f32; 4]| padded_iou(own.bbox, rect(bbox)) >= MATCH_IOU;
            let fixture = truth.fixtures.iter().find(|fixture| matches(fixture.bbox));
            self.fixtures.add(own.confidence, fixture.is_some());
            if own.kind.is_toilet() {
                self.toilets.add(own.confidence, fixture.is_some_and(|fixture| is_toilet(fixture.kind)));
            }
            if fixture.is_some() || truth.uncertain.iter().any(|thing| matches(thing.bbox)) {
                continue;
            }
            let what = format!("{:?} on {}", own.kind, drawn_at(own.bbox, truth));
            *self.wrong.entry(what.clone()).or_default() += 1;
            wrong.push(json!({ "what": what, "bbox": corners(own.bbox), "confidence": own.confidence }));
        }
        wrong
    }

    /// Adds the calibration of other sheets.
    fn merge(&mut self, other: &Self) {
        self.fixtures.merge(&other.fixtures);
        self.toilets.merge(&other.toilets);
    }

    fn show(&self, what: &str) {
        let sum = |count: fn(&Count) -> usize| self.forms.values().map(count).sum::<usize>();
        let (generated, proposed, listed) = (sum(|c| c.generated), sum(|c| c.proposed), sum(|c| c.listed));
        let wrong: usize = self.wrong.values().sum();
        let f1 = 2.0 * listed as f64 / (generated + listed + wrong).max(1) as f64;
        println!("{what}: {generated} generated, {proposed} proposed, {listed} listed, {wrong} wrong, F1 {f1:.3}");
        for (form, count) in &self.forms {
            println!("  {form}: {} generated, {} proposed, {} listed", count.generated, count.proposed, count.listed);
        }
        for (what, count) in &self.wrong {
            println!("  wrong: {count} {what}");
        }
    }
}
