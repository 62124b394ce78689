//! Decodes text strings outside of content: titles, names of layers, metadata.

/// Decodes a PDF text string (ISO 32000-2, 7.9.2.2): UTF-16 or UTF-8 with a byte order mark,
/// otherwise `PDFDocEncoding`. Undecodable bytes become U+FFFD, and escape sequences that name a
/// language are removed.
pub(crate) fn text_string(bytes: &[u8]) -> String {
    match bytes {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|&byte| pdf_doc_encoding(byte)).collect(),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|&pair| unit(pair)).collect();
    without_language_escapes(&String::from_utf16_lossy(&units))
}

/// Removes language tags between two U+001B (ISO 32000-2, 7.9.2.2.2).
fn without_language_escapes(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    while let Some(tag) = parts.next() {
        match parts.next() {
            Some(after) => kept.push_str(after),
            None => kept.push_str(tag),
        }
    }
    kept
}

/// Decodes a byte by ISO 32000-2, table D.2. Codes without a character become U+FFFD; control
/// characters are kept.
fn pdf_doc_encoding(byte: u8) -> char {
    const FROM_18: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];
    const FROM_80: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ', 'Ł',
        'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{FFFD}', '€',
    ];
    match byte {
        0x18..=0x1F => FROM_18[usize::from(byte - 0x18)],
        0x80..=0xA0 => FROM_80[usize::from(byte - 0x80)],
        0x7F | 0xAD => char::REPLACEMENT_CHARACTER,
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::text_string;

    #[test]
    fn text_strings_are_decoded_by_their_byte_order_mark() {
        let cases: [(&[u8], &str); 7] = [
            (b"Division 03", "Division 03"),
            (b"\x83 \x84 \x93le \xA0", "… — ﬁle €"),
            (b"\xFE\xFF\x00A\x20\x13\xD8\x3D\xDE\x00", "A–😀"),
            (b"\xFF\xFEA\x00\x13\x20", "A–"),
            (b"\xEF\xBB\xBFT\xC3\xBCr", "Tür"),
            (b"\xFE\xFF\x00\x1B\x00e\x00n\x00\x1B\x00H\x00i", "Hi"),
            (b"\xFE\xFF\xD8\x3D\x00A\x00", "\u{FFFD}A"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(text_string(bytes), expected, "{bytes:02X?}");
        }
    }
}
