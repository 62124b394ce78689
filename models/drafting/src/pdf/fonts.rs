//! Font objects for the faces a document uses.

use std::collections::{BTreeMap, BTreeSet};

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;

use super::write::Ids;
use super::{Document, Face, Mark, Producer};

/// What the pages need to know about a font of the file.
pub(super) struct Font {
    pub(super) resource: String,
    pub(super) id: Ref,
    pub(super) subset: GlyphRemapper,
}

/// The ordering of codes that are glyph numbers.
const IDENTITY: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Writes the fonts of all faces in the document.
pub(super) fn write(document: &Document, producer: &Producer, ids: &mut Ids, pdf: &mut Pdf) -> BTreeMap<Face, Font> {
    let mut characters: BTreeMap<Face, BTreeSet<char>> = BTreeMap::new();
    for mark in document.pages.iter().flat_map(|page| &page.marks) {
        if let Mark::Text { face, text, .. } | Mark::Upward { face, text, .. } = mark {
            characters.entry(*face).or_default().extend(text.chars());
        }
    }
    characters
        .into_iter()
        .enumerate()
        .map(|(index, (face, used))| {
            let id = ids.next();
            let subset = match face.open_type() {
                Some(_) => open_type(face, &used, producer.unicode, id, ids, pdf),
                None => standard(face, producer.embed_standard_fonts, id, ids, pdf),
            };
            (face, Font { resource: format!("F{}", index + 1), id, subset })
        })
        .collect()
}

fn standard(face: Face, embed: bool, id: Ref, ids: &mut Ids, pdf: &mut Pdf) -> GlyphRemapper {
    let program = face.standard_program().filter(|_| embed);
    let name = if program.is_some() { format!("QWERTY+{}", face.name()) } else { face.name().to_owned() };
    let descriptor = ids.next();
    let mut font = pdf.type1_font(id);
    font.base_font(Name(name.as_bytes())).encoding_predefined(Name(b"WinAnsiEncoding"));
    if let Some(program) = program {
        font.first_char(32).last_char(255);
        font.widths((32..=255).map(|code| f32::from(face.standard_width(code))));
        font.font_descriptor(descriptor);
        font.finish();
        let file = ids.next();
        pdf.font_descriptor(descriptor)
            .name(Name(name.as_bytes()))
            .flags(FontFlags::NON_SYMBOLIC)
            .bbox(Rect::new(-200.0, -250.0, 1200.0, 950.0))
            .italic_angle(0.0)
            .ascent(750.0)
            .descent(-220.0)
            .cap_height(700.0)
            .stem_v(if face.bold { 140.0 } else { 85.0 })
            .font_file3(file);
        let packed = super::write::deflate(program);
        pdf.stream(file, &packed).filter(Filter::FlateDecode).pair(Name(b"Subtype"), Name(b"Type1C"));
    }
    GlyphRemapper::new()
}

fn open_type(
    face: Face,
    used: &BTreeSet<char>,
    with_unicode: bool,
    id: Ref,
    ids: &mut Ids,
    pdf: &mut Pdf,
) -> GlyphRemapper {
    let Some(font) = face.open_type() else { return GlyphRemapper::new() };
    let mut subset = GlyphRemapper::new();
    let mut unicode = UnicodeCmap::<u16>::new(Name(b"Drafted"), IDENTITY);
    let mut widths = BTreeMap::new();
    for &character in used {
        let glyph = font.parsed.glyph_index(character).unwrap_or_default();
        let code = subset.remap(glyph.0);
        unicode.pair(code, character);
        widths.insert(code, face.advance(character));
    }
    let cff = font.parsed.tables().cff.is_some();
    let name = format!("ASDFGH+{}", face.name());
    let (descendant, descriptor, map, file) = (ids.next(), ids.next(), ids.next(), ids.next());
    let mut composite = pdf.type0_font(id);
    composite.base_font(Name(name.as_bytes())).encoding_predefined(Name(b"Identity-H")).descendant_font(descendant);
    if with_unicode {
        composite.to_unicode(map);
    }
    composite.finish();
    let mut cid = pdf.cid_font(descendant);
    cid.subtype(if cff { CidFontType::Type0 } else { CidFontType::Type2 })
        .base_font(Name(name.as_bytes()))
        .system_info(IDENTITY)
        .font_descriptor(descriptor)
        .default_width(0.0);
    if !cff {
        cid.cid_to_gid_map_predefined(Name(b"Identity"));
    }
    let mut table = cid.widths();
    for (code, width) in widths {
        table.consecutive(code, [width]);
    }
    table.finish();
    cid.finish();
    let units = 1000.0 / f32::from(font.parsed.units_per_em());
    let mut described = pdf.font_descriptor(descriptor);
    described
        .name(Name(name.as_bytes()))
        .flags(FontFlags::SYMBOLIC)
        .bbox(Rect::new(-500.0, -300.0, 1500.0, 1100.0))
        .italic_angle(0.0)
        .ascent(f32::from(font.parsed.ascender()) * units)
        .descent(f32::from(font.parsed.descender()) * units)
        .cap_height(700.0)
        .stem_v(if face.bold { 140.0 } else { 85.0 });
    if cff {
        described.font_file3(file);
    } else {
        described.font_file2(file);
    }
    described.finish();
    if with_unicode {
        let cmap = super::write::deflate(unicode.finish().as_slice());
        pdf.stream(map, &cmap).filter(Filter::FlateDecode);
    }
    let program = subsetter::subset(font.data, 0, &subset).unwrap_or_else(|_| font.data.to_vec());
    let packed = super::write::deflate(&program);
    let mut stream = pdf.stream(file, &packed);
    stream.filter(Filter::FlateDecode);
    if cff {
        stream.pair(Name(b"Subtype"), Name(b"OpenType"));
    }
    stream.finish();
    subset
}
