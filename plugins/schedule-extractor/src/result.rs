//! The result as clients read it.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a table lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleType {
    /// Doors, frames, openings.
    DoorSchedule,
    /// Windows, storefronts, glazing.
    WindowSchedule,
    /// What rooms are finished with.
    FinishSchedule,
    /// Hardware and its sets.
    HardwareSchedule,
    /// Plumbing fixtures.
    PlumbingSchedule,
    /// Equipment and appliances, mechanical equipment among them.
    EquipmentSchedule,
    /// Luminaires.
    LightingSchedule,
    /// Materials and products.
    MaterialSchedule,
    /// Rooms, their areas and uses.
    RoomSchedule,
    /// Anything else that is a schedule.
    OtherSchedule,
}

/// How a schedule's cells were told apart, and where their text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Cells closed by drawn rules, text of the text layer.
    VectorRules,
    /// Drawn rules part the rows or the columns, how the text stands the other; text of the text layer.
    PartialRules,
    /// Rows and columns from how the text stands alone; text of the text layer.
    TextAlignment,
    /// Cells closed by drawn rules, their pixels read by OCR where the text layer is poor.
    VectorRulesOcr,
    /// Rules found in the picture of a scanned page, its cells read by OCR.
    RasterRulesOcr,
}

/// What stands in the way of a clean reading of a schedule. Labels are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QualityIssue {
    /// Glyphs that the file maps to no character.
    GlyphsWithoutUnicode,
    /// Cells with ink in them and no text in the text layer.
    InkWithoutText,
    /// The text layer says something else than is drawn: its characters are shifted or missing.
    TextContradicted,
    /// The page is a picture without a text layer.
    ScannedPage,
    /// OCR was needed, and this host has none.
    OcrUnavailable,
    /// What OCR read is doubtful in parts.
    OcrLowConfidence,
    /// Cells that are not closed by rules.
    OpenCells,
    /// Some columns have no head.
    BlankHeaders,
    /// No title was found.
    NoTitle,
}

/// How a schedule was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Metadata {
    /// Data rows: without rows that head groups of others.
    pub row_count: usize,
    /// Columns.
    pub col_count: usize,
    /// How cells were told apart and read.
    pub method: Method,
    /// Empty where the reading was clean.
    pub pdf_quality_issues: Vec<QualityIssue>,
    /// Whether any of its text was read by OCR.
    pub ocr_fallback: bool,
}

/// A row: an object with a text for each head, in the columns' order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row(pub Vec<(String, String)>);

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(header, text)| (header, text)))
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Cells;
        impl<'de> Visitor<'de> for Cells {
            type Value = Row;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut cells: A) -> Result<Row, A::Error> {
                let mut row = Row::default();
                while let Some(cell) = cells.next_entry()? {
                    row.0.push(cell);
                }
                Ok(row)
            }
        }
        deserializer.deserialize_map(Cells)
    }
}

impl JsonSchema for Row {
    fn schema_name() -> Cow<'static, str> {
        "Row".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "A row: an object with a text for each head, in the columns' order.",
            "additionalProperties": { "type": "string" }
        })
    }
}

/// One table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Schedule {
    /// What it lists, by title, heads and content.
    pub schedule_type: ScheduleType,
    /// As printed; empty where none is.
    pub title: String,
    /// 0 to 1, from what was seen: cells closed by rules, heads that are known, cells filled, text decoded.
    pub confidence: f64,
    /// `[x1, y1, x2, y2]` in user space of the unrotated page, points.
    pub bounding_box: [f64; 4],
    /// Heads of the columns from left to right, a group's and a column's own joined by a space ("FRAME TYPE"). One that
    /// is printed again gets " (2)", " (3)" and so on at its end.
    pub headers: Vec<String>,
    /// Rows from the top, keyed by head; blank cells are empty strings. Merged cells count to the first row and column
    /// that they lie in; blank rows and rows that head a group of others are left out.
    pub rows: Vec<Row>,
    /// How it was read.
    pub metadata: Metadata,
}

/// What some pages hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Partial {
    /// In page order, on a page from the top.
    pub schedules: Vec<Schedule>,
    /// Pages whose pixels were read, 1-based.
    pub rasterized_pages: Vec<u32>,
}

/// The schedules of a document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Schedules {
    /// Number of `schedules`.
    pub schedules_found: usize,
    /// How many pages the submission named, repeated ones and ones outside the document included; null where it named
    /// none and the whole document was read.
    pub pages_analyzed: Option<u32>,
    /// Whether any page was read by OCR.
    pub ocr_fallback_used: bool,
    /// Pages that were rasterized and read by OCR, 1-based; empty where text layers sufficed.
    pub rasterized_pages: Vec<u32>,
    /// In page order, on a page from the top.
    pub schedules: Vec<Schedule>,
}

/// Makes heads differ: one that came before gets " (2)", " (3)" and so on.
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
    fn repeated_heads_get_a_number() {
        let headers = ["FINISH", "TYPE", "FINISH", "FINISH (2)", "FINISH"].map(str::to_owned);
        assert_eq!(distinct(&headers), ["FINISH", "TYPE", "FINISH (2)", "FINISH (2) (2)", "FINISH (3)"]);
    }
}
