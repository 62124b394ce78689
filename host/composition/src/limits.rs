//! The limits of a guest's resources.

use std::time::Duration;

use serde::Deserialize;

/// The limits of each call of a task. A plugin's package may request less than the operator's ceiling, never more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Megabytes (2^20 bytes) of all linear memories of a store together, including the PDF engine's.
    pub memory_mb: u32,
    /// Seconds of one call: of each shard, and of `conclude`. Waiting for a permit does not count.
    pub seconds: u32,
    /// Bytes that a guest may print before its task fails.
    pub log_bytes: u32,
    /// Bytes of all partial results of a task together, and of the result.
    pub result_bytes: u32,
    /// Bytes that one host call may copy out of the guest, and into it.
    pub host_call_bytes: u32,
    /// Handles to resources that a store may hold at a time.
    pub handles: u32,
}

impl Default for Limits {
    /// The memory holds a document of 200 MB twice while it is read, and leaves room to work.
    fn default() -> Self {
        Self {
            memory_mb: 1024,
            seconds: 600,
            log_bytes: 256 * 1024,
            result_bytes: 64 * 1024 * 1024,
            host_call_bytes: 64 * 1024 * 1024,
            handles: 10_000,
        }
    }
}

impl Limits {
    /// Returns these limits, each reduced to the ceiling's.
    #[must_use]
    pub fn under(self, ceiling: Limits) -> Limits {
        Limits {
            memory_mb: self.memory_mb.min(ceiling.memory_mb),
            seconds: self.seconds.min(ceiling.seconds),
            log_bytes: self.log_bytes.min(ceiling.log_bytes),
            result_bytes: self.result_bytes.min(ceiling.result_bytes),
            host_call_bytes: self.host_call_bytes.min(ceiling.host_call_bytes),
            handles: self.handles.min(ceiling.handles),
        }
    }

    /// Returns the limit of memory in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.memory_mb as usize * 1024 * 1024
    }

    /// Returns the limit of time.
    pub fn duration(&self) -> Duration {
        Duration::from_secs(u64::from(self.seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_cannot_exceed_the_ceiling() {
        let wanted = Limits { memory_mb: 4096, seconds: 5, ..Limits::default() };
        let effective = wanted.under(Limits::default());
        assert_eq!((effective.memory_mb, effective.seconds), (1024, 5));
    }
}
