//! Fonts as far as text needs them: the meaning of codes, their advances, and the height of the
//! letters.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use hayro::hayro_interpret::hayro_cmap::BfString;
use hayro::hayro_syntax::object::{Array, Dict, Name, Object};
use hayro_font::{Font, FontGlyph, GlyphId, UNITS_PER_EM};
use skrifa::MetadataProvider;

use crate::shape::{Alphabet, Character, GlyphOutline, MAX_FONT_GLYPHS, Reader};

/// Ascent and descent in ems of a font that does not specify them, about those of Helvetica and
/// Times.
const USUAL_EXTENT: (f64, f64) = (0.75, -0.22);

/// If at least this many codes of a font have the same text, its `ToUnicode` may be useless.
const MIN_SAME: u32 = 4;

/// The least number of characters recognised by their shapes that can disprove the codes.
const MIN_DISPROVING: usize = 4;

/// The last glyph of a composite font that is examined without being shown. Subset fonts are either
/// renumbered, or keep the low numbers of the Latin letters.
const LAST_GLYPH_EXAMINED: u32 = 4096;

/// The bit of a font descriptor's `/Flags` for fonts of symbols (ISO 32000-2, table 121).
const FLAG_SYMBOLIC: u32 = 1 << 2;
/// The bit for italic fonts (the same table).
const FLAG_ITALIC: u32 = 1 << 6;
/// The bit for fonts that are shown bold (the same table).
const FLAG_FORCE_BOLD: u32 = 1 << 18;

/// A font of the document.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of the file that stands for itself")]
pub(crate) struct TextFont<'a> {
    font: Font<'a>,
    /// Its name and style in the terms of the contract.
    pub(crate) described: fanlight_contract::Font,
    /// Height above and depth (negative) below the baseline, in ems.
    pub(crate) ascent: f64,
    pub(crate) descent: f64,
    pub(crate) horizontal: bool,
    /// Whether an unexplained code stands for its Latin character.
    codes_are_latin: bool,
    /// Whether its encoding is `WinAnsiEncoding`, in which unused codes are bullets (ISO 32000-2,
    /// D.2, note 3).
    is_win_ansi: bool,
    glyphs: RefCell<HashMap<u32, Rc<Glyph>>>,
    characters_of_program: OnceCell<HashMap<u32, char>>,
    /// Whether it is a simple font with at most 256 codes.
    codes_are_bytes: bool,
    /// Whether the file embeds its outlines, so that they are what its author saw.
    embedded: bool,
    /// How many codes have each text according to the file.
    text_counts: RefCell<HashMap<Box<str>, u32>>,
    trust: Cell<Trust>,
    /// Whether it has a glyph whose character only its shape can tell.
    has_unknown: Cell<bool>,
    shapes: RefCell<Shapes>,
}

/// How far a font's statements about its codes are trusted.
#[derive(Clone, Copy, PartialEq)]
enum Trust {
    Trusted,
    /// The font says nothing. Its codes are taken for Latin ones, as was long customary, unless the
    /// shapes disprove it.
    Assumed,
    Disproved,
}

/// What the shapes of glyphs say.
#[derive(Default)]
struct Shapes {
    alphabet: Alphabet,
    looked_at: HashSet<u32>,
    blank: HashSet<u32>,
}

/// The meaning of a code.
pub(crate) struct Glyph {
    /// At most 255 bytes; U+FFFD if unknown.
    pub(crate) text: Box<str>,
    /// Along the baseline, in ems; negative in vertical writing, which goes down.
    pub(crate) advance: f64,
    /// The glyph's number in the font.
    id: u32,
}

impl Glyph {
    fn is_unknown(&self) -> bool {
        self.text.contains(char::REPLACEMENT_CHARACTER)
    }
}

impl<'a> TextFont<'a> {
    pub(crate) fn new(font: Font<'a>, dict: &Dict<'a>) -> Self {
        let descendant = dict.get::<Array<'_>>(b"DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'_>>().next());
        let holder = descendant.as_ref().unwrap_or(dict);
        let descriptor = holder.get::<Dict<'_>>(b"FontDescriptor").unwrap_or_default();

