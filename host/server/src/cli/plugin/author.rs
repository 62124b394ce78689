//! The commands of a plugin's author.

use std::path::PathBuf;

use clap::Subcommand;

use super::new::Language;
use super::{bench, check, golden, new, trial};
use crate::configuration::Configuration;

/// What an author does with a package in a folder, which need not be installed.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum AuthorCommand {
    /// Write a complete package into a new folder: a model that finds a word, a sample to test it on, and the SDK
    #[command(after_help = "Examples:\n  fanlight plugin new exit-signs\n  cd exit-signs\n  \
        cargo build --release --target wasm32-wasip2\n  fanlight plugin check\n\n  \
        fanlight plugin new keynotes --lang python      its README.md shows how it is built")]
    New {
        /// Name of the model in kebab-case; the package is written into a folder of this name
        name: String,
        /// Language of the package
        #[arg(long, value_name = "LANGUAGE", default_value = "rust")]
        lang: Language,
    },
    /// Check whether a host accepts a package, and list everything that is wrong with it
    #[command(after_help = "Example:\n  fanlight plugin check exit-signs\n\nThe component is the newest of \
        `plugin.wasm` in the folder and what cargo has built there in release mode. The exit code is 1 if there is a \
        problem.")]
    Check {
        /// Folder of the package [default: this folder]
        #[arg(default_value = ".", hide_default_value = true)]
        folder: PathBuf,
    },
    /// Run a package on a file and print its result
    #[command(
        allow_missing_positional = true,
        after_help = "Examples:\n  fanlight plugin run tests/sample.pdf\n  \
            fanlight plugin run exit-signs plan.pdf --pages 1,4-6 --parameters '{\"word\": \"STAIR\"}'\n  \
            fanlight plugin run plan.pdf --watch      build in another terminal, and look at plan.annotated.pdf\n\n\
            A package in a folder is granted every capability that its plugin.toml asks for."
    )]
    Run {
        /// Folder of the package [default: this folder]
        #[arg(default_value = ".", hide_default_value = true)]
        folder: PathBuf,
        /// PDF file to analyze
        file: PathBuf,
        /// Pages to analyze, such as 1,4-6 [default: all]
        #[arg(long)]
        pages: Option<String>,
        /// Parameters of the model, as a JSON object
        #[arg(long, value_name = "JSON")]
        parameters: Option<String>,
        /// Also write FILE.annotated.pdf beside the file, with a box around each item that has a page and a bbox
        #[arg(long)]
        annotate: bool,
        /// Stay, and run again with --annotate each time the component or plugin.toml changes
        #[arg(long)]
        watch: bool,
    },
    /// Compare a package's results with those in its folder tests/
    #[command(
        after_help = "Examples:\n  fanlight plugin test\n  fanlight plugin test exit-signs --update\n\nFor each \
        tests/NAME.pdf, tests/NAME.json is the expected result and tests/NAME.parameters.json holds its parameters, \
        if it has any. The exit code is 1 if a result differs."
    )]
    Test {
        /// Folder of the package [default: this folder]
        #[arg(default_value = ".", hide_default_value = true)]
        folder: PathBuf,
        /// Write the results as the expected ones; look at what has changed before you keep it
        #[arg(long)]
        update: bool,
    },
    /// Measure a package on a file: time, peak memory and bytes of host calls, for each shard
    #[command(
        allow_missing_positional = true,
        after_help = "Example:\n  fanlight plugin bench exit-signs plan.pdf --runs 20"
    )]
    Bench {
        /// Folder of the package [default: this folder]
        #[arg(default_value = ".", hide_default_value = true)]
        folder: PathBuf,
        /// PDF file to analyze
        file: PathBuf,
        /// Parameters of the model, as a JSON object
        #[arg(long, value_name = "JSON")]
        parameters: Option<String>,
        /// Runs to measure, after one that is not counted
        #[arg(long, value_name = "N", default_value_t = 5)]
        runs: u32,
    },
}

/// Runs a command.
pub(in crate::cli) fn run(configuration: &Configuration, command: AuthorCommand) -> anyhow::Result<()> {
    match command {
        AuthorCommand::New { name, lang } => new::new(&name, lang),
        AuthorCommand::Check { folder } => check::check(configuration, &folder),
        AuthorCommand::Run { folder, file, pages, parameters, annotate, watch } => {
            trial::run(configuration, &trial::Request { folder, file, pages, parameters, annotate, watch })
        }
        AuthorCommand::Test { folder, update } => golden::test(configuration, &folder, update),
        AuthorCommand::Bench { folder, file, parameters, runs } => {
            bench::bench(configuration, &bench::Request { folder, file, parameters, runs })
        }
    }
}
