//! Describes the look of a glyph, whatever its size: a histogram of the directions of its edges in
//! each cell of a grid, as in histograms of oriented gradients (Dalal and Triggs, 2005).

use hayro::kurbo::{BezPath, PathEl, Point, Rect, Shape, flatten};

/// Pixels on each side of the square that a glyph is stretched to.
const SIDE: usize = 32;
/// Pixels on each side of the empty border around that square.
const BORDER: usize = 2;
/// Pixels on each side of the square with its border.
const FULL: usize = SIDE + 2 * BORDER;

/// Cells on each side of the square.
const CELLS: usize = 8;
/// Directions that edges are sorted into.
const DIRECTIONS: usize = 8;

/// The length of the feature vector.
pub(super) const FEATURES: usize = CELLS * CELLS * DIRECTIONS;

/// The largest extent of a glyph, in ems. Larger ones are ornaments, rules and damaged outlines.
const MAX_EXTENT: f64 = 4.0;

/// The greatest distance of a flattened curve from the curve, in ems.
const TOLERANCE: f64 = 0.002;

/// The most elements of an outline that is examined. A letter has some 50; a drawing has thousands
/// and is no letter.
const MAX_ELEMENTS: usize = 2_000;

/// The length of the rough feature vector: directions in a quarter of the cells.
const ROUGH: usize = FEATURES / 4;

/// The look and extent of a glyph.
pub(super) struct Look {
    /// In ems, y up, with the origin on the baseline.
    pub(super) bounds: Rect,
    /// The numbers of connected components, and of holes.
    pub(super) parts: u8,
    pub(super) holes: u8,
    /// Vectors of length 1.
    features: Box<[f32; FEATURES]>,
    rough: Box<[f32; ROUGH]>,
}

impl Look {
    /// Describes an outline in thousandths of the em; `None` if it draws nothing or is too complex
    /// or large for a letter.
    pub(super) fn from_outline(outline: &BezPath) -> Option<Self> {
        let drawn =
            outline.elements().iter().filter(|element| !matches!(element, PathEl::MoveTo(_) | PathEl::ClosePath));
        if !(1..=MAX_ELEMENTS).contains(&drawn.count()) {
            return None;
        }
        Self::from_part(outline, outline.bounding_box().scale_from_origin(0.001))
    }

    /// Like [`Look::from_outline`], for the part of the outline inside `bounds`, in ems.
    pub(super) fn from_part(outline: &BezPath, bounds: Rect) -> Option<Self> {
        let usable = [bounds.width(), bounds.height()].iter().all(|extent| (1e-3..MAX_EXTENT).contains(extent));
        if !usable {
            return None;
        }
        let pixels = paint(outline, bounds);
        let mut features = edges(&pixels);
        let mut rough = rough(&features);
        scale(&mut *features)?;
        scale(&mut *rough)?;
        Some(Self { bounds, parts: areas(&pixels, true), holes: areas(&pixels, false), features, rough })
    }

    /// Returns the same look at another place.
    pub(super) fn at(self, bounds: Rect) -> Self {
        Self { bounds, ..self }
    }

    /// Returns the squared distance of two looks: 0 if they are equal, 2 if they have nothing in
    /// common.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        distance(&*self.features, &*other.features)
    }

    /// Approximates the distance at much less cost, and hardly ever exceeds it.
    pub(super) fn rough_distance(&self, other: &Self) -> f64 {
        distance(&*self.rough, &*other.rough)
    }
}

/// Returns the squared Euclidean distance of two vectors of length 1.
fn distance(ours: &[f32], theirs: &[f32]) -> f64 {
    // Eight sums at a time, which the compiler vectorises.
    let mut sums = [0.0_f32; 8];
    let ((ours, _), (theirs, _)) = (ours.as_chunks::<8>(), theirs.as_chunks::<8>());
    for (ours, theirs) in ours.iter().zip(theirs) {
        for (sum, (a, b)) in sums.iter_mut().zip(ours.iter().zip(theirs)) {
            *sum += a * b;
        }
    }
    f64::from((2.0 - 2.0 * sums.iter().sum::<f32>()).max(0.0))
}

