//! Pages that nobody draws, and tables at the edge of what anybody does: bounded work, a clear result.

use fanlight_contract::{Font, Geometry, PagePaths, PageText, PathStyle, Rect, TextRun};
use fanlight_tables::{Grid, find};

/// A page made of strokes and runs.
struct Sheet {
    width: f32,
    height: f32,
    rotation: u32,
    paths: PagePaths,
    text: PageText,
}

impl Sheet {
    fn new(width: f32, height: f32) -> Self {
        let style = PathStyle { stroke: Some(0), fill: None, opacity: 1.0, width: 0.5, dash: vec![], layer: None };
        let paths = PagePaths {
            ops: vec![],
            coordinates: vec![],
            lengths: vec![],
            style_of: vec![],
            styles: vec![style],
            layers: vec![],
        };
        let font = Font { name: "Sans".to_owned(), bold: false, italic: false };
        Self { width, height, rotation: 0, paths, text: PageText { fonts: vec![font], runs: vec![] } }
    }

    fn line(&mut self, from: (f32, f32), to: (f32, f32)) {
        self.paths.ops.extend([0, 1]);
        self.paths.coordinates.extend([from.0, from.1, to.0, to.1]);
        self.paths.lengths.push(2);
        self.paths.style_of.push(0);
    }

    fn write(&mut self, x: f32, y: f32, size: f32, angle: f32, text: &str) {
        let glyphs: Vec<char> = text.chars().collect();
        let advance = 0.55 * size;
        let long = advance * glyphs.len() as f32;
        let (sin, cos) = angle.to_radians().sin_cos();
        let end = (x + long * cos, y + long * sin);
        self.text.runs.push(TextRun {
            text: text.to_owned(),
            lengths: glyphs.iter().map(|c| c.len_utf8() as u8).collect(),
            advances: vec![advance; glyphs.len()],
            codes: glyphs.iter().map(|&c| c.into()).collect(),
            x,
            y,
            size,
            angle,
            bbox: Rect {
                x1: x.min(end.0) - size * sin.abs() * 0.8,
                y1: y.min(end.1) - 0.2 * size,
                x2: x.max(end.0) + 0.1,
                y2: y.max(end.1) + 0.8 * size * cos.abs(),
            },
            font: 0,
            color: 0,
            visible: true,
        });
    }

    /// A ruled table from its upper left corner; each text is set at `size`.
    fn table(&mut self, left: f32, top: f32, width: f32, height: f32, size: f32, rows: &[Vec<String>]) {
        let columns = rows[0].len();
        for row in 0..=rows.len() {
            let y = top - height * row as f32;
            self.line((left, y), (left + width * columns as f32, y));
        }
        for column in 0..=columns {
            let x = left + width * column as f32;
            self.line((x, top), (x, top - height * rows.len() as f32));
        }
        for (r, row) in rows.iter().enumerate() {
            for (c, text) in row.iter().enumerate() {
                self.write(left + width * c as f32 + 2.0, top - height * (r as f32 + 0.7), size, 0.0, text);
            }
        }
    }

    /// A table's texts without any rule, below a title.
    fn listed(&mut self, left: f32, top: f32, width: f32, height: f32, size: f32, rows: &[Vec<String>]) {
        self.write(left, top + 0.8 * size, 1.4 * size, 0.0, "DOOR SCHEDULE");
        for (r, row) in rows.iter().enumerate() {
            for (c, text) in row.iter().enumerate() {
                self.write(left + width * c as f32, top - height * (r as f32 + 0.7), size, 0.0, text);
            }
        }
    }

    fn grids(&self) -> Vec<Grid> {
        let sheet = Rect { x1: 0.0, y1: 0.0, x2: self.width, y2: self.height };
        let geometry = Geometry { media_box: sheet, crop_box: sheet, rotation: self.rotation, user_unit: 1.0 };
        find(&self.paths, &self.text, &geometry)
    }
}

fn schedule(rows: usize) -> Vec<Vec<String>> {
    let head = ["MARK", "TYPE", "WIDTH", "REMARKS"].map(str::to_owned).to_vec();
    let row = |n: usize| vec![format!("D{n}"), "HM".to_owned(), format!("{}", 700 + n), "PAINT".to_owned()];
    std::iter::once(head).chain((1..=rows).map(row)).collect()
}

/// Draws a table at a place with columns, rows and letters of a size.
type Drawing = fn(&mut Sheet, f32, f32, f32, f32, f32, &[Vec<String>]);

#[test]
fn tables_at_the_edge_are_read() {
    let mut foreign = schedule(12);
    foreign.iter_mut().skip(1).for_each(|row| "דלת עץ".clone_into(&mut row[3]));
    let drawings: [(&str, Drawing); 2] = [("ruled", Sheet::table), ("unruled", Sheet::listed)];
    let mut cases: Vec<(String, Sheet, usize)> = Vec::new();
    for (how, draw) in drawings {
        let mut long = Sheet::new(2592.0, 14_400.0 * 5.0);
        draw(&mut long, 50.0, 71_000.0, 80.0, 12.0, 8.0, &schedule(5000));
        cases.push((format!("5,000 rows, {how}"), long, 5000));
        let mut tiny = Sheet::new(612.0, 792.0);
        draw(&mut tiny, 50.0, 700.0, 30.0, 5.0, 2.0, &schedule(40));
        cases.push((format!("text of 2 pt, {how}"), tiny, 40));
        let mut whole = Sheet::new(612.0, 792.0);
        draw(&mut whole, 0.0, 792.0, 153.0, 792.0 / 21.0, 20.0, &schedule(20));
        cases.push((format!("a table across the whole page, {how}"), whole, 20));
        let mut right_to_left = Sheet::new(612.0, 792.0);
        draw(&mut right_to_left, 50.0, 700.0, 80.0, 14.0, 8.0, &foreign);
        cases.push((format!("right-to-left text, {how}"), right_to_left, 12));
    }
    for (what, sheet, rows) in cases {
        let tables: Vec<_> = sheet.grids().iter().filter_map(Grid::table).collect();
        assert_eq!(tables.len(), 1, "{what}");
        assert_eq!(tables[0].headers, ["MARK", "TYPE", "WIDTH", "REMARKS"], "{what}");
        assert_eq!(tables[0].rows.len(), rows, "{what}");
        assert_eq!(tables[0].rows[4][2], "705", "{what}");
    }
}

