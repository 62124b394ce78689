//! Forms, images and the appearances of annotations.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use hayro::hayro_syntax::object::{Array, Dict, Name, Object, Rect as PdfRect, Stream};
use hayro::hayro_syntax::page::{Page as PdfPage, Resources};
use hayro::kurbo::{Affine, Rect};

use super::{Collector, FORM_COST, Form, ImageObject, MAX_KEPT_FORMS, MAX_NESTED, Placed, Scope, Walk, XObject};
use crate::layer::Membership;

impl<'a, C: Collector<'a>> Walk<'_, 'a, C> {
    /// Draws the form or reports the image that `name` stands for.
    pub(super) fn x_object(&mut self, name: &Name<'_>, scope: &Rc<Scope<'a>>) {
        let known = scope.objects.borrow().get(name.as_ref()).cloned();
        let object = known.unwrap_or_else(|| {
            let object = scope.resources.get_x_object(name).and_then(|stream| self.read_x_object(&stream));
            scope.objects.borrow_mut().insert(name.to_vec(), object.clone());
            object
        });
        match object {
            Some(XObject::Form(form)) => self.form(&form, scope),
            Some(XObject::Image(image)) if C::IMAGES => self.image(&image),
            _ => {}
        }
    }

    fn read_x_object(&mut self, stream: &Stream<'a>) -> Option<XObject<'a>> {
        let dict = stream.dict();
        match dict.get::<Name<'_>>(b"Subtype")?.as_ref() {
            b"Image" => image_object(dict, self.membership(dict)).map(XObject::Image),
            b"Form" => self.read_form(stream).map(XObject::Form),
            _ => None,
        }
    }

