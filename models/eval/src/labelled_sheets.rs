//! Scores the classification of real sheets against labels, field by field and office by office.
//!
//! A field counts as the corpus' scorer counts it: numbers by their letters, digits and points, titles by a similarity of 0.9
//! with the title or what is beside it, a type if it is one of those that a careful person could give. Where a sheet has no
//! number or no title, finding none is right.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use drawing_classifier::Page;
use serde::Deserialize;

/// A document with the labels of its sheets.
#[derive(Clone, Debug, Deserialize)]
pub struct LabelledDocument {
    /// The name of the label's file without its ending.
    pub id: String,
    /// The name of the PDF's file, where it is not the id.
    pub pdf: Option<String>,
    /// Who drew it, or where it was found.
    pub office: Option<String>,
    /// The labels of its pages.
    pub sheets: Vec<SheetLabel>,
}

/// What a sheet is.
#[derive(Clone, Debug, Deserialize)]
pub struct SheetLabel {
    /// The page's number, from 1.
    pub page: u32,
    /// The number as printed.
    pub drawing_number: Option<String>,
    /// A number that counts as well.
    pub drawing_number_short: Option<String>,
    /// The title as printed.
    pub title: Option<String>,
    /// A title that counts as well.
    pub title_short: Option<String>,
    /// The types that count, in JSON's spelling.
    pub drawing_types: Vec<String>,
    /// The discipline in JSON's spelling.
    pub discipline: String,
    /// The storey as printed.
    pub floor: Option<String>,
}

/// The ending of ids that are no file names.
const ENDING: &str = "-sheets";
/// Least similarity of a right title, as the corpus' scorer has it.
const MIN_SIMILARITY: f64 = 0.9;

impl LabelledDocument {
    /// Reads the labels of sheets in a folder, in the order of their names.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn read_all(folder: &Path) -> Result<Vec<Self>> {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
        paths.sort();
        let mut documents = Vec::new();
        for path in paths {
            let value: serde_json::Value = serde_json::from_slice(&std::fs::read(&path)?)?;
            if value.get("sheets").is_some() {
                let document = serde_json::from_value(value).with_context(|| format!("in {}", path.display()))?;
                documents.push(document);
            }
        }
        Ok(documents)
    }

    /// Returns the name of its PDF.
    pub fn file_name(&self) -> String {
        let id = self.id.strip_suffix(ENDING).unwrap_or(&self.id);
        self.pdf.clone().unwrap_or_else(|| format!("{id}.pdf"))
    }

    /// Returns its office; a document without one is an office of its own.
    pub fn office(&self) -> &str {
        self.office.as_deref().unwrap_or(&self.id)
    }
}

impl SheetLabel {
    /// Returns whether a number is right.
    pub fn is_number(&self, found: Option<&str>) -> bool {
        let found = number_form(found);
        let also = self.drawing_number_short.as_deref().is_some_and(|short| found == number_form(Some(short)));
        also || found == number_form(self.drawing_number.as_deref())
    }

    /// Returns whether a title is right.
    pub fn is_title(&self, found: Option<&str>) -> bool {
        let wanted: Vec<&str> = [&self.title, &self.title_short]
            .into_iter()
            .filter_map(|title| title.as_deref())
            .filter(|t| !t.is_empty())
            .collect();
        match found {
            None => wanted.is_empty(),
            Some(found) => wanted.iter().any(|title| similarity(found, title) >= MIN_SIMILARITY),
        }
    }
}

/// Counts of right fields.
#[derive(Clone, Copy, Debug, Default)]
pub struct FieldCounts {
    /// Sheets compared.
    pub sheets: usize,
    /// Right numbers.
    pub number: usize,
    /// Right titles.
    pub title: usize,
    /// Right types.
    pub kind: usize,
    /// Right disciplines.
    pub discipline: usize,
    /// Right storeys.
    pub floor: usize,
}

impl FieldCounts {
    /// Compares a page with its label.
    pub fn compare(page: &Page, label: &SheetLabel) -> Self {
        let floor = label.floor.as_deref().filter(|floor| !floor.is_empty());
        let same_floor = match (page.floor.as_deref(), floor) {
            (Some(found), Some(wanted)) => {
                normalized(found).contains(&normalized(wanted)) || normalized(wanted).contains(&normalized(found))
            }
            (found, wanted) => found.is_none() && wanted.is_none(),
        };
        Self {
            sheets: 1,
            number: usize::from(label.is_number(page.drawing_number.as_deref())),
            title: usize::from(label.is_title(page.title.as_deref())),
            kind: usize::from(label.drawing_types.contains(&spelled(&page.drawing_type))),
            discipline: usize::from(label.discipline == spelled(&page.discipline)),
            floor: usize::from(same_floor),
        }
    }

