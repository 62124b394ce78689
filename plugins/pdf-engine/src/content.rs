//! Interprets a page's content and tells a [`Collector`] what it shows, paints and places.
//!
//! What is hidden (optional content that is off, annotations that are not viewed) is not told. Everything else is,
//! whatever covers it. The interpretation is bounded: forms that contain themselves are left out, and a page ends after
//! [`MOST_OPERATORS`].

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use hayro::RenderCache;
use hayro::hayro_interpret::font::StandardFont;
use hayro::hayro_interpret::{InterpreterCache, InterpreterSettings};
use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::content::TypedIter;
use hayro::hayro_syntax::content::ops::TypedInstruction as Op;
use hayro::hayro_syntax::object::{Array, Dict, Name, Number, Object, Rect as PdfRect, Stream};
use hayro::hayro_syntax::page::{Page as PdfPage, Resources};
use hayro::hayro_syntax::xref::XRef;
use hayro::kurbo::{Affine, Point, Rect};
use hayro_font::FontCache;

use crate::font::{Glyph, TextFont};
use crate::ink::{Ink, Inks, Space};
use crate::layer::{Membership, OptionalContent};
use crate::path::Path;
use crate::shape;

/// The end of a page whose forms multiply: some ten times what the heaviest drawings have.
const MOST_OPERATORS: u64 = 50_000_000;

/// What drawing a form counts, in operators.
const FORM_COST: u64 = 100;

/// How deep forms may lie in one another; hayro's renderer stops at 50 too.
const MOST_NESTED: u32 = 50;

/// Graphics states that may be saved at a time; what is saved beyond is counted and not kept.
const MOST_SAVED: usize = 10_000;

/// Bytes of decoded forms that a walk keeps, for drawings that place the same symbol again and again.
const KEPT_FORMS: usize = 16 << 20;

/// What is learned of a document while it is read.
pub(crate) struct Caches<'a> {
    pub(crate) render: RenderCache<'a>,
    pub(crate) interpreter: InterpreterCache<'a>,
    pub(crate) settings: InterpreterSettings,
    xref: &'a XRef,
    fonts: FontCache<'a>,
    /// By the address of the font's dictionary.
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

    pub(crate) fn xref(&self) -> &'a XRef {
        self.xref
    }

    fn optional_content(&self) -> &OptionalContent {
        self.optional_content.get_or_init(|| OptionalContent::of(self.xref))
    }

    /// The font of a dictionary; where it can't be loaded, the one that stands in for missing fonts.
    fn font(&self, dict: &Dict<'a>) -> Option<Rc<TextFont<'a>>> {
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

    /// Helvetica, as viewers assume where no font is set.
    fn fallback_font(&self) -> Option<Rc<TextFont<'a>>> {
        let font = || {
            let font = self.fonts.standard_font(StandardFont::Helvetica, &self.settings.font_resolver)?;
            Some(Rc::new(TextFont::new(font, &Dict::empty())))
        };
        self.fallback_font.get_or_init(font).clone()
    }
}

/// What is told of a page. Each collector names the parts it wants, so that the rest costs nothing.
pub(crate) trait Collector<'a> {
    const TEXT: bool = false;
    const PATHS: bool = false;
    const IMAGES: bool = false;

    fn show(&mut self, _shown: &Shown<'_, 'a>) {}
    fn paint(&mut self, _painted: &Painted<'_>) {}
    fn place(&mut self, _placed: &Placed) {}
}

/// What one showing operator shows: at least one glyph.
pub(crate) struct Shown<'s, 'a> {
    pub(crate) font: &'s Rc<TextFont<'a>>,
    pub(crate) glyphs: &'s [ShownGlyph],
    /// From text space, as it is at the first glyph's code, to the page.
    pub(crate) to_page: Affine,
    /// In text space; may be negative.
    pub(crate) font_size: f64,
    /// Horizontal scaling as a factor.
    pub(crate) scale: f64,
    pub(crate) rise: f64,
    pub(crate) color: u32,
    pub(crate) visible: bool,
}

/// One glyph. Lengths are in text space along the writing direction: x, or y in vertical writing.
pub(crate) struct ShownGlyph {
    pub(crate) code: u32,
    pub(crate) glyph: Rc<Glyph>,
    /// Where its origin is.
    pub(crate) pen: f64,
    /// Its own advance, without spacing.
    pub(crate) own: f64,
}

