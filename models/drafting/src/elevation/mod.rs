//! Sheets of interior elevations, with their ground truth.
//!
//! A [`Style`] varies how the walls of rooms are drawn from inside. Their content is invented. The
//! sheets also have what is easily mistaken for elevations: enlarged plans, sections, exterior
//! elevations, door types, details, notes, tables.

mod canvas;
mod elsewhere;
mod furnished;
mod interior;
mod others;
mod style;
mod wording;

use serde::{Deserialize, Serialize};

pub use style::{DrawnAt, Naming, Other, Outline, Style, TitleMark, TitlePlace, Tongue, styles};

pub use crate::pdf::Family;

use crate::chance::Chance;
use crate::pdf::{Document, Face, Page, Producer, WritingOrder};
use canvas::{Canvas, Pen};
use interior::Wall;

/// The ground truth of a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The elevations in the order in which they were drawn.
    pub elevations: Vec<ElevationTruth>,
    /// The other parts of the sheet, in no particular order.
    pub regions: Vec<RegionTruth>,
}

/// The kind of a part of a sheet that is no interior elevation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RegionKind {
    /// A plan.
    Plan,
    /// The front of a building.
    ExteriorElevation,
    /// A section through a building.
    Section,
    /// A detail.
    Detail,
    /// Doors by type.
    OpeningTypes,
    /// A view's title with its mark and scale.
    Title,
    /// Lines of text: a list of notes, or a note beside a view.
    Notes,
    /// A ruled table, such as the title block.
    Table,
}

/// A part of a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionTruth {
    /// The kind of the part.
    pub kind: RegionKind,
    /// Its box, like [`ElevationTruth::bbox`].
    pub bbox: [f32; 4],
}

/// An interior elevation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElevationTruth {
    /// The title as printed; empty if there is only a mark.
    pub title: String,
    /// The box of the view with its dimensions, without its title and the notes beside it: left,
    /// bottom, right, top in user space of the unrotated page, in points.
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

/// The margin of the sheet, in points.
const MARGIN: f32 = 36.0;
/// The width of the title block as a share of the sheet's.
const BLOCK: f32 = 0.1;
/// The space for a title below or above a view, in points.
const TITLE: f32 = 52.0;
/// The space for a title beside a view, in points.
const BESIDE: f32 = 120.0;

/// A view to be drawn.
#[derive(Clone, Copy, Debug)]
enum View {
    Interior(Wall),
    Other(Other),
}

/// A view with its place in a row, and the space to the left and right of its floor, in points.
struct Placed {
    view: View,
    /// The left end of its floor.
    x: f32,
    /// The space to its left and right, notes and marks included.
    left: f32,
    right: f32,
    /// Its own size on paper.
    wide: f32,
    high: f32,
}

/// Generates a sheet. The same style and seed give the same bytes.
pub fn generate(style: &Style, seed: u64) -> SyntheticSheet {
    let mut chance = Chance::new(seed);
    let (width, height) = style.sheet;
    let mut page = Page { width, height, rotate: style.rotate, marks: Vec::new() };
    let mut pen = Pen {
        page: &mut page,
        face: Face::new(style.family, false),
        bold: Face::new(style.family, true),
        outlined: style.outlined,
    };
    let block = title_block(&mut pen, style);
    let mut truth = views(&mut pen, style, &mut chance);
    truth.regions.push(RegionTruth { kind: RegionKind::Table, bbox: block });
    let boxes = truth.elevations.iter_mut().map(|elevation| &mut elevation.bbox);
    for bbox in boxes.chain(truth.regions.iter_mut().map(|region| &mut region.bbox)) {
        *bbox = in_user_space(*bbox, style);
    }
    let producer = Producer {
        unit: style.unit,
        order: WritingOrder::Reading,
        embed_standard_fonts: false,
        unicode: true,
        origin: (0.0, 0.0),
    };
    let document = Document { title: "Interior elevations".to_owned(), pages: vec![page], outline: Vec::new() };
    SyntheticSheet { pdf: document.to_pdf(&producer), truth }
}

