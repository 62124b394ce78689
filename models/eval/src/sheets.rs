//! Scores the classification of synthetic sets of drawings.

use std::fmt;

use drafting::sheet::{DocumentType as TrueType, PageTruth, Truth};
use drawing_classifier::{Classification, DocumentType, Origin, Page, Sheet};

/// Counts of right fields, with a description of each wrong one.
#[derive(Debug, Default)]
pub struct SheetScore {
    /// Pages compared.
    pub pages: usize,
    /// Right drawing numbers.
    pub number: usize,
    /// Right titles.
    pub title: usize,
    /// Right drawing types.
    pub kind: usize,
    /// Right document types.
    pub document: usize,
    /// Right disciplines.
    pub discipline: usize,
    /// Right storeys.
    pub floor: usize,
    /// A line for each wrong field.
    pub wrong: Vec<String>,
}

impl SheetScore {
    /// Adds a page.
    pub fn add(&mut self, page: &Page, truth: &PageTruth) {
        let document = match truth.document_type {
            TrueType::Drawing => DocumentType::Drawing,
            TrueType::Specification => DocumentType::Specification,
            TrueType::Letter => DocumentType::Letter,
        };
        let title = page.title.as_deref().map(squeeze) == truth.title.as_deref().map(squeeze);
        let checks = [
            (page.drawing_number == truth.drawing_number, &mut self.number, "number"),
            (title, &mut self.title, "title"),
            (truth.drawing_types.contains(&spelled(&page.drawing_type)), &mut self.kind, "type"),
            (page.document_type == document, &mut self.document, "document"),
            (truth.discipline == spelled(&page.discipline), &mut self.discipline, "discipline"),
            (page.floor == truth.floor, &mut self.floor, "floor"),
        ];
        self.pages += 1;
        for (right, count, what) in checks {
            *count += usize::from(right);
            if !right {
                self.wrong.push(format!(
                    "page {} {what}: {:?} {:?} {:?} {:?} {:?} {:?} should be {:?} {:?} {:?} {} {:?}",
                    truth.page_number,
                    page.document_type,
                    page.drawing_number,
                    page.title,
                    page.drawing_type,
                    page.discipline,
                    page.floor,
                    truth.drawing_number,
                    truth.title,
                    truth.drawing_types,
                    truth.discipline,
                    truth.floor
                ));
            }
        }
    }

    /// Returns the lowest share of right numbers, titles and types.
    pub fn worst(&self) -> f64 {
        let least = self.number.min(self.title).min(self.kind);
        least as f64 / self.pages.max(1) as f64
    }

    /// Adds another score.
    pub fn join(&mut self, other: SheetScore) {
        self.pages += other.pages;
        self.number += other.number;
        self.title += other.title;
        self.kind += other.kind;
        self.document += other.document;
        self.discipline += other.discipline;
        self.floor += other.floor;
        self.wrong.extend(other.wrong);
    }
}

impl fmt::Display for SheetScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |count: usize| count as f64 / self.pages.max(1) as f64;
        write!(
            f,
            "{} pages: number {:.3}, title {:.3}, type {:.3}, document {:.3}, discipline {:.3}, floor {:.3}",
            self.pages,
            share(self.number),
            share(self.title),
            share(self.kind),
            share(self.document),
            share(self.discipline),
            share(self.floor)
        )
    }
}

/// Returns a value as spelled in JSON.
fn spelled(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Removes white space.
fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Reads each page of a PDF as `drawing-classifier` does.
///
/// # Errors
///
/// If the file or a page cannot be opened.
pub fn read_sheets(pdf: &[u8]) -> Result<Vec<Sheet>, String> {
    let document = pdf_engine::Document::open(pdf).map_err(|error| format!("{error:?}"))?;
    (1..=document.page_count())
        .map(|number| {
            let page = document.page(number).map_err(|error| format!("{error:?}"))?;
            Ok(Sheet::read(number, &page.text(), &page.geometry(), Origin::Text))
        })
        .collect()
}

/// Scores a set that is classified as a whole.
pub fn score_set(classification: &Classification, truth: &Truth) -> SheetScore {
    let mut score = SheetScore::default();
    for (page, truth) in classification.pages.iter().zip(&truth.pages) {
        score.add(page, truth);
    }
    score
}

/// Scores a set whose sheets are classified one by one.
pub fn score_single_sheets(sheets: &[Sheet], truth: &Truth) -> SheetScore {
    let mut score = SheetScore::default();
    for (sheet, truth) in sheets.iter().zip(&truth.pages) {
        for page in drawing_classifier::classify(std::slice::from_ref(sheet)).pages {
            score.add(&page, truth);
        }
    }
    score
}
