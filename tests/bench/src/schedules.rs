//! Measures `schedule-extractor` as users run it: on synthetic sheets, beside other programs that read tables, and on a
//! sheet as dense as real drawings.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use drafting::schedule::{Style, generate, styles};
use serde_json::Value;
use test_programs::Python;

use crate::report::{Report, median};
use crate::sheet;

/// The style presets: rules as strokes, as filled strips, a rotated page, turned tables, and no rules.
const STYLES: [&str; 5] = ["plain", "strips", "rotated-90", "turned", "unruled"];
/// Tables on each sheet, and rows of the first one. The other has a few more, as many as fit.
const TABLES: usize = 2;
const ROWS: usize = 42;
/// Maximum ratio of our time to the others'.
const SHARE: f64 = 0.1;
/// Minimum F1 of cells, and of rows with all cells in order.
const CELLS: f64 = 0.95;
const ROWS_WHOLE: f64 = 0.9;
/// A program with a lower F1 of cells does not read the tables, so its time is not compared.
const READ: f64 = 0.5;
/// The other programs. Camelot takes hundreds of times as long as ours, so it is timed once.
const OTHERS: [OtherReader; 2] = [
    OtherReader { name: "pdfplumber", argument: "pdfplumber", most_rounds: usize::MAX },
    OtherReader { name: "Camelot", argument: "camelot", most_rounds: 1 },
];
/// Path segments of a dense sheet of 48 by 36 in.
const SEGMENTS: usize = 310_000;
/// Maximum seconds for the dense sheet.
const SECONDS: f64 = 0.4;

/// Another program that reads tables.
struct OtherReader {
    name: &'static str,
    /// Its name as an argument of `tables.py`.
    argument: &'static str,
    /// Maximum rounds of timing.
    most_rounds: usize,
}

/// A sheet, and the rows of its tables where they are known.
struct Sheet {
    name: String,
    path: PathBuf,
    rows: Option<Vec<Vec<String>>>,
}

/// Times and scores the model and the other programs on the same sheets, and times the model on a dense one.
pub(crate) fn measure(
    release: &Path,
    folder: &Path,
    others: &[PathBuf],
    rounds: usize,
    report: &mut Report,
) -> Result<()> {
    let fanlight = release.join(format!("fanlight{}", std::env::consts::EXE_SUFFIX));
    let readers = Path::new(env!("CARGO_MANIFEST_DIR")).join("readers");
    let python = Python::with(&readers.join("tables.txt"));
    let mut sheets = Vec::new();
    for (name, style) in styles().into_iter().filter(|(name, _)| STYLES.contains(name)) {
        sheets.push(synthetic(folder, name, &Style { tables: TABLES, rows: ROWS, ..style })?);
    }
    for path in others {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        sheets.push(Sheet { name, path: path.clone(), rows: None });
    }
    for sheet in &sheets {
        // The first round fills the caches.
        let (read, _) = timed(&mut our_reader(&fanlight, &sheet.path))?;
        if let Some(rows) = &sheet.rows {
            let read = rows_of(&read);
            let what = format!("cells read right, schedules of {}", sheet.name);
            report.at_least(what, share(&cells(&read), &cells(rows)), CELLS, "F1");
            report.at_least("  rows read whole", share(&whole(&read), &whole(rows)), ROWS_WHOLE, "F1");
        }
        for OtherReader { name, argument, most_rounds } in OTHERS {
            let mut other = python.python();
            other.arg(readers.join("tables.py")).arg(argument).arg(&sheet.path);
            let (read, _) = timed(&mut other)?;
            let mut reads_them = true;
            if let Some(rows) = &sheet.rows {
                let read = rows_of(&read);
                let [by_cell, by_row] = [share(&cells(&read), &cells(rows)), share(&whole(&read), &whole(rows))];
                report.note(format!("  by {name}"), format!("{by_cell:.2} F1, rows {by_row:.2}"));
                reads_them = by_cell >= READ;
            }
            let mut ratios = Vec::new();
            for _ in 0..rounds.min(most_rounds) {
                let (_, our_seconds) = timed(&mut our_reader(&fanlight, &sheet.path))?;
                let (_, their_seconds) = timed(&mut other)?;
                ratios.push(our_seconds / their_seconds);
            }
            let what = format!("  time / {name}'s");
            if reads_them {
                report.below(what, median(ratios), SHARE, "x");
            } else {
                report.note(what, format!("{:.2} x", median(ratios)));
            }
        }
    }

    let heavy = sheet::write(folder, "heavy 48x36 in sheet", sheet::ARCH_E, SEGMENTS)?;
    let mut run = Command::new(&fanlight);
    run.args(["run", "schedule-extractor"]).arg(&heavy.path);
    timed(&mut run)?;
    let seconds = (0..rounds).map(|_| Ok(timed(&mut run)?.1)).collect::<Result<Vec<f64>>>()?;
    report.below(format!("schedules of a sheet of {SEGMENTS} segments"), median(seconds), SECONDS, "s");
    Ok(())
}