/// A painted path, in user space of the page.
pub(crate) struct Painted<'s> {
    pub(crate) path: &'s Path,
    pub(crate) stroke: Option<u32>,
    pub(crate) fill: Option<u32>,
    pub(crate) opacity: f32,
    /// 0 where the path isn't stroked, as for the dashes.
    pub(crate) width: f32,
    pub(crate) dash: &'s [f32],
    pub(crate) layer: Option<&'s Rc<str>>,
}

/// A placed image.
pub(crate) struct Placed {
    /// From the unit square to the page.
    pub(crate) matrix: Affine,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) stencil: bool,
}

/// Interprets a page's content and then the appearances of its annotations. Returns the bytes of content read.
pub(crate) fn walk<'a, C: Collector<'a>>(page: &'a PdfPage<'a>, caches: &Caches<'a>, collector: &mut C) -> usize {
    let scope = Rc::new(Scope::new(page.resources().clone()));
    let content = page_content(page);
    let mut walk = Walk {
        caches,
        collector,
        inks: Inks::new(caches),
        state: State::new(page),
        saved: vec![],
        overflow: 0,
        path: Path::default(),
        clip_pending: false,
        marks: vec![],
        glyphs: vec![],
        pen: 0.0,
        nested: 0,
        left: MOST_OPERATORS,
        forms: HashMap::new(),
        kept_forms: 0,
        read: content.len(),
    };
    walk.stream(&content, &scope);
    walk.annotations(page, &scope);
    walk.read
}

/// The page's content streams, joined. Decoded here and dropped after the walk: hayro's own page would keep them.
fn page_content(page: &PdfPage<'_>) -> Vec<u8> {
    let decoded = |stream: Stream<'_>| stream.decoded_data().map(Cow::into_owned).unwrap_or_default();
    match page.raw().get::<Object<'_>>(b"Contents") {
        Some(Object::Stream(stream)) => decoded(stream),
        Some(Object::Array(streams)) => {
            let mut content = vec![];
            for stream in streams.iter::<Stream<'_>>() {
                content.extend(decoded(stream));
                content.push(b' ');
            }
            content
        }
        _ => vec![],
    }
}

/// The graphics state, as far as collectors are told of it.
#[derive(Clone)]
struct State<'a> {
    to_page: Affine,
    /// A box around what the clip leaves, in user space of the page.
    clip: Rect,
    fill: Paint<'a>,
    stroke: Paint<'a>,
    /// Of the transparency groups that this is inside of.
    group_opacity: f32,
    line_width: f64,
    dash: Rc<[f64]>,
    text: TextState<'a>,
}

#[derive(Clone)]
struct Paint<'a> {
    space: Space<'a>,
    ink: Ink<'a>,
    opacity: f32,
}

impl<'a> Paint<'a> {
    fn set(&mut self, space: Space<'a>, components: &[f32], resources: &Rc<Resources<'a>>) {
        self.space = space;
        self.ink = Ink::new(&self.space, components, None, resources);
    }

    /// Sets the colour in the space that is set.
    fn mix<'n>(
        &mut self,
        components: impl Iterator<Item = &'n Number>,
        pattern: Option<&Name<'_>>,
        resources: &Rc<Resources<'a>>,
    ) {
        // No space has more components (ISO 32000-2, annex C).
        let mut buffer = [0.0; 32];
        let mut count = 0;
        for (slot, component) in buffer.iter_mut().zip(components) {
            *slot = component.as_f32();
            count += 1;
        }
        self.ink = Ink::new(&self.space, &buffer[..count], pattern.map(AsRef::as_ref), resources);
    }
}

#[derive(Clone)]
struct TextState<'a> {
    font: Option<Rc<TextFont<'a>>>,
    size: f64,
    character_spacing: f64,
    word_spacing: f64,
    scale: f64,
    leading: f64,
    rise: f64,
    mode: i64,
    matrix: Affine,
    line_matrix: Affine,
}

