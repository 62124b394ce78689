//! Collects painted paths in columns.

use std::collections::HashMap;
use std::rc::Rc;

use fanlight_contract::{PagePaths, PageText, PathStyle};
use hayro::hayro_syntax::page::Page as PdfPage;

use crate::content::{Caches, Collector, Painted, Shown, walk};
use crate::text::TextCollector;

/// Reads a page's painted paths. Also returns how many bytes of content it read.
pub(crate) fn read<'a>(page: &'a PdfPage<'a>, caches: &Caches<'a>) -> (PagePaths, usize) {
    let mut columns = Columns::default();
    let read = walk(page, caches, &mut columns);
    (columns.paths(), read)
}

/// Reads a page's painted paths and its text in one pass. Also returns how many bytes of content it
/// read.
pub(crate) fn read_with_text<'a>(page: &'a PdfPage<'a>, caches: &Caches<'a>) -> ((PagePaths, PageText), usize) {
    let mut both = PathsAndText::default();
    let read = walk(page, caches, &mut both);
    ((both.paths.paths(), both.text.text(caches)), read)
}

/// Returns the paths of an empty page.
pub(crate) fn none() -> PagePaths {
    Columns::default().paths()
}

#[derive(Default)]
struct PathsAndText<'a> {
    paths: Columns,
    text: TextCollector<'a>,
}

impl<'a> Collector<'a> for PathsAndText<'a> {
    const TEXT: bool = true;
    const PATHS: bool = true;

    fn show(&mut self, shown: &Shown<'_, 'a>) {
        self.text.show(shown);
    }

    fn paint(&mut self, painted: &Painted<'_>) {
        self.paths.paint(painted);
    }
}

/// The columns of the contract, with the indices of known styles and layers.
#[derive(Default)]
struct Columns {
    ops: Vec<u8>,
    coordinates: Vec<f32>,
    lengths: Vec<u32>,
    style_of: Vec<u32>,
    styles: Vec<PathStyle>,
    layers: Vec<String>,
    index_of_style: HashMap<StyleKey, u32>,
    index_of_layer: HashMap<Rc<str>, u32>,
    /// The layer of the preceding path, which is nearly always the next one's too.
    last_layer: Option<(Rc<str>, u32)>,
}

/// A style whose numbers are compared by their bits.
#[derive(PartialEq, Eq, Hash)]
struct StyleKey {
    stroke: Option<u32>,
    fill: Option<u32>,
    opacity: u32,
    width: u32,
    dash: Vec<u32>,
    layer: Option<u32>,
}

impl Collector<'_> for Columns {
    const PATHS: bool = true;

    fn paint(&mut self, painted: &Painted<'_>) {
        let layer = painted.layer.map(|name| self.layer(name));
        let style = self.style(painted, layer);
        self.ops.extend_from_slice(&painted.path.ops);
        self.coordinates.extend_from_slice(&painted.path.coordinates);
        self.lengths.push(painted.path.ops.len() as u32);
        self.style_of.push(style);
    }
}

impl Columns {
    fn paths(self) -> PagePaths {
        let Self { ops, coordinates, lengths, style_of, styles, layers, .. } = self;
        PagePaths { ops, coordinates, lengths, style_of, styles, layers }
    }

    fn layer(&mut self, name: &Rc<str>) -> u32 {
        if let Some((last, index)) = &self.last_layer
            && Rc::ptr_eq(last, name)
        {
            return *index;
        }
        let index = *self.index_of_layer.entry(Rc::clone(name)).or_insert_with(|| {
            self.layers.push(name.to_string());
            self.layers.len() as u32 - 1
        });
        self.last_layer = Some((Rc::clone(name), index));
        index
    }

    fn style(&mut self, painted: &Painted<'_>, layer: Option<u32>) -> u32 {
        let Painted { stroke, fill, opacity, width, dash, .. } = *painted;
        let style = PathStyle { stroke, fill, opacity, width, dash: dash.to_vec(), layer };
        if let Some(&last) = self.style_of.last()
            && self.styles.get(last as usize) == Some(&style)
        {
            return last;
        }
        let key = StyleKey {
            stroke,
            fill,
            opacity: opacity.to_bits(),
            width: width.to_bits(),
            dash: dash.iter().map(|length| length.to_bits()).collect(),
            layer,
        };
        *self.index_of_style.entry(key).or_insert_with(|| {
            self.styles.push(style);
            self.styles.len() as u32 - 1
        })
    }
}
