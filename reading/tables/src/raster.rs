//! Finds the ruled tables of a scanned page by the rules in its image.

use fanlight_contract::{Geometry, Rect};
use fanlight_geometry::{Frame, RectExt as _, non_maximum_suppression};
use fanlight_raster::GreyImage;

use crate::grid::Grid;
use crate::rules::{Rule, Rules};
use crate::{cells, regions};

/// Resolution at which a page is searched for rules, in pixels per inch.
pub const LOOK_DPI: f32 = 150.0;

/// Minimum lengths of a horizontal and of a vertical rule, in points: longer than any stroke of lettering.
const LONGEST_STROKES: (f32, f32) = (48.0, 16.0);
/// Maximum length of a break in a rule, in points.
const BREAK: f32 = 2.4;
/// Minimum share of foreground among a rule's pixels.
const DENSE: f32 = 0.8;
/// A rule that stops at most this short of another one reaches it, in points: a hand lifts the pen early.
const REACH: f32 = 4.5;

/// How far a hand-drawn rule is off its place at most, in points.
const WAVER: f32 = 4.5;
/// Minimum number of cells of a table. Fewer are boxes.
const FEWEST_CELLS: usize = 6;
/// Maximum number of cells of an image.
const MOST_CELLS: usize = 8000;

/// Returns the ruled grids in the image of a page, without text, in the frame in which a viewer shows the page; and the skew by
/// which the image must be deskewed before their cells are cut out of it.
pub fn find_in_image(image: &GreyImage, dpi: f32, geometry: &Geometry) -> (Vec<Grid>, f32) {
    let skew = image.skew();
    let upright = if skew == 0.0 { image.clone() } else { image.deskewed(skew) };
    let foreground = upright.binarized();
    let scale = 72.0 / dpi;
    let horizontal = strokes(&foreground, upright.width, upright.height, false, LONGEST_STROKES.0 / scale, scale);
    let vertical = strokes(&foreground, upright.width, upright.height, true, LONGEST_STROKES.1 / scale, scale);
    let rules = Rules { horizontal, vertical, ..Rules::default() };
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    let all: Vec<Vec<Rect>> =
        cells::groups(&rules, REACH).iter().map(|group| group.iter().map(|face| face.bbox).collect()).collect();
    let paper = Paper { foreground: &foreground, width: upright.width, scale };
    let mut grids = Vec::new();
    for faces in adjoining(all) {
        for region in mended(regions::regions(&drawn_straight(&faces))) {
            if region.len() >= FEWEST_CELLS
                && let Some(mut grid) = Grid::of_faces(&parted(region, &paper), frame)
            {
                grid.fill_holes();
                grids.push(grid);
            }
        }
    }
    (grids, skew)
}

/// Groups of cells that lie beside or over each other: a rule drawn by hand parts what belongs together.
fn adjoining(groups: Vec<Vec<Rect>>) -> Vec<Vec<Rect>> {
    let mut joined: Vec<(Rect, Vec<Rect>)> = Vec::new();
    for faces in groups {
        let Some(mut bbox) = faces.iter().copied().reduce(|a, b| a.union(&b)) else { continue };
        let mut own = faces;
        loop {
            let touches = |other: &Rect| {
                other.x1 <= bbox.x2 + WAVER
                    && other.x2 >= bbox.x1 - WAVER
                    && other.y1 <= bbox.y2 + WAVER
                    && other.y2 >= bbox.y1 - WAVER
            };
            let Some(index) = joined.iter().position(|(other, _)| touches(other)) else { break };
            let (other, more) = joined.swap_remove(index);
            bbox = bbox.union(&other);
            own.extend(more);
        }
        joined.push((bbox, own));
    }
    joined.into_iter().map(|(_, faces)| faces).collect()
}

/// Cells with their borders where their neighbours have them. Cells that others lie in are left out: one of the rules
/// between these was broken.
fn drawn_straight(faces: &[Rect]) -> Vec<Rect> {
    let xs = regions::snapped_within(faces.iter().flat_map(|face| [face.x1, face.x2]), WAVER);
    let ys = regions::snapped_within(faces.iter().flat_map(|face| [face.y1, face.y2]), WAVER);
    let on = |values: &[f32], value: f32| values.get(regions::nearest(values, value)).copied().unwrap_or(value);
    let mut straight: Vec<Rect> = faces
        .iter()
        .map(|face| Rect { x1: on(&xs, face.x1), y1: on(&ys, face.y1), x2: on(&xs, face.x2), y2: on(&ys, face.y2) })
        .filter(|face| face.x2 > face.x1 && face.y2 > face.y1)
        .collect();
    straight.sort_by(|a, b| a.signed_area().total_cmp(&b.signed_area()));
    non_maximum_suppression(straight.into_iter().take(MOST_CELLS), |inner, face| face.contains(inner))
}

