//! Characters from the shapes of glyphs, for fonts that don't tell what their codes stand for.
//!
//! A glyph's outline becomes a picture, which is compared with those of the letters, figures and marks that the engine
//! carries for the standard 14 fonts (`references`). What the glyphs of a font have in common, and that no two are
//! the same character, settles most of what looks alike (`recognition`); the rest is settled by the text around it
//! (`runs`). What is like nothing stays unknown, and so does a font of which little is recognised.

mod picture;
mod recognition;
mod references;
mod runs;

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::rc::Rc;

use hayro::kurbo::BezPath;

use picture::Picture;
use recognition::Candidate;
use references::References;

pub(crate) use runs::complete;

/// The most glyphs that are read of a document. A document of twenty subset fonts has some 1,500.
const MOST_GLYPHS: usize = 2_000;

/// The most glyphs that are read of a font at once: more than it takes for all of Windows' Latin characters.
pub(crate) const MOST_OF_FONT: usize = 256;

/// The share of a font's glyphs that must be recognised for the others to be believed: below it the font is one of
/// another script, or of symbols.
const LEAST_RECOGNISED: f64 = 0.6;

/// A font of so few glyphs shows too little of itself: what is recognised must be beyond doubt.
const FEW: usize = 4;

/// At this cost and below, a glyph is a character beyond doubt.
const BEYOND_DOUBT: f64 = 0.2;

/// Characters whose shapes are about the same in some typefaces, and how much costlier one may be than the other for
/// the text around them to decide.
const ALIKE: [&[&str]; 3] = [&["I", "l", "1", "|"], &["0", "O", "o"], &["'", "’"]];
const ALIKE_WITHIN: f64 = 0.08;

/// Reads glyphs, of one document no more than a certain number.
pub(crate) struct Reader {
    references: OnceCell<References>,
    left: Cell<usize>,
}

/// A glyph of a font, for reading.
pub(crate) struct Drawn {
    pub(crate) id: u32,
    /// In thousandths of the em.
    pub(crate) outline: BezPath,
}

/// The characters of a font's glyphs, by the glyphs' numbers. A glyph without one isn't in it.
#[derive(Default)]
pub(crate) struct Alphabet {
    characters: HashMap<u32, Rc<Character>>,
}

/// What a glyph's shape says.
pub(crate) struct Character {
    pub(crate) text: &'static str,
    pub(crate) beyond_doubt: bool,
    /// Other characters that it may as well be.
    pub(crate) rivals: Vec<&'static str>,
}

impl Reader {
    pub(crate) fn new() -> Self {
        Self { references: OnceCell::new(), left: Cell::new(MOST_GLYPHS) }
    }

    /// Reads glyphs of one font. Nothing is read beyond the limit of the document.
    pub(crate) fn read(&self, glyphs: &[Drawn]) -> Alphabet {
        let mut samples = vec![];
        for glyph in glyphs.iter().take(self.left.get().min(MOST_OF_FONT)) {
            self.left.set(self.left.get() - 1);
            samples.push((glyph.id, Picture::of(&glyph.outline)));
        }
        let drawn = samples.len();
        let (ids, pictures): (Vec<u32>, Vec<Picture>) =
            samples.into_iter().filter_map(|(id, picture)| Some((id, picture?))).unzip();
        let candidates = recognition::read(&pictures, self.references.get_or_init(References::new));
        let assigned = recognition::assign(&candidates);

        let recognised = assigned.iter().flatten().count();
        if (recognised as f64) < LEAST_RECOGNISED * drawn as f64 {
            return Alphabet::default();
        }
        let mut characters = HashMap::new();
        for ((id, chosen), candidates) in ids.into_iter().zip(assigned).zip(&candidates) {
            let Some(chosen) = chosen else { continue };
            let beyond_doubt = chosen.cost <= BEYOND_DOUBT;
            if beyond_doubt || drawn >= FEW {
                let rivals = rivals(chosen, candidates);
                characters.insert(id, Rc::new(Character { text: chosen.text, beyond_doubt, rivals }));
            }
        }
        Alphabet { characters }
    }
}

impl Alphabet {
    pub(crate) fn get(&self, glyph: u32) -> Option<&Rc<Character>> {
        self.characters.get(&glyph)
    }

    /// Adds other glyphs of the same font.
    pub(crate) fn extend(&mut self, other: Self) {
        self.characters.extend(other.characters);
    }
}

fn rivals(chosen: Candidate, candidates: &[Candidate]) -> Vec<&'static str> {
    let Some(alike) = ALIKE.iter().find(|alike| alike.contains(&chosen.text)) else { return vec![] };
    let rivals = candidates.iter().filter(|candidate| {
        candidate.text != chosen.text && alike.contains(&candidate.text) && candidate.cost < chosen.cost + ALIKE_WITHIN
    });
    rivals.map(|candidate| candidate.text).collect()
}
