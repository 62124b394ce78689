//! Detects the views of drawing sheets: drawings of each kind, schedules, legends, notes and title blocks.
//!
//! `fanlight_sheet::views` detects them.
//!
//! - `result`: what clients read;
//! - `plugin`: the model that the host runs.

mod plugin;
mod result;

pub use plugin::ViewDetector;
pub use result::{View, Views};
