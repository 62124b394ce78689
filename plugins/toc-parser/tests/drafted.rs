//! Every style of the drafting crate, read back and compared with its exact truth.

mod native;
mod scoring;

use drafting::manual::{Style, generate, styles};
use native::NativeManual;
use scoring::Score;
use toc_parser::Contents;

/// What every named style must reach.
const BAR: f64 = 0.98;

fn read(pdf: Vec<u8>) -> Result<Contents, String> {
    let manual = NativeManual::open(pdf)?;
    toc_parser::read(&manual, &manual.first_pages(scoring::LAST_PAGE), |_| {})
}

fn score(style: &Style, seed: u64) -> Result<Score, String> {
    let manual = generate(style, seed);
    Ok(Score::of(&read(manual.pdf)?, &manual.truth))
}

#[test]
fn every_drafted_style_is_read() -> Result<(), String> {
    let mut below = Vec::new();
    for (name, style) in styles() {
        for seed in 1..=2 {
            let score = score(&style, seed)?;
            if score.f1() < BAR {
                below.push(format!("{name}, seed {seed}: {score}"));
            }
        }
    }
    assert!(below.is_empty(), "below {BAR}:\n{}", below.join("\n"));
    Ok(())
}

/// Habits thrown together at random may set columns over each other, so that no reader could part them: not every one
/// of these manuals can be read.
#[test]
fn nearly_all_styles_thrown_together_are_read() -> Result<(), String> {
    let mut below = Vec::new();
    let mut sum = 0.0;
    let seeds = 0..150;
    for seed in seeds.clone() {
        let score = score(&Style::random(seed), seed)?;
        sum += score.f1();
        if score.f1() < BAR {
            below.push(format!("random {seed}: {score}"));
        }
    }
    let mean = sum / seeds.clone().count() as f64;
    assert!(mean >= 0.97 && below.len() * 10 <= seeds.count(), "mean {mean:.4}, below {BAR}:\n{}", below.join("\n"));
    Ok(())
}
