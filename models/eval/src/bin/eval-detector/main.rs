//! Measures and weighs the detector of symbols in pictures.

mod fit;
mod measure;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use eval::NativeClassifier;
use eval::NativeDetector;
use fanlight_detection::detector::fused;

/// Measures and weighs the detector of symbols in pictures.
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
    /// Fits how much the detector and the classifier count.
    Fit {
        /// How many sheets to draft.
        #[arg(long, default_value_t = 60)]
        sheets: u64,
    },
    /// Prints what is found on a page that is a picture, by the detector alone and weighed with the classifier, as JSON.
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
        Task::Fit { sheets } => fit::run(sheets),
        Task::Page { file, number } => page(&file, number),
    }
}

fn page(file: &std::path::Path, number: u32) -> Result<()> {
    let pdf = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let detector = NativeDetector::open()?;
    let classifier = NativeClassifier::open()?;
    let started = Instant::now();
    let detections = eval::detections(pdf.clone(), number, &detector)?;
    let classifications = eval::classifications(pdf, number, &detections, &classifier)?;
    eprintln!("{} in {:?}", detections.len(), started.elapsed());
    let lines: Vec<String> = detections
        .iter()
        .zip(classifications)
        .map(|(alone, classification)| {
            let detection = fused(alone, classification.as_ref());
            let b = detection.bbox;
            format!(
                "{{\"page\": {number}, \"class\": \"{:?}\", \"alone\": {:.3}, \"confidence\": {:.3}, \"bbox\": [{:.1}, {:.1}, {:.1}, {:.1}]}}",
                detection.class, alone.confidence, detection.confidence, b.x1, b.y1, b.x2, b.y2
            )
        })
        .collect();
    println!("[{}]", lines.join(",\n"));
    Ok(())
}
