//! Reads the tables of one page, by OCR where the text layer does not suffice.

use fanlight_contract::{Geometry, PagePaths, Rect};
use fanlight_geometry::{Frame, RectExt as _};
use fanlight_plugin::page::{Layout, finest_dpi, upright};
use fanlight_raster::{Capture, GreyImage, can_be_rendered, page_text};
use fanlight_tables::{Cell, Grid, LOOK_DPI, Ruling, TextFragment, find_in_image};

use crate::ocr_table::{MAX_TITLE_DISTANCE, OcrTable, is_sign};
use crate::output::Provenance;
use crate::pixels::{self, OcrConfidence, Scan, TableImage};
use crate::result::{QualityIssue, ScheduleType};
use crate::sheet::Sheet;
use crate::{Found, kinds, output, pictures, read_back, unread};

/// Minimum number of segments in a cell without text that holds drawn text. This and the other limits on cells were chosen by
/// eye on synthetic schedules whose text is drawn as outlines and strokes.
const MIN_DRAWN_TEXT: usize = 4;
/// Minimum number of cells with drawn text among cells with text. Fewer are symbols.
const MIN_DRAWN_CELLS: usize = 3;
/// Minimum share of a grid's filled cells that hold drawn text if the grid has no text layer.
const MIN_WITHOUT_TEXT: f32 = 0.4;
/// Minimum number of filled cells of a table without a text layer.
const MIN_CELLS: usize = 6;
/// Minimum number of columns of a table without a text layer.
const MIN_COLUMNS: usize = 2;
/// Minimum number of rows of a table without a text layer.
const MIN_ROWS: usize = 3;
/// Maximum number of pixels of the image that is searched for rules. Bounds the memory.
const MAX_RULE_PIXELS: f32 = 30.0e6;

/// Maximum number of pixels of a page that OCR reads whole, which takes it some five seconds on two cores.
const MAX_OCR_PIXELS: f32 = 12.0e6;
/// Maximum resolution of such a page, in dpi: capitals of 3/32 in then have 18 pixels.
const MAX_OCR_DPI: f32 = 200.0;

/// What may still be done for a page.
#[derive(Clone, Copy, Debug)]
struct Budget {
    /// The number of cells that OCR may read.
    cells: usize,
    /// The number of tables whose text layer may be read back.
    read_backs: usize,
    /// Whether OCR is available, as far as is known.
    has_ocr: bool,
}

/// A rendering of a page or a part of it, in which rules are searched.
struct RuleImage {
    image: GreyImage,
    dpi: f32,
}

/// Reads the tables of one page.
pub(crate) struct PageReader<'a> {
    sheet: &'a Sheet<'a>,
    budget: Budget,
    found: Found,
}

impl<'a> PageReader<'a> {
    /// Returns the schedules of a page, one for each of its tables.
    pub(crate) fn read(sheet: &'a Sheet<'a>) -> Found {
        let budget = Budget { cells: pixels::MAX_CELLS, read_backs: read_back::MAX_TABLES, has_ocr: true };
        let mut reader = Self { sheet, budget, found: Found::default() };
        let page = sheet.page;
        // In this order: reading the paths reads the text in the same pass.
        let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
        // A page with text is not a scan, whatever images it has.
        if fanlight_raster::is_scan(&text, || page.images(), &geometry) {
            if let Some(image) = reader.render_for_rules(&geometry) {
                reader.read_scan(image, &geometry, &[]);
            }
            return reader.found;
        }
        let drops_glyphs = read_back::drops_glyphs(&text);
        for grid in fanlight_tables::find(&paths, &text, &geometry) {
            reader.read_grid(grid, drops_glyphs);
        }
        if fanlight_raster::needs_ocr(page, &text, &geometry) {
            reader.read_open_grids(&paths, &geometry);
        }
        for picture in pictures::possible_tables(|| page.images(), &paths, &text) {
            let own = pictures::geometry(&geometry, picture);
            if let Some(image) = reader.render_for_rules(&own).filter(|own| pictures::is_on_paper(&own.image.grey)) {
                let above = fanlight_tables::lines_above(&text, &geometry, picture);
                reader.read_scan(image, &own, &above);
            }
        }
        reader.found
    }

    /// Reads a grid of a page with a text layer.
    fn read_grid(&mut self, mut grid: Grid, drops_glyphs: bool) {
        let unread = unread_cells(&grid);
        let mut provenance = Provenance::default();
        if !unread.is_empty() {
            provenance = self.read_unread(&mut grid, &unread);
        } else if self.budget.read_backs > 0 && (drops_glyphs || read_back::is_suspicious(&grid)) {
            self.budget.read_backs -= 1;
            provenance = self.read_suspicious(&mut grid);
        }
        self.budget.has_ocr &= !provenance.unavailable;
        if !self.add_schedule(&grid, provenance) {
            self.add_without_text(&grid, &unread, provenance);
        }
    }

