//! A cache of rows that is valid as long as nobody has written to the database.
//!
//! Clients ask for the same finished job again and again, under the same key. An answer from the cache is right for as
//! long as no commit, of this process or another, has come since its rows were read. The database's [`Version`] tells
//! whether one has. Where the database has no version, as on PostgreSQL, nothing is cached.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use crate::direct::Version;

/// Values by their keys, all read at one version of the database. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct VersionedCache<K, V> {
    entries: Arc<Mutex<Entries<K, V>>>,
    /// Maximum size of all values together, in bytes.
    max_bytes: usize,
}

#[derive(Debug)]
struct Entries<K, V> {
    version: Option<Version>,
    values: HashMap<K, V>,
    /// Size of all values together.
    bytes: usize,
}

impl<K: Eq + Hash, V: Clone> VersionedCache<K, V> {
    /// Creates an empty cache for at most `max_bytes` bytes of values.
    pub(crate) fn new(max_bytes: usize) -> Self {
        let entries = Entries { version: None, values: HashMap::new(), bytes: 0 };
        Self { entries: Arc::new(Mutex::new(entries)), max_bytes }
    }

    /// Returns the value that was cached under `key` at exactly this version of the database.
    ///
    /// Returns `None` where another thread holds the lock: reading the row again takes less time than waiting for it.
    pub(crate) fn get(&self, version: Option<Version>, key: &K) -> Option<V> {
        let entries = self.entries.try_lock().ok()?;
        if version.is_none() || entries.version != version {
            return None;
        }
        entries.values.get(key).cloned()
    }

    /// Caches a value of `bytes` bytes. `version` is the database's version from before the value was read.
    ///
    /// Values of any other version are dropped first. So are all values where there is no room for this one. Nothing is
    /// cached without a version, nor a value that is larger than the whole cache.
    pub(crate) fn insert(&self, version: Option<Version>, key: K, value: V, bytes: usize) {
        if version.is_none() || bytes > self.max_bytes {
            return;
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.version != version || entries.bytes.saturating_add(bytes) > self.max_bytes {
            entries.version = version;
            entries.values.clear();
            entries.bytes = 0;
        }
        entries.bytes += bytes;
        entries.values.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_is_returned_only_at_its_own_version() {
        let cache = VersionedCache::new(100);
        cache.insert(Some(Version::after_commits(7)), "A-101", 1, 10);
        assert_eq!(cache.get(Some(Version::after_commits(7)), &"A-101"), Some(1));
        assert_eq!(cache.get(Some(Version::after_commits(8)), &"A-101"), None);
        assert_eq!(cache.get(None, &"A-101"), None);
    }

    #[test]
    fn nothing_is_cached_without_a_version() {
        let cache = VersionedCache::new(100);
        cache.insert(None, "A-101", 1, 10);
        assert_eq!(cache.get(None, &"A-101"), None);
        assert_eq!(cache.get(Some(Version::after_commits(7)), &"A-101"), None);
    }

    #[test]
    fn newer_version_drops_all_older_values() {
        let cache = VersionedCache::new(100);
        cache.insert(Some(Version::after_commits(7)), "A-101", 1, 10);
        cache.insert(Some(Version::after_commits(8)), "A-102", 2, 10);
        assert_eq!(["A-101", "A-102"].map(|key| cache.get(Some(Version::after_commits(8)), &key)), [None, Some(2)]);
    }

    #[test]
    fn full_cache_starts_over_with_the_newest_value() {
        let cache = VersionedCache::new(100);
        cache.insert(Some(Version::after_commits(1)), "first", 1, 60);
        cache.insert(Some(Version::after_commits(1)), "second", 2, 60);
        assert_eq!(["first", "second"].map(|key| cache.get(Some(Version::after_commits(1)), &key)), [None, Some(2)]);
    }

    #[test]
    fn value_larger_than_the_cache_is_not_cached() {
        let cache = VersionedCache::new(100);
        cache.insert(Some(Version::after_commits(1)), "small", 1, 60);
        cache.insert(Some(Version::after_commits(1)), "large", 2, 101);
        assert_eq!(["small", "large"].map(|key| cache.get(Some(Version::after_commits(1)), &key)), [Some(1), None]);
    }
}
