//! Sheets that went through a scanner, read back and compared with the exact truth.

mod mapping;
mod paper;
mod scoring;

use anyhow::Result;
use drafting::elevation::{self, styles};
use drafting::scan::Scanner;
use drafting::{plan, schedule};
use mapping::found;
use native::{NativeNetwork, NativePage};
use scoring::Score;

/// Pixels an inch that offices scan at.
const SCANNED_AT: f32 = 150.0;
/// Offices and scanners that are tried: all of them take the example `scans` some minutes.
const STYLES: [&str; 2] = ["half-size", "mixed"];
const SCANNERS: [&str; 2] = ["flatbed", "fax"];

/// What is reached together by the network and OCR, by the network alone and by OCR alone.
const BARS: [(&str, bool, bool, f64); 3] =
    [("network and OCR", true, true, 0.95), ("network", true, false, 0.9), ("OCR", false, true, 0.8)];

#[test]
fn scans_are_read_with_what_help_there_is() -> Result<()> {
    let network = NativeNetwork::open("sheet-views")?;
    let mut sums = [Score::default(); BARS.len()];
    for (name, style) in styles().into_iter().filter(|(name, _)| STYLES.contains(name)) {
        for (scanner_name, scanner) in Scanner::ALL.into_iter().filter(|(name, _)| SCANNERS.contains(name)) {
            let drafted = paper::scanned(&style, 1, &scanner, SCANNED_AT)?;
            for (sum, (help, mapped, ocr, _)) in sums.iter_mut().zip(BARS) {
                let page = NativePage::open(drafted.pdf.clone(), 1)?;
                let page = if ocr { page.with_ocr() } else { page };
                let score = Score::of(&found(&page, mapped.then_some(&network)), &drafted.truth.elevations);
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
fn a_scan_has_none_without_help() -> Result<()> {
    let style = &styles()[0].1;
    let drafted = paper::scanned(style, 1, &Scanner::ALL[0].1, 60.0)?;
    assert!(found(&NativePage::open(drafted.pdf, 1)?, None).is_empty());
    Ok(())
}

/// False elevations at most on all scans of sheets that have none, with the network and OCR, and with the network alone.
const FALSE_BARS: [(&str, bool, usize); 2] = [("network and OCR", true, 0), ("network", false, 1)];
/// Pixels an inch of coarse scans.
const COARSE: f32 = 100.0;

/// Drafted sheets without an interior elevation.
fn sheets_without() -> Vec<(&'static str, Vec<u8>)> {
    let chosen = styles().into_iter().filter(|(name, _)| ["fronts", "sections", "plans"].contains(name));
    let mut sheets: Vec<(&str, Vec<u8>)> =
        chosen.map(|(name, style)| (name, elevation::generate(&style, 1).pdf)).collect();
    sheets.push(("schedules", schedule::generate(&schedule::styles()[0].1, 1).pdf));
    sheets.push(("floor plan", plan::generate(&plan::styles()[0].1, 1).pdf));
    sheets
}

#[test]
fn scans_without_elevations_have_none() -> Result<()> {
    let network = NativeNetwork::open("sheet-views")?;
    let mut extra = [0; FALSE_BARS.len()];
    for (index, (sheet_name, pdf)) in sheets_without().into_iter().enumerate() {
        for (at, (scanner_name, scanner)) in Scanner::ALL.into_iter().enumerate() {
            // Each sheet goes through two scanners, each scanner reads at both resolutions.
            if (index + at) % 2 == 1 {
                continue;
            }
            let dpi = if (index / 2 + at / 2) % 2 == 0 { COARSE } else { SCANNED_AT };
            let picture = paper::picture(pdf.clone(), 1, &scanner, dpi)?;
            for (sum, (help, ocr, _)) in extra.iter_mut().zip(FALSE_BARS) {
                let page = NativePage::open(picture.clone(), 1)?;
                let page = if ocr { page.with_ocr() } else { page };
                let count = found(&page, Some(&network)).len();
                println!("{sheet_name}, {scanner_name} at {dpi}, {help}: {count}");
                *sum += count;
            }
        }
    }
    for (sum, (help, _, bar)) in extra.iter().zip(FALSE_BARS) {
        assert!(*sum <= bar, "{help}: {sum} false elevations and not {bar}");
    }
    Ok(())
}
