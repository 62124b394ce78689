//! What strangers send, and the promises that hold for all of it.
//!
//! [`targets`] reads any bytes as the service reads a PDF, a package and its parts, a schema, parameters or a picture, and
//! panics if a promise is broken.
//! [`mutation`] makes such bytes from valid ones, the same for the same seed. The tests of this crate try a bounded number
//! of them; the crate in the folder `fuzz` of the repository gives the same targets to libFuzzer, without a bound.

pub mod components;
pub mod mutation;
pub mod seeds;
pub mod targets;
