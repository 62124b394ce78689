//! Fits the coefficients that choose a sheet's number and title, and measures them with each office left out:
//! `fit-sheet-entries [--ocr] [--cache FOLDER] [--wrong] [--write] LABELS PDFS…`. `--wrong` lists
//! the wrong fields of offices left out, `--write` replaces the last lines of `coefficients.rs`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Parser;
use eval::{EntryFit, LabelledDocument, OfficeCounts, ReadDocument, fit_entries};

/// The file with the coefficients.
const FILE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugins/drawing-classifier/src/title_block/coefficients.rs");
/// The line from which the program writes it.
const FIRST_LINE: &str = "/// Fitted by";

/// Fits the coefficients that choose a sheet's number and title, and measures them with each office left out
#[derive(Parser)]
struct Arguments {
    /// Read by OCR what the pages' text lacks
    #[arg(long)]
    ocr: bool,
    /// The folder in which what was read of the pages is kept between runs
    #[arg(long)]
    cache: Option<PathBuf>,
    /// List the wrong fields of the offices left out
    #[arg(long)]
    wrong: bool,
    /// Replace the last lines of `coefficients.rs`
    #[arg(long)]
    write: bool,
    /// Folders of labels, each followed by the folder of its PDFs
    #[arg(required = true)]
    folders: Vec<PathBuf>,
}

fn main() -> Result<()> {
    let Arguments { ocr: has_ocr, cache, wrong: is_listed, write: is_written, folders } = Arguments::parse();
    let mut documents = Vec::new();
    for pair in folders.chunks(2) {
        let [labels, pdfs] = pair else { return Err(anyhow!("each folder of labels needs one of PDFs")) };
        for document in LabelledDocument::read_all(labels)? {
            documents.push(ReadDocument::read(document, pdfs, cache.as_deref(), has_ocr)?);
        }
    }
    let drafted = ReadDocument::drafted()?;
    let EntryFit { coefficients, left_out, seen } = fit_entries(&documents, &drafted);
    for (has_text, line) in left_out.wrong.iter().filter(|_| is_listed) {
        println!("{} | {line}", if *has_text { "text" } else { "read" });
    }
    for (name, measured) in [("each office left out", &left_out), ("fitted on all", &seen)] {
        print(&format!("{name}, with text"), &measured.with_text);
        print(&format!("{name}, without"), &measured.without_text);
    }
    let lines = format!("{coefficients:?}");
    println!("{lines}");
    if is_written {
        write(Path::new(FILE), &coefficients)?;
    }
    Ok(())
}

fn print(name: &str, counts: &OfficeCounts) {
    let pooled = counts.pooled();
    println!("{name}: {} sheets of {} offices", pooled.sheets, counts.0.len());
    println!("  number, title, type, discipline, floor, first three; pooled and mean over offices");
    println!("  {:.3?}", pooled.shares());
    println!("  {:.3?}", counts.mean());
}

/// Replaces the coefficients in their file.
fn write(path: &Path, coefficients: &drawing_classifier::Coefficients) -> Result<()> {
    let text = std::fs::read_to_string(path)?;
    let (before, after) = text.split_once(FIRST_LINE).context("the file has no coefficients")?;
    let (comment, after) = after.split_once('\n').context("the file ends early")?;
    let (_, rest) = after.split_once("};\n").context("the file has no end of the coefficients")?;
    let constant = format!(
        "pub const COEFFICIENTS: Coefficients = Coefficients {{\n    number: [\n{}    ],\n    title: [\n{}    ],\n}};\n",
        list(&coefficients.number),
        list(&coefficients.title)
    );
    Ok(std::fs::write(path, format!("{before}{FIRST_LINE}{comment}\n{constant}{rest}"))?)
}

/// Returns coefficients as the lines of an array.
fn list(values: &[f32]) -> String {
    let lines: Vec<String> = values.iter().map(|value| format!("        {value:.3},")).collect();
    lines.join("\n") + "\n"
}
