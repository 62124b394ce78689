//! Pages from the engine, with OCR on request.

use anyhow::{Result, anyhow};
use fanlight_contract::{Geometry, ImagePlacement, PagePaths, PageText, Raster, RenderOptions};
use fanlight_plugin::page::{Layout, Readable};
use fanlight_raster::ReadWord;

/// A page of a document in memory.
pub struct NativePage {
    page: pdf_engine::Page,
    has_ocr: bool,
}

impl NativePage {
    /// Opens page `number` of a PDF, from 1, without OCR.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or has no such page.
    pub fn open(pdf: Vec<u8>, number: u32) -> Result<Self> {
        let document = pdf_engine::Document::open(pdf).map_err(|error| anyhow!("{error:?}"))?;
        let page = document.page(number).map_err(|error| anyhow!("{error:?}"))?;
        Ok(Self::new(page))
    }

    /// Takes a page of an open document, without OCR.
    pub fn new(page: pdf_engine::Page) -> Self {
        Self { page, has_ocr: false }
    }

    /// Returns the same page with OCR by the engine that serves.
    #[must_use]
    pub fn with_ocr(self) -> Self {
        Self { has_ocr: true, ..self }
    }
}

impl Readable for NativePage {
    fn geometry(&self) -> Geometry {
        self.page.geometry()
    }

    fn text(&self) -> PageText {
        self.page.text()
    }

    fn paths(&self) -> PagePaths {
        self.page.paths()
    }

    fn images(&self) -> Vec<ImagePlacement> {
        self.page.images()
    }

    fn render(&self, options: &RenderOptions) -> Option<Raster> {
        self.page.render(options).ok()
    }

    fn recognize(&self, raster: &Raster, layout: Layout, _languages: &[&str]) -> Option<Vec<ReadWord>> {
        if self.has_ocr { crate::ocr::words(raster, layout) } else { None }
    }
}
