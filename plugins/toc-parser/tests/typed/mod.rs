//! Manuals typed as plain text, one string a page.

use std::convert::Infallible;

use fanlight_contract::{Geometry, PagePaths, PageText};
use text_fixture as typewriter;
use toc_parser::{Bookmark, Leaf, Manual};

/// A manual of typed pages.
pub(crate) struct Typed {
    pub(crate) pages: Vec<&'static str>,
    pub(crate) bookmarks: Vec<&'static str>,
}

/// One of its pages.
pub(crate) struct TypedPage(&'static str);

impl Manual for Typed {
    type Error = Infallible;
    type Leaf = TypedPage;

    fn leaf(&self, number: u32) -> Result<TypedPage, Infallible> {
        Ok(TypedPage(self.pages.get(number as usize - 1).copied().unwrap_or_default()))
    }

    fn bookmarks(&self) -> Vec<Bookmark> {
        self.bookmarks.iter().map(|title| Bookmark { title: (*title).to_owned(), level: 0 }).collect()
    }
}

impl Leaf for TypedPage {
    fn geometry(&self) -> Geometry {
        typewriter::geometry()
    }

    fn text(&self) -> PageText {
        typewriter::text(self.0)
    }

    fn paths(&self) -> PagePaths {
        typewriter::paths()
    }
}
