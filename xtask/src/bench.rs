//! `cargo xtask bench`: what the project promises about speed and memory, measured as ratios within one run.

use anyhow::Result;

#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> Result<()> {
    Ok(())
}
