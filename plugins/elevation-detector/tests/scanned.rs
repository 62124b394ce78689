//! Sheets that went through a scanner, read back and compared with the exact truth.

mod native;
mod paper;
mod scoring;

use drafting::elevation::offices;
use drafting::scan::Scanner;
use native::{NativeSheet, Network};
use scoring::Score;

/// Pixels an inch that offices scan at.
const SCANNED_AT: f32 = 150.0;
/// Offices and scanners that are tried: all of them take the example `scans` some minutes.
const OFFICES: [&str; 2] = ["half-size", "mixed"];
const SCANNERS: [&str; 2] = ["flatbed", "fax"];

/// What is reached together by the network and OCR, by the network alone and by OCR alone.
const BARS: [(&str, bool, bool, f64); 3] =
    [("network and OCR", true, true, 0.8), ("network", true, false, 0.8), ("OCR", false, true, 0.5)];

#[test]
fn scans_are_read_with_what_help_there_is() -> Result<(), String> {
    let network = Network::open()?;
    let mut sums = [Score::default(); BARS.len()];
    for (name, office) in offices().into_iter().filter(|(name, _)| OFFICES.contains(name)) {
        for (scanner_name, scanner) in Scanner::ALL.into_iter().filter(|(name, _)| SCANNERS.contains(name)) {
            let drafted = paper::scanned(&office, 1, &scanner, SCANNED_AT)?;
            for (sum, (help, mapped, ocr, _)) in sums.iter_mut().zip(BARS) {
                let sheet = NativeSheet::open(drafted.pdf.clone(), 1, mapped.then_some(&network), ocr)?;
                let score = Score::of(&elevation_detector::read(&sheet), &drafted.truth.elevations);
                println!("{name}, {scanner_name}, {help}: {:.3} {score:?}", score.f1());
                *sum = sum.and(score);
            }
        }
    }
    let below: Vec<String> = sums
        .iter()
        .zip(BARS)
        .filter(|(sum, (.., bar))| sum.f1() < *bar)
        .map(|(sum, (help, .., bar))| format!("{help}: {:.3} and not {bar}, {sum:?}", sum.f1()))
        .collect();
    assert!(below.is_empty(), "{}", below.join("\n"));
    Ok(())
}

#[test]
fn a_scan_has_none_without_help() -> Result<(), String> {
    let office = &offices()[0].1;
    let drafted = paper::scanned(office, 1, &Scanner::ALL[0].1, 60.0)?;
    let sheet = NativeSheet::open(drafted.pdf, 1, None, false)?;
    assert!(elevation_detector::read(&sheet).is_empty());
    Ok(())
}
