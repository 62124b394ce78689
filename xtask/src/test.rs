//! `cargo xtask test`: sets up what the tests need, and runs them.

use anyhow::Result;

use crate::workspace::{cargo, run as run_command, say, target};
use crate::{build, failpoints, package, setup};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A package whose tests to run; all if none is named
    #[arg(short, long)]
    package: Vec<String>,
    /// Install missing system packages without asking; so does CI=true
    #[arg(long)]
    yes: bool,
    /// What to tell the test programs, after `--`
    #[arg(last = true)]
    rest: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    setup::run(arguments.yes)?;
    // The ordinary binary comes after it, in the same place.
    failpoints::build()?;
    build::everything()?;
    build::test_guests()?;
    package::pack(&target().join("package"))?;
    say("running tests");
    let mut test = cargo();
    test.args(["test", "--release"]);
    if arguments.package.is_empty() {
        test.arg("--workspace");
    }
    for package in &arguments.package {
        test.args(["--package", package]);
    }
    if !arguments.rest.is_empty() {
        test.arg("--").args(&arguments.rest);
    }
    run_command(&mut test)
}