    /// Reads the tables that rules do not close, on a page whose letters are drawn. OCR reads the page, and where its words stand
    /// shows rows and columns.
    fn read_open_grids(&mut self, paths: &PagePaths, geometry: &Geometry) {
        let page = self.sheet.page;
        let dpi = finest_dpi(geometry.crop_box, geometry, MAX_OCR_PIXELS, MAX_OCR_DPI);
        let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
        if !self.budget.has_ocr || !can_be_rendered(paths, &frame, dpi / 72.0) {
            return;
        }
        let Some(picture) = page.render(&upright(None, dpi)) else { return };
        let Some(words) = page.recognize(&picture, Layout::Sparse, &[]) else { return };
        let confidence = words.iter().map(|word| word.confidence).sum();
        let ocr = OcrConfidence { words: words.len(), confidence };
        let text = page_text(&words, geometry, Capture::of_page(&picture, dpi));
        let grids = fanlight_tables::find(paths, &text, geometry).into_iter();
        for grid in grids.filter(|grid| grid.ruling != Ruling::Ruled) {
            self.add_schedule(&grid, Provenance::of_ocr(QualityIssue::InkWithoutText, Some(ocr)));
        }
    }

    /// Reads the cells of a grid that have no text, if the grid is or may be a schedule.
    fn read_unread(&mut self, grid: &mut Grid, unread: &[usize]) -> Provenance {
        let cause = QualityIssue::InkWithoutText;
        let skipped = Provenance { cause: Some(cause), ..Provenance::default() };
        let texts = grid.cells.iter().filter(|cell| !cell.is_blank() && !is_sign(cell)).count();
        let is_mostly_drawn = unread.len() as f32 >= MIN_WITHOUT_TEXT * (texts + unread.len()) as f32;
        let is_undecoded = unread.iter().any(|&index| !grid.cells[index].is_blank());
        if !is_mostly_drawn && !is_undecoded && unread.len() < MIN_DRAWN_CELLS {
            return skipped;
        }
        let is_schedule = grid.table().is_some_and(|table| kinds::kind(&table).is_some());
        let may_be_schedule = is_mostly_drawn && unread.len() >= MIN_CELLS && has_size(grid);
        if (!is_schedule && !may_be_schedule) || self.budget.cells == 0 {
            return skipped;
        }
        if !self.budget.has_ocr {
            return Provenance::of_ocr(cause, None);
        }
        let around = if is_mostly_drawn { MAX_TITLE_DISTANCE } else { 0.0 };
        let Some(image) = TableImage::render(self.sheet, grid, around, None) else { return skipped };
        let ocr = if is_mostly_drawn {
            self.read_whole(grid, &image)
        } else {
            self.budget.cells = self.budget.cells.saturating_sub(unread.len());
            pixels::read(self.sheet, &image, grid, unread)
        };
        Provenance::of_ocr(cause, ocr)
    }

    /// Reads a grid with suspicious text by OCR, if OCR says something else.
    fn read_suspicious(&mut self, grid: &mut Grid) -> Provenance {
        let unavailable = Provenance { unavailable: true, ..Provenance::default() };
        if !self.budget.has_ocr {
            return unavailable;
        }
        let Some(image) = TableImage::render(self.sheet, grid, MAX_TITLE_DISTANCE, None) else {
            return Provenance::default();
        };
        match read_back::is_confirmed(self.sheet, &image, grid) {
            None => unavailable,
            // The text layer suffices.
            Some(true) => Provenance::default(),
            Some(false) => Provenance::of_ocr(QualityIssue::TextContradicted, self.read_whole(grid, &image)),
        }
    }

    /// Reads a grid by OCR. `None` if OCR is not available.
    fn read_whole(&mut self, grid: &mut Grid, image: &TableImage) -> Option<OcrConfidence> {
        OcrTable { sheet: self.sheet, image, grid }.read(&mut self.budget.cells)
    }

