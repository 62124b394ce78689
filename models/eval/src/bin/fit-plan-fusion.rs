//! Fits the coefficients that fuse lines and networks on labelled real plans.
//!
//! Reads label files in the corpus' format, and the pages that they name. Prints coefficients for doors and for fixtures, and
//! how well fused scores do on each office when the coefficients are fitted on the others. Doors are also scored by lines and
//! `symbol-classifier` alone, as they are served. Then it prints the coefficients for scans, where both networks look at a picture
//! alone: every page counts as one. The networks must not have learnt from the pages: `--networks` takes a folder with such
//! as were trained without them.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Parser;
use door_detector::{Candidate, filter, fusion};
use eval::{EvidenceExample, LabelledScores, NativeClassifier, NativeNetworks, fit_evidence};
use fanlight_contract::Rect;
use fanlight_detection::classifier_input::Class;
use fanlight_detection::detector::{Detection, detect, detect_on_lines, scanned_area};
use fanlight_detection::evidence::{Evidence, EvidenceCoefficients, SAME_IOU, Symbol, overlap, pair};
use fanlight_detection::fixtures::{self, FixtureEvidence, fused_evidence};
use fanlight_detection::repeats::DrawnLines;
use fanlight_detection::symbols::{Door, Fixture, FixtureKind, Plan};
use fanlight_geometry::{RectExt as _, non_maximum_suppression};
use fanlight_plugin::page::Readable as _;
use native::NativePage;
use scoring::{Tally, match_boxes, rect};
use serde::Deserialize;

/// Fits the coefficients that fuse lines and networks on labelled real plans
#[derive(Parser)]
struct Arguments {
    /// Label files, each with the PDF that it describes: LABEL.json=FILE.pdf
    #[arg(required = true)]
    pages: Vec<String>,
    /// A folder with a symbol-detector and a symbol-classifier that have not learnt from the pages, instead of those that serve
    #[arg(long)]
    networks: Option<PathBuf>,
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

/// What a labelled page gives.
struct Reading {
    /// The doors, the fixtures, and the doors without the detector network, unless the page is a scan.
    on_lines: Option<[Page; 3]>,
    /// The scores of what the networks see on the picture: of doors, and of fixtures.
    on_picture: [Vec<LabelledScores>; 2],
}

/// The symbols of one group on one page, with their evidence and the truth.
struct Page {
    office: String,
    found: Vec<(Rect, Evidence)>,
    truths: Vec<Rect>,
    uncertain: Vec<Rect>,
    listing: Listing,
}

/// Which of the symbols that are found on a page count.
enum Listing {
    /// All: the plugin has chosen them.
    Chosen,
    /// The likeliest of those that overlap.
    Likeliest,
    /// Those that the plugins list of fixtures, whose equal copies share evidence.
    Fixtures(DrawnLines),
}

impl Page {
    /// Returns what was found of one group on an office's plan, with the truth of its labels.
    fn new(office: &str, found: Vec<(Rect, Evidence)>, labels: &[Label], listing: Listing) -> Self {
        let (truths, uncertain) = (truths(labels), uncertain(labels));
        Self { office: office.to_owned(), found, truths, uncertain, listing }
    }

