//! Lists, a page at a time: newest first, by the id of the last entry seen.
//!
//! Ids are UUIDs of version 7, so what is added while a client reads on stands before all that it has seen: no entry
//! comes twice and none is passed over. Where a page ended is told by a cursor, which clients hand back as it is. It
//! holds its own version, a digest of the list, the account and the filters, and that id; with anything but the same
//! list it is refused.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::error::StoreError;

/// The layout of a cursor: this byte, the digest, the id.
const VERSION: u8 = 1;

/// Bytes of the digest. It guards against mistakes: what a forged cursor leads to is still the account's own.
const DIGEST: usize = 8;

/// Which part of a list is wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListRequest {
    /// Most entries to give; [`ListRequest::DEFAULT_LIMIT`], where absent.
    pub limit: Option<u32>,
    /// Where the part before ended; the newest entries, where absent.
    pub cursor: Option<String>,
}

impl ListRequest {
    /// Entries of a page, where the client doesn't say.
    pub const DEFAULT_LIMIT: u32 = 20;
    /// Most entries of a page.
    pub const MOST: u32 = 100;
}

/// A part of a list, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    /// The entries.
    pub items: Vec<T>,
    /// Where to read on; absent at the end of the list.
    pub next_cursor: Option<String>,
}

impl<T> Listed<T> {
    /// The same part with each entry made into something else.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Listed<U> {
        Listed { items: self.items.into_iter().map(change).collect(), next_cursor: self.next_cursor }
    }
}

/// A part of a list that is being read. The query takes the rows whose id is less than [`Part::before`], descending,
/// and [`Part::rows`] of them at most.
#[derive(Debug)]
pub(crate) struct Part {
    list: [u8; DIGEST],
    before: Uuid,
    limit: u32,
}

impl Part {
    /// `list` names the list; `filters` are what narrows it, each absent where it doesn't, in a fixed order.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidListRequest`] for a limit out of range and for a cursor that is not one of this list.
    pub(crate) fn of(
        request: &ListRequest,
        list: &str,
        account_id: Uuid,
        filters: &[Option<&str>],
    ) -> Result<Self, StoreError> {
        let limit = request.limit.unwrap_or(ListRequest::DEFAULT_LIMIT);
        if !(1..=ListRequest::MOST).contains(&limit) {
            return Err(StoreError::InvalidListRequest("the limit is out of range"));
        }
        let list = digest(list, account_id, filters);
        let before = match &request.cursor {
            None => Uuid::max(),
            Some(cursor) => {
                read_cursor(cursor, list).ok_or(StoreError::InvalidListRequest("the cursor is not one of this list"))?
            }
        };
        Ok(Self { list, before, limit })
    }

    /// The id that all rows of this part stand below, as the database has ids.
    pub(crate) fn before(&self) -> String {
        self.before.to_string()
    }

    /// Rows to ask for: one more than are given, which tells whether the list goes on.
    pub(crate) fn rows(&self) -> i64 {
        i64::from(self.limit) + 1
    }

    /// The part, of the rows that the query gave.
    pub(crate) fn listed<T>(&self, mut items: Vec<T>, id: impl Fn(&T) -> Uuid) -> Listed<T> {
        let more = items.len() > self.limit as usize;
        items.truncate(self.limit as usize);
        let next_cursor = items.last().filter(|_| more).map(|last| cursor(self.list, id(last)));
        Listed { items, next_cursor }
    }
}

fn digest(list: &str, account_id: Uuid, filters: &[Option<&str>]) -> [u8; DIGEST] {
    let mut hasher = Sha256::new();
    for part in [Some(list)].iter().chain(filters) {
        hasher.update([u8::from(part.is_some())]);
        let part = part.unwrap_or_default();
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part);
    }
    hasher.update(account_id);
    let whole: [u8; 32] = hasher.finalize().into();
    std::array::from_fn(|index| whole[index])
}

fn cursor(list: [u8; DIGEST], last: Uuid) -> String {
    let mut bytes = vec![VERSION];
    bytes.extend(list);
    bytes.extend(last.as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

fn read_cursor(cursor: &str, list: [u8; DIGEST]) -> Option<Uuid> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (version, rest) = bytes.split_first()?;
    let (of_list, id) = rest.split_at_checked(DIGEST)?;
    if *version != VERSION || of_list != list {
        return None;
    }
    Uuid::from_slice(id).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(request: &ListRequest, filters: &[Option<&str>]) -> Result<Part, StoreError> {
        Part::of(request, "jobs", Uuid::nil(), filters)
    }

    #[test]
    fn a_limit_is_from_1_to_100() {
        for (limit, rows) in
            [(None, Some(21)), (Some(1), Some(2)), (Some(100), Some(101)), (Some(0), None), (Some(101), None)]
        {
            let request = ListRequest { limit, cursor: None };
            assert_eq!(part(&request, &[]).ok().map(|part| part.rows()), rows, "{limit:?}");
        }
    }

    #[test]
    fn a_cursor_is_good_for_its_own_list_alone() {
        let id = Uuid::from_u128(7);
        let whole = part(&ListRequest::default(), &[Some("queued"), None]).unwrap();
        let cursor = whole.listed(vec![id; 21], |id| *id).next_cursor;
        let request = ListRequest { limit: None, cursor: cursor.clone() };
        assert_eq!(part(&request, &[Some("queued"), None]).unwrap().before(), id.to_string());

        for filters in [&[None, Some("queued")][..], &[Some("queued")], &[Some("queue"), Some("d")], &[]] {
            assert!(part(&request, filters).is_err(), "{filters:?}");
        }
        let filters = [Some("queued"), None];
        assert!(Part::of(&request, "documents", Uuid::nil(), &filters).is_err(), "another list");
        assert!(Part::of(&request, "jobs", id, &filters).is_err(), "another account");

        let good = cursor.unwrap();
        let newer = format!("Ag{}", &good[2..]);
        for bad in ["", "!", "AQ", &good[..good.len() - 2], &format!("{good}AA"), &newer] {
            let request = ListRequest { limit: None, cursor: Some(bad.to_owned()) };
            assert!(part(&request, &filters).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_last_part_has_no_cursor() {
        let request = ListRequest { limit: Some(2), cursor: None };
        let whole = part(&request, &[]).unwrap();
        for (rows, given, more) in [(0, 0, false), (2, 2, false), (3, 2, true)] {
            let listed = whole.listed(vec![Uuid::nil(); rows], |id| *id);
            assert_eq!((listed.items.len(), listed.next_cursor.is_some()), (given, more), "{rows} rows");
        }
    }
}
