//! Fits the coefficients that fuse lines and networks on labelled real plans.
//!
//! Reads label files in the corpus' format, and the pages that they name. Prints coefficients for doors and for fixtures, and
//! how well fused scores do on each office when the coefficients are fitted on the others. The detector network must not have
//! learnt from the pages: `--network` takes the name of one that was trained without them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Parser;
use door_detector::{building, fusion};
use eval::{EvidenceExample, NativeClassifier, NativeDetector, fit_evidence};
use fanlight_contract::Rect;
use fanlight_detection::detector::{Detection, detect_on_lines, scanned_area};
use fanlight_detection::evidence::{self, Evidence, EvidenceCoefficients};
use fanlight_detection::fixtures;
use fanlight_detection::symbols::{Fixture, Plan, Scales};
use fanlight_plugin::page::Readable as _;
use fanlight_sheet::parts::Parts;
use native::NativePage;
use scoring::{Tally, match_boxes, rect};
use serde::Deserialize;

/// Fits the coefficients that fuse lines and networks on labelled real plans
#[derive(Parser)]
struct Arguments {
    /// Label files, each with the PDF that it describes: LABEL.json=FILE.pdf
    #[arg(required = true)]
    pages: Vec<String>,
    /// The detector network, a folder of `models`
    #[arg(long, default_value = "symbols-finder")]
    network: String,
    /// Measures with the coefficients that serve, and fits nothing
    #[arg(long)]
    measure: bool,
}

/// A label file.
#[derive(Deserialize)]
struct Labels {
    id: Option<String>,
    office: Option<String>,
    page: u32,
    doors: Vec<Label>,
    fixtures: Vec<Label>,
}

/// A labelled symbol.
#[derive(Deserialize)]
struct Label {
    bbox: [f32; 4],
    #[serde(default)]
    uncertain: bool,
}

/// The symbols of one group on one page, with their evidence and the truth.
struct Page {
    office: String,
    found: Vec<(Rect, Evidence)>,
    truths: Vec<Rect>,
    uncertain: Vec<Rect>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let networks =
        Networks { detector: NativeDetector::open_as(&arguments.network)?, classifier: NativeClassifier::open()? };
    let (mut doors, mut fixtures) = (Vec::new(), Vec::new());
    for pair in &arguments.pages {
        let (labels, pdf) = pair.split_once('=').with_context(|| format!("{pair} is not LABEL.json=FILE.pdf"))?;
        if let Some((of_doors, of_fixtures)) = read(Path::new(labels), &PathBuf::from(pdf), &networks)? {
            doors.push(of_doors);
            fixtures.push(of_fixtures);
        }
    }
    for (group, pages, served) in
        [("doors", doors, &fusion::COEFFICIENTS_ON_LINES), ("fixtures", fixtures, &fixtures::COEFFICIENTS_ON_LINES)]
    {
        println!(
            "{group}: {} pages, {} symbols",
            pages.len(),
            pages.iter().map(|page| page.found.len()).sum::<usize>()
        );
        if !arguments.measure {
            println!("fitted on all: {:.2?}", fit(pages.iter()));
        }
        show(
            &pages,
            |office| {
                if arguments.measure { *served } else { fit(pages.iter().filter(|page| page.office != office)) }
            },
        );
    }
    Ok(())
}

/// The networks that look at pages.
struct Networks {
    detector: NativeDetector,
    classifier: NativeClassifier,
}

