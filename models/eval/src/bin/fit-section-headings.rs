//! Fits the coefficients that tell headings of sections from mentions, and measures them with each set of manuals left out:
//! `fit-section-headings [--wrong] [--write] LABELS PDFS…`. `--wrong` lists the lines that are taken for the other, `--write`
//! replaces the last lines of `likelihood.rs`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Parser;
use eval::{HeadingFit, LabelledManual, fit_headings};

/// The file with the coefficients.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugins/content-extractor/src/headings/likelihood.rs");
/// The line from which the program writes it.
const FIRST_LINE: &str = "/// Fitted by";

/// Fits the coefficients that tell headings of sections from mentions, and measures them with each set of manuals left out
#[derive(Parser)]
struct Arguments {
    /// List the lines that are taken for the other
    #[arg(long)]
    wrong: bool,
    /// Replace the last lines of `likelihood.rs`
    #[arg(long)]
    write: bool,
    /// Folders of labels, each followed by the folder of its PDFs
    #[arg(required = true)]
    folders: Vec<PathBuf>,
}

fn main() -> Result<()> {
    let Arguments { wrong: is_listed, write: is_written, folders } = Arguments::parse();
    let mut examples = Vec::new();
    for pair in folders.chunks(2) {
        let [labels, pdfs] = pair else { return Err(anyhow!("each folder of labels needs one of PDFs")) };
        for manual in LabelledManual::read_all(labels)? {
            examples.extend(manual.examples(pdfs)?);
        }
    }
    let HeadingFit { coefficients, left_out } = fit_headings(&examples);
    for (set, counts) in &left_out {
        let (missed, extra) = (counts.missed.len(), counts.extra.len());
        println!(
            "{set}: {missed} of {} headings missed, {extra} of {} mentions taken",
            counts.headings, counts.mentions
        );
        for line in counts.missed.iter().filter(|_| is_listed) {
            println!("  missed {line}");
        }
        for line in counts.extra.iter().filter(|_| is_listed) {
            println!("  taken {line}");
        }
    }
    println!("{coefficients:.2?}");
    if is_written {
        write(Path::new(FILE), &coefficients)?;
    }
    Ok(())
}

/// Replaces the coefficients in their file.
fn write(path: &Path, coefficients: &[f32]) -> Result<()> {
    let text = std::fs::read_to_string(path)?;
    let (before, after) = text.split_once(FIRST_LINE).context("the file has no coefficients")?;
    let (comment, _) = after.split_once('\n').context("the file ends early")?;
    let values: Vec<String> = coefficients.iter().map(|value| format!("{value:.2}")).collect();
    let constant =
        format!("const HEADING_COEFFICIENTS: [f32; HEADING_FEATURES.len()] = [\n    {},\n];\n", values.join(", "));
    Ok(std::fs::write(path, format!("{before}{FIRST_LINE}{comment}\n{constant}"))?)
}
