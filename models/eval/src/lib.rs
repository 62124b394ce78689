//! Evaluation of the plugins without a host.
//!
//! - `classifier`: the network `symbol-classifier`;
//! - `scan`: the network `symbol-detector`, and synthetic sheets as scans;
//! - `plan_scan`: detections compared with the truth of a scanned plan;
//! - `elevations`, `rooms`: detection and scoring of interior elevations and of rooms;
//! - `contents`, `manual`, `sections`, `sheets`: reading and scoring of manuals' contents and sections, and of sets of drawings;
//! - `labelled_sheets`, `entry_fit`: scoring of the classification of real sheets, and the fit of its coefficients;
//! - `heading_fit`: the fit of the coefficients that tell headings of sections from mentions;
//! - `choice`: the conditional logit that both are fitted by;
//! - `logistic`: the logistic regression that fits the coefficients of score fusion; `linear`: the equations that both solve.
//!
//! The tests hold scores to bars, the examples print scores and single pages, and the programs measure detection on scans
//! and fit coefficients.

mod choice;
mod classifier;
mod contents;
mod elevations;
mod entry_fit;
mod heading_fit;
mod labelled_sheets;
mod linear;
mod logistic;
mod manual;
pub mod ocr;
mod plan_scan;
mod rooms;
mod scan;
mod sections;
mod sheets;

pub use classifier::NativeClassifier;
pub use contents::{ContentsScore, LAST_CONTENTS_PAGE};
pub use elevations::{detect_elevations, scanned_elevations, tally_elevations, view_logits};
pub use entry_fit::{EntryFit, Measured, ReadDocument, fit_entries};
pub use heading_fit::{HeadingCounts, HeadingExample, HeadingFit, LabelledManual, fit_headings};
pub use labelled_sheets::{FieldCounts, LabelledDocument, OfficeCounts, SheetLabel};
pub use logistic::{EvidenceExample, LabelledScores, fit, fit_evidence, fit_rooms};
pub use manual::{NativeManual, NativeManualPage};
pub use plan_scan::{Group, tally, uncertain};
pub use rooms::{NativeRoomDetector, RoomMatches, RoomScore, match_rooms};
pub use scan::{NativeDetector, NativeNetworks, classifications, detections, scanned};
pub use sections::{extract_sections, read_leaves};
pub use sheets::{SheetScore, read_sheets, score_set, score_single_sheets};