/// Returns a command that reads the schedules of a PDF's first page.
fn our_reader(fanlight: &Path, pdf: &Path) -> Command {
    let mut command = Command::new(fanlight);
    command.args(["run", "schedule-extractor", "--pages", "1"]).arg(pdf);
    command
}

/// Writes a synthetic sheet of schedules.
fn synthetic(folder: &Path, name: &str, style: &Style) -> Result<Sheet> {
    let sheet = generate(style, 1);
    let path = folder.join(format!("schedules-{name}.pdf"));
    fs::write(&path, sheet.pdf).with_context(|| format!("can't write {}", path.display()))?;
    let rows = sheet.truth.tables.into_iter().flat_map(|table| table.rows).collect();
    Ok(Sheet { name: name.to_owned(), path, rows: Some(rows) })
}

/// Runs a program that prints JSON. Returns the JSON and the seconds of the run.
fn timed(command: &mut Command) -> Result<(Value, f64)> {
    let started = Instant::now();
    let output = command.output().context("can't run the program")?;
    let seconds = started.elapsed().as_secs_f64();
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok((serde_json::from_slice(&output.stdout).context("the program's output is not JSON")?, seconds))
}

/// Returns the rows of all tables: of our result, or of the tables that `tables.py` prints.
fn rows_of(read: &Value) -> Vec<Vec<String>> {
    let text = |cell: &Value| cell.as_str().unwrap_or_default().to_owned();
    let array = |value: &Value| value.as_array().cloned().unwrap_or_default();
    match read["schedules"].as_array() {
        Some(schedules) => schedules
            .iter()
            .flat_map(|schedule| array(&schedule["rows"]))
            .map(|row| row.as_object().map(|row| row.values().map(text).collect()).unwrap_or_default())
            .collect(),
        None => array(read).iter().flat_map(array).map(|row| array(&row).iter().map(text).collect()).collect(),
    }
}

/// Returns the cells of all rows, without white space.
fn cells(rows: &[Vec<String>]) -> Vec<String> {
    rows.iter().flatten().map(|cell| close(cell)).collect()
}

/// Returns each row as one text: its cells in order, blank ones included.
fn whole(rows: &[Vec<String>]) -> Vec<String> {
    rows.iter().map(|row| row.iter().map(|cell| close(cell)).collect::<Vec<_>>().join("|")).collect()
}

fn close(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Returns the F1 of the texts of cells or rows, by how often each occurs. Positions don't count, and text that other
/// programs read outside of tables is not held against them.
fn share(read: &[String], drafted: &[String]) -> f64 {
    let (read, drafted) = (counted(read), counted(drafted));
    let common: usize = drafted.iter().map(|(text, count)| *count.min(read.get(text).unwrap_or(&0))).sum();
    let found: usize = drafted.keys().filter_map(|text| read.get(text)).sum();
    2.0 * common as f64 / (found + drafted.values().sum::<usize>()).max(1) as f64
}

fn counted(texts: &[String]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for text in texts.iter().filter(|text| !text.is_empty()) {
        *counts.entry(text.as_str()).or_default() += 1;
    }
    counts
}
