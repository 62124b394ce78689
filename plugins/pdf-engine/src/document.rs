//! Opening a document, and how long what was learned of it is kept.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use fanlight_contract::{OpenError, PageError};
use hayro::hayro_syntax::{DecryptionError, LoadPdfError, Pdf, PdfData};

use crate::content::Caches;
use crate::outline::{self, Metadata, OutlineItem};
use crate::page::Page;

/// A header may stand anywhere in so many bytes (ISO 32000-2, 7.5.2, and every reader's practice).
const HEADER_WITHIN: usize = 1024;

/// How much is read before the parser's and the interpreter's caches start afresh, in bytes of page content. hayro keeps
/// decoded streams, fonts and glyphs as long as its document lives; without an end to that, memory would grow with the
/// pages read.
const KEPT_CONTENT: usize = 32 << 20;

self_cell::self_cell!(
    /// hayro's document and the caches that borrow from it.
    pub(crate) struct Reading {
        owner: Pdf,
        #[not_covariant]
        dependent: Caches,
    }
);

/// The bytes at a file's end that must name its cross-reference table. ISO 32000-1, 7.5.5, puts `startxref` two lines
/// before the end, and readers look for it in the last 1,024 bytes; some servers append a page of their own.
const END_WITHIN: usize = 4096;

/// Whether the end of a file is missing, as when an upload broke off.
fn is_cut_short(bytes: &[u8]) -> bool {
    let end = &bytes[bytes.len().saturating_sub(END_WITHIN)..];
    memchr::memmem::find(end, b"startxref").is_none()
}

/// A document that opened. Everything it holds is for one thread.
pub struct Document {
    data: PdfData,
    reading: RefCell<Rc<Reading>>,
    kept: Rc<Cell<usize>>,
    page_count: u32,
}

impl Document {
    /// Opens a document from its bytes.
    ///
    /// A damaged file opens as far as hayro can mend it, but not one that was cut short: what is missing from it would
    /// be missing from every result. An encrypted one opens where its user password is empty.
    ///
    /// # Errors
    /// See [`OpenError`]: no PDF, no page to be found in it, or encrypted.
    pub fn open(bytes: impl Into<Vec<u8>>) -> Result<Self, OpenError> {
        let bytes = bytes.into();
        let head = &bytes[..bytes.len().min(HEADER_WITHIN)];
        if !head.windows(5).any(|window| window == b"%PDF-") {
            return Err(OpenError::NotAPdf);
        }
        if is_cut_short(&bytes) {
            return Err(OpenError::Corrupt("the file stops before its end: no startxref".to_owned()));
        }
        let data = PdfData::from(bytes);
        let reading = Reading::of(data.clone()).map_err(open_error)?;
        let page_count = reading.borrow_owner().pages().len() as u32;
        if page_count == 0 {
            return Err(OpenError::Corrupt("the page tree holds no page".to_owned()));
        }
        Ok(Self { data, reading: RefCell::new(Rc::new(reading)), kept: Rc::default(), page_count })
    }

    /// Number of pages; at least 1.
    pub fn page_count(&self) -> u32 {
        self.page_count
    }

    /// The outline, flat and in reading order: at most 100,000 items of at most 64 levels.
    pub fn outline(&self) -> Vec<OutlineItem> {
        outline::outline(self.reading.borrow().borrow_owner())
    }

    /// The document's own description.
    pub fn metadata(&self) -> Metadata {
        outline::metadata(self.reading.borrow().borrow_owner())
    }

    /// Whether the file is encrypted; its user password is empty, since it opened.
    pub fn is_encrypted(&self) -> bool {
        // hayro doesn't tell. The word is no proof, but an encrypted file doesn't open with a wrong password.
        let mentioned = memchr::memmem::find(self.data.as_ref(), b"/Encrypt").is_some();
        mentioned
            && matches!(
                Pdf::new_with_password(self.data.clone(), "\u{1}not the password"),
                Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))
            )
    }

    /// Page `number`, 1-based.
    ///
    /// # Errors
    /// [`PageError::OutOfRange`] for 0 and beyond the last page.
    pub fn page(&self, number: u32) -> Result<Page, PageError> {
        if number == 0 || number > self.page_count {
            return Err(PageError::OutOfRange);
        }
        let reading = self.current_reading();
        Ok(Page::new(reading, number - 1, Rc::clone(&self.kept)))
    }

    /// The caches in use, or fresh ones where they have grown enough. A page keeps those that it was opened with.
    fn current_reading(&self) -> Rc<Reading> {
        let mut reading = self.reading.borrow_mut();
        if self.kept.get() >= KEPT_CONTENT
            && let Ok(fresh) = Reading::of(self.data.clone())
        {
            self.kept.set(0);
            *reading = Rc::new(fresh);
        }
        Rc::clone(&reading)
    }
}

impl Reading {
    fn of(data: PdfData) -> Result<Self, LoadPdfError> {
        let pdf = Pdf::new(data)?;
        Ok(Self::new(pdf, |pdf| Caches::new(pdf)))
    }
}

fn open_error(error: LoadPdfError) -> OpenError {
    match error {
        LoadPdfError::Invalid => OpenError::Corrupt("no catalog and no page can be found".to_owned()),
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => OpenError::PasswordRequired,
        LoadPdfError::Decryption(DecryptionError::UnsupportedAlgorithm) => {
            OpenError::UnsupportedEncryption("an unknown algorithm".to_owned())
        }
        LoadPdfError::Decryption(DecryptionError::MissingIDEntry) => {
            OpenError::UnsupportedEncryption("the file has no identifier to derive the key from".to_owned())
        }
        LoadPdfError::Decryption(DecryptionError::InvalidEncryption) => {
            OpenError::UnsupportedEncryption("the encryption dictionary is invalid".to_owned())
        }
    }
}
