//! Scans sheets of each named style with each scanner, and prints how well their interior elevations are detected with the
//! network and OCR, with the network alone and with OCR alone: `elevation_scans [DPI] [STYLE…]`.

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
    let network = NativeNetwork::open("sheet-views")?;
    let mut all: BTreeMap<(&str, &str), Tally> = BTreeMap::new();
    for (name, style) in styles() {
        if !chosen.is_empty() && !chosen.iter().any(|own| own == name) {
            continue;
        }
        for (scanner_name, scanner) in Scanner::ALL {
            let sheet = scanned_elevations(&style, 1, &scanner, dpi)?;
            for (help, network, ocr) in
                [("both", Some(&network), true), ("network", Some(&network), false), ("ocr", None, true)]
            {
                let page = NativePage::open(sheet.pdf.clone(), 1)?;
                let page = if ocr { page.with_ocr() } else { page };
                let score = tally_elevations(&detect_elevations(&page, network), &sheet.truth.elevations);
                println!("{name}, {scanner_name}, {help}: {:.3} {score:?}", score.f1());
                *all.entry((help, scanner_name)).or_default() += score;
            }
        }
    }
    for ((help, scanner), score) in all {
        println!("{help}, {scanner}: {:.3} {score:?}", score.f1());
    }
    Ok(())
}
