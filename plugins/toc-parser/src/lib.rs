//! Reads the table of contents of a project manual: its divisions and sections, with titles as
//! printed, in document order.
//!
//! The result is what the contents pages print. If there are none, or their text cannot be read,
//! the document's bookmarks replace them. If the bookmarks name no sections either, the section
//! headings in the body do.
//!
//! - `contents` detects the contents pages and reads them. Each module in it does one step. A page
//!   becomes cells: words that belong together on a line, with struck-out text marked. Cells become
//!   an arrangement: the column of the numbers, and the newspaper columns. Its rows become sections
//!   and division headings. All pages together decide which of them are contents.
//! - `outline` and `body` read bookmarks and section headings.
//! - `plugin` is the model that the host runs. Everything else works on a [`Manual`], natively too.
//!
//! A section that the contents mark as not used, reserved, deleted or struck out is not in the
//! result. It has no content, and its line only keeps its number from being assigned again. A
//! division with a printed heading is in the result even without sections.

mod body;
mod contents;
mod outline;
mod plugin;
mod result;

use fanlight_contract::{Geometry, PagePaths, PageText};
use fanlight_masterformat::misread;
use fanlight_text::Page;

pub use plugin::TocParser;
pub use result::{Contents, Division, Section};

/// A bookmark of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// The title as the file stores it.
    pub title: String,
    /// The nesting level; 0 is the topmost.
    pub level: u32,
}

/// A document as this crate reads it.
pub trait Manual {
    /// Why a page cannot be read.
    type Error;
    /// A page of the document.
    type Page: ManualPage;

    /// Returns page `number`, counted from 1.
    fn page(&self, number: u32) -> Result<Self::Page, Self::Error>;
    /// Returns the bookmarks in reading order. Called only if the contents pages do not suffice.
    fn bookmarks(&self) -> Vec<Bookmark>;
}

/// A page as this crate reads it.
pub trait ManualPage {
    /// Returns the boxes and rotation of the page.
    fn geometry(&self) -> Geometry;
    /// Returns the text of the page.
    fn text(&self) -> PageText;
    /// Returns whether OCR has read [`Self::text`].
    fn is_recognized(&self) -> bool;
    /// Returns the text that OCR reads in the picture of the page, if [`Self::text`] is a layer beneath that picture. Called
    /// only if the pages' own text has no contents.
    fn text_in_picture(&self) -> Option<PageText>;
    /// Returns the paths of the page. Called only if the text looks like a table of contents.
    fn paths(&self) -> PagePaths;
}

/// Contents pages with fewer sections than this are used only if no other source has more.
const FEW_SECTIONS: usize = 3;

/// OCR reads at most this many further pages without a new section of the contents: it takes seconds a page, and hardly any
/// contents go on after so many pages of something else. Chosen by hand.
const MAX_PAGES_BEYOND: usize = 10;

/// Reads the table of contents of a manual. `pages` are the numbers of the pages to read, counted
/// from 1, in ascending order. `before_page` is called before each page with its index in `pages`.
/// Scanned pages far beyond the contents are not read.
///
/// # Errors
///
/// If a page cannot be read.
pub fn read<M: Manual>(manual: &M, pages: &[u32], mut before_page: impl FnMut(usize)) -> Result<Contents, M::Error> {
    let mut reader = Reader::default();
    let mut sources = Vec::with_capacity(pages.len());
    for (index, &number) in pages.iter().enumerate() {
        before_page(index);
        let source = manual.page(number)?;
        let is_recognized = source.is_recognized();
        let page = if is_recognized { recognized(&source, &source.text()) } else { plain(&source) };
        reader.add(number, &source, &page);
        sources.push((number, source));
        if is_recognized && reader.is_beyond_contents() {
            break;
        }
    }
    let bookmarks = || manual.bookmarks();
    let mut divisions = reader.finish(bookmarks);
    if sections(&divisions) < FEW_SECTIONS
        && let Some(pictured) = read_pictures(&sources)
    {
        let pictured = pictured.finish(bookmarks);
        if sections(&pictured) > sections(&divisions) {
            divisions = pictured;
        }
    }
    Ok(Contents { divisions, pages_analyzed: sources.len() as u32 })
}

/// Reads pages whose own text lies beneath a picture by OCR, and the others as they are. `None` if there is no such page.
fn read_pictures<P: ManualPage>(sources: &[(u32, P)]) -> Option<Reader> {
    let mut reader = Reader::default();
    let mut has_picture = false;
    for (number, source) in sources {
        let picture = source.text_in_picture();
        let is_recognized = picture.is_some();
        has_picture |= is_recognized;
        let page = picture.map_or_else(|| plain(source), |text| recognized(source, &text));
        reader.add(*number, source, &page);
        if is_recognized && reader.is_beyond_contents() {
            break;
        }
    }
    has_picture.then_some(reader)
}

/// Returns the lines of a page with text of its own.
fn plain(source: &impl ManualPage) -> Page {
    Page::read(&source.text(), &source.geometry())
}

/// Returns the lines of a page that OCR has read.
fn recognized(source: &impl ManualPage, text: &PageText) -> Page {
    let mut page = Page::read(text, &source.geometry());
    misread::mend(&mut page.lines);
    page
}

/// What the pages read so far say about the contents.
#[derive(Default)]
struct Reader {
    contents: contents::Reader,
    headings: body::Headings,
    /// The sections of the contents when [`Self::is_beyond_contents`] was last asked.
    sections: usize,
    /// How many times in a row it was asked since then without more of them.
    pages_beyond: usize,
}

impl Reader {
    /// Adds page `number` with its lines.
    fn add(&mut self, number: u32, source: &impl ManualPage, page: &Page) {
        self.headings.add(page);
        self.contents.add(number, page, || source.paths());
    }

    /// Returns whether the contents have ended well before the page that was added last.
    fn is_beyond_contents(&mut self) -> bool {
        let sections = sections(&self.contents.clone().finish());
        self.pages_beyond = if sections > self.sections { 0 } else { self.pages_beyond + 1 };
        self.sections = sections;
        sections >= FEW_SECTIONS && self.pages_beyond >= MAX_PAGES_BEYOND
    }

    /// Returns the divisions that the contents print, or those of the bookmarks or headings if the contents have few
    /// sections.
    fn finish(self, bookmarks: impl FnOnce() -> Vec<Bookmark>) -> Vec<Division> {
        let printed = self.contents.finish();
        if sections(&printed) >= FEW_SECTIONS {
            return printed;
        }
        let others = [outline::divisions(&bookmarks()), self.headings.finish()];
        let more = others.into_iter().find(|other| sections(other) > sections(&printed));
        more.unwrap_or(printed)
    }
}

fn sections(divisions: &[Division]) -> usize {
    divisions.iter().map(|division| division.sections.len()).sum()
}