type Pixels = [f32; FULL * FULL];

/// Rasterises the glyph, stretched to the square. Returns the coverage of each pixel, 0 to 1.
///
/// Accumulates signed area coverage: each edge adds the area to its right, signed by its direction.
/// Sums above 1, where contours overlap, are cut off.
fn paint(outline: &BezPath, bounds: Rect) -> Pixels {
    let mut areas = [0.0_f32; FULL * FULL];
    let (mut start, mut last) = (Point::ZERO, Point::ZERO);
    flatten(outline.elements().iter().copied(), TOLERANCE * 1000.0, |element| {
        // Whatever is no line closes the contour.
        let end = if let PathEl::LineTo(point) = element { point } else { start };
        add_edge(&mut areas, to_square(last, bounds), to_square(end, bounds));
        last = end;
        if let PathEl::MoveTo(point) = element {
            (start, last) = (point, point);
        }
    });
    add_edge(&mut areas, to_square(last, bounds), to_square(start, bounds));

    for row in areas.chunks_exact_mut(FULL) {
        let mut covered = 0.0;
        for area in row {
            covered += *area;
            *area = covered.abs().min(1.0);
        }
    }
    areas
}

/// Returns a point of an outline in pixels of the square that the part inside `bounds` is stretched to.
fn to_square(point: Point, bounds: Rect) -> (f32, f32) {
    let x = (point.x / 1000.0 - bounds.x0) / bounds.width() * SIDE as f64 + BORDER as f64;
    let y = (bounds.y1 - point.y / 1000.0) / bounds.height() * SIDE as f64 + BORDER as f64;
    let (least, most) = (BORDER as f64, (BORDER + SIDE) as f64);
    (x.clamp(least, most) as f32, y.clamp(least, most) as f32)
}

/// Adds the coverage of one edge to the rows that it crosses.
fn add_edge(areas: &mut Pixels, (x0, y0): (f32, f32), (x1, y1): (f32, f32)) {
    if y0 == y1 {
        return;
    }
    let (sign, x0, y0, x1, y1) = if y0 < y1 { (1.0, x0, y0, x1, y1) } else { (-1.0, x1, y1, x0, y0) };
    let slope = (x1 - x0) / (y1 - y0);
    for row in y0 as usize..=(y1 as usize).min(FULL - 1) {
        let (top, bottom) = ((row as f32).max(y0), (row as f32 + 1.0).min(y1));
        let height = bottom - top;
        if height <= 0.0 {
            continue;
        }
        // The part of the edge in this row, split at the pixels' borders.
        let (left, right) = {
            let (a, b) = (x0 + (top - y0) * slope, x0 + (bottom - y0) * slope);
            (a.min(b), a.max(b))
        };
        let across = (right - left).max(1e-6);
        for column in left as usize..=(right as usize).min(FULL - 2) {
            let (from, to) = ((column as f32).max(left), (column as f32 + 1.0).min(right));
            let share = if right - left < 1e-6 { height } else { height * ((to - from) / across).max(0.0) };
            let right_of_it = 1.0 - (f32::midpoint(from, to) - column as f32).clamp(0.0, 1.0);
            let area = sign * share;
            if let Some([this, next]) = areas.get_mut(row * FULL + column..row * FULL + column + 2) {
                *this += area * right_of_it;
                *next += area * (1.0 - right_of_it);
            }
            if right - left < 1e-6 {
                break;
            }
        }
    }
}

