//! Signs that OCR does not read: dots, dashes and ditto marks, recognised by the boxes of their strokes.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

/// A connected component of a cell's foreground. Coordinates in points from the upper left corner of the cell.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) bbox: Rect,
    /// The share of the box that is foreground.
    pub(super) filled: f32,
}

impl Shape {
    pub(super) fn width(&self) -> f32 {
        self.bbox.x2 - self.bbox.x1
    }

    pub(super) fn height(&self) -> f32 {
        self.bbox.y2 - self.bbox.y1
    }

    /// Returns the area of its foreground in square points.
    fn area(&self) -> f32 {
        self.filled * self.width() * self.height()
    }
}

/// What a sign is recognised by.
pub(super) struct SignInput<'a> {
    /// The cell's components.
    pub(super) shapes: &'a [Shape],
    /// The height of the cell in points.
    pub(super) cell_height: f32,
    /// The usual height of the letters in the table, in points.
    pub(super) letter_height: f32,
    /// Whether the table was drawn on paper.
    pub(super) scanned: bool,
}

/// The share of a cell's height between which the middle of a sign is located. This and the other limits of this file
/// were chosen by hand on synthetic schedules.
const MIDDLE: std::ops::RangeInclusive<f32> = 0.15..=0.85;

/// Maximum length of a dash, in points.
const MAX_DASH_LENGTH: f32 = 40.0;
/// Maximum length of a short dash, in points: a longer one is an em dash.
const MAX_SHORT_DASH: f32 = 9.0;
/// Maximum height of a dash, in points.
const MAX_DASH_HEIGHT: f32 = 3.0;
/// Maximum height of a slanted dash, which is at least three times as long as high, in points.
const MAX_SLANTED_DASH_HEIGHT: f32 = 4.2;
/// Minimum ratio of a dash's length and height.
const MIN_DASH_ASPECT: f32 = 2.2;
/// Maximum gap between two pieces of a dash, in points.
const MAX_DASH_GAP: f32 = 2.4;

/// The most that may be beside a dash on paper: shares of its area, and a height in points.
struct DirtLimits {
    /// The area of one component.
    area: f32,
    /// The area of all components.
    total_area: f32,
    height: f32,
}

const DASH_DIRT: DirtLimits = DirtLimits { area: 0.34, total_area: 0.75, height: 2.5 };
const NO_DIRT: DirtLimits = DirtLimits { area: 0.0, total_area: 0.0, height: 0.0 };

/// Minimum height of ditto marks, in points.
const MIN_DITTO_HEIGHT: f32 = 1.2;
/// Maximum height of ditto marks, in points.
const MAX_DITTO_HEIGHT: f32 = 5.0;
/// Maximum height of ditto marks, as a share of the letters' height.
const MAX_DITTO_LETTER_SHARE: f32 = 0.75;
/// Maximum width of a pair of strokes, in points.
const MAX_DITTO_WIDTH: f32 = 7.0;
/// Maximum gap between the strokes of a pair, in points.
const MAX_DITTO_GAP: f32 = 2.5;
/// A component on paper that is lower than this is a speck if it is narrow as well, in points.
const SPECK_HEIGHT: f32 = 1.7;
/// Maximum width of a speck, in points.
const SPECK_WIDTH: f32 = 2.6;
/// On paper, a pair with less than this share of the largest one's area is dirt.
const MIN_DITTO_AREA_SHARE: f32 = 0.3;

/// Strokes that are close enough for one pair of ditto marks.
struct StrokeGroup<'a> {
    bbox: Rect,
    strokes: Vec<&'a Shape>,
}

impl StrokeGroup<'_> {
    fn area(&self) -> f32 {
        self.strokes.iter().map(|stroke| stroke.area()).sum()
    }
}

