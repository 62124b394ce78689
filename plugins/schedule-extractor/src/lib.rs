//! Reads the schedules of drawing sheets.
//!
//! - `kinds`: which of a page's tables are schedules, and what they list;
//! - `pixels`: cells read by OCR, where there is ink and no text, or text that can't be trusted;
//! - `pictures`: tables that are pictures on a sheet with text;
//! - `read_back`: whether a text layer says what is drawn;
//! - `blocks`: blocks that stand beside each other become one schedule;
//! - `unread`: tables that have no text layer where there is no OCR;
//! - `result`: what clients read;
//! - `sheet`: a page whose tables are read, and who hears how far that is;
//! - `plugin`: the model that the host runs. Everything else works on any page that can be read, natively too.
//!
//! How tables are found and read is `fanlight_tables`'.

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

use crate::pixels::{Reading, View};
use crate::sheet::Sheet;

pub use plugin::ScheduleExtractor;
pub use result::{Metadata, Method, Partial, QualityIssue, Row, Schedule, ScheduleType, Schedules};

/// What one page holds.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// From the top, then from the left, as the page is read.
    pub schedules: Vec<Schedule>,
    /// Whether any of its text was taken from the page's pixels.
    pub rasterized: bool,
}

/// Segments in a cell without text from which it is taken to be drawn text.
const DRAWN_TEXT: usize = 4;
/// Fewer cells of drawn text among cells with text are symbols.
const DRAWN_CELLS: usize = 3;
/// A grid of which this share of the cells with anything in them is drawn text has no text layer.
const WITHOUT_TEXT: f32 = 0.4;
/// How far above a table without a text layer its title is looked for, in points.
const TITLE_WITHIN: f32 = 36.0;
/// Rows that are read of a table to see whether it is a schedule.
const HEAD_ROWS: usize = 5;
/// And rows from the end, where the head may stand below.
const FOOT_ROWS: usize = 2;
/// OCR that is less sure than this on average is doubtful.
const SURE: f32 = 0.7;

/// How the text of a grid came about.
#[derive(Clone, Copy, Debug, Default)]
struct Provenance {
    /// Why the text layer isn't enough: the page is a picture, ink has no text, or text is not what is drawn.
    cause: Option<QualityIssue>,
    /// Cells were read by OCR.
    ocr: Option<Reading>,
    /// OCR was needed and not to be had.
    unavailable: bool,
}

/// What may still be spent on a page.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    /// Cells that OCR may read.
    cells: usize,
    /// Tables whose text layer may be read back.
    looks: usize,
    /// Whether there is OCR, as far as it was asked.
    ocr: bool,
}

impl Allowance {
    const OF_A_PAGE: Self = Self { cells: pixels::MOST_CELLS, looks: read_back::MOST_LOOKS, ocr: true };
}

/// Reads the schedules of a page. `heard` hears how many of a table's cells OCR has read, of how many.
pub fn read(page: &dyn Readable, heard: &dyn Fn(usize, usize)) -> Found {
    let Found { schedules, rasterized } = tables(page, heard);
    Found { schedules: blocks::joined(schedules), rasterized }
}

/// The schedules of a page, one for each of its tables.
fn tables(page: &dyn Readable, heard: &dyn Fn(usize, usize)) -> Found {
    let sheet = &Sheet { page, heard };
    // In this order: the engine reads both in one pass.
    let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
    let mut found = Found::default();
    // A page with text is no scan, whatever pictures it has.
    if fanlight_raster::is_scan(&text, || page.images(), &geometry) {
        let mut left = Allowance::OF_A_PAGE;
        if let Some(look) = look_over(sheet, &geometry) {
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
        } else if left.looks > 0 && (drops_glyphs || read_back::is_doubtful(&grid)) {
            left.looks -= 1;
            provenance = read_again(sheet, &mut grid, &mut left, &mut found);
        }
        left.ocr &= !provenance.unavailable;
        found.schedules.extend(schedule(&grid, provenance).or_else(|| without_text(&grid, &unread, provenance)));
    }
    for picture in pictures::of(|| page.images(), &paths, &text) {
        let own = pictures::geometry(&geometry, picture);
        if let Some(look) = look_over(sheet, &own).filter(|(look, _)| pictures::is_on_paper(&look.grey)) {
            let above = fanlight_tables::lines_above(&text, &geometry, picture);
            scanned(sheet, look, &own, &mut left, &above, &mut found);
        }
    }
    found
}

/// Cells that hold text which the text layer hasn't got, or has no characters for.
fn unread(grid: &Grid) -> Vec<usize> {
    let is_unread = |index: &usize| {
        let cell = &grid.cells[*index];
        let undecoded = cell.fragments.iter().any(|fragment| fragment.text.contains(char::REPLACEMENT_CHARACTER));
        undecoded || (cell.is_blank() && cell.drawn >= DRAWN_TEXT)
    };
    (0..grid.cells.len()).filter(is_unread).collect()
}

/// Reads the cells of a vector grid that have no text, if the grid is, or may be, a schedule.
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
    let Some(view) = View::of(sheet, grid, around, None) else { return provenance };
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

