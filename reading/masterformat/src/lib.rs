//! What every plugin that reads project manuals knows of MasterFormat: section numbers in the forms in which offices
//! print them, the divisions of its two editions, and how printed text is made comparable.

pub mod divisions;
pub mod numbers;

pub use numbers::Number;
