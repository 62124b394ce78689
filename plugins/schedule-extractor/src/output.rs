//! Converts tables to the result that clients read, with their confidence and the defects of the PDF.

use fanlight_plugin::hundredth;
use fanlight_tables::{Ruling, Table, is_column_header, names_a_table};

use crate::MIN_CONFIDENCE;
use crate::pixels::OcrConfidence;
use crate::result::{self, Metadata, Method, QualityIssue, Row, Schedule, ScheduleType};

/// A table with a smaller share of positions in closed cells has open cells.
const MIN_CLOSED: f32 = 0.98;

/// The weights of what speaks for a table; their sum is 1. Chosen by eye: nothing but the field `confidence` depends on them.
struct Weights {
    closed_cells: f64,
    known_headers: f64,
    title: f64,
    filled_cells: f64,
    decoded_text: f64,
}

const WEIGHTS: Weights =
    Weights { closed_cells: 0.33, known_headers: 0.33, title: 0.14, filled_cells: 0.08, decoded_text: 0.12 };
/// What a table with some rules gets for closed cells, as a share. Chosen by eye, likewise.
const CLOSED_IF_PARTLY_RULED: f64 = 0.6;
/// What a table without any rules gets for closed cells, as a share. Chosen by eye, likewise.
const CLOSED_IF_ALIGNED: f64 = 0.3;
/// The share of filled cells that speaks fully for a table. Chosen by eye, likewise.
const FULLY_FILLED: f32 = 0.5;

/// Where the text of a grid comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Provenance {
    /// Why the text layer does not suffice: the page is an image, drawn content has no text, or the text differs from what is
    /// drawn.
    pub(crate) cause: Option<QualityIssue>,
    /// The confidence of OCR, if it read cells.
    pub(crate) ocr: Option<OcrConfidence>,
    /// Whether OCR was needed and not available.
    pub(crate) unavailable: bool,
}

impl Provenance {
    /// Returns the provenance of a grid that OCR read, or could not read.
    pub(crate) fn of_ocr(cause: QualityIssue, ocr: Option<OcrConfidence>) -> Self {
        Self { cause: Some(cause), ocr, unavailable: ocr.is_none() }
    }

    /// Returns whether any text comes from OCR.
    pub(crate) fn is_by_ocr(&self) -> bool {
        self.ocr.is_some_and(|ocr| ocr.words > 0)
    }

    /// Returns the mean confidence of OCR; 1 if it read nothing.
    fn confidence(&self) -> f32 {
        self.ocr.filter(|ocr| ocr.words > 0).map_or(1.0, |ocr| ocr.confidence / ocr.words as f32)
    }

    /// Returns how the cells were separated and read.
    fn method(&self, ruling: Ruling) -> Method {
        if self.cause == Some(QualityIssue::ScannedPage) {
            return Method::RasterRulesOcr;
        }
        match ruling {
            Ruling::Ruled if self.is_by_ocr() => Method::VectorRulesOcr,
            Ruling::Ruled => Method::VectorRules,
            Ruling::Partly => Method::PartialRules,
            Ruling::Aligned => Method::TextAlignment,
        }
    }
}

/// Converts a table of a page, counted from 1, to the result that clients read.
pub(crate) fn schedule(page: u32, table: &Table, kind: ScheduleType, provenance: Provenance) -> Schedule {
    let headers = result::distinct(&table.headers);
    let rows: Vec<Row> =
        table.rows.iter().map(|row| Row(headers.iter().cloned().zip(row.iter().cloned()).collect())).collect();
    let bbox = table.bbox;
    Schedule {
        page,
        schedule_type: kind,
        title: table.title.clone(),
        confidence: confidence(table, provenance.confidence()),
        bounding_box: [bbox.x1, bbox.y1, bbox.x2, bbox.y2].map(hundredth),
        metadata: Metadata {
            row_count: rows.len(),
            col_count: headers.len(),
            method: provenance.method(table.ruling),
            pdf_quality_issues: quality_issues(table, provenance),
            ocr_fallback: provenance.is_by_ocr(),
        },
        headers,
        rows,
    }
}

