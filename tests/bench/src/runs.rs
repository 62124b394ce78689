//! Times runs of a program and measures their memory.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::report::median;

/// The pause between two readings of a running program's memory.
const LOOK: Duration = Duration::from_millis(2);

/// What a run of a program used.
pub(crate) struct Run {
    pub(crate) seconds: f64,
    /// Peak resident memory.
    pub(crate) megabytes: f64,
}

/// Returns the median time and the median memory of `rounds` runs. One more run before them fills the caches.
pub(crate) fn typical(rounds: usize, mut run: impl FnMut() -> Result<Run>) -> Result<Run> {
    run()?;
    let runs: Vec<Run> = (0..rounds).map(|_| run()).collect::<Result<_>>()?;
    Ok(Run {
        seconds: median(runs.iter().map(|run| run.seconds).collect()),
        megabytes: median(runs.iter().map(|run| run.megabytes).collect()),
    })
}

/// Runs a program to its end and discards its output.
pub(crate) fn timed(command: &mut Command) -> Result<Run> {
    let started = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().context("can't run the program")?;
    let status = format!("/proc/{}/status", child.id());
    let mut kilobytes: f64 = 0.0;
    let ended = loop {
        if let Some(ended) = child.try_wait()? {
            break ended;
        }
        // The peak never falls, so the last reading is the peak. The process may end during a reading.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        kilobytes = kilobytes.max(peak.and_then(|peak| peak.parse().ok()).unwrap_or(0.0));
        thread::sleep(LOOK);
    };
    let seconds = started.elapsed().as_secs_f64();
    ensure!(ended.success(), "{command:?} ended with {ended}");
    Ok(Run { seconds, megabytes: kilobytes / 1024.0 })
}
