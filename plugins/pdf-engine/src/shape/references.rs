//! Glyphs with known characters: those of the engine's substitutes for the standard 14 fonts, and
//! some made of them.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::object::{Dict, FromBytes};
use hayro::kurbo::{Affine, BezPath, Rect, Shape, Vec2};
use hayro_font::{Font, FontCache, FontGlyph, UNITS_PER_EM};

use super::look::Look;
use crate::font::latin;

/// The twelve fonts with Latin letters.
const STYLES: [&[u8]; 12] = [
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Oblique /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-BoldOblique /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Bold /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Italic /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-BoldItalic /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Oblique /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier-BoldOblique /Encoding /WinAnsiEncoding >>",
];

/// The number of typefaces and styles.
pub(super) const STYLE_COUNT: usize = STYLES.len();

/// A glyph with a known character.
pub(super) struct Reference {
    pub(super) text: &'static str,
    /// The index of its typeface and style.
    pub(super) style: usize,
    pub(super) look: Look,
}

/// Heights above the baseline that a font's letters share, in ems. The last is negative.
#[derive(Clone, Copy)]
pub(super) struct Heights {
    /// The height of a lower-case letter without ascender.
    pub(super) x: f64,
    pub(super) capital: f64,
    pub(super) ascender: f64,
    pub(super) descender: f64,
}

/// All reference glyphs.
pub(super) struct References {
    pub(super) glyphs: Vec<Reference>,
    pub(super) heights: [Heights; STYLE_COUNT],
}

impl References {
    /// Measures the glyphs, some 2,000.
    pub(super) fn new() -> Self {
        let settings = InterpreterSettings::default();
        let fonts = FontCache::new();
        let mut references = Self { glyphs: vec![], heights: [Heights::USUAL; STYLE_COUNT] };
        for (style, dict) in STYLES.iter().enumerate() {
            let dict = Dict::from_bytes(dict).unwrap_or_else(Dict::empty);
            let Some(font) = fonts.font(&dict, &settings.font_resolver, &settings.cmap_resolver) else { continue };
            references.add_style(style, &font);
        }
        references
    }

    fn add_style(&mut self, style: usize, font: &Font<'_>) {
        for code in u8::MIN..=u8::MAX {
            // Accents look much the same in bold and oblique letters.
            if code >= 0xC0 && matches!(style, 1 | 2 | 3 | 7 | 9 | 10 | 11) {
                continue;
            }
            if let Some(text) = latin(code.into()).and_then(|char| CHARACTERS.matches(char).next()) {
                self.add(style, text, &outline(font, code).0);
            }
        }
        for (text, codes) in LIGATURES {
            let mut joined = BezPath::new();
            let mut pen = 0.0;
            for code in *codes {
                let (outline, advance) = outline(font, *code);
                joined.extend(Affine::translate((pen, 0.0)) * outline);
                pen += advance;
            }
            self.add(style, text, &joined);
        }
        // Zeros with a stroke or a dot, as in monospaced faces.
        let (zero, _) = outline(font, b'0');
        let counter = zero.bounding_box();
        let (center, width, height) = (counter.center(), counter.width(), counter.height());
        let mut dotted = zero.clone();
        dotted.extend(Rect::from_center_size(center, (0.2 * width, 0.2 * height)).to_path(0.1));
        self.add(style, "0", &dotted);
        let mut slashed = zero;
        let along = Vec2::new(0.3 * width, 0.33 * height);
        let across = Vec2::new(0.06 * width, -0.05 * height);
        slashed.move_to(center - along - across);
        slashed.line_to(center + along - across);
        slashed.line_to(center + along + across);
        slashed.line_to(center - along + across);
        slashed.close_path();
        self.add(style, "0", &slashed);

        // A single-storey a, as in geometric faces: a q without its tail.
        let (tailed, _) = outline(font, b'q');
        let bounds = tailed.bounding_box().scale_from_origin(0.001);
        let round = Look::from_part(&tailed, Rect::new(bounds.x0, -0.01, bounds.x1, bounds.y1));
        self.glyphs.extend(round.map(|look| Reference { text: "a", style, look }));
        // A t that is a plain cross, and a 1 that is a stroke with a bar to its left, also as in
        // geometric faces.
        let (cross, _) = outline(font, 0x86);
        let (from, to) = (cross.bounding_box(), outline(font, b't').0.bounding_box());
        let onto = Affine::translate((to.x0, to.y0))
            * Affine::scale_non_uniform(to.width() / from.width().max(1.0), to.height() / from.height().max(1.0))
            * Affine::translate((-from.x0, -from.y0));
        self.add(style, "t", &(onto * cross));
        let (bracket, _) = outline(font, b']');
        let bounds = bracket.bounding_box().scale_from_origin(0.001);
        let upper = Rect::new(bounds.x0, bounds.y0 + 0.25 * bounds.height(), bounds.x1, bounds.y1);
        let height = outline(font, b'1').0.bounding_box().y1 / f64::from(UNITS_PER_EM);
        let flagged =
            Look::from_part(&bracket, upper).map(|look| look.at(Rect::new(bounds.x0, 0.0, bounds.x1, height)));
        self.glyphs.extend(flagged.map(|look| Reference { text: "1", style, look }));
        // A J that extends below the baseline, as in many faces.
        let (hook, _) = outline(font, b'J');
        let bounds = hook.bounding_box();
        let stretch = Affine::translate((0.0, bounds.y1))
            * Affine::scale_non_uniform(1.0, 1.28)
            * Affine::translate((0.0, -bounds.y1));
        let deep = stretch * hook;
        let bounds = deep.bounding_box().scale_from_origin(0.001);
        let narrow = Rect::new(bounds.x0 + 0.35 * bounds.width(), bounds.y0, bounds.x1, bounds.y1);
        let narrow = Look::from_part(&deep, narrow);
        self.glyphs.extend(narrow.map(|look| Reference { text: "J", style, look }));
        self.add(style, "J", &deep);

        let top = |code: u8| outline(font, code).0.bounding_box().y1 / f64::from(UNITS_PER_EM);
        self.heights[style] = Heights {
            x: top(b'x'),
            capital: top(b'H'),
            ascender: top(b'd'),
            descender: outline(font, b'p').0.bounding_box().y0 / f64::from(UNITS_PER_EM),
        };
    }

