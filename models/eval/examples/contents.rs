//! Reads the contents of synthetic manuals and prints what went wrong: `contents styles [SEEDS]` or `contents random|other FIRST COUNT [FOLDER]`.
//! Manuals below 0.98 are written to FOLDER with their truth.

use std::error::Error;
use std::path::Path;

use drafting::manual::{Style, generate, styles};
use eval::{ContentsScore, LAST_CONTENTS_PAGE, NativeManual};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |argument| argument.parse());
    let random = arguments.first().is_some_and(|what| what == "random" || what == "other");
    let other = arguments.first().is_some_and(|what| what == "other");
    let style = if other { Style::random_other } else { Style::random };
    let cases: Vec<(String, Style, u64)> = if random {
        let first = number(1, 0)?;
        (first..first + number(2, 100)?).map(|seed| (format!("{}-{seed}", arguments[0]), style(seed), seed)).collect()
    } else {
        let seeds = number(1, 1)?;
        let named = styles();
        named
            .iter()
            .flat_map(|(name, style)| (1..=seeds).map(|seed| ((*name).to_owned(), style.clone(), seed)))
            .collect()
    };
    let folder = arguments.get(if random { 3 } else { 2 });
    let (mut sum, mut low) = (0.0, 0);
    for (name, style, seed) in &cases {
        let manual = generate(style, *seed);
        let native = NativeManual::open(manual.pdf.clone())?;
        let contents = toc_parser::read(&native, &native.first_pages(LAST_CONTENTS_PAGE), |_| {})?;
        let score = ContentsScore::new(&contents, &manual.truth);
        sum += score.f1();
        if score.f1() < 0.98 {
            low += 1;
            println!("{name} seed {seed}: {score}");
            if let Some(folder) = folder {
                std::fs::write(Path::new(folder).join(format!("{name}-{seed}.pdf")), &manual.pdf)?;
                std::fs::write(
                    Path::new(folder).join(format!("{name}-{seed}.json")),
                    serde_json::to_string_pretty(&manual.truth)?,
                )?;
            }
        }
    }
    println!("{} manuals, mean F1 {:.4}, {low} below 0.98", cases.len(), sum / cases.len() as f64);
    Ok(())
}
