//! `cargo xtask eval` scores the models on labelled documents by the corpus's own `eval.py`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

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
    /// Score the labels of this folder, which `fanlight labels export` wrote, instead of the corpus's own
    #[arg(long, value_name = "DIR")]
    reviewed: Option<PathBuf>,
    /// A folder to keep the results in
    #[arg(long)]
    keep: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    build::run()?;
    let Some(reviewed) = &arguments.reviewed else {
        return run_command(&mut scorer(arguments, &arguments.corpus, &arguments.model));
    };
    let models = reviewed_models(reviewed)?;
    for model in models.iter().filter(|model| arguments.model.is_empty() || arguments.model.contains(model)) {
        // A label file has what one model finds, so no other model may be scored on it.
        run_command(&mut scorer(arguments, &reviewed.join(model), std::slice::from_ref(model)))?;
    }
    Ok(())
}

/// Returns the command that scores models on a folder with labels/ and pdf/.
fn scorer(arguments: &Arguments, labelled: &Path, models: &[String]) -> Command {
    let mut eval = Command::new("python3");
    eval.arg(arguments.corpus.join("eval.py")).arg("--bin").arg(binary()).arg("--corpus").arg(labelled);
    for model in models {
        eval.args(["--model", model]);
    }
    if let Some(folder) = &arguments.keep {
        eval.arg("--keep").arg(folder);
    }
    eval
}

/// Returns the models whose labels a folder of `fanlight labels export` has, in order.
fn reviewed_models(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("can't read {}", folder.display()))?;
    let mut models = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.path().join("labels").is_dir() {
            models.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    if models.is_empty() {
        bail!("{} has no labels: write them with `fanlight labels export --out`", folder.display());
    }
    models.sort_unstable();
    Ok(models)
}