/// The foreground mask of a deskewed image.
struct Paper<'a> {
    foreground: &'a [bool],
    width: usize,
    /// Points a pixel.
    scale: f32,
}

/// Pieces of a border that are looked at one by one, in points: a hand's line wavers.
const PIECE: f32 = 12.0;
/// Fewer pieces can't tell a line from the stem of a letter.
const PIECES: usize = 6;
/// A border is a column's where one in so many rows has it.
const COLUMN: usize = 3;
/// A faint line's share of foreground in a piece, and the share of a border's pieces that have one.
const FAINT: (f32, f32) = (0.4, 0.75);

impl Paper<'_> {
    /// Whether a line is drawn from one point to another, faint and broken as it may be. One of the axes has both.
    fn has_line(&self, from: (f32, f32), to: (f32, f32)) -> bool {
        let upright = to.0 - from.0 < to.1 - from.1;
        let pixel = |points: f32| (points / self.scale).max(0.0) as usize;
        let (start, end) = if upright { (pixel(from.1), pixel(to.1)) } else { (pixel(from.0), pixel(to.0)) };
        let lane = pixel(if upright { from.0 } else { from.1 });
        let near = pixel(WAVER);
        let at = |along: usize, lane: usize| {
            let index = if upright { along * self.width + lane } else { lane * self.width + along };
            usize::from(self.foreground.get(index).copied().unwrap_or(false))
        };
        let pieces = (end.saturating_sub(start) / pixel(PIECE).max(1)).max(PIECES);
        let drawn = (0..pieces).filter(|piece| {
            let (from, to) = (start + (end - start) * piece / pieces, start + (end - start) * (piece + 1) / pieces);
            let inked = |lane: usize| (from..to).map(|along| at(along, lane).max(at(along, lane + 1))).sum::<usize>();
            let most = (lane.saturating_sub(near)..=lane + near).map(inked).max().unwrap_or(0);
            most as f32 >= FAINT.0 * (to - from).max(1) as f32
        });
        end > start && drawn.count() as f32 >= FAINT.1 * pieces as f32
    }
}

/// Cells parted along borders of their neighbours where a line is drawn that was too faint to close cells.
fn parted(faces: Vec<Rect>, paper: &Paper<'_>) -> Vec<Rect> {
    let rows = regions::snapped_within(faces.iter().flat_map(|face| [face.y1, face.y2]), WAVER);
    let borders = regions::snapped_within(faces.iter().flat_map(|face| [face.x1, face.x2]), WAVER);
    let begins = |x: &f32| faces.iter().filter(|face| (face.x1 - x).abs() <= WAVER).count();
    let columns: Vec<f32> = borders.into_iter().filter(|x| COLUMN * begins(x) >= rows.len()).collect();
    let mut parted = Vec::with_capacity(faces.len());
    let mut left = faces;
    while let Some(face) = left.pop() {
        let inside = |from: f32, to: f32| move |border: &&f32| **border > from + WAVER && **border < to - WAVER;
        let row = rows.iter().filter(inside(face.y1, face.y2));
        let row = row.copied().find(|&y| paper.has_line((face.x1, y), (face.x2, y)));
        if let Some(y) = row {
            left.extend([Rect { y2: y, ..face }, Rect { y1: y, ..face }]);
            continue;
        }
        let column = columns.iter().filter(inside(face.x1, face.x2));
        let column = column.copied().find(|&x| paper.has_line((x, face.y1), (x, face.y2)));
        match column {
            Some(x) => left.extend([Rect { x2: x, ..face }, Rect { x1: x, ..face }]),
            None => parted.push(face),
        }
    }
    parted
}