    /// Returns a line for each of number, title and type that is wrong: the field, the page, what was found and what is wanted.
    pub fn wrong_fields(&self, document: &LabelledDocument, label: &SheetLabel, page: &Page) -> Vec<String> {
        let at = format!("{} {}", document.id, label.page);
        let number = format!("number | {at} | {:?} for {:?}", page.drawing_number, label.drawing_number);
        let title = format!("title | {at} | {:?} for {:?} or {:?}", page.title, label.title, label.title_short);
        let kind =
            format!("type | {at} | {:?} for {:?}; title {:?}", page.drawing_type, label.drawing_types, label.title);
        let fields = [(self.number, number), (self.title, title), (self.kind, kind)];
        fields.into_iter().filter(|(right, _)| *right == 0).map(|(_, line)| line).collect()
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &Self) {
        self.sheets += other.sheets;
        self.number += other.number;
        self.title += other.title;
        self.kind += other.kind;
        self.discipline += other.discipline;
        self.floor += other.floor;
    }

    /// Returns the shares of right numbers, titles, types, disciplines and storeys, and that of the first three together.
    pub fn shares(&self) -> [f64; 6] {
        let share = |count: usize, of: usize| count as f64 / of.max(1) as f64;
        let all = self.number + self.title + self.kind;
        [
            share(self.number, self.sheets),
            share(self.title, self.sheets),
            share(self.kind, self.sheets),
            share(self.discipline, self.sheets),
            share(self.floor, self.sheets),
            share(all, 3 * self.sheets),
        ]
    }
}

/// Counts of right fields by office.
#[derive(Clone, Debug, Default)]
pub struct OfficeCounts(pub BTreeMap<String, FieldCounts>);

impl OfficeCounts {
    /// Adds a page's counts.
    pub fn add(&mut self, office: &str, counts: &FieldCounts) {
        self.0.entry(office.to_owned()).or_default().add(counts);
    }

    /// Returns the counts of all offices together.
    pub fn pooled(&self) -> FieldCounts {
        let mut all = FieldCounts::default();
        for counts in self.0.values() {
            all.add(counts);
        }
        all
    }

    /// Returns the mean of the offices' [`FieldCounts::shares`].
    pub fn mean(&self) -> [f64; 6] {
        let mut sums = [0.0; 6];
        for counts in self.0.values() {
            for (sum, share) in sums.iter_mut().zip(counts.shares()) {
                *sum += share / self.0.len().max(1) as f64;
            }
        }
        sums
    }
}

/// Returns a value as spelled in JSON.
fn spelled(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Returns a text in capitals with plain quotes, dashes and spaces, as the corpus' scorer folds it.
pub(crate) fn normalized(text: &str) -> String {
    let capitals = text.to_uppercase();
    let plain = capitals.chars().map(|c| match c {
        '“' | '”' | '″' => '"',
        '‘' | '’' | '′' => '\'',
        '–' | '—' | '−' | '‐' => '-',
        other => other,
    });
    plain.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the letters, digits and points of a number.
fn number_form(number: Option<&str>) -> String {
    normalized(number.unwrap_or_default())
        .chars()
        .filter(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == '.')
        .collect()
}

/// Returns the similarity of two texts by Ratcliff and Obershelp, as Python's `difflib` computes it.
fn similarity(a: &str, b: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (normalized(a).chars().collect(), normalized(b).chars().collect());
    let all = a.len() + b.len();
    if all == 0 { 1.0 } else { 2.0 * common(&a, &b) as f64 / all as f64 }
}

/// Returns the number of characters in the longest common block and, on either side of it, in those of the rest.
fn common(a: &[char], b: &[char]) -> usize {
    let (mut best, mut lengths) = ((0, 0, 0), vec![0_usize; b.len() + 1]);
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![0_usize; b.len() + 1];
        for (j, y) in b.iter().enumerate() {
            if x == y {
                row[j + 1] = lengths[j] + 1;
                if row[j + 1] > best.2 {
                    best = (i + 1 - row[j + 1], j + 1 - row[j + 1], row[j + 1]);
                }
            }
        }
        lengths = row;
    }
    let (i, j, length) = best;
    if length == 0 {
        return 0;
    }
    length + common(&a[..i], &b[..j]) + common(&a[i + length..], &b[j + length..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_is_that_of_pythons_difflib() {
        assert!((similarity("GROUND FLOOR PLAN", "GROUND  FLOOR PLAN - A") - 34.0 / 38.0).abs() < 1e-9);
        assert!((similarity("abcd", "bcde") - 0.75).abs() < 1e-9);
        assert!((similarity("", "") - 1.0).abs() < 1e-9);
    }

    #[test]
    fn numbers_are_compared_by_letters_digits_and_points() {
        assert_eq!(number_form(Some("JKR / CA / 02")), "JKRCA02");
        assert_eq!(number_form(Some("a-101.00")), "A101.00");
        assert_eq!(number_form(None), "");
    }
}