impl SignInput<'_> {
    /// Returns the sign that the components are: "●", "-", "—", or one `"` for each pair of ditto marks.
    pub(super) fn sign(&self) -> Option<String> {
        let bbox = self.shapes.iter().map(|shape| shape.bbox).reduce(|a, b| a.union(&b))?;
        let middle = f32::midpoint(bbox.y1, bbox.y2);
        let is_in_middle = middle >= MIDDLE.start() * self.cell_height && middle <= MIDDLE.end() * self.cell_height;
        if !is_in_middle || self.cell_height < self.letter_height.min(MAX_DITTO_WIDTH) {
            return None;
        }
        self.dot().or_else(|| self.dash()).or_else(|| self.ditto_marks())
    }

    /// Returns a dot if the only component is round and full.
    fn dot(&self) -> Option<String> {
        let [dot] = self.shapes else { return None };
        let (width, height) = (dot.width(), dot.height());
        let is_round = width <= 1.3 * height && height <= 1.3 * width;
        (is_round && dot.filled > 0.68 && width >= 2.0).then(|| "●".to_owned())
    }

    /// Returns a dash if there is one flat stroke, perhaps in pieces, with hardly anything beside it.
    fn dash(&self) -> Option<String> {
        let mut flat: Vec<&Shape> = self.shapes.iter().filter(|shape| shape.filled > 0.25).collect();
        flat.sort_by(|a, b| b.area().total_cmp(&a.area()));
        let mut dash = flat.first()?.bbox;
        let mut area = 0.0;
        // Pieces on one line, whichever comes first.
        for _ in 0..flat.len() {
            let (own, rest): (Vec<&Shape>, Vec<&Shape>) =
                flat.into_iter().partition(|shape| continues_dash(&dash, &shape.bbox));
            flat = rest;
            if own.is_empty() {
                break;
            }
            area += own.iter().map(|shape| shape.area()).sum::<f32>();
            dash = own.iter().map(|shape| shape.bbox).fold(dash, |a, b| a.union(&b));
        }
        let (width, height) = (dash.x2 - dash.x1, dash.y2 - dash.y1);
        let is_horizontal = height <= MAX_DASH_HEIGHT || (height <= MAX_SLANTED_DASH_HEIGHT && width >= 3.0 * height);
        if !is_horizontal || width < MIN_DASH_ASPECT * height || width > MAX_DASH_LENGTH {
            return None;
        }
        let is_inside =
            |shape: &&Shape| shape.bbox.x1 >= dash.x1 && shape.bbox.x2 <= dash.x2 && shape.bbox.y1 >= dash.y1;
        let beside: Vec<&Shape> = self.shapes.iter().filter(|shape| !is_inside(shape)).collect();
        let limits = if self.scanned { DASH_DIRT } else { NO_DIRT };
        let is_slight =
            beside.iter().all(|shape| shape.area() <= limits.area * area && shape.height() <= limits.height);
        let total: f32 = beside.iter().map(|shape| shape.area()).sum();
        let is_clean = is_slight && total <= limits.total_area * area;
        is_clean.then(|| if width > MAX_SHORT_DASH { "—" } else { "-" }.to_owned())
    }

    /// Returns ditto marks if all components are pairs of small vertical strokes. Drawn by hand, the strokes of a pair may
    /// touch or consist of pieces.
    fn ditto_marks(&self) -> Option<String> {
        let mut pairs = self.stroke_groups();
        let largest = pairs.iter().map(StrokeGroup::area).fold(0.0, f32::max);
        pairs.retain(|pair| {
            !pair.strokes.iter().all(|stroke| self.is_speck(stroke))
                && (!self.scanned || pair.area() >= MIN_DITTO_AREA_SHARE * largest)
        });
        let are_pairs = !pairs.is_empty() && pairs.iter().all(|pair| self.is_ditto_pair(pair));
        are_pairs.then(|| vec!["\""; pairs.len()].join(" "))
    }

    /// Groups the components from left to right, each with the first group that it is close to.
    fn stroke_groups(&self) -> Vec<StrokeGroup<'_>> {
        let mut strokes: Vec<&Shape> = self.shapes.iter().collect();
        strokes.sort_by(|a, b| a.bbox.x1.total_cmp(&b.bbox.x1));
        let mut groups: Vec<StrokeGroup<'_>> = Vec::new();
        for stroke in strokes {
            match groups.iter_mut().find(|group| is_beside(&group.bbox, &stroke.bbox)) {
                Some(group) => {
                    group.bbox = group.bbox.union(&stroke.bbox);
                    group.strokes.push(stroke);
                }
                None => groups.push(StrokeGroup { bbox: stroke.bbox, strokes: vec![stroke] }),
            }
        }
        groups
    }

    fn is_speck(&self, shape: &Shape) -> bool {
        self.scanned && shape.height() < SPECK_HEIGHT && shape.width() <= SPECK_WIDTH
    }

    fn is_ditto_pair(&self, pair: &StrokeGroup<'_>) -> bool {
        let (width, height) = (pair.bbox.x2 - pair.bbox.x1, pair.bbox.y2 - pair.bbox.y1);
        let max_height = MAX_DITTO_HEIGHT.min(MAX_DITTO_LETTER_SHARE * self.letter_height);
        let is_vertical = |shape: &&Shape| shape.height() >= shape.width() && shape.filled > 0.3;
        let has_form = if self.scanned {
            width <= 1.6 * height
        } else {
            pair.strokes.len() == 2 && pair.strokes.iter().all(is_vertical)
        };
        (MIN_DITTO_HEIGHT..=max_height).contains(&height) && width <= MAX_DITTO_WIDTH && has_form
    }
}

