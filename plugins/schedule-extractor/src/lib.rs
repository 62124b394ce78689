//! Reads the schedules of drawing sheets.
//!
//! - `kinds`: which of a page's tables are schedules, and what they list;
//! - `pixels`: cells read by OCR, if something is drawn without text or the text is unreliable;
//! - `pictures`: tables that are images on a sheet with text;
//! - `read_back`: whether a text layer agrees with what is drawn;
//! - `blocks`: joins blocks of a schedule beside each other;
//! - `unread`: tables without a text layer on a host without OCR;
//! - `result`: what clients read;
//! - `sheet`: a page whose tables are read, and the receiver of progress reports;
//! - `plugin`: the model that the host runs. Everything else works on any readable page, natively
//!   too.
//!
//! `fanlight_tables` detects tables and reads their structure.

mod blocks;
mod kinds;
mod pictures;
mod pixels;
mod plugin;
mod read_back;
mod result;
mod sheet;
mod unread;

use fanlight_contract::{Geometry, Rect};
use fanlight_geometry::RectExt as _;
use fanlight_plugin::hundredth;
use fanlight_plugin::page::Readable;
use fanlight_raster::GreyImage;
use fanlight_tables::{Cell, Grid, LOOK_DPI, Ruling, Table, TextFragment, find_in_image, is_column_header};

use crate::pixels::{OcrConfidence, TableImage};
use crate::sheet::Sheet;

pub use plugin::ScheduleExtractor;
pub use result::{Metadata, Method, Partial, QualityIssue, Row, Schedule, ScheduleType, Schedules};

/// The schedules of one page.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The schedules from the top, then from the left, as the page is read.
    pub schedules: Vec<Schedule>,
    /// Whether OCR read any of their text.
    pub rasterized: bool,
}

/// A cell without text that has at least this many segments holds drawn text.
const DRAWN_TEXT: usize = 4;
/// Fewer cells with drawn content among cells with text are symbols.
const DRAWN_CELLS: usize = 3;
/// A grid has no text layer if this share of its filled cells is drawn text.
const WITHOUT_TEXT: f32 = 0.4;
/// How far above a table without a text layer its title is searched, in points.
const TITLE_WITHIN: f32 = 36.0;
/// The first rows that are read to decide whether a table is a schedule.
const HEAD_ROWS: usize = 5;
/// The last rows that are read as well, since headers may be at the bottom.
const FOOT_ROWS: usize = 2;
/// A lower mean confidence of OCR is doubtful.
const MIN_CONFIDENCE: f32 = 0.7;

/// Where the text of a grid comes from.
#[derive(Clone, Copy, Debug, Default)]
struct Provenance {
    /// Why the text layer does not suffice: the page is an image, drawn content has no text, or the
    /// text differs from what is drawn.
    cause: Option<QualityIssue>,
    /// Whether OCR read cells.
    ocr: Option<OcrConfidence>,
    /// Whether OCR was needed and not available.
    unavailable: bool,
}

/// The remaining budget of a page.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    /// The number of cells that OCR may read.
    cells: usize,
    /// The number of tables whose text layer may be read back.
    looks: usize,
    /// Whether OCR is available, as far as is known.
    ocr: bool,
}

impl Allowance {
    const OF_A_PAGE: Self = Self { cells: pixels::MAX_CELLS, looks: read_back::MAX_TABLES, ocr: true };
}

/// Reads the schedules of a page. `progress` is called with the number of a table's cells that OCR
/// has read, and their total.
pub fn read(page: &dyn Readable, progress: &dyn Fn(usize, usize)) -> Found {
    let Found { schedules, rasterized } = tables(page, progress);
    Found { schedules: blocks::joined(schedules), rasterized }
}

