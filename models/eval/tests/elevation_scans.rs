//! Interior elevations of scanned synthetic sheets, compared with the exact truth.

use drafting::elevation::{self, styles};
use drafting::scan::Scanner;
use drafting::{plan, schedule};
use eval::{detect_elevations, scanned, scanned_elevations, tally_elevations};
use fanlight_contract::Orientation;
use native::{NativeNetwork, NativePage};
use scoring::Tally;

/// Resolution of the scans, in pixels per inch.
const DPI: f32 = 150.0;
/// Styles and scanners of this test; the example `elevation_scans` takes some minutes for all of them.
const STYLES: [&str; 2] = ["half-size", "mixed"];
const SCANNERS: [&str; 2] = ["flatbed", "fax"];
/// Least F1 of all scans together.
const MIN_F1: f64 = 0.95;

#[test]
fn elevations_of_scans_are_detected() {
    let network = NativeNetwork::open("view-classifier").unwrap();
    let mut all = Tally::default();
    for (name, style) in styles().into_iter().filter(|(name, _)| STYLES.contains(name)) {
        for (scanner_name, scanner) in Scanner::ALL.into_iter().filter(|(name, _)| SCANNERS.contains(name)) {
            let sheet = scanned_elevations(&style, 1, &scanner, DPI).unwrap();
            let page = NativePage::open(sheet.pdf, 1).unwrap();
            let score = tally_elevations(&detect_elevations(&page, &network), &sheet.truth.elevations);
            println!("{name}, {scanner_name}: {:.3} {score:?}", score.f1());
            all += score;
        }
    }
    assert!(all.f1() >= MIN_F1, "{:.3} is below {MIN_F1}, {all:?}", all.f1());
}

/// Synthetic sheets without an interior elevation, with their names.
fn sheets_without_elevations() -> Vec<(&'static str, Vec<u8>)> {
    let chosen = styles().into_iter().filter(|(name, _)| ["fronts", "sections", "plans"].contains(name));
    let mut sheets: Vec<(&str, Vec<u8>)> =
        chosen.map(|(name, style)| (name, elevation::generate(&style, 1).pdf)).collect();
    sheets.push(("schedules", schedule::generate(&schedule::styles()[0].1, 1).pdf));
    sheets.push(("floor plan", plan::generate(&plan::styles()[0].1, 1).pdf));
    sheets
}

#[test]
fn scans_without_elevations_have_none() {
    let network = NativeNetwork::open("view-classifier").unwrap();
    let mut extra = 0;
    for (index, (sheet_name, pdf)) in sheets_without_elevations().into_iter().enumerate() {
        for (at, (scanner_name, scanner)) in Scanner::ALL.into_iter().enumerate() {
            // Each sheet goes through half of the scanners.
            if (index + at) % 2 == 1 {
                continue;
            }
            let scan = scanned(&pdf, Orientation::Displayed, &scanner, DPI, 1).unwrap();
            let count = detect_elevations(&NativePage::open(scan, 1).unwrap(), &network).len();
            println!("{sheet_name}, {scanner_name}: {count}");
            extra += count;
        }
    }
    assert_eq!(extra, 0, "false elevations");
}
