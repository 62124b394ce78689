//! Evaluation of the plugins without a host.
//!
//! - `classifier`: the network `symbols-judge`;
//! - `scan`: the network `symbols-finder`, and synthetic sheets as scans;
//! - `plan_scan`: detections compared with the truth of a scanned plan;
//! - `elevations`, `rooms`: detection and scoring of interior elevations and of rooms;
//! - `logistic`: the logistic regression that fits the coefficients of score fusion.
//!
//! The tests hold scores to bars, the examples print scores and single pages, and the programs measure detection on scans
//! and fit coefficients.

mod classifier;
mod elevations;
mod logistic;
mod plan_scan;
mod rooms;
mod scan;

pub use classifier::NativeClassifier;
pub use elevations::{detect_elevations, scanned_elevations, tally_elevations};
pub use logistic::{LabelledScores, fit};
pub use plan_scan::{Group, tally, uncertain};
pub use rooms::{RoomMatches, RoomScore, detect_rooms, match_rooms};
pub use scan::{NativeDetector, classifications, detections, scanned};
