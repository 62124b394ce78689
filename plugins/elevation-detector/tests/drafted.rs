//! Every office of the drafting crate, read back and compared with the exact truth.

mod scoring;

use drafting::elevation::{Style, generate, styles};
use scoring::Score;

/// What each office must reach.
const BAR: f64 = 0.85;
/// What all of them together must reach.
const BAR_OF_ALL: f64 = 0.95;

fn score(style: &Style, seed: u64) -> Result<Score, String> {
    let drafted = generate(style, seed);
    let document = pdf_engine::Document::open(drafted.pdf).map_err(|error| format!("{error:?}"))?;
    let page = document.page(1).map_err(|error| format!("{error:?}"))?;
    let found = elevation_detector::find(&page.text(), &page.paths(), &page.geometry());
    Ok(Score::of(&found, &drafted.truth.elevations))
}

#[test]
fn every_offices_elevations_are_found_and_nothing_else() -> Result<(), String> {
    let (mut below, mut all) = (Vec::new(), Score::default());
    for (name, style) in styles() {
        for seed in 1..=3 {
            let score = score(&style, seed)?;
            println!("{name}, seed {seed}: {score:?}");
            all = all.and(score);
            let clean = !drafted_none(&style) || score.extra == 0;
            if score.f1() < BAR || !clean {
                below.push(format!("{name}, seed {seed}: {:.3} {score:?}", score.f1()));
            }
        }
    }
    println!("all: {:.3} {all:?}", all.f1());
    assert!(below.is_empty(), "below {BAR}:\n{}", below.join("\n"));
    assert!(all.f1() >= BAR_OF_ALL, "{:.3} {all:?}", all.f1());
    Ok(())
}

/// What mixtures of habits must reach together.
const BAR_OF_MIXTURES: f64 = 0.9;

#[test]
fn mixtures_of_habits_are_read() -> Result<(), String> {
    let mut all = Score::default();
    for seed in 1..=40 {
        let style = Style::random(seed);
        let score = score(&style, seed)?;
        println!("mixture {seed}: {:.3} {score:?}", score.f1());
        all = all.and(score);
    }
    println!("mixtures: {:.3} {all:?}", all.f1());
    assert!(all.f1() >= BAR_OF_MIXTURES, "{:.3} {all:?}", all.f1());
    Ok(())
}

fn drafted_none(style: &Style) -> bool {
    style.views == 0
}

#[test]
fn a_sheet_may_lie_whichever_way() -> Result<(), String> {
    for (name, style) in styles() {
        if !["plain", "circles", "modules"].contains(&name) {
            continue;
        }
        let upright = score(&style, 1)?;
        for rotate in [90, 180, 270] {
            let turned = score(&Style { rotate, ..style.clone() }, 1)?;
            assert!(turned.f1() >= BAR, "{name}, {rotate}: {turned:?} upright {upright:?}");
        }
    }
    Ok(())
}
