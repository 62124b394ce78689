//! Reads mutated PDFs in the sandbox: none may break the engine, and the memory of the process does not grow with them.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use fanlight_fuzz::{mutation, seeds};
use fanlight_sandbox::{Document, OpenError, PictureError};

use crate::engine;
use crate::report::Report;

/// Mutated documents.
const DOCUMENTS: u64 = 10_000;
/// Documents after which the process has all that it keeps: the engine's code, and the memory that it uses again.
const WARM_UP: u64 = 500;
/// Pixels per inch of a picture.
const DPI: f32 = 20.0;
/// Most growth of the process's memory after the warm-up, in megabytes.
const GROWTH: f64 = 64.0;

/// Inspects and draws every mutant.
pub(crate) async fn measure(release: &Path, folder: &Path, report: &mut Report) -> Result<()> {
    let sandbox = engine::sandbox(release)?;
    let seeds = seeds::documents();
    let path = folder.join("mutant.pdf");
    let (mut opened, mut broken, mut warm) = (0_u32, 0_u32, 0.0);
    let started = Instant::now();
    for (number, mutant) in (0..).zip(mutation::mutants(&seeds, DOCUMENTS)) {
        if number == WARM_UP {
            warm = resident_megabytes()?;
        }
        std::fs::write(&path, mutant).with_context(|| format!("can't write {}", path.display()))?;
        let document = Document::open(&path, "00")?;
        opened += u32::from(sandbox.inspect(&document).await.is_ok());
        let drawn = sandbox.picture(&document, 1, DPI).await;
        broken += u32::from(matches!(drawn, Err(PictureError::Open(OpenError::Engine(_)))));
    }
    report.note("mutated documents", format!("{DOCUMENTS} in {:.0} s", started.elapsed().as_secs_f64()));
    report.note("of them opened", opened.to_string());
    report.below("mutated documents that break the engine", f64::from(broken), 1.0, "");
    report.below("growth of the process", resident_megabytes()? - warm, GROWTH, "MB");
    Ok(())
}

/// Returns the resident memory of this process, from `/proc/self/statm`, in pages of 4 KiB.
fn resident_megabytes() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/statm").context("can't read the memory of this process")?;
    let pages: f64 = status.split_whitespace().nth(1).context("no resident memory")?.parse()?;
    Ok(pages * 4096.0 / 1e6)
}