impl State<'_> {
    fn new(page: &PdfPage<'_>) -> Self {
        let media = crate::page::geometry(page).media_box;
        // Content beyond the media box exists for no viewer; the margin is for what is placed roughly.
        let margin = f64::from(media.x2 - media.x1).max(f64::from(media.y2 - media.y1));
        let media = Rect::new(media.x1.into(), media.y1.into(), media.x2.into(), media.y2.into());
        let black = Paint { space: Space::Grey, ink: Ink::Rgb(0), opacity: 1.0 };
        Self {
            to_page: Affine::IDENTITY,
            clip: media.inflate(margin, margin),
            fill: black.clone(),
            stroke: black,
            group_opacity: 1.0,
            line_width: 1.0,
            dash: Rc::from([]),
            text: TextState {
                font: None,
                size: 1.0,
                character_spacing: 0.0,
                word_spacing: 0.0,
                scale: 1.0,
                leading: 0.0,
                rise: 0.0,
                mode: 0,
                matrix: Affine::IDENTITY,
                line_matrix: Affine::IDENTITY,
            },
        }
    }
}

/// The resources of a content stream and what was looked up in them.
pub(crate) struct Scope<'a> {
    pub(crate) resources: Rc<Resources<'a>>,
    fonts: RefCell<HashMap<Vec<u8>, Option<Rc<TextFont<'a>>>>>,
    memberships: RefCell<HashMap<Vec<u8>, Option<Mark>>>,
    objects: RefCell<HashMap<Vec<u8>, Option<XObject<'a>>>>,
    spaces: RefCell<HashMap<Vec<u8>, Space<'a>>>,
}

impl<'a> Scope<'a> {
    fn new(resources: Resources<'a>) -> Self {
        Self {
            resources: Rc::new(resources),
            fonts: RefCell::default(),
            memberships: RefCell::default(),
            objects: RefCell::default(),
            spaces: RefCell::default(),
        }
    }

    fn space(&self, name: &[u8]) -> Space<'a> {
        if let Some(space) = self.spaces.borrow().get(name) {
            return space.clone();
        }
        let space = Space::named(name, &self.resources);
        self.spaces.borrow_mut().insert(name.to_vec(), space.clone());
        space
    }
}

#[derive(Clone)]
enum XObject<'a> {
    Form(Rc<Form<'a>>),
    Image(ImageObject),
}

#[derive(Clone)]
struct ImageObject {
    mark: Option<Mark>,
    width: u32,
    height: u32,
    stencil: bool,
}

struct Form<'a> {
    mark: Option<Mark>,
    stream: Stream<'a>,
    matrix: Affine,
    bbox: Rect,
    is_group: bool,
    /// Where the form has resources of its own.
    scope: Option<Rc<Scope<'a>>>,
    decoded: OnceCell<Rc<[u8]>>,
    /// While it is being drawn.
    active: Cell<bool>,
}

/// What marked content says of what is inside it.
#[derive(Clone)]
struct Mark {
    visible: bool,
    layer: Option<Rc<str>>,
}

impl From<Membership> for Mark {
    fn from(membership: Membership) -> Self {
        Self { visible: membership.visible, layer: membership.layer.map(Rc::from) }
    }
}

struct Walk<'w, 'a, C> {
    caches: &'w Caches<'a>,
    collector: &'w mut C,
    inks: Inks<'w, 'a>,
    state: State<'a>,
    saved: Vec<State<'a>>,
    /// States saved beyond [`MOST_SAVED`].
    overflow: usize,
    path: Path,
    /// Whether the path becomes part of the clip when it ends.
    clip_pending: bool,
    marks: Vec<Mark>,
    /// The run being shown, and where the pen is in it.
    glyphs: Vec<ShownGlyph>,
    pen: f64,
    nested: u32,
    left: u64,
    /// By the address of the form's dictionary.
    forms: HashMap<usize, Rc<Form<'a>>>,
    kept_forms: usize,
    read: usize,
}

impl<'a, C: Collector<'a>> Walk<'_, 'a, C> {
    /// Interprets a content stream. Afterwards the state is what it was before.
    fn stream(&mut self, content: &[u8], scope: &Rc<Scope<'a>>) {
        let before = self.state.clone();
        let base = Base { saved: self.saved.len(), overflow: self.overflow, marks: self.marks.len() };
        let mut operators = TypedIter::new(content);
        while let Some(operator) = operators.next() {
            let Some(left) = self.left.checked_sub(1) else { break };
            self.left = left;
            self.operator(operator, scope, &base);
        }
        self.path.clear();
        self.clip_pending = false;
        self.saved.truncate(base.saved);
        self.overflow = base.overflow;
        self.marks.truncate(base.marks);
        self.state = before;
    }

