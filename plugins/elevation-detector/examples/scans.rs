//! Drafts sheets of every named office, scans each with every scanner, and prints how well their interior elevations are
//! found by scanner, with the network and OCR, the network alone and OCR alone: `scans [DPI] [OFFICE…]`.

#[path = "../tests/native/mod.rs"]
mod native;
#[path = "../tests/paper/mod.rs"]
mod paper;
#[path = "../tests/scoring/mod.rs"]
mod scoring;

use std::collections::BTreeMap;
use std::error::Error;

use drafting::elevation::offices;
use drafting::scan::Scanner;
use native::{NativeSheet, Network};
use scoring::Score;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let dpi: f32 = arguments.first().map_or(Ok(150.0), |dpi| dpi.parse())?;
    let chosen = arguments.get(1..).unwrap_or_default();
    let network = Network::open()?;
    let mut all: BTreeMap<(&str, &str), Score> = BTreeMap::new();
    for (name, office) in offices() {
        if !chosen.is_empty() && !chosen.iter().any(|own| own == name) {
            continue;
        }
        for (scanner_name, scanner) in Scanner::ALL {
            let drafted = paper::scanned(&office, 1, &scanner, dpi)?;
            for (help, network, ocr) in
                [("both", Some(&network), true), ("network", Some(&network), false), ("ocr", None, true)]
            {
                let sheet = NativeSheet::open(drafted.pdf.clone(), 1, network, ocr)?;
                let score = Score::of(&elevation_detector::read(&sheet), &drafted.truth.elevations);
                println!("{name}, {scanner_name}, {help}: {:.3} {score:?}", score.f1());
                let sum = all.entry((help, scanner_name)).or_default();
                *sum = sum.and(score);
            }
        }
    }
    for ((help, scanner), score) in all {
        println!("{help}, {scanner}: {:.3} {score:?}", score.f1());
    }
    Ok(())
}
