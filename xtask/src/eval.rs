//! `cargo xtask eval`: the models on a labelled corpus, by the corpus's own `eval.py`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::build;
use crate::workspace::{binary, run as run_command};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The corpus: a folder with labels/, pdf/ and eval.py
    #[arg(long)]
    corpus: PathBuf,
    /// A model to score; all that the corpus has labels for if none is named
    #[arg(long)]
    model: Vec<String>,
    /// Where to keep the results
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
