//! The JSON objects that clients read. They know nothing of the server that sends them.

pub(crate) mod job;
pub(crate) mod page_box;
pub(crate) mod progress;
pub(crate) mod review;
pub(crate) mod values;
