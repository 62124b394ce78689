//! Unusual pages as files.

use std::fmt::Write as _;

use crate::file;

/// Returns pages in which nothing can be detected, each with its description.
pub fn blank() -> Vec<(&'static str, Vec<u8>)> {
    let letter = "0 0 612 792";
    vec![
        ("an empty page", file("0 0 2592 1728", 0, "")),
        ("a page of one point", file("0 0 1 1", 90, "0 0 m 1 1 l S BT /F 1 Tf (KITCHEN ELEVATION) Tj ET")),
        ("a page of 200 inches", file("0 0 14400 14400", 0, "0 0 m 14400 14400 l S 10 10 14000 14000 re S")),
        ("a page of text alone", file(letter, 0, "BT /F 12 Tf 72 700 Td (KITCHEN 101 ELEVATION 1:50) Tj ET")),
        ("mirrored text", file(letter, 0, "BT /F 12 Tf -1 0 0 1 500 700 Tm (KITCHEN 101 ELEVATION 1:50) Tj ET")),
        ("text of 2 points", file(letter, 0, "BT /F 2 Tf 72 700 Td (KITCHEN 101 ELEVATION 1:50) Tj ET")),
        (
            "a page that is a picture",
            file(letter, 0, "q 612 0 0 792 0 0 cm BI /W 2 /H 2 /CS /G /BPC 8 ID \x10\x20\x30\x40 EI Q"),
        ),
        ("numbers beyond any page", file(letter, 180, "-1e30 1e30 m 1e30 -1e30 l S 1e38 1e38 1e38 1e38 re S")),
        (
            "places that are no numbers",
            file(
                letter,
                0,
                "q 1e30 0 0 -1e30 1e38 1e38 cm 1e30 1e30 m -1e30 1e30 l S BT /F 1e20 Tf 1e38 -1e38 Td (OFFICE 101) Tj ET Q \
                 q 0 0 0 0 0 0 cm 1 1 m 100 1 l S BT /F 12 Tf (OFFICE 101) Tj ET Q",
            ),
        ),
    ]
}

/// Returns pages that are images, each with its description: there is much foreground, but no
/// drawing.
pub fn pictured() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a picture of 100 megapixels", file("0 0 2592 1728", 0, &stripes(2592, 1728, 12_500, 8_000))),
        ("a turned page that is black", file("0 0 2592 1728", 90, &filled(2592, 1728, 3_600, 2_400, 0x00))),
        ("a picture on a page of 200 inches", file("0 0 14400 14400", 0, &stripes(14_400, 14_400, 8_000, 8_000))),
        ("a picture of one pixel", file("0 0 612 792", 0, &filled(612, 792, 8, 1, 0x00))),
    ]
}

/// Returns an image of black and white stripes, four pixels wide.
fn stripes(wide: u32, high: u32, columns: u32, rows: u32) -> String {
    filled(wide, high, columns, rows, 0x0f)
}

/// Returns an image over `wide` by `high` points that repeats eight pixels, one for each bit, in
/// all its columns and rows.
fn filled(wide: u32, high: u32, columns: u32, rows: u32, eight: u8) -> String {
    // Run lengths: 128 times the byte, again and again.
    let bytes = columns.div_ceil(8) * rows;
    let mut coded = String::new();
    for _ in 0..bytes.div_ceil(128) {
        let _ = write!(coded, "81{eight:02x}");
    }
    format!("q {wide} 0 0 {high} 0 0 cm BI /W {columns} /H {rows} /CS /G /BPC 1 /F [/AHx /RL] ID {coded}80> EI Q")
}

/// Returns crowded sheets, each with its description: full of lines, of rules, or of repeated
/// texts.
pub fn crowded(texts: [&str; 4]) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a million segments", million_segments()),
        ("nothing but rules", rules()),
        ("strewn with texts", scattered(texts)),
    ]
}

/// Returns a sheet with a million lines across it, in many directions: each touches hundreds of
/// cells of any grid.
fn million_segments() -> Vec<u8> {
    let mut content = String::with_capacity(40_000_000);
    for at in 0..1_000_000_u32 {
        let (x, y) = (at % 2500, at / 2500 * 4);
        let _ = write!(content, "{x} {y} m {} {} l S ", 2592 - x, 1728 - y);
    }
    file("0 0 2592 1728", 0, &content)
}

/// Returns a sheet of horizontal and vertical rules, as close as a hatch.
fn rules() -> Vec<u8> {
    let mut content = String::new();
    for at in 0..1_200_u32 {
        let (x, y) = (at * 2, f64::from(at) * 1.4);
        let _ = write!(content, "{x} 0 m {x} 1728 l S 0 {y} m 2592 {y} l S ");
    }
    file("0 0 2592 1728", 0, &content)
}

/// Returns a rotated sheet with 20,000 texts, each in a box.
fn scattered(texts: [&str; 4]) -> Vec<u8> {
    let mut content = String::new();
    for at in 0..20_000_u32 {
        let (x, y) = (at % 160 * 16, at / 160 * 13);
        let text = texts[(at % 4) as usize];
        let _ = write!(content, "BT /F 5 Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET {x} {y} 9 7 re S ");
    }
    file("0 0 2592 1728", 270, &content)
}
