//! A cap on the bytes of request bodies that are held in memory at a time, over all connections.
//!
//! What a body may take is reserved before any of it is read, and released when its request ends, however that is. No
//! account may hold more than half of what the others leave free: somebody who sends many bodies, slowly, leaves room
//! for everybody else. (The dynamic threshold of Choudhury and Hahne, 1998, for switches that share a buffer.)

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use poem::Request;
use poem::http::{Version, header};
use uuid::Uuid;

use crate::api::body::JSON_BYTES;

/// Bytes that an upload is given: two parts of 5 MiB, of which one is gathered and one is on its way to the disk or the
/// bucket, and what the connection has read.
const UPLOAD_BYTES: u64 = 12_000_000;

/// The bytes of all bodies. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct BodyBudget {
    /// Most bytes at a time.
    limit: u64,
    /// Bytes that are reserved, by account.
    held: Arc<Mutex<HashMap<Uuid, u64>>>,
}

impl BodyBudget {
    /// Creates a budget of `limit` bytes.
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, held: Arc::default() }
    }

    /// Reserves bytes for a body of the account, until the value is dropped. None if there is no room.
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

/// Bytes that are reserved for a body.
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

/// Returns the most bytes of a request's body that are held at a time. Uploads are streamed, everything else is read
/// whole. A body that does not tell its length is taken for the longest.
pub(crate) fn bytes_held(request: &Request, is_upload: bool) -> u64 {
    let most = if is_upload { UPLOAD_BYTES } else { JSON_BYTES };
    let headers = request.headers();
    // With both headers the length does not count (RFC 9112, section 6.3).
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
    fn the_least_budget_has_room_for_an_upload() {
        let budget = BodyBudget::new(u64::from(LEAST_BODIES_MEGABYTES) * 1_000_000);
        assert!(budget.reserve(ONE, UPLOAD_BYTES).is_some());
    }

    #[test]
    fn a_request_without_a_body_takes_nothing() {
        let budget = BodyBudget::new(0);
        assert!(budget.reserve(ONE, 0).is_some());
    }

    #[test]
    fn a_body_takes_its_length_or_the_most() {
        let most = |is_upload| if is_upload { UPLOAD_BYTES } else { JSON_BYTES };
        for is_upload in [false, true] {
            let cases = [
                (Version::HTTP_11, None, 0),
                (Version::HTTP_2, None, most(is_upload)),
                (Version::HTTP_11, Some(("content-length", "70")), 70),
                (Version::HTTP_11, Some(("content-length", "99999999999")), most(is_upload)),
                (Version::HTTP_11, Some(("transfer-encoding", "chunked")), most(is_upload)),
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
