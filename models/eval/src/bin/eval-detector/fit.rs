//! Fits the coefficients of score fusion on scans of synthetic sheets with mixed styles, which trained neither network.

use anyhow::Result;
use drafting::plan::{Catalogue, Style, generate};
use drafting::scan::Scanner;
use fanlight_contract::{Orientation, Rect};
use fanlight_detection::classifier_input::Class;

use eval::{Group, LabelledScores, NativeClassifier, NativeDetector, classifications, detections, scanned, uncertain};
use scoring::match_boxes;

/// The first sheet's seed: training uses others.
const FIRST_SEED: u64 = 700_000;
/// Resolution of the scans, in pixels per inch.
const DPI: f32 = 200.0;
/// Most pixels of a scan.
const MAX_PIXELS: f32 = 20e6;

/// Generates and scans sheets, and prints coefficients for doors and for fixtures.
pub(crate) fn run(sheets: u64) -> Result<()> {
    let (detector, classifier) = (NativeDetector::open()?, NativeClassifier::open()?);
    let scanners: Vec<(&str, Scanner)> = Scanner::ALL.into_iter().chain(Scanner::WORN).collect();
    let mut scores: [(Group, Vec<LabelledScores>); 2] = [(Group::Doors, Vec::new()), (Group::Fixtures, Vec::new())];
    for seed in FIRST_SEED..FIRST_SEED + sheets {
        let catalogue = if seed.is_multiple_of(2) { Catalogue::Rarer } else { Catalogue::Common };
        let style = Style { catalogue, ..Style::mixed(seed) };
        let drafted = generate(&style, seed);
        let dpi = DPI.min((MAX_PIXELS / (style.sheet.0 * style.sheet.1 / 5184.0)).sqrt());
        let Some((_, scanner)) = scanners.get(seed as usize % scanners.len()) else { continue };
        let pdf = scanned(&drafted.pdf, Orientation::UserSpace, scanner, dpi, seed)?;
        let detections = detections(pdf.clone(), 1, &detector)?;
        let classifications = classifications(pdf, 1, &detections, &classifier)?;
        let skew = scanner.turn(seed);
        let uncertain = uncertain(&drafted.truth, skew);
        for (group, scores) in &mut scores {
            let own: Vec<usize> = (0..detections.len()).filter(|at| group.has(detections[*at].class)).collect();
            let boxes: Vec<Rect> = own.iter().map(|at| detections[*at].bbox).collect();
            let matches = match_boxes(&boxes, &group.truths(&drafted.truth, skew), &uncertain);
            for (at, right) in own.into_iter().zip(matches.detections) {
                let (Some(right), Some(classification)) = (right, &classifications[at]) else { continue };
                let belongs = |class: Class| group.has(class);
                scores.push(LabelledScores {
                    confidence: detections[at].confidence,
                    likelihood: classification.likelihood(belongs),
                    is_true: right,
                });
            }
        }
        println!("sheet {seed}: {} detections", detections.len());
    }
    for (group, scores) in scores {
        println!("{group:?}, {} detections: {:.2?}", scores.len(), eval::fit(scores.iter().copied()));
    }
    Ok(())
}
