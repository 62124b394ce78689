//! A launcher by itself, for this crate's tests: `fanlight` is its own.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Err(error) = fanlight_ocr::become_confined(env::args_os().skip(1));
    eprintln!("{error}");
    ExitCode::FAILURE
}
