//! Finds every place of drawing sheets that is drawn like a given box: the same symbol, also turned, also mirrored.
//!
//! `fanlight_detection::repeats` compares the lines.
//!
//! - `search`: the symbol in the box, and its copies on a page;
//! - `result`: the parameters, and what clients read;
//! - `plugin`: the model that the host runs.

mod plugin;
mod result;
mod search;

pub use plugin::SimilarSymbols;
pub use result::{Parameters, Problem, Sheet, SimilarSymbol, Symbols};
