//! Finds the doors of floor plans.
//!
//! How doors are told from what is drawn is `fanlight_detection::symbols`', what a network says of their pictures `fanlight_detection::classifier`'s, and
//! what is found on scans `fanlight_detection::detector`'s. All candidates are stored; [`filter`] decides at every read which of them are
//! doors.
//!
//! - `building`: the candidates of a page, but for those of legends, key plans and schedules;
//! - `fusion`: how likely a candidate is a door, by its lines and its picture;
//! - `filter`: which candidates are doors;
//! - `result`: what is stored, and what clients read;
//! - `plugin`: the model that the host runs.

pub mod building;
pub mod filter;
pub mod fusion;
mod plugin;
mod result;

pub use plugin::DoorDetector;
pub use result::{Candidate, Door, Doors};
