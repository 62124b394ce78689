//! Interprets a page's content and reports to a [`Collector`] what it shows, paints and places.
//!
//! Hidden content is not reported: optional content that is off, annotations that are not viewed, and what is painted outside
//! the clip. Everything else is, even if other content covers it. The interpretation is bounded: forms that contain themselves are left out, and a page
//! ends after [`MAX_OPERATORS`].

mod caches;
mod clip;
mod forms;
mod marked_content;
mod painting;
mod saved_states;
mod showing;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use hayro::hayro_syntax::content::TypedIter;
use hayro::hayro_syntax::content::ops::TypedInstruction as Op;
use hayro::hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro::hayro_syntax::page::{Page as PdfPage, Resources};
use hayro::kurbo::{Affine, Rect};

use crate::color::{Color, Colors, Space};
use crate::font::{Glyph, TextFont};
use crate::layer::Membership;
use crate::path::Path;

pub(crate) use caches::Caches;
use clip::{Clip, FillRule};
use marked_content::MarkStack;
use saved_states::{Depth, SavedStates};

/// Operators that are executed of a page, so that forms that place each other again and again end. The heaviest drawings
/// have about a tenth.
const MAX_OPERATORS: u64 = 50_000_000;

/// What drawing a form costs, in operators, so that pages of many small forms end as well. Chosen by hand.
const FORM_COST: u64 = 100;

/// The greatest depth of nested forms. hayro's renderer has the same limit.
const MAX_NESTED: u32 = 50;

/// Bytes of decoded forms that are kept during a page, for drawings that place the same symbol again and again. Bounds the memory.
const MAX_KEPT_FORMS: usize = 16 << 20;

/// Receives what a page holds. Each collector names the kinds of content that it wants, so that the rest costs nothing.
pub(crate) trait Collector<'a> {
    const TEXT: bool = false;
    const PATHS: bool = false;
    const IMAGES: bool = false;

    fn show(&mut self, _shown: &Shown<'_, 'a>) {}
    fn paint(&mut self, _painted: &Painted<'_>) {}
    fn place(&mut self, _placed: &Placed) {}
}

/// The glyphs that one operator shows: at least one.
pub(crate) struct Shown<'s, 'a> {
    pub(crate) font: &'s Rc<TextFont<'a>>,
    pub(crate) glyphs: &'s [ShownGlyph],
    /// From the text space of the first glyph to the page.
    pub(crate) to_page: Affine,
    /// In text space. May be negative.
    pub(crate) font_size: f64,
    /// Horizontal scaling as a factor.
    pub(crate) scale: f64,
    pub(crate) rise: f64,
    pub(crate) color: u32,
    pub(crate) visible: bool,
}

/// A shown glyph. Lengths are in text space along the writing direction: x, or y in vertical writing.
pub(crate) struct ShownGlyph {
    pub(crate) code: u32,
    pub(crate) glyph: Rc<Glyph>,
    /// The position of its origin.
    pub(crate) pen: f64,
    /// Its own advance, without spacing.
    pub(crate) advance: f64,
}

/// A painted path, in user space of the page.
pub(crate) struct Painted<'s> {
    pub(crate) path: &'s Path,
    pub(crate) stroke: Option<u32>,
    pub(crate) fill: Option<u32>,
    pub(crate) opacity: f32,
    /// In points; 0 if the path is not stroked.
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

/// Interprets a page's content, then the appearances of its annotations. Returns how many bytes of content it read.
pub(crate) fn walk<'a, C: Collector<'a>>(page: &'a PdfPage<'a>, caches: &Caches<'a>, collector: &mut C) -> usize {
    let scope = Rc::new(Scope::new(page.resources().clone()));
    let content = page_content(page);
    let mut walk = Walk {
        caches,
        collector,
        colors: Colors::new(caches),
        state: State::new(page),
        saved: SavedStates::new(),
        path: Path::default(),
        pending_clip: None,
        comparisons_left: clip::MAX_COMPARISONS,
        marks: MarkStack::default(),
        glyphs: vec![],
        pen: 0.0,
        nested: 0,
        operators_left: MAX_OPERATORS,
        forms: HashMap::new(),
        kept_forms: 0,
        read: content.len(),
    };
    walk.stream(&content, &scope);
    walk.annotations(page, &scope);
    walk.read
}

