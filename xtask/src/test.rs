//! `cargo xtask test` installs what the tests need, builds everything, and runs the tests.

use anyhow::Result;

use crate::workspace::{cargo, run as run_command, say};
use crate::{build, failpoints, package, setup};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A package whose tests to run [default: all packages]
    #[arg(short, long)]
    package: Vec<String>,
    /// Install missing system packages without asking, as with CI=true
    #[arg(long)]
    yes: bool,
    /// Arguments for the test programs, after `--`
    #[arg(last = true)]
    rest: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    setup::run(arguments.yes)?;
    // Must precede the ordinary build, whose binary takes the same place.
    failpoints::build()?;
    build::everything()?;
    build::test_guests()?;
    package::pack_for_tests()?;
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
