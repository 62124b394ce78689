//! Title blocks.

use super::style::{Block, Labelling, Style};
use super::wording::Labels;
use crate::pdf::{Face, Family, Page, wrap};

/// What a title block says on one sheet.
#[derive(Clone, Debug)]
pub(super) struct Entries<'a> {
    pub(super) number: &'a str,
    pub(super) title: &'a str,
    pub(super) project: &'a Project,
    /// "3 / 12" if sheets are only counted.
    pub(super) total: Option<String>,
    /// The index of the revision, if it follows the number.
    pub(super) revision: Option<&'static str>,
}

/// What the title block says on all sheets.
#[derive(Clone, Debug)]
pub(super) struct Project {
    pub(super) firm: String,
    pub(super) firm_address: String,
    pub(super) name: String,
    pub(super) address: String,
    pub(super) client: String,
    pub(super) job: String,
    pub(super) date: String,
    pub(super) drawn: String,
    pub(super) checked: String,
}

/// A cell: its content and the size of its text.
struct Cell<'a> {
    label: &'a str,
    value: &'a str,
    size: f32,
    bold: bool,
    /// Its share of the block's length.
    share: f32,
    labelling: Labelling,
    /// Small print below the value; may be empty.
    below: &'a str,
}

impl<'a> Cell<'a> {
    /// Returns a small field. It has a label in every style.
    fn field(label: &'a str, value: &'a str, unit: f32, style: &Style) -> Self {
        let labelling = if style.labelling == Labelling::Bare { Labelling::Over } else { style.labelling };
        Cell { label, value, size: unit, bold: false, share: 0.0, labelling, below: "" }
    }
}

/// A rectangle of the page whose text may run upwards. `u` runs along the reading direction, `v`
/// across it, upwards.
struct Area<'p> {
    page: &'p mut Page,
    /// The point at which u and v are 0.
    origin: (f32, f32),
    upward: bool,
    family: Family,
    /// The size of small print, in points.
    unit: f32,
}

impl Area<'_> {
    fn place(&self, u: f32, v: f32) -> (f32, f32) {
        if self.upward { (self.origin.0 - v, self.origin.1 + u) } else { (self.origin.0 + u, self.origin.1 + v) }
    }

    fn text(&mut self, u: f32, v: f32, face: Face, size: f32, text: &str) {
        let (x, y) = self.place(u, v);
        if self.upward { self.page.text_upward(x, y, face, size, text) } else { self.page.text(x, y, face, size, text) }
    }

    fn frame(&mut self, u: f32, v: f32, wide: f32, high: f32) {
        let corners = [(u, v), (u + wide, v), (u + wide, v + high), (u, v + high)].map(|(u, v)| self.place(u, v));
        for at in 0..4 {
            self.page.stroke(corners[at], corners[(at + 1) % 4], 0.8);
        }
    }

    /// Draws a cell with its label and the lines of its value.
    fn cell(&mut self, cell: &Cell<'_>, (u, v, wide, high): (f32, f32, f32, f32)) {
        self.frame(u, v, wide, high);
        let face = Face::new(self.family, cell.bold);
        let small = Face::new(self.family, false);
        let unit = self.unit;
        let label = 0.7 * unit;
        let room = wide - 1.2 * unit;
        let (labelled, beside) = match cell.labelling {
            Labelling::Bare => (0.0, 0.0),
            Labelling::Beside => {
                let text = format!("{}{}", cell.label, if cell.label.ends_with(':') { "" } else { ":" });
                (0.0, small.width(&text, label) + unit)
            }
            Labelling::Over | Labelling::Under => (1.6 * label, 0.0),
        };
        let under = if cell.below.is_empty() { 0.0 } else { 1.4 * unit };
        // A value that is too large for its cell is set smaller.
        let (mut size, mut lines) = (cell.size, Vec::new());
        while size > 0.6 * unit {
            lines = wrap(cell.value, face, size, room - beside, room - beside);
            let widest = lines.iter().map(|line| face.width(line, size)).fold(0.0, f32::max);
            if widest <= room - beside && lines.len() as f32 * 1.25 * size + under + labelled <= high - 0.5 * unit {
                break;
            }
            size *= 0.9;
        }
        let block = lines.len() as f32 * 1.25 * size + under;
        let free = (high - labelled - block) / 2.0;
        let mut baseline =
            v + high - free - 0.95 * size - if cell.labelling == Labelling::Over { labelled } else { 0.0 };
        let first = baseline;
        for line in &lines {
            self.text(u + 0.6 * unit + beside, baseline, face, size, line);
            baseline -= 1.25 * size;
        }
        if under > 0.0 {
            self.text(u + 0.6 * unit + beside, baseline + 0.2 * size - 0.2 * unit, small, unit, cell.below);
        }
        match cell.labelling {
            Labelling::Over => self.text(u + 0.3 * unit, v + high - 1.1 * label, small, label, cell.label),
            Labelling::Under => self.text(u + 0.3 * unit, v + 0.5 * label, small, label, cell.label),
            Labelling::Beside => {
                let text = format!("{}{}", cell.label, if cell.label.ends_with(':') { "" } else { ":" });
                self.text(u + 0.4 * unit, first, small, label, &text);
            }
            Labelling::Bare => {}
        }
    }

    /// Draws cells of a depth in a row between two lengths, each as long as its share.
    fn row(&mut self, cells: &[&Cell<'_>], (from, to): (f32, f32), depth: f32) {
        let total: f32 = cells.iter().map(|cell| cell.share).sum();
        let mut at = from;
        for cell in cells {
            let part = (to - from) * cell.share / total;
            self.cell(cell, (at, 0.0, part, depth));
            at += part;
        }
    }
}

