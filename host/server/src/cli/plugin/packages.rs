//! The commands on packages: one file each, made by an author and installed by an operator.

use std::path::PathBuf;

use clap::Subcommand;

use super::registry::{self, Source};
use super::{checked, install, pack};
use crate::configuration::Configuration;

/// What is done with a package.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum PackageCommand {
    /// List the installed plugins: version, publisher, what they are granted, and whether they can be used
    ///
    /// Example: `fanlight plugin list --config fanlight.toml`
    #[command(verbatim_doc_comment)]
    List,
    /// Pack a plugin's folder into one file, which can be installed elsewhere
    ///
    /// The component is the newest of plugin.wasm in the folder and what cargo has built there in release mode.
    /// The file holds plugin.toml, plugin.wasm, networks/NAME.onnx, README.md, card.md and licences, and nothing else of
    /// the folder. Equal folders make equal files.
    ///
    /// Example: `fanlight plugin pack exit-signs --key acme.key` writes exit-signs-0.1.0.fanlight.
    #[command(verbatim_doc_comment)]
    Pack {
        /// Folder of the package [default: this folder]
        #[arg(default_value = ".", hide_default_value = true)]
        folder: PathBuf,
        /// Key to sign with, as `fanlight plugin key new` has written it [default: not signed]
        #[arg(long, value_name = "FILE")]
        key: Option<PathBuf>,
        /// File to write [default: NAME-VERSION.fanlight]
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Put a package into an OCI registry, and print its address with the digest
    ///
    /// Credentials are those of `docker login`. Registries are reached by https, those on this machine by http.
    ///
    /// Example: `fanlight plugin push exit-signs-0.1.0.fanlight oci://registry.example/acme/exit-signs:0.1.0`
    #[command(verbatim_doc_comment)]
    Push {
        /// Package, as `fanlight plugin pack` has written it
        package: PathBuf,
        /// Address, such as `oci://HOST/NAME:TAG`
        to: Source,
    },
    /// Show what a package is, what it wants and who has signed it, without running it
    ///
    /// Example: `fanlight plugin inspect exit-signs-0.1.0.fanlight`
    #[command(verbatim_doc_comment)]
    Inspect {
        /// Package, folder of one, or address in a registry: `oci://HOST/NAME:TAG`
        package: Source,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Install a package beside the versions that are installed, after a question
    ///
    /// The package is checked and compiled first. A running server takes it within seconds. New jobs run on the newest
    /// version, unless they name one: POST /v1/models/exit-signs@0.1.0/jobs.
    ///
    /// Example: `fanlight plugin install exit-signs-0.1.0.fanlight --yes`
    #[command(verbatim_doc_comment)]
    Install {
        /// Package, folder of one, or address in a registry: `oci://HOST/NAME@sha256:DIGEST`
        package: Source,
        /// Install without a question
        #[arg(long)]
        yes: bool,
    },
    /// Install a package in place of all older versions, after a question
    ///
    /// Jobs that wait for an older version or run on it still finish on it.
    ///
    /// Example: `fanlight plugin upgrade exit-signs-0.2.0.fanlight`
    #[command(verbatim_doc_comment)]
    Upgrade {
        /// Package, folder of one, or address in a registry: `oci://HOST/NAME@sha256:DIGEST`
        package: Source,
        /// Upgrade without a question
        #[arg(long)]
        yes: bool,
    },
    /// Remove a plugin, or one version of it; its results stay readable
    ///
    /// Example: `fanlight plugin remove exit-signs@0.1.0`
    #[command(verbatim_doc_comment)]
    Remove {
        /// Name, or NAME@VERSION
        #[arg(value_name = "NAME[@VERSION]")]
        plugin: String,
    },
    /// Create a publisher's key
    Key {
        #[command(subcommand)]
        command: KeyFileCommand,
    },
}

/// What is done with a publisher's key.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum KeyFileCommand {
    /// Create a key to sign packages with, and print its public part for operators who trust it
    ///
    /// Example: `fanlight plugin key new acme.key`
    #[command(verbatim_doc_comment)]
    New {
        /// File to write
        file: PathBuf,
    },
}

/// Runs a command.
pub(in crate::cli) fn run(configuration: &Configuration, command: PackageCommand) -> anyhow::Result<()> {
    match command {
        PackageCommand::List => install::list(configuration),
        PackageCommand::Pack { folder, key, out } => pack::pack(configuration, &folder, key.as_deref(), out),
        PackageCommand::Push { package, to } => registry::push(configuration, &package, &to),
        PackageCommand::Inspect { package, json } => checked::inspect(configuration, package.fetch()?.path(), json),
        PackageCommand::Install { package, yes } => {
            install::install(configuration, package.fetch()?.path(), yes, install::Mode::Beside)
        }
        PackageCommand::Upgrade { package, yes } => {
            install::install(configuration, package.fetch()?.path(), yes, install::Mode::Upgrade)
        }
        PackageCommand::Remove { plugin } => install::remove(configuration, &plugin),
        PackageCommand::Key { command: KeyFileCommand::New { file } } => pack::create_key(&file),
    }
}
