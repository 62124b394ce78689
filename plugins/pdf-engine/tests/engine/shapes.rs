//! Fonts that do not say what their codes mean, made of typefaces that the engine does not contain.

use std::fmt::Write as _;

use pdf_engine::Document;
use skrifa::MetadataProvider;

use crate::file::{LETTER, one_page, page_of, pdf, stream};

const TEXT: &str = "Section 03 30 00 - Cast-in-Place Concrete, Joints & Finishing: Quality for 1,946 Jobs (Volume 2/5); \
                    see DIVISION 07 BUILT-UP ROOFING, Page 18. Wood, Plastics, and Composites. Hydraulic Elevators. \
                    Xylophone Zone; THE KEY WORKMANSHIP QUIZ";

/// Reads a font's file by the font's own name, such as "LibertinusSerif-Regular".
fn program(name: &str) -> Vec<u8> {
    let is_it = |data: &&[u8]| {
        let font = skrifa::FontRef::new(data).unwrap();
        let mut names = font.localized_strings(skrifa::string::StringId::POSTSCRIPT_NAME);
        names.any(|string| string.to_string() == name)
    };
    typst_assets::fonts().find(is_it).unwrap().to_vec()
}

fn glyph_of(program: &[u8], char: char) -> u32 {
    skrifa::FontRef::new(program).unwrap().charmap().map(char).unwrap().to_u32()
}

/// Returns the position of the character map's entry in the table directory.
fn cmap_entry(program: &[u8]) -> usize {
    let tables = usize::from(u16::from_be_bytes([program[4], program[5]]));
    (0..tables).map(|index| 12 + 16 * index).find(|entry| &program[*entry..entry + 4] == b"cmap").unwrap()
}

/// Removes the character map of a font program.
fn without_characters(mut program: Vec<u8>) -> Vec<u8> {
    let entry = cmap_entry(&program);
    program[entry..entry + 4].copy_from_slice(b"zzzz");
    program
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut hex, byte| {
        write!(hex, "{byte:02X}").unwrap();
        hex
    })
}

fn font_file(program: &[u8]) -> String {
    stream("/Subtype /OpenType /Filter /ASCIIHexDecode", hex(program) + ">")
}

/// A composite font whose codes are glyph numbers. Object 5 is its program, 6 its `ToUnicode`.
const COMPOSITE: &str = "/Font << /F << /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Face /Encoding /Identity-H \
                         /ToUnicode 6 0 R /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /ABCDEF+Face \
                         /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 \
                         /FontDescriptor << /Type /FontDescriptor /FontName /ABCDEF+Face /Flags 4 /FontFile3 5 0 R >> >>] >> >>";

fn composite(program: &[u8]) -> String {
    let is_true_type = program.starts_with(&[0, 1, 0, 0]);
    if is_true_type {
        COMPOSITE.replace("CIDFontType0", "CIDFontType2").replace("FontFile3", "FontFile2")
    } else {
        COMPOSITE.to_owned()
    }
}

/// A line shown by glyph numbers, with a `ToUnicode` of the given entries.
fn shown(program: &[u8], text: &str, to_unicode: &str) -> String {
    let codes: Vec<u8> = text.chars().flat_map(|char| (glyph_of(program, char) as u16).to_be_bytes()).collect();
    let content = format!("BT /F 10 Tf 20 700 Td <{}> Tj ET", hex(&codes));
    let map = format!("1 begincodespacerange <0000> <FFFF> endcodespacerange {to_unicode}");
    let more = [font_file(&without_characters(program.to_vec())), stream("", map)];
    let page = page_of(one_page(LETTER, &composite(program), &content, &more));
    page.text().runs.into_iter().map(|run| run.text).collect()
}

#[test]
fn characters_are_read_from_shapes_in_typefaces_of_every_kind() {
    for name in [
        "LibertinusSerif-Regular",
        "LibertinusSerif-Bold",
        "LibertinusSerif-Italic",
        "NewCM10-Regular",
        "NewCM10-Bold",
        "DejaVuSansMono",
        "DejaVuSansMono-Bold",
        "DejaVuSansMono-Oblique",
    ] {
        let read = shown(&program(name), TEXT, "");
        let right = TEXT.chars().zip(read.chars()).filter(|(expected, read)| expected == read).count();
        let all = TEXT.chars().count();
        assert_eq!(read.chars().count(), all, "{name}");
        assert!(right * 100 >= 97 * all, "{name}: {right} of {all}\n{TEXT}\n{read}");
    }
}

#[test]
fn a_useless_unicode_map_is_not_trusted() {
    let program = program("LibertinusSerif-Regular");
    for (what, entries) in [
        ("private characters", "1 beginbfrange <0000> <FFFF> <E000> endbfrange"),
        ("control characters", &all_to_one(&program, "0007")),
        ("one for all", &all_to_one(&program, "0078")),
        ("the replacement character", &all_to_one(&program, "FFFD")),
    ] {
        assert_eq!(shown(&program, "Division 03 Concrete", entries), "Division 03 Concrete", "{what}");
    }
}

