//! Connected components of a cell's foreground: which are strokes of letters, and which are dirt or pieces of rules.

use fanlight_raster::{PixelBox, PixelComponent, components};

/// Maximum thickness of the strokes of rules and guide lines drawn by hand, in points. This and the next four limits were chosen
/// by hand on synthetic and real scans.
const MAX_RULE_WIDTH: f32 = 1.6;
/// A component with less than the square of this is a speck, in points.
const SPECK_SIDE: f32 = 0.6;
/// Minimum height of a letter, in points.
const MIN_LETTER_HEIGHT: f32 = 2.4;
/// A small component further than this from all letters is dirt, in points.
const MAX_LETTER_DISTANCE: f32 = 8.0;
/// The share of a cell's height, from its edges, in which hand-drawn rules may be.
const RIM_SHARE: f32 = 0.2;
/// A cell with at least this many letters has lettering.
const MIN_LETTERS: usize = 3;

/// Separates the strokes of one cell from dirt. Lengths in pixels.
pub(super) struct StrokeFilter {
    width: usize,
    height: usize,
    /// Pieces of rules are within this distance from the edges.
    edge: usize,
    /// Hand-drawn rules and guide lines are within this distance from the upper or lower edge.
    rim: usize,
    max_rule_width: usize,
    /// The number of pixels of the smallest mark.
    min_pixels: usize,
    /// The least height of a letter.
    letter: usize,
    far: usize,
}

impl StrokeFilter {
    /// Creates the filter of a cell of `width` by `height` pixels. `scale` is in pixels per point; `scanned` says whether the
    /// cell was drawn on paper.
    pub(super) fn new(width: usize, height: usize, edge: usize, scale: f32, scanned: bool) -> Self {
        let pixels = |points: f32| (points * scale) as usize;
        Self {
            width,
            height,
            edge,
            rim: if scanned { (height as f32 * RIM_SHARE) as usize } else { 0 },
            max_rule_width: pixels(MAX_RULE_WIDTH).max(1),
            min_pixels: (scale * SPECK_SIDE).powi(2).max(2.0) as usize,
            letter: pixels(MIN_LETTER_HEIGHT).max(2),
            far: if scanned { pixels(MAX_LETTER_DISTANCE) } else { usize::MAX },
        }
    }

    /// Returns the components of a cell's foreground mask that are strokes of letters and signs.
    pub(super) fn strokes(&self, foreground: &[bool]) -> Vec<PixelComponent> {
        let mut strokes = components(foreground, self.width);
        strokes.retain(|component| component.pixels >= self.min_pixels && !self.is_piece_of_rule(component));
        self.remove_frame(&mut strokes);
        self.keep_near_letters(&mut strokes);
        strokes
    }

    /// Returns whether a component is what is left of a rule: flat, small or cut off at an edge, or thin in the rim.
    fn is_piece_of_rule(&self, component: &PixelComponent) -> bool {
        let bbox = &component.bbox;
        let is_small = component.pixels < 4 * self.min_pixels;
        let is_in_rim = bbox.bottom < self.rim || bbox.top + self.rim >= self.height;
        let is_cut_off =
            bbox.left == 0 || bbox.top == 0 || bbox.right + 1 == self.width || bbox.bottom + 1 == self.height;
        (self.is_at_edge(bbox) && (is_flat(bbox) || is_small || (is_cut_off && self.rim > 0)))
            || (is_in_rim && bbox.height() <= self.max_rule_width && (bbox.width() >= 3 * bbox.height() || is_small))
    }

    fn is_at_edge(&self, bbox: &PixelBox) -> bool {
        bbox.right < self.edge
            || bbox.left + self.edge >= self.width
            || bbox.bottom < self.edge
            || bbox.top + self.edge >= self.height
    }

    /// In a cell with lettering, removes small components far from all letters.
    fn keep_near_letters(&self, strokes: &mut Vec<PixelComponent>) {
        let is_letter = |component: &PixelComponent| component.bbox.height() >= self.letter;
        let letters: Vec<PixelBox> = strokes.iter().filter(|own| is_letter(own)).map(|own| own.bbox).collect();
        if letters.len() < MIN_LETTERS {
            return;
        }
        strokes.retain(|own| is_letter(own) || letters.iter().any(|letter| own.bbox.distance(letter) <= self.far));
    }