/// Regions that a broken rule parted: one lies in the other, or right below it with the same columns.
fn mended(regions: Vec<Vec<Rect>>) -> Vec<Vec<Rect>> {
    let mut whole: Vec<(Rect, Vec<f32>, Vec<Rect>)> = Vec::new();
    let mut sorted: Vec<(Rect, Vec<Rect>)> = regions
        .into_iter()
        .filter_map(|faces| Some((faces.iter().copied().reduce(|a, b| a.union(&b))?, faces)))
        .collect();
    sorted.sort_by(|a, b| b.0.signed_area().total_cmp(&a.0.signed_area()));
    for (bbox, faces) in sorted {
        let borders = regions::snapped(faces.iter().flat_map(|face| [face.x1, face.x2]));
        let belongs = |(other, columns, _): &(Rect, Vec<f32>, Vec<Rect>)| {
            let inside = bbox.x1 >= other.x1 - WAVER
                && bbox.x2 <= other.x2 + WAVER
                && bbox.y1 >= other.y1 - WAVER
                && bbox.y2 <= other.y2 + WAVER;
            let edges = (bbox.x1 - other.x1).abs() <= WAVER && (bbox.x2 - other.x2).abs() <= WAVER;
            let follows = (bbox.y1 - other.y2).abs() <= WAVER || (bbox.y2 - other.y1).abs() <= WAVER;
            let has = |x: f32| columns.get(regions::nearest(columns, x)).is_some_and(|own| (own - x).abs() <= WAVER);
            let shared = borders.iter().filter(|&&x| has(x)).count();
            inside || (edges && follows && 10 * shared >= 7 * borders.len())
        };
        match whole.iter_mut().find(|other| belongs(other)) {
            Some((other, columns, own)) => {
                *other = other.union(&bbox);
                *columns = regions::snapped(columns.iter().chain(&borders).copied());
                own.extend(faces);
            }
            None => whole.push((bbox, borders, faces)),
        }
    }
    whole.into_iter().map(|(_, _, faces)| drawn_straight(&faces)).collect()
}

/// Long strokes along an axis, as rules in points.
fn strokes(
    foreground: &[bool],
    width: usize,
    height: usize,
    upright: bool,
    longest_letter: f32,
    scale: f32,
) -> Vec<Rule> {
    let (lanes, length) = if upright { (width, height) } else { (height, width) };
    let at = |lane: usize, along: usize| {
        let index = if upright { along * width + lane } else { lane * width + along };
        foreground.get(index).copied().unwrap_or(false)
    };
    let breaks = (BREAK / scale).round() as usize;
    let mut pieces = Vec::new();
    for lane in 0..lanes {
        // A thin line wavers by a pixel.
        let near = |along: usize| at(lane, along) || (lane > 0 && at(lane - 1, along)) || at(lane + 1, along);
        let (mut start, mut last, mut inked, mut own) = (None, 0, 0_usize, 0_usize);
        for along in 0..=length {
            let here = along < length && near(along);
            if here {
                if start.is_none() {
                    start = Some(along);
                    (inked, own) = (0, 0);
                }
                last = along;
                inked += 1;
                own += usize::from(at(lane, along));
            } else if let Some(from) = start
                && (along == length || along - last > breaks)
            {
                let long = (last - from + 1) as f32;
                let is_rule = long >= longest_letter && inked as f32 >= DENSE * long && own as f32 >= 0.4 * long;
                if is_rule {
                    pieces.push(Rule {
                        at: (lane as f32 + 0.5) * scale,
                        from: from as f32 * scale,
                        to: (last + 1) as f32 * scale,
                    });
                }
                start = None;
            }
        }
    }
    crate::rules::gathered(pieces, longest_letter * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruled(width: usize, height: usize, skew: f32) -> GreyImage {
        let mut image = GreyImage { width, height, grey: vec![255; width * height] };
        let mut put = |x: f32, y: f32| {
            let (dx, dy) = (x - width as f32 / 2.0, y - height as f32 / 2.0);
            let (x, y) = (x - skew * dy, y + skew * dx);
            for off in 0..2 {
                let index = (y as usize + off) * width + x as usize;
                if let Some(pixel) = image.grey.get_mut(index) {
                    *pixel = 30;
                }
            }
        };
        for row in 0..6 {
            for x in 100..900 {
                put(x as f32, 100.0 + 60.0 * row as f32);
            }
        }
        for column in 0..5 {
            for y in 100..=400 {
                put(100.0 + 200.0 * column as f32, y as f32);
            }
        }
        image
    }

    #[test]
    fn a_ruled_image_is_a_grid_straight_or_skewed() {
        let sheet = Rect { x1: 0.0, y1: 0.0, x2: 480.0, y2: 240.0 };
        let geometry = Geometry { media_box: sheet, crop_box: sheet, rotation: 0, user_unit: 1.0 };
        for skew in [0.0, 0.008, -0.012] {
            let (grids, found) = find_in_image(&ruled(1000, 500, skew), 150.0, &geometry);
            assert!((found - skew).abs() < 0.0015, "{skew}: {found}");
            let sizes: Vec<(usize, usize)> = grids.iter().map(|grid| (grid.width(), grid.height())).collect();
            assert_eq!(sizes, [(4, 5)], "{skew}");
        }
    }
}