/// Reads a labelled page; `None` if it is a scan.
fn read(labels: &Path, pdf: &Path, networks: &Networks) -> Result<Option<(Page, Page)>> {
    let text = fs::read_to_string(labels).with_context(|| format!("cannot read {}", labels.display()))?;
    let labels: Labels =
        serde_json::from_str(&text).with_context(|| format!("{} is no label file", labels.display()))?;
    let file = fs::read(pdf).with_context(|| format!("cannot read {}", pdf.display()))?;
    let page = NativePage::open(file, labels.page)?;
    let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
    if scanned_area(paths.ops.len(), &geometry, || page.images()).is_some() {
        return Ok(None);
    }
    let plan = Plan::read(&paths, &text, &geometry);
    let scales = plan.scales();
    let detect = |scales: &Scales| Some(detect_on_lines(&page, scales, |tile| networks.detector.maps(&tile).ok()));
    let found = building::candidates(&paths, &text, &geometry, detect);
    let confidences = fusion::confidences(&found.doors, |boxes| networks.classifier.classify(&page, boxes));
    let doors = fusion::evidence(&found.doors, &confidences, found.detections.as_deref().unwrap_or_default());
    let parts = Parts::find(&paths, &text, &geometry);
    let mut candidates: Vec<Fixture> = plan.fixture_candidates(&scales);
    candidates.retain(|candidate| parts.kind_at(candidate.bbox).is_none());
    let mut detections: Vec<Detection> = detect(&scales).unwrap_or_default();
    detections.retain(|own| own.class.is_fixture() && parts.kind_at(own.bbox).is_none());
    let fixtures = fixtures::evidence(&candidates, &detections, |boxes| networks.classifier.classify(&page, boxes));
    let office = labels.office.or(labels.id).unwrap_or_else(|| pdf.display().to_string());
    eprintln!(
        "{office}: {scales:?}, {} doors, {} fixtures, {} detections",
        doors.len(),
        candidates.len(),
        detections.len()
    );
    let with_truth = |found: Vec<(Rect, Evidence)>, labels: &[Label]| {
        let boxes = |is_uncertain: bool| {
            labels.iter().filter(|own| own.uncertain == is_uncertain).map(|own| rect(own.bbox)).collect()
        };
        Page { office: office.clone(), found, truths: boxes(false), uncertain: boxes(true) }
    };
    let fixtures = fixtures.into_iter().map(|own| (own.bbox, own.evidence)).collect();
    Ok(Some((with_truth(doors, &labels.doors), with_truth(fixtures, &labels.fixtures))))
}

/// Fits coefficients on pages.
fn fit<'a>(pages: impl Iterator<Item = &'a Page>) -> EvidenceCoefficients {
    let mut examples = Vec::new();
    for page in pages {
        for (bbox, evidence) in &page.found {
            // Overlapping candidates of one symbol are all right.
            let is_right = match_boxes(&[*bbox], &page.truths, &page.uncertain).detections.first().copied().flatten();
            examples.extend(is_right.map(|is_true| EvidenceExample { evidence: *evidence, is_true }));
        }
    }
    fit_evidence(&examples)
}

/// Prints how well fused scores do at a threshold of 0.5, office by office, with the coefficients for each office.
fn show(pages: &[Page], coefficients: impl Fn(&str) -> EvidenceCoefficients) {
    let mut offices: BTreeMap<&str, Tally> = BTreeMap::new();
    for page in pages {
        let coefficients = coefficients(&page.office);
        let fused = page.found.iter().map(|(bbox, own)| (*bbox, own.fused(&coefficients)));
        let kept = evidence::non_maximum_suppression(fused.collect());
        let boxes: Vec<Rect> = kept.iter().filter(|(_, confidence)| *confidence > 0.5).map(|(bbox, _)| *bbox).collect();
        *offices.entry(&page.office).or_default() += match_boxes(&boxes, &page.truths, &page.uncertain).tally();
    }
    let pooled: Tally = offices.values().copied().sum();
    let scored: Vec<(&str, Tally)> = offices
        .iter()
        .filter(|(_, tally)| tally.hit + tally.missed >= 3)
        .map(|(office, tally)| (*office, *tally))
        .collect();
    let mean = scored.iter().map(|(_, tally)| tally.f1()).sum::<f64>() / scored.len().max(1) as f64;
    println!("F1 {:.3}, mean of {} offices {mean:.3}, {pooled:?}", pooled.f1(), scored.len());
    for (office, tally) in scored {
        println!("  {office}: {:.2} {tally:?}", tally.f1());
    }
}