    /// Removes the circle, box or hexagon around a mark: one component around all others, or one on either side where the
    /// edges of the cell cut it.
    fn remove_frame(&self, components: &mut Vec<PixelComponent>) {
        if components.len() < 2 || components.len() > MAX_FRAME_COMPONENTS {
            return;
        }
        components.sort_by_key(|component| component.bbox.left);
        let [left, inner @ .., right] = components.as_slice() else { return };
        let is_high = |bbox: &PixelBox| bbox.height() as f32 >= MIN_FRAME_HEIGHT * self.height as f32;
        let is_cut_in_two = is_high(&left.bbox)
            && is_high(&right.bbox)
            && frames(&left.bbox, inner, self.letter)
            && frames(&right.bbox, inner, self.letter);
        let others = &components[1..];
        let is_around = is_high(&left.bbox)
            && frames(&left.bbox, others, self.letter)
            && others.iter().all(|other| encloses(&left.bbox, &other.bbox))
            && MIN_BOX_PER_PIXEL * left.pixels < left.bbox.width() * left.bbox.height();
        if is_cut_in_two {
            components.pop();
        }
        if is_cut_in_two || is_around {
            components.remove(0);
        }
    }
}

/// Returns whether a box is at least four times as long as wide.
fn is_flat(bbox: &PixelBox) -> bool {
    let (width, height) = (bbox.width(), bbox.height());
    width.max(height) >= 4 * width.min(height)
}

/// Minimum height of a frame around a mark, as a share of the cell's. This and the other limits of frames were chosen by hand.
const MIN_FRAME_HEIGHT: f32 = 0.6;
/// Maximum height of each component inside a frame, as a share of the frame's.
const MAX_FRAMED_HEIGHT: f32 = 0.75;
/// Minimum height of the highest component inside a frame, as a share of the frame's.
const MIN_FRAMED_HEIGHT: f32 = 0.25;
/// Maximum number of components of a mark in a frame.
const MAX_FRAME_COMPONENTS: usize = 12;
/// Minimum area of a frame's box for each of its pixels.
const MIN_BOX_PER_PIXEL: usize = 3;

/// Returns whether `inner` components are low enough to be inside a frame, and one of them is high enough for a mark.
fn frames(frame: &PixelBox, inner: &[PixelComponent], min_mark: usize) -> bool {
    let frame_height = frame.height() as f32;
    let heights = || inner.iter().map(|own| own.bbox.height());
    let are_lower = heights().all(|height| height as f32 <= MAX_FRAMED_HEIGHT * frame_height);
    let has_mark = heights().any(|height| height as f32 >= MIN_FRAMED_HEIGHT * frame_height && height >= min_mark);
    are_lower && has_mark
}

/// Returns whether `inner` is within `outer`, to the right of whose left edge it begins.
fn encloses(outer: &PixelBox, inner: &PixelBox) -> bool {
    inner.right < outer.right && inner.top > outer.top && inner.bottom < outer.bottom
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The strokes of a cell drawn with "#" for foreground pixels, at one pixel per point.
    fn kept(rows: &[&str], edge: usize, scanned: bool) -> Vec<PixelComponent> {
        let (width, height) = (rows[0].len(), rows.len());
        let foreground: Vec<bool> = rows.iter().flat_map(|row| row.bytes()).map(|pixel| pixel == b'#').collect();
        StrokeFilter::new(width, height, edge, 1.0, scanned).strokes(&foreground)
    }

    #[test]
    fn single_pixels_are_specks() {
        assert!(kept(&[".....", "..#..", "....."], 0, false).is_empty());
    }

    #[test]
    fn flat_components_at_the_edge_are_pieces_of_rules() {
        let rows = ["########..", "..........", "...##.....", "...##.....", "..........", ".........."];
        let found = kept(&rows, 1, false);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].bbox.top, 2);
    }

    #[test]
    fn on_paper_a_mark_far_from_all_letters_is_dirt() {
        let mut rows = vec!["#.#.#......................"; 4];
        rows[0] = "#.#.#..................##..";
        assert_eq!(kept(&rows, 0, false).len(), 4);
        assert_eq!(kept(&rows, 0, true).len(), 3);
    }

    #[test]
    fn a_box_around_a_mark_is_removed() {
        let mut rows = vec!["#..........#"; 12];
        (rows[0], rows[11]) = ("############", "############");
        rows[4..8].fill("#...###....#");
        let found = kept(&rows, 0, false);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].bbox.width(), found[0].bbox.height()), (3, 4));
    }
}
