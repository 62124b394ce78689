//! Compares a classification with the truth of a drafted set.

use std::fmt;

use drafting::sheet::{DocumentType as TrueType, PageTruth, Truth};
use drawing_classifier::{Classification, DocumentType, Origin, Page, Sheet};

/// Right answers of each kind, and what was wrong.
#[derive(Debug, Default)]
pub(crate) struct Score {
    pub(crate) pages: usize,
    pub(crate) number: usize,
    pub(crate) title: usize,
    pub(crate) kind: usize,
    pub(crate) document: usize,
    pub(crate) discipline: usize,
    pub(crate) floor: usize,
    pub(crate) wrong: Vec<String>,
}

impl Score {
    /// Adds a page.
    pub(crate) fn add(&mut self, page: &Page, truth: &PageTruth) {
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

    /// The lowest share of right numbers, titles and types.
    pub(crate) fn worst(&self) -> f64 {
        let least = self.number.min(self.title).min(self.kind);
        least as f64 / self.pages.max(1) as f64
    }

    /// Adds another score.
    pub(crate) fn join(&mut self, other: Score) {
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

impl fmt::Display for Score {
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

/// A value as JSON spells it.
fn spelled(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// What is kept of each page of a PDF.
pub(crate) fn sheets(pdf: &[u8]) -> Result<Vec<Sheet>, String> {
    let document = pdf_engine::Document::open(pdf).map_err(|error| format!("{error:?}"))?;
    (1..=document.page_count())
        .map(|number| {
            let page = document.page(number).map_err(|error| format!("{error:?}"))?;
            Ok(Sheet::read(number, &page.text(), &page.geometry(), Origin::Text))
        })
        .collect()
}

/// The score of a set judged whole.
pub(crate) fn of_set(classification: &Classification, truth: &Truth) -> Score {
    let mut score = Score::default();
    for (page, truth) in classification.pages.iter().zip(&truth.pages) {
        score.add(page, truth);
    }
    score
}

/// The score of a set whose sheets are judged each by itself.
pub(crate) fn of_sheets_alone(sheets: &[Sheet], truth: &Truth) -> Score {
    let mut score = Score::default();
    for (sheet, truth) in sheets.iter().zip(&truth.pages) {
        for page in drawing_classifier::classify(std::slice::from_ref(sheet)).pages {
            score.add(&page, truth);
        }
    }
    score
}