fn all_to_one(program: &[u8], code: &str) -> String {
    let glyphs: Vec<u32> = TEXT.chars().map(|char| glyph_of(program, char)).collect();
    let mut entries = String::new();
    for glyph in glyphs.iter().take(100) {
        write!(entries, "<{glyph:04X}> <{code}> ").unwrap();
    }
    format!("100 beginbfchar {entries} endbfchar")
}

#[test]
fn a_useful_unicode_map_outranks_shapes() {
    let program = program("LibertinusSerif-Regular");
    let mut entries = String::new();
    for char in "abcdef".chars() {
        write!(entries, "<{:04X}> <{:04X}> ", glyph_of(&program, char), u32::from(char) + 1).unwrap();
    }
    let told = shown(&program, "abcdef", &format!("6 beginbfchar {entries} endbfchar"));
    assert_eq!(told, "bcdefg");
}

/// A simple TrueType font that does not say what its codes mean: the characters of `alphabet` from
/// 0x21 on.
fn simple(alphabet: &str, content: &str) -> String {
    let mut program = program("DejaVuSansMono");
    let mut glyphs = [0_u8; 256];
    for (glyph, char) in glyphs[0x21..].iter_mut().zip(alphabet.chars()) {
        *glyph = glyph_of(&program, char).try_into().unwrap();
    }
    // One table of format 0 for the Macintosh platform, as TrueType programs in PDF map their
    // codes.
    let mut cmap = vec![0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 12, 0, 0, 1, 6, 0, 0];
    cmap.extend(glyphs);
    let entry = cmap_entry(&program);
    let offset = u32::try_from(program.len()).unwrap();
    program[entry + 8..entry + 12].copy_from_slice(&offset.to_be_bytes());
    program[entry + 12..entry + 16].copy_from_slice(&u32::try_from(cmap.len()).unwrap().to_be_bytes());
    program.extend(cmap);
    let widths = vec!["602"; 94].join(" ");
    let font = format!(
        "/Font << /F << /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Face /FirstChar 33 /LastChar 126 /Widths [{widths}] \
         /ToUnicode null /FontDescriptor << /Type /FontDescriptor /FontName /ABCDEF+Face /Flags 4 /FontFile2 5 0 R >> >> >>"
    );
    let content = format!("BT /F 10 Tf 20 700 Td ({content}) Tj ET");
    let page = page_of(one_page(LETTER, &font, &content, &[font_file(&program)]));
    page.text().runs.into_iter().map(|run| run.text).collect()
}

#[test]
fn unexplained_codes_are_latin_unless_shapes_disprove_it() {
    let honest: String = (0x21..0x7F_u8).map(char::from).collect();
    assert_eq!(simple(&honest, "Il1|O0o"), "Il1|O0o");
    assert_eq!(simple("Concrete Masonry", "!\"#$%&'"), "Concret");
}

#[test]
fn shapes_that_are_no_characters_stay_unknown() {
    let program = program("NewCMMath-Regular");
    let symbols = "∰⊛≋⋈⪅⨌⊞⟐∯⋙";
    let read = shown(&program, symbols, "");
    assert_eq!(read, "\u{FFFD}".repeat(symbols.chars().count()));
}

#[test]
fn a_font_of_thousands_of_glyphs_is_read_in_part() {
    const PAGES: u16 = 50;
    let program = program("NewCMMath-Regular");
    let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned(), String::new(), String::new(), String::new()];
    objects.extend([font_file(&without_characters(program.clone())), stream("", "")]);
    let mut kids = String::new();
    for page in 0..PAGES {
        let codes: Vec<u8> = (page * 100 + 1..=page * 100 + 100).flat_map(u16::to_be_bytes).collect();
        let number = objects.len() + 1;
        write!(kids, "{number} 0 R ").unwrap();
        objects.push(format!("<< /Type /Page /Parent 2 0 R {LETTER} /Resources 3 0 R /Contents {} 0 R >>", number + 1));
        objects.push(stream("", format!("BT /F 10 Tf <{}> Tj ET", hex(&codes))));
    }
    objects[1] = format!("<< /Type /Pages /Kids [{kids}] /Count {PAGES} >>");
    objects[2] = format!("<< {} >>", composite(&program));
    objects[3] = "null".to_owned();
    let document = Document::open(pdf(&objects)).unwrap();
    let text: String =
        (1..=u32::from(PAGES)).map(|page| document.page(page).unwrap().text().runs[0].text.clone()).collect();
    let read = text.chars().filter(|char| *char != char::REPLACEMENT_CHARACTER).count();
    assert!(read <= 2_000 + 100, "{read}");
    assert!(text.ends_with(&"\u{FFFD}".repeat(100)), "{read}");
}
