//! Every style of the drafting crate, read back and compared with its exact truth.

mod native;
mod scoring;

use drafting::manual::{Style, draft, styles};
use native::NativeManual;
use scoring::Score;

const BAR: f64 = 0.98;

fn read(style: &Style, seed: u64) -> Score {
    let manual = draft(style, seed);
    let native = NativeManual::open(manual.pdf).unwrap();
    let contents = toc_parser::read(&native, &native.first_pages(scoring::LAST_PAGE), |_| {}).unwrap();
    Score::of(&contents, &manual.truth)
}

#[test]
fn every_drafted_style_is_read() {
    let mut report = String::new();
    for (name, style) in styles() {
        for seed in 1..=3 {
            let score = read(&style, seed);
            if score.f1() < BAR {
                report += &format!("{name}, seed {seed}: {score}\n");
            }
        }
    }
    assert!(report.is_empty(), "below {BAR}:\n{report}");
}

#[test]
fn styles_thrown_together_are_read() {
    let mut report = String::new();
    for seed in 0..60 {
        let score = read(&Style::random(seed), seed);
        if score.f1() < BAR {
            report += &format!("random {seed}: {score}\n");
        }
    }
    assert!(report.is_empty(), "below {BAR}:\n{report}");
}
