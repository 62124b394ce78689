//! Detects the toilets of floor plans: water closets, squat pans and urinals.
//!
//! `fanlight_detection::fixtures` detects them.
//!
//! - `result`: what clients read;
//! - `plugin`: the model that the host runs.

mod plugin;
mod result;

pub use plugin::ToiletDetector;
pub use result::{Toilet, Toilets};
