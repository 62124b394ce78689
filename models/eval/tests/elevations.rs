//! Interior elevations of synthetic sheets in styles that the network has not learnt from, compared with the exact truth.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use drafting::elevation::{Style, generate, styles};
use eval::{detect_elevations, tally_elevations};
use native::{NativeNetwork, NativePage};
use scoring::Tally;

/// Least F1 of all named styles together.
const MIN_F1: f64 = 0.95;
/// Greatest difference of F1 between an upright and a rotated page.
const MAX_DIFFERENCE: f64 = 0.1;

fn score(network: &NativeNetwork, style: &Style, seed: u64) -> Tally {
    let sheet = generate(style, seed);
    let page = NativePage::open(sheet.pdf, 1).unwrap();
    tally_elevations(&detect_elevations(&page, network), &sheet.truth.elevations)
}

#[test]
fn elevations_of_the_named_styles_are_detected() {
    let network = NativeNetwork::open("view-classifier").unwrap();
    let mut all = Tally::default();
    for (name, style) in styles() {
        let score = score(&network, &style, 1);
        println!("{name}: {:.3} {score:?}", score.f1());
        all += score;
    }
    println!("all: {:.3} {all:?}", all.f1());
    assert!(all.f1() >= MIN_F1, "{:.3} {all:?}", all.f1());
}

#[test]
fn elevations_are_detected_at_each_page_rotation() {
    let network = NativeNetwork::open("view-classifier").unwrap();
    for (name, style) in styles().into_iter().filter(|(name, _)| ["plain", "circles", "modules"].contains(name)) {
        let upright = score(&network, &style, 1);
        for rotate in [90, 180, 270] {
            let rotated = score(&network, &Style { rotate, ..style.clone() }, 1);
            let difference = (rotated.f1() - upright.f1()).abs();
            assert!(difference <= MAX_DIFFERENCE, "{name}, {rotate}: {rotated:?} upright {upright:?}");
        }
    }
}
