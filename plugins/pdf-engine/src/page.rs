//! A page: its boxes and its content, which is read when it is first asked for and then kept.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use fanlight_contract::{Geometry, ImagePlacement, PageError, PagePaths, PageText, Raster, Rect, RenderOptions};
use hayro::hayro_syntax::object::Rect as PdfRect;
use hayro::hayro_syntax::page::{A4, Page as PdfPage, Rotation};

use crate::content::Caches;
use crate::document::LoadedPdf;
use crate::{images, paths, render, text};

/// The least that pdf a page adds to the size of the caches, in bytes: its fonts and glyphs.
const MIN_KEPT: usize = 64 << 10;

/// One page of a [`crate::Document`].
pub struct Page {
    pdf: Rc<LoadedPdf>,
    index: usize,
    /// The size of the caches in bytes of content; see `document`.
    kept: Rc<Cell<usize>>,
    text: OnceCell<PageText>,
    paths: OnceCell<PagePaths>,
    images: OnceCell<Vec<ImagePlacement>>,
}

impl Page {
    pub(crate) fn new(pdf: Rc<LoadedPdf>, index: usize, kept: Rc<Cell<usize>>) -> Self {
        Self { pdf, index, kept, text: OnceCell::new(), paths: OnceCell::new(), images: OnceCell::new() }
    }

    /// Returns the page's boxes and its rotation in a viewer. A page without a usable media box has
    /// A4 size, as in every viewer that shows such a page. An empty crop box is replaced by the
    /// media box.
    pub fn geometry(&self) -> Geometry {
        self.pdf.with_dependent(|pdf, _| match pdf.pages().get(self.index) {
            Some(page) => geometry(page),
            None => Geometry { media_box: rect(A4), crop_box: rect(A4), rotation: 0, user_unit: 1.0 },
        })
    }

    /// Returns all text of the page in the order of the content stream, then that of annotations'
    /// appearances.
    ///
    /// Text in hidden layers is left out, and so is text that is painted outside the clip: a program
    /// that places a part of a sheet leaves the rest in the file. Text that is not painted is
    /// included wherever it stands, such as the layer of a scanner's OCR, and so is text outside the
    /// crop box.
    pub fn text(&self) -> PageText {
        self.text.get_or_init(|| self.read(text::read).unwrap_or(PageText { fonts: vec![], runs: vec![] })).clone()
    }

    /// Returns all painted paths of the page in drawing order, then those of annotations'
    /// appearances.
    ///
    /// Invisible paths are left out: those in hidden layers, those outside the clip, and those further
    /// from the media box than its size. So are subpaths outside the clip; one that is clipped in part
    /// is returned whole. Widths are scaled by the square root of the transformation's effect on
    /// areas. The opacity of a path that is filled and stroked is the greater of the two; soft
    /// masks are ignored. Shadings painted by `sh` and the glyphs of Type 3 fonts are not paths.
    ///
    /// If the text has not been read yet, it is read in the same pass: a caller who reads paths
    /// reads the text as well, and decoding and parsing the content takes longer than reporting
    /// either.
    pub fn paths(&self) -> PagePaths {
        self.paths.get_or_init(|| self.read_paths().unwrap_or_else(paths::none)).clone()
    }

    /// Returns the placements of images in drawing order, inline images included. Images in hidden
    /// layers are left out, images that are clipped away are not.
    pub fn images(&self) -> Vec<ImagePlacement> {
        self.images.get_or_init(|| self.read(images::read).unwrap_or_default()).clone()
    }

    /// Renders the page or a region of it on white paper, annotations included. Text whose font is
    /// not embedded is drawn in the engine's own fonts. The area outside the crop box stays white.
    ///
    /// # Errors
    /// [`PageError::BadRequest`] for a dpi outside 1 to 1200, an empty region, and more than 64 million pixels.
    pub fn render(&self, options: &RenderOptions) -> Result<Raster, PageError> {
        self.pdf.with_dependent(|pdf, caches| {
            let page = pdf.pages().get(self.index).ok_or(PageError::OutOfRange)?;
            let raster = render::render(page, caches, options)?;
            // hayro has now decoded the content into its own page and keeps it.
            self.count(page.page_stream().map_or(0, <[u8]>::len));
            Ok(raster)
        })
    }

    /// Reads the paths, and with them the text unless it has been read.
    fn read_paths(&self) -> Option<PagePaths> {
        if self.text.get().is_some() {
            return self.read(paths::read);
        }
        let (paths, text) = self.read(paths::read_with_text)?;
        self.text.get_or_init(|| text);
        Some(paths)
    }

    fn read<T>(&self, read: impl for<'a> FnOnce(&'a PdfPage<'a>, &Caches<'a>) -> (T, usize)) -> Option<T> {
        self.pdf.with_dependent(|pdf, caches| {
            let (value, bytes) = read(pdf.pages().get(self.index)?, caches);
            self.count(bytes);
            Some(value)
        })
    }

    fn count(&self, bytes: usize) {
        self.kept.set(self.kept.get().saturating_add(bytes).saturating_add(MIN_KEPT));
    }
}

/// Returns the boxes as the contract requires them: finite, ordered, and the crop box inside the
/// media box.
pub(crate) fn geometry(page: &PdfPage<'_>) -> Geometry {
    let media = usable(page.media_box()).unwrap_or(rect(A4));
    let crop = usable(page.intersected_crop_box()).unwrap_or(media);
    let rotation = match page.rotation() {
        Rotation::None => 0,
        Rotation::Horizontal => 90,
        Rotation::Flipped => 180,
        Rotation::FlippedHorizontal => 270,
    };
    let user_unit = page.raw().get::<f32>(b"UserUnit").filter(|unit| unit.is_finite() && *unit > 0.0);
    Geometry { media_box: media, crop_box: crop, rotation, user_unit: user_unit.unwrap_or(1.0) }
}

fn usable(rect_of_page: PdfRect) -> Option<Rect> {
    let rect = rect(rect_of_page);
    let finite = [rect.x1, rect.y1, rect.x2, rect.y2].iter().all(|value| value.is_finite());
    (finite && rect.x2 > rect.x1 && rect.y2 > rect.y1).then_some(rect)
}

fn rect(rect: PdfRect) -> Rect {
    Rect { x1: rect.x0 as f32, y1: rect.y0 as f32, x2: rect.x1 as f32, y2: rect.y1 as f32 }
}