#[test]
fn a_sheet_of_nothing_but_rules_has_no_table() {
    let mut sheet = Sheet::new(3456.0, 2592.0);
    for n in 0..150_000_u32 {
        // Places that follow no order, the same at each run.
        let (x, y) = ((n.wrapping_mul(7919) % 34_000) as f32 / 10.0, (n.wrapping_mul(104_729) % 25_000) as f32 / 10.0);
        sheet.line((x, y), (x + 9.0 + (n % 37) as f32, y));
        sheet.line((x, y), (x, y + 7.0 + (n % 29) as f32));
    }
    assert!(sheet.grids().iter().all(|grid| grid.table().is_none()));
    let mut hatch = Sheet::new(3456.0, 2592.0);
    for n in 0..1500 {
        hatch.line((0.0, n as f32 * 1.7), (3456.0, n as f32 * 1.7));
        hatch.line((n as f32 * 2.3, 0.0), (n as f32 * 2.3, 2592.0));
    }
    assert!(hatch.grids().iter().all(|grid| grid.table().is_none()));
}

#[test]
fn a_million_segments_hide_no_table() {
    let mut sheet = Sheet::new(3456.0, 2592.0);
    sheet.table(2000.0, 2500.0, 80.0, 14.0, 8.0, &schedule(30));
    for n in 0..1_000_000_u32 {
        let (x, y) = ((n.wrapping_mul(7919) % 18_000) as f32 / 10.0, (n.wrapping_mul(104_729) % 25_000) as f32 / 10.0);
        let (dx, dy) = [(11.0, 0.0), (0.0, 9.0), (6.0, 7.0), (-8.0, 3.0)][n as usize % 4];
        sheet.line((x, y), (x + dx, y + dy));
    }
    let tables: Vec<_> = sheet.grids().iter().filter_map(Grid::table).filter(|table| table.rows.len() == 30).collect();
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0].headers, ["MARK", "TYPE", "WIDTH", "REMARKS"]);
}

#[test]
fn a_sheet_of_nothing_but_titles_has_no_table() {
    let mut sheet = Sheet::new(3456.0, 2592.0);
    for n in 0..20_000_u32 {
        sheet.write((n % 40) as f32 * 85.0, (n / 40) as f32 * 5.0, 4.0, 0.0, "DOOR SCHEDULE");
    }
    assert!(sheet.grids().iter().all(|grid| grid.table().is_none()));
}

#[test]
fn turned_and_mirrored_text_ends_clearly() {
    // A page that a viewer turns: its text runs up the unrotated page.
    for rotation in [90, 180, 270] {
        let mut sheet = Sheet::new(612.0, 792.0);
        sheet.rotation = rotation;
        let upright = schedule(10);
        for (r, row) in upright.iter().enumerate() {
            for (c, text) in row.iter().enumerate() {
                let (along, down) = (100.0 + 80.0 * c as f32 + 3.0, 100.0 + 14.0 * (r as f32 + 0.7));
                let (x, y) = match rotation {
                    90 => (down, along),
                    180 => (612.0 - along, down),
                    _ => (612.0 - down, 792.0 - along),
                };
                sheet.write(x, y, 8.0, rotation as f32, text);
            }
        }
        for n in 0..=11 {
            let down = 100.0 + 14.0 * n as f32;
            match rotation {
                90 => sheet.line((down, 100.0), (down, 420.0)),
                180 => sheet.line((612.0 - 100.0, down), (612.0 - 420.0, down)),
                _ => sheet.line((612.0 - down, 792.0 - 100.0), (612.0 - down, 792.0 - 420.0)),
            }
        }
        for n in 0..=4 {
            let along = 100.0 + 80.0 * n as f32;
            match rotation {
                90 => sheet.line((100.0, along), (254.0, along)),
                180 => sheet.line((612.0 - along, 100.0), (612.0 - along, 254.0)),
                _ => sheet.line((612.0 - 100.0, 792.0 - along), (612.0 - 254.0, 792.0 - along)),
            }
        }
        let tables: Vec<_> = sheet.grids().iter().filter_map(Grid::table).collect();
        assert_eq!(tables.len(), 1, "{rotation}");
        assert_eq!((tables[0].headers[0].as_str(), tables[0].rows.len()), ("MARK", 10), "{rotation}");
    }
    // Mirrored text stands on its head in no frame: what a mirror leaves of it has advances that run backwards.
    let mut mirrored = Sheet::new(612.0, 792.0);
    mirrored.table(50.0, 700.0, 80.0, 14.0, 8.0, &schedule(10));
    for run in &mut mirrored.text.runs {
        run.advances.iter_mut().for_each(|advance| *advance = -*advance);
        run.text = run.text.chars().rev().collect();
    }
    assert_eq!(mirrored.grids().len(), 1);
    // Numbers that are none.
    let mut broken = Sheet::new(f32::NAN, 792.0);
    broken.table(50.0, 700.0, f32::INFINITY, 14.0, 8.0, &schedule(3));
    broken.line((f32::NAN, 0.0), (1e30, 1e30));
    assert!(broken.grids().iter().all(|grid| grid.table().is_none()));
}
