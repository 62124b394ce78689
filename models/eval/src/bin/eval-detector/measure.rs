//! Scores on synthetic scans, by scanner and by style.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Result;
use drafting::plan::{generate, styles};
use drafting::scan::Scanner;

use eval::{Group, NativeClassifier, NativeDetector, classifications, detections, scanned, tally};
use fanlight_contract::Orientation;
use fanlight_detection::detector::{Detection, fused};
use scoring::Tally;

/// Resolution of the scans, in pixels per inch.
const DPI: f32 = 200.0;
/// Most pixels of a scan.
const MAX_PIXELS: f32 = 30e6;

/// Measures every n-th named style with every n-th scanner.
pub(crate) fn run(styles_step: usize, scanners_step: usize) -> Result<()> {
    let (detector, classifier) = (NativeDetector::open()?, NativeClassifier::open()?);
    let mut tallies: BTreeMap<String, [Tally; 3]> = BTreeMap::new();
    for (number, (name, style)) in styles().into_iter().enumerate().step_by(styles_step.max(1)) {
        let drafted = generate(&style, number as u64 + 1);
        let square_inches = style.sheet.0 * style.sheet.1 / 5184.0;
        let dpi = DPI.min((MAX_PIXELS / square_inches).sqrt());
        for (kind, scanner) in Scanner::ALL.into_iter().chain(Scanner::WORN).step_by(scanners_step.max(1)) {
            let seed = number as u64 + 77;
            let pdf = scanned(&drafted.pdf, Orientation::UserSpace, &scanner, dpi, seed)?;
            let started = Instant::now();
            let alone = detections(pdf.clone(), 1, &detector)?;
            let classifications = classifications(pdf, 1, &alone, &classifier)?;
            let detections: Vec<Detection> = alone
                .iter()
                .zip(classifications)
                .map(|(detection, classification)| fused(detection, classification.as_ref()))
                .collect();
            let skew = scanner.turn(seed);
            let of_sheet = Group::ALL.map(|group| tally(&detections, group, &drafted.truth, skew));
            for (key, of_sheet) in [
                (format!("scan {kind}"), of_sheet),
                (format!("style {name}"), of_sheet),
                ("all".to_owned(), of_sheet),
                (
                    "all, the detector alone".to_owned(),
                    Group::ALL.map(|group| tally(&alone, group, &drafted.truth, skew)),
                ),
            ] {
                let sums = tallies.entry(key).or_default();
                for (sum, own) in sums.iter_mut().zip(of_sheet) {
                    *sum += own;
                }
            }
            let rates = of_sheet.map(|own| format!("{:.2}", own.f1())).join(" ");
            println!("{name}, {kind}, {}: {rates} in {:.1} s", style.scale.notation, started.elapsed().as_secs_f32());
        }
    }
    println!("\nF1 (precision, recall) of doors, toilets, fixtures");
    for (key, sums) in tallies {
        let rates = sums.map(|own| format!("{:.3} ({:.3}, {:.3})", own.f1(), own.precision(), own.recall()));
        println!("{key}: {}", rates.join("  "));
    }
    Ok(())
}
