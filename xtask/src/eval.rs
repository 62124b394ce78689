//! `cargo xtask eval` scores the models on a labelled corpus by the corpus's own `eval.py`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::build;
use crate::workspace::{binary, run as run_command};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The corpus, a folder with labels/, pdf/ and eval.py
    #[arg(long)]
    corpus: PathBuf,
    /// A model to score [default: all that have labels]
    #[arg(long)]
    model: Vec<String>,
    /// A folder to keep the results in
    #[arg(long)]
    keep: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    build::run()?;
    let mut eval = Command::new("python3");
    eval.arg(arguments.corpus.join("eval.py")).arg("--bin").arg(binary()).arg("--corpus").arg(&arguments.corpus);
    for model in &arguments.model {
        eval.args(["--model", model]);
    }
    if let Some(folder) = &arguments.keep {
        eval.arg("--keep").arg(folder);
    }
    run_command(&mut eval)
}
