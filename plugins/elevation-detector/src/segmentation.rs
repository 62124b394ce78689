//! The view segmentation of a scanned sheet, in the sheet's frame.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;
use fanlight_sheet::parts::{Border, MAX_TITLES, Phrases, Title, ViewKind};
use fanlight_sheet::view_segmentation::{COLUMNS, Class, ROWS, SegmentationMap};

/// The classes of a sheet's cells.
#[derive(Clone, Debug)]
pub(crate) struct Segmentation {
    map: SegmentationMap,
    /// Side of a cell in points.
    cell: f32,
}

/// Ink belongs to a view if the summed likelihood of the view classes is at least this.
const OF_A_VIEW: f32 = 0.3;
/// A cell belongs to a title if the likelihood of that is at least this.
const TITLE: f32 = 0.5;
/// Cells of titles at most this far apart along a line are one title: a mark has a gap to the name.
const TITLE_GAP: usize = 3;
/// Distance in heights of a title, above or below it, within which another title belongs to the same view.
const ASIDE: f32 = 1.5;
/// Least cells of a title.
const FEWEST_CELLS: usize = 6;

impl Segmentation {
    /// Creates the segmentation of a raster with `points_a_pixel`.
    pub(crate) fn new(map: SegmentationMap, points_a_pixel: f32) -> Self {
        let cell = map.cell_side() * points_a_pixel;
        Self { map, cell: cell.max(f32::MIN_POSITIVE) }
    }

    fn cell_at(&self, x: f32, y: f32) -> Option<(usize, usize)> {
        let (column, row) = (x / self.cell, y / self.cell);
        (column >= 0.0 && row >= 0.0 && column < COLUMNS as f32 && row < ROWS as f32)
            .then_some((column as usize, row as usize))
    }

    /// Whether what is drawn at a place belongs to a view.
    pub(crate) fn is_of_a_view(&self, x: f32, y: f32) -> bool {
        self.cell_at(x, y).is_some_and(|(column, row)| {
            let likely = |class| self.map.likelihood(column, row, class);
            likely(Class::Interior) + likely(Class::OtherView) >= OF_A_VIEW
        })
    }

    /// Returns the most likely class of a place.
    pub(crate) fn class_at(&self, x: f32, y: f32) -> Class {
        self.cell_at(x, y).map_or(Class::Nothing, |(column, row)| self.map.likeliest(column, row))
    }

    /// Returns the share of a box's likelihood of drawings that is for interior elevations.
    pub(crate) fn interior(&self, bbox: Rect) -> f32 {
        let (mut interior, mut all) = (0.0, 0.0);
        for (column, row) in self.cells(bbox) {
            let likely = |class| self.map.likelihood(column, row, class);
            interior += likely(Class::Interior);
            all += likely(Class::Interior) + likely(Class::OtherView) + likely(Class::Table);
        }
        if all > 0.0 { interior / all } else { 0.0 }
    }

    fn cells(&self, bbox: Rect) -> impl Iterator<Item = (usize, usize)> {
        let place = |value: f32| (value / self.cell).max(0.0) as usize;
        let rows = place(bbox.y1)..=place(bbox.y2).min(ROWS - 1);
        let (left, right) = (place(bbox.x1), place(bbox.x2).min(COLUMNS - 1));
        rows.flat_map(move |row| (left..=right).map(move |column| (column, row)))
    }

    /// Adds the segmented titles that were not read, within the border. Text that was read there, even in part, gives the kind.
    pub(crate) fn add_titles(&self, titles: &mut Vec<Title>, phrases: &Phrases, border: &Border) {
        for bbox in self.titles() {
            let (x, y) = bbox.center();
            // What stands right over or under a title that was read belongs to it.
            let known = titles.iter().any(|title| {
                let own = title.bbox.expanded(0.0, ASIDE * (title.bbox.y2 - title.bbox.y1));
                own.x1 < bbox.x2 && bbox.x1 < own.x2 && own.y1 < bbox.y2 && bbox.y1 < own.y2
            });
            if !known && titles.len() < MAX_TITLES && border.holds(x, y) {
                let mut read = phrases.all.iter().filter(|phrase| {
                    let (x, y) = phrase.bbox.center();
                    bbox.contains_point(x, y)
                });
                let words: Vec<&str> = read.clone().map(|phrase| phrase.text.as_str()).collect();
                let scale = read.find_map(|phrase| phrase.note.as_ref()?.scale);
                titles.push(Title {
                    bbox,
                    kind: ViewKind::from_title(&words.join(" ")),
                    scale,
                    marked: true,
                    sure: true,
                });
            }
        }
    }

