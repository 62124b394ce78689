//! A sheet read by the engine built natively: no sandbox between.

use pdf_engine::vocabulary::{Geometry, PagePaths, PageText};
use schedule_extractor::Sheet;

/// A page of a document in memory.
pub(crate) struct NativeSheet(pdf_engine::Page);

impl NativeSheet {
    /// Opens page `number` of a PDF.
    pub(crate) fn open(bytes: Vec<u8>, number: u32) -> Result<Self, String> {
        let document = pdf_engine::Document::open(bytes).map_err(|error| format!("{error:?}"))?;
        document.page(number).map(Self).map_err(|error| format!("{error:?}"))
    }
}

impl Sheet for NativeSheet {
    fn geometry(&self) -> Geometry {
        self.0.geometry()
    }

    fn text(&self) -> PageText {
        self.0.text()
    }

    fn paths(&self) -> PagePaths {
        self.0.paths()
    }
}