/// Converts a box of the displayed page to user space of the unrotated page.
fn in_user_space([x1, y1, x2, y2]: [f32; 4], style: &Style) -> [f32; 4] {
    let (w, h) = style.sheet;
    match style.rotate {
        90 => [h - y2, x1, h - y1, x2],
        180 => [w - x2, h - y2, w - x1, h - y1],
        270 => [y1, w - x2, y2, w - x1],
        _ => [x1, y1, x2, y2],
    }
}

/// Draws the sheet's frame and title block. Returns the box of the block.
fn title_block(pen: &mut Pen<'_>, style: &Style) -> [f32; 4] {
    let (width, height) = style.sheet;
    pen.rect([MARGIN, MARGIN, width - MARGIN, height - MARGIN], 1.6);
    let left = width * (1.0 - BLOCK);
    pen.line((left, MARGIN), (left, height - MARGIN), 1.6);
    let sheet = style.tongue.words().sheet[usize::from(!style.sheet_title)];
    let unit = height / 1728.0;
    let entries = [
        ("SHEET NO.", "A-501", 30.0),
        ("SHEET TITLE", sheet, 13.0),
        ("DATE", "03/04/25", 9.0),
        ("DRAWN BY", "JM", 9.0),
        ("CHECKED BY", "KL", 9.0),
        ("PROJECT NO.", "2417", 9.0),
        ("PROJECT", "RIVERBEND LIBRARY", 13.0),
    ];
    let mut y = MARGIN;
    let (face, bold) = (pen.face, pen.bold);
    for (label, value, size) in entries {
        let top = y + (3.2 * size + 14.0) * unit;
        pen.line((left, top), (width - MARGIN, top), 0.8);
        pen.text(left + 4.0 * unit, top - 9.0 * unit, face, 6.0 * unit, label);
        let room = BLOCK * width - MARGIN - 16.0 * unit;
        let fitting = (room / bold.width(value, 1.0)).min(size * unit);
        pen.text(left + 8.0 * unit, y + 8.0 * unit, bold, fitting, value);
        y = top;
    }
    [left, MARGIN, width - MARGIN, height - MARGIN]
}

/// Draws as many views as fit in rows, from the sheet's lower left corner.
fn views(pen: &mut Pen<'_>, style: &Style, chance: &mut Chance) -> Truth {
    let scale = style.scale.points_per_inch();
    let (width, height) = style.sheet;
    let field = [MARGIN + 30.0, MARGIN + 24.0, width * (1.0 - BLOCK) - 24.0, height - MARGIN - 24.0];
    let room = chance.between(8, 10) as f32 * 12.0;
    let mut waiting: Vec<View> = (0..style.views)
        .map(|index| {
            let high = if chance.percent(15) { room + 18.0 } else { room };
            View::Interior(Wall::nth(index, high, chance))
        })
        .collect();
    for (index, other) in style.others.iter().enumerate() {
        let at = if index % 2 == 0 { waiting.len() } else { 0 };
        waiting.insert(at, View::Other(*other));
    }
    waiting.reverse();

    let mut foot = field[1];
    let mut truth = Truth { elevations: Vec::new(), regions: Vec::new() };
    let mut counts = (0, 0);
    while let Some(row) = row(&mut waiting, style, scale, field) {
        let high = row.iter().map(|placed| placed.high).fold(0.0, f32::max);
        let (below, above) = match style.title {
            TitlePlace::Below | TitlePlace::Centred => (TITLE + 18.0, 34.0),
            TitlePlace::Above => (24.0, TITLE + 34.0),
            TitlePlace::Beside => (64.0, 34.0),
        };
        let floor = foot + below;
        if floor + high + above > field[3] {
            break;
        }
        for placed in &row {
            let mut canvas = Canvas::new(pen, (placed.x, floor), scale);
            let title = match placed.view {
                View::Interior(wall) => {
                    interior::draw(&mut canvas, wall, style, chance);
                    counts.0 += 1;
                    wording::interior(style.tongue, style.naming, counts.0 - 1, chance)
                }
                View::Other(other) => {
                    others::draw(&mut canvas, other, style, chance);
                    counts.1 += 1;
                    wording::other(style.tongue, other, style.naming, counts.1 - 1)
                }
            };
            let (hull, notes) = (canvas.hull, std::mem::take(&mut canvas.notes));
            let top = floor + high;
            let number = counts.0 + counts.1;
            let scaled = !matches!(placed.view, View::Other(Other::Notes | Other::Table));
            let titled = title_of(pen, style, placed, (floor, top), (number, &title), scaled);
            truth.regions.push(RegionTruth { kind: RegionKind::Title, bbox: titled });
            truth.regions.extend(notes.into_iter().map(|bbox| RegionTruth { kind: RegionKind::Notes, bbox }));
            match placed.view {
                View::Interior(_) => truth.elevations.push(ElevationTruth { title, bbox: hull }),
                View::Other(other) => truth.regions.push(RegionTruth { kind: region_kind(other), bbox: hull }),
            }
            if style.modules {
                let (left, right) = (placed.x - placed.left - 12.0, placed.x + placed.wide + placed.right + 12.0);
                pen.rect([left, foot + 4.0, right, top + above - 4.0], 0.7);
            }
        }
        foot = floor + high + above;
    }
    truth
}

