//! Reads the schedules of drawing sheets.
//!
//! - `page_reader`: the tables of a page, by OCR where the text layer does not suffice;
//! - `kinds`: which of a page's tables are schedules, and what they list;
//! - `ocr_table`: a grid that is read by OCR, its headers first;
//! - `pixels`: cells read by OCR, if something is drawn without text or the text is unreliable;
//! - `pictures`: tables that are images on a sheet with text;
//! - `read_back`: whether a text layer agrees with what is drawn;
//! - `blocks`: joins blocks of a schedule beside each other;
//! - `unread`: tables without a text layer on a host without OCR;
//! - `output`: converts tables to what clients read;
//! - `result`: what clients read;
//! - `sheet`: a page whose tables are read, and the receiver of progress reports;
//! - `plugin`: the model that the host runs. Everything else works on any readable page, natively too.
//!
//! `fanlight_tables` detects tables and reads their structure.

mod blocks;
mod kinds;
mod ocr_table;
mod output;
mod page_reader;
mod pictures;
mod pixels;
mod plugin;
mod read_back;
mod result;
mod sheet;
mod unread;

use fanlight_plugin::page::Readable;

use crate::page_reader::PageReader;
use crate::sheet::Sheet;

pub use plugin::ScheduleExtractor;
pub use result::{Metadata, Method, Partial, QualityIssue, Row, Schedule, ScheduleType, Schedules};

/// Minimum mean confidence of OCR, 0 to 1: below, its text is doubtful. Chosen by eye: it decides whether `ocr_low_confidence` is
/// reported, and whether OCR may contradict a text layer.
const MIN_CONFIDENCE: f32 = 0.7;

/// The schedules of one page.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The schedules from the top, then from the left, as the page is read.
    pub schedules: Vec<Schedule>,
    /// Whether OCR read any text of a table.
    pub rasterized: bool,
}

/// Reads the schedules of a page, whose number counts from 1. `progress` is called with the number of a table's cells that OCR
/// has read, and their total.
pub fn read(number: u32, page: &dyn Readable, progress: &dyn Fn(usize, usize)) -> Found {
    let Found { schedules, rasterized } = PageReader::read(&Sheet { number, page, progress });
    Found { schedules: blocks::joined(schedules), rasterized }
}
