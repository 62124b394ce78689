//! What a guest may use up.

use std::time::Duration;

use serde::Deserialize;
use wasmtime::ResourceLimiter;

/// The limits of each call of a task. A plugin's package may ask for less than the operator's ceiling, never for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Megabytes (2^20) of all linear memories of a store together, the PDF engine's among them.
    pub memory_mb: u32,
    /// Seconds that one call may take: of each shard, and of `conclude`. Waiting for a turn does not count.
    pub seconds: u32,
    /// Bytes that a guest may print before its task fails.
    pub log_bytes: u32,
    /// Bytes of all partial results of a task together, and of the result.
    pub result_bytes: u32,
    /// Bytes that one host call may make the host copy out of the guest, and into it.
    pub host_call_bytes: u32,
    /// Handles to resources that a store may hold at a time.
    pub handles: u32,
}

impl Default for Limits {
    /// A document of 200 MB stands in memory whole, twice while it is read, and leaves room to work.
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
    /// These limits, each at most the ceiling's.
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

    pub(crate) fn memory_bytes(&self) -> usize {
        self.memory_mb as usize * 1024 * 1024
    }

    pub(crate) fn duration(&self) -> Duration {
        Duration::from_secs(u64::from(self.seconds))
    }
}

/// Table elements of a store; a big guest's function table has some 10,000.
const TABLE_ELEMENTS: usize = 200_000;
/// Bytes of a table element: wasmtime keeps a pointer.
const TABLE_ELEMENT_BYTES: usize = size_of::<usize>();
/// Bytes of one handle, rounded up: an entry of wasmtime's table of resources (112, with the room that a growing `Vec`
/// keeps free), what stands in it (64), the list of its children (64) and the guest's own handle to it (48).
const HANDLE_BYTES: usize = 512;
/// Core instances, memories and tables of a store. A composition of two Rust guests makes about ten of each.
const INSTANCES: usize = 100;

/// Sums all linear memories and tables of a store, and what the host holds for its guest: wasmtime's own limiter counts
/// each memory by itself.
///
/// Handles are paid for in advance, since WASI's are made without asking: as many as the guest may have.
#[derive(Debug)]
pub(crate) struct MemoryLimiter {
    limit: usize,
    used: usize,
    table_elements: usize,
    refused: bool,
}

impl MemoryLimiter {
    pub(crate) fn new(limits: &Limits) -> Self {
        let handles = (limits.handles as usize).saturating_mul(HANDLE_BYTES);
        Self { limit: limits.memory_bytes(), used: handles, table_elements: 0, refused: false }
    }

    /// Whether a guest was ever refused memory. It then most likely aborts, and this tells why.
    pub(crate) fn refused(&self) -> bool {
        self.refused
    }

    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Counts bytes that the host holds for the guest as the guest's, if there is room for them.
    pub(crate) fn charge(&mut self, bytes: usize) -> bool {
        let total = self.used.saturating_add(bytes);
        if total > self.limit {
            self.refused = true;
            return false;
        }
        self.used = total;
        true
    }

    /// Takes bytes of [`MemoryLimiter::charge`] off the account: they are held no more.
    pub(crate) fn release(&mut self, bytes: usize) {
        self.used = self.used.saturating_sub(bytes);
    }
}

impl ResourceLimiter for MemoryLimiter {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        Ok(self.charge(desired.saturating_sub(current)))
    }

    fn table_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        let more = desired.saturating_sub(current);
        let total = self.table_elements.saturating_add(more);
        if total > TABLE_ELEMENTS || !self.charge(more.saturating_mul(TABLE_ELEMENT_BYTES)) {
            return Ok(false);
        }
        self.table_elements = total;
        Ok(true)
    }

    fn instances(&self) -> usize {
        INSTANCES
    }

    fn tables(&self) -> usize {
        INSTANCES
    }

    fn memories(&self) -> usize {
        INSTANCES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A limiter of 1 MB for a guest that may have this many handles.
    fn of_a_megabyte(handles: u32) -> MemoryLimiter {
        MemoryLimiter::new(&Limits { memory_mb: 1, handles, ..Limits::default() })
    }

    const THREE_QUARTERS: usize = 768 * 1024;

    #[test]
    fn memories_of_a_store_are_summed() {
        let mut limiter = of_a_megabyte(0);
        assert!(limiter.memory_growing(0, THREE_QUARTERS, None).unwrap());
        assert!(!limiter.memory_growing(0, THREE_QUARTERS, None).unwrap(), "a second memory counts on top");
        assert!(limiter.refused());
        assert!(limiter.memory_growing(THREE_QUARTERS, 1024 * 1024, None).unwrap(), "the rest may still be used");
    }

    #[test]
    fn what_the_host_holds_counts_as_the_guest_s() {
        let mut limiter = of_a_megabyte(0);
        assert!(limiter.charge(THREE_QUARTERS));
        assert!(!limiter.refused());
        assert!(!limiter.memory_growing(0, THREE_QUARTERS, None).unwrap());
        limiter.release(THREE_QUARTERS);
        assert!(limiter.memory_growing(0, THREE_QUARTERS, None).unwrap());
        assert!(!limiter.charge(THREE_QUARTERS));
        assert!(limiter.refused());
    }

    #[test]
    fn tables_and_handles_count_as_the_guest_s() {
        let mut limiter = of_a_megabyte(1000);
        assert!(!limiter.charge(THREE_QUARTERS), "half of it is kept free for handles");
        let mut limiter = of_a_megabyte(0);
        assert!(limiter.table_growing(0, 100_000, None).unwrap());
        assert!(!limiter.charge(THREE_QUARTERS));
    }

    #[test]
    fn a_package_never_raises_a_limit_over_the_ceiling() {
        let wanted = Limits { memory_mb: 4096, seconds: 5, ..Limits::default() };
        let effective = wanted.under(Limits::default());
        assert_eq!((effective.memory_mb, effective.seconds), (1024, 5));
    }
}
