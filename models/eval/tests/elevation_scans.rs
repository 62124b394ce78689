//! Interior elevations of scanned synthetic sheets, compared with the exact truth.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use drafting::elevation::{self, styles};
use drafting::scan::Scanner;
use drafting::{plan, schedule};
use eval::{detect_elevations, scanned, scanned_elevations, tally_elevations};
use fanlight_contract::Orientation;
use native::{NativeNetwork, NativePage};
use scoring::Tally;

/// Resolution of the scans, in pixels per inch.
const DPI: f32 = 150.0;
/// Lower resolution of some scans without elevations.
const COARSE_DPI: f32 = 100.0;
/// Styles and scanners of this test; the example `elevation_scans` takes some minutes for all of them.
const STYLES: [&str; 2] = ["half-size", "mixed"];
const SCANNERS: [&str; 2] = ["flatbed", "fax"];

/// Which help a plugin has on a scan.
#[derive(Clone, Copy, Debug)]
struct Help {
    network: bool,
    ocr: bool,
}

const BOTH: Help = Help { network: true, ocr: true };
const NETWORK: Help = Help { network: true, ocr: false };
const OCR: Help = Help { network: false, ocr: true };

/// Least F1 with each help.
const MIN_F1: [(Help, f64); 3] = [(BOTH, 0.95), (NETWORK, 0.9), (OCR, 0.8)];
/// Most false elevations on all scans without one, with each help.
const MAX_FALSE: [(Help, usize); 2] = [(BOTH, 0), (NETWORK, 1)];

fn page(pdf: &[u8], help: Help) -> NativePage {
    let page = NativePage::open(pdf.to_vec(), 1).unwrap();
    if help.ocr { page.with_ocr() } else { page }
}

#[test]
fn elevations_are_detected_with_any_help() {
    let network = NativeNetwork::open("sheet-views").unwrap();
    let mut sums = [Tally::default(); MIN_F1.len()];
    for (name, style) in styles().into_iter().filter(|(name, _)| STYLES.contains(name)) {
        for (scanner_name, scanner) in Scanner::ALL.into_iter().filter(|(name, _)| SCANNERS.contains(name)) {
            let sheet = scanned_elevations(&style, 1, &scanner, DPI).unwrap();
            for (sum, (help, _)) in sums.iter_mut().zip(MIN_F1) {
                let detections = detect_elevations(&page(&sheet.pdf, help), help.network.then_some(&network));
                let score = tally_elevations(&detections, &sheet.truth.elevations);
                println!("{name}, {scanner_name}, {help:?}: {:.3} {score:?}", score.f1());
                *sum += score;
            }
        }
    }
    for (sum, (help, bar)) in sums.iter().zip(MIN_F1) {
        assert!(sum.f1() >= bar, "{help:?}: {:.3} is below {bar}, {sum:?}", sum.f1());
    }
}

#[test]
fn a_scan_has_no_elevations_without_help() {
    let sheet = scanned_elevations(&styles()[0].1, 1, &Scanner::ALL[0].1, 60.0).unwrap();
    assert!(detect_elevations(&page(&sheet.pdf, Help { network: false, ocr: false }), None).is_empty());
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
    let network = NativeNetwork::open("sheet-views").unwrap();
    let mut extra = [0; MAX_FALSE.len()];
    for (index, (sheet_name, pdf)) in sheets_without_elevations().into_iter().enumerate() {
        for (at, (scanner_name, scanner)) in Scanner::ALL.into_iter().enumerate() {
            // Each sheet goes through half of the scanners, and each scanner scans at both resolutions.
            if (index + at) % 2 == 1 {
                continue;
            }
            let dpi = if (index / 2 + at / 2) % 2 == 0 { COARSE_DPI } else { DPI };
            let scan = scanned(&pdf, Orientation::Displayed, &scanner, dpi, 1).unwrap();
            for (sum, (help, _)) in extra.iter_mut().zip(MAX_FALSE) {
                let count = detect_elevations(&page(&scan, help), Some(&network)).len();
                println!("{sheet_name}, {scanner_name} at {dpi}, {help:?}: {count}");
                *sum += count;
            }
        }
    }
    for (sum, (help, most)) in extra.iter().zip(MAX_FALSE) {
        assert!(*sum <= most, "{help:?}: {sum} false elevations are more than {most}");
    }
}