/// Returns the schedules of a page, one for each of its tables.
fn tables(page: &dyn Readable, progress: &dyn Fn(usize, usize)) -> Found {
    let sheet = &Sheet { page, progress };
    // In this order: reading the paths reads the text in the same pass.
    let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
    let mut found = Found::default();
    // A page with text is not a scan, whatever images it has.
    if fanlight_raster::is_scan(&text, || page.images(), &geometry) {
        let mut left = Allowance::OF_A_PAGE;
        if let Some(look) = render_for_rules(sheet, &geometry) {
            scanned(sheet, look, &geometry, &mut left, &[], &mut found);
        }
        return found;
    }
    let mut left = Allowance::OF_A_PAGE;
    let drops_glyphs = read_back::drops_glyphs(&text);
    for mut grid in fanlight_tables::find(&paths, &text, &geometry) {
        let mut provenance = Provenance::default();
        let unread = unread(&grid);
        if !unread.is_empty() {
            provenance = from_pixels(sheet, &mut grid, &unread, &mut left, &mut found);
        } else if left.looks > 0 && (drops_glyphs || read_back::is_suspicious(&grid)) {
            left.looks -= 1;
            provenance = read_again(sheet, &mut grid, &mut left, &mut found);
        }
        left.ocr &= !provenance.unavailable;
        found.schedules.extend(schedule(&grid, provenance).or_else(|| without_text(&grid, &unread, provenance)));
    }
    for picture in pictures::possible_tables(|| page.images(), &paths, &text) {
        let own = pictures::geometry(&geometry, picture);
        if let Some(look) = render_for_rules(sheet, &own).filter(|(look, _)| pictures::is_on_paper(&look.grey)) {
            let above = fanlight_tables::lines_above(&text, &geometry, picture);
            scanned(sheet, look, &own, &mut left, &above, &mut found);
        }
    }
    found
}

/// Returns the cells with text that is missing from the text layer or has no characters.
fn unread(grid: &Grid) -> Vec<usize> {
    let is_unread = |index: &usize| {
        let cell = &grid.cells[*index];
        let undecoded = cell.fragments.iter().any(|fragment| fragment.text.contains(char::REPLACEMENT_CHARACTER));
        undecoded || (cell.is_blank() && cell.drawn >= DRAWN_TEXT)
    };
    (0..grid.cells.len()).filter(is_unread).collect()
}

/// Reads the cells of a vector grid without text, if the grid is or may be a schedule.
fn from_pixels(
    sheet: &Sheet<'_>,
    grid: &mut Grid,
    unread: &[usize],
    left: &mut Allowance,
    found: &mut Found,
) -> Provenance {
    let texts = grid.cells.iter().filter(|cell| !cell.is_blank() && !is_sign(cell)).count();
    let mostly = unread.len() as f32 >= WITHOUT_TEXT * (texts + unread.len()) as f32;
    let mut provenance = Provenance { cause: Some(QualityIssue::InkWithoutText), ..Provenance::default() };
    let known = grid.table().is_some_and(|table| kinds::kind(&table).is_some());
    let undecoded = unread.iter().any(|&index| !grid.cells[index].is_blank());
    if !mostly && !undecoded && unread.len() < DRAWN_CELLS {
        return provenance;
    }
    let may_be = mostly && unread.len() >= 6 && grid.width() >= 2 && grid.height() >= 3;
    if (!known && !may_be) || left.cells == 0 {
        return provenance;
    }
    if !left.ocr {
        provenance.unavailable = true;
        return provenance;
    }
    let around = if mostly { TITLE_WITHIN } else { 0.0 };
    let Some(view) = TableImage::render(sheet, grid, around, None) else { return provenance };
    let reading = if mostly {
        whole(sheet, &view, grid, &mut left.cells)
    } else {
        left.cells = left.cells.saturating_sub(unread.len());
        pixels::read(sheet, &view, grid, unread)
    };
    provenance.ocr = reading;
    provenance.unavailable = reading.is_none();
    found.rasterized |= reading.is_some_and(|reading| reading.words > 0);
    provenance
}

/// Reads a grid with suspicious text from its pixels, if they say something else.
fn read_again(sheet: &Sheet<'_>, grid: &mut Grid, left: &mut Allowance, found: &mut Found) -> Provenance {
    let mut provenance = Provenance::default();
    if !left.ocr {
        provenance.unavailable = true;
        return provenance;
    }
    let Some(view) = TableImage::render(sheet, grid, TITLE_WITHIN, None) else { return provenance };
    match read_back::is_confirmed(sheet, &view, grid) {
        None => provenance.unavailable = true,
        // The text layer suffices.
        Some(true) => {}
        Some(false) => {
            provenance.cause = Some(QualityIssue::TextContradicted);
            provenance.ocr = whole(sheet, &view, grid, &mut left.cells);
            provenance.unavailable = provenance.ocr.is_none();
            found.rasterized |= provenance.ocr.is_some_and(|reading| reading.words > 0);
        }
    }
    provenance
}

