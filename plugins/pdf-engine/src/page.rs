//! A page: its boxes, and what is read of it at the first question and kept.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use fanlight_vocabulary::{Geometry, PageText, Rect};
use hayro::hayro_syntax::object::Rect as PdfRect;
use hayro::hayro_syntax::page::{A4, Page as PdfPage, Rotation};

use crate::document::Reading;
use crate::text;

/// One page of a [`crate::Document`].
pub struct Page {
    reading: Rc<Reading>,
    index: usize,
    /// Counts what the caches hold; see `document`.
    kept: Rc<Cell<usize>>,
    text: OnceCell<PageText>,
}

impl Page {
    pub(crate) fn new(reading: Rc<Reading>, index: u32, kept: Rc<Cell<usize>>) -> Self {
        Self { reading, index: index as usize, kept, text: OnceCell::new() }
    }

    /// The page's boxes and how a viewer turns it. Where the file has no usable media box it is A4, as in every viewer
    /// that shows such a page at all; a crop box that leaves nothing is the media box.
    pub fn geometry(&self) -> Geometry {
        self.reading.with_dependent(|pdf, _| match pdf.pages().get(self.index) {
            Some(page) => geometry(page),
            None => Geometry { media_box: rect(A4), crop_box: rect(A4), rotation: 0, user_unit: 1.0 },
        })
    }

    /// All text of the page, in the order of the content stream, then that of annotations' appearances.
    ///
    /// Text in hidden layers is left out. Text that is clipped away or lies outside the crop box is given: whether it
    /// counts is for the reader to say.
    pub fn text(&self) -> PageText {
        self.text
            .get_or_init(|| {
                self.reading.with_dependent(|pdf, caches| {
                    let Some(page) = pdf.pages().get(self.index) else {
                        return PageText { fonts: vec![], runs: vec![] };
                    };
                    let (text, read) = text::read(page, caches);
                    self.kept.set(self.kept.get().saturating_add(read));
                    text
                })
            })
            .clone()
    }
}

/// The boxes as the contract has them: finite, ordered, the crop box inside the media box.
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
