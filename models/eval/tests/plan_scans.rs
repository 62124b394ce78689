//! Doors and fixtures of scanned synthetic sheets, detected as the plugins do.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use drafting::elevation::Other;
use drafting::scan::Scanner;
use drafting::schedule::Lettering;
use drafting::{elevation, plan, schedule};
use eval::{Group, NativeNetworks, classifications, detections, scanned, tally};
use fanlight_contract::Orientation;
use fanlight_detection::detector::{Detection, fused};
use scoring::Tally;

/// Resolution of the scans, in pixels per inch.
const DPI: f32 = 150.0;
/// Least F1 of doors, toilets and fixtures.
const MIN_F1: [f64; 3] = [0.82, 0.87, 0.84];
/// Most false doors on a sheet without a plan.
const MAX_FALSE: usize = 2;

/// Detects symbols on a file's first page, with the scores of both networks fused.
fn fused_detections(networks: &NativeNetworks, pdf: Vec<u8>) -> Vec<Detection> {
    let alone = detections(pdf.clone(), 1, &networks.detector).unwrap();
    let classifications = classifications(pdf, 1, &alone, &networks.classifier).unwrap();
    alone
        .iter()
        .zip(classifications)
        .map(|(detection, classification)| fused(detection, classification.as_ref()))
        .collect()
}

fn scanner(named: &str) -> Scanner {
    let mut scanners = Scanner::ALL.into_iter().chain(Scanner::WORN);
    scanners.find(|(name, _)| *name == named).unwrap().1
}

#[test]
fn doors_and_fixtures_of_scanned_plans_are_detected() {
    let networks = NativeNetworks::open().unwrap();
    let mut sums = [Tally::default(); 3];
    for (seed, (name, scan)) in (1..).zip([("school", "flatbed"), ("renovation", "mailed")]) {
        let (_, style) = plan::styles().into_iter().find(|(style, _)| *style == name).unwrap();
        let drafted = plan::generate(&style, seed);
        let scanner = scanner(scan);
        let detections =
            fused_detections(&networks, scanned(&drafted.pdf, Orientation::UserSpace, &scanner, DPI, seed).unwrap());
        let of_sheet = Group::ALL.map(|group| tally(&detections, group, &drafted.truth, scanner.turn(seed)));
        eprintln!("{name}, {scan}: {of_sheet:?}");
        sums.iter_mut().zip(of_sheet).for_each(|(sum, own)| *sum += own);
    }
    for ((sum, group), bar) in sums.iter().zip(Group::ALL).zip(MIN_F1) {
        assert!(sum.f1() >= bar, "{group:?}: F1 {:.3} is below {bar}", sum.f1());
    }
}

#[test]
fn scanned_sheets_without_a_plan_have_hardly_any_doors() {
    let networks = NativeNetworks::open().unwrap();
    let mut sheets: Vec<(String, Vec<u8>)> = Vec::new();
    for (seed, (name, mut style)) in (1..).zip(elevation::styles()) {
        if ["compass", "no-scales"].contains(&name) {
            style.others.retain(|other| *other != Other::EnlargedPlan);
            sheets.push((format!("elevations of {name}"), elevation::generate(&style, seed).pdf));
        }
    }
    let (name, style) = schedule::styles().into_iter().next().unwrap();
    for lettering in [Lettering::Type, Lettering::Hand] {
        let style = schedule::Style { lettering, ..style };
        sheets.push((format!("schedules of {name}, {lettering:?}"), schedule::generate(&style, 1).pdf));
    }
    assert_eq!(sheets.len(), 4);
    for (seed, (name, pdf)) in (0..).zip(sheets) {
        let detections =
            fused_detections(&networks, scanned(&pdf, Orientation::UserSpace, &scanner("mailed"), DPI, seed).unwrap());
        let doors =
            detections.iter().filter(|detection| detection.class.is_door() && detection.confidence > 0.5).count();
        eprintln!("{name}: {doors} doors");
        assert!(doors <= MAX_FALSE, "{name}: {doors} doors");
    }
}
