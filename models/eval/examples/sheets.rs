//! Classifies synthetic sets and prints what went wrong: `sheets styles [SEEDS]` or `sheets random FIRST COUNT`.

use std::error::Error;

use drafting::sheet::{Style, generate, styles};
use eval::{SheetScore, read_sheets, score_set, score_single_sheets};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |argument| argument.parse());
    let random = arguments.first().is_some_and(|what| what == "random");
    let cases: Vec<(String, Style, u64)> = if random {
        let first = number(1, 0)?;
        (first..first + number(2, 50)?).map(|seed| (format!("random {seed}"), Style::random(seed), seed)).collect()
    } else {
        let seeds = number(1, 1)?;
        let named = styles();
        named
            .iter()
            .flat_map(|(name, style)| (1..=seeds).map(|seed| ((*name).to_owned(), style.clone(), seed)))
            .collect()
    };
    let (mut sets, mut alone) = (SheetScore::default(), SheetScore::default());
    for (name, style, seed) in cases {
        let set = generate(&style, seed);
        let sheets = read_sheets(&set.pdf)?;
        let whole = score_set(&drawing_classifier::classify(&sheets), &set.truth);
        let single = score_single_sheets(&sheets, &set.truth);
        if whole.worst() < 1.0 || single.worst() < 1.0 {
            println!("{name} {seed} set: {whole}\n{name} {seed} alone: {single}");
            for wrong in whole.wrong.iter().take(4) {
                println!("  set {wrong}");
            }
            for wrong in single.wrong.iter().take(4) {
                println!("  alone {wrong}");
            }
        }
        sets.join(whole);
        alone.join(single);
    }
    println!("sets: {sets}\nalone: {alone}");
    Ok(())
}
