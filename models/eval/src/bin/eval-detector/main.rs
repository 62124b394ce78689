//! Measures detection on synthetic scans.

mod measure;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use eval::{NativeClassifier, NativeDetector};
use fanlight_detection::detector::fused;

/// Measures detection on synthetic scans.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Scans sheets of the named styles and prints how much is detected.
    Measure {
        /// Takes every n-th style.
        #[arg(long, default_value_t = 1)]
        styles: usize,
        /// Takes every n-th scanner.
        #[arg(long, default_value_t = 1)]
        scanners: usize,
    },
    /// Prints the detections on a scanned page as JSON, with the detector's confidence and the fused one.
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
        Task::Measure { styles, scanners } => measure::run(styles, scanners),
        Task::Page { file, number } => page(&file, number),
    }
}

/// Prints the detections on a page.
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
