//! Measures `drawing-classifier` as users run it, on a whole set of sheets.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use drafting::sheet::{Contents, generate, styles};
use lopdf::Document;

use crate::report::Report;
use crate::runs::{Run, timed, typical};
use crate::sets::repeated;

/// Sheets in the set.
const SHEETS: usize = 100;
/// Maximum seconds for the set.
const SECONDS: f64 = 20.0;
/// Maximum megabytes of memory, the same as for `door-detector`.
const MEGABYTES: f64 = 700.0;

/// Measures the model on a set of all disciplines.
pub(crate) fn measure(release: &Path, folder: &Path, rounds: usize, report: &mut Report) -> Result<()> {
    let fanlight = release.join(format!("fanlight{}", std::env::consts::EXE_SUFFIX));
    let (_, style) = styles()
        .into_iter()
        .find(|(_, style)| style.contents == Contents::Disciplines)
        .context("no style makes whole sets")?;
    let set = Document::load_mem(&generate(&style, 1).pdf)?;
    let path = repeated(&set, SHEETS, folder.join("set-of-sheets.pdf"))?;
    let Run { seconds, megabytes } =
        typical(rounds, || timed(Command::new(&fanlight).args(["run", "drawing-classifier"]).arg(&path)))?;
    report.below(format!("classification of {SHEETS} sheets"), seconds, SECONDS, "s");
    report.below("  its memory", megabytes, MEGABYTES, "MB");
    Ok(())
}
