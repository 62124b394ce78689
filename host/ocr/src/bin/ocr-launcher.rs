//! A launcher for this crate's tests. In production `fanlight` is its own launcher.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Err(error) = fanlight_ocr::become_confined(env::args_os().skip(1));
    eprintln!("{error}");
    ExitCode::FAILURE
}
