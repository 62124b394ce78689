//! Reads the schedules of drawing sheets.
//!
//! - `kinds`: which of a page's tables are schedules, and what they list;
//! - `result`: what clients read;
//! - `plugin`: the model that the host runs. Everything else works on a [`Sheet`], natively too.
//!
//! How tables are found and read is `fanlight_tables`'.

mod kinds;
mod plugin;
mod result;

use fanlight_tables::{Grid, Ruling, Table, heads_a_column};
use fanlight_vocabulary::{Geometry, PagePaths, PageText};

pub use plugin::ScheduleExtractor;
pub use result::{Metadata, Method, Partial, QualityIssue, Row, Schedule, ScheduleType, Schedules};

/// A page as this crate reads it.
pub trait Sheet {
    /// Its boxes and rotation.
    fn geometry(&self) -> Geometry;
    /// Its text.
    fn text(&self) -> PageText;
    /// Its paths.
    fn paths(&self) -> PagePaths;
}

/// What one page holds.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// From the top, then from the left, as the page is read.
    pub schedules: Vec<Schedule>,
    /// Whether the page's pixels were read.
    pub rasterized: bool,
}

/// Reads the schedules of a page.
pub fn read(sheet: &impl Sheet) -> Found {
    let (text, paths, geometry) = (sheet.text(), sheet.paths(), sheet.geometry());
    let grids = fanlight_tables::find(&paths, &text, &geometry);
    let schedules = grids.iter().filter_map(schedule).collect();
    Found { schedules, rasterized: false }
}

fn schedule(grid: &Grid) -> Option<Schedule> {
    let table = grid.table()?;
    let kind = kinds::kind(&table)?;
    let mut issues = Vec::new();
    if table.rows.iter().flatten().chain(&table.headers).any(|text| text.contains(char::REPLACEMENT_CHARACTER)) {
        issues.push(QualityIssue::GlyphsWithoutUnicode);
    }
    if table.ruling == Ruling::Ruled && table.closed < 0.98 {
        issues.push(QualityIssue::OpenCells);
    }
    if table.headers.iter().any(String::is_empty) {
        issues.push(QualityIssue::BlankHeaders);
    }
    if table.title.is_empty() {
        issues.push(QualityIssue::NoTitle);
    }
    let headers = result::distinct(&table.headers);
    let rows: Vec<Row> =
        table.rows.iter().map(|row| Row(headers.iter().cloned().zip(row.iter().cloned()).collect())).collect();
    let Rounded([x1, y1, x2, y2]) = Rounded::of(&table);
    Some(Schedule {
        schedule_type: kind,
        title: table.title.clone(),
        confidence: confidence(&table),
        bounding_box: [x1, y1, x2, y2],
        metadata: Metadata {
            row_count: rows.len(),
            col_count: headers.len(),
            method: match table.ruling {
                Ruling::Ruled => Method::VectorRules,
                Ruling::Partly => Method::PartialRules,
                Ruling::Aligned => Method::TextAlignment,
            },
            pdf_quality_issues: issues,
            ocr_fallback: false,
        },
        headers,
        rows,
    })
}

/// A box to a hundredth of a point.
struct Rounded([f64; 4]);

impl Rounded {
    fn of(table: &Table) -> Self {
        let bbox = table.bbox;
        Self([bbox.x1, bbox.y1, bbox.x2, bbox.y2].map(|value| (f64::from(value) * 100.0).round() / 100.0))
    }
}

/// From what was seen: a third for closed cells, a third for heads that are known, the rest for a title, for cells with
/// text, and for text that is decoded.
fn confidence(table: &Table) -> f64 {
    let named = table.headers.iter().filter(|header| !header.is_empty()).count().max(1) as f64;
    let known = table.headers.iter().filter(|header| heads_a_column(header)).count() as f64;
    let texts: Vec<&String> =
        table.rows.iter().flatten().chain(&table.headers).filter(|text| !text.is_empty()).collect();
    let decoded = texts.iter().filter(|text| !text.contains(char::REPLACEMENT_CHARACTER)).count() as f64;
    let ruled = match table.ruling {
        Ruling::Ruled => f64::from(table.closed),
        Ruling::Partly => 0.6,
        Ruling::Aligned => 0.3,
    };
    let title = f64::from(u8::from(kinds::is_title(&table.title)));
    let filled = f64::from(table.filled.min(0.5)) * 2.0;
    let sum = 0.33 * ruled
        + 0.33 * (known / named)
        + 0.14 * title
        + 0.08 * filled
        + 0.12 * (decoded / texts.len().max(1) as f64);
    (sum.clamp(0.0, 1.0) * 1000.0).round() / 1000.0
}