    /// Returns the form of a stream; `None` if it has no bounding box.
    fn read_form(&mut self, stream: &Stream<'a>) -> Option<Rc<Form<'a>>> {
        let dict = stream.dict();
        let address = dict.data().as_ptr() as usize;
        if let Some(form) = self.forms.get(&address) {
            return Some(Rc::clone(form));
        }
        let bbox = dict.get::<PdfRect>(b"BBox")?;
        let form = Rc::new(Form {
            mark: self.membership(dict),
            matrix: dict.get::<[f64; 6]>(b"Matrix").map(Affine::new).unwrap_or_default(),
            bbox: Rect::new(bbox.x0, bbox.y0, bbox.x1, bbox.y1),
            is_group: dict.get::<Dict<'_>>(b"Group").is_some(),
            scope: dict.get::<Dict<'_>>(b"Resources").map(|own| Rc::new(Scope::new(Resources::new(own)))),
            stream: stream.clone(),
            decoded: OnceCell::new(),
            active: Cell::new(false),
        });
        self.forms.insert(address, Rc::clone(&form));
        Some(form)
    }

    /// Draws a form, unless it is hidden, contains itself or is nested too deep.
    fn form(&mut self, form: &Rc<Form<'a>>, scope: &Rc<Scope<'a>>) {
        self.operators_left = self.operators_left.saturating_sub(FORM_COST);
        let is_hidden = !self.marks.is_visible() || form.mark.as_ref().is_some_and(|mark| !mark.visible);
        if is_hidden || form.active.get() || self.nested >= MAX_NESTED {
            return;
        }
        let Some(content) = self.form_content(form) else { return };

        let before = self.state.clone();
        self.marks.push(form.mark.clone());
        form.active.set(true);
        self.nested += 1;

        self.state.to_page *= form.matrix;
        self.state.clip.narrow_to_box(self.state.to_page.transform_rect_bbox(form.bbox));
        if form.is_group {
            self.state.group_opacity *= self.state.fill.opacity;
            self.state.fill.opacity = 1.0;
            self.state.stroke.opacity = 1.0;
        }
        let own = form.scope.as_ref().unwrap_or(scope);
        self.path.clear();
        self.stream(&content, own);

        self.nested -= 1;
        form.active.set(false);
        self.marks.pop_above(0);
        self.state = before;
    }

    /// Returns the decoded content of a form, and keeps it while the limit allows.
    fn form_content(&mut self, form: &Form<'a>) -> Option<Rc<[u8]>> {
        if let Some(content) = form.decoded.get() {
            return Some(Rc::clone(content));
        }
        let content: Rc<[u8]> = Rc::from(form.stream.decoded_data().ok()?.as_ref());
        self.read += content.len();
        if self.kept_forms + content.len() <= MAX_KEPT_FORMS {
            self.kept_forms += content.len();
            // The cell is empty: its content was returned above otherwise.
            let _ = form.decoded.set(Rc::clone(&content));
        }
        Some(content)
    }

    pub(super) fn image(&mut self, image: &ImageObject) {
        if !self.marks.is_visible() || image.mark.as_ref().is_some_and(|mark| !mark.visible) {
            return;
        }
        let ImageObject { width, height, stencil, .. } = *image;
        self.collector.place(&Placed { matrix: self.state.to_page, width, height, stencil });
    }

    /// Draws the appearances that a viewer shows, each scaled to its annotation's rectangle (ISO 32000-2, 12.5.5).
    pub(super) fn annotations(&mut self, page: &PdfPage<'a>, scope: &Rc<Scope<'a>>) {
        const HIDDEN: u32 = 1 << 1;
        const NO_VIEW: u32 = 1 << 5;
        let Some(annotations) = page.raw().get::<Array<'_>>(b"Annots") else { return };
        for annotation in annotations.iter::<Dict<'_>>() {
            if annotation.get::<u32>(b"F").unwrap_or(0) & (HIDDEN | NO_VIEW) != 0 {
                continue;
            }
            let Some(rect) = annotation.get::<PdfRect>(b"Rect") else { continue };
            let Some(appearance) = appearance(&annotation) else { continue };
            let Some(form) = self.read_form(&appearance) else { continue };

            let drawn = form.matrix.transform_rect_bbox(form.bbox);
            let scale = (rect.width() / drawn.width(), rect.height() / drawn.height());
            let shift = (rect.x0 - scale.0 * drawn.x0, rect.y0 - scale.1 * drawn.y0);
            let fit = Affine::new([scale.0, 0.0, 0.0, scale.1, shift.0, shift.1]);
            if !fit.is_finite() {
                continue;
            }
            let before = self.state.clone();
            self.marks.push(self.membership(&annotation));
            self.state.to_page *= fit;
            self.form(&form, scope);
            self.marks.pop_above(0);
            self.state = before;
        }
    }

    /// Returns the layer of an image, a form or an annotation.
    fn membership(&self, dict: &Dict<'_>) -> Option<Membership> {
        self.caches.optional_content().membership(dict, b"OC")
    }
}

/// Returns the size and kind of an image; `None` if it has no size. Inline images abbreviate the keys.
pub(super) fn image_object(dict: &Dict<'_>, mark: Option<Membership>) -> Option<ImageObject> {
    let number = |long: &[u8], short: &[u8]| dict.get::<u32>(short).or_else(|| dict.get::<u32>(long));
    let (width, height) = (number(b"Width", b"W")?, number(b"Height", b"H")?);
    let stencil = dict.get::<bool>(b"IM").or_else(|| dict.get::<bool>(b"ImageMask")).unwrap_or(false);
    (width > 0 && height > 0).then_some(ImageObject { mark, width, height, stencil })
}

/// Returns the normal appearance of an annotation, in its current state if it has several.
fn appearance<'a>(annotation: &Dict<'a>) -> Option<Stream<'a>> {
    match annotation.get::<Dict<'_>>(b"AP")?.get::<Object<'_>>(b"N")? {
        Object::Stream(stream) => Some(stream),
        Object::Dict(states) => annotation
            .get::<Name<'_>>(b"AS")
            .and_then(|state| states.get::<Stream<'_>>(state))
            .or_else(|| states.get::<Stream<'_>>(b"Off")),
        _ => None,
    }
}