/// Returns the kind of what a sheet shows beside interior elevations.
fn region_kind(other: Other) -> RegionKind {
    match other {
        Other::EnlargedPlan => RegionKind::Plan,
        Other::Exterior => RegionKind::ExteriorElevation,
        Other::Section => RegionKind::Section,
        Other::Detail => RegionKind::Detail,
        Other::DoorTypes => RegionKind::OpeningTypes,
        Other::Notes => RegionKind::Notes,
        Other::Table => RegionKind::Table,
    }
}

/// Returns the next row of views, those that fit side by side; `None` if none are left.
fn row(waiting: &mut Vec<View>, style: &Style, scale: f32, field: [f32; 4]) -> Option<Vec<Placed>> {
    let mut placed = Vec::new();
    let mut x = field[0];
    while let Some(view) = waiting.last().copied() {
        let (wide, high) = match view {
            View::Interior(wall) => (wall.wide * scale, wall.high * scale),
            View::Other(other) => {
                let (wide, high) = others::size(other, scale);
                (wide * scale, high * scale)
            }
        };
        let left = match (style.title, view) {
            (TitlePlace::Beside, _) => BESIDE,
            (_, View::Interior(_)) if style.furnished && style.leaders => 116.0,
            (_, View::Other(Other::Exterior)) => 60.0 * scale,
            _ => 34.0,
        };
        let right = match view {
            View::Interior(_) if style.leaders => 100.0,
            View::Interior(_) => 24.0,
            View::Other(Other::Exterior | Other::Section) => 72.0 * scale,
            View::Other(_) => 30.0,
        };
        if x + left + wide + right > field[2] {
            if placed.is_empty() {
                // A view wider than the sheet is left out.
                waiting.pop();
                continue;
            }
            break;
        }
        waiting.pop();
        placed.push(Placed { view, x: x + left, left, right, wide, high });
        x += left + wide + right + style.gap;
    }
    (!placed.is_empty()).then_some(placed)
}

