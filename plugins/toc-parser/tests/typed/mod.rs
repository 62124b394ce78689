//! Manuals typed as plain text, one string for each page.

use std::convert::Infallible;

use fanlight_contract::{Geometry, PagePaths, PageText};

use toc_parser::{Bookmark, Manual, ManualPage};

/// A manual of typed pages.
pub(crate) struct TypedManual {
    pub(crate) pages: Vec<&'static str>,
    pub(crate) bookmarks: Vec<&'static str>,
    /// Whether its pages are scans, whose text OCR reads.
    pub(crate) is_scanned: bool,
}

/// A page of the manual.
pub(crate) struct TypedPage {
    text: &'static str,
    is_scanned: bool,
}

impl Manual for TypedManual {
    type Error = Infallible;
    type Page = TypedPage;

    fn page(&self, number: u32) -> Result<TypedPage, Infallible> {
        let text = self.pages.get(number as usize - 1).copied().unwrap_or_default();
        Ok(TypedPage { text, is_scanned: self.is_scanned })
    }

    fn bookmarks(&self) -> Vec<Bookmark> {
        self.bookmarks.iter().map(|title| Bookmark { title: (*title).to_owned(), level: 0 }).collect()
    }
}

impl ManualPage for TypedPage {
    fn geometry(&self) -> Geometry {
        text_fixture::geometry()
    }

    fn text(&self) -> PageText {
        text_fixture::text(self.text)
    }

    fn is_recognized(&self) -> bool {
        self.is_scanned
    }

    fn text_in_picture(&self) -> Option<PageText> {
        None
    }

    fn paths(&self) -> PagePaths {
        text_fixture::paths()
    }
}
