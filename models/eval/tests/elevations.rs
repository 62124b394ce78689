//! Interior elevations of synthetic sheets, compared with the exact truth.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use drafting::elevation::{Style, generate, styles};
use eval::{detect_elevations, tally_elevations};
use native::NativePage;
use scoring::Tally;

/// Least F1 of each named style; a style without elevations must have no detection.
const MIN_F1: f64 = 0.85;
/// Least F1 of all named styles together.
const MIN_F1_ALL: f64 = 0.95;
/// Least F1 of random styles together.
const MIN_F1_RANDOM: f64 = 0.9;

fn score(style: &Style, seed: u64) -> Tally {
    let sheet = generate(style, seed);
    let page = NativePage::open(sheet.pdf, 1).unwrap();
    tally_elevations(&detect_elevations(&page, None), &sheet.truth.elevations)
}

#[test]
fn elevations_of_the_named_styles_are_detected() {
    let (mut below, mut all) = (Vec::new(), Tally::default());
    for (name, style) in styles() {
        for seed in 1..=3 {
            let score = score(&style, seed);
            println!("{name}, seed {seed}: {score:?}");
            all += score;
            if score.f1() < MIN_F1 {
                below.push(format!("{name}, seed {seed}: {:.3} {score:?}", score.f1()));
            }
        }
    }
    println!("all: {:.3} {all:?}", all.f1());
    assert!(below.is_empty(), "below {MIN_F1}:\n{}", below.join("\n"));
    assert!(all.f1() >= MIN_F1_ALL, "{:.3} {all:?}", all.f1());
}

#[test]
fn elevations_of_random_styles_are_detected() {
    let mut all = Tally::default();
    for seed in 1..=40 {
        let score = score(&Style::random(seed), seed);
        println!("random {seed}: {:.3} {score:?}", score.f1());
        all += score;
    }
    println!("random styles: {:.3} {all:?}", all.f1());
    assert!(all.f1() >= MIN_F1_RANDOM, "{:.3} {all:?}", all.f1());
}

#[test]
fn elevations_are_detected_at_each_page_rotation() {
    for (name, style) in styles() {
        if !["plain", "circles", "modules"].contains(&name) {
            continue;
        }
        let upright = score(&style, 1);
        for rotate in [90, 180, 270] {
            let rotated = score(&Style { rotate, ..style.clone() }, 1);
            assert!(rotated.f1() >= MIN_F1, "{name}, {rotate}: {rotated:?} upright {upright:?}");
        }
    }
}
