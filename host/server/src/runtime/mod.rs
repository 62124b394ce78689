//! What the server runs on: the sandbox and its threads, the installed models, connections, the log and the metrics.
//!
//! | module | holds |
//! |---|---|
//! | [`guests`] | the sandbox on threads of its own |
//! | [`models`] | the installed models |
//! | [`packages`] | the folders of plugins, their signatures and grants |
//! | [`circuit_breaker`] | sets models aside that fail again and again |
//! | [`inference`], [`ocr`] | what networks and scanned pages are read with |
//! | [`connection_timeouts`], [`tls`] | connections: when they are closed, and their certificate |
//! | [`fair_semaphore`] | permits that are shared fairly by account |
//! | [`logging`], [`metrics`] | the log, and the counters for Prometheus |

pub(crate) mod circuit_breaker;
pub(crate) mod connection_timeouts;
pub(crate) mod fair_semaphore;
pub(crate) mod guests;
pub(crate) mod inference;
pub(crate) mod logging;
pub(crate) mod metrics;
pub(crate) mod models;
pub(crate) mod ocr;
pub(crate) mod packages;
pub(crate) mod tls;
