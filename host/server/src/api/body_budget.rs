//! A limit on the bytes of request bodies that are in memory at a time, over all connections.
//!
//! The maximum size of a body is reserved before any of it is read, and released when its request ends in any way. No
//! account may hold more than half of what the others leave free, so a client that sends many slow bodies leaves room
//! for everybody else. This is the dynamic threshold scheme of Choudhury and Hahne (1998) for shared-memory switches.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use poem::Request;
use poem::http::{Version, header};
use uuid::Uuid;

use crate::api::body::JSON_BYTES;

/// Maximum bytes of an upload that are in memory at a time. Two parts of 5 MiB (one being filled, one being written to
/// the disk or the bucket), and what the connection has read.
const UPLOAD_BYTES: u64 = 12_000_000;

/// The budget for all request bodies. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct BodyBudget {
    /// Maximum bytes at a time.
    limit: u64,
    /// Reserved bytes by account.
    held: Arc<Mutex<HashMap<Uuid, u64>>>,
}

impl BodyBudget {
    /// Creates a budget of `limit` bytes.
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, held: Arc::default() }
    }

    /// Reserves bytes for a body of the account until the returned value is dropped. Returns `None` if the account may
    /// not hold that many.
    pub(crate) fn reserve(&self, account: Uuid, bytes: u64) -> Option<ReservedBytes> {
        let mut held = self.lock();
        let own = held.get(&account).copied().unwrap_or_default();
        let of_others = held.values().sum::<u64>().saturating_sub(own);
        let wanted = own.saturating_add(bytes);
        if bytes > 0 && wanted > self.limit.saturating_sub(of_others) / 2 {
            return None;
        }
        held.insert(account, wanted);
        Some(ReservedBytes { budget: self.clone(), account, bytes })
    }

    /// Releases bytes of an account, and forgets an account that holds none.
    fn release(&self, account: Uuid, bytes: u64) {
        let mut held = self.lock();
        let left = held.get(&account).map_or(0, |held| held.saturating_sub(bytes));
        if left == 0 {
            held.remove(&account);
        } else {
            held.insert(account, left);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, u64>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A reservation of bytes for one body. Dropping it releases them.
#[derive(Debug)]
pub(crate) struct ReservedBytes {
    budget: BodyBudget,
    account: Uuid,
    bytes: u64,
}

impl Drop for ReservedBytes {
    fn drop(&mut self) {
        self.budget.release(self.account, self.bytes);
    }
}

/// Returns the maximum bytes of a request's body that are in memory at a time.
///
/// Uploads are streamed, all other bodies are read whole. A body without a declared length counts with its maximum.
pub(crate) fn bytes_held(request: &Request, is_upload: bool) -> u64 {
    let most = if is_upload { UPLOAD_BYTES } else { JSON_BYTES };
    let headers = request.headers();
    // `Transfer-Encoding` overrides `Content-Length` (RFC 9112, section 6.3).
    if headers.contains_key(header::TRANSFER_ENCODING) {
        return most;
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let without_length = if request.version() == Version::HTTP_2 { most } else { 0 };
    length.unwrap_or(without_length).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::LEAST_BODIES_MEGABYTES;

    const ONE: Uuid = Uuid::from_u128(1);
    const TWO: Uuid = Uuid::from_u128(2);

    #[test]
    fn an_account_holds_at_most_half_of_what_others_leave() {
        let budget = BodyBudget::new(100);
        assert!(budget.reserve(ONE, 51).is_none());
        let _one = budget.reserve(ONE, 50).unwrap();
        assert!(budget.reserve(ONE, 1).is_none());
        assert!(budget.reserve(TWO, 26).is_none());
        let _two = budget.reserve(TWO, 25).unwrap();
        assert!(budget.reserve(Uuid::from_u128(3), 12).is_some());
    }

    #[test]
    fn bytes_are_released_when_the_reservation_is_dropped() {
        let budget = BodyBudget::new(100);
        let first = budget.reserve(ONE, 20).unwrap();
        let second = budget.reserve(ONE, 30).unwrap();
        drop(first);
        assert!(budget.reserve(ONE, 21).is_none());
        assert!(budget.reserve(ONE, 20).is_some());
        drop(second);
        assert!(budget.lock().is_empty(), "an account that holds nothing is forgotten");
    }

    #[test]
    fn the_smallest_allowed_budget_has_room_for_an_upload() {
        let budget = BodyBudget::new(u64::from(LEAST_BODIES_MEGABYTES) * 1_000_000);
        assert!(budget.reserve(ONE, UPLOAD_BYTES).is_some());
    }

    #[test]
    fn a_request_without_a_body_reserves_nothing() {
        let budget = BodyBudget::new(0);
        assert!(budget.reserve(ONE, 0).is_some());
    }

    #[test]
    fn a_body_counts_with_its_length_or_the_maximum() {
        for (is_upload, most) in [(false, JSON_BYTES), (true, UPLOAD_BYTES)] {
            let cases = [
                (Version::HTTP_11, None, 0),
                (Version::HTTP_2, None, most),
                (Version::HTTP_11, Some(("content-length", "70")), 70),
                (Version::HTTP_11, Some(("content-length", "99999999999")), most),
                (Version::HTTP_11, Some(("transfer-encoding", "chunked")), most),
            ];
            for (version, header, expected) in cases {
                let mut request = Request::builder().version(version);
                if let Some((name, value)) = header {
                    request = request.header(name, value);
                }
                assert_eq!(bytes_held(&request.finish(), is_upload), expected, "{version:?} {header:?}");
            }
        }
    }
}
