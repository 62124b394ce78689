//! The tasks of this workspace. `cargo xtask build`, `demo` and `test` need only Rust and a C compiler, and set up the
//! rest.

mod bench;
mod build;
mod console;
mod demo;
mod docs;
mod eval;
mod examples;
mod failpoints;
mod generate;
mod licences;
mod lint;
mod package;
mod reference;
mod sdk;
mod setup;
mod test;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The tasks of this workspace")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Builds target/release/fanlight with its plugins, networks and machine code beside it
    Build,
    /// Builds and packs everything into one archive, which runs without a toolchain on this platform
    Package(package::Arguments),
    /// Starts a server, runs one job over its REST API on a synthetic project manual, and keeps serving
    Demo(demo::Arguments),
    /// Installs what the tests need and runs all of them, or those of some packages
    Test(test::Arguments),
    /// Measures speed and memory and checks what the project promises about them
    Bench(bench::Arguments),
    /// Writes the generated files, or checks that they are current
    Generate(generate::Arguments),
    /// Writes openapi/openapi.json, the description of the REST API, or checks that it is current
    Openapi(generate::Arguments),
    /// Checks spelling, dependencies and licences with tools that it installs
    Lint,
    /// Packs the crates that authors of plugins depend on, and checks that their public items have examples
    Sdk,
    /// Checks that links, paths and commands in the documentation and in comments exist
    Docs,
    /// Scores the models on a labelled corpus
    Eval(eval::Arguments),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::Build => build::run(),
        Task::Package(arguments) => package::run(&arguments),
        Task::Demo(arguments) => demo::run(&arguments),
        Task::Test(arguments) => test::run(&arguments),
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Generate(arguments) => generate::run(&arguments),
        Task::Openapi(arguments) => generate::openapi(&arguments),
        Task::Lint => lint::run(),
        Task::Sdk => sdk::run(),
        Task::Docs => docs::run(),
        Task::Eval(arguments) => eval::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
