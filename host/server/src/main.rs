//! Fanlight: one program that serves the REST API, runs jobs, manages keys, and runs models on files.
//!
//! | module | holds |
//! |---|---|
//! | [`cli`] | the commands |
//! | [`configuration`] | what the operator sets |
//! | [`api`] | HTTP: handlers that translate, and the one form of every error |
//! | [`tls`], [`silence`] | connections: who answers on them, and when they are cut off |
//! | [`admin`], [`metrics`] | what the operator sees of a running server |
//! | [`intake`] | uploads |
//! | [`inspection`] | what the PDF engine says of documents and their pages |
//! | [`submission`], [`price`] | what a submission must be, and costs |
//! | [`batch`] | submissions that are queued together |
//! | [`estimate`] | how long jobs will take |
//! | [`extraction`], [`sections`] | which sections of a parsed specification a submission is for |
//! | [`catalog`] | the service's own models |
//! | [`idempotency`] | requests that are carried out once |
//! | [`worker`], [`progress`] | how queued jobs are run |
//! | [`delivery`] | how finished jobs reach webhooks |
//! | [`waiting`], [`result`] | what clients read of a job |
//! | [`links`], [`range`] | signed links to files, and what of a file is asked for |
//! | [`seal`] | what is stored sealed: answers of repetitions, webhook secrets |
//! | [`signing_in`] | the local owner's links and sessions |
//! | [`models`], [`guests`] | the installed models, and the threads they run on |
//! | [`marks`] | which of a result's items can be drawn into its document |
//! | [`retention`] | deleting what has expired |
//! | [`service`] | what all of them share |

mod admin;
mod api;
mod batch;
mod catalog;
mod cli;
mod configuration;
mod delivery;
mod estimate;
mod extraction;
mod fair_semaphore;
mod guests;
mod idempotency;
mod inference;
mod inspection;
mod intake;
mod links;
mod logging;
mod marks;
mod metrics;
mod models;
mod ocr;
mod price;
mod progress;
mod range;
mod result;
mod retention;
mod seal;
mod sections;
mod service;
mod signing_in;
mod silence;
mod submission;
mod tls;
mod waiting;
mod worker;

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// An answer is made of many small pieces of memory, on threads that pass them on to each other.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match cli::main() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fanlight: {error:#}");
            ExitCode::FAILURE
        }
    }
}