/// Returns the page's content streams, joined. They are decoded here and dropped after the walk, whereas hayro's page
/// would keep them.
fn page_content(page: &PdfPage<'_>) -> Vec<u8> {
    match page.raw().get::<Object<'_>>(b"Contents") {
        Some(Object::Stream(stream)) => decoded(&stream),
        Some(Object::Array(streams)) => {
            let mut content = vec![];
            for stream in streams.iter::<Stream<'_>>() {
                content.extend(decoded(&stream));
                content.push(b' ');
            }
            content
        }
        _ => vec![],
    }
}

/// Returns the decoded content of a stream; empty if it cannot be decoded.
fn decoded(stream: &Stream<'_>) -> Vec<u8> {
    stream.decoded_data().map(Cow::into_owned).unwrap_or_default()
}

/// The parameters of the graphics state that collectors need.
#[derive(Clone)]
struct State<'a> {
    to_page: Affine,
    clip: Clip,
    fill: Paint<'a>,
    stroke: Paint<'a>,
    /// The opacity of the enclosing transparency groups.
    group_opacity: f32,
    line_width: f64,
    dash: Rc<[f64]>,
    text: TextState<'a>,
}

#[derive(Clone)]
struct Paint<'a> {
    space: Space<'a>,
    color: Color<'a>,
    opacity: f32,
}

#[derive(Clone, Default)]
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
        // No viewer shows content outside the media box. The margin is for content that is placed roughly.
        let margin = f64::from(media.x2 - media.x1).max(f64::from(media.y2 - media.y1));
        let media = Rect::new(media.x1.into(), media.y1.into(), media.x2.into(), media.y2.into());
        let black = Paint { space: Space::Grey, color: Color::Rgb(0), opacity: 1.0 };
        Self {
            to_page: Affine::IDENTITY,
            clip: Clip::of_box(media.inflate(margin, margin)),
            fill: black.clone(),
            stroke: black,
            group_opacity: 1.0,
            line_width: 1.0,
            dash: Rc::from([]),
            text: TextState { size: 1.0, scale: 1.0, ..TextState::default() },
        }
    }
}

/// The resources of a content stream, with cached lookups.
pub(crate) struct Scope<'a> {
    pub(crate) resources: Rc<Resources<'a>>,
    fonts: RefCell<HashMap<Vec<u8>, Option<Rc<TextFont<'a>>>>>,
    memberships: RefCell<HashMap<Vec<u8>, Option<Membership>>>,
    objects: RefCell<HashMap<Vec<u8>, Option<XObject<'a>>>>,
}

impl<'a> Scope<'a> {
    fn new(resources: Resources<'a>) -> Self {
        Self {
            resources: Rc::new(resources),
            fonts: RefCell::default(),
            memberships: RefCell::default(),
            objects: RefCell::default(),
        }
    }
}

#[derive(Clone)]
enum XObject<'a> {
    Form(Rc<Form<'a>>),
    Image(ImageObject),
}

#[derive(Clone)]
struct ImageObject {
    mark: Option<Membership>,
    width: u32,
    height: u32,
    stencil: bool,
}

struct Form<'a> {
    mark: Option<Membership>,
    stream: Stream<'a>,
    matrix: Affine,
    bbox: Rect,
    is_group: bool,
    /// The form's own resources, if it has any.
    scope: Option<Rc<Scope<'a>>>,
    decoded: OnceCell<Rc<[u8]>>,
    /// Whether it is being drawn.
    active: Cell<bool>,
}

