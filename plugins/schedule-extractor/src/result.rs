//! The result that clients read.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of things that a table lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleType {
    /// Doors, frames, openings.
    DoorSchedule,
    /// Windows, storefronts, glazing.
    WindowSchedule,
    /// Finishes of rooms.
    FinishSchedule,
    /// Hardware and hardware sets.
    HardwareSchedule,
    /// Plumbing fixtures.
    PlumbingSchedule,
    /// Equipment and appliances, including mechanical equipment.
    EquipmentSchedule,
    /// Luminaires.
    LightingSchedule,
    /// Materials and products.
    MaterialSchedule,
    /// Rooms with their areas and uses.
    RoomSchedule,
    /// Any other schedule.
    OtherSchedule,
}

/// How a schedule's cells were separated, and where their text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Cells closed by drawn rules, with the text of the text layer.
    VectorRules,
    /// Rows or columns separated by drawn rules, the others by the alignment of the text; text of
    /// the text layer.
    PartialRules,
    /// Rows and columns separated by the alignment of the text alone; text of the text layer.
    TextAlignment,
    /// Cells closed by drawn rules. OCR read their pixels because the text layer is poor.
    VectorRulesOcr,
    /// Rules detected in the image of a scanned page, with cells read by OCR.
    RasterRulesOcr,
}

/// A defect of the PDF that may affect the reading of a schedule. Labels are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QualityIssue {
    /// Glyphs that the file maps to no character.
    GlyphsWithoutUnicode,
    /// Cells with drawn content and no text in the text layer.
    InkWithoutText,
    /// The text layer differs from what is drawn: its characters are shifted or missing.
    TextContradicted,
    /// The page is an image without a text layer.
    ScannedPage,
    /// OCR was needed, and this host has none.
    OcrUnavailable,
    /// OCR is uncertain about some of the text.
    OcrLowConfidence,
    /// Some cells are not closed by rules.
    OpenCells,
    /// Some columns have no header.
    BlankHeaders,
    /// No title was found.
    NoTitle,
}

/// How a schedule was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Metadata {
    /// The number of data rows, without rows that are headings of a group.
    pub row_count: usize,
    /// The number of columns.
    pub col_count: usize,
    /// How cells were separated and read.
    pub method: Method,
    /// Defects of the PDF; empty if there are none.
    pub pdf_quality_issues: Vec<QualityIssue>,
    /// Whether any of its text comes from OCR.
    pub ocr_fallback: bool,
}

/// A row: an object with a text for each header, in the order of the columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Row(pub IndexMap<String, String>);

/// A schedule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Schedule {
    /// The page that it is on, counted from 1.
    pub page: u32,
    /// What it lists, by its title, headers and content.
    pub schedule_type: ScheduleType,
    /// The title as printed; empty if there is none.
    pub title: String,
    /// The confidence, 0 to 1: from cells closed by rules, known headers, filled cells and decoded
    /// text.
    pub confidence: f64,
    /// The bounding box `[x1, y1, x2, y2]` in user space of the unrotated page, in points.
    pub bounding_box: [f64; 4],
    /// The headers of the columns from left to right. The header of a group and a column's own are
    /// joined by a space ("FRAME TYPE"). A repeated header gets " (2)", " (3)" and so on at its
    /// end.
    pub headers: Vec<String>,
    /// The rows from the top, keyed by header. Blank cells are empty strings. A merged cell belongs
    /// to its first row and column. Blank rows and headings of groups are left out.
    pub rows: Vec<Row>,
    /// How it was read.
    pub metadata: Metadata,
}

/// The schedules of some pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Partial {
    /// The schedules in page order, on a page from the top.
    pub schedules: Vec<Schedule>,
    /// The pages whose pixels were read by OCR, counted from 1.
    pub rasterized_pages: Vec<u32>,
}

/// The schedules of a document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Schedules {
    /// The number of `schedules`.
    pub schedules_found: usize,
    /// The number of pages that the request names, including repeated pages and pages that do not
    /// exist; null if it names none and the whole document was read.
    pub pages_analyzed: Option<u32>,
    /// Whether any page was read by OCR.
    pub ocr_fallback_used: bool,
    /// The pages that were rendered and read by OCR, counted from 1; empty if text layers sufficed.
    pub rasterized_pages: Vec<u32>,
    /// The schedules in page order, on a page from the top.
    pub schedules: Vec<Schedule>,
}

/// Makes headers unique: a repeated one gets " (2)", " (3)" and so on.
pub(crate) fn distinct(headers: &[String]) -> Vec<String> {
    let mut taken: Vec<String> = Vec::with_capacity(headers.len());
    for header in headers {
        let mut name = header.clone();
        let mut count = 1;
        while taken.contains(&name) {
            count += 1;
            name = format!("{header} ({count})");
        }
        taken.push(name);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_headers_get_a_number() {
        let headers = ["FINISH", "TYPE", "FINISH", "FINISH (2)", "FINISH"].map(str::to_owned);
        assert_eq!(distinct(&headers), ["FINISH", "TYPE", "FINISH (2)", "FINISH (2) (2)", "FINISH (3)"]);
    }
}
