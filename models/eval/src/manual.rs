//! Project manuals read by the engine without a host, for `toc-parser`.

use fanlight_raster::ReadText;
use native::{NativePage, Readable as _};
use pdf_engine::vocabulary::{Geometry, OpenError, PageError, PagePaths, PageText};
use toc_parser::{Bookmark, Manual, ManualPage};

/// A manual in memory. Its scanned pages are read by OCR if `tesseract` is installed.
pub struct NativeManual(pdf_engine::Document);

/// A page of a manual.
pub struct NativeManualPage {
    page: NativePage,
    read: ReadText,
}

impl NativeManual {
    /// Opens a PDF.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub fn open(bytes: Vec<u8>) -> Result<Self, String> {
        pdf_engine::Document::open(bytes).map(Self).map_err(|error: OpenError| format!("{error:?}"))
    }

    /// Returns the page numbers up to `last`, as the host passes them.
    pub fn first_pages(&self, last: u32) -> Vec<u32> {
        (1..=self.0.page_count().min(last)).collect()
    }
}

impl Manual for NativeManual {
    type Error = String;
    type Page = NativeManualPage;

    fn page(&self, number: u32) -> Result<NativeManualPage, String> {
        let page = self.0.page(number).map_err(|error: PageError| format!("{error:?}"))?;
        let page = NativePage::new(page).with_ocr();
        let read = fanlight_raster::read_text(&page);
        Ok(NativeManualPage { page, read })
    }

    fn bookmarks(&self) -> Vec<Bookmark> {
        let items = self.0.outline();
        items.into_iter().map(|item| Bookmark { title: item.title, level: item.level }).collect()
    }
}

impl ManualPage for NativeManualPage {
    fn geometry(&self) -> Geometry {
        self.page.geometry()
    }

    fn text(&self) -> PageText {
        self.read.text.clone()
    }

    fn is_recognized(&self) -> bool {
        self.read.is_recognized()
    }

    fn text_in_picture(&self) -> Option<PageText> {
        self.read.in_picture(&self.page)
    }

    fn paths(&self) -> PagePaths {
        self.page.paths()
    }
}
