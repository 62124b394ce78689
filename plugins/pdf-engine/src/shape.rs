//! Recognises characters by the shapes of glyphs, for fonts that do not say what their codes mean.
//!
//! A glyph's outline becomes a vector of edge features. It is compared with those of the letters,
//! figures and marks in the engine's fonts for the standard 14 (`references`). What the glyphs of a
//! font have in common, and that no two are the same character, resolves most look-alikes
//! (`recognition`). The text around them resolves the rest (`runs`). A glyph that resembles nothing
//! stays unknown, and so does a font of which little is recognised.

mod look;
mod recognition;
mod references;
mod runs;

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::rc::Rc;

use hayro::kurbo::BezPath;

use look::Look;
use recognition::Candidate;
use references::References;

pub(crate) use runs::complete;

/// The most glyphs that are recognised in a document. A document with twenty subset fonts has some
/// 1,500.
const MAX_GLYPHS: usize = 2_000;

/// The most glyphs of a font that are recognised at once, more than all Latin characters of
/// Windows.
pub(crate) const MAX_FONT_GLYPHS: usize = 256;

/// The least share of a font's glyphs that must be recognised for the results to count. Below it,
/// the font is one of another script or of symbols.
const MIN_RECOGNISED: f64 = 0.6;

/// In a font with fewer glyphs than this, a recognised character must be certain.
const MIN_FONT_GLYPHS: usize = 4;

/// Up to this cost a recognised character is certain.
const BEYOND_DOUBT: f64 = 0.2;

/// Characters with about the same shape in some typefaces.
const LOOK_ALIKES: [&[&str]; 3] = [&["I", "l", "1", "|"], &["0", "O", "o"], &["'", "’"]];
/// The greatest difference of the costs of [`LOOK_ALIKES`] at which the text around them decides.
const MAX_RIVAL_COST: f64 = 0.08;

/// Recognises glyphs, up to the limit of a document.
pub(crate) struct Reader {
    references: OnceCell<References>,
    left: Cell<usize>,
}

/// The outline of a glyph.
pub(crate) struct GlyphOutline {
    pub(crate) id: u32,
    /// In thousandths of the em.
    pub(crate) outline: BezPath,
}

/// The characters of a font's glyphs, by glyph number. Unknown glyphs are missing.
pub(crate) type Alphabet = HashMap<u32, Rc<Character>>;

/// The character that a glyph's shape stands for.
pub(crate) struct Character {
    pub(crate) text: &'static str,
    pub(crate) beyond_doubt: bool,
    /// Other characters with about the same shape.
    pub(crate) rivals: Vec<&'static str>,
}

impl Reader {
    pub(crate) fn new() -> Self {
        Self { references: OnceCell::new(), left: Cell::new(MAX_GLYPHS) }
    }

    /// Recognises glyphs of one font, up to the limit of the document.
    pub(crate) fn read(&self, glyphs: &[GlyphOutline]) -> Alphabet {
        let drawn = glyphs.len().min(self.left.get()).min(MAX_FONT_GLYPHS);
        self.left.set(self.left.get() - drawn);
        let looks = glyphs[..drawn].iter().filter_map(|glyph| Some((glyph.id, Look::from_outline(&glyph.outline)?)));
        let (ids, looks): (Vec<u32>, Vec<Look>) = looks.unzip();
        let candidates = recognition::read(&looks, self.references.get_or_init(References::new));
        let assigned = recognition::assign(&candidates);

        let recognised = assigned.iter().flatten().count();
        if (recognised as f64) < MIN_RECOGNISED * drawn as f64 {
            return Alphabet::new();
        }
        let mut characters = Alphabet::new();
        for ((id, chosen), candidates) in ids.into_iter().zip(assigned).zip(&candidates) {
            let Some(chosen) = chosen else { continue };
            let beyond_doubt = chosen.cost <= BEYOND_DOUBT;
            if beyond_doubt || drawn >= MIN_FONT_GLYPHS {
                let rivals = rivals(chosen, candidates);
                characters.insert(id, Rc::new(Character { text: chosen.text, beyond_doubt, rivals }));
            }
        }
        characters
    }
}

fn rivals(chosen: Candidate, candidates: &[Candidate]) -> Vec<&'static str> {
    let Some(alike) = LOOK_ALIKES.iter().find(|alike| alike.contains(&chosen.text)) else { return vec![] };
    let rivals = candidates.iter().filter(|candidate| {
        candidate.text != chosen.text
            && alike.contains(&candidate.text)
            && candidate.cost < chosen.cost + MAX_RIVAL_COST
    });
    rivals.map(|candidate| candidate.text).collect()
}