/// Draws the title block. Returns the rectangle that is left for the drawing: x, y, width, height.
pub(super) fn draw(page: &mut Page, style: &Style, labels: &Labels, entries: &Entries<'_>) -> (f32, f32, f32, f32) {
    let (width, height) = (page.width, page.height);
    // The size of small print: 9 pt on ARCH D, 5 pt at least.
    let unit = (height / 190.0).max(5.0);
    let margin = 3.0 * unit;
    let (length, depth, origin, upward) = match style.block {
        Block::RightUpright => (height - 2.0 * margin, 26.0 * unit, (width - margin - 26.0 * unit, margin), false),
        Block::RightTurned | Block::RightAllTurned => {
            (height - 2.0 * margin, 20.0 * unit, (width - margin, margin), true)
        }
        Block::Bottom => (width - 2.0 * margin, 17.0 * unit, (margin, margin), false),
        Block::Corner => (66.0 * unit, 34.0 * unit, (width - margin - 66.0 * unit, margin), false),
    };
    frame(page, (margin, margin, width - 2.0 * margin, height - 2.0 * margin));
    let rest = match style.block {
        Block::RightUpright | Block::RightTurned | Block::RightAllTurned => {
            (margin, margin, width - 2.0 * margin - depth, height - 2.0 * margin)
        }
        Block::Bottom | Block::Corner => (margin, margin + depth, width - 2.0 * margin, height - 2.0 * margin - depth),
    };
    let project = entries.project;
    let number = entries
        .total
        .as_ref()
        .map_or_else(|| entries.number.to_owned(), |total| format!("{} / {total}", entries.number));
    let number = entries.revision.map_or(number.clone(), |revision| format!("{number} {revision}"));
    let scaled = format!("{} 1:100", labels.scale.trim_end_matches(':'));
    let title_size = 2.0 * unit;
    let project_size = if style.project_larger > 0 { 2.8 * unit } else { 1.6 * unit };
    let title = Cell {
        label: labels.title,
        value: entries.title,
        size: title_size,
        bold: true,
        share: 0.15,
        labelling: style.labelling,
        below: if style.title_scaled > 0 { &scaled } else { "" },
    };
    let number = Cell {
        label: labels.number,
        value: &number,
        size: 4.0 * unit,
        bold: true,
        share: 0.12,
        labelling: style.labelling,
        below: "",
    };
    let name = Cell {
        label: labels.project,
        value: &project.name,
        size: project_size,
        bold: style.project_larger > 0,
        share: 0.18,
        labelling: style.labelling,
        below: "",
    };
    let fields = [
        (labels.date, project.date.as_str()),
        (labels.scale, labels.as_noted),
        (labels.drawn, project.drawn.as_str()),
        (labels.checked, project.checked.as_str()),
        (labels.job, project.job.as_str()),
        (labels.revision, "1"),
    ]
    .map(|(label, value)| Cell::field(label, value, unit, style));
    let firm = Cell {
        label: "",
        value: &project.firm,
        size: 2.4 * unit,
        bold: true,
        share: 0.16,
        labelling: Labelling::Bare,
        below: "",
    };
    let at_address = Cell {
        label: "",
        value: &project.firm_address,
        size: unit,
        bold: false,
        share: 0.09,
        labelling: Labelling::Bare,
        below: "",
    };
    let client = Cell { share: 0.1, ..Cell::field(labels.client, &project.client, unit, style) };
    let place = Cell {
        label: "",
        value: &project.address,
        size: 1.2 * unit,
        bold: false,
        share: 0.1,
        labelling: Labelling::Bare,
        below: "",
    };
    let family = style.family;

    if style.block == Block::Corner {
        // Rows from the top: firm and client, project, fields, title, number.
        let mut area = Area { page, origin, upward, family, unit };
        let half = length / 2.0;
        area.cell(&firm, (0.0, 28.0 * unit, half, 6.0 * unit));
        area.cell(&client, (half, 28.0 * unit, half, 6.0 * unit));
        area.cell(&name, (0.0, 20.0 * unit, half, 8.0 * unit));
        area.cell(&place, (half, 20.0 * unit, half, 8.0 * unit));
        let each = length / fields.len() as f32;
        for (index, field) in fields.iter().enumerate() {
            area.cell(field, (index as f32 * each, 16.0 * unit, each, 4.0 * unit));
        }
        let (upper, lower) = if style.title_last > 0 { (&number, &title) } else { (&title, &number) };
        area.cell(upper, (0.0, 8.0 * unit, length, 8.0 * unit));
        area.cell(lower, (0.0, 0.0, length, 8.0 * unit));
        return rest;
    }

    let (last, before) = if style.title_last > 0 { (&title, &number) } else { (&number, &title) };
    match style.block {
        Block::RightUpright => {
            // From the top down; small fields two in a row.
            let mut area = Area { page, origin, upward, family, unit };
            let mut top = length;
            for (cell, units) in [(&firm, 12.0), (&at_address, 9.0), (&client, 9.0), (&name, 16.0), (&place, 8.0)] {
                top -= units * unit;
                area.cell(cell, (0.0, top, depth, units * unit));
            }
            // The table of revisions hangs from the top, the other cells rise from the bottom.
            revisions(&mut area, labels, top, depth);
            let (title_high, number_high) = (16.0 * unit, 11.0 * unit);
            let (low, high) = if style.title_last > 0 { (title_high, number_high) } else { (number_high, title_high) };
            area.cell(last, (0.0, 0.0, depth, low));
            let fields_at = if style.title_last > 0 { low + high } else { low };
            let before_at = if style.title_last > 0 { low } else { low + 12.0 * unit };
            area.cell(before, (0.0, before_at, depth, high));
            for (index, field) in fields.iter().enumerate() {
                let (column, row) = (index % 2, index / 2);
                let at = (column as f32 * depth / 2.0, fields_at + row as f32 * 4.0 * unit, depth / 2.0, 4.0 * unit);
                area.cell(field, at);
            }
        }
        Block::RightTurned => {
            let foot = 12.0 * unit;
            let mut area = Area { page, origin: (origin.0, origin.1 + foot), upward, family, unit };
            area.row(&[&firm, &at_address, &client, &name, &place], (0.0, 0.62 * (length - foot)), depth);
            let mut upright = Area { page, origin: (origin.0 - depth, origin.1), upward: false, family, unit };
            upright.cell(&number, (0.0, 0.0, depth, foot));
            upright.cell(&title, (0.0, 0.62 * (length - foot) + foot, depth, 16.0 * unit));
            for (index, field) in fields.iter().enumerate() {
                let at = 0.62 * (length - foot) + foot + 16.0 * unit + index as f32 * 4.0 * unit;
                upright.cell(field, (0.0, at, depth, 4.0 * unit));
            }
        }
        _ => {
            let mut area = Area { page, origin, upward, family, unit };
            let main = 0.66 * length;
            area.row(&[&firm, &at_address, &client, &name, &place], (0.0, main), depth);
            let field_wide = 0.08 * length;
            let each = depth / 6.0;
            for (index, field) in fields.iter().enumerate() {
                area.cell(field, (main, index as f32 * each, field_wide, each));
            }
            area.row(&[before, last], (main + field_wide, length), depth);
        }
    }
    rest
}

fn frame(page: &mut Page, (x, y, wide, high): (f32, f32, f32, f32)) {
    let corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)];
    for at in 0..4 {
        page.stroke(corners[at], corners[(at + 1) % 4], 1.4);
    }
}

/// Draws a table of revisions with headers below `top`.
fn revisions(area: &mut Area<'_>, labels: &Labels, top: f32, depth: f32) {
    let (face, unit) = (Face::new(area.family, false), area.unit);
    let rows = [(labels.revision, labels.date), ("1", "03/14/2025"), ("2", "05/02/2025"), ("3", "06/20/2025")];
    for (index, (number, date)) in rows.iter().enumerate() {
        let v = top - (index as f32 + 2.0) * 2.0 * unit;
        area.frame(0.0, v - 0.5 * unit, depth, 2.0 * unit);
        area.text(0.5 * unit, v, face, 0.8 * unit, number);
        area.text(8.0 * unit, v, face, 0.8 * unit, date);
    }
}
