//! Measures and weighs the finder of symbols in pictures.

mod measure;
mod weigh;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use eval::NativeFinder;
use eval::NativeJudge;
use fanlight_detection::detector::weighed;

/// Measures and weighs the finder of symbols in pictures.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Scans the named offices' sheets and prints how much is found.
    Measure {
        /// Takes every so many of the offices.
        #[arg(long, default_value_t = 1)]
        offices: usize,
        /// Takes every so many of the scanners.
        #[arg(long, default_value_t = 1)]
        scanners: usize,
    },
    /// Fits how much the finder and the judge count.
    Weigh {
        /// How many sheets to draft.
        #[arg(long, default_value_t = 60)]
        sheets: u64,
    },
    /// Prints what is found on a page that is a picture, by the finder alone and weighed with the judge, as JSON.
    Page {
        /// The PDF.
        file: PathBuf,
        /// The page, from 1.
        #[arg(default_value_t = 1)]
        number: u32,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Measure { offices, scanners } => measure::run(offices, scanners),
        Task::Weigh { sheets } => weigh::run(sheets),
        Task::Page { file, number } => page(&file, number),
    }
}

fn page(file: &std::path::Path, number: u32) -> Result<()> {
    let pdf = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let finder = NativeFinder::open()?;
    let judge = NativeJudge::open()?;
    let started = Instant::now();
    let finds = eval::found(pdf.clone(), number, &finder)?;
    let answers = eval::answers(pdf, number, &finds, &judge)?;
    eprintln!("{} in {:?}", finds.len(), started.elapsed());
    let lines: Vec<String> = finds
        .iter()
        .zip(answers)
        .map(|(alone, answer)| {
            let find = weighed(alone, answer.as_ref());
            let b = find.bbox;
            format!(
                "{{\"page\": {number}, \"class\": \"{:?}\", \"alone\": {:.3}, \"confidence\": {:.3}, \"bbox\": [{:.1}, {:.1}, {:.1}, {:.1}]}}",
                find.class, alone.confidence, find.confidence, b.x1, b.y1, b.x2, b.y2
            )
        })
        .collect();
    println!("[{}]", lines.join(",\n"));
    Ok(())
}