    fn operator(&mut self, operator: Op<'_, '_>, scope: &Rc<Scope<'a>>, base: &Base) {
        match operator {
            Op::SaveState(_) => self.save(),
            Op::RestoreState(_) => self.restore(base),
            Op::Transform(m) => {
                let matrix = [m.0, m.1, m.2, m.3, m.4, m.5].map(|number| number.as_f64());
                self.state.to_page *= Affine::new(matrix);
            }
            Op::SetGraphicsState(gs) => {
                if let Some(parameters) = scope.resources.get_ext_g_state(gs.0) {
                    self.graphics_state(&parameters);
                }
            }

            Op::BeginMarkedContent(_) => self.push_mark(None),
            Op::BeginMarkedContentWithProperties(marked) => {
                let properties = marked.1.clone().into_name().filter(|_| marked.0.as_ref() == b"OC");
                let mark = properties.and_then(|name| self.mark(&name, scope));
                self.push_mark(mark);
            }
            Op::EndMarkedContent(_) if self.marks.len() > base.marks => {
                self.marks.pop();
            }

            Op::XObject(object) => self.x_object(object.0, scope),
            Op::InlineImage(image) if C::IMAGES => {
                if let Some(image) = image_object(image.0.dict(), None) {
                    self.image(&image);
                }
            }

            operator if C::PATHS && self.path_operator(&operator) => {}
            operator if (C::PATHS || C::TEXT) && self.color_operator(&operator, scope) => {}
            operator if C::TEXT => self.text_operator(&operator, scope),
            _ => {}
        }
    }

    fn save(&mut self) {
        if self.saved.len() >= MOST_SAVED {
            self.overflow += 1;
        } else {
            self.saved.push(self.state.clone());
        }
    }

    fn restore(&mut self, base: &Base) {
        if self.overflow > base.overflow {
            self.overflow -= 1;
        } else if self.saved.len() > base.saved
            && let Some(state) = self.saved.pop()
        {
            self.state = state;
        }
    }

