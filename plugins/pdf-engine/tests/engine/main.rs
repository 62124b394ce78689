//! The engine's behaviour, on documents that each test writes itself.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod file;
mod geometry;
mod hostile;
mod images;
mod opening;
mod outline;
mod paths;
mod render;
mod shapes;
mod text;
