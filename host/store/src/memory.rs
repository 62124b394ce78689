//! What was read from the database and still stands.
//!
//! Clients ask for the same finished job again and again, under the same key. What they are told may be taken from
//! memory for as long as nobody, in this process or another, has committed to the database: until then it is at the
//! [`Version`] at which the rows were read. Where the database tells no version,
//! nothing is remembered.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use crate::direct::Version;

/// Values by their keys, all of one version of the database. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Memory<K, V> {
    kept: Arc<Mutex<Kept<K, V>>>,
    /// The bytes that the values may take together.
    most: usize,
}

#[derive(Debug)]
struct Kept<K, V> {
    version: Option<Version>,
    values: HashMap<K, V>,
    bytes: usize,
}

impl<K: Eq + Hash, V: Clone> Memory<K, V> {
    /// For values of so many bytes in all.
    pub(crate) fn of(most: usize) -> Self {
        let kept = Kept { version: None, values: HashMap::new(), bytes: 0 };
        Self { kept: Arc::new(Mutex::new(kept)), most }
    }

    /// What is remembered under that key, if the database is still at its version and nobody is at the memory just now.
    pub(crate) fn recall(&self, version: Option<Version>, key: &K) -> Option<V> {
        let kept = self.kept.try_lock().ok()?;
        let stands = version.is_some() && kept.version == version;
        kept.values.get(key).filter(|_| stands).cloned()
    }

    /// Remembers a value of so many bytes that was read after the database had been at that version. What is of another
    /// version is forgotten, and all of it where there is no room.
    pub(crate) fn keep(&self, version: Option<Version>, key: K, value: V, bytes: usize) {
        if version.is_none() || bytes > self.most {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.version != version || kept.bytes.saturating_add(bytes) > self.most {
            kept.version = version;
            kept.values.clear();
            kept.bytes = 0;
        }
        kept.bytes += bytes;
        kept.values.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_recalled_at_its_version_and_at_no_other() {
        let memory = Memory::of(100);
        memory.keep(Some(Version::of(7)), "A-101", 1, 10);
        memory.keep(None, "A-102", 2, 10);
        assert_eq!(memory.recall(Some(Version::of(7)), &"A-101"), Some(1));
        assert_eq!(memory.recall(Some(Version::of(7)), &"A-102"), None);
        assert_eq!(memory.recall(Some(Version::of(8)), &"A-101"), None);
        assert_eq!(memory.recall(None, &"A-101"), None);
        memory.keep(Some(Version::of(8)), "A-103", 3, 10);
        assert_eq!(memory.recall(Some(Version::of(8)), &"A-101"), None);
        assert_eq!(memory.recall(Some(Version::of(8)), &"A-103"), Some(3));
    }

    #[test]
    fn no_more_bytes_are_kept_than_there_is_room_for() {
        let memory = Memory::of(100);
        memory.keep(Some(Version::of(1)), 1, "small", 60);
        memory.keep(Some(Version::of(1)), 2, "as small", 60);
        assert_eq!([1, 2].map(|key| memory.recall(Some(Version::of(1)), &key)), [None, Some("as small")]);
        memory.keep(Some(Version::of(1)), 3, "large", 101);
        assert_eq!(memory.recall(Some(Version::of(1)), &3), None);
    }
}
