//! Collects text: one run for each operator that shows text.

use std::collections::HashMap;
use std::rc::Rc;

use fanlight_contract::{Font, PageText, Rect, TextRun};
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::kurbo::{Affine, Point, Vec2};

use crate::content::{Caches, Collector, Shown, walk};
use crate::font::TextFont;
use crate::shape;

/// Reads a page's text. Also returns how many bytes of content it read.
pub(crate) fn read<'a>(page: &'a PdfPage<'a>, caches: &Caches<'a>) -> (PageText, usize) {
    let mut collector = TextCollector::default();
    let read = walk(page, caches, &mut collector);
    (collector.text(caches), read)
}

#[derive(Default)]
pub(crate) struct TextCollector<'a> {
    fonts: Vec<Font>,
    /// The interpreter's fonts, one for each of `fonts`.
    sources: Vec<Rc<TextFont<'a>>>,
    /// Keyed by the address of the interpreter's font, which outlives the walk.
    index_of: HashMap<usize, u32>,
    runs: Vec<TextRun>,
}

impl<'a> TextCollector<'a> {
    pub(crate) fn text(mut self, caches: &Caches<'a>) -> PageText {
        if self.sources.iter().any(|font| font.is_in_doubt()) {
            shape::complete(&self.sources, &mut self.runs, &caches.shapes);
        }
        PageText { fonts: self.fonts, runs: self.runs }
    }
}

impl<'a> Collector<'a> for TextCollector<'a> {
    const TEXT: bool = true;

    fn show(&mut self, shown: &Shown<'_, 'a>) {
        let Some(frame) = RunFrame::new(shown) else { return };
        let address = Rc::as_ptr(shown.font) as usize;
        let font = *self.index_of.entry(address).or_insert_with(|| {
            self.fonts.push(shown.font.described.clone());
            self.sources.push(Rc::clone(shown.font));
            self.fonts.len() as u32 - 1
        });

        let glyphs = shown.glyphs;
        let mut text = String::new();
        let mut lengths = Vec::with_capacity(glyphs.len());
        let mut codes = Vec::with_capacity(glyphs.len());
        let mut advances = Vec::with_capacity(glyphs.len());
        for (index, glyph) in glyphs.iter().enumerate() {
            text.push_str(&glyph.glyph.text);
            lengths.push(glyph.glyph.text.len() as u8);
            codes.push(glyph.code);
            let advance = glyphs.get(index + 1).map_or(glyph.advance, |next| next.pen - glyph.pen);
            advances.push((advance * frame.points) as f32);
        }
        self.runs.push(TextRun {
            text,
            lengths,
            advances,
            codes,
            x: frame.origin.x as f32,
            y: frame.origin.y as f32,
            size: frame.size as f32,
            angle: frame.angle,
            bbox: frame.bbox,
            font,
            color: shown.color,
            visible: shown.visible,
        });
    }
}

/// The position and size of a run on the page.
struct RunFrame {
    origin: Point,
    /// Points along the baseline for each unit of text space; negative if the pen moves against its
    /// axis.
    points: f64,
    angle: f32,
    size: f64,
    bbox: Rect,
}

impl RunFrame {
    /// Measures a run; `None` if it has no extent or its coordinates are not finite.
    fn new(shown: &Shown<'_, '_>) -> Option<Self> {
        let first = shown.glyphs.first()?;
        let [a, b, c, d, _, _] = shown.to_page.as_coeffs();
        let (x_axis, y_axis) = (Vec2::new(a, b), Vec2::new(c, d));
        let area = (x_axis.x * y_axis.y - x_axis.y * y_axis.x).abs();

        // The pen moves right in horizontal writing and down in vertical writing, and backwards
        // with a negative size.
        let axis = if shown.font.horizontal { x_axis } else { -y_axis };
        let sign =
            if shown.font_size * if shown.font.horizontal { shown.scale } else { 1.0 } < 0.0 { -1.0 } else { 1.0 };
        let direction = axis * sign;
        let angle = direction.y.atan2(direction.x).to_degrees().rem_euclid(360.0) as f32;
        let points = if shown.font.horizontal { sign } else { -sign } * direction.length();

        // Measured perpendicularly to the baseline, so that slant does not count.
        let height = if x_axis.length() > 0.0 { area / x_axis.length() } else { y_axis.length() };
        let size = shown.font_size.abs() * height;

        let bbox = extent(shown)?;
        let origin = shown.to_page * position(shown, first.pen);
        let finite = [origin.x, origin.y, size, points].iter().all(|value| (*value as f32).is_finite());
        (finite && angle.is_finite()).then_some(Self { origin, points, angle: angle % 360.0, size, bbox })
    }
}

/// Returns a point of the baseline in the text space of the run's first glyph.
fn position(shown: &Shown<'_, '_>, pen: f64) -> Point {
    if shown.font.horizontal { Point::new(pen, shown.rise) } else { Point::new(0.0, pen + shown.rise) }
}

fn extent(shown: &Shown<'_, '_>) -> Option<Rect> {
    let pens = shown.glyphs.iter().flat_map(|glyph| [glyph.pen, glyph.pen + glyph.advance]);
    let (low, high) = pens.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), pen| (low.min(pen), high.max(pen)));
    let (ascent, descent) = (shown.font.ascent * shown.font_size, shown.font.descent * shown.font_size);
    // The glyphs of vertical writing are centred on its baseline (ISO 32000-2, 9.7.4.3).
    let half = shown.font_size / 2.0 * shown.scale;
    let corners = if shown.font.horizontal {
        [(low, descent), (high, descent), (high, ascent), (low, ascent)]
    } else {
        [(-half, low), (half, low), (half, high), (-half, high)]
    };
    bounds(shown.to_page * Affine::translate((0.0, shown.rise)), corners)
}

fn bounds(to_page: Affine, corners: [(f64, f64); 4]) -> Option<Rect> {
    let corners = corners.map(|corner| to_page * Point::from(corner));
    let least = |coordinate: fn(&Point) -> f64| corners.iter().map(coordinate).fold(f64::INFINITY, f64::min) as f32;
    let most = |coordinate: fn(&Point) -> f64| corners.iter().map(coordinate).fold(f64::NEG_INFINITY, f64::max) as f32;
    let rect = Rect { x1: least(|p| p.x), y1: least(|p| p.y), x2: most(|p| p.x), y2: most(|p| p.y) };
    [rect.x1, rect.y1, rect.x2, rect.y2].iter().all(|value| value.is_finite()).then_some(rect)
}
