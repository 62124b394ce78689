//! When expired data is deleted.

use serde::Deserialize;

/// The schedule of the sweeps that delete expired documents, jobs and other rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retention {
    /// Seconds from one sweep to the next, at least 1.
    pub(crate) sweep_seconds: u32,
    /// Seconds that expired data is kept for: downloads that have begun can finish, and the clocks of hosts may differ.
    pub(crate) grace_seconds: u32,
}
