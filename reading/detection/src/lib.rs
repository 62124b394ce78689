//! Detection of doors and plumbing fixtures on plans.
//!
//! - [`symbols`]: candidates from a page's lines and arcs;
//! - [`detector`]: candidates from pictures of pages, by a network;
//! - [`classifier_input`]: what the network that classifies a candidate looks at;
//! - [`classifier`]: that network's answers, and score fusion with the candidate's own confidence;
//! - [`evidence`]: score fusion of both on pages that are drawn with lines;
//! - [`placed_raster`]: pixels with their place on the page, as both networks see them;
//! - [`repeats`]: places that are drawn alike;
//! - [`fixtures`]: all of it together, for plumbing fixtures.

pub mod classifier;
pub mod classifier_input;
pub mod detector;
pub mod evidence;
pub mod fixtures;
pub mod placed_raster;
pub mod repeats;
pub mod symbols;
