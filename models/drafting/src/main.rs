//! Writes drafted documents and their truth into a folder.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use drafting::manual::{self, Style};

/// Drafts synthetic construction documents.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Subcommand)]
enum Kind {
    /// A project manual: NAME.pdf and NAME.json.
    Manual(ManualArguments),
}

#[derive(clap::Args)]
struct ManualArguments {
    /// A named style; without one, every named style is drafted.
    #[arg(long, value_name = "NAME")]
    style: Option<String>,
    /// A mixture of habits drawn with this number; with --style, the number that the content is drawn with.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The folder to write into; it is made where it is missing.
    #[arg(long, value_name = "DIR", required_unless_present = "list")]
    out: Option<PathBuf>,
    /// Lists the named styles.
    #[arg(long)]
    list: bool,
}

fn main() -> Result<()> {
    let Kind::Manual(arguments) = Arguments::parse().kind;
    if arguments.list {
        for (name, _) in manual::styles() {
            println!("{name}");
        }
        return Ok(());
    }
    let out = arguments.out.context("no folder to write into")?;
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    for (name, style, seed) in chosen(arguments.style.as_deref(), arguments.seed)? {
        let drafted = manual::draft(&style, seed);
        let pdf = out.join(format!("{name}.pdf"));
        fs::write(&pdf, &drafted.pdf).with_context(|| format!("cannot write {}", pdf.display()))?;
        let truth = serde_json::to_string_pretty(&drafted.truth).context("cannot spell the truth as JSON")?;
        let json = out.join(format!("{name}.json"));
        fs::write(&json, truth + "\n").with_context(|| format!("cannot write {}", json.display()))?;
        println!("{} {} pages", pdf.display(), drafted.truth.pages);
    }
    Ok(())
}

/// Names, styles and seeds of the manuals that are asked for.
fn chosen(name: Option<&str>, seed: Option<u64>) -> Result<Vec<(String, Style, u64)>> {
    let named = manual::styles();
    match (name, seed) {
        (Some(name), seed) => {
            let (_, style) =
                named.into_iter().find(|(own, _)| *own == name).with_context(|| format!("no style is named {name}"))?;
            Ok(vec![(name.to_owned(), style, seed.unwrap_or(1))])
        }
        (None, Some(seed)) => Ok(vec![(format!("seed-{seed}"), Style::random(seed), seed)]),
        (None, None) => {
            Ok(named.into_iter().zip(1..).map(|((name, style), seed)| (name.to_owned(), style, seed)).collect())
        }
    }
}
