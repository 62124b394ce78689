//! Reads the table of contents of a project manual: its divisions and sections, titles as printed, in document order.
//!
//! The result is what the contents pages print. Where there are none, or their text can't be read, the document's
//! bookmarks take their place, and where those name no sections either, the section headings in the body.
//!
//! - `contents`: finds the contents pages and reads them. Each file below it does one step: a page becomes cells
//!   (what stands together on a line, struck-out text told apart), cells become an arrangement (where the numbers
//!   stand, in how many newspaper columns), its rows become sections and division headings, and the pages together
//!   decide what is a contents at all.
//! - `outline` and `body`: what takes its place.
//! - `plugin`: the model that the host runs. Everything else works on a [`Manual`], natively too.
//!
//! A section that the contents mark as not used, reserved, deleted or struck out isn't in the result: it has no
//! content, and its line is there only so that its number isn't given again. A division whose heading is printed is
//! in the result even without sections.

mod body;
mod contents;
mod outline;
mod plugin;
mod result;

use fanlight_contract::{Geometry, PagePaths, PageText};
use fanlight_text::Page;

pub use plugin::TocParser;
pub use result::{Contents, Division, Section};

/// A bookmark of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// As the file has it.
    pub title: String,
    /// 0 for the topmost level.
    pub level: u32,
}

/// A document as this crate reads it.
pub trait Manual {
    /// Why a page can't be had.
    type Error;
    /// A page of it.
    type Leaf: Leaf;

    /// Page `number`, 1-based.
    fn leaf(&self, number: u32) -> Result<Self::Leaf, Self::Error>;
    /// The outline in reading order; asked for only where the contents pages don't suffice.
    fn bookmarks(&self) -> Vec<Bookmark>;
}

/// A page as this crate reads it.
pub trait Leaf {
    /// Its boxes and rotation.
    fn geometry(&self) -> Geometry;
    /// Its text.
    fn text(&self) -> PageText;
    /// Its paths; asked for only where the text looks like a contents.
    fn paths(&self) -> PagePaths;
}

/// Fewer sections than this in contents pages are believed only where nothing else has more.
const FEW_SECTIONS: usize = 3;

/// Reads the contents of a manual. `pages` are the pages to look at, 1-based, ascending; `before_page` is called
/// before each with its place among them, from 0.
pub fn read<M: Manual>(manual: &M, pages: &[u32], mut before_page: impl FnMut(usize)) -> Result<Contents, M::Error> {
    let mut contents = contents::Reader::default();
    let mut headings = body::Headings::default();
    for (index, &number) in pages.iter().enumerate() {
        before_page(index);
        let leaf = manual.leaf(number)?;
        let page = Page::read(&leaf.text(), &leaf.geometry());
        headings.add(&page);
        contents.add(number, &page, || leaf.paths());
    }
    let printed = contents.finish();
    let mut divisions = printed;
    if sections(&divisions) < FEW_SECTIONS {
        for other in [outline::divisions(&manual.bookmarks()), headings.finish()] {
            if sections(&other) > sections(&divisions) {
                divisions = other;
                break;
            }
        }
    }
    Ok(Contents { divisions, pages_analyzed: pages.len() as u32 })
}

fn sections(divisions: &[Division]) -> usize {
    divisions.iter().map(|division| division.sections.len()).sum()
}
