//! Detects the plumbing fixtures of floor plans, by kind.
//!
//! `fanlight_detection::fixtures` detects them.
//!
//! - `result`: what clients read;
//! - `plugin`: the model that the host runs.

mod plugin;
mod result;

pub use plugin::FixtureDetector;
pub use result::{Fixture, Fixtures, Kind};
