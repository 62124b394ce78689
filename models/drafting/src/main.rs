//! Writes synthetic documents and their ground truth into a folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};
use drafting::{elevation, manual, plan, schedule, section, sheet};
use serde::Serialize;

/// Generates synthetic construction documents.
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
    /// Bound specification sections: NAME.pdf and NAME.json.
    Sections(StyledArguments),
    /// A set of drawing sheets: NAME.pdf and NAME.json.
    Sheets(StyledArguments),
    /// Sheets with schedules, one for each style preset: NAME.pdf and NAME.json.
    Schedules(EveryStyleArguments),
    /// Sheets of interior elevations, one for each style preset: NAME.pdf and NAME.json.
    Elevations(EveryStyleArguments),
    /// Floor plans: NAME.pdf and NAME.json.
    Plans(PlansArguments),
}

#[derive(clap::Args)]
struct ManualArguments {
    /// A style preset; all presets if neither this nor --seed is given.
    #[arg(long, value_name = "NAME")]
    style: Option<String>,
    /// The seed of a random style; with --style, the seed of the content.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The folder to write into, created if it does not exist.
    #[arg(long, value_name = "DIR", required_unless_present = "list")]
    out: Option<PathBuf>,
    /// Lists the style presets.
    #[arg(long)]
    list: bool,
}

