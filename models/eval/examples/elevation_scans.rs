//! Scans sheets of each named style with each scanner, and prints how well their interior elevations are detected:
//! `elevation_scans [DPI] [STYLE…]`.

use std::collections::BTreeMap;

use anyhow::Result;
use drafting::elevation::styles;
use drafting::scan::Scanner;
use eval::{detect_elevations, scanned_elevations, tally_elevations};
use native::{NativeNetwork, NativePage};
use scoring::Tally;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let dpi: f32 = arguments.first().map_or(Ok(150.0), |dpi| dpi.parse())?;
    let chosen = arguments.get(1..).unwrap_or_default();
    let network = NativeNetwork::open("view-classifier")?;
    let mut all: BTreeMap<&str, Tally> = BTreeMap::new();
    for (name, style) in styles() {
        if !chosen.is_empty() && !chosen.iter().any(|own| own == name) {
            continue;
        }
        for (scanner_name, scanner) in Scanner::ALL {
            let sheet = scanned_elevations(&style, 1, &scanner, dpi)?;
            let page = NativePage::open(sheet.pdf, 1)?;
            let score = tally_elevations(&detect_elevations(&page, &network), &sheet.truth.elevations);
            println!("{name}, {scanner_name}: {:.3} {score:?}", score.f1());
            *all.entry(scanner_name).or_default() += score;
        }
    }
    for (scanner, score) in all {
        println!("{scanner}: {:.3} {score:?}", score.f1());
    }
    Ok(())
}
