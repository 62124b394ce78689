//! Reads mutated PDFs in the sandbox: none may break the engine, and the memory of the process does not grow with them.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use fanlight_fuzz::{mutation, seeds};
use fanlight_sandbox::{Document, KEPT_RESIDENT, OpenError, PictureError};

use crate::engine;
use crate::report::Report;

/// Mutated documents.
const DOCUMENTS: u64 = 10_000;
/// Documents after which the process has all that it keeps.
///
/// A slot of the sandbox keeps the memory of its guest for the next one, up to [`KEPT_RESIDENT`]. Some of the first 4,000
/// mutants make the engine use more than that: the process grows by 263 MB there, nearly all in the pool's mapping of
/// `/proc/PID/smaps`, and stays level afterwards.
const WARM_UP: u64 = DOCUMENTS / 2;
/// Pixels per inch of a picture.
const DPI: f32 = 20.0;
/// Most growth of the process's memory after the warm-up, in megabytes.
const GROWTH: f64 = 16.0;
/// Most growth from the first document on beyond what the one slot in use keeps, in megabytes.
const GROWTH_BESIDE_SLOT: f64 = 64.0;

/// Inspects and draws every mutant.
pub(crate) async fn measure(release: &Path, folder: &Path, report: &mut Report) -> Result<()> {
    let sandbox = engine::sandbox(release, 1)?;
    let seeds = seeds::documents();
    let path = folder.join("mutant.pdf");
    let (mut opened, mut broken, mut first, mut warm) = (0_u32, 0_u32, 0.0, 0.0);
    let started = Instant::now();
    for (number, mutant) in (0..).zip(mutation::mutants(&seeds, DOCUMENTS)) {
        match number {
            1 => first = resident_megabytes()?,
            WARM_UP => warm = resident_megabytes()?,
            _ => {}
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
    let last = resident_megabytes()?;
    report.below("growth of the process by the second half", last - warm, GROWTH, "MB");
    let kept = KEPT_RESIDENT as f64 / 1e6;
    report.below("its growth by all, with what a slot keeps", last - first, kept + GROWTH_BESIDE_SLOT, "MB");
    Ok(())
}

/// Returns the resident memory of this process, from `/proc/self/statm`, in pages of 4 KiB.
fn resident_megabytes() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/statm").context("can't read the memory of this process")?;
    let pages: f64 = status.split_whitespace().nth(1).context("no resident memory")?.parse()?;
    Ok(pages * 4096.0 / 1e6)
}
