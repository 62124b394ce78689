//! What is kept of a document's fonts and layers while its pages are read.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use hayro::RenderCache;
use hayro::hayro_interpret::font::StandardFont;
use hayro::hayro_interpret::{InterpreterCache, InterpreterSettings};
use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::Dict;
use hayro::hayro_syntax::xref::XRef;
use hayro_font::FontCache;

use crate::font::TextFont;
use crate::layer::OptionalContent;
use crate::shape;

/// What is kept of a document while its pages are read.
pub(crate) struct Caches<'a> {
    pub(crate) render: RenderCache<'a>,
    pub(crate) interpreter: InterpreterCache<'a>,
    pub(crate) settings: InterpreterSettings,
    pub(crate) xref: &'a XRef,
    fonts: FontCache<'a>,
    /// Keyed by the address of the font's dictionary.
    text_fonts: RefCell<HashMap<usize, Rc<TextFont<'a>>>>,
    fallback_font: OnceCell<Option<Rc<TextFont<'a>>>>,
    optional_content: OnceCell<OptionalContent>,
    pub(crate) shapes: shape::Reader,
}

impl<'a> Caches<'a> {
    pub(crate) fn new(pdf: &'a Pdf) -> Self {
        Self {
            render: RenderCache::new(),
            interpreter: InterpreterCache::new(),
            settings: InterpreterSettings::default(),
            xref: pdf.xref(),
            fonts: FontCache::new(),
            text_fonts: RefCell::default(),
            fallback_font: OnceCell::new(),
            optional_content: OnceCell::new(),
            shapes: shape::Reader::new(),
        }
    }

    pub(super) fn optional_content(&self) -> &OptionalContent {
        self.optional_content.get_or_init(|| OptionalContent::new(self.xref))
    }

    /// Returns the font of a dictionary, or the fallback font if it cannot be loaded.
    pub(super) fn font(&self, dict: &Dict<'a>) -> Option<Rc<TextFont<'a>>> {
        let address = dict.data().as_ptr() as usize;
        if let Some(font) = self.text_fonts.borrow().get(&address) {
            return Some(Rc::clone(font));
        }
        let Some(font) = self.fonts.font(dict, &self.settings.font_resolver, &self.settings.cmap_resolver) else {
            return self.fallback_font();
        };
        let font = Rc::new(TextFont::new(font, dict));
        self.text_fonts.borrow_mut().insert(address, Rc::clone(&font));
        Some(font)
    }

    /// Returns Helvetica, which viewers use if no font is set.
    pub(super) fn fallback_font(&self) -> Option<Rc<TextFont<'a>>> {
        let font = self.fallback_font.get_or_init(|| {
            let font = self.fonts.standard_font(StandardFont::Helvetica, &self.settings.font_resolver)?;
            Some(Rc::new(TextFont::new(font, &Dict::empty())))
        });
        font.clone()
    }
}
