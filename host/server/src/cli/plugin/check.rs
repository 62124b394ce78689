//! `fanlight plugin check`: says whether a host accepts a package, and everything that is wrong with it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;
use fanlight_inference::Choice;
use fanlight_sandbox::{Checked, Compilation, Description, Limits, Package, Problem, Settings};
use semver::Version;
use serde_json::{Value, json};
use tokio::runtime::Builder;

use super::notice::AUTHOR_LOG;
use super::units::{bytes, seconds};
use super::work_folder::WorkFolder;
use crate::cli::output::print;
use crate::configuration::Configuration;
use crate::runtime::guests::Guests;
use crate::runtime::inference;
use crate::runtime::logging;

/// What a check of a folder has found.
struct Found {
    /// All problems.
    problems: Vec<Problem>,
    /// The component and its bytes, if there is one.
    component: Option<(PathBuf, usize)>,
    checked: Checked,
}

/// Refuses the package in a folder if a check finds a problem.
///
/// # Errors
///
/// One sentence with the first problem.
pub(super) fn ensure_sound(configuration: &Configuration, folder: &Path) -> anyhow::Result<()> {
    let Found { problems, .. } = examine(configuration, folder)?;
    let Some(first) = problems.first() else { return Ok(()) };
    bail!("{}; `fanlight plugin check` says what to do", first.what)
}

/// Checks the package in a folder.
fn examine(configuration: &Configuration, folder: &Path) -> anyhow::Result<Found> {
    logging::start(&configuration.log, AUTHOR_LOG)?;
    let package = WorkFolder::open(folder)?;
    let mut problems = Vec::new();
    let manifest = fs::read_to_string(package.manifest());
    if let Err(error) = &manifest {
        problems.push(Problem::new(
            format!("can't read {}: {error}", package.manifest().display()),
            "write it; `fanlight plugin new NAME` shows one",
        ));
    }
    let (component, wasm) = match package.component().map(|path| (path.clone(), fs::read(path))) {
        Ok((path, wasm)) => (Some(path), wasm.ok()),
        Err(error) => {
            let said = error.to_string();
            let (what, remedy) = said.split_once("; ").unwrap_or((&said, "build it"));
            problems.push(Problem::new(what, remedy));
            (None, None)
        }
    };
    if let Some(component) = &component {
        package.tell_if_older(component);
    }
    let size = wasm.as_ref().map_or(0, Vec::len);
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let mut checked = runtime.block_on(ask(configuration, manifest.ok(), wasm))?;
    problems.append(&mut checked.problems);
    if let Some(package) = &checked.package
        && let Err(error) = Version::parse(package.version())
    {
        let what = format!("the version `{}` is not a semantic one: {error}", package.version());
        problems.push(Problem::new(what, "write three numbers, such as 0.2.0"));
    }
    if let Some(description) = &checked.description {
        problems.extend(parameter_problem(description));
        if description.summary.trim().is_empty() {
            problems.push(Problem::new("its summary is empty", "say in one sentence what the model does"));
        }
    }
    Ok(Found { problems, component: component.map(|path| (path, size)), checked })
}

/// Checks the package in a folder and prints what it found.
///
/// # Errors
///
/// There is a problem; all of them are printed before.
pub(super) fn check(configuration: &Configuration, folder: &Path) -> anyhow::Result<()> {
    let Found { problems, component, checked } = examine(configuration, folder)?;
    print(&report(configuration, &problems, component, &checked))?;
    match problems.len() {
        0 => Ok(()),
        1 => bail!("the package has 1 problem"),
        several => bail!("the package has {several} problems"),
    }
}