/// Reads a grid's header rows and, if they are a schedule's, all of it. `None` if OCR is not
/// available.
fn whole(sheet: &Sheet<'_>, view: &TableImage, grid: &mut Grid, budget: &mut usize) -> Option<OcrConfidence> {
    let bbox = grid.bbox;
    let over = Rect { y1: (bbox.y1 - TITLE_WITHIN).max(0.0), y2: bbox.y1 - 1.5, ..bbox };
    let under = Rect { y1: bbox.y2 + 1.5, y2: (bbox.y2 + TITLE_WITHIN).min(grid.frame.height), ..bbox };
    let height = grid.height();
    let mut reading = OcrConfidence::default();
    let mut unread: Vec<usize> = (0..grid.cells.len()).filter(|&index| !is_sign(&grid.cells[index])).collect();
    // If the first rows are no headers, the last ones may be.
    let ends = [(over, 0..HEAD_ROWS), (under, height.saturating_sub(FOOT_ROWS)..height)];
    let mut is_schedule = false;
    for (strip, rows) in ends {
        let is_in = |cell: &Cell| cell.row < rows.end && cell.row + cell.rows > rows.start;
        let (heads, rest): (Vec<usize>, Vec<usize>) = unread.iter().partition(|&&index| is_in(&grid.cells[index]));
        if !is_schedule {
            if heads.len() > *budget {
                return Some(reading);
            }
            unread = rest;
            *budget -= heads.len();
            reading.add(pixels::read(sheet, view, grid, &heads)?);
        }
        let mut lines = Vec::new();
        if strip.y2 > strip.y1 + 6.0 {
            lines = pixels::lines(sheet, view, strip)?;
        }
        spell_heads(grid, &heads, &mut lines);
        let titled = lines.iter().any(|line| kinds::is_title(&line.text));
        *(if strip.y1 < bbox.y1 { &mut grid.above } else { &mut grid.below }) = lines;
        is_schedule |= heads_known(grid, &heads) + usize::from(titled) >= 2;
        if is_schedule && titled {
            break;
        }
    }
    if is_schedule && unread.len() <= *budget {
        *budget -= unread.len();
        reading.add(pixels::read(sheet, view, grid, &unread)?);
    }
    Some(reading)
}

/// Returns whether a cell holds a drawn sign that is known.
fn is_sign(cell: &Cell) -> bool {
    !cell.is_blank() && cell.fragments.iter().all(|fragment| fragment.size == 0.0)
}

/// Returns how many of these cells hold known headers or titles.
fn heads_known(grid: &Grid, cells: &[usize]) -> usize {
    let texts: Vec<String> = cells.iter().filter_map(|&index| grid.cells.get(index)).map(Cell::text).collect();
    texts.iter().filter(|text| is_column_header(text)).count()
        + usize::from(texts.iter().any(|text| kinds::is_title(text)))
}

/// Corrects the words of headers and titles.
fn spell_heads(grid: &mut Grid, cells: &[usize], lines: &mut [TextFragment]) {
    for &index in cells {
        let Some(cell) = grid.cells.get_mut(index) else { continue };
        for fragment in &mut cell.fragments {
            spell(&mut fragment.text);
        }
    }
    for line in lines {
        let mut words: Vec<String> = line.text.split(' ').map(str::to_owned).collect();
        words.iter_mut().for_each(spell);
        line.text = words.join(" ");
    }
}

/// Corrects a word at edit distance 1 from a known header or title word.
fn spell(word: &mut String) {
    if let Some(head) = fanlight_tables::corrected_header_word(word) {
        head.clone_into(word);
    }
}

/// Renders a page, or the part of it in `geometry`, for the detection of rules. Returns the image
/// and its resolution in dpi.
fn render_for_rules(sheet: &Sheet<'_>, geometry: &Geometry) -> Option<(GreyImage, f32)> {
    let own = geometry.crop_box;
    let area = own.signed_area();
    // A very large sheet is rendered at less than the usual resolution.
    let dpi = LOOK_DPI.min((30.0e6 / area.max(1.0)).sqrt() * 72.0);
    Some((sheet.render(Some(own), dpi)?, dpi))
}

