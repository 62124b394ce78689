//! `cargo xtask generate`: the files of the repository that are made from others.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::build;
use crate::workspace::{binary, cargo, output, root, run as run_command, say};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Change nothing; fail if a file is not current
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    // As the tests build it: another selection of packages has other features, and compiles wasmtime anew.
    build::everything()?;
    // Fails where Cargo.lock would have to change.
    output(cargo().args(["metadata", "--locked", "--format-version", "1"])).context("Cargo.lock is not current")?;
    let models = output(Command::new(binary()).args(["plugin", "describe"]))?;
    settle(&root().join("docs").join("models.json"), &models, arguments)?;
    settle_openapi(arguments)
}

/// `cargo xtask openapi`: the description of the REST API alone.
pub(crate) fn openapi(arguments: &Arguments) -> Result<()> {
    run_command(cargo().args(["build", "--release", "--package", "fanlight"]))?;
    settle_openapi(arguments)
}

fn settle_openapi(arguments: &Arguments) -> Result<()> {
    let document = output(Command::new(binary()).arg("openapi"))?;
    settle(&root().join("openapi").join("openapi.json"), &document, arguments)
}

/// Writes a file where its content is not current, or says so where nothing may be changed.
fn settle(path: &Path, content: &str, arguments: &Arguments) -> Result<()> {
    let shown = path.display();
    if fs::read_to_string(path).unwrap_or_default() == content {
        say(&format!("{shown} is current"));
        return Ok(());
    }
    if arguments.check {
        bail!("{shown} is not current: run `cargo xtask generate`");
    }
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
    fs::write(path, content).with_context(|| format!("can't write {shown}"))?;
    say(&format!("wrote {shown}"));
    Ok(())
}
