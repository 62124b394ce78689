//! Fanlight: one program that serves the REST API, runs jobs, manages keys, and runs models on files.
//!
//! Each of these modules depends only on those below it; `module_graph` checks that.
//!
//! | module | holds |
//! |---|---|
//! | [`cli`] | the commands |
//! | [`api`] | HTTP: the REST API and the operator's address |
//! | [`domain`] | the rules: documents, jobs, and what becomes of them |
//! | [`views`] | the JSON objects that clients read |
//! | [`runtime`] | what the server runs on: the sandbox, models, connections, the log and the metrics |
//! | [`configuration`] | what the operator sets, with prices and retention |
//! | [`errors`] | error chains, and the error codes of jobs |

// Both panic once nobody reads, as behind `| head`: `cli` prints without them.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod api;
mod cli;
mod configuration;
mod domain;
mod errors;
#[cfg(test)]
mod module_graph;
mod runtime;
mod views;

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Responses consist of many small allocations that move between threads, which mimalloc handles faster than the system
/// allocator.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match cli::main() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::tell(format_args!("fanlight: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