#[derive(clap::Args)]
struct StyledArguments {
    /// A style preset; all presets if neither this nor --seed is given.
    #[arg(long, value_name = "NAME")]
    style: Option<String>,
    /// The seed of a random style; with --style, the seed of the content.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The folder to write into, created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(clap::Args)]
struct EveryStyleArguments {
    /// The seed of the content.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The folder to write into, created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(clap::Args)]
struct PlansArguments {
    /// A style preset; the presets in turn if not given.
    #[arg(long, value_name = "NAME", conflicts_with = "random")]
    style: Option<String>,
    /// Uses random styles instead of presets.
    #[arg(long)]
    random: bool,
    /// The number of sheets.
    #[arg(long, value_name = "N", default_value_t = 18)]
    count: u64,
    /// The seed of the first sheet; each following sheet has the next number.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The folder to write into, created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// One document to generate.
struct Job<S> {
    /// The name of its files, without extension.
    name: String,
    style: S,
    seed: u64,
}

fn main() -> Result<()> {
    match Arguments::parse().kind {
        Kind::Manual(arguments) => generate_manuals(arguments),
        Kind::Sections(arguments) => generate_sections(&arguments),
        Kind::Sheets(arguments) => generate_sheets(&arguments),
        Kind::Schedules(arguments) => generate_schedules(&arguments),
        Kind::Elevations(arguments) => generate_elevations(&arguments),
        Kind::Plans(arguments) => generate_plans(&arguments),
    }
}

fn generate_manuals(arguments: ManualArguments) -> Result<()> {
    if arguments.list {
        for (name, _) in manual::styles() {
            println!("{name}");
        }
        return Ok(());
    }
    let out = arguments.out.context("no folder to write into")?;
    create_folder(&out)?;
    for Job { name, style, seed } in manual_jobs(arguments.style.as_deref(), arguments.seed)? {
        let generated = manual::generate(&style, seed);
        write(&out, &name, &generated.pdf, &generated.truth)?;
        println!("{} {} pages", out.join(format!("{name}.pdf")).display(), generated.truth.pages);
    }
    Ok(())
}

/// Returns the manuals that the arguments ask for. Without a style and a seed, each preset has a seed of its own,
/// counted from 1.
fn manual_jobs(name: Option<&str>, seed: Option<u64>) -> Result<Vec<Job<manual::Style>>> {
    let mut jobs = jobs(manual::styles(), name, seed, "seed", manual::Style::random)?;
    if name.is_none() && seed.is_none() {
        jobs.iter_mut().zip(1..).for_each(|(job, seed)| job.seed = seed);
    }
    Ok(jobs)
}

fn generate_sections(arguments: &StyledArguments) -> Result<()> {
    create_folder(&arguments.out)?;
    let (name, presets) = (arguments.style.as_deref(), section::styles());
    for Job { name, style, seed } in jobs(presets, name, arguments.seed, "sections", section::Style::random)? {
        let generated = section::generate(&style, seed);
        write(&arguments.out, &name, &generated.pdf, &generated.truth)?;
        println!("{name} {} pages", generated.truth.pages);
    }
    Ok(())
}

fn generate_sheets(arguments: &StyledArguments) -> Result<()> {
    create_folder(&arguments.out)?;
    let (name, presets) = (arguments.style.as_deref(), sheet::styles());
    for Job { name, style, seed } in jobs(presets, name, arguments.seed, "sheets", sheet::Style::random)? {
        let generated = sheet::generate(&style, seed);
        write(&arguments.out, &name, &generated.pdf, &generated.truth)?;
        println!("{name} {} pages", generated.truth.pages.len());
    }
    Ok(())
}

fn generate_schedules(arguments: &EveryStyleArguments) -> Result<()> {
    create_folder(&arguments.out)?;
    for (name, style) in schedule::styles() {
        let generated = schedule::generate(&style, arguments.seed);
        write(&arguments.out, name, &generated.pdf, &generated.truth)?;
        println!("{name} {} tables", generated.truth.tables.len());
    }
    Ok(())
}

fn generate_elevations(arguments: &EveryStyleArguments) -> Result<()> {
    create_folder(&arguments.out)?;
    for (name, style) in elevation::styles() {
        let generated = elevation::generate(&style, arguments.seed);
        write(&arguments.out, name, &generated.pdf, &generated.truth)?;
        println!("{name} {} elevations", generated.truth.elevations.len());
    }
    Ok(())
}

fn generate_plans(arguments: &PlansArguments) -> Result<()> {
    create_folder(&arguments.out)?;
    let mut presets = plan::styles();
    if let Some(name) = &arguments.style {
        presets.retain(|(preset, _)| preset == name);
        ensure!(!presets.is_empty(), "no style is named {name}");
    }
    for (seed, (name, style)) in (arguments.seed..).zip(presets.iter().cycle()).take(arguments.count as usize) {
        let (name, style) =
            if arguments.random { ("random", plan::Style::random(seed)) } else { (*name, style.clone()) };
        let generated = plan::generate(&style, seed);
        let truth = &generated.truth;
        let name = format!("plan-{name}-{seed}");
        write(&arguments.out, &name, &generated.pdf, truth)?;
        println!("{name} {} doors {} fixtures {} rooms", truth.doors.len(), truth.fixtures.len(), truth.rooms.len());
    }
    Ok(())
}

/// Returns the documents that the arguments ask for: the preset `name`, or a random style of `seed` whose files are
/// called after `random_name`, or all presets with seed 1.
fn jobs<S>(
    presets: Vec<(&'static str, S)>,
    name: Option<&str>,
    seed: Option<u64>,
    random_name: &str,
    random: impl Fn(u64) -> S,
) -> Result<Vec<Job<S>>> {
    match (name, seed) {
        (Some(name), seed) => {
            let chosen = presets.into_iter().find(|(preset, _)| *preset == name);
            let (_, style) = chosen.with_context(|| format!("no style is named {name}"))?;
            Ok(vec![Job { name: name.to_owned(), style, seed: seed.unwrap_or(1) }])
        }
        (None, Some(seed)) => Ok(vec![Job { name: format!("{random_name}-{seed}"), style: random(seed), seed }]),
        (None, None) => {
            Ok(presets.into_iter().map(|(name, style)| Job { name: name.to_owned(), style, seed: 1 }).collect())
        }
    }
}

fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Writes NAME.pdf and NAME.json into `folder`.
fn write(folder: &Path, name: &str, pdf: &[u8], truth: &impl Serialize) -> Result<()> {
    let file = folder.join(format!("{name}.pdf"));
    fs::write(&file, pdf).with_context(|| format!("cannot write {}", file.display()))?;
    let truth = serde_json::to_string_pretty(truth).context("cannot write the truth as JSON")?;
    let json = folder.join(format!("{name}.json"));
    fs::write(&json, truth + "\n").with_context(|| format!("cannot write {}", json.display()))
}
