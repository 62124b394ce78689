//! Numbers whose parts stand in cells side by side.
//!
//! The United Kingdom's annex of ISO 19650-2 names seven parts: project, originator, volume, level, type, role and number.
//! Title blocks often print each in its own cell. The parts are joined by hyphens, as the annex has it.

use super::{SAME_SIZE, union};
use crate::sheet::{Sheet, Text};

/// The types of the annex that sheets have: drawing, schedule, and the sketch of the older BS 1192.
const TYPES: [&str; 3] = ["DR", "SH", "SK"];
/// The parts before the type: project, originator, volume and level.
const MAX_PARTS_BEFORE: usize = 4;
/// Fewer parts before the type are no number: "DR A 101" may be a door.
const MIN_PARTS_BEFORE: usize = 2;
/// The longest part, in characters. The annex has six for the longest.
const MAX_PART_LENGTH: usize = 8;
/// Texts are in one row if their middles differ by at most this, in em.
const SAME_ROW: f32 = 0.3;

/// Returns the numbers of a sheet whose parts are in cells side by side, each as one text.
pub(super) fn numbers(sheet: &Sheet) -> Vec<Text> {
    let types = sheet.texts.iter().filter(|text| TYPES.contains(&text.text.as_str()));
    types.filter_map(|of_type| number(sheet, of_type)).collect()
}

/// Returns the number whose type is this text.
fn number(sheet: &Sheet, of_type: &Text) -> Option<Text> {
    let row = row(sheet, of_type);
    let at = row.iter().position(|text| std::ptr::eq(*text, of_type))?;
    let (role, serial) = (row.get(at + 1)?, row.get(at + 2)?);
    if !is_role(&role.text) || !is_serial(&serial.text) {
        return None;
    }
    let before = row[..at].iter().rev().take(MAX_PARTS_BEFORE).take_while(|text| is_part(&text.text)).count();
    if before < MIN_PARTS_BEFORE {
        return None;
    }
    let parts = row.get(at - before..=at + 2)?;
    let text = parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("-");
    let bbox = parts.iter().map(|part| part.bbox).reduce(union)?;
    Some(Text { text, bbox, ..of_type.clone() })
}

/// Returns the texts on one line with another that are set like it, in reading order.
fn row<'s>(sheet: &'s Sheet, text: &Text) -> Vec<&'s Text> {
    let mut row: Vec<(f32, &Text)> = Vec::new();
    let [_, top, _, foot] = text.upright(sheet.width, sheet.height);
    for other in &sheet.texts {
        let [left, own_top, _, own_foot] = other.upright(sheet.width, sheet.height);
        let is_set_alike = other.turn == text.turn && (other.size - text.size).abs() < SAME_SIZE * text.size;
        let apart = (f32::midpoint(own_top, own_foot) - f32::midpoint(top, foot)).abs();
        if is_set_alike && apart < SAME_ROW * text.size {
            row.push((left, other));
        }
    }
    row.sort_by(|a, b| a.0.total_cmp(&b.0));
    row.into_iter().map(|(_, text)| text).collect()
}

/// Returns whether a text may be a role: one or two letters.
fn is_role(text: &str) -> bool {
    (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Returns whether a text may be the number of a sheet within its role: "20112", "0301".
fn is_serial(text: &str) -> bool {
    (3..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a text may be a part before the type.
fn is_part(text: &str) -> bool {
    text.len() <= MAX_PART_LENGTH && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a sheet with texts in one row.
    fn sheet(cells: &[&str]) -> Sheet {
        let place = |(at, text): (usize, &&str)| {
            let left = 100.0 + 60.0 * at as f32;
            Text { text: (*text).to_owned(), bbox: [left, 500.0, left + 30.0, 510.0], size: 10.0, turn: 0, read: false }
        };
        let texts = cells.iter().enumerate().map(place).collect();
        Sheet { width: 1000.0, height: 600.0, texts, ..Sheet::default() }
    }

    #[test]
    fn parts_in_cells_are_joined() {
        for (cells, number) in [
            (&["1847", "KTA", "XX", "02", "DR", "A", "20112", "S4", "P03"][..], "1847-KTA-XX-02-DR-A-20112"),
            (&["Checked", "QWE", "RT", "ZZ", "DR", "ME", "0301"], "QWE-RT-ZZ-DR-ME-0301"),
        ] {
            let found = numbers(&sheet(cells));
            assert_eq!(found.iter().map(|text| text.text.as_str()).collect::<Vec<_>>(), [number]);
        }
    }

    #[test]
    fn a_type_without_its_parts_is_no_number() {
        for cells in [&["DR", "A", "101"][..], &["XX", "02", "DR", "A"], &["XX", "02", "DR", "Smith", "20112"]] {
            assert!(numbers(&sheet(cells)).is_empty(), "{cells:?}");
        }
    }
}
