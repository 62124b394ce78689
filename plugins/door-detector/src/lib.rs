//! Finds the doors of floor plans.
//!
//! How doors are told from what is drawn is `fanlight_symbols`'. All candidates are stored; [`filter`] decides at every
//! read which of them are doors.
//!
//! - `filter`: which candidates are doors;
//! - `result`: what is stored, and what clients read;
//! - `plugin`: the model that the host runs.

pub mod filter;
mod plugin;
mod result;

pub use plugin::DoorDetector;
pub use result::{BBox, Candidate, Door, Doors};
