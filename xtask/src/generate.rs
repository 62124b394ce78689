//! `cargo xtask generate` writes the generated files of the repository, or checks that they are current.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::{binary, cargo, output, root, run as run_command, say};
use crate::{build, reference};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Change nothing, and fail if a file is not current
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    // Builds the same packages as the tests do: another selection has other features and compiles wasmtime anew.
    build::everything()?;
    // Fails if Cargo.lock would have to change.
    output(cargo().args(["metadata", "--locked", "--format-version", "1"])).context("Cargo.lock is not current")?;
    let models = output(Command::new(binary()).args(["plugin", "describe"]))?;
    let has_written_models = settle(&root().join("docs").join("models.json"), &models, arguments)?;
    if has_written_models {
        // The server embeds models.json and describes the REST API from it.
        build::programs_of_workspace()?;
    }
    settle(&root().join("docs").join("plugin-contract.md"), &reference::page(&root().join("wit"))?, arguments)?;
    settle_openapi(arguments)
}

/// `cargo xtask openapi` writes or checks only the description of the REST API.
pub(crate) fn openapi(arguments: &Arguments) -> Result<()> {
    run_command(cargo().args(["build", "--release", "--package", "fanlight"]))?;
    settle_openapi(arguments)
}

fn settle_openapi(arguments: &Arguments) -> Result<()> {
    let document = output(Command::new(binary()).arg("openapi"))?;
    settle(&root().join("openapi").join("openapi.json"), &document, arguments)?;
    Ok(())
}

/// Writes a file if its content is not current. With `--check`, fails instead. Returns whether it wrote the file.
fn settle(path: &Path, content: &str, arguments: &Arguments) -> Result<bool> {
    let shown = path.display();
    if fs::read_to_string(path).unwrap_or_default() == content {
        say(&format!("{shown} is current"));
        return Ok(false);
    }
    if arguments.check {
        bail!("{shown} is not current: run `cargo xtask generate`");
    }
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
    fs::write(path, content).with_context(|| format!("can't write {shown}"))?;
    say(&format!("wrote {shown}"));
    Ok(true)
}
