//! Glyphs with known characters: those of the engine's substitutes for the standard 14 fonts, and
//! some made of them.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::object::{Dict, FromBytes};
use hayro::kurbo::{Affine, BezPath, Rect, Shape, Vec2};
use hayro_font::{Font, FontCache, FontGlyph, UNITS_PER_EM};

use super::look::Look;

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
        for (text, code) in CHARACTERS {
            // Accents look much the same in bold and oblique letters.
            if *code >= 0xC0 && matches!(style, 1 | 2 | 3 | 7 | 9 | 10 | 11) {
                continue;
            }
            self.add(style, text, &outline(font, *code).0);
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

/// Characters and their codes in `WinAnsiEncoding`. Marks that stand alone (diaereses, cedillas) are
/// left out, as they are never text.
#[rustfmt::skip]
const CHARACTERS: &[(&str, u8)] = &[
    ("!", 0x21), ("\"", 0x22), ("#", 0x23), ("$", 0x24), ("%", 0x25), ("&", 0x26), ("'", 0x27), ("(", 0x28),
    (")", 0x29), ("*", 0x2A), ("+", 0x2B), (",", 0x2C), ("-", 0x2D), (".", 0x2E), ("/", 0x2F), ("0", 0x30),
    ("1", 0x31), ("2", 0x32), ("3", 0x33), ("4", 0x34), ("5", 0x35), ("6", 0x36), ("7", 0x37), ("8", 0x38),
    ("9", 0x39), (":", 0x3A), (";", 0x3B), ("<", 0x3C), ("=", 0x3D), (">", 0x3E), ("?", 0x3F), ("@", 0x40),
    ("A", 0x41), ("B", 0x42), ("C", 0x43), ("D", 0x44), ("E", 0x45), ("F", 0x46), ("G", 0x47), ("H", 0x48),
    ("I", 0x49), ("J", 0x4A), ("K", 0x4B), ("L", 0x4C), ("M", 0x4D), ("N", 0x4E), ("O", 0x4F), ("P", 0x50),
    ("Q", 0x51), ("R", 0x52), ("S", 0x53), ("T", 0x54), ("U", 0x55), ("V", 0x56), ("W", 0x57), ("X", 0x58),
    ("Y", 0x59), ("Z", 0x5A), ("[", 0x5B), ("\\", 0x5C), ("]", 0x5D), ("^", 0x5E), ("_", 0x5F), ("`", 0x60),
    ("a", 0x61), ("b", 0x62), ("c", 0x63), ("d", 0x64), ("e", 0x65), ("f", 0x66), ("g", 0x67), ("h", 0x68),
    ("i", 0x69), ("j", 0x6A), ("k", 0x6B), ("l", 0x6C), ("m", 0x6D), ("n", 0x6E), ("o", 0x6F), ("p", 0x70),
    ("q", 0x71), ("r", 0x72), ("s", 0x73), ("t", 0x74), ("u", 0x75), ("v", 0x76), ("w", 0x77), ("x", 0x78),
    ("y", 0x79), ("z", 0x7A), ("{", 0x7B), ("|", 0x7C), ("}", 0x7D), ("~", 0x7E), ("€", 0x80),
    ("„", 0x84), ("…", 0x85), ("†", 0x86), ("‡", 0x87), ("‰", 0x89), ("Š", 0x8A), ("‹", 0x8B),
    ("Œ", 0x8C), ("Ž", 0x8E), ("‘", 0x91), ("’", 0x92), ("“", 0x93), ("”", 0x94), ("•", 0x95), ("–", 0x96),
    ("—", 0x97), ("™", 0x99), ("š", 0x9A), ("›", 0x9B), ("œ", 0x9C), ("ž", 0x9E), ("Ÿ", 0x9F), ("¡", 0xA1),
    ("¢", 0xA2), ("£", 0xA3), ("¥", 0xA5), ("§", 0xA7), ("©", 0xA9), ("ª", 0xAA), ("«", 0xAB),
    ("¬", 0xAC), ("®", 0xAE), ("°", 0xB0), ("±", 0xB1), ("²", 0xB2), ("³", 0xB3), ("µ", 0xB5), ("¶", 0xB6),
    ("·", 0xB7), ("¹", 0xB9), ("º", 0xBA), ("»", 0xBB), ("¼", 0xBC), ("½", 0xBD), ("¾", 0xBE), ("¿", 0xBF),
    ("À", 0xC0), ("Á", 0xC1), ("Â", 0xC2), ("Ã", 0xC3), ("Ä", 0xC4), ("Å", 0xC5), ("Æ", 0xC6), ("Ç", 0xC7),
    ("È", 0xC8), ("É", 0xC9), ("Ê", 0xCA), ("Ë", 0xCB), ("Ì", 0xCC), ("Í", 0xCD), ("Î", 0xCE), ("Ï", 0xCF),
    ("Ð", 0xD0), ("Ñ", 0xD1), ("Ò", 0xD2), ("Ó", 0xD3), ("Ô", 0xD4), ("Õ", 0xD5), ("Ö", 0xD6), ("×", 0xD7),
    ("Ø", 0xD8), ("Ù", 0xD9), ("Ú", 0xDA), ("Û", 0xDB), ("Ü", 0xDC), ("Ý", 0xDD), ("Þ", 0xDE), ("ß", 0xDF),
    ("à", 0xE0), ("á", 0xE1), ("â", 0xE2), ("ã", 0xE3), ("ä", 0xE4), ("å", 0xE5), ("æ", 0xE6), ("ç", 0xE7),
    ("è", 0xE8), ("é", 0xE9), ("ê", 0xEA), ("ë", 0xEB), ("ì", 0xEC), ("í", 0xED), ("î", 0xEE), ("ï", 0xEF),
    ("ð", 0xF0), ("ñ", 0xF1), ("ò", 0xF2), ("ó", 0xF3), ("ô", 0xF4), ("õ", 0xF5), ("ö", 0xF6), ("÷", 0xF7),
    ("ø", 0xF8), ("ù", 0xF9), ("ú", 0xFA), ("û", 0xFB), ("ü", 0xFC), ("ý", 0xFD), ("þ", 0xFE), ("ÿ", 0xFF),
];

/// Ligatures, with the letters that they join.
const LIGATURES: &[(&str, &[u8])] = &[("fi", b"fi"), ("fl", b"fl"), ("ff", b"ff"), ("ffi", b"ffi"), ("ffl", b"ffl")];