    /// Returns the symbols that count, with their fused scores.
    fn fused(&self, coefficients: &EvidenceCoefficients) -> Vec<(Rect, f32)> {
        let all = self.found.iter().map(|(bbox, own)| (*bbox, own.fused(coefficients)));
        let lines = match &self.listing {
            Listing::Chosen => return all.collect(),
            Listing::Likeliest => return most_confident(all.collect()),
            Listing::Fixtures(lines) => lines,
        };
        // Kinds do not decide which fixtures are listed.
        let kind = FixtureKind::Other;
        let found = self.found.iter().map(|&(bbox, evidence)| FixtureEvidence { kind, bbox, evidence });
        let fixtures = fused_evidence(&found.collect::<Vec<_>>(), coefficients, |bbox| lines.places_like(bbox));
        fixtures.into_iter().map(|fixture| (fixture.bbox, fixture.confidence)).collect()
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let networks = match &arguments.networks {
        Some(folder) => NativeNetworks::open_in(folder)?,
        None => NativeNetworks::open()?,
    };
    let (mut doors, mut fixtures, mut served_doors) = (Vec::new(), Vec::new(), Vec::new());
    let mut on_pictures = [Vec::new(), Vec::new()];
    for page in &arguments.pages {
        let Some((labels, pdf)) = page.split_once('=') else { bail!("{page} is not LABEL.json=FILE.pdf") };
        let reading = read(Path::new(labels), Path::new(pdf), &networks)?;
        if let Some([of_doors, of_fixtures, of_served_doors]) = reading.on_lines {
            doors.push(of_doors);
            fixtures.push(of_fixtures);
            served_doors.push(of_served_doors);
        }
        for (all, own) in on_pictures.iter_mut().zip(reading.on_picture) {
            all.extend(own);
        }
    }
    if !arguments.measure {
        for (group, scores) in ["doors", "fixtures"].into_iter().zip(&on_pictures) {
            println!("{group} on pictures, {} detections: {:.2?}", scores.len(), eval::fit(scores.iter().copied()));
        }
    }
    println!("doors by lines and symbol-classifier, which serve: {} pages", served_doors.len());
    show(&served_doors, |_| LINES_ALONE);
    for (group, pages, served) in
        [("doors", doors, &DOORS_BY_ALL), ("fixtures", fixtures, &fixtures::COEFFICIENTS_ON_LINES)]
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

/// Coefficients that keep the score by lines.
const LINES_ALONE: EvidenceCoefficients = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
/// Coefficients of doors by lines and both networks, which do not serve. Fitted by this program; see
/// `models/symbol-detector/card.md`.
const DOORS_BY_ALL: EvidenceCoefficients = [-0.27, 0.79, -1.18, 0.77, -1.09, 0.0];

/// Reads a labelled page.
fn read(labels: &Path, pdf: &Path, networks: &NativeNetworks) -> Result<Reading> {
    let text = fs::read_to_string(labels).with_context(|| format!("cannot read {}", labels.display()))?;
    let labels: Labels =
        serde_json::from_str(&text).with_context(|| format!("{} is no label file", labels.display()))?;
    let file = fs::read(pdf).with_context(|| format!("cannot read {}", pdf.display()))?;
    let page = NativePage::open(file, labels.page)?;
    let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
    let run = |tile: Vec<f32>| networks.detector.maps(&tile).ok();
    if let Some(area) = scanned_area(paths.ops.len(), &geometry, || page.images()) {
        let detections = detect(&page, area, run);
        return Ok(Reading { on_lines: None, on_picture: picture_scores(&page, &detections, &labels, networks) });
    }
    let plan = Plan::read(&paths, &text, &geometry);
    let scales = plan.scales();
    let detections = detect_on_lines(&page, &scales, run);
    let found = plan.doors();
    let confidences = fusion::confidences(&found, |boxes| networks.classifier.classify(&page, boxes));
    let served_doors = served_doors(&found, &confidences);
    let doors = door_evidence(&found, &confidences, &detections);
    let candidates: Vec<Fixture> = plan.fixture_candidates(&scales);
    let on_picture = picture_scores(&page, &detections, &labels, networks);
    let mut detections = detections;
    detections.retain(|own| own.class.is_fixture());
    let fixtures = fixtures::evidence(&candidates, &detections, |boxes| networks.classifier.classify(&page, boxes));
    let office = labels.office.clone().or(labels.id.clone()).unwrap_or_else(|| pdf.display().to_string());
    eprintln!(
        "{office}: {scales:?}, {} doors, {} fixtures, {} detections",
        doors.len(),
        candidates.len(),
        detections.len()
    );
    let fixtures = fixtures.into_iter().map(|own| (own.bbox, own.evidence)).collect();
    let on_lines = Some([
        Page::new(&office, doors, &labels.doors, Listing::Likeliest),
        Page::new(&office, fixtures, &labels.fixtures, Listing::Fixtures(DrawnLines::of_plan(&plan))),
        Page::new(&office, served_doors, &labels.doors, Listing::Chosen),
    ]);
    Ok(Reading { on_lines, on_picture })
}

/// Returns the doors that the plugin lists of those that lines propose, with their confidences by lines and `symbol-classifier`.
fn served_doors(doors: &[Door], confidences: &[f32]) -> Vec<(Rect, Evidence)> {
    let scored = doors.iter().map(|door| door.bbox).zip(confidences.iter().copied());
    // A door's identifier is its place among the proposed ones here.
    let candidates = scored.clone().enumerate().map(|(at, (bbox, confidence))| Candidate {
        id: at.to_string(),
        page: 1,
        bbox: bbox.into(),
        confidence,
    });
    let listed: HashSet<String> =
        filter::doors(&candidates.collect::<Vec<_>>()).into_iter().map(|door| door.id).collect();
    let listed = scored.enumerate().filter(|(at, _)| listed.contains(&at.to_string()));
    listed.map(|(_, (bbox, lines))| (bbox, Evidence { lines: Some(lines), ..Evidence::default() })).collect()
}

/// Returns the evidence for each door that lines propose, with its confidence by lines and `symbol-classifier`, or that the detector
/// network detects.
fn door_evidence(doors: &[Door], confidences: &[f32], detections: &[Detection]) -> Vec<(Rect, Evidence)> {
    let proposed: Vec<Rect> = doors.iter().map(|door| door.bbox).collect();
    let detections: Vec<Detection> = detections.iter().filter(|own| own.class.is_door()).copied().collect();
    let evidence = pair(&proposed, &detections).into_iter().map(|Symbol { bbox, candidate, detection }| {
        let lines = candidate.and_then(|at| confidences.get(at)).copied();
        let network = detection.and_then(|at| detections.get(at)).map(|detection| detection.confidence);
        (bbox, Evidence { lines, network, classifier: None })
    });
    evidence.collect()
}

/// Returns the scores of the networks for each detection on the picture of a page: of doors, and of fixtures.
fn picture_scores(
    page: &NativePage,
    detections: &[Detection],
    labels: &Labels,
    networks: &NativeNetworks,
) -> [Vec<LabelledScores>; 2] {
    [
        group_scores(page, detections, &labels.doors, Class::is_door, &networks.classifier),
        group_scores(page, detections, &labels.fixtures, Class::is_fixture, &networks.classifier),
    ]
}

/// Returns the scores of the networks for each detection of a group. Those that count neither way are left out.
fn group_scores(
    page: &NativePage,
    detections: &[Detection],
    labels: &[Label],
    belongs: fn(Class) -> bool,
    classifier: &NativeClassifier,
) -> Vec<LabelledScores> {
    let own: Vec<&Detection> = detections.iter().filter(|detection| belongs(detection.class)).collect();
    let found: Vec<Rect> = own.iter().map(|detection| detection.bbox).collect();
    let rights = match_boxes(&found, &truths(labels), &uncertain(labels)).detections;
    let classifications = classifier.classify(page, &found);
    let scores = own.into_iter().zip(rights).zip(classifications);
    let labelled = scores.filter_map(|((detection, is_right), classification)| {
        Some(LabelledScores {
            confidence: detection.confidence,
            likelihood: classification?.likelihood(belongs),
            is_true: is_right?,
        })
    });
    labelled.collect()
}

/// Returns the boxes of the labels that are certain.
fn truths(labels: &[Label]) -> Vec<Rect> {
    labels.iter().filter(|label| !label.uncertain).map(|label| rect(label.bbox)).collect()
}

/// Returns the boxes of the labels that are uncertain.
fn uncertain(labels: &[Label]) -> Vec<Rect> {
    labels.iter().filter(|label| label.uncertain).map(|label| rect(label.bbox)).collect()
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

/// A box is a part of a more confident one that covers this share of it.
const PART_COVERED: f32 = 0.7;

/// Keeps the most confident of boxes that overlap, each with its confidence. The result has the most confident first.
fn most_confident(mut found: Vec<(Rect, f32)>) -> Vec<(Rect, f32)> {
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    non_maximum_suppression(found, |(likelier, _), (bbox, _)| {
        let covered = likelier.overlap(bbox).map_or(0.0, |both| both.signed_area());
        overlap(*likelier, *bbox) >= SAME_IOU || covered >= PART_COVERED * bbox.signed_area()
    })
}

/// The confidences from which on symbols count. Clients are told that 0.5 and above is probably right.
const THRESHOLDS: [f32; 4] = [0.3, 0.4, 0.5, 0.6];
/// The threshold at which each office is shown.
const SHOWN: f32 = 0.5;

/// Prints how well fused scores do at each threshold, with the coefficients for each office, and the offices at one of them.
fn show(pages: &[Page], coefficients: impl Fn(&str) -> EvidenceCoefficients) {
    let fused = pages.iter().map(|page| (page, page.fused(&coefficients(&page.office))));
    let fused: Vec<(&Page, Vec<(Rect, f32)>)> = fused.collect();
    for threshold in THRESHOLDS {
        let offices = tallies(&fused, threshold);
        let pooled: Tally = offices.values().copied().sum();
        let scored: Vec<(&str, Tally)> =
            offices.into_iter().filter(|(_, tally)| tally.hit + tally.missed >= MIN_SYMBOLS).collect();
        let mean = scored.iter().map(|(_, tally)| tally.f1()).sum::<f64>() / scored.len().max(1) as f64;
        println!("at {threshold}: F1 {:.3}, mean of {} offices {mean:.3}, {pooled:?}", pooled.f1(), scored.len());
        if threshold == SHOWN {
            for (office, tally) in scored {
                println!("  {office}: {:.2} {tally:?}", tally.f1());
            }
        }
    }
}

/// Offices with fewer symbols do not count in the mean, as in the corpus' `eval.py`.
const MIN_SYMBOLS: usize = 3;

/// Returns the tally of each office with what is found at a threshold.
fn tallies<'a>(fused: &[(&'a Page, Vec<(Rect, f32)>)], threshold: f32) -> BTreeMap<&'a str, Tally> {
    let mut offices: BTreeMap<&str, Tally> = BTreeMap::new();
    for (page, found) in fused {
        let boxes: Vec<Rect> =
            found.iter().filter(|(_, confidence)| *confidence >= threshold).map(|(bbox, _)| *bbox).collect();
        *offices.entry(&page.office).or_default() += match_boxes(&boxes, &page.truths, &page.uncertain).tally();
    }
    offices
}
