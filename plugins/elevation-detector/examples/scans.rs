//! Drafts sheets of every named office, scans each with every scanner, and prints how well their interior elevations are
//! found by scanner, with the network and OCR, the network alone and OCR alone: `scans [DPI] [OFFICE…]`.

#[path = "../tests/mapping/mod.rs"]
mod mapping;
#[path = "../tests/paper/mod.rs"]
mod paper;
#[path = "../tests/scoring/mod.rs"]
mod scoring;

use std::collections::BTreeMap;
use std::error::Error;

use drafting::elevation::styles;
use drafting::scan::Scanner;
use mapping::found;
use native::{NativeNetwork, NativePage};
use scoring::Score;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let dpi: f32 = arguments.first().map_or(Ok(150.0), |dpi| dpi.parse())?;
    let chosen = arguments.get(1..).unwrap_or_default();
    let network = NativeNetwork::open("sheet-views")?;
    let mut all: BTreeMap<(&str, &str), Score> = BTreeMap::new();
    for (name, style) in styles() {
        if !chosen.is_empty() && !chosen.iter().any(|own| own == name) {
            continue;
        }
        for (scanner_name, scanner) in Scanner::ALL {
            let drafted = paper::scanned(&style, 1, &scanner, dpi)?;
            for (help, network, ocr) in
                [("both", Some(&network), true), ("network", Some(&network), false), ("ocr", None, true)]
            {
                let page = NativePage::open(drafted.pdf.clone(), 1)?;
                let page = if ocr { page.with_ocr() } else { page };
                let score = Score::of(&found(&page, network), &drafted.truth.elevations);
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