/// Draws the title of a view with its mark and scale. Returns its box.
fn title_of(
    pen: &mut Pen<'_>,
    style: &Style,
    placed: &Placed,
    (floor, top): (f32, f32),
    (number, title): (usize, &str),
    scaled: bool,
) -> [f32; 4] {
    let (face, bold) = (pen.face, pen.bold);
    let size = 11.0;
    let mark = match style.mark {
        TitleMark::Number => 26.0,
        TitleMark::Circle | TitleMark::SplitCircle => 30.0,
        TitleMark::Box => 34.0,
        TitleMark::Plain => 0.0,
    };
    let wide = mark + bold.width(title, size).max(40.0);
    let (x, y) = match style.title {
        TitlePlace::Below => (placed.x - 10.0, floor - 44.0),
        TitlePlace::Centred => (placed.x + (placed.wide - wide) / 2.0, floor - 44.0),
        TitlePlace::Above => (placed.x - 10.0, top + 48.0),
        TitlePlace::Beside => (placed.x - BESIDE + 4.0, floor + 20.0),
    };
    let number_text = number.to_string();
    let line = y - 4.0;
    match style.mark {
        TitleMark::Number => pen.text(x, y, bold, 18.0, &number_text),
        TitleMark::Circle => {
            pen.circle(x + 11.0, line, 11.0, 0.8);
            pen.centred(x + 11.0, line - 4.0, bold, 11.0, &number_text);
        }
        TitleMark::SplitCircle => {
            pen.circle(x + 11.0, line, 11.0, 0.8);
            pen.line((x, line), (x + 22.0, line), 0.5);
            pen.centred(x + 11.0, line + 2.0, bold, 8.0, &number_text);
            pen.centred(x + 11.0, line - 8.0, face, 5.5, "A-101");
        }
        TitleMark::Box => {
            pen.rect([x, line - 9.0, x + 24.0, line + 13.0], 0.8);
            let letter = char::from(b'A' + (number % 4) as u8);
            pen.centred(x + 12.0, line - 3.0, bold, 11.0, &format!("{}{letter}", number / 4 + 1));
        }
        TitleMark::Plain => {}
    }
    let note = format!("{} {}", style.tongue.words().scale, style.scale.note());
    let (mut note_x, mut under, mut end) = (x + mark, 0.0, x + wide);
    if matches!(style.title, TitlePlace::Beside) {
        for (index, words) in crate::pdf::wrap(title, bold, 8.0, 58.0, 58.0).iter().enumerate() {
            pen.text(x + mark, y - 9.0 * index as f32, bold, 8.0, words);
            under = 9.0 * index as f32;
        }
        end = x + mark + 58.0;
    } else {
        pen.text(x + mark, y, bold, size, title);
        let right = if style.long_lines { (x + wide + 14.0).max(placed.x + placed.wide) } else { x + wide + 14.0 };
        note_x = if style.long_lines { right - face.width(&note, 6.5) } else { note_x };
        if style.mark != TitleMark::Box {
            pen.line((x + mark - 6.0, line), (right, line), 1.0);
            end = right;
        }
    }
    let low = line - 11.0 - under;
    if style.scale_noted && scaled {
        end = end.max(note_x + face.width(&note, 6.5));
        pen.text(note_x, line - 9.0 - under, face, 6.5, &note);
    }
    [x, low, end, y + 12.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_office_drafts_what_its_truth_says() {
        for (name, style) in styles() {
            let drafted = generate(&style, 1);
            assert_eq!(drafted.pdf, generate(&style, 1).pdf, "{name}: the same seed, the same bytes");
            let (width, height) = style.sheet;
            let long = width.max(height);
            assert_eq!(drafted.truth.elevations.is_empty(), style.views == 0, "{name}");
            for elevation in &drafted.truth.elevations {
                let [x1, y1, x2, y2] = elevation.bbox;
                assert!(
                    x1 >= 0.0 && y1 >= 0.0 && x1 < x2 && y1 < y2 && x2 <= long && y2 <= long,
                    "{name}: {elevation:?}"
                );
            }
        }
    }

    #[test]
    fn truth_lies_where_the_page_is_drawn_whichever_way_it_is_turned() {
        let plain = Style::default();
        let upright = generate(&plain, 1).truth.elevations;
        let (w, h) = plain.sheet;
        for (rotate, turned) in [
            (90, (|[x1, y1, x2, y2], _, h| [h - y2, x1, h - y1, x2]) as fn([f32; 4], f32, f32) -> [f32; 4]),
            (180, |[x1, y1, x2, y2], w, h| [w - x2, h - y2, w - x1, h - y1]),
            (270, |[x1, y1, x2, y2], w, _| [y1, w - x2, y2, w - x1]),
        ] {
            let found = generate(&Style { rotate, ..plain.clone() }, 1).truth.elevations;
            for (elevation, upright) in found.iter().zip(&upright) {
                assert_eq!(elevation.bbox, turned(upright.bbox, w, h), "{rotate}");
            }
        }
    }
}