/// Reads the schedules of a scanned page, or of an image on a page as if it were the page, below
/// lines of text.
fn scanned(
    sheet: &Sheet<'_>,
    (picture, dpi): (GreyImage, f32),
    geometry: &Geometry,
    left: &mut Allowance,
    above: &[TextFragment],
    found: &mut Found,
) {
    let (grids, skew) = find_in_image(&picture, dpi, geometry);
    drop(picture);
    // A rendering finer than the scan shows no more.
    let finest = sheet
        .page
        .images()
        .iter()
        .map(|image| image.width as f32 * 72.0 / (image.matrix.0.hypot(image.matrix.1)).max(1.0))
        .fold(LOOK_DPI, f32::max);
    for mut grid in grids {
        if grid.width() < 2 || grid.height() < 3 || left.cells == 0 {
            continue;
        }
        let Some(view) = TableImage::render(sheet, &grid, TITLE_WITHIN, Some((skew, finest))) else { continue };
        let reading = if left.ocr { whole(sheet, &view, &mut grid, &mut left.cells) } else { None };
        left.ocr = reading.is_some();
        grid.above.extend_from_slice(above);
        let cause = Some(QualityIssue::ScannedPage);
        let provenance = Provenance { cause, ocr: reading, unavailable: reading.is_none() };
        found.rasterized |= reading.is_some_and(|reading| reading.words > 0);
        if provenance.unavailable {
            let filled_cells = view.filled_cells(&grid, &mut left.cells);
            found.schedules.extend(without_text(&grid, &filled_cells, provenance));
        } else {
            found.schedules.extend(schedule(&grid, provenance));
        }
    }
}

/// Returns the schedule of a grid, as its words say.
fn schedule(grid: &Grid, provenance: Provenance) -> Option<Schedule> {
    let table = grid.table()?;
    let kind = kinds::kind(&table)?;
    Some(client_schedule(&table, kind, provenance))
}

/// Returns the schedule of a grid, as far as its rules say, if OCR is needed for its words and not
/// available.
fn without_text(grid: &Grid, filled_cells: &[usize], provenance: Provenance) -> Option<Schedule> {
    let table = if provenance.unavailable { unread::table(grid, filled_cells)? } else { return None };
    Some(client_schedule(&table, ScheduleType::OtherSchedule, provenance))
}

/// Converts a table to the result that clients read.
fn client_schedule(table: &Table, kind: ScheduleType, provenance: Provenance) -> Schedule {
    let by_ocr = provenance.ocr.is_some_and(|reading| reading.words > 0);
    let sure = provenance.ocr.map_or(1.0, |reading| reading.confidence / reading.words.max(1) as f32);
    let undecoded =
        table.rows.iter().flatten().chain(&table.headers).any(|text| text.contains(char::REPLACEMENT_CHARACTER));
    let issues = [
        (undecoded, QualityIssue::GlyphsWithoutUnicode),
        (provenance.unavailable, QualityIssue::OcrUnavailable),
        (by_ocr && sure < MIN_CONFIDENCE, QualityIssue::OcrLowConfidence),
        (table.ruling == Ruling::Ruled && table.closed < 0.98, QualityIssue::OpenCells),
        (table.headers.iter().any(String::is_empty), QualityIssue::BlankHeaders),
        (table.title.is_empty(), QualityIssue::NoTitle),
    ];
    let seen = issues.into_iter().filter(|(is, _)| *is).map(|(_, issue)| issue);
    let headers = result::distinct(&table.headers);
    let rows: Vec<Row> =
        table.rows.iter().map(|row| Row(headers.iter().cloned().zip(row.iter().cloned()).collect())).collect();
    let bbox = table.bbox;
    Schedule {
        schedule_type: kind,
        title: table.title.clone(),
        confidence: confidence(table, if by_ocr { sure } else { 1.0 }),
        bounding_box: [bbox.x1, bbox.y1, bbox.x2, bbox.y2].map(hundredth),
        metadata: Metadata {
            row_count: rows.len(),
            col_count: headers.len(),
            method: match table.ruling {
                _ if provenance.cause == Some(QualityIssue::ScannedPage) => Method::RasterRulesOcr,
                Ruling::Ruled if by_ocr => Method::VectorRulesOcr,
                Ruling::Ruled => Method::VectorRules,
                Ruling::Partly => Method::PartialRules,
                Ruling::Aligned => Method::TextAlignment,
            },
            pdf_quality_issues: provenance.cause.into_iter().chain(seen).collect(),
            ocr_fallback: by_ocr,
        },
        headers,
        rows,
    }
}

/// Returns the confidence of a table: a third for closed cells, a third for known headers, the rest
/// for a title, filled cells and decoded text. Text from OCR counts by its confidence.
fn confidence(table: &Table, sure: f32) -> f64 {
    let named = table.headers.iter().filter(|header| !header.is_empty()).count().max(1) as f64;
    let known = table.headers.iter().filter(|header| is_column_header(header)).count() as f64;
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
    let decoded = 0.12 * (decoded / texts.len().max(1) as f64);
    let sum = (0.33 * ruled + 0.33 * (known / named) + 0.14 * title + 0.08 * filled + decoded) * f64::from(sure);
    (sum.clamp(0.0, 1.0) * 1000.0).round() / 1000.0
}
