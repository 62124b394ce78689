//! Finds the plumbing fixtures of floor plans, by kind.
//!
//! How they are told from what is drawn is `fanlight_detection::symbols`'.
//!
//! - `result`: what clients read;
//! - `plugin`: the model that the host runs.

mod plugin;
mod result;

pub use plugin::FixtureDetector;
pub use result::{Fixture, Fixtures, Kind};
