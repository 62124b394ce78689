//! Sheets with schedules, with their ground truth.
//!
//! A [`Style`] varies how tables are drawn. Their content is invented. The sheets have a title
//! block with revisions, a legend, notes, and door types in a ruled grid as well.

mod content;
mod draw;
mod lettering;
mod style;

use serde::{Deserialize, Serialize};

pub use style::{Lettering, Ruling, Signs, Style, Tags, TitlePlace, styles};

pub(crate) use draw::circle;

pub use crate::pdf::Family;

use crate::chance::Chance;
use crate::pdf::{Document, Page, Producer};

/// The ground truth of a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The tables in the order in which they were drawn.
    pub tables: Vec<TableTruth>,
}

/// A table, as printed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableTruth {
    /// The type in the API's terms, such as `door_schedule`.
    pub schedule_type: String,
    /// As printed.
    pub title: String,
    /// The headers from left to right. The header of a group and a column's own are joined by a
    /// space.
    pub headers: Vec<String>,
    /// The texts by row and column, without headings of groups and blank rows.
    pub rows: Vec<Vec<String>>,
    /// Left, bottom, right, top in user space of the unrotated page, in points.
    pub bbox: [f32; 4],
}

/// A synthetic sheet with its ground truth.
#[derive(Clone, Debug)]
pub struct SyntheticSheet {
    /// The PDF file.
    pub pdf: Vec<u8>,
    /// Its ground truth.
    pub truth: Truth,
}

/// A sheet of 36 by 24 inches, in points.
const SHEET: (f32, f32) = (2592.0, 1728.0);

/// Generates a sheet. The same style and seed give the same bytes.
pub fn generate(style: &Style, seed: u64) -> SyntheticSheet {
    let mut chance = Chance::new(seed);
    let mut page = Page { width: SHEET.0, height: SHEET.1, rotate: style.rotate, marks: Vec::new() };
    let mut tables = draw::schedules(&mut page, style, &mut chance);
    draw::surroundings(&mut page, style, &mut chance);
    for table in &mut tables {
        table.bbox = in_user_space(table.bbox, style.rotate);
    }
    let producer = Producer {
        unit: style.unit,
        order: style.order,
        embed_standard_fonts: false,
        unicode: true,
        origin: (0.0, 0.0),
    };
    let document = Document { title: "Schedules".to_owned(), pages: vec![page], outline: Vec::new() };
    SyntheticSheet { pdf: document.to_pdf(&producer), truth: Truth { tables } }
}

/// Converts a box of the displayed page to user space of the unrotated page.
fn in_user_space([x1, y1, x2, y2]: [f32; 4], rotate: u16) -> [f32; 4] {
    let (w, h) = SHEET;
    match rotate {
        90 => [h - y2, x1, h - y1, x2],
        180 => [w - x2, h - y2, w - x1, h - y1],
        270 => [y1, w - x2, y2, w - x1],
        _ => [x1, y1, x2, y2],
    }
}