    /// Reads the tables of a scanned page, or of an image on a page as if it were the page. `above` are the lines of text above
    /// the image.
    fn read_scan(&mut self, RuleImage { image, dpi }: RuleImage, geometry: &Geometry, above: &[TextFragment]) {
        let (grids, skew) = find_in_image(&image, dpi, geometry);
        drop(image);
        let scan = Scan { skew, dpi: self.scan_resolution() };
        for mut grid in grids {
            if !has_size(&grid) || self.budget.cells == 0 {
                continue;
            }
            let Some(image) = TableImage::render(self.sheet, &grid, MAX_TITLE_DISTANCE, Some(scan)) else { continue };
            let ocr = if self.budget.has_ocr { self.read_whole(&mut grid, &image) } else { None };
            self.budget.has_ocr = ocr.is_some();
            grid.above.extend_from_slice(above);
            let provenance = Provenance::of_ocr(QualityIssue::ScannedPage, ocr);
            if provenance.unavailable {
                let filled_cells = image.filled_cells(&grid, &mut self.budget.cells);
                self.add_without_text(&grid, &filled_cells, provenance);
            } else {
                self.add_schedule(&grid, provenance);
            }
        }
    }

    /// Returns the resolution of the page's finest image, in dpi. A finer rendering shows no more.
    fn scan_resolution(&self) -> f32 {
        let images = self.sheet.page.images();
        let dpi =
            images.iter().map(|image| image.width as f32 * 72.0 / (image.matrix.0.hypot(image.matrix.1)).max(1.0));
        dpi.fold(LOOK_DPI, f32::max)
    }

    /// Renders the part of a page in `geometry` for the detection of rules, a very large one at less than the usual resolution.
    fn render_for_rules(&self, geometry: &Geometry) -> Option<RuleImage> {
        let region: Rect = geometry.crop_box;
        let dpi = LOOK_DPI.min((MAX_RULE_PIXELS / region.signed_area().max(1.0)).sqrt() * 72.0);
        Some(RuleImage { image: self.sheet.render(Some(region), dpi)?, dpi })
    }

    /// Adds the schedule of a grid, if its words say that it is one. Returns whether they do.
    fn add_schedule(&mut self, grid: &Grid, provenance: Provenance) -> bool {
        self.found.rasterized |= provenance.is_by_ocr();
        let Some(table) = grid.table() else { return false };
        let Some(kind) = kinds::kind(&table) else { return false };
        self.found.schedules.push(output::schedule(self.sheet.number, &table, kind, provenance));
        true
    }

    /// Adds the schedule of a grid by its rules alone, if OCR is needed for its words and not available.
    fn add_without_text(&mut self, grid: &Grid, filled_cells: &[usize], provenance: Provenance) {
        if provenance.unavailable
            && let Some(table) = unread::table(grid, filled_cells)
        {
            let schedule = output::schedule(self.sheet.number, &table, ScheduleType::OtherSchedule, provenance);
            self.found.schedules.push(schedule);
        }
    }
}

/// Returns whether a grid has the rows and columns of a table.
fn has_size(grid: &Grid) -> bool {
    grid.width() >= MIN_COLUMNS && grid.height() >= MIN_ROWS
}

/// Returns the cells whose text is missing from the text layer or has unknown characters.
fn unread_cells(grid: &Grid) -> Vec<usize> {
    (0..grid.cells.len()).filter(|&index| is_unread(&grid.cells[index])).collect()
}

fn is_unread(cell: &Cell) -> bool {
    let is_undecoded = cell.fragments.iter().any(|fragment| fragment.text.contains(char::REPLACEMENT_CHARACTER));
    is_undecoded || (cell.is_blank() && cell.drawn >= MIN_DRAWN_TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid of one cell with a text and some segments.
    fn grid(text: &str, drawn: usize) -> Grid {
        let bbox = Rect { x1: 0.0, y1: 0.0, x2: 20.0, y2: 10.0 };
        let fragment = TextFragment { text: text.to_owned(), bbox, turns: 0, line: 0, size: 8.0, bold: false };
        Grid {
            frame: Frame::new(bbox, 0.0),
            bbox,
            ruling: Ruling::Ruled,
            columns: vec![0.0, 20.0],
            rows: vec![0.0, 10.0],
            cells: vec![Cell { row: 0, rows: 1, column: 0, columns: 1, bbox, fragments: vec![fragment], drawn }],
            above: Vec::new(),
            below: Vec::new(),
        }
    }

    #[test]
    fn cells_of_drawn_or_undecoded_text_are_unread() {
        let cases = [("A1", 0, 0), ("A1", 9, 0), ("", 9, 1), ("", MIN_DRAWN_TEXT - 1, 0), ("A\u{fffd}", 0, 1)];
        for (text, drawn, expected) in cases {
            assert_eq!(unread_cells(&grid(text, drawn)).len(), expected, "{text:?}, {drawn} segments");
        }
    }
}
