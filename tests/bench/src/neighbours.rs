//! Measures a healthy job beside each deed of the hostile guest, against the same job alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use fanlight_sandbox::{Document, Failure, Grants, Model, Package, Progress, Task};
use fanlight_tests::document;
use hostile::Deed;
use strum::IntoEnumIterator;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::engine;
use crate::report::{Report, median};
use crate::sheet;

/// Maximum ratio of the healthy job's time beside a deed to its time alone.
const SLOWDOWN: f64 = 2.0;
/// Guests at once: the hostile one and the healthy one.
const GUESTS: usize = 2;
/// Segments of the healthy job's sheet. The job takes many times the 10 ms after which a guest yields to others.
const SEGMENTS: usize = 20_000;

/// Measures the healthy job beside every deed, and reports the one that slows it most.
pub(crate) async fn measure(release: &Path, folder: &Path, rounds: usize, report: &mut Report) -> Result<()> {
    let sandbox = engine::sandbox(release, GUESTS)?;
    let guest = |name: &str| Package::read(&release.join("test-guests").join(name));
    let hostile = sandbox.load(&guest("hostile")?, &Grants::none()).await?;
    let healthy = sandbox.load(&guest("stopwatch")?, &Grants::none()).await?;
    let pdf = sheet::write(folder, "sheet beside hostile guests", sheet::ARCH_D, SEGMENTS)?.path;
    let mut alone = typical(&healthy, &pdf, rounds).await?;
    let (mut slowest, mut factor) = (Deed::Behave, 0.0);
    for deed in Deed::iter() {
        let attack = Attack::start(hostile.clone(), &written(folder, deed)?)?;
        let beside = typical(&healthy, &pdf, rounds).await?;
        attack.end().await?;
        // A busy machine slows both, so the job alone is timed before and after each deed.
        let again = typical(&healthy, &pdf, rounds).await?;
        let ratio = beside / f64::midpoint(alone, again);
        if ratio > factor {
            (slowest, factor) = (deed, ratio);
        }
        alone = again;
    }
    report.note("a healthy job alone", format!("{alone:.0} ms"));
    report.below(format!("it beside the deed that slows it most ({})", slowest.as_ref()), factor, SLOWDOWN, "x");
    Ok(())
}

/// Writes the document that asks for a deed.
fn written(folder: &Path, deed: Deed) -> Result<PathBuf> {
    let path = folder.join(format!("{}.pdf", deed.as_ref()));
    fs::write(&path, document::titled(deed.as_ref(), 1)).with_context(|| format!("can't write {}", path.display()))?;
    Ok(path)
}

/// Runs the healthy job `rounds` times, and returns the median milliseconds.
async fn typical(healthy: &Model, pdf: &Path, rounds: usize) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..rounds {
        let started = Instant::now();
        engine::run(healthy, pdf).await?;
        times.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(median(times))
}

/// A hostile job that is run again whenever it has ended.
struct Attack {
    cancelled: CancellationToken,
    running: tokio::task::JoinHandle<()>,
}

impl Attack {
    fn start(hostile: Model, pdf: &Path) -> Result<Self> {
        let cancelled = CancellationToken::new();
        let task = Task {
            id: "attack".to_owned(),
            document: Document::open(pdf, "00")?,
            pages: vec![1],
            asked_for: None,
            parameters: "{}".to_owned(),
            progress: watch::Sender::new(Progress::default()),
            cancelled: cancelled.clone(),
        };
        // How a deed fails is what the tests look at.
        let running =
            tokio::spawn(async move { while !matches!(hostile.run(task.clone()).await, Err(Failure::Cancelled)) {} });
        Ok(Self { cancelled, running })
    }

    async fn end(self) -> Result<()> {
        self.cancelled.cancel();
        Ok(self.running.await?)
    }
}
