//! Detects the doors of floor plans.
//!
//! `fanlight_detection` proposes candidates from lines and on scans, and classifies them. All candidates are stored;
//! [`filter`] decides at each read which of them are doors.
//!
//! - `fusion`: the confidence of a candidate, by its lines and its classification;
//! - `filter`: which candidates are doors;
//! - `result`: what is stored, and what clients read;
//! - `plugin`: the model that the host runs.

pub mod filter;
pub mod fusion;
mod plugin;
mod result;

pub use plugin::DoorDetector;
pub use result::{Candidate, Door, Doors};
