//! A TrueType font without outlines, for text that is not painted.
//!
//! The standard fonts have no letters beyond Latin ones, and a viewer that replaces one changes the widths. This font is embedded,
//! as PDF/A requires also of text that is not painted, and each of its glyphs has the same width. OCR programs such as Tesseract
//! and `OCRmyPDF` write such a font, too.

/// Units of the em.
const UNITS_PER_EM: u16 = 1000;
/// Advance of each glyph in units of the em, about the mean of letters in running text.
pub(crate) const ADVANCE: u16 = 500;
/// Height above the baseline in units of the em: about that of Helvetica and Times.
pub(crate) const ASCENT: i16 = 750;
/// Depth below the baseline (negative) in units of the em: about that of Helvetica and Times.
pub(crate) const DESCENT: i16 = -220;
/// Number of glyphs: the one of missing characters, and [`GLYPH`].
const GLYPHS: u16 = 2;
/// The glyph that stands for every character.
pub(crate) const GLYPH: u16 = 1;

/// Length of the font's header, in bytes.
const HEADER: usize = 12;
/// Length of a table's entry in the table directory, in bytes.
const ENTRY: usize = 16;
/// Where the table `head` holds the adjustment of the font's checksum.
const ADJUSTMENT_AT: usize = 8;
/// The checksum of a whole font, its adjustment included (OpenType 1.9, table `head`).
const WHOLE_CHECKSUM: u32 = 0xb1b0_afba;

/// Returns the font file: the tables that ISO 32000-2 (9.9) requires of an embedded TrueType font, an empty `cmap`, and `post`.
pub(crate) fn file() -> Vec<u8> {
    let tables: [(&[u8; 4], Vec<u8>); 8] = [
        (b"cmap", cmap()),
        // No glyph has an outline. Some readers do not accept a table of no length.
        (b"glyf", vec![0; 4]),
        (b"head", head()),
        (b"hhea", hhea()),
        (b"hmtx", [words(&[ADVANCE, 0]), vec![0; 2 * (usize::from(GLYPHS) - 1)]].concat()),
        (b"loca", vec![0; 2 * (usize::from(GLYPHS) + 1)]),
        (b"maxp", maxp()),
        (b"post", post()),
    ];
    // Eight tables: the greatest power of two times 16, its exponent, and what is left.
    let mut file = words(&[1, 0, 8, 128, 3, 0]);
    let mut body = Vec::new();
    let mut head_at = 0;
    for (tag, table) in &tables {
        let at = HEADER + ENTRY * tables.len() + body.len();
        if *tag == b"head" {
            head_at = at;
        }
        file.extend_from_slice(*tag);
        for number in [checksum(table), at as u32, table.len() as u32] {
            file.extend_from_slice(&number.to_be_bytes());
        }
        body.extend_from_slice(table);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    file.extend(body);
    let adjustment = WHOLE_CHECKSUM.wrapping_sub(checksum(&file));
    file[head_at + ADJUSTMENT_AT..][..4].copy_from_slice(&adjustment.to_be_bytes());
    file
}

/// Returns 16-bit numbers as bytes.
fn words(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// Returns the sum of a table's 32-bit numbers; missing bytes are zero.
fn checksum(table: &[u8]) -> u32 {
    let mut sum = 0_u32;
    for bytes in table.chunks(4) {
        let mut number = [0; 4];
        number[..bytes.len()].copy_from_slice(bytes);
        sum = sum.wrapping_add(u32::from_be_bytes(number));
    }
    sum
}

/// Returns a map of characters in format 4 that has none.
fn cmap() -> Vec<u8> {
    let table = words(&[0, 1]);
    let windows_unicode = words(&[3, 1, 0, 12]);
    let (format, length, language) = (4, 24, 0);
    let one_segment = words(&[format, length, language, 2, 2, 0, 0]);
    let (end, padding, start, delta, offset) = (0xffff, 0, 0xffff, 1, 0);
    [table, windows_unicode, one_segment, words(&[end, padding, start, delta, offset])].concat()
}

fn head() -> Vec<u8> {
    let (version, revision, adjustment, magic) = ([1, 0], [1, 0], [0, 0], [0x5f0f, 0x3cf5]);
    let start = words(&[version, revision, adjustment, magic].concat());
    // Baseline and left side bearing at zero.
    let flags = 0b11;
    let (created, modified, bounds) = ([0; 4], [0; 4], [0; 4]);
    let (style, smallest_size, direction, short_offsets, format) = (0, 8, 2, 0, 0);
    let rest = [style, smallest_size, direction, short_offsets, format];
    [start, words(&[flags, UNITS_PER_EM]), words(&[created, modified, bounds].concat()), words(&rest)].concat()
}

fn hhea() -> Vec<u8> {
    let (version, line_gap) = ([1, 0], 0);
    let extents = [ASCENT as u16, DESCENT as u16, line_gap, ADVANCE];
    // Bearings, extent, slope of the caret (upright), reserved numbers and format.
    let rest = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let own_advances = 1;
    [words(&version), words(&extents), words(&rest), words(&[own_advances])].concat()
}

fn maxp() -> Vec<u8> {
    // Version, glyphs, points and contours, zones, and the limits of the instructions, of which there are none.
    words(&[1, 0, GLYPHS, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
}

fn post() -> Vec<u8> {
    // Version 3 has no names of glyphs. Angle, underline, and that the pitch is fixed.
    let start = [3, 0, 0, 0, 0, 0, 0, 1];
    [words(&start), vec![0; 16]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksums_of_the_font_are_right() {
        let file = file();
        assert_eq!(checksum(&file), WHOLE_CHECKSUM);
        assert_eq!(&file[..12], [0, 1, 0, 0, 0, 8, 0, 128, 0, 3, 0, 0]);
    }

    #[test]
    fn tables_have_the_lengths_of_the_format() {
        let lengths = [cmap().len(), head().len(), hhea().len(), maxp().len(), post().len()];
        assert_eq!(lengths, [36, 54, 36, 32, 32]);
    }
}