/// Returns the number of connected components of the foreground, or of background that the
/// foreground encloses.
fn areas(pixels: &Pixels, ink: bool) -> u8 {
    let mut seen: Vec<bool> = pixels.iter().map(|covered| (*covered > 0.5) != ink).collect();
    let mut open = vec![];
    let mut count = 0_u8;
    for first in 0..seen.len() {
        if seen[first] {
            continue;
        }
        let mut size = 0;
        seen[first] = true;
        open.push(first);
        while let Some(pixel) = open.pop() {
            size += 1;
            let (row, column) = (pixel / FULL, pixel % FULL);
            let beside =
                [(row.wrapping_sub(1), column), (row + 1, column), (row, column.wrapping_sub(1)), (row, column + 1)];
            for (row, column) in beside {
                if row < FULL && column < FULL && !seen[row * FULL + column] {
                    seen[row * FULL + column] = true;
                    open.push(row * FULL + column);
                }
            }
        }
        // A tiny component is a part of a thin stroke that the grid interrupts.
        count = count.saturating_add(u8::from(size >= 4));
    }
    // The background around the glyph is no hole.
    if ink { count } else { count.saturating_sub(1) }
}

/// Returns the edges by cell and direction, each divided between the adjacent cells and directions
/// (trilinear interpolation).
fn edges(pixels: &Pixels) -> Box<[f32; FEATURES]> {
    let mut features = Box::new([0.0_f32; FEATURES]);
    let places: [[(i32, f32); 2]; FULL] =
        std::array::from_fn(|pixel| between((pixel as f32 + 0.5) / FULL as f32 * CELLS as f32 - 0.5));
    let at = |row: usize, column: usize| pixels[row * FULL + column];
    for row in 1..FULL - 1 {
        for column in 1..FULL - 1 {
            let dx = at(row - 1, column + 1) + 2.0 * at(row, column + 1) + at(row + 1, column + 1)
                - at(row - 1, column - 1)
                - 2.0 * at(row, column - 1)
                - at(row + 1, column - 1);
            let dy = at(row + 1, column - 1) + 2.0 * at(row + 1, column) + at(row + 1, column + 1)
                - at(row - 1, column - 1)
                - 2.0 * at(row - 1, column)
                - at(row - 1, column + 1);
            let strength = dx * dx + dy * dy;
            if strength < 0.01 {
                continue;
            }
            let strength = strength.sqrt();
            let turn = dy.atan2(dx).rem_euclid(std::f32::consts::TAU) / std::f32::consts::TAU * DIRECTIONS as f32;
            let directions = between(turn);
            for (y, share_y) in places[row] {
                for (x, share_x) in places[column] {
                    let (Some(y), Some(x)) = (cell(y), cell(x)) else { continue };
                    for (direction, share) in directions {
                        let direction = usize::try_from(direction).unwrap_or(0) % DIRECTIONS;
                        features[(y * CELLS + x) * DIRECTIONS + direction] += strength * share_y * share_x * share;
                    }
                }
            }
        }
    }
    features
}

fn rough(features: &[f32; FEATURES]) -> Box<[f32; ROUGH]> {
    let mut rough = Box::new([0.0_f32; ROUGH]);
    for (index, feature) in features.iter().enumerate() {
        let (direction, cell) = (index % DIRECTIONS, index / DIRECTIONS);
        let (row, column) = (cell / CELLS / 2, cell % CELLS / 2);
        rough[(row * CELLS / 2 + column) * DIRECTIONS + direction] += feature;
    }
    rough
}

/// Normalizes a vector of square roots to length 1, so that a long straight edge does not dominate.
/// `None` if there are no edges.
fn scale(features: &mut [f32]) -> Option<()> {
    let sum: f32 = features.iter().sum();
    if !(sum > 0.0 && sum.is_finite()) {
        return None;
    }
    for feature in features {
        *feature = (*feature / sum).sqrt();
    }
    Some(())
}

fn cell(index: i32) -> Option<usize> {
    usize::try_from(index).ok().filter(|index| *index < CELLS)
}

/// Returns the whole numbers on both sides of a number, with its share in each.
fn between(number: f32) -> [(i32, f32); 2] {
    let low = number.floor();
    let share = number - low;
    [(low as i32, 1.0 - share), (low as i32 + 1, share)]
}
