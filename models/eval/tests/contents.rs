//! Contents of synthetic manuals, compared with the exact truth.

use std::path::Path;

use drafting::manual::{Style, generate, styles};
use eval::{ContentsScore, LAST_CONTENTS_PAGE, LabelledManual, NativeManual};
use toc_parser::Contents;

/// Least F1 of each named style.
const MIN_F1: f64 = 0.98;

fn read(pdf: Vec<u8>) -> Result<Contents, String> {
    let manual = NativeManual::open(pdf)?;
    toc_parser::read(&manual, &manual.first_pages(LAST_CONTENTS_PAGE), |_| {})
}

fn score(style: &Style, seed: u64) -> Result<ContentsScore, String> {
    let manual = generate(style, seed);
    Ok(ContentsScore::new(&read(manual.pdf)?, &manual.truth))
}

#[test]
fn contents_of_the_named_styles_are_read() -> Result<(), String> {
    let mut below = Vec::new();
    for (name, style) in styles() {
        for seed in 1..=2 {
            let score = score(&style, seed)?;
            if score.f1() < MIN_F1 {
                below.push(format!("{name}, seed {seed}: {score}"));
            }
        }
    }
    assert!(below.is_empty(), "below {MIN_F1}:\n{}", below.join("\n"));
    Ok(())
}

/// Random styles may print columns over each other, so that no reader could separate them: not each manual can be read.
#[test]
fn contents_of_nearly_all_random_styles_are_read() -> Result<(), String> {
    let mut below = Vec::new();
    let mut sum = 0.0;
    let seeds = 0..150;
    for seed in seeds.clone() {
        let score = score(&Style::random(seed), seed)?;
        sum += score.f1();
        if score.f1() < MIN_F1 {
            below.push(format!("random {seed}: {score}"));
        }
    }
    let mean = sum / seeds.clone().count() as f64;
    assert!(mean >= 0.97 && below.len() * 10 <= seeds.count(), "mean {mean:.4}, below {MIN_F1}:\n{}", below.join("\n"));
    Ok(())
}

/// The least F1 of the sections that the contents of [`models/manuals`](../../manuals/README.md) list. Their conventions were in
/// sight, so the bar only notices what gets lost.
const LEAST_F1: f64 = 0.96;

#[test]
fn contents_of_manuals_drawn_by_others_are_read() -> anyhow::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../manuals");
    let (mut right, mut wrong) = (0, Vec::new());
    for manual in LabelledManual::read_all(&folder.join("labels"))? {
        if let Some((own, others)) = manual.read_contents(&folder.join("pdf"))? {
            right += own;
            wrong.extend(others);
        }
    }
    let f1 = 2.0 * right as f64 / (2 * right + wrong.len()) as f64;
    assert!(f1 >= LEAST_F1, "{f1}\n{}", wrong.join("\n"));
    Ok(())
}