/// Returns the defects of the PDF that affect a table, the cause of OCR first.
fn quality_issues(table: &Table, provenance: Provenance) -> Vec<QualityIssue> {
    let is_uncertain = provenance.is_by_ocr() && provenance.confidence() < MIN_CONFIDENCE;
    let has_open_cells = table.ruling == Ruling::Ruled && table.closed < MIN_CLOSED;
    let issues = [
        (texts(table).any(|text| !is_decoded(text)), QualityIssue::GlyphsWithoutUnicode),
        (provenance.unavailable, QualityIssue::OcrUnavailable),
        (is_uncertain, QualityIssue::OcrLowConfidence),
        (has_open_cells, QualityIssue::OpenCells),
        (table.headers.iter().any(String::is_empty), QualityIssue::BlankHeaders),
        (table.title.is_empty(), QualityIssue::NoTitle),
    ];
    let found = issues.into_iter().filter(|(is_found, _)| *is_found).map(|(_, issue)| issue);
    provenance.cause.into_iter().chain(found).collect()
}

/// Returns the texts of a table that are not empty.
fn texts(table: &Table) -> impl Iterator<Item = &String> {
    table.rows.iter().flatten().chain(&table.headers).filter(|text| !text.is_empty())
}

/// Returns whether all characters of a text are known.
fn is_decoded(text: &str) -> bool {
    !text.contains(char::REPLACEMENT_CHARACTER)
}

/// Returns the confidence of a table, 0 to 1: the weighted sum of what speaks for it, times the confidence of its text.
fn confidence(table: &Table, text_confidence: f32) -> f64 {
    let named = table.headers.iter().filter(|header| !header.is_empty()).count().max(1) as f64;
    let known = table.headers.iter().filter(|header| is_column_header(header)).count() as f64;
    let decoded = texts(table).filter(|text| is_decoded(text)).count() as f64 / texts(table).count().max(1) as f64;
    let closed = match table.ruling {
        Ruling::Ruled => f64::from(table.closed),
        Ruling::Partly => CLOSED_IF_PARTLY_RULED,
        Ruling::Aligned => CLOSED_IF_ALIGNED,
    };
    let title = f64::from(u8::from(names_a_table(&table.title)));
    let filled = f64::from(table.filled.min(FULLY_FILLED) / FULLY_FILLED);
    let sum = WEIGHTS.closed_cells * closed
        + WEIGHTS.known_headers * (known / named)
        + WEIGHTS.title * title
        + WEIGHTS.filled_cells * filled
        + WEIGHTS.decoded_text * decoded;
    ((sum * f64::from(text_confidence)).clamp(0.0, 1.0) * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use fanlight_contract::Rect;

    use super::*;

    fn table() -> Table {
        Table {
            bbox: Rect { x1: 0.0, y1: 0.0, x2: 100.0, y2: 50.0 },
            title: "DOOR SCHEDULE".to_owned(),
            headers: vec!["NO.".to_owned(), "WIDTH".to_owned()],
            rows: vec![vec!["1".to_owned(), "900".to_owned()]],
            groups: Vec::new(),
            ruling: Ruling::Ruled,
            closed: 1.0,
            filled: 1.0,
        }
    }

    #[test]
    fn perfect_table_has_full_confidence_times_that_of_ocr() {
        assert_eq!(confidence(&table(), 1.0), 1.0);
        assert_eq!(confidence(&table(), 0.5), 0.5);
    }

    #[test]
    fn defects_of_a_table_are_named() {
        let table = Table { title: String::new(), closed: 0.9, ..table() };
        let ocr = OcrConfidence { words: 10, confidence: 5.0 };
        let issues = quality_issues(&table, Provenance::of_ocr(QualityIssue::ScannedPage, Some(ocr)));
        let expected =
            [QualityIssue::ScannedPage, QualityIssue::OcrLowConfidence, QualityIssue::OpenCells, QualityIssue::NoTitle];
        assert_eq!(issues, expected);
    }

    #[test]
    fn method_says_where_cells_and_text_come_from() {
        let ocr = Some(OcrConfidence { words: 1, confidence: 1.0 });
        let cases = [
            (Provenance::default(), Ruling::Ruled, Method::VectorRules),
            (Provenance::of_ocr(QualityIssue::InkWithoutText, ocr), Ruling::Ruled, Method::VectorRulesOcr),
            (Provenance::of_ocr(QualityIssue::ScannedPage, ocr), Ruling::Ruled, Method::RasterRulesOcr),
            (Provenance::default(), Ruling::Aligned, Method::TextAlignment),
        ];
        for (provenance, ruling, expected) in cases {
            assert_eq!(provenance.method(ruling), expected);
        }
    }
}
