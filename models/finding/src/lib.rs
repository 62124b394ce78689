//! The finder of symbols in pictures without a host, and how much of drafted scans it finds.
//!
//! - `page`: pages of the engine, the network run by rten, drafted sheets as scans;
//! - `score`: what is found against the truth.

mod page;
mod score;

pub use page::{NativeFinder, answers, found, scanned};
pub use score::{Group, tally, unclear};
