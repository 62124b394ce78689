//! Classification of synthetic sets of drawings, compared with the exact truth: of the whole set, and sheet by sheet.

use drafting::sheet::{Style, generate, styles};
use drawing_classifier::classify;
use eval::{SheetScore, read_sheets, score_set, score_single_sheets};

/// Least share of right numbers, titles and types in a set.
const MIN_SET: f64 = 0.95;
/// The same for sheets that are classified one by one.
const MIN_SINGLE: f64 = 0.9;
/// The same for styles with titles above scales, which only the set distinguishes from the titles of drawings.
const MIN_SINGLE_SCALED: f64 = 0.5;

fn scores(style: &Style, seed: u64) -> Result<(SheetScore, SheetScore), String> {
    let set = generate(style, seed);
    let sheets = read_sheets(&set.pdf)?;
    Ok((score_set(&classify(&sheets), &set.truth), score_single_sheets(&sheets, &set.truth)))
}

#[test]
fn sheets_of_the_named_styles_are_classified() -> Result<(), String> {
    let mut below = Vec::new();
    let mut all = SheetScore::default();
    for (name, style) in styles() {
        for seed in 1..=2 {
            let (set, alone) = scores(&style, seed)?;
            let alone_bar = if style.title_scaled > 0 { MIN_SINGLE_SCALED } else { MIN_SINGLE };
            if set.worst() < MIN_SET || alone.worst() < alone_bar {
                below
                    .push(format!("{name}, seed {seed}\n  set: {set}\n  alone: {alone}\n  {}", set.wrong.join("\n  ")));
            }
            all.join(set);
        }
    }
    assert!(below.is_empty(), "{}", below.join("\n"));
    // Discipline, storey and document type have bars for all styles together only.
    assert_eq!(all.document, all.pages, "{all}");
    assert!(all.discipline.min(all.floor) as f64 >= MIN_SET * all.pages as f64, "{all}");
    Ok(())
}

#[test]
fn sheets_of_random_styles_are_classified() -> Result<(), String> {
    let (mut sets, mut alone) = (SheetScore::default(), SheetScore::default());
    for seed in 0..60 {
        let (set, single) = scores(&Style::random(seed), seed)?;
        sets.join(set);
        alone.join(single);
    }
    assert!(sets.worst() >= MIN_SET, "{sets}\n{}", sets.wrong.join("\n"));
    assert!(alone.worst() >= MIN_SINGLE, "{alone}\n{}", alone.wrong.join("\n"));
    Ok(())
}
