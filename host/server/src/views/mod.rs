//! The JSON objects that clients read. They know nothing of the server that sends them.

pub(crate) mod job;
pub(crate) mod progress;
pub(crate) mod values;
