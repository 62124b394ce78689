//! Measures what the project promises about speed and memory. Every figure is a median of several rounds. A promise that
//! compares is a ratio within one run, since the machines are too noisy for anything else.

mod checks;
mod classification;
mod engine;
mod first_run;
mod load;
mod mutants;
mod neighbours;
mod ocr;
mod plans;
mod plugins;
mod programs;
mod report;
mod runs;
mod schedules;
mod service;
mod sets;
mod sheet;
mod specifications;

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};
use tokio::task::block_in_place;

use crate::report::Report;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Measures everything
    All(All),
    /// Measures only the start of a server without machine code
    FirstRun(FirstRun),
    /// Measures only the server under load
    Service(Part),
    /// Measures only toc-parser and content-extractor
    Specifications(Part),
    /// Measures only the checks of results against their schemas
    Checks(Part),
    /// Measures only door-detector
    Plans(Part),
    /// Measures only drawing-classifier
    Classification(Part),
    /// Measures only schedule-extractor
    Schedules(Sheets),
    /// Measures only what plugins of third parties cost
    Plugins(Plugins),
    /// Reads 10,000 mutated PDFs, and measures how many fail the engine and how the memory grows
    Mutants(Part),
    /// Measures only OCR, beside Tesseract
    Ocr(Sheets),
    /// Serves the same JSON for every request, as the baseline for a server under load
    Bare {
        /// The file with the JSON
        #[arg(long)]
        answer: PathBuf,
    },
    /// Reads a sheet once and prints the peak memory of this process in megabytes
    Once {
        /// The folder of the built programs
        #[arg(long)]
        release: PathBuf,
        /// The sheet, a PDF
        #[arg(long)]
        pdf: PathBuf,
    },
}

