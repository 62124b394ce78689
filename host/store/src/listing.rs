//! Lists, one page at a time: newest first, continued by cursor (keyset pagination over ids).
//!
//! Ids are UUIDs of version 7, so entries that are added while a client reads sort before all that it has read. No
//! entry is returned twice and none is skipped. A cursor marks where a page ended; clients hand it back unchanged. It
//! holds its own version, a digest of the list, the account and the filters, and the id of the last entry. It is
//! refused with any other list.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::error::StoreError;

/// The version of the cursor's layout: this byte, the digest, the id.
const VERSION: u8 = 1;

/// Bytes of the digest in a cursor. It guards against mistakes only: a forged cursor still reaches nothing but the
/// account's own entries.
const DIGEST: usize = 8;

/// Which page of a list to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListRequest {
    /// Maximum number of entries, 1 to [`ListRequest::MAX_LIMIT`]; [`ListRequest::DEFAULT_LIMIT`] when absent.
    pub limit: Option<u32>,
    /// The `next_cursor` of the page before; when absent, the newest entries are read.
    pub cursor: Option<String>,
}

impl ListRequest {
    /// Entries of a page when the client sets no limit.
    pub const DEFAULT_LIMIT: u32 = 20;
    /// Maximum entries of a page.
    pub const MAX_LIMIT: u32 = 100;
}

/// One page of a list, newest entry first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    /// The entries.
    pub items: Vec<T>,
    /// The cursor of the next page; absent on the last page.
    pub next_cursor: Option<String>,
}

impl<T> Listed<T> {
    /// Converts every entry and keeps the cursor.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Listed<U> {
        Listed { items: self.items.into_iter().map(change).collect(), next_cursor: self.next_cursor }
    }
}

/// The page of a list that a query reads: at most [`ListPage::rows`] rows with ids less than [`ListPage::before`], in
/// descending order.
#[derive(Debug)]
pub(crate) struct ListPage {
    list: [u8; DIGEST],
    before: Uuid,
    limit: u32,
}

impl ListPage {
    /// Resolves a request for the list that is called `list`. `filters` are the values of its filters in a fixed order,
    /// `None` for each that is not set.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidListRequest`] when the limit is out of range or the cursor is not one of this list.
    pub(crate) fn new(
        request: &ListRequest,
        list: &str,
        account_id: Uuid,
        filters: &[Option<&str>],
    ) -> Result<Self, StoreError> {
        let limit = request.limit.unwrap_or(ListRequest::DEFAULT_LIMIT);
        if !(1..=ListRequest::MAX_LIMIT).contains(&limit) {
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

    /// Returns the exclusive upper bound of the ids on this page, as the database stores ids.
    pub(crate) fn before(&self) -> String {
        self.before.to_string()
    }

    /// Returns how many rows to query: one more than the page has, which shows whether the list goes on.
    pub(crate) fn rows(&self) -> i64 {
        i64::from(self.limit) + 1
    }

    /// Turns the rows that the query returned into the page, and makes its cursor where the list goes on.
    pub(crate) fn into_listed<T>(self, mut items: Vec<T>, id: impl Fn(&T) -> Uuid) -> Listed<T> {
        let more = items.len() > self.limit as usize;
        items.truncate(self.limit as usize);
        let next_cursor = items.last().filter(|_| more).map(|last| cursor(self.list, id(last)));
        Listed { items, next_cursor }
    }
}

/// Returns a digest of what makes one list differ from another. Each text is preceded by its length, so that no two
/// sets of filters give the same bytes.
fn digest(list: &str, account_id: Uuid, filters: &[Option<&str>]) -> [u8; DIGEST] {
    let mut hasher = Sha256::new();
    for text in [Some(list)].iter().chain(filters) {
        hasher.update([u8::from(text.is_some())]);
        let text = text.unwrap_or_default();
        hasher.update((text.len() as u64).to_be_bytes());
        hasher.update(text);
    }
    hasher.update(account_id);
    let whole: [u8; 32] = hasher.finalize().into();
    std::array::from_fn(|index| whole[index])
}

/// Returns the cursor that continues after the entry `last`, in URL-safe base64.
fn cursor(list: [u8; DIGEST], last: Uuid) -> String {
    let mut bytes = vec![VERSION];
    bytes.extend(list);
    bytes.extend(last.as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the id in a cursor, or `None` if it is malformed or belongs to another list.
fn read_cursor(cursor: &str, list: [u8; DIGEST]) -> Option<Uuid> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (version, rest) = bytes.split_first()?;
    let (cursor_list, id) = rest.split_at_checked(DIGEST)?;
    if *version != VERSION || cursor_list != list {
        return None;
    }
    Uuid::from_slice(id).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(request: &ListRequest, filters: &[Option<&str>]) -> Result<ListPage, StoreError> {
        ListPage::new(request, "jobs", Uuid::nil(), filters)
    }

    /// The cursor of a full first page of the jobs that are queued, each with this id.
    fn cursor_after(id: Uuid) -> String {
        let first = page(&ListRequest::default(), &[Some("queued"), None]).unwrap();
        first.into_listed(vec![id; 21], |id| *id).next_cursor.unwrap()
    }

    fn with_cursor(cursor: &str) -> ListRequest {
        ListRequest { limit: None, cursor: Some(cursor.to_owned()) }
    }

    #[test]
    fn limit_is_from_1_to_100() {
        for (limit, rows) in
            [(None, Some(21)), (Some(1), Some(2)), (Some(100), Some(101)), (Some(0), None), (Some(101), None)]
        {
            let request = ListRequest { limit, cursor: None };
            assert_eq!(page(&request, &[]).ok().map(|page| page.rows()), rows, "{limit:?}");
        }
    }

    #[test]
    fn cursor_continues_after_the_last_entry() {
        let id = Uuid::from_u128(7);
        let next = page(&with_cursor(&cursor_after(id)), &[Some("queued"), None]).unwrap();
        assert_eq!(next.before(), id.to_string());
    }

    #[test]
    fn cursor_of_another_list_is_refused() {
        let id = Uuid::from_u128(7);
        let request = with_cursor(&cursor_after(id));
        for filters in [&[None, Some("queued")][..], &[Some("queued")], &[Some("queue"), Some("d")], &[]] {
            assert!(page(&request, filters).is_err(), "{filters:?}");
        }
        let filters = [Some("queued"), None];
        assert!(ListPage::new(&request, "documents", Uuid::nil(), &filters).is_err(), "another list");
        assert!(ListPage::new(&request, "jobs", id, &filters).is_err(), "another account");
    }

    #[test]
    fn malformed_cursor_is_refused() {
        let good = cursor_after(Uuid::from_u128(7));
        let newer_version = format!("Ag{}", &good[2..]);
        for bad in ["", "!", "AQ", &good[..good.len() - 2], &format!("{good}AA"), &newer_version] {
            assert!(page(&with_cursor(bad), &[Some("queued"), None]).is_err(), "{bad}");
        }
    }

    #[test]
    fn last_page_has_no_cursor() {
        let request = ListRequest { limit: Some(2), cursor: None };
        for (rows, entries, more) in [(0, 0, false), (2, 2, false), (3, 2, true)] {
            let listed = page(&request, &[]).unwrap().into_listed(vec![Uuid::nil(); rows], |id| *id);
            assert_eq!((listed.items.len(), listed.next_cursor.is_some()), (entries, more), "{rows} rows");
        }
    }
}