        let name = [dict.get::<Name<'_>>(b"BaseFont"), descriptor.get(b"FontName"), dict.get(b"Name")];
        let name = name.into_iter().flatten().next();
        let name = name.map(|name| without_subset_tag(&String::from_utf8_lossy(&name)).to_owned()).unwrap_or_default();
        let lower = name.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let flags = descriptor.get::<u32>(b"Flags").unwrap_or(0);
        let weight = descriptor.get::<f32>(b"FontWeight").unwrap_or(0.0);
        let slant = descriptor.get::<f32>(b"ItalicAngle").unwrap_or(0.0);
        let (ascent, descent) = extent(dict, &descriptor);
        let embedded = [b"FontFile".as_slice(), b"FontFile2", b"FontFile3"];
        let embedded = embedded.into_iter().any(|key| descriptor.contains_key(key));
        // A symbolic TrueType font maps its codes itself, so nothing says what they mean (ISO
        // 32000-2, 9.6.5.4).
        let says_nothing = dict.get::<Name<'_>>(b"Subtype").as_deref() == Some(b"TrueType")
            && !has(dict, b"ToUnicode")
            && (!has(dict, b"Encoding") || flags & FLAG_SYMBOLIC != 0 && !has_differences(dict));

        Self {
            described: fanlight_contract::Font {
                bold: says(&["bold", "black", "heavy"]) || weight >= 600.0 || flags & FLAG_FORCE_BOLD != 0,
                italic: says(&["italic", "oblique"]) || flags & FLAG_ITALIC != 0 || slant != 0.0,
                name,
            },
            ascent,
            descent,
            horizontal: font.is_horizontal(),
            codes_are_latin: descendant.is_none() && !has_differences(dict),
            is_win_ansi: descendant.is_none() && base_encoding(dict).as_deref() == Some(b"WinAnsiEncoding"),
            font,
            glyphs: RefCell::default(),
            characters_of_program: OnceCell::new(),
            codes_are_bytes: descendant.is_none(),
            embedded,
            text_counts: RefCell::default(),
            trust: Cell::new(if embedded && says_nothing { Trust::Assumed } else { Trust::Trusted }),
            has_unknown: Cell::new(false),
            shapes: RefCell::default(),
        }
    }

    /// Returns the code at `offset` of a string, and its length in bytes.
    pub(crate) fn read_code(&self, bytes: &[u8], offset: usize) -> (u32, usize) {
        self.font.read_code(bytes, offset)
    }

    pub(crate) fn glyph(&self, code: u32) -> Rc<Glyph> {
        if let Some(glyph) = self.glyphs.borrow().get(&code) {
            return Rc::clone(glyph);
        }
        let advance = self.font.code_advance(code);
        let advance = if self.horizontal { advance.x } else { advance.y } / f64::from(UNITS_PER_EM);
        let advance = if advance.is_finite() { advance } else { 0.0 };
        let id = self.font.map_code(code);
        let glyph = Rc::new(Glyph { text: self.text(id, code), advance, id: id.to_u32() });
        if glyph.is_unknown() && self.embedded && glyph.id != 0 {
            self.has_unknown.set(true);
        }
        self.glyphs.borrow_mut().insert(code, Rc::clone(&glyph));
        glyph
    }

    /// Returns the text of a code from the first source that has it: the font's `ToUnicode` or the
    /// name of the glyph (both by hayro), the embedded font program's character map in reverse, or
    /// Latin text if the encoding allows no other.
    fn text(&self, id: GlyphId, code: u32) -> Box<str> {
        let glyph = self.font.glyph(id, code);
        let text = match &glyph {
            FontGlyph::Outline(glyph) => glyph.as_unicode(),
            FontGlyph::Type3(glyph) => glyph.as_unicode(),
        };
        let text = text.map(|text| match text {
            BfString::Char(char) => char.to_string(),
            BfString::String(text) => text,
        });
        let text = text.filter(|text| !text.is_empty() && !text.contains(['\0', char::REPLACEMENT_CHARACTER]));
        let is_meaningless = text.as_ref().is_some_and(|text| text.contains(means_nothing));
        if let Some(text) = text.filter(|_| !is_meaningless) {
            self.count(&text);
            return plain(&text);
        }

        if let FontGlyph::Outline(glyph) = &glyph
            && id.to_u32() != 0
            && let Some(data) = glyph.font_data()
        {
            let characters = self.characters_of_program.get_or_init(|| characters_of_program((*data.data).as_ref()));
            if let Some(&char) = characters.get(&id.to_u32()) {
                return plain(char.encode_utf8(&mut [0; 4]));
            }
        }

        if self.is_win_ansi && matches!(code, 0x7F | 0x81 | 0x8D | 0x8F | 0x90 | 0x9D) {
            return Box::from("\u{2022}");
        }
        let latin = (self.codes_are_latin && !is_meaningless).then(|| latin(code)).flatten();
        latin.unwrap_or(char::REPLACEMENT_CHARACTER).to_string().into_boxed_str()
    }

