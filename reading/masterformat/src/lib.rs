//! MasterFormat: section numbers in the forms in which project manuals print them and OCR misreads them, the divisions of its
//! two editions, and the parts of a section.

pub mod divisions;
pub mod misread;
pub mod numbers;
pub mod parts;

pub use numbers::Number;