/// Returns what a check has found, as text.
fn report(
    configuration: &Configuration,
    problems: &[Problem],
    component: Option<(PathBuf, usize)>,
    checked: &Checked,
) -> String {
    let mut lines = Vec::new();
    if let Some(named) = &checked.package {
        lines.push(format!("{} {}", named.name(), named.version()));
    }
    if let Some((component, size)) = component {
        lines.push(format!("  component   {}, {}", component.display(), bytes(size as u64)));
    }
    if let Some(start) = &checked.start {
        let compilation = start.compilation.map(|time| format!("in {}", seconds(time)));
        let compilation = compilation.as_deref().unwrap_or("before, its machine code was kept");
        lines.push(format!("  compiled    {compilation}"));
        lines.push(format!("  started     in {} with {} of memory", seconds(start.start), bytes(start.memory_bytes)));
    }
    if let Some(named) = &checked.package {
        lines.push(format!("  asks for    {}", wishes(named)));
        let reduced = notes(named.limits(), configuration.limits);
        lines.extend(reduced.iter().map(|note| format!("  note        {note}")));
    }
    if let Some(description) = &checked.description {
        lines.extend(parameter_note(description).map(|note| format!("  note        {note}")));
        lines.push(format!("  summary     {}", description.summary));
        lines.push(format!("  parameters  {}", names(&description.parameters)));
        lines.push(format!("  result      {}", names(&description.result)));
    }
    if problems.is_empty() {
        lines.push("\nA Fanlight host accepts this package.\n".to_owned());
        return lines.join("\n");
    }
    for (number, problem) in (1..).zip(problems) {
        lines.push(format!("\n{number}. {}.\n   What to do: {}.", problem.what, problem.remedy));
    }
    lines.join("\n") + "\n\n"
}

/// Checks the package with the quick compiler. If its component does not start so, the compiler of jobs has the last word.
async fn ask(
    configuration: &Configuration,
    manifest: Option<String>,
    wasm: Option<Vec<u8>>,
) -> anyhow::Result<Checked> {
    let checked = ask_sandbox(configuration, Compilation::ForChecks, manifest.clone(), wasm.clone()).await?;
    if wasm.is_none() || checked.start.is_some() {
        return Ok(checked);
    }
    ask_sandbox(configuration, Compilation::ForJobs, manifest, wasm).await
}

/// Opens a sandbox and has it check the package.
async fn ask_sandbox(
    configuration: &Configuration,
    compilation: Compilation,
    manifest: Option<String>,
    wasm: Option<Vec<u8>>,
) -> anyhow::Result<Checked> {
    // No network runs, so there is no need to look for a GPU.
    let configuration = Configuration { inference: Choice::Cpu, ..configuration.clone() };
    let settings = configuration.sandbox(inference::open(&configuration).await?)?;
    let settings = Settings { compilation, ..settings };
    let guests = Guests::open(settings, std::future::ready(None)).await?;
    guests.check(manifest, wasm).await
}

/// Returns what is wrong with the schema of the parameters.
fn parameter_problem(description: &Description) -> Option<Problem> {
    let error = jsonschema::validator_for(&description.parameters).err()?;
    Some(Problem::new(
        format!("its schema of parameters is not a valid JSON Schema: {error}"),
        "correct the type of the parameters",
    ))
}

/// Returns why a job without parameters would be refused, if it would.
fn parameter_note(description: &Description) -> Option<String> {
    let validator = jsonschema::validator_for(&description.parameters).ok()?;
    let none = json!({});
    let error = validator.validate(&none).err()?;
    Some(format!("a job must name parameters: {error}"))
}

/// Returns in words what a package asks for.
fn wishes(package: &Package) -> String {
    let required = package.capabilities().iter().map(ToString::to_string);
    let optional = package.optional_capabilities().iter().map(|capability| format!("{capability} if available"));
    let networks = package.models().iter().map(|model| format!("the network {}", model.name()));
    let wishes: Vec<String> = required.chain(optional).chain(networks).collect();
    if wishes.is_empty() { "the document only".to_owned() } else { format!("the document, {}", wishes.join(", ")) }
}

/// Returns a sentence for each limit that this host reduces.
fn notes(wanted: Limits, ceiling: Limits) -> Vec<String> {
    let limits = [
        ("memory_mb", wanted.memory_mb, ceiling.memory_mb),
        ("seconds", wanted.seconds, ceiling.seconds),
        ("result_bytes", wanted.result_bytes, ceiling.result_bytes),
        ("handles", wanted.handles, ceiling.handles),
    ];
    let reduced = limits.into_iter().filter(|(_, wanted, ceiling)| wanted > ceiling);
    reduced.map(|(name, wanted, ceiling)| format!("this host reduces {name} from {wanted} to {ceiling}")).collect()
}

/// Returns the names of an object schema's properties.
fn names(schema: &Value) -> String {
    let properties = schema["properties"].as_object();
    let names: Vec<&str> = properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_above_the_ceiling_are_noted() {
        let wanted = Limits { memory_mb: 4096, ..Limits::default() };
        assert_eq!(notes(wanted, Limits::default()), ["this host reduces memory_mb from 4096 to 1024"]);
        assert!(notes(Limits::default(), Limits::default()).is_empty());
    }
}