    /// Detects a font that gives nearly all of its codes the same text, as some programs do to
    /// prevent copying.
    fn count(&self, text: &str) {
        let mut texts = self.text_counts.borrow_mut();
        let same = texts.entry(Box::from(text)).or_insert(0);
        *same += 1;
        let same = *same;
        let all: u32 = if same >= MIN_SAME { texts.values().sum() } else { return };
        if self.embedded && 2 * same > all && !text.trim().is_empty() {
            self.trust.set(Trust::Disproved);
        }
    }

    /// Returns whether shapes say more about its codes than the file.
    pub(crate) fn is_in_doubt(&self) -> bool {
        self.trust.get() != Trust::Trusted || self.has_unknown.get()
    }

    /// Examines the shapes of the glyphs of `codes` and of the font's other glyphs, so that the
    /// font is seen as a whole.
    pub(crate) fn read_shapes(&self, codes: &BTreeSet<u32>, reader: &Reader) {
        let mut shapes = self.shapes.borrow_mut();
        let codes_of_bytes = if self.codes_are_bytes { 0..256 } else { 0..0 };
        let shown = codes.iter().copied().chain(codes_of_bytes).map(|code| self.font.map_code(code));
        let unasked = if self.codes_are_bytes { 0..0 } else { 1..LAST_GLYPH_EXAMINED };
        let mut drawn = vec![];
        for (place, id) in shown.chain(unasked.map(GlyphId::new)).enumerate() {
            if drawn.len() == MAX_FONT_GLYPHS
                || place >= codes.len() && drawn.is_empty() && !shapes.looked_at.is_empty()
            {
                break;
            }
            if id.to_u32() == 0 || !shapes.looked_at.insert(id.to_u32()) {
                continue;
            }
            let FontGlyph::Outline(glyph) = self.font.glyph(id, 0) else { break };
            let outline = glyph.outline();
            if outline.is_empty() {
                shapes.blank.insert(id.to_u32());
            } else {
                drawn.push(GlyphOutline { id: id.to_u32(), outline });
            }
        }
        if !drawn.is_empty() {
            shapes.alphabet.extend(reader.read(&drawn));
        }
        drop(shapes);
        if self.trust.get() == Trust::Assumed {
            self.trust.set(if self.shapes_disprove_codes() { Trust::Disproved } else { Trust::Trusted });
        }
    }

    /// Returns whether most letters and figures have other shapes than the codes say.
    fn shapes_disprove_codes(&self) -> bool {
        let shapes = self.shapes.borrow();
        let (mut same, mut all) = (0, 0);
        for code in 0..256 {
            let glyph = self.glyph(code);
            let Some(seen) = shapes.alphabet.get(&glyph.id) else { continue };
            if seen.text.chars().all(char::is_alphanumeric) && !glyph.is_unknown() {
                all += 1;
                same += usize::from(glyph.text.eq_ignore_ascii_case(seen.text));
            }
        }
        all >= MIN_DISPROVING && 2 * same < all
    }

    /// Appends the text of a code, from the file or from the glyph's shape.
    pub(crate) fn push_read(&self, code: u32, text: &mut String) {
        let glyph = self.glyph(code);
        if self.trusts(&glyph) {
            text.push_str(&glyph.text);
            return;
        }
        let shapes = self.shapes.borrow();
        if glyph.advance > 0.0 && shapes.blank.contains(&glyph.id) {
            text.push(' ');
            return;
        }
        match self.seen(&shapes, &glyph) {
            Some(seen) => text.push_str(seen.text),
            None => text.push(char::REPLACEMENT_CHARACTER),
        }
    }

    /// Returns the character of a code if it was recognised by its shape and has look-alikes.
    pub(crate) fn ambiguous(&self, code: u32) -> Option<Rc<Character>> {
        let glyph = self.glyph(code);
        if self.trusts(&glyph) {
            return None;
        }
        self.seen(&self.shapes.borrow(), &glyph).filter(|character| !character.rivals.is_empty())
    }

    fn trusts(&self, glyph: &Glyph) -> bool {
        self.trust.get() != Trust::Disproved && !glyph.is_unknown()
    }

    /// Returns the character that a glyph's shape stands for. If the font explains most of its
    /// characters, an unexplained glyph is seldom one: only certain results count.
    fn seen(&self, shapes: &Shapes, glyph: &Glyph) -> Option<Rc<Character>> {
        let explained = self.text_counts.borrow().values().sum::<u32>() as usize;
        let explains_most = self.trust.get() != Trust::Disproved && 2 * explained > self.glyphs.borrow().len();
        shapes.alphabet.get(&glyph.id).filter(|character| character.beyond_doubt || !explains_most).cloned()
    }
}

