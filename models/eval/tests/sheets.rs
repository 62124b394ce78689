//! Every office of the drafting crate, read back and compared with its exact truth: the whole set, and each sheet
//! alone.

use drafting::sheet::{Style, generate, styles};
use drawing_classifier::classify;
use eval::{SheetScore, read_sheets, score_set, score_single_sheets};

/// What each office's set must reach in numbers, titles and types each.
const SET_BAR: f64 = 0.95;
/// Likewise its sheets without the others.
const ALONE_BAR: f64 = 0.9;
/// Likewise where titles stand over scales: only the set tells them from drawings' titles then.
const SCALED_ALONE_BAR: f64 = 0.5;

fn scores(style: &Style, seed: u64) -> Result<(SheetScore, SheetScore), String> {
    let set = generate(style, seed);
    let sheets = read_sheets(&set.pdf)?;
    Ok((score_set(&classify(&sheets), &set.truth), score_single_sheets(&sheets, &set.truth)))
}

#[test]
fn every_offices_sheets_are_told() -> Result<(), String> {
    let mut below = Vec::new();
    let mut all = SheetScore::default();
    for (name, style) in styles() {
        for seed in 1..=2 {
            let (set, alone) = scores(&style, seed)?;
            let alone_bar = if style.title_scaled > 0 { SCALED_ALONE_BAR } else { ALONE_BAR };
            if set.worst() < SET_BAR || alone.worst() < alone_bar {
                below
                    .push(format!("{name}, seed {seed}\n  set: {set}\n  alone: {alone}\n  {}", set.wrong.join("\n  ")));
            }
            all.join(set);
        }
    }
    assert!(below.is_empty(), "{}", below.join("\n"));
    // What no bar is set for office by office: whose work it is, which storey, and what is no drawing.
    assert_eq!(all.document, all.pages, "{all}");
    assert!(all.discipline.min(all.floor) as f64 >= SET_BAR * all.pages as f64, "{all}");
    Ok(())
}

#[test]
fn nearly_all_habits_thrown_together_are_told() -> Result<(), String> {
    let (mut sets, mut alone) = (SheetScore::default(), SheetScore::default());
    for seed in 0..60 {
        let (set, single) = scores(&Style::random(seed), seed)?;
        sets.join(set);
        alone.join(single);
    }
    assert!(sets.worst() >= SET_BAR, "{sets}\n{}", sets.wrong.join("\n"));
    assert!(alone.worst() >= ALONE_BAR, "{alone}\n{}", alone.wrong.join("\n"));
    Ok(())
}