/// Returns whether a box continues a dash: close to it and at about the same height.
fn continues_dash(dash: &Rect, bbox: &Rect) -> bool {
    let gap = (bbox.x1 - dash.x2).max(dash.x1 - bbox.x2);
    let offset = f32::midpoint(bbox.y1, bbox.y2) - f32::midpoint(dash.y1, dash.y2);
    gap <= MAX_DASH_GAP && offset.abs() <= MAX_DASH_GAP / 2.0
}

/// Returns whether a stroke is close enough to a group to its left.
fn is_beside(group: &Rect, stroke: &Rect) -> bool {
    let vertical_gap = (stroke.y1 - group.y2).max(group.y1 - stroke.y2);
    stroke.x1 - group.x2 <= MAX_DITTO_GAP && vertical_gap <= MAX_DITTO_GAP
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A component that fills its box.
    fn shape(x1: f32, y1: f32, x2: f32, y2: f32) -> Shape {
        Shape { bbox: Rect { x1, y1, x2, y2 }, filled: 0.9 }
    }

    /// The sign in a cell of 18 points whose table has letters of 6 points.
    fn sign(shapes: &[Shape], scanned: bool) -> Option<String> {
        SignInput { shapes, cell_height: 18.0, letter_height: 6.0, scanned }.sign()
    }

    #[test]
    fn a_round_full_component_is_a_dot() {
        assert_eq!(sign(&[shape(10.0, 7.0, 13.0, 10.0)], false).as_deref(), Some("●"));
    }

    #[test]
    fn a_flat_component_is_a_dash_of_its_length() {
        assert_eq!(sign(&[shape(10.0, 8.5, 14.0, 9.5)], false).as_deref(), Some("-"));
        assert_eq!(sign(&[shape(10.0, 8.5, 26.0, 9.5)], false).as_deref(), Some("—"));
    }

    #[test]
    fn pieces_of_a_dash_are_one_dash() {
        let pieces = [shape(10.0, 8.5, 14.0, 9.5), shape(15.5, 8.7, 20.0, 9.7)];
        assert_eq!(sign(&pieces, true).as_deref(), Some("—"));
    }

    #[test]
    fn dirt_beside_a_dash_is_tolerated_on_paper_only() {
        let shapes = [shape(10.0, 8.5, 18.0, 9.5), shape(40.0, 4.0, 41.0, 5.0)];
        assert_eq!(sign(&shapes, true).as_deref(), Some("-"));
        assert_eq!(sign(&shapes, false), None);
    }

    #[test]
    fn two_small_vertical_strokes_are_a_ditto_mark() {
        let pair = [shape(10.0, 7.0, 11.0, 10.0), shape(12.0, 7.0, 13.0, 10.0)];
        assert_eq!(sign(&pair, false).as_deref(), Some("\""));
    }

    #[test]
    fn strokes_as_high_as_letters_are_no_ditto_mark() {
        let pair = [shape(10.0, 6.0, 11.0, 12.0), shape(12.0, 6.0, 13.0, 12.0)];
        assert_eq!(sign(&pair, false), None);
    }

    #[test]
    fn signs_at_the_edge_of_a_cell_do_not_count() {
        assert_eq!(sign(&[shape(10.0, 0.0, 18.0, 1.0)], false), None);
    }
}
