//! MasterFormat: section numbers in the forms in which project manuals print them, and the divisions of its two editions.

pub mod divisions;
pub mod numbers;

pub use numbers::Number;
