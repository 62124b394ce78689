//! `cargo xtask bench`: what the project promises about speed and memory, measured as ratios within one run.

use std::path::PathBuf;

use anyhow::Result;

use crate::build;
use crate::workspace::{cargo, run as run_command, target};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A PDF whose first page is timed too, beside the drafted sheets
    #[arg(long)]
    sheet: Vec<PathBuf>,
    /// Rounds of each measurement
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    build::run()?;
    build::plugins(&["tests/guests"], &target().join("release").join("test-guests"))?;
    let mut bench = cargo();
    bench.args(["run", "--release", "--package", "fanlight-bench", "--", "all", "--release"]);
    bench.arg(target().join("release")).args(["--rounds", &arguments.rounds.to_string()]);
    for sheet in &arguments.sheet {
        bench.arg("--sheet").arg(std::path::absolute(sheet)?);
    }
    run_command(&mut bench)
}
