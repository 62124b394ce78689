//! Checks a package as its author has it, and reports everything that is wrong at once. [`Sandbox::load`] stops at the
//! first refusal.

use std::time::Duration;

use fanlight_composition::{
    Capability, CheckedManifest, Engines, Offer, Package, Problem, Refusal, check_manifest, component_problems, compose,
};

use crate::engine::Sandbox;
use crate::model::{Description, Model, checked_description};

/// What a component took to start.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Time of compilation, without the PDF engine; `None` if the machine code was kept from an earlier check.
    pub compilation: Option<Duration>,
    /// Time to make an instance and to have it describe itself.
    pub start: Duration,
    /// Memory that counts against `memory_mb` after that, in bytes.
    pub memory_bytes: u64,
}

/// What a check has found.
#[derive(Debug, Default)]
pub struct Checked {
    /// All problems, those of `plugin.toml` first.
    pub problems: Vec<Problem>,
    /// Name and version of a valid `plugin.toml`.
    pub package: Option<Package>,
    /// The model's description, if it has a valid one.
    pub description: Option<Description>,
    /// What it took to start; `None` if it did not.
    pub start: Option<Start>,
}

impl Sandbox {
    /// Checks a package from the text of its `plugin.toml` and the bytes of its component. Runs nothing of it but
    /// `describe`, without a document.
    ///
    /// Of a package that lacks one of the two, it checks the other.
    pub async fn check(&self, manifest: Option<&str>, wasm: Option<Vec<u8>>) -> Checked {
        let CheckedManifest { manifest, problems, is_valid } = manifest.map(check_manifest).unwrap_or_default();
        let mut checked = Checked { problems, ..Checked::default() };
        let has_component = wasm.is_some();
        let package = Package::new(manifest, wasm.unwrap_or_default());
        if !has_component {
            checked.package = is_valid.then_some(package);
            return checked;
        }
        match component_problems(&package, is_valid) {
            Ok(problems) if problems.is_empty() => self.check_behaviour(&package, is_valid, &mut checked).await,
            Ok(problems) => checked.problems.extend(problems),
            Err(problem) => checked.problems.push(problem),
        }
        checked.package = is_valid.then_some(package);
        checked
    }

    /// Checks what only the compiled component shows.
    async fn check_behaviour(&self, package: &Package, is_named: bool, checked: &mut Checked) {
        let compiled = tokio::task::block_in_place(|| {
            let grants = package.all_that_is_asked();
            let engines = Engines { pdf: self.engine_package(), ocr: None };
            compose(package, engines, &grants, &Offer::new([Capability::Ocr, Capability::Language]))?;
            self.compile_alone_and_keep(package)
        });
        let (component, compilation) = match compiled {
            Ok(compiled) => compiled,
            Err(refusal) => return checked.problems.push(not_built_for_this_host(&refusal)),
        };
        let model = Model::undescribed(self.core(), component, package, self.ceiling());
        let said = match model.said().await {
            Ok(said) => said,
            Err(failure) => {
                return checked.problems.push(Problem::new(
                    format!("`describe` failed: {failure}"),
                    "make `describe` return without a document, within 5 seconds and the limits of plugin.toml; what it prints stands \
                     above",
                ));
            }
        };
        checked.start = Some(Start { compilation, start: said.usage.time, memory_bytes: said.usage.memory_bytes });
        if model.said().await.is_ok_and(|again| !again.is_same_value(&said)) {
            checked.problems.push(Problem::new(
                "`describe` returns something else at a second call",
                "return the same description at every call: take nothing of it from clocks or random numbers",
            ));
        }
        let description = said.value;
        let named;
        let package = if is_named {
            package
        } else {
            named = package.clone().with_name(&description.name, &description.version);
            &named
        };
        match checked_description(description, package) {
            Ok((description, _)) => checked.description = Some(description),
            Err(problems) => checked.problems.extend(problems.into_iter().map(description_problem)),
        }
    }
}

/// Returns the problem of a component that cannot be composed or compiled.
fn not_built_for_this_host(refusal: &Refusal) -> Problem {
    let remedy = match refusal {
        Refusal::InterfaceMismatch { .. } => {
            "build it with the WIT and SDK of this program: `fanlight plugin new` writes both"
        }
        _ => "build it again with the release profile that `fanlight plugin new` writes",
    };
    Problem::new(refusal.to_string(), remedy)
}

/// Returns a contradiction of the description with its remedy.
fn description_problem(what: String) -> Problem {
    let remedy = if what.contains("schema") {
        "use the keywords that the guide lists under Schemas (vendor/fanlight/docs/plugin-authors.md), in the types or the \
         text of the schema"
    } else if what.starts_with("plugin.toml says") {
        "build it again if plugin.toml has changed since; a component in Rust takes its version from there, and names itself \
         in `const NAME`, one in Python has both in app.py"
    } else {
        "correct what `describe` returns"
    };
    Problem::new(what, remedy)
}
