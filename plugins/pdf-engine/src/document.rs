//! Opens documents, and decides how long the caches of a document are kept.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use fanlight_contract::{OpenError, PageError};
use hayro::hayro_syntax::{DecryptionError, LoadPdfError, Pdf, PdfData};

use crate::content::Caches;
use crate::page::Page;
use crate::{Metadata, OutlineItem, outline};

/// A header may begin anywhere in this many bytes (ISO 32000-2, 7.5.2, and the practice of all
/// readers).
const HEADER_RANGE: usize = 1024;

/// Bytes of page content after which the caches of the parser and the interpreter are replaced.
/// hayro keeps decoded streams, fonts and glyphs as long as its document lives, so that memory
/// would grow with the pages read.
const MAX_KEPT_CONTENT: usize = 32 << 20;

self_cell::self_cell!(
    /// hayro's document and the caches that borrow from it.
    pub(crate) struct LoadedPdf {
        owner: Pdf,
        #[not_covariant]
        dependent: Caches,
    }
);

/// The cross-reference table must be named within this many bytes of a file's end. ISO 32000-1,
/// 7.5.5, puts `startxref` two lines before the end, and readers search the last 1,024 bytes. Some
/// servers append a page of their own.
const END_RANGE: usize = 4096;

/// Returns whether the end of a file is missing, as after an interrupted upload.
fn is_cut_short(bytes: &[u8]) -> bool {
    let end = &bytes[bytes.len().saturating_sub(END_RANGE)..];
    memchr::memmem::find(end, b"startxref").is_none()
}

/// An open document. It belongs to one thread.
pub struct Document {
    data: PdfData,
    pdf: RefCell<Rc<LoadedPdf>>,
    kept: Rc<Cell<usize>>,
    page_count: u32,
}

impl Document {
    /// Opens a document from its bytes.
    ///
    /// A damaged file opens as far as hayro can repair it. A truncated file does not open: what it
    /// lacks would be missing from every result. An encrypted file opens if its user password is
    /// empty.
    ///
    /// # Errors
    /// See [`OpenError`]: the file is no PDF, has no page, or is encrypted.
    pub fn open(bytes: impl Into<Vec<u8>>) -> Result<Self, OpenError> {
        let bytes = bytes.into();
        let head = &bytes[..bytes.len().min(HEADER_RANGE)];
        if !head.windows(5).any(|window| window == b"%PDF-") {
            return Err(OpenError::NotAPdf);
        }
        if is_cut_short(&bytes) {
            return Err(OpenError::Corrupt("the file stops before its end: no startxref".to_owned()));
        }
        let data = PdfData::from(bytes);
        let pdf = LoadedPdf::load(data.clone()).map_err(open_error)?;
        let page_count = pdf.borrow_owner().pages().len() as u32;
        if page_count == 0 {
            return Err(OpenError::Corrupt("the page tree holds no page".to_owned()));
        }
        Ok(Self { data, pdf: RefCell::new(Rc::new(pdf)), kept: Rc::default(), page_count })
    }

    /// Returns the number of pages, at least 1.
    pub fn page_count(&self) -> u32 {
        self.page_count
    }

    /// Returns the outline, flat and in pdf order: at most 100,000 items on at most 64 levels.
    pub fn outline(&self) -> Vec<OutlineItem> {
        outline::outline(self.pdf.borrow().borrow_owner())
    }

    /// Returns the title, author and other metadata of the document.
    pub fn metadata(&self) -> Metadata {
        outline::metadata(self.pdf.borrow().borrow_owner())
    }

    /// Returns whether the file is encrypted. Its user password is empty, since it opened.
    pub fn is_encrypted(&self) -> bool {
        // hayro does not say. The keyword proves nothing, but an encrypted file does not open with
        // a wrong password.
        let mentioned = memchr::memmem::find(self.data.as_ref(), b"/Encrypt").is_some();
        mentioned
            && matches!(
                Pdf::new_with_password(self.data.clone(), "\u{1}not the password"),
                Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))
            )
    }

    /// Returns page `number`, counted from 1.
    ///
    /// # Errors
    /// [`PageError::OutOfRange`] for 0 and beyond the last page.
    pub fn page(&self, number: u32) -> Result<Page, PageError> {
        if number == 0 || number > self.page_count {
            return Err(PageError::OutOfRange);
        }
        let pdf = self.current_pdf();
        Ok(Page::new(pdf, number as usize - 1, Rc::clone(&self.kept)))
    }

    /// Returns the current caches, or new ones once they have grown enough. A page keeps the caches
    /// that it was opened with.
    fn current_pdf(&self) -> Rc<LoadedPdf> {
        let mut pdf = self.pdf.borrow_mut();
        if self.kept.get() >= MAX_KEPT_CONTENT
            && let Ok(fresh) = LoadedPdf::load(self.data.clone())
        {
            self.kept.set(0);
            *pdf = Rc::new(fresh);
        }
        Rc::clone(&pdf)
    }
}

impl LoadedPdf {
    fn load(data: PdfData) -> Result<Self, LoadPdfError> {
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
