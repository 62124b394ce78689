//! Writes drafted documents and their truth into a folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use drafting::elevation;
use drafting::manual::{self, Style};
use drafting::plan;
use drafting::schedule;
use drafting::section::{self, Habits};
use drafting::sheet::{self, Office};
use serde::Serialize;

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
    /// Bound sections: NAME.pdf and NAME.json.
    Sections(SectionsArguments),
    /// A set of drawing sheets: NAME.pdf and NAME.json.
    Sheets(SheetsArguments),
    /// Sheets with schedules, of every named office: NAME.pdf and NAME.json.
    Schedules(SchedulesArguments),
    /// Sheets of interior elevations, of every named office: NAME.pdf and NAME.json.
    Elevations(SchedulesArguments),
    /// Floor plans: NAME.pdf and NAME.json.
    Plans(PlansArguments),
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

#[derive(clap::Args)]
struct SectionsArguments {
    /// Named habits; without them, and without --seed, every named office is drafted.
    #[arg(long, value_name = "NAME")]
    habits: Option<String>,
    /// A mixture of habits drawn with this number; with --habits, the number that the content is drawn with.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The folder to write into; it is made where it is missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(clap::Args)]
struct SheetsArguments {
    /// A named office; without one, and without --seed, every named office is drafted.
    #[arg(long, value_name = "NAME")]
    office: Option<String>,
    /// A mixture of habits drawn with this number; with --office, the number that the content is drawn with.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The folder to write into; it is made where it is missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(clap::Args)]
struct SchedulesArguments {
    /// The number that the content is drawn with.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The folder to write into; it is made where it is missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(clap::Args)]
struct PlansArguments {
    /// A named office; without one, the named offices in turn.
    #[arg(long, value_name = "NAME", conflicts_with = "random")]
    office: Option<String>,
    /// Mixtures of habits instead of named offices.
    #[arg(long)]
    random: bool,
    /// How many sheets.
    #[arg(long, value_name = "N", default_value_t = 18)]
    count: u64,
    /// The number that the first sheet is drawn with; each next sheet has the next number.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The folder to write into; it is made where it is missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

fn main() -> Result<()> {
    match Arguments::parse().kind {
        Kind::Manual(arguments) => draft_manuals(arguments),
        Kind::Sections(arguments) => draft_sections(&arguments),
        Kind::Sheets(arguments) => draft_sheets(&arguments),
        Kind::Schedules(arguments) => draft_schedules(&arguments),
        Kind::Elevations(arguments) => draft_elevations(&arguments),
        Kind::Plans(arguments) => draft_plans(&arguments),
    }
}

fn draft_schedules(arguments: &SchedulesArguments) -> Result<()> {
    fs::create_dir_all(&arguments.out).with_context(|| format!("cannot make {}", arguments.out.display()))?;
    for (name, office) in schedule::offices() {
        let drafted = schedule::draft(&office, arguments.seed);
        write(&arguments.out, name, &drafted.pdf, &drafted.truth)?;
        println!("{name} {} tables", drafted.truth.tables.len());
    }
    Ok(())
}

fn draft_elevations(arguments: &SchedulesArguments) -> Result<()> {
    fs::create_dir_all(&arguments.out).with_context(|| format!("cannot make {}", arguments.out.display()))?;
    for (name, office) in elevation::offices() {
        let drafted = elevation::draft(&office, arguments.seed);
        write(&arguments.out, name, &drafted.pdf, &drafted.truth)?;
        println!("{name} {} elevations", drafted.truth.elevations.len());
    }
    Ok(())
}

fn draft_plans(arguments: &PlansArguments) -> Result<()> {
    fs::create_dir_all(&arguments.out).with_context(|| format!("cannot make {}", arguments.out.display()))?;
    let mut named = plan::offices();
    if let Some(name) = &arguments.office {
        named.retain(|(own, _)| own == name);
        anyhow::ensure!(!named.is_empty(), "no office is named {name}");
    }
    for (seed, (name, office)) in (arguments.seed..).zip(named.iter().cycle()).take(arguments.count as usize) {
        let (name, office) =
            if arguments.random { ("random", plan::Office::random(seed)) } else { (*name, office.clone()) };
        let drafted = plan::draft(&office, seed);
        let truth = &drafted.truth;
        let name = format!("plan-{name}-{seed}");
        write(&arguments.out, &name, &drafted.pdf, truth)?;
        println!("{name} {} doors {} fixtures {} rooms", truth.doors.len(), truth.fixtures.len(), truth.rooms.len());
    }
    Ok(())
}

fn draft_sheets(arguments: &SheetsArguments) -> Result<()> {
    fs::create_dir_all(&arguments.out).with_context(|| format!("cannot make {}", arguments.out.display()))?;
    let named = sheet::offices();
    let chosen: Vec<(String, Office, u64)> = match (arguments.office.as_deref(), arguments.seed) {
        (Some(name), seed) => {
            let (_, office) = named
                .into_iter()
                .find(|(own, _)| *own == name)
                .with_context(|| format!("no office is named {name}"))?;
            vec![(name.to_owned(), office, seed.unwrap_or(1))]
        }
        (None, Some(seed)) => vec![(format!("sheets-{seed}"), Office::random(seed), seed)],
        (None, None) => named.into_iter().map(|(name, office)| (name.to_owned(), office, 1)).collect(),
    };
    for (name, office, seed) in chosen {
        let drafted = sheet::draft(&office, seed);
        write(&arguments.out, &name, &drafted.pdf, &drafted.truth)?;
        println!("{name} {} pages", drafted.truth.pages.len());
    }
    Ok(())
}

fn draft_sections(arguments: &SectionsArguments) -> Result<()> {
    fs::create_dir_all(&arguments.out).with_context(|| format!("cannot make {}", arguments.out.display()))?;
    let named = section::habits();
    let chosen: Vec<(String, Habits, u64)> = match (arguments.habits.as_deref(), arguments.seed) {
        (Some(name), seed) => {
            let (_, habits) = named
                .into_iter()
                .find(|(own, _)| *own == name)
                .with_context(|| format!("no habits are named {name}"))?;
            vec![(name.to_owned(), habits, seed.unwrap_or(1))]
        }
        (None, Some(seed)) => vec![(format!("sections-{seed}"), Habits::random(seed), seed)],
        (None, None) => named.into_iter().map(|(name, habits)| (name.to_owned(), habits, 1)).collect(),
    };
    for (name, habits, seed) in chosen {
        let drafted = section::draft(&habits, seed);
        write(&arguments.out, &name, &drafted.pdf, &drafted.truth)?;
        println!("{name} {} pages", drafted.truth.pages);
    }
    Ok(())
}

/// NAME.pdf and NAME.json.
fn write(out: &Path, name: &str, pdf: &[u8], truth: &impl Serialize) -> Result<()> {
    let file = out.join(format!("{name}.pdf"));
    fs::write(&file, pdf).with_context(|| format!("cannot write {}", file.display()))?;
    let truth = serde_json::to_string_pretty(truth).context("cannot spell the truth as JSON")?;
    let json = out.join(format!("{name}.json"));
    fs::write(&json, truth + "\n").with_context(|| format!("cannot write {}", json.display()))
}

fn draft_manuals(arguments: ManualArguments) -> Result<()> {
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
        write(&out, &name, &drafted.pdf, &drafted.truth)?;
        println!("{} {} pages", out.join(format!("{name}.pdf")).display(), drafted.truth.pages);
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
