//! `fanlight plugin bench`: measures a package on a file.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::ensure;
use fanlight_sandbox::ModelCall;
use tokio::runtime::Builder;

use super::notice::AUTHOR_LOG;
use super::units::{bytes, seconds};
use super::work_folder::WorkFolder;
use crate::cli::local_file::{LocalFile, digest};
use crate::cli::output::print;
use crate::cli::run::parse_parameters;
use crate::configuration::Configuration;
use crate::runtime::logging;

/// What the command line asks for.
#[derive(Debug)]
pub(super) struct Request {
    /// The package's folder.
    pub(super) folder: PathBuf,
    /// Path of the document.
    pub(super) file: PathBuf,
    /// Parameters, the text of a JSON object.
    pub(super) parameters: Option<String>,
    /// Runs that count.
    pub(super) runs: u32,
}

/// Runs the package and prints, for each call into it, the median time, the peak memory and the bytes of host calls.
///
/// # Errors
///
/// One sentence that says what is wrong.
pub(super) fn bench(configuration: &Configuration, request: &Request) -> anyhow::Result<()> {
    logging::start(&configuration.log, AUTHOR_LOG)?;
    ensure!(request.runs > 0, "--runs must be at least 1");
    let package = WorkFolder::open(&request.folder)?;
    let sha256 = digest(&request.file)?;
    let parameters = parse_parameters(request.parameters.as_deref())?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let guests = package.sandbox(configuration).await?;
        let file = LocalFile::without_model(&request.file, &sha256, guests).await?;
        let started = Instant::now();
        let model = package.load(&file.guests).await?;
        let loaded = started.elapsed();
        file.run(&model, None, &parameters).await?;
        let (mut whole, mut calls) = (Vec::new(), Vec::new());
        for _ in 0..request.runs {
            let started = Instant::now();
            let answer = file.run(&model, None, &parameters).await?;
            whole.push(started.elapsed());
            calls.push(answer.calls);
        }
        let version = model.description().model_version();
        let mut lines = vec![
            format!("{version} on {}, medians of {} runs\n", request.file.display(), request.runs),
            format!("{:<10}  {:<12}  {:>9}  {:>11}  {:>10}", "call", "pages", "time", "peak memory", "host calls"),
        ];
        for position in 0..calls.first().map_or(0, Vec::len) {
            let same: Vec<&ModelCall> = calls.iter().filter_map(|run| run.get(position)).collect();
            lines.push(row(position, &same));
        }
        lines.push(format!("{:<10}  {:<12}  {:>9}", "whole run", "", seconds(median(whole))));
        lines.push(format!("\nThe package was loaded in {}.\n", seconds(loaded)));
        print(&lines.join("\n"))
    })
}

/// Returns the line of one call, from its measurements in all runs.
fn row(position: usize, calls: &[&ModelCall]) -> String {
    let shard = calls.first().and_then(|call| call.shard.as_deref());
    let name = shard.map_or_else(|| "conclude".to_owned(), |_| format!("shard {}", position + 1));
    let time = median(calls.iter().map(|call| call.usage.time).collect());
    let memory = calls.iter().map(|call| call.usage.memory_bytes).max().unwrap_or_default();
    let copied = calls.iter().map(|call| call.usage.host_call_bytes).max().unwrap_or_default();
    let pages = shard.map(pages).unwrap_or_default();
    format!("{name:<10}  {pages:<12}  {:>9}  {:>11}  {:>10}", seconds(time), bytes(memory), bytes(copied))
}

/// Returns the pages of a shard as `first-last`.
fn pages(shard: &[u32]) -> String {
    match shard {
        [] => String::new(),
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
    }
}

/// Returns the middle one of some times.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_sandbox::Usage;

    #[test]
    fn a_row_has_the_median_time_and_the_most_memory() {
        let call = |milliseconds, memory_bytes| ModelCall {
            shard: Some(vec![1, 2, 5]),
            usage: Usage { time: Duration::from_millis(milliseconds), memory_bytes, host_call_bytes: 1500 },
        };
        let calls = [call(3, 10), call(1, 2_000_000), call(2, 10)];
        let row = row(0, &calls.iter().collect::<Vec<_>>());
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words, ["shard", "1", "1-5", "2.00", "ms", "2.00", "MB", "1.50", "KB"]);
    }
}
