//! Typefaces: their metrics, and the encoding of text in their codes.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use subsetter::GlyphRemapper;

use super::metrics;

/// A family of type.
///
/// The first three are standard PDF fonts with one-byte `WinAnsi` codes; the others are embedded OpenType fonts with
/// two-byte glyph codes and a `ToUnicode` map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Helvetica, which replaces most word processors' Arial.
    Helvetica,
    /// Times.
    Times,
    /// Courier, the monospaced face of older specifications.
    Courier,
    /// Libertinus Serif, an OpenType font with PostScript outlines.
    Libertinus,
    /// New Computer Modern, an OpenType font with PostScript outlines.
    ComputerModern,
    /// `DejaVu` Sans Mono, an OpenType font with TrueType outlines.
    DejaVuMono,
}

/// A family in one of two weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Face {
    pub(crate) family: Family,
    pub(crate) bold: bool,
}

/// An OpenType font embedded in this crate, parsed once for each process.
pub(crate) struct OpenType {
    pub(crate) data: &'static [u8],
    pub(crate) parsed: ttf_parser::Face<'static>,
}

impl Face {
    pub(crate) fn new(family: Family, bold: bool) -> Self {
        Self { family, bold }
    }

    /// Returns the PostScript name: the standard font's, or that of the OpenType font's name table.
    pub(crate) fn name(self) -> &'static str {
        match (self.family, self.bold) {
            (Family::Helvetica, false) => "Helvetica",
            (Family::Helvetica, true) => "Helvetica-Bold",
            (Family::Times, false) => "Times-Roman",
            (Family::Times, true) => "Times-Bold",
            (Family::Courier, false) => "Courier",
            (Family::Courier, true) => "Courier-Bold",
            (Family::Libertinus, false) => "LibertinusSerif-Regular",
            (Family::Libertinus, true) => "LibertinusSerif-Bold",
            (Family::ComputerModern, false) => "NewCM10-Regular",
            (Family::ComputerModern, true) => "NewCM10-Bold",
            (Family::DejaVuMono, false) => "DejaVuSansMono",
            (Family::DejaVuMono, true) => "DejaVuSansMono-Bold",
        }
    }

    /// Returns the OpenType font of the face; `None` for standard fonts.
    pub(crate) fn open_type(self) -> Option<&'static OpenType> {
        static FONTS: OnceLock<BTreeMap<String, OpenType>> = OnceLock::new();
        let fonts = FONTS.get_or_init(|| {
            typst_assets::fonts()
                .filter_map(|data| {
                    let parsed = ttf_parser::Face::parse(data, 0).ok()?;
                    let name = parsed
                        .names()
                        .into_iter()
                        .find(|name| name.name_id == ttf_parser::name_id::POST_SCRIPT_NAME && name.is_unicode())?
                        .to_string()?;
                    Some((name, OpenType { data, parsed }))
                })
                .collect()
        });
        fonts.get(self.name())
    }

    /// Returns the program that is embedded for a standard font: a bare CFF face with the same
    /// widths.
    pub(crate) fn standard_program(self) -> Option<&'static [u8]> {
        match (self.family, self.bold) {
            (Family::Helvetica, false) => Some(typst_assets::pdf::SANS),
            (Family::Helvetica, true) => Some(typst_assets::pdf::SANS_BOLD),
            (Family::Times, false) => Some(typst_assets::pdf::SERIF),
            (Family::Times, true) => Some(typst_assets::pdf::SERIF_BOLD),
            (Family::Courier, false) => Some(typst_assets::pdf::FIXED),
            (Family::Courier, true) => Some(typst_assets::pdf::FIXED_BOLD),
            (Family::Libertinus | Family::ComputerModern | Family::DejaVuMono, _) => None,
        }
    }

    /// Returns the advance of a character in thousandths of the size.
    pub(crate) fn advance(self, character: char) -> f32 {
        if let Some(font) = self.open_type() {
            let glyph = font.parsed.glyph_index(character).unwrap_or_default();
            let units = f32::from(font.parsed.units_per_em());
            return f32::from(font.parsed.glyph_hor_advance(glyph).unwrap_or(500)) * 1000.0 / units;
        }
        f32::from(self.standard_width(win_ansi(character)))
    }

    /// Returns the width of a standard font's code in thousandths of the size.
    pub(crate) fn standard_width(self, code: u8) -> u16 {
        let table = match (self.family, self.bold) {
            (Family::Helvetica, false) => &metrics::HELVETICA,
            (Family::Helvetica, true) => &metrics::HELVETICA_BOLD,
            (Family::Times, false) => &metrics::TIMES_ROMAN,
            (Family::Times, true) => &metrics::TIMES_BOLD,
            _ => return metrics::COURIER,
        };
        code.checked_sub(metrics::FIRST_CODE).and_then(|at| table.get(usize::from(at))).copied().unwrap_or_default()
    }

    /// Returns the width of a text in points, at a size in points.
    pub(crate) fn width(self, text: &str, size: f32) -> f32 {
        text.chars().map(|character| self.advance(character)).sum::<f32>() * size / 1000.0
    }

    /// Encodes a text in the codes of the face's font: `WinAnsi` bytes, or two-byte glyph numbers
    /// of the subset.
    pub(crate) fn encode(self, text: &str, subset: &GlyphRemapper) -> Vec<u8> {
        let Some(font) = self.open_type() else {
            return text.chars().map(win_ansi).collect();
        };
        text.chars()
            .flat_map(|character| {
                let glyph = font.parsed.glyph_index(character).unwrap_or_default();
                subset.get(glyph.0).unwrap_or_default().to_be_bytes()
            })
            .collect()
    }
}

/// Returns the `WinAnsi` code of a character; that of a question mark if there is none.
fn win_ansi(character: char) -> u8 {
    match character {
        ' '..='~' | '\u{a0}'..='\u{ff}' => character as u8,
        '–' => 150,
        '—' => 151,
        '‘' => 145,
        '’' => 146,
        '“' => 147,
        '”' => 148,
        '•' => 149,
        '…' => 133,
        'Œ' => 140,
        'œ' => 156,
        '™' => 153,
        _ => b'?',
    }
}
