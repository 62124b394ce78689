//! Pages that no draughtsman drew, as files.

use std::fmt::Write as _;

use crate::file;

/// Pages that show nothing to be found, each with what it is.
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
    ]
}

/// Crowded sheets, each with what it is: of lines, of rules, and of texts that are repeated all over it.
pub fn crowded(texts: [&str; 4]) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a million segments", million_segments()),
        ("nothing but rules", rules()),
        ("strewn with texts", strewn(texts)),
    ]
}

/// A million lines across a sheet and back, in many directions: each touches hundreds of any grid's cells.
fn million_segments() -> Vec<u8> {
    let mut content = String::with_capacity(40_000_000);
    for at in 0..1_000_000_u32 {
        let (x, y) = (at % 2500, at / 2500 * 4);
        let _ = write!(content, "{x} {y} m {} {} l S ", 2592 - x, 1728 - y);
    }
    file("0 0 2592 1728", 0, &content)
}

/// A sheet of nothing but rules, level and plumb, as close as a hatch.
fn rules() -> Vec<u8> {
    let mut content = String::new();
    for at in 0..1_200_u32 {
        let (x, y) = (at * 2, f64::from(at) * 1.4);
        let _ = write!(content, "{x} 0 m {x} 1728 l S 0 {y} m 2592 {y} l S ");
    }
    file("0 0 2592 1728", 0, &content)
}

/// A turned sheet strewn with texts, 20,000 of them, each in a box.
fn strewn(texts: [&str; 4]) -> Vec<u8> {
    let mut content = String::new();
    for at in 0..20_000_u32 {
        let (x, y) = (at % 160 * 16, at / 160 * 13);
        let text = texts[(at % 4) as usize];
        let _ = write!(content, "BT /F 5 Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET {x} {y} 9 7 re S ");
    }
    file("0 0 2592 1728", 270, &content)
}
