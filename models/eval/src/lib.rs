//! Evaluation of detection without a host.
//!
//! - `classifier`: the network `symbols-judge`, run natively by the engine that the host runs it with;
//! - `logistic`: logistic regression of the coefficients of score fusion;
//! - `picture`: pages that are pictures, the network `symbols-finder`, and drafted sheets as scans;
//! - `score`: detections compared with the truth of a drafted scan.

mod classifier;
mod logistic;
mod scan;
mod score;

pub use classifier::NativeClassifier;
pub use logistic::{LabelledScores, fit};
pub use scan::{NativeDetector, classifications, detections, scanned};
pub use score::{Group, tally, unclear};
