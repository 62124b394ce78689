//! The packages of the workspace with their programs, and the interfaces of those programs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::rc::Rc;

use anyhow::{Context, Result};
use clap::CommandFactory;
use serde_json::Value;

use super::interface::Interface;
use crate::Arguments;
use crate::workspace::{cargo, output, target};

/// A package of the workspace.
#[derive(Debug, Default)]
pub(super) struct Package {
    /// Names of its targets by kind: `binary`, `example` and `test`.
    pub(super) targets: BTreeMap<&'static str, BTreeSet<String>>,
    /// Whether its programs parse their arguments by clap, so that `--help` does nothing but print.
    pub(super) has_help: bool,
}

/// What commands of the documentation may name.
pub(super) struct Workspace {
    pub(super) packages: BTreeMap<String, Package>,
    pub(super) xtask: Interface,
    /// Interfaces of binaries that were asked for. None where a binary is not built.
    interfaces: RefCell<BTreeMap<String, Option<Rc<Interface>>>>,
}

impl Workspace {
    /// Reads cargo's metadata.
    pub(super) fn load() -> Result<Self> {
        let metadata = output(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
        let metadata: Value = serde_json::from_str(&metadata).context("cargo's metadata is not JSON")?;
        let packages = metadata["packages"].as_array().into_iter().flatten().map(|package| {
            let name = package["name"].as_str().unwrap_or_default().to_owned();
            (name, Package::from_metadata(package))
        });
        Ok(Self::new(packages.collect(), Interface::from_clap(&Arguments::command())))
    }

    pub(super) fn new(packages: BTreeMap<String, Package>, xtask: Interface) -> Self {
        Self { packages, xtask, interfaces: RefCell::default() }
    }

    /// Returns the interface of a binary by its `--help`. None if it is not built.
    pub(super) fn interface(&self, binary: &str) -> Result<Option<Rc<Interface>>> {
        if let Some(known) = self.interfaces.borrow().get(binary) {
            return Ok(known.clone());
        }
        let path = target().join("release").join(format!("{binary}{}", std::env::consts::EXE_SUFFIX));
        let help = |command: &[String]| output(Command::new(&path).args(command).arg("--help"));
        let interface = path.exists().then(|| Interface::from_help(&help, &[])).transpose()?.map(Rc::new);
        self.interfaces.borrow_mut().insert(binary.to_owned(), interface.clone());
        Ok(interface)
    }

    /// Names the binaries that were asked for and are not built.
    pub(super) fn unbuilt(&self) -> Vec<String> {
        let interfaces = self.interfaces.borrow();
        interfaces.iter().filter(|(_, interface)| interface.is_none()).map(|(name, _)| name.clone()).collect()
    }
}

impl Package {
    fn from_metadata(package: &Value) -> Self {
        let targets = package["targets"].as_array().map_or(&[][..], Vec::as_slice);
        let dependencies = package["dependencies"].as_array().map_or(&[][..], Vec::as_slice);
        let kinds = [("binary", "bin"), ("example", "example"), ("test", "test")];
        Self {
            targets: kinds.into_iter().map(|(kind, in_cargo)| (kind, targets_of_kind(targets, in_cargo))).collect(),
            has_help: dependencies.iter().any(|dependency| dependency["name"] == "clap"),
        }
    }

    /// Returns whether the package has a target of this kind and name.
    pub(super) fn has(&self, kind: &str, name: &str) -> bool {
        self.targets.get(kind).is_some_and(|names| names.contains(name))
    }

    /// Returns the name of its first binary.
    pub(super) fn binary(&self) -> Option<&str> {
        self.targets.get("binary")?.first().map(String::as_str)
    }
}

fn targets_of_kind(targets: &[Value], kind: &str) -> BTreeSet<String> {
    let of_kind = targets.iter().filter(|target| target["kind"][0] == kind);
    of_kind.filter_map(|target| target["name"].as_str()).map(str::to_owned).collect()
}
