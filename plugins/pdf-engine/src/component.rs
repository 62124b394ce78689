//! The library as the component of the world `pdf-engine`.

#![expect(unsafe_code, reason = "what wit-bindgen generates and exports crosses the component's border")]

use fanlight_contract::{Geometry, ImagePlacement, OpenError, PageError, PagePaths, PageText, Raster, RenderOptions};

use crate::bindings::exports::fanlight::plugin::{inspect, pdf};
use crate::bindings::fanlight::plugin::source;
use crate::{Document, Metadata, OutlineItem, Page};

/// The most bytes that the host returns for one `source.read`.
const CHUNK: u64 = 4 << 20;

/// The largest document that is read, in bytes.
const MAX_BYTES: u64 = 200 << 20;

struct Component;

crate::bindings::export!(Component with_types_in crate::bindings);

/// Reads the job's document whole: a PDF is read from its end, and hayro needs it in one piece.
fn open() -> Result<Document, OpenError> {
    let size = source::size();
    if size > MAX_BYTES {
        return Err(OpenError::Corrupt(format!("{size} bytes are more than the engine reads")));
    }
    let mut bytes = vec![];
    bytes
        .try_reserve_exact(size as usize)
        .map_err(|_| OpenError::Corrupt(format!("there is no memory for {size} bytes")))?;
    while (bytes.len() as u64) < size {
        let offset = bytes.len() as u64;
        let chunk = source::read(offset, (size - offset).min(CHUNK) as u32).map_err(OpenError::Corrupt)?;
        if chunk.is_empty() {
            return Err(OpenError::Corrupt(format!("the document ended at {offset} of {size} bytes")));
        }
        bytes.extend_from_slice(&chunk);
    }
    Document::open(bytes)
}

impl pdf::Guest for Component {
    type Document = Document;
    type Page = Page;
}

impl pdf::GuestDocument for Document {
    fn open() -> Result<pdf::Document, OpenError> {
        open().map(pdf::Document::new)
    }

    fn page_count(&self) -> u32 {
        self.page_count()
    }

    fn outline(&self) -> Vec<OutlineItem> {
        self.outline()
    }

    fn metadata(&self) -> Metadata {
        self.metadata()
    }

    fn page(&self, number: u32) -> Result<pdf::Page, PageError> {
        self.page(number).map(pdf::Page::new)
    }
}

impl pdf::GuestPage for Page {
    fn geometry(&self) -> Geometry {
        self.geometry()
    }

    fn text(&self) -> PageText {
        self.text()
    }

    fn paths(&self) -> PagePaths {
        self.paths()
    }

    fn images(&self) -> Vec<ImagePlacement> {
        self.images()
    }

    fn render(&self, options: RenderOptions) -> Result<Raster, PageError> {
        self.render(&options)
    }
}

impl inspect::Guest for Component {
    fn summarize() -> Result<inspect::Summary, OpenError> {
        let document = open()?;
        Ok(inspect::Summary { page_count: document.page_count(), encrypted: document.is_encrypted() })
    }

    fn pages(first: u32, count: u32) -> Result<Vec<Geometry>, OpenError> {
        let document = open()?;
        let numbers = first.max(1)..first.saturating_add(count).min(document.page_count().saturating_add(1));
        Ok(numbers.filter_map(|number| Some(document.page(number).ok()?.geometry())).collect())
    }

    fn picture(page: u32, options: RenderOptions) -> Result<Raster, inspect::PictureError> {
        let document = open().map_err(inspect::PictureError::Open)?;
        let page = document.page(page).map_err(inspect::PictureError::Page)?;
        page.render(&options).map_err(inspect::PictureError::Page)
    }
}