    fn add(&mut self, style: usize, text: &'static str, outline: &BezPath) {
        if let Some(look) = Look::from_outline(outline) {
            self.glyphs.push(Reference { text, style, look });
        }
    }
}

impl Heights {
    /// The heights of a usual text face.
    pub(super) const USUAL: Self = Self { x: 0.47, capital: 0.68, ascender: 0.7, descender: -0.21 };

    /// Converts the height of a letter in this font to the corresponding height in another.
    pub(super) fn carry(&self, text: &str, height: f64, to: &Self) -> f64 {
        if height > self.x && matches!(text, "b" | "d" | "h" | "k" | "l" | "f" | "fi" | "fl" | "ff" | "ffi" | "ffl") {
            return height / self.ascender * to.ascender;
        }
        if height <= 0.0 {
            return height / self.descender * to.descender;
        }
        if height <= self.x {
            return height / self.x * to.x;
        }
        if height <= self.capital {
            return to.x + (height - self.x) / (self.capital - self.x).max(0.01) * (to.capital - to.x);
        }
        to.capital + (height - self.capital)
    }
}

/// Returns a glyph's outline in thousandths of the em, and its advance.
fn outline(font: &Font<'_>, code: u8) -> (BezPath, f64) {
    let code = u32::from(code);
    let outline = match font.glyph(font.map_code(code), code) {
        FontGlyph::Outline(glyph) => glyph.outline(),
        FontGlyph::Type3(_) => BezPath::new(),
    };
    (outline, font.code_advance(code).x)
}

/// Characters of `WinAnsiEncoding`. Marks that stand alone (diaereses, cedillas) are left out, as they
/// are never text.
const CHARACTERS: &str = "\
    !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\
    €„…†‡‰Š‹ŒŽ‘’“”•–—™š›œžŸ¡¢£¥§©ª«¬®°±²³µ¶·¹º»¼½¾¿\
    ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";

/// Ligatures, with the letters that they join.
const LIGATURES: &[(&str, &[u8])] = &[("fi", b"fi"), ("fl", b"fl"), ("ff", b"ff"), ("ffi", b"ffi"), ("ffl", b"ffl")];
