//! What recurs at a place on the sheets of a set, and whether it says the same there.

use std::collections::{HashMap, HashSet};

use crate::sheet::Sheet;

/// Texts by their place on sheets of one size, measured from the bottom right corner.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// The sheets of each size.
    sheets: HashMap<Size, HashSet<u32>>,
    /// The texts in each square of the grid.
    squares: HashMap<Square, Vec<Entry>>,
}

/// A square of the grid: the sheets' size, the texts' rotation, the column and the row.
type Square = (Size, u8, i32, i32);

/// A text: its sheet, its content, and its distance from the right and the bottom edge.
#[derive(Debug)]
struct Entry {
    sheet: u32,
    text: String,
    x: f32,
    y: f32,
}

/// The size of a sheet in steps of at least a quarter inch: plots of one sheet size differ by a
/// point or two.
pub(crate) type Size = (i32, i32);

/// What the other sheets have at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Recurrence {
    /// The number of other sheets of that size.
    pub(crate) others: usize,
    /// The share of them that has a text there.
    pub(crate) support: f32,
    /// The share of those that say the same as this sheet.
    pub(crate) same: f32,
}

/// The place of a text: its sheet's number and size, its rotation, and a point of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) sheet: u32,
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) turn: u8,
    pub(crate) x: f32,
    pub(crate) y: f32,
}

/// Two texts are at one place if their distance is at most this share of the sheet's diagonal. A
/// number with three more letters moves a centred one by half of that.
const TOLERANCE: f32 = 0.015;
/// The most texts of a square that are compared, so that a sheet full of texts does not make a set
/// slow.
const MAX_ENTRIES: usize = 4000;

impl Place {
    pub(crate) fn new(sheet: &Sheet, turn: u8, (x, y): (f32, f32)) -> Self {
        Self { sheet: sheet.number, width: sheet.width, height: sheet.height, turn, x, y }
    }

    fn size(&self) -> Size {
        ((self.width / 20.0).round() as i32, (self.height / 20.0).round() as i32)
    }

    fn tolerance(&self) -> f32 {
        (TOLERANCE * self.width.hypot(self.height)).max(1.0)
    }

    fn corner(&self) -> (f32, f32) {
        (self.width - self.x, self.height - self.y)
    }
}

impl Places {
    /// Returns the sheets of a set, of which none has a text yet. Each counts, whether or not it has one at a place.
    pub(crate) fn of_sheets(sheets: &[Sheet]) -> Self {
        let mut places = Self::default();
        for sheet in sheets {
            places.add_sheet(&Place::new(sheet, 0, (0.0, 0.0)));
        }
        places
    }

    fn add_sheet(&mut self, place: &Place) {
        self.sheets.entry(place.size()).or_default().insert(place.sheet);
    }

    /// Adds a text.
    pub(crate) fn add(&mut self, place: &Place, text: &str) {
        let (x, y) = place.corner();
        let square = self.squares.entry(key(place, x, y)).or_default();
        if square.len() < MAX_ENTRIES {
            square.push(Entry { sheet: place.sheet, text: text.to_owned(), x, y });
        }
    }

    /// Returns what the other sheets have at the place of a text.
    pub(crate) fn recurrence(&self, place: &Place, text: &str) -> Recurrence {
        let others = self.sheets.get(&place.size()).map_or(0, HashSet::len).saturating_sub(1);
        if others == 0 {
            return Recurrence::default();
        }
        let (x, y) = place.corner();
        let step = place.tolerance();
        let (mut there, mut same) = (HashSet::new(), HashSet::new());
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let (size, turn, column, row) = key(place, x, y);
            let entries = self.squares.get(&(size, turn, column + dx, row + dy)).into_iter().flatten();
            for entry in entries.filter(|entry| entry.sheet != place.sheet) {
                if (entry.x - x).abs() <= step && (entry.y - y).abs() <= step {
                    there.insert(entry.sheet);
                    if says_the_same(&entry.text, text) {
                        same.insert(entry.sheet);
                    }
                }
            }
        }
        let support = there.len() as f32 / others as f32;
        let alike = if there.is_empty() { 0.0 } else { same.len() as f32 / there.len() as f32 };
        Recurrence { others, support, same: alike }
    }
}

/// A text of at least this many bytes that begins another equals it: a text below was taken for the
/// other's next line.
const MIN_COMMON_LENGTH: usize = 10;

fn says_the_same(a: &str, b: &str) -> bool {
    a == b || (a.len().min(b.len()) >= MIN_COMMON_LENGTH && (a.starts_with(b) || b.starts_with(a)))
}

fn key(place: &Place, x: f32, y: f32) -> Square {
    let step = place.tolerance();
    (place.size(), place.turn, (x / step).floor() as i32, (y / step).floor() as i32)
}

impl Recurrence {
    /// Returns how much the place supports a text that differs from sheet to sheet, from -1 (equal
    /// on all sheets) to 1.
    pub(crate) fn varying(&self) -> f32 {
        // Two sheets alone say less than many.
        let weight = match self.others {
            0 => 0.0,
            1 => 0.5,
            _ => 1.0,
        };
        weight * self.support * (1.0 - 2.0 * self.same).clamp(-1.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_vary_score_above_texts_that_recur() {
        let place = |sheet: u32, x: f32| Place { sheet, width: 1224.0, height: 792.0, turn: 0, x, y: 760.0 };
        let mut places = Places::default();
        for sheet in 1..=4 {
            places.add_sheet(&place(sheet, 0.0));
            places.add(&place(sheet, 1200.0), &format!("A-10{sheet}"));
            places.add(&place(sheet, 1000.0), "2417");
        }
        assert_eq!(places.recurrence(&place(1, 1203.0), "A-101").varying(), 1.0);
        assert_eq!(places.recurrence(&place(1, 1000.0), "2417").varying(), -1.0);
        assert_eq!(places.recurrence(&place(1, 300.0), "P1").varying(), 0.0);
    }
}