/// Reads a grid whose text is doubtful from its pixels, if they say something else.
fn read_again(sheet: &Sheet<'_>, grid: &mut Grid, left: &mut Allowance, found: &mut Found) -> Provenance {
    let mut provenance = Provenance::default();
    if !left.ocr {
        provenance.unavailable = true;
        return provenance;
    }
    let Some(view) = View::of(sheet, grid, TITLE_WITHIN, None) else { return provenance };
    match read_back::is_borne_out(sheet, &view, grid) {
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

/// Reads a grid's head, and where that is a schedule's, all of it. None where OCR is not to be had.
fn whole(sheet: &Sheet<'_>, view: &View, grid: &mut Grid, budget: &mut usize) -> Option<Reading> {
    let bbox = grid.bbox;
    let over = Rect { y1: (bbox.y1 - TITLE_WITHIN).max(0.0), y2: bbox.y1 - 1.5, ..bbox };
    let under = Rect { y1: bbox.y2 + 1.5, y2: (bbox.y2 + TITLE_WITHIN).min(grid.frame.height), ..bbox };
    let height = grid.height();
    let mut reading = Reading::default();
    let mut unread: Vec<usize> = (0..grid.cells.len()).filter(|&index| !is_sign(&grid.cells[index])).collect();
    // Where the first rows head nothing, the last ones may.
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

/// Whether a cell holds a sign that is drawn and known.
fn is_sign(cell: &Cell) -> bool {
    !cell.is_blank() && cell.fragments.iter().all(|fragment| fragment.size == 0.0)
}

/// How many of these cells say what heads and titles do.
fn heads_known(grid: &Grid, cells: &[usize]) -> usize {
    let texts: Vec<String> = cells.iter().filter_map(|&index| grid.cells.get(index)).map(Cell::text).collect();
    texts.iter().filter(|text| is_column_header(text)).count()
        + usize::from(texts.iter().any(|text| kinds::is_title(text)))
}

/// Puts the words of heads and titles right.
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

/// Puts a word right that is a heading's or a title's but for one letter.
fn spell(word: &mut String) {
    if let Some(head) = fanlight_tables::corrected_header_word(word) {
        head.clone_into(word);
    }
}

/// A page, or the part of it that the geometry says, as it is looked over for rules, and its resolution.
fn look_over(sheet: &Sheet<'_>, geometry: &Geometry) -> Option<(GreyImage, f32)> {
    let own = geometry.crop_box;
    let area = own.signed_area();
    // A very large sheet is looked over at less than the usual resolution.
    let dpi = LOOK_DPI.min((30.0e6 / area.max(1.0)).sqrt() * 72.0);
    Some((sheet.render(Some(own), dpi)?, dpi))
}

/// Reads the schedules of a page that is a picture, or of a picture on it as if it were the page, below lines of text.
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
    // Finer than the scan is there is nothing to see.
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
        let Some(view) = View::of(sheet, &grid, TITLE_WITHIN, Some((skew, finest))) else { continue };
        let reading = if left.ocr { whole(sheet, &view, &mut grid, &mut left.cells) } else { None };
        left.ocr = reading.is_some();
        grid.above.extend_from_slice(above);
        let cause = Some(QualityIssue::ScannedPage);
        let provenance = Provenance { cause, ocr: reading, unavailable: reading.is_none() };
        found.rasterized |= reading.is_some_and(|reading| reading.words > 0);
        if provenance.unavailable {
            let inked = view.inked(&grid, &mut left.cells);
            found.schedules.extend(without_text(&grid, &inked, provenance));
        } else {
            found.schedules.extend(schedule(&grid, provenance));
        }
    }
}

/// The schedule that a grid's words make it.
fn schedule(grid: &Grid, provenance: Provenance) -> Option<Schedule> {
    let table = grid.table()?;
    let kind = kinds::kind(&table)?;
    Some(told(&table, kind, provenance))
}

/// The schedule that a grid is as far as its rules say, where OCR was needed for its words and not to be had.
fn without_text(grid: &Grid, inked: &[usize], provenance: Provenance) -> Option<Schedule> {
    let table = if provenance.unavailable { unread::table(grid, inked)? } else { return None };
    Some(told(&table, ScheduleType::OtherSchedule, provenance))
}

/// A table as clients read it.
fn told(table: &Table, kind: ScheduleType, provenance: Provenance) -> Schedule {
    let by_ocr = provenance.ocr.is_some_and(|reading| reading.words > 0);
    let sure = provenance.ocr.map_or(1.0, |reading| reading.confidence / reading.words.max(1) as f32);
    let undecoded =
        table.rows.iter().flatten().chain(&table.headers).any(|text| text.contains(char::REPLACEMENT_CHARACTER));
    let issues = [
        (undecoded, QualityIssue::GlyphsWithoutUnicode),
        (provenance.unavailable, QualityIssue::OcrUnavailable),
        (by_ocr && sure < SURE, QualityIssue::OcrLowConfidence),
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

/// From what was seen: a third for closed cells, a third for heads that are known, the rest for a title, for cells with
/// text, and for text that is decoded. What was read by OCR counts as much as OCR is sure of it.
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