#[derive(clap::Args)]
struct All {
    /// The record of the demo's first build
    #[arg(long)]
    first_build: PathBuf,
    /// The folder of the built programs: target/release
    #[arg(long)]
    release: PathBuf,
    /// A further PDF whose first page is timed, beside the synthetic sheets
    #[arg(long)]
    sheet: Vec<PathBuf>,
    /// Rounds of each measurement
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

#[derive(clap::Args)]
struct FirstRun {
    /// The folder of the built programs: target/release
    #[arg(long)]
    release: PathBuf,
    /// The record of the demo's first build
    #[arg(long)]
    first_build: PathBuf,
}

#[derive(clap::Args)]
struct Part {
    /// The folder of the built programs: target/release
    #[arg(long)]
    release: PathBuf,
    /// Rounds of each measurement
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

#[derive(clap::Args)]
struct Plugins {
    /// The folder of the built programs: target/release
    #[arg(long)]
    release: PathBuf,
    /// The folder of a built plugin in Python, whose installation is timed too
    #[arg(long)]
    python: Option<PathBuf>,
    /// Rounds of each measurement
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

#[derive(clap::Args)]
struct Sheets {
    /// The folder of the built programs: target/release
    #[arg(long)]
    release: PathBuf,
    /// A further PDF whose first page is read, beside the synthetic sheets. For OCR it needs a right text layer
    #[arg(long)]
    sheet: Vec<PathBuf>,
    /// Rounds of each measurement
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

#[tokio::main]
async fn main() -> Result<()> {
    match Arguments::parse().what {
        What::All(all) => measure(&all).await,
        What::FirstRun(only) => {
            let folder = tempfile::tempdir().context("can't create a folder for the measurements")?;
            let mut report = Report::default();
            first_run::measure(&only.release, folder.path(), &only.first_build, &mut report).await?;
            verdict(&report)
        }
        What::Service(only) => {
            let folder = tempfile::tempdir().context("can't create a folder for the measurements")?;
            let mut report = Report::default();
            service::measure(&only.release, folder.path(), only.rounds, &mut report).await?;
            verdict(&report)
        }
        What::Specifications(only) => {
            let folder = tempfile::tempdir().context("can't create a folder for the measurements")?;
            let mut report = Report::default();
            specifications::measure(&only.release, folder.path(), only.rounds, &mut report)?;
            verdict(&report)
        }
        What::Checks(only) => {
            let folder = tempfile::tempdir().context("can't create a folder for the measurements")?;
            let mut report = Report::default();
            checks::measure(&only.release, folder.path(), only.rounds, &mut report).await?;
            verdict(&report)
        }
        What::Plans(only) => {
            let folder = tempfile::tempdir().context("can't create a folder for the measurements")?;
            let mut report = Report::default();
            plans::measure(&only.release, folder.path(), only.rounds, &mut report)?;
            verdict(&report)
        }
        What::Classification(only) => {
            let folder = tempfile::tempdir().context("can't create a folder for the measurements")?;
            let mut report = Report::default();
            classification::measure(&only.release, folder.path(), only.rounds, &mut report)?;
            verdict(&report)
        }
        What::Schedules(only) => {
            let folder = tempfile::tempdir().context("can't create a folder for the measurements")?;
            let mut report = Report::default();
            schedules::measure(&only.release, folder.path(), &only.sheet, only.rounds, &mut report)?;
            verdict(&report)
        }
        What::Plugins(only) => {
            let folder = tempfile::tempdir().context("can't create a folder for the measurements")?;
            let mut report = Report::default();
            plugins::measure(&only.release, folder.path(), only.python.as_deref(), only.rounds, &mut report).await?;
            verdict(&report)
        }
        What::Mutants(only) => {
            let folder = tempfile::tempdir().context("can't create a folder for the measurements")?;
            let mut report = Report::default();
            mutants::measure(&only.release, folder.path(), &mut report).await?;
            verdict(&report)
        }
        What::Ocr(only) => {
            let folder = tempfile::tempdir().context("can't create a folder for the measurements")?;
            let mut report = Report::default();
            // The native engine has a runtime of its own.
            block_in_place(|| ocr::measure(&only.release, folder.path(), &only.sheet, only.rounds, &mut report))?;
            verdict(&report)
        }
        What::Bare { answer } => service::serve_bare(&answer).await,
        What::Once { release, pdf } => engine::once(&release, &pdf).await,
    }
}

async fn measure(all: &All) -> Result<()> {
    let folder = tempfile::tempdir().context("can't create a folder for the measurements")?;
    let mut report = Report::default();
    first_run::measure(&all.release, folder.path(), &all.first_build, &mut report).await?;
    programs::measure(&all.release, folder.path(), all.rounds, &mut report)?;
    specifications::measure(&all.release, folder.path(), all.rounds, &mut report)?;
    plans::measure(&all.release, folder.path(), all.rounds, &mut report)?;
    classification::measure(&all.release, folder.path(), all.rounds, &mut report)?;
    schedules::measure(&all.release, folder.path(), &all.sheet, all.rounds, &mut report)?;
    block_in_place(|| ocr::measure(&all.release, folder.path(), &all.sheet, all.rounds, &mut report))?;
    service::measure(&all.release, folder.path(), all.rounds, &mut report).await?;
    checks::measure(&all.release, folder.path(), all.rounds, &mut report).await?;
    mutants::measure(&all.release, folder.path(), &mut report).await?;
    plugins::measure(&all.release, folder.path(), None, all.rounds, &mut report).await?;

    let mut sheets = vec![sheet::write(folder.path(), "synthetic 36x24 in sheet", sheet::ARCH_D, 108_000)?];
    for path in &all.sheet {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        sheets.push(sheet::Sheet { name, path: path.clone() });
    }
    let stopwatch = engine::load(&all.release).await?;
    engine::measure_instantiation(&stopwatch, &mut report).await?;
    for sheet in &sheets {
        engine::measure(&stopwatch, sheet, all.rounds, &mut report).await?;
    }
    let large = sheet::write_of_size(folder.path(), "synthetic sheet of 5 MB", 5_000_000)?;
    engine::measure_memory(&all.release, &large, &mut report)?;
    verdict(&report)
}

fn verdict(report: &Report) -> Result<()> {
    let missed = report.print();
    ensure!(missed == 0, "{missed} promises missed");
    Ok(())
}
