//! Text that is placed on a page and not painted, so that a search in a scan finds and marks its words.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lopdf::{Dictionary, IncrementalDocument, Object, ObjectId, Stream, dictionary};

use crate::bindings::exports::fanlight::plugin::annotate::PlacedWord;
use crate::glyphless_font::{self, ADVANCE, ASCENT, DESCENT, GLYPH};
use crate::{AnnotateError, TextLine};

/// Names of the font in a page's resources begin with this.
const FONT: &str = "FanlightText";
/// Most characters of a font, whose codes have two bytes. Code 0 stands for a missing character.
const MAX_CHARACTERS: usize = 0xffff;
/// Most entries of one block of a `ToUnicode` map (Adobe Technical Note 5014, 1.4.1).
const BLOCK: usize = 100;
/// Bits of a font descriptor's flags (ISO 32000-2, table 121): fixed pitch and symbolic.
const FLAGS: i64 = 0b101;

/// The codes of the characters of a document's text layer. One font has them all.
pub(crate) struct Codes(BTreeMap<char, u16>);

impl Codes {
    /// Gives each character of the lines a code, and the space one.
    pub(crate) fn new(lines: &[TextLine]) -> Self {
        let mut codes: BTreeMap<char, u16> = BTreeMap::from([(' ', 0)]);
        let words = lines.iter().flat_map(|line| &line.words);
        for character in words.flat_map(|word| word.text.chars()).filter(|c| !c.is_control()) {
            if codes.len() < MAX_CHARACTERS {
                codes.insert(character, 0);
            }
        }
        for (code, own) in (1..).zip(codes.values_mut()) {
            *own = code;
        }
        Self(codes)
    }

    /// Returns the codes of a text, as many as it has characters.
    fn encode(&self, text: &str) -> Vec<u16> {
        text.chars().filter_map(|character| self.0.get(&character).copied()).collect()
    }

    /// Adds the font to a document.
    pub(crate) fn add_font(&self, document: &mut IncrementalDocument) -> ObjectId {
        let new = &mut document.new_document;
        let file = glyphless_font::file();
        let length = i64::try_from(file.len()).unwrap_or(i64::MAX);
        let file = new.add_object(compressed(dictionary! { "Length1" => length }, file));
        let name = || Object::Name(b"GlyphLessFont".to_vec());
        let descriptor = new.add_object(dictionary! {
            "Type" => "FontDescriptor",
            "FontName" => name(),
            "Flags" => FLAGS,
            "FontBBox" => [0, DESCENT, ADVANCE.cast_signed(), ASCENT].map(|unit| Object::Integer(unit.into())).to_vec(),
            "ItalicAngle" => 0,
            "Ascent" => i64::from(ASCENT),
            "Descent" => i64::from(DESCENT),
            "CapHeight" => i64::from(ASCENT),
            "StemV" => 80,
            "FontFile2" => file,
        });
        let glyphs = GLYPH.to_be_bytes().repeat(self.0.len() + 1);
        let glyphs = new.add_object(compressed(dictionary! {}, glyphs));
        let descendant = new.add_object(dictionary! {
            "Type" => "Font",
            "Subtype" => "CIDFontType2",
            "BaseFont" => name(),
            "CIDSystemInfo" => dictionary! {
                "Registry" => Object::string_literal("Adobe"),
                "Ordering" => Object::string_literal("Identity"),
                "Supplement" => 0,
            },
            "FontDescriptor" => descriptor,
            "DW" => i64::from(ADVANCE),
            "CIDToGIDMap" => glyphs,
        });
        let to_unicode = new.add_object(compressed(dictionary! {}, self.to_unicode().into_bytes()));
        new.add_object(dictionary! {
            "Type" => "Font",
            "Subtype" => "Type0",
            "BaseFont" => name(),
            "Encoding" => "Identity-H",
            "DescendantFonts" => vec![descendant.into()],
            "ToUnicode" => to_unicode,
        })
    }

    /// Returns the map from codes to Unicode (ISO 32000-2, 9.10.3).
    fn to_unicode(&self) -> String {
        let mut map = String::from(
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n\
             /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n\
             /CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n\
             1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n",
        );
        let entries: Vec<(char, u16)> = self.0.iter().map(|(character, code)| (*character, *code)).collect();
        for block in entries.chunks(BLOCK) {
            let _ = writeln!(map, "{} beginbfchar", block.len());
            for (character, code) in block {
                let _ = writeln!(map, "<{code:04X}> <{}>", hex(character.encode_utf16(&mut [0; 2])));
            }
            map.push_str("endbfchar\n");
        }
        map.push_str("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n");
        map
    }
}