    fn graphics_state(&mut self, parameters: &Dict<'a>) {
        let number = |key: &[u8]| parameters.get::<f64>(key).filter(|value| value.is_finite());
        if let Some(width) = number(b"LW") {
            self.state.line_width = width;
        }
        if let Some(opacity) = number(b"CA") {
            self.state.stroke.opacity = opacity as f32;
        }
        if let Some(opacity) = number(b"ca") {
            self.state.fill.opacity = opacity as f32;
        }
        if let Some(dash) = parameters.get::<Array<'_>>(b"D").and_then(|dash| dash.iter::<Array<'_>>().next()) {
            self.set_dash(&dash);
        }
        if let Some(font) = parameters.get::<Array<'_>>(b"Font") {
            let mut font = font.flex_iter();
            if let Some(dict) = font.next::<Dict<'_>>() {
                self.state.text.font = self.caches.font(&dict);
                self.state.text.size = font.next::<f64>().unwrap_or(self.state.text.size);
            }
        }
    }

    // Optional content

    fn visible(&self) -> bool {
        self.marks.last().is_none_or(|mark| mark.visible)
    }

    /// Marked content inherits what it says nothing of.
    fn push_mark(&mut self, mark: Option<Mark>) {
        let mut inner = mark.unwrap_or(Mark { visible: true, layer: None });
        inner.visible &= self.visible();
        if inner.layer.is_none() {
            inner.layer = self.marks.last().and_then(|outer| outer.layer.clone());
        }
        self.marks.push(inner);
    }

    fn mark(&self, name: &Name<'_>, scope: &Scope<'a>) -> Option<Mark> {
        if let Some(mark) = scope.memberships.borrow().get(name.as_ref()) {
            return mark.clone();
        }
        let mark = self.caches.optional_content().membership(&scope.resources.properties, name).map(Mark::from);
        scope.memberships.borrow_mut().insert(name.to_vec(), mark.clone());
        mark
    }

    // Forms and images

    fn x_object(&mut self, name: &Name<'_>, scope: &Rc<Scope<'a>>) {
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
        let mark = self.caches.optional_content().membership(dict, b"OC").map(Mark::from);
        match dict.get::<Name<'_>>(b"Subtype")?.as_ref() {
            b"Image" => image_object(dict, mark).map(XObject::Image),
            b"Form" => self.read_form(stream, mark).map(XObject::Form),
            _ => None,
        }
    }

    fn read_form(&mut self, stream: &Stream<'a>, mark: Option<Mark>) -> Option<Rc<Form<'a>>> {
        let dict = stream.dict();
        let address = dict.data().as_ptr() as usize;
        if let Some(form) = self.forms.get(&address) {
            return Some(Rc::clone(form));
        }
        let bbox = dict.get::<PdfRect>(b"BBox")?;
        let form = Rc::new(Form {
            mark,
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

    fn form(&mut self, form: &Rc<Form<'a>>, scope: &Rc<Scope<'a>>) {
        self.left = self.left.saturating_sub(FORM_COST);
        if !self.visible() || form.active.get() || self.nested >= MOST_NESTED {
            return;
        }
        if form.mark.as_ref().is_some_and(|mark| !mark.visible) {
            return;
        }
        let Some(content) = self.form_content(form) else { return };

        let before = self.state.clone();
        self.push_mark(form.mark.clone());
        form.active.set(true);
        self.nested += 1;

        self.state.to_page *= form.matrix;
        self.state.clip = self.state.clip.intersect(self.state.to_page.transform_rect_bbox(form.bbox));
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
        self.marks.pop();
        self.state = before;
    }

    fn form_content(&mut self, form: &Form<'a>) -> Option<Rc<[u8]>> {
        if let Some(content) = form.decoded.get() {
            return Some(Rc::clone(content));
        }
        let content: Rc<[u8]> = Rc::from(form.stream.decoded_data().ok()?.as_ref());
        self.read += content.len();
        if self.kept_forms + content.len() <= KEPT_FORMS {
            self.kept_forms += content.len();
            // Set once: the cell was empty above.
            let _ = form.decoded.set(Rc::clone(&content));
        }
        Some(content)
    }

    fn image(&mut self, image: &ImageObject) {
        if !self.visible() || image.mark.as_ref().is_some_and(|mark| !mark.visible) {
            return;
        }
        let ImageObject { width, height, stencil, .. } = *image;
        self.collector.place(&Placed { matrix: self.state.to_page, width, height, stencil });
    }

    // Annotations

    /// Draws the appearances that a viewer shows, each in its own box (ISO 32000-2, 12.5.5).
    fn annotations(&mut self, page: &PdfPage<'a>, scope: &Rc<Scope<'a>>) {
        const HIDDEN: u32 = 1 << 1;
        const NO_VIEW: u32 = 1 << 5;
        let Some(annotations) = page.raw().get::<Array<'_>>(b"Annots") else { return };
        for annotation in annotations.iter::<Dict<'_>>() {
            if annotation.get::<u32>(b"F").unwrap_or(0) & (HIDDEN | NO_VIEW) != 0 {
                continue;
            }
            let Some(rect) = annotation.get::<PdfRect>(b"Rect") else { continue };
            let Some(appearance) = appearance(&annotation) else { continue };
            let Some(form) = self.read_appearance(&appearance) else { continue };

            let drawn = form.matrix.transform_rect_bbox(form.bbox);
            let scale = (rect.width() / drawn.width(), rect.height() / drawn.height());
            let shift = (rect.x0 - scale.0 * drawn.x0, rect.y0 - scale.1 * drawn.y0);
            let fit = Affine::new([scale.0, 0.0, 0.0, scale.1, shift.0, shift.1]);
            if !fit.is_finite() {
                continue;
            }
            let before = self.state.clone();
            let mark = self.caches.optional_content().membership(&annotation, b"OC").map(Mark::from);
            self.push_mark(mark);
            self.state.to_page *= fit;
            self.form(&form, scope);
            self.marks.pop();
            self.state = before;
        }
    }

    fn read_appearance(&mut self, stream: &Stream<'a>) -> Option<Rc<Form<'a>>> {
        let mark = self.caches.optional_content().membership(stream.dict(), b"OC").map(Mark::from);
        self.read_form(stream, mark)
    }

    // Colour

    fn color_operator(&mut self, operator: &Op<'_, '_>, scope: &Scope<'a>) -> bool {
        let State { fill, stroke, .. } = &mut self.state;
        let resources = &scope.resources;
        match operator {
            Op::NonStrokeColorDeviceGray(c) => fill.set(Space::Grey, &numbers([c.0]), resources),
            Op::StrokeColorDeviceGray(c) => stroke.set(Space::Grey, &numbers([c.0]), resources),
            Op::NonStrokeColorDeviceRgb(c) => fill.set(Space::Rgb, &numbers([c.0, c.1, c.2]), resources),
            Op::StrokeColorDeviceRgb(c) => stroke.set(Space::Rgb, &numbers([c.0, c.1, c.2]), resources),
            Op::NonStrokeColorCmyk(c) => fill.set(Space::Cmyk, &numbers([c.0, c.1, c.2, c.3]), resources),
            Op::StrokeColorCmyk(c) => stroke.set(Space::Cmyk, &numbers([c.0, c.1, c.2, c.3]), resources),
            Op::ColorSpaceNonStroke(c) => fill.set(scope.space(c.0), &[], resources),
            Op::ColorSpaceStroke(c) => stroke.set(scope.space(c.0), &[], resources),
            Op::NonStrokeColor(c) => fill.mix(c.0.iter(), None, resources),
            Op::StrokeColor(c) => stroke.mix(c.0.iter(), None, resources),
            Op::NonStrokeColorNamed(c) => fill.mix(c.0.iter(), c.1, resources),
            Op::StrokeColorNamed(c) => stroke.mix(c.0.iter(), c.1, resources),
            _ => return false,
        }
        true
    }

    // Paths

    fn path_operator(&mut self, operator: &Op<'_, '_>) -> bool {
        let to_page = self.state.to_page;
        match operator {
            Op::MoveTo(p) => self.path.move_to(Point::new(p.0.as_f64(), p.1.as_f64()), to_page),
            Op::LineTo(p) => self.path.line_to(Point::new(p.0.as_f64(), p.1.as_f64()), to_page),
            Op::CubicTo(c) => {
                let [a, b, d] = [(c.0, c.1), (c.2, c.3), (c.4, c.5)].map(|(x, y)| Point::new(x.as_f64(), y.as_f64()));
                self.path.curve_to(Some(a), b, d, to_page);
            }
            Op::CubicStartTo(c) => {
                let [b, d] = [(c.0, c.1), (c.2, c.3)].map(|(x, y)| Point::new(x.as_f64(), y.as_f64()));
                self.path.curve_to(None, b, d, to_page);
            }
            Op::CubicEndTo(c) => {
                let [a, d] = [(c.0, c.1), (c.2, c.3)].map(|(x, y)| Point::new(x.as_f64(), y.as_f64()));
                self.path.curve_to(Some(a), d, d, to_page);
            }
            Op::RectPath(r) => {
                self.path.rect([r.0, r.1, r.2, r.3].map(|number| number.as_f64()), to_page);
            }
            Op::ClosePath(_) => self.path.close(),

            Op::StrokePath(_) => self.paint(false, true),
            Op::CloseAndStrokePath(_) => {
                self.path.close();
                self.paint(false, true);
            }
            Op::FillPathNonZero(_) | Op::FillPathNonZeroCompatibility(_) | Op::FillPathEvenOdd(_) => {
                self.paint(true, false);
            }
            Op::FillAndStrokeNonZero(_) | Op::FillAndStrokeEvenOdd(_) => self.paint(true, true),
            Op::CloseFillAndStrokeNonZero(_) | Op::CloseFillAndStrokeEvenOdd(_) => {
                self.path.close();
                self.paint(true, true);
            }
            Op::EndPath(_) => self.paint(false, false),
            Op::ClipNonZero(_) | Op::ClipEvenOdd(_) => self.clip_pending = true,

            Op::LineWidth(width) => self.state.line_width = width.0.as_f64(),
            Op::DashPattern(dash) => self.set_dash(dash.0),
            _ => return false,
        }
        true
    }

    fn set_dash(&mut self, dash: &Array<'_>) {
        let lengths: Vec<f64> = dash.iter::<f64>().collect();
        let dashed = lengths.iter().all(|length| length.is_finite() && *length >= 0.0)
            && lengths.iter().any(|length| *length > 0.0);
        self.state.dash = if dashed { Rc::from(lengths) } else { Rc::from([]) };
    }

    fn paint(&mut self, fills: bool, strokes: bool) {
        if (fills || strokes) && self.visible() {
            self.tell_path(fills, strokes);
        }
        if self.clip_pending
            && let Some(bounds) = self.path.bounds()
        {
            self.state.clip = self.state.clip.intersect(bounds);
        }
        self.clip_pending = false;
        self.path.clear();
    }

    fn tell_path(&mut self, fills: bool, strokes: bool) {
        self.path.end();
        let Some(bounds) = self.path.bounds() else { return };
        // The square root of what the transformation does to areas; of one that flattens, what it does to lengths. To
        // a ten-thousandth of a point, so that rounding in the file makes no styles.
        let [a, b, c, d, _, _] = self.state.to_page.as_coeffs();
        let area = (a * d - b * c).abs();
        let scale = if area > 0.0 { area.sqrt() } else { a.hypot(b).max(c.hypot(d)) };
        let points = |length: f64| (length * scale * 1e4).round() as f32 / 1e4;
        let width = if strokes { points(self.state.line_width.abs()) } else { 0.0 };
        let dash: Vec<f32> =
            if strokes { self.state.dash.iter().map(|length| points(*length)).collect() } else { vec![] };
        if !width.is_finite() || dash.iter().any(|length| !length.is_finite()) {
            return;
        }
        let reach = f64::from(width) / 2.0;
        let clip = self.state.clip.inflate(reach, reach);
        if bounds.x0 > clip.x1 || bounds.x1 < clip.x0 || bounds.y0 > clip.y1 || bounds.y1 < clip.y0 {
            return;
        }

        let fill = fills.then(|| self.state.fill.ink.rgb(&mut self.inks)).flatten();
        let stroke = strokes.then(|| self.state.stroke.ink.rgb(&mut self.inks)).flatten();
        if fill.is_none() && stroke.is_none() {
            return;
        }
        let mut opacity: f32 = 0.0;
        if fill.is_some() {
            opacity = opacity.max(self.state.fill.opacity);
        }
        if stroke.is_some() {
            opacity = opacity.max(self.state.stroke.opacity);
        }
        let opacity = (opacity * self.state.group_opacity).clamp(0.0, 1.0);
        let layer = self.marks.last().and_then(|mark| mark.layer.as_ref());
        self.collector.paint(&Painted { path: &self.path, stroke, fill, opacity, width, dash: &dash, layer });
    }

    // Text

    fn text_operator(&mut self, operator: &Op<'_, '_>, scope: &Scope<'a>) {
        let text = &mut self.state.text;
        match operator {
            Op::BeginText(_) => {
                text.matrix = Affine::IDENTITY;
                text.line_matrix = Affine::IDENTITY;
            }
            Op::SetTextMatrix(m) => {
                let matrix = Affine::new([m.0, m.1, m.2, m.3, m.4, m.5].map(|number| number.as_f64()));
                text.matrix = matrix;
                text.line_matrix = matrix;
            }
            Op::NextLine(by) => self.next_line(by.0.as_f64(), by.1.as_f64()),
            Op::NextLineAndSetLeading(by) => {
                text.leading = -by.1.as_f64();
                self.next_line(by.0.as_f64(), by.1.as_f64());
            }
            Op::NextLineUsingLeading(_) => self.next_line(0.0, -self.state.text.leading),
            Op::TextFont(font) => {
                text.size = font.1.as_f64();
                self.set_font(font.0, scope);
            }
            Op::CharacterSpacing(spacing) => text.character_spacing = spacing.0.as_f64(),
            Op::WordSpacing(spacing) => text.word_spacing = spacing.0.as_f64(),
            Op::HorizontalScaling(percent) => text.scale = percent.0.as_f64() / 100.0,
            Op::TextLeading(leading) => text.leading = leading.0.as_f64(),
            Op::TextRise(rise) => text.rise = rise.0.as_f64(),
            Op::TextRenderingMode(mode) => text.mode = mode.0.as_i64(),
            Op::ShowText(string) => self.show([ShowItem::Codes(string.0.as_bytes())]),
            Op::ShowTexts(items) => {
                let items: Vec<Object<'_>> = items.0.iter::<Object<'_>>().collect();
                self.show(items.iter().filter_map(ShowItem::of));
            }
            Op::NextLineAndShowText(string) => {
                self.next_line(0.0, -self.state.text.leading);
                self.show([ShowItem::Codes(string.0.as_bytes())]);
            }
            Op::ShowTextWithParameters(show) => {
                text.word_spacing = show.0.as_f64();
                text.character_spacing = show.1.as_f64();
                self.next_line(0.0, -self.state.text.leading);
                self.show([ShowItem::Codes(show.2.as_bytes())]);
            }
            _ => {}
        }
    }

    fn next_line(&mut self, x: f64, y: f64) {
        let text = &mut self.state.text;
        text.line_matrix *= Affine::translate((x, y));
        text.matrix = text.line_matrix;
    }

    fn set_font(&mut self, name: &Name<'_>, scope: &Scope<'a>) {
        let known = scope.fonts.borrow().get(name.as_ref()).cloned();
        self.state.text.font = known.unwrap_or_else(|| {
            let font = scope.resources.get_font(name).and_then(|dict| self.caches.font(&dict));
            scope.fonts.borrow_mut().insert(name.to_vec(), font.clone());
            font
        });
    }

    fn show<'s>(&mut self, items: impl IntoIterator<Item = ShowItem<'s>>) {
        let Some(font) = self.state.text.font.clone().or_else(|| self.caches.fallback_font()) else { return };
        self.glyphs.clear();
        self.pen = 0.0;
        for item in items {
            match item {
                ShowItem::Codes(codes) => self.append(&font, codes),
                ShowItem::Back(thousandths) => {
                    let text = &self.state.text;
                    let scale = if font.horizontal { text.scale } else { 1.0 };
                    self.pen -= thousandths / 1000.0 * text.size * scale;
                }
            }
        }
        if !self.glyphs.is_empty() && self.visible() {
            self.tell_run(&font);
        }
        let moved = if font.horizontal { (self.pen, 0.0) } else { (0.0, self.pen) };
        self.state.text.matrix *= Affine::translate(moved);
    }

    fn append(&mut self, font: &TextFont<'a>, codes: &[u8]) {
        let text = &self.state.text;
        let scale = if font.horizontal { text.scale } else { 1.0 };
        let mut offset = 0;
        while offset < codes.len() {
            let (code, length) = font.read_code(codes, offset);
            offset += length.max(1);
            let glyph = font.glyph(code);
            let own = glyph.advance * text.size * scale;
            let word_spacing = if code == 32 && length == 1 { text.word_spacing } else { 0.0 };
            self.glyphs.push(ShownGlyph { code, glyph, pen: self.pen, own });
            self.pen += own + (text.character_spacing + word_spacing) * scale;
        }
    }

    fn tell_run(&mut self, font: &Rc<TextFont<'a>>) {
        let text = &self.state.text;
        let color = self.state.fill.ink.rgb(&mut self.inks).unwrap_or(0);
        self.collector.show(&Shown {
            font,
            glyphs: &self.glyphs,
            to_page: self.state.to_page * text.matrix,
            font_size: text.size,
            scale: text.scale,
            rise: text.rise,
            color,
            visible: !matches!(text.mode, 3 | 7),
        });
    }
}

fn numbers<const COUNT: usize>(operands: [Number; COUNT]) -> [f32; COUNT] {
    operands.map(|operand| operand.as_f32())
}

/// What a content stream must not undo of the one that draws it.
struct Base {
    saved: usize,
    overflow: usize,
    marks: usize,
}

/// An element of what `TJ` shows.
enum ShowItem<'s> {
    Codes(&'s [u8]),
    /// Thousandths of the em by which the pen goes back.
    Back(f64),
}

impl<'s> ShowItem<'s> {
    fn of(object: &'s Object<'_>) -> Option<Self> {
        match object {
            Object::String(codes) => Some(Self::Codes(codes.as_bytes())),
            Object::Number(number) => Some(Self::Back(number.as_f64())),
            _ => None,
        }
    }
}

fn image_object(dict: &Dict<'_>, mark: Option<Mark>) -> Option<ImageObject> {
    let number = |long: &[u8], short: &[u8]| dict.get::<u32>(short).or_else(|| dict.get::<u32>(long));
    let (width, height) = (number(b"Width", b"W")?, number(b"Height", b"H")?);
    let stencil = dict.get::<bool>(b"IM").or_else(|| dict.get::<bool>(b"ImageMask")).unwrap_or(false);
    (width > 0 && height > 0).then_some(ImageObject { mark, width, height, stencil })
}

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
