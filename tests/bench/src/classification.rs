//! The model that tells what sheets are, as users run it: on a whole set.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use drafting::sheet::{Contents, draft, offices};
use lopdf::Document;

use crate::report::Report;
use crate::runs::{Run, timed, typical};
use crate::sets::repeated;

/// Sheets of the set.
const SHEETS: usize = 100;
/// Seconds that it may take.
const SECONDS: f64 = 20.0;
/// Megabytes that it may take, as door-detector may.
const MEGABYTES: f64 = 700.0;

/// Measures the model on a set of all disciplines.
pub(crate) fn measure(release: &Path, folder: &Path, rounds: usize, report: &mut Report) -> Result<()> {
    let fanlight = release.join(format!("fanlight{}", std::env::consts::EXE_SUFFIX));
    let (_, office) = offices()
        .into_iter()
        .find(|(_, office)| office.contents == Contents::Disciplines)
        .context("no office drafts whole sets")?;
    let set = Document::load_mem(&draft(&office, 1).pdf)?;
    let path = repeated(&set, SHEETS, folder.join("set-of-sheets.pdf"))?;
    let Run { seconds, megabytes } =
        typical(rounds, || timed(Command::new(&fanlight).args(["run", "drawing-classifier"]).arg(&path)))?;
    report.below(format!("classification of {SHEETS} sheets"), seconds, SECONDS, "s");
    report.below("  its memory", megabytes, MEGABYTES, "MB");
    Ok(())
}
