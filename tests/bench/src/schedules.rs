//! The model that reads schedules, as users run it: on drafted sheets, beside other programs that read their tables, and
//! on a sheet as heavy as drawings are.

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

/// The offices whose sheets are read: rules as strokes, as filled strips, a rotated page, turned tables, and no rules.
const STYLES: [&str; 5] = ["plain", "strips", "rotated-90", "turned", "unruled"];
/// Tables on each sheet, and rows of the first one, the other has a few more: as many as go on it.
const TABLES: usize = 2;
const ROWS: usize = 42;
/// Our time as a share of the others'.
const SHARE: f64 = 0.1;
/// The share of drafted cells that must be read right, and of rows with all their cells in order.
const CELLS: f64 = 0.95;
const ROWS_WHOLE: f64 = 0.9;
/// Who reads less of the cells than this doesn't read the tables: that it is quick says nothing.
const READ: f64 = 0.5;
/// The other programs, and in how many rounds each is timed at most: Camelot takes hundreds of times as long as ours.
const OTHERS: [(&str, &str, usize); 2] = [("pdfplumber", "pdfplumber", usize::MAX), ("Camelot", "camelot", 1)];
/// Segments of a heavy sheet of 48 by 36 in.
const SEGMENTS: usize = 310_000;
/// Seconds that it may take.
const SECONDS: f64 = 0.4;

/// A sheet, and the tables' rows that are on it where that is known.
struct Sheet {
    name: String,
    path: PathBuf,
    rows: Option<Vec<Vec<String>>>,
}

/// Times and scores the model and the other programs on the same sheets, and times it on a heavy one.
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
        sheets.push(drafted(folder, name, &Style { tables: TABLES, rows: ROWS, ..style })?);
    }
    for path in others {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        sheets.push(Sheet { name, path: path.clone(), rows: None });
    }
    for sheet in &sheets {
        let ours = || {
            let mut command = Command::new(&fanlight);
            command.args(["run", "schedule-extractor", "--pages", "1"]).arg(&sheet.path);
            command
        };
        let theirs = |reader: &str| {
            let mut command = python.python();
            command.arg(readers.join("tables.py")).arg(reader).arg(&sheet.path);
            command
        };
        // The first round fills the caches.
        let (read, _) = timed(&mut ours())?;
        if let Some(rows) = &sheet.rows {
            let read = rows_of(&read);
            let what = format!("cells read right, schedules of {}", sheet.name);
            report.at_least(what, share(&cells(&read), &cells(rows)), CELLS, "F1");
            report.at_least("  rows read whole", share(&whole(&read), &whole(rows)), ROWS_WHOLE, "F1");
        }
        for (name, reader, most_rounds) in OTHERS {
            let (read, _) = timed(&mut theirs(reader))?;
            let mut reads_them = true;
            if let Some(rows) = &sheet.rows {
                let read = rows_of(&read);
                let [by_cell, by_row] = [share(&cells(&read), &cells(rows)), share(&whole(&read), &whole(rows))];
                report.note(format!("  by {name}"), format!("{by_cell:.2} F1, rows {by_row:.2}"));
                reads_them = by_cell >= READ;
            }
            let mut ratios = Vec::new();
            for _ in 0..rounds.min(most_rounds) {
                let (_, our_seconds) = timed(&mut ours())?;
                let (_, their_seconds) = timed(&mut theirs(reader))?;
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
    let run = || timed(Command::new(&fanlight).args(["run", "schedule-extractor"]).arg(&heavy.path));
    run()?;
    let seconds = (0..rounds).map(|_| Ok(run()?.1)).collect::<Result<Vec<f64>>>()?;
    report.below(format!("schedules of a sheet of {SEGMENTS} segments"), median(seconds), SECONDS, "s");
    Ok(())
}

fn drafted(folder: &Path, name: &str, style: &Style) -> Result<Sheet> {
    let sheet = generate(style, 1);
    let path = folder.join(format!("schedules-{name}.pdf"));
    fs::write(&path, sheet.pdf).with_context(|| format!("can't write {}", path.display()))?;
    let rows = sheet.truth.tables.into_iter().flat_map(|table| table.rows).collect();
    Ok(Sheet { name: name.to_owned(), path, rows: Some(rows) })
}

/// Runs a program that prints JSON.
fn timed(command: &mut Command) -> Result<(Value, f64)> {
    let started = Instant::now();
    let output = command.output().context("can't run the program")?;
    let seconds = started.elapsed().as_secs_f64();
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok((serde_json::from_slice(&output.stdout).context("what the program prints is no JSON")?, seconds))
}

/// The rows of all tables: of a result of ours, or of the tables that `tables.py` prints.
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

/// The cells of all rows, without white space.
fn cells(rows: &[Vec<String>]) -> Vec<String> {
    rows.iter().flatten().map(|cell| close(cell)).collect()
}

/// Each row as one text: its cells in order, blank ones as well.
fn whole(rows: &[Vec<String>]) -> Vec<String> {
    rows.iter().map(|row| row.iter().map(|cell| close(cell)).collect::<Vec<_>>().join("|")).collect()
}

fn close(text: &str) -> String {
    text.split_whitespace().collect()
}

/// How far texts of cells or of rows agree with what is drafted, as F1 over how often each stands there. Where it stands
/// doesn't count, and what the others read beside tables isn't held against them.
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