/// Places lines on a page, before what the page already shows: there the graphics state is the initial one, whatever the
/// page's own content leaves behind.
pub(crate) fn add(
    document: &mut IncrementalDocument,
    page: ObjectId,
    lines: &[&TextLine],
    codes: &Codes,
    font: ObjectId,
) -> Result<(), AnnotateError> {
    let content: Vec<String> = lines.iter().filter_map(|line| show(line, codes)).collect();
    if content.is_empty() {
        return Ok(());
    }
    let name = add_to_resources(document, page, font)?;
    let content = format!("q\n/{name} 1 Tf 3 Tr\n{}Q\n", content.concat());
    let layer = document.new_document.add_object(compressed(dictionary! {}, content.into_bytes()));
    let mut streams = vec![Object::Reference(layer)];
    streams.extend(content_streams(document, page)?);
    document.opt_clone_object_to_new_document(page)?;
    document.new_document.get_object_mut(page)?.as_dict_mut()?.set("Contents", streams);
    Ok(())
}

/// Returns the operators that show a line; `None` if no word of it can be placed.
///
/// Each word is stretched to its width, since nothing is known of its letters. A space follows each but the last, so that a
/// viewer does not have to guess where words end.
fn show(line: &TextLine, codes: &Codes) -> Option<String> {
    if !(line.size.is_finite() && line.size > 0.0 && line.angle.is_finite()) {
        return None;
    }
    let placed: Vec<(&PlacedWord, Vec<u16>)> = line
        .words
        .iter()
        .filter(|word| word.x.is_finite() && word.y.is_finite() && word.width.is_finite() && word.width > 0.0)
        .map(|word| (word, codes.encode(&as_shown(&word.text))))
        .filter(|(_, own)| !own.is_empty())
        .collect();
    let last = placed.len().checked_sub(1)?;
    let (sin, cos) = line.angle.to_radians().sin_cos();
    let mut shown = String::from("BT\n");
    for (index, (word, mut own)) in placed.into_iter().enumerate() {
        let natural = own.len() as f32 * f32::from(ADVANCE) / 1000.0 * line.size;
        let stretch = 100.0 * word.width / natural;
        if index < last {
            own.extend(codes.encode(" "));
        }
        let [a, b, c, d] = [cos, sin, -sin, cos].map(|part| part * line.size);
        let (x, y, string) = (word.x, word.y, hex(&own));
        let _ = writeln!(shown, "{a:.4} {b:.4} {c:.4} {d:.4} {x:.3} {y:.3} Tm {stretch:.3} Tz <{string}> Tj");
    }
    shown.push_str("ET\n");
    Some(shown)
}

/// Returns a word as its letters stand on the page from left to right: a word of Hebrew or Arabic is reversed.
fn as_shown(word: &str) -> String {
    if word.chars().any(runs_to_the_left) { word.chars().rev().collect() } else { word.to_owned() }
}

/// Returns whether a character belongs to the blocks of Hebrew, Arabic and their neighbours, or to their presentation forms.
fn runs_to_the_left(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}')
}

/// Adds the font to the resources of a page and returns its name there.
fn add_to_resources(
    document: &mut IncrementalDocument,
    page: ObjectId,
    font: ObjectId,
) -> Result<String, AnnotateError> {
    let resources = document.get_or_create_resources(page)?.as_dict_mut()?;
    if !resources.has(b"Font") {
        resources.set("Font", Dictionary::new());
    }
    let shared = resources.get(b"Font").and_then(Object::as_reference).ok();
    let fonts = match shared {
        Some(id) => {
            document.opt_clone_object_to_new_document(id)?;
            document.new_document.get_object_mut(id)?
        }
        None => document.get_or_create_resources(page)?.as_dict_mut()?.get_mut(b"Font")?,
    };
    let fonts = fonts.as_dict_mut()?;
    let own = fonts.iter().find(|(_, value)| value.as_reference().is_ok_and(|id| id == font));
    if let Some((name, _)) = own {
        return Ok(String::from_utf8_lossy(name).into_owned());
    }
    let free = |name: &String| !fonts.has(name.as_bytes());
    let name = (0..=fonts.len()).map(|number| format!("{FONT}{number}")).find(free).unwrap_or_default();
    fonts.set(name.as_str(), font);
    Ok(name)
}

/// Returns the content streams that a page has.
fn content_streams(document: &IncrementalDocument, page: ObjectId) -> Result<Vec<Object>, AnnotateError> {
    let old = document.get_prev_documents();
    let contents = old.get_dictionary(page)?.get(b"Contents").cloned().unwrap_or(Object::Null);
    Ok(match contents {
        Object::Array(streams) => streams,
        Object::Reference(id) => match old.get_object(id) {
            Ok(Object::Array(streams)) => streams.clone(),
            Ok(Object::Stream(_)) => vec![Object::Reference(id)],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    })
}

/// Returns a compressed stream.
fn compressed(dictionary: Dictionary, bytes: Vec<u8>) -> Stream {
    let mut stream = Stream::new(dictionary, bytes);
    // A stream that does not get smaller stays as it is.
    let _ = stream.compress();
    stream
}

/// Returns 16-bit numbers in hex.
fn hex(numbers: &[u16]) -> String {
    numbers.iter().fold(String::new(), |mut text, number| {
        let _ = write!(text, "{number:04X}");
        text
    })
}
