//! Sheets with schedules, with exact truth.
//!
//! Documented variations of how offices draw tables ([`Style`]) around invented content, among what else stands on such
//! a sheet: a title block with its revisions, a legend, notes, door types drawn in a ruled grid.

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

/// What a sheet holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// In the order in which they were drawn.
    pub tables: Vec<TableTruth>,
}

/// One table, as printed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableTruth {
    /// `door_schedule` and so on.
    pub schedule_type: String,
    /// As printed.
    pub title: String,
    /// Heads from left to right, a group's and a column's own joined by a space.
    pub headers: Vec<String>,
    /// Texts by row and column; rows that head groups and blank rows are not among them.
    pub rows: Vec<Vec<String>>,
    /// Left, bottom, right, top in user space of the unrotated page, points.
    pub bbox: [f32; 4],
}

/// A sheet and what it holds.
#[derive(Clone, Debug)]
pub struct SyntheticSheet {
    /// The file.
    pub pdf: Vec<u8>,
    /// The truth about it.
    pub truth: Truth,
}

/// A sheet of 36 by 24 inches, in points.
const SHEET: (f32, f32) = (2592.0, 1728.0);

/// Drafts a sheet. The same office and seed give the same bytes.
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

/// A box of the page as viewed in the unrotated page's user space.
fn in_user_space([x1, y1, x2, y2]: [f32; 4], rotate: u16) -> [f32; 4] {
    let (w, h) = SHEET;
    match rotate {
        90 => [h - y2, x1, h - y1, x2],
        180 => [w - x2, h - y2, w - x1, h - y1],
        270 => [y1, w - x2, y2, w - x1],
        _ => [x1, y1, x2, y2],
    }
}