struct Walk<'w, 'a, C> {
    caches: &'w Caches<'a>,
    collector: &'w mut C,
    colors: Colors<'w, 'a>,
    state: State<'a>,
    saved: SavedStates<State<'a>>,
    path: Path,
    /// The rule by which the path becomes part of the clip when it ends, if it does.
    pending_clip: Option<FillRule>,
    /// What [`Clip::visible`] may still compare.
    comparisons_left: u64,
    marks: MarkStack,
    /// The glyphs of the run that is being shown.
    glyphs: Vec<ShownGlyph>,
    /// The position of the pen in that run.
    pen: f64,
    nested: u32,
    operators_left: u64,
    /// Keyed by the address of the form's dictionary.
    forms: HashMap<usize, Rc<Form<'a>>>,
    /// Bytes of decoded forms that are kept.
    kept_forms: usize,
    /// Bytes of content that are read.
    read: usize,
}

impl<'a, C: Collector<'a>> Walk<'_, 'a, C> {
    /// Interprets a content stream, and restores the graphics state afterwards.
    fn stream(&mut self, content: &[u8], scope: &Rc<Scope<'a>>) {
        let before = self.state.clone();
        let base = Base { saved: self.saved.depth(), marks: self.marks.depth() };
        let mut operators = TypedIter::new(content);
        while let Some(operator) = operators.next() {
            let Some(left) = self.operators_left.checked_sub(1) else { break };
            self.operators_left = left;
            self.operator(operator, scope, &base);
        }
        self.path.clear();
        self.pending_clip = None;
        self.saved.truncate(base.saved);
        self.marks.truncate(base.marks);
        self.state = before;
    }

    fn operator(&mut self, operator: Op<'_, '_>, scope: &Rc<Scope<'a>>, base: &Base) {
        match operator {
            Op::SaveState(_) => self.saved.save(&self.state),
            Op::RestoreState(_) => {
                if let Some(state) = self.saved.restore_above(base.saved) {
                    self.state = state;
                }
            }
            Op::Transform(m) => {
                let matrix = [m.0, m.1, m.2, m.3, m.4, m.5].map(|number| number.as_f64());
                self.state.to_page *= Affine::new(matrix);
            }
            Op::SetGraphicsState(gs) => {
                if let Some(parameters) = scope.resources.get_ext_g_state(gs.0) {
                    self.graphics_state(&parameters);
                }
            }

            Op::BeginMarkedContent(_) => self.marks.push(None),
            Op::BeginMarkedContentWithProperties(marked) => {
                let properties = marked.1.clone().into_name().filter(|_| marked.0.as_ref() == b"OC");
                let mark = properties.and_then(|name| self.mark(&name, scope));
                self.marks.push(mark);
            }
            Op::EndMarkedContent(_) => self.marks.pop_above(base.marks),

            Op::XObject(object) => self.x_object(object.0, scope),
            Op::InlineImage(image) if C::IMAGES => {
                if let Some(image) = forms::image_object(image.0.dict(), None) {
                    self.image(&image);
                }
            }

            operator if (C::PATHS || C::TEXT) && self.path_operator(&operator) => {}
            operator if (C::PATHS || C::TEXT) && self.color_operator(&operator, scope) => {}
            operator if C::TEXT => self.text_operator(&operator, scope),
            _ => {}
        }
    }

    /// Sets the parameters of an extended graphics state (operator `gs`).
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

    /// Returns the layer that `name` stands for in the resources.
    fn mark(&self, name: &Name<'_>, scope: &Scope<'a>) -> Option<Membership> {
        if let Some(mark) = scope.memberships.borrow().get(name.as_ref()) {
            return mark.clone();
        }
        let mark = self.caches.optional_content().membership(&scope.resources.properties, name);
        scope.memberships.borrow_mut().insert(name.to_vec(), mark.clone());
        mark
    }
}

/// The depth of the stacks at the beginning of a content stream, below which it must not restore.
struct Base {
    saved: Depth,
    marks: usize,
}
