//! `cargo xtask bench` measures speed and memory and checks the project's promises, as ratios within one run.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::build;
use crate::workspace::{cargo, run as run_command, target};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A further PDF whose first page is timed, beside the synthetic sheets
    #[arg(long)]
    sheet: Vec<PathBuf>,
    /// Also build the demo in an empty folder and report what that takes
    #[arg(long)]
    first_build: bool,
    /// Rounds of each measurement
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    build::everything()?;
    build::test_guests()?;
    if arguments.first_build {
        measure_first_build()?;
    }
    let mut bench = cargo();
    bench.args(["run", "--release", "--package", "fanlight-bench", "--", "all", "--release"]);
    bench.arg(target().join("release")).arg("--first-build").arg(build::first_build_record());
    bench.args(["--rounds", &arguments.rounds.to_string()]);
    for sheet in &arguments.sheet {
        bench.arg("--sheet").arg(std::path::absolute(sheet)?);
    }
    run_command(&mut bench)
}

/// Builds and runs the demo in an empty folder, and keeps the record of its build.
fn measure_first_build() -> Result<()> {
    let empty = target().join("first-build");
    if empty.exists() {
        fs::remove_dir_all(&empty).with_context(|| format!("can't empty {}", empty.display()))?;
    }
    run_command(cargo().args(["xtask", "demo", "--once"]).env("CARGO_TARGET_DIR", &empty))?;
    let record = empty.join("first-build.json");
    fs::copy(&record, build::first_build_record()).with_context(|| format!("can't copy {}", record.display()))?;
    fs::remove_dir_all(&empty).with_context(|| format!("can't delete {}", empty.display()))
}