/// Returns whether a character has no meaning: private characters, and control characters except
/// white space.
fn means_nothing(char: char) -> bool {
    matches!(char, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..) || char.is_control() && !char.is_whitespace()
}

/// Replaces the compatibility ligatures of Unicode by their letters, and cuts the text at 255
/// bytes.
fn plain(text: &str) -> Box<str> {
    let mut plain = String::with_capacity(text.len());
    for char in text.chars() {
        let mut buffer = [0; 4];
        let letters = match char {
            'ﬀ' => "ff",
            'ﬁ' => "fi",
            'ﬂ' => "fl",
            'ﬃ' => "ffi",
            'ﬄ' => "ffl",
            'ﬅ' | 'ﬆ' => "st",
            _ => char.encode_utf8(&mut buffer),
        };
        if plain.len() + letters.len() > usize::from(u8::MAX) {
            break;
        }
        plain.push_str(letters);
    }
    plain.into_boxed_str()
}

/// Maps glyphs to characters by the font program's `cmap` table. The first of several characters is
/// used; private characters mean nothing outside the font.
fn characters_of_program(data: &[u8]) -> HashMap<u32, char> {
    let mut characters = HashMap::new();
    let Ok(program) = skrifa::FontRef::new(data) else { return characters };
    for (code, glyph) in program.charmap().mappings() {
        let private = (0xE000..=0xF8FF).contains(&code);
        let char = char::from_u32(code).filter(|char| !private && !char.is_control());
        if let Some(char) = char {
            characters.entry(glyph.to_u32()).or_insert(char);
        }
    }
    characters
}

/// Decodes `WinAnsiEncoding`, which agrees with the other encodings for Latin letters.
pub(crate) fn latin(code: u32) -> Option<char> {
    const FROM_80: [char; 32] = [
        '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘', '’', '“', '”',
        '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
    ];
    match code {
        0x20..=0x7E | 0xA0..=0xFF => char::from_u32(code),
        0x80..=0x9F => FROM_80.get(code as usize - 0x80).copied().filter(|&char| char != '\0'),
        _ => None,
    }
}

fn base_encoding<'a>(font: &Dict<'a>) -> Option<Name<'a>> {
    match font.get::<Object<'_>>(b"Encoding")? {
        Object::Name(name) => Some(name),
        Object::Dict(encoding) => encoding.get(b"BaseEncoding"),
        _ => None,
    }
}

/// Returns whether an entry exists and is not null, as some programs write it.
fn has(font: &Dict<'_>, key: &[u8]) -> bool {
    !matches!(font.get::<Object<'_>>(key), None | Some(Object::Null(_)))
}

fn has_differences(font: &Dict<'_>) -> bool {
    matches!(font.get::<Object<'_>>(b"Encoding"), Some(Object::Dict(encoding)) if encoding.contains_key(b"Differences"))
}

/// Removes the subset tag: six capitals and a plus sign (ISO 32000-2, 9.9.2).
fn without_subset_tag(name: &str) -> &str {
    match name.split_once('+') {
        Some((tag, rest)) if tag.len() == 6 && tag.bytes().all(|byte| byte.is_ascii_uppercase()) => rest,
        _ => name,
    }
}

fn extent(dict: &Dict<'_>, descriptor: &Dict<'_>) -> (f64, f64) {
    if dict.get::<Name<'_>>(b"Subtype").as_deref() == Some(b"Type3") {
        return extent_of_type3(dict).unwrap_or(USUAL_EXTENT);
    }
    let of_descriptor = |key: &[u8]| descriptor.get::<f64>(key).map(|value| value / f64::from(UNITS_PER_EM));
    // Producers write zeros and arbitrary values here; some give the descent without its sign.
    let ascent = of_descriptor(b"Ascent").filter(|ascent| (0.3..=1.5).contains(ascent));
    let descent =
        of_descriptor(b"Descent").map(|descent| -descent.abs()).filter(|descent| (-0.8..=-0.05).contains(descent));
    (ascent.unwrap_or(USUAL_EXTENT.0), descent.unwrap_or(USUAL_EXTENT.1))
}

fn extent_of_type3(dict: &Dict<'_>) -> Option<(f64, f64)> {
    let [_, y1, _, y2] = dict.get::<[f64; 4]>(b"FontBBox")?;
    let [_, _, _, scale, _, _] = dict.get::<[f64; 6]>(b"FontMatrix")?;
    let (a, b) = (y1 * scale, y2 * scale);
    let (descent, ascent) = (a.min(b).min(0.0), a.max(b));
    ((0.1..=3.0).contains(&ascent) && descent >= -3.0).then_some((ascent, descent))
}
