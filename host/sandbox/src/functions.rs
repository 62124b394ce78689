//! Compiled functions, shared between the compilations of one process.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use wasmtime::CacheStore;

/// Machine code of functions by wasmtime's key.
type ByKey = HashMap<Box<[u8]>, Box<[u8]>>;

/// Compiled functions by the digest of their intermediate code.
///
/// The PDF engine is a part of every composed model, so every compilation after the first finds the engine's
/// functions here. They stay in this process's memory, where no other process can alter them.
#[derive(Debug)]
pub(crate) struct CompiledFunctions {
    /// `None` once no more compilations are expected.
    functions: RwLock<Option<ByKey>>,
}

impl Default for CompiledFunctions {
    fn default() -> Self {
        Self { functions: RwLock::new(Some(HashMap::new())) }
    }
}

impl CompiledFunctions {
    /// Frees the functions. Later compilations share nothing.
    pub(crate) fn close(&self) {
        *self.functions.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl CacheStore for CompiledFunctions {
    fn get(&self, key: &[u8]) -> Option<Cow<'_, [u8]>> {
        let functions = self.functions.read().unwrap_or_else(PoisonError::into_inner);
        functions.as_ref()?.get(key).map(|function| Cow::Owned(function.to_vec()))
    }

    fn insert(&self, key: &[u8], value: Vec<u8>) -> bool {
        let mut functions = self.functions.write().unwrap_or_else(PoisonError::into_inner);
        let Some(functions) = functions.as_mut() else { return false };
        functions.insert(key.into(), value.into());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_store_holds_nothing() {
        let functions = CompiledFunctions::default();
        assert!(functions.insert(b"key", b"code".to_vec()));
        assert_eq!(functions.get(b"key").as_deref(), Some(&b"code"[..]));
        functions.close();
        assert_eq!(functions.get(b"key"), None);
        assert!(!functions.insert(b"key", b"code".to_vec()));
    }
}
