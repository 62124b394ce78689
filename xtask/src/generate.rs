//! `cargo xtask generate`: the files of the repository that are made from others.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::build;
use crate::workspace::{binary, cargo, output, root, say};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Change nothing; fail if a file is not current
    #[arg(long)]
    check: bool,
}

/// A file, and how its content is made.
struct Generated {
    path: PathBuf,
    content: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    build::run()?;
    // Fails where Cargo.lock would have to change.
    output(cargo().args(["metadata", "--locked", "--format-version", "1"])).context("Cargo.lock is not current")?;
    let models = Generated {
        path: root().join("docs").join("models.json"),
        content: output(Command::new(binary()).args(["plugin", "describe"]))?,
    };
    for generated in [models] {
        let current = fs::read_to_string(&generated.path).unwrap_or_default() == generated.content;
        let shown = generated.path.display();
        match (current, arguments.check) {
            (true, _) => say(&format!("{shown} is current")),
            (false, true) => bail!("{shown} is not current: run `cargo xtask generate`"),
            (false, false) => {
                fs::write(&generated.path, &generated.content).with_context(|| format!("can't write {shown}"))?;
                say(&format!("wrote {shown}"));
            }
        }
    }
    Ok(())
}
