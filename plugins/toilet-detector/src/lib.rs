//! Finds the toilets of floor plans: water closets, squat pans and urinals.
//!
//! How they are told from what is drawn is `fanlight_detection::symbols`'.
//!
//! - `result`: what clients read;
//! - `plugin`: the model that the host runs.

mod plugin;
mod result;

pub use plugin::ToiletDetector;
pub use result::{Toilet, Toilets};
