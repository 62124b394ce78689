//! Drafts synthetic construction documents as PDF, with the exact truth about them as JSON.
//!
//! [`manual`] makes project manuals, the bound specification books with their contents pages.
//! [`scan`] makes scans of them.

mod chance;
pub mod manual;
mod pdf;
pub mod scan;