    /// Where titles are: cells of titles that hang together.
    fn titles(&self) -> Vec<Rect> {
        let mut open = vec![false; COLUMNS * ROWS];
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                open[row * COLUMNS + column] = self.map.likelihood(column, row, Class::Title) >= TITLE;
            }
        }
        let mut titles = Vec::new();
        for start in 0..open.len() {
            if !open[start] {
                continue;
            }
            open[start] = false;
            let mut waiting = vec![start];
            let (mut bbox, mut count) = (self.place_of(start), 0);
            while let Some(at) = waiting.pop() {
                bbox = bbox.union(&self.place_of(at));
                count += 1;
                let (column, row) = (at % COLUMNS, at / COLUMNS);
                for next_row in row.saturating_sub(1)..=(row + 1).min(ROWS - 1) {
                    for next in column.saturating_sub(TITLE_GAP)..=(column + TITLE_GAP).min(COLUMNS - 1) {
                        let next = next_row * COLUMNS + next;
                        if std::mem::take(&mut open[next]) {
                            waiting.push(next);
                        }
                    }
                }
            }
            if count >= FEWEST_CELLS {
                titles.push(bbox);
            }
        }
        titles
    }

    fn place_of(&self, index: usize) -> Rect {
        let (x, y) = ((index % COLUMNS) as f32 * self.cell, (index / COLUMNS) as f32 * self.cell);
        Rect { x1: x, y1: y, x2: x + self.cell, y2: y + self.cell }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_sheet::view_segmentation::{CLASSES, PLANES, SheetImage, WIDTH};

    /// A segmentation of a sheet of 1024 by 768 points in which boxes of cells have classes; left, top, right, bottom.
    fn segmentation(marks: &[(Class, [usize; 4])]) -> Segmentation {
        let mut outputs = vec![0.0; PLANES * ROWS * COLUMNS];
        outputs[..ROWS * COLUMNS].fill(5.0);
        for (class, [left, top, right, bottom]) in marks {
            let plane = CLASSES.iter().position(|known| known == class).unwrap() * ROWS * COLUMNS;
            for row in *top..*bottom {
                outputs[plane + row * COLUMNS + left..plane + row * COLUMNS + right].fill(10.0);
            }
        }
        let picture = SheetImage { pixels: &[], width: WIDTH, height: 768 };
        Segmentation::new(SegmentationMap::from_output(&outputs, &picture).unwrap(), 1.0)
    }

    #[test]
    fn a_mark_and_its_name_are_one_title() {
        let title = Class::Title;
        let found =
            segmentation(&[(title, [10, 50, 13, 54]), (title, [15, 51, 40, 53]), (title, [80, 50, 82, 51])]).titles();
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].x1, found[0].y1, found[0].x2, found[0].y2), (40.0, 200.0, 160.0, 216.0));
    }

    #[test]
    fn a_box_is_scored_by_the_classes_of_its_cells() {
        let segmentation = segmentation(&[(Class::Interior, [10, 10, 40, 40]), (Class::OtherView, [60, 10, 90, 40])]);
        let at = |x1: f32, x2: f32| segmentation.interior(Rect { x1, y1: 40.0, x2, y2: 159.0 });
        assert!(at(40.0, 159.0) > 0.95 && at(240.0, 359.0) < 0.05);
        assert!((at(40.0, 359.0) - 0.5).abs() < 0.1, "{}", at(40.0, 359.0));
        assert!(
            segmentation.is_of_a_view(50.0, 50.0)
                && !segmentation.is_of_a_view(220.0, 50.0)
                && !segmentation.is_of_a_view(-1.0, 9e9)
        );
        assert_eq!(segmentation.class_at(300.0, 50.0), Class::OtherView);
        assert_eq!(segmentation.class_at(f32::NAN, 50.0), Class::Nothing);
    }
}
