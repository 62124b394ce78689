//! Counts a guest's resources against its limits.

use fanlight_composition::Limits;
use wasmtime::ResourceLimiter;

/// Table elements of a store. A large guest's function table has about 10,000.
const TABLE_ELEMENTS: usize = 200_000;
/// Bytes of a table element: wasmtime stores a pointer.
const TABLE_ELEMENT_BYTES: usize = size_of::<usize>();
/// Bytes of one handle, rounded up: an entry of wasmtime's resource table (112, with the spare capacity of a growing
/// `Vec`), its value (64), the list of its children (64) and the guest's own handle (48).
const HANDLE_BYTES: usize = 512;
/// Core instances, memories and tables of a store. A composition of two Rust guests makes about ten of each.
const INSTANCES: usize = 100;

/// Sums all linear memories and tables of a store and what the host holds for its guest. wasmtime's own limiter
/// counts each memory separately.
///
/// Handles are charged in advance, as many as the guest may have, because WASI creates them without asking the host.
#[derive(Debug)]
pub(crate) struct MemoryLimiter {
    limit: usize,
    used: usize,
    /// The most that was ever charged at a time.
    peak: usize,
    table_elements: usize,
    refused: bool,
}

impl MemoryLimiter {
    /// Creates the account of a store, with its handles charged.
    pub(crate) fn new(limits: &Limits) -> Self {
        let handles = (limits.handles as usize).saturating_mul(HANDLE_BYTES);
        Self { limit: limits.memory_bytes(), used: handles, peak: handles, table_elements: 0, refused: false }
    }

    /// Returns whether the guest was ever refused memory. Such a guest usually aborts, and this gives the reason.
    pub(crate) fn refused(&self) -> bool {
        self.refused
    }

    /// Returns the bytes that are charged.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Returns the most bytes that were ever charged at a time.
    pub(crate) fn peak(&self) -> usize {
        self.peak
    }

    /// Charges bytes that the host holds for the guest, if there is room. Returns whether there was.
    pub(crate) fn charge(&mut self, bytes: usize) -> bool {
        let total = self.used.saturating_add(bytes);
        if total > self.limit {
            self.refused = true;
            return false;
        }
        self.used = total;
        self.peak = self.peak.max(total);
        true
    }

    /// Releases bytes of [`MemoryLimiter::charge`] that the host no longer holds.
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

    /// Creates a limiter of 1 MB for a guest with this many handles.
    fn megabyte_limiter(handles: u32) -> MemoryLimiter {
        MemoryLimiter::new(&Limits { memory_mb: 1, handles, ..Limits::default() })
    }

    const THREE_QUARTERS: usize = 768 * 1024;

    #[test]
    fn memories_of_a_store_are_summed() {
        let mut limiter = megabyte_limiter(0);
        assert!(limiter.memory_growing(0, THREE_QUARTERS, None).unwrap());
        assert!(!limiter.memory_growing(0, THREE_QUARTERS, None).unwrap(), "a second memory is added");
        assert!(limiter.refused());
        assert!(
            limiter.memory_growing(THREE_QUARTERS, 1024 * 1024, None).unwrap(),
            "the remaining memory stays usable"
        );
    }

    #[test]
    fn memory_held_by_the_host_counts() {
        let mut limiter = megabyte_limiter(0);
        assert!(limiter.charge(THREE_QUARTERS));
        assert!(!limiter.refused());
        assert!(!limiter.memory_growing(0, THREE_QUARTERS, None).unwrap());
        limiter.release(THREE_QUARTERS);
        assert!(limiter.memory_growing(0, THREE_QUARTERS, None).unwrap());
        assert!(!limiter.charge(THREE_QUARTERS));
        assert!(limiter.refused());
    }

    #[test]
    fn the_peak_stays_after_memory_is_released() {
        let mut limiter = megabyte_limiter(0);
        assert!(limiter.charge(THREE_QUARTERS));
        limiter.release(THREE_QUARTERS);
        assert_eq!((limiter.used(), limiter.peak()), (0, THREE_QUARTERS));
    }

    #[test]
    fn tables_and_handles_count() {
        let mut limiter = megabyte_limiter(1000);
        assert!(!limiter.charge(THREE_QUARTERS), "handles take half of it");
        let mut limiter = megabyte_limiter(0);
        assert!(limiter.table_growing(0, 100_000, None).unwrap());
        assert!(!limiter.charge(THREE_QUARTERS));
    }
}
