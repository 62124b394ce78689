//! Every style of the drafting crate, read back and compared with its exact truth.

mod native;
mod scoring;

use drafting::manual::{Style, draft, styles};
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
    let manual = draft(style, seed);
    Ok(Score::of(&read(manual.pdf)?, &manual.truth))
}

#[test]
fn every_drafted_style_is_read() -> Result<(), String> {
    let mut below = Vec::new();
    for (name, style) in styles().into_iter().filter(|(_, style)| style.unicode > 0) {
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
    let seeds: Vec<u64> = (0..150).filter(|&seed| Style::random(seed).unicode > 0).collect();
    for &seed in &seeds {
        let score = score(&Style::random(seed), seed)?;
        sum += score.f1();
        if score.f1() < BAR {
            below.push(format!("random {seed}: {score}"));
        }
    }
    let mean = sum / seeds.len() as f64;
    assert!(mean >= 0.97 && below.len() * 10 <= seeds.len(), "mean {mean:.4}, below {BAR}:\n{}", below.join("\n"));
    Ok(())
}

#[test]
fn glyphs_without_unicode_yield_no_gibberish() -> Result<(), String> {
    for (name, style) in styles().into_iter().filter(|(_, style)| style.unicode == 0) {
        let contents = read(draft(&style, 1).pdf)?;
        let titles = contents.divisions.iter().flat_map(|division| &division.sections);
        let odd: Vec<_> = titles.filter(|section| section.section_title.contains('\u{FFFD}')).collect();
        assert!(odd.is_empty(), "{name}: {odd:?}");
    }
    Ok(())
}
