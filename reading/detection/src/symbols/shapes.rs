//! Figures: connected components of lines that are no larger than a plumbing fixture.
//!
//! Drawing programs write a fixture as one path or as separate lines; both become the same figure. Lines are connected if
//! points of theirs meet and they have the same style, so that a tub in the corner of two walls is separate from them.

use fanlight_geometry::UnionFind;
use rustc_hash::FxHashMap;

use crate::symbols::drawing::{Chain, Drawing};
use crate::symbols::plane::{Extent, Point};

/// Points nearer than this are one, in points of the page.
const MEETING: f32 = 0.2;
/// Most figures of a page that are looked at.
const MOST_FIGURES: usize = 200_000;
/// Most lines of one figure.
const MOST_LINES: usize = 1_500;
/// Closed outlines of one figure that are looked at by themselves.
const MOST_PARTS: usize = 64;

/// A connected component of lines.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    /// The chains that it consists of.
    pub(crate) chains: Vec<u32>,
    pub(crate) extent: Extent,
    /// The angle of its own axes against the page's, in radians, from -45° to 45°.
    pub(crate) angle: f32,
    /// Its middle, its size and its parts along its own axes, in points.
    pub(crate) middle: Point,
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// The share of its lines that runs along neither of its axes: 0 for a rectangle, most of it for a circle.
    pub(crate) slanted: f32,
    /// How many straight pieces it has.
    pub(crate) pieces: usize,
    /// Whether it is a part of another figure that is looked at as well.
    pub(crate) is_part: bool,
}

impl Figure {
    pub(crate) fn new(drawing: &Drawing, chains: Vec<u32>) -> Self {
        let pieces: Vec<(Point, Point)> = chains
            .iter()
            .filter_map(|&index| drawing.chains.get(index as usize))
            .flat_map(|chain| drawing.pieces(chain))
            .collect();
        let extent = Extent::bounding(pieces.iter().flat_map(|(a, b)| [*a, *b]));
        let angle = own_angle(&pieces);
        let (along, across) = (Point::at(angle), Point::at(angle).left());
        let framed = Extent::bounding(
            pieces.iter().flat_map(|(a, b)| [*a, *b]).map(|point| Point::new(point.dot(along), point.dot(across))),
        );
        let drawn: f32 = pieces.iter().map(|(a, b)| a.to(*b)).sum();
        let slanted: f32 = pieces
            .iter()
            .filter(|(a, b)| {
                let way = (*b - *a).unit();
                way.dot(along).abs().max(way.dot(across).abs()) < STRAIGHT_ALONG
            })
            .map(|(a, b)| a.to(*b))
            .sum();
        let middle = along * framed.middle().x + across * framed.middle().y;
        Self {
            chains,
            extent,
            angle,
            middle,
            width: framed.width(),
            height: framed.height(),
            slanted: slanted / drawn.max(0.01),
            pieces: pieces.len(),
            is_part: false,
        }
    }

    pub(crate) fn long(&self) -> f32 {
        self.width.max(self.height)
    }

    pub(crate) fn short(&self) -> f32 {
        self.width.min(self.height)
    }

    /// Returns the chains that it consists of.
    pub(crate) fn chains_in<'a>(&'a self, drawing: &'a Drawing) -> impl Iterator<Item = &'a Chain> {
        self.chains.iter().filter_map(|&index| drawing.chains.get(index as usize))
    }

    /// Returns from where to where its lines cross a line along the x axis, in the axes that `placed` gives points in; the line
    /// is at this y. 0 to 0 where they don't.
    pub(crate) fn crossed(&self, drawing: &Drawing, at: f32, placed: impl Fn(Point) -> Point) -> (f32, f32) {
        let mut crossed: (f32, f32) = (f32::MAX, f32::MIN);
        for (a, b) in self.chains_in(drawing).flat_map(|chain| drawing.pieces(chain)) {
            let (a, b) = (placed(a), placed(b));
            if (a.y - at) * (b.y - at) <= 0.0 && (a.y - b.y).abs() > 1e-6 {
                let across = a.x + (b.x - a.x) * (at - a.y) / (b.y - a.y);
                crossed = (crossed.0.min(across), crossed.1.max(across));
            }
        }
        if crossed.0 > crossed.1 { (0.0, 0.0) } else { crossed }
    }

    /// Returns a place in the figure's own axes, from its middle.
    pub(crate) fn own(&self, point: Point) -> Point {
        let along = Point::at(self.angle);
        let way = point - self.middle;
        Point::new(way.dot(along), way.dot(along.left()))
    }
}

/// The cosine of 10°: what is closer to an axis runs along it.
const STRAIGHT_ALONG: f32 = 0.985;
/// A figure has axes of its own where this share of its lines runs along them.
const OWN_AXES: f32 = 0.42;

/// Returns the angle that most of a figure's lines run along or across, in radians; 0, the page's, where no angle has enough.
fn own_angle(pieces: &[(Point, Point)]) -> f32 {
    const BINS: usize = 30;
    let quarter = std::f32::consts::FRAC_PI_2;
    let mut lengths = [0.0_f32; BINS];
    for (a, b) in pieces {
        let share = (*b - *a).angle().rem_euclid(quarter) / quarter;
        // Bins of 3° whose middles are multiples of 3°.
        let bin = (share * BINS as f32).round() as usize % BINS;
        if let Some(length) = lengths.get_mut(bin) {
            *length += a.to(*b);
        }
    }
    let all: f32 = lengths.iter().sum();
    let around = |bin: usize| lengths[bin] + 0.5 * (lengths[(bin + 1) % BINS] + lengths[(bin + BINS - 1) % BINS]);
    let best = (0..BINS).max_by(|&a, &b| around(a).total_cmp(&around(b))).unwrap_or(0);
    if best == 0 || around(best) < OWN_AXES * all || around(0) > 0.6 * around(best) {
        return 0.0;
    }
    let angle = best as f32 / BINS as f32 * quarter;
    if angle > quarter / 2.0 { angle - quarter } else { angle }
}

/// Returns the figures of at most `longest` points.
///
/// Components are found by union-find over points that meet.
pub(crate) fn figures(drawing: &Drawing, longest: f32) -> Vec<Figure> {
    let mut members: Vec<u32> = Vec::new();
    for (index, chain) in drawing.chains.iter().enumerate() {
        let is_line = drawing.style(chain).is_some_and(|style| style.stroked && !style.dashed);
        if is_line && drawing.extent(chain).long() <= longest && members.len() < MOST_FIGURES {
            members.push(index as u32);
        }
    }
    let mut groups = UnionFind::new(members.len());
    let mut at: FxHashMap<(i32, i32, u32), u32> = FxHashMap::default();
    for (member, &index) in members.iter().enumerate() {
        let Some(chain) = drawing.chains.get(index as usize) else { continue };
        for &point in drawing.points(chain) {
            for key in keys(point, chain.style) {
                let first = *at.entry(key).or_insert(member as u32);
                groups.unite(member, first as usize);
            }
        }
    }
    let mut of_root: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (member, &index) in members.iter().enumerate() {
        of_root.entry(groups.find(member) as u32).or_default().push(index);
    }
    let mut figures = Vec::new();
    for chains in of_root.into_values().filter(|chains| chains.len() <= MOST_LINES) {
        let figure = Figure::new(drawing, chains);
        let fits = figure.extent.long() <= longest;
        if figure.chains.len() > 1 {
            figures.extend(parts(drawing, &figure, fits, longest));
        }
        if fits {
            figures.push(figure);
        }
    }
    figures.sort_by_key(|figure| (figure.chains.first().copied(), figure.is_part));
    figures
}

/// Returns the closed outlines that a figure consists of: a bowl that touches its rim, or one of several trays that share an
/// edge. Where the figure is too long to be looked at, each has with it what lies inside it.
fn parts(drawing: &Drawing, figure: &Figure, fits: bool, longest: f32) -> Vec<Figure> {
    let extent = |index: &u32| drawing.chains.get(*index as usize).map(|chain| drawing.extent(chain));
    let is_closed = |index: &&u32| drawing.chains.get(**index as usize).is_some_and(|chain| chain.closed);
    let closed: Vec<u32> = figure.chains.iter().filter(is_closed).copied().take(MOST_PARTS).collect();
    if fits {
        let own = |index| Figure { is_part: true, ..Figure::new(drawing, vec![index]) };
        return closed.into_iter().map(own).filter(|part| part.extent.area() < 0.99 * figure.extent.area()).collect();
    }
    let fitting = closed.iter().filter_map(|index| Some((index, extent(index).filter(|own| own.long() <= longest)?)));
    let with_inside = fitting.map(|(outline, own)| {
        let inside = |index: &&u32| extent(index).is_some_and(|part| own.grown(MEETING).holds_all(&part));
        let others = figure.chains.iter().filter(inside).filter(|index| *index != outline);
        Figure::new(drawing, std::iter::once(outline).chain(others).copied().collect())
    });
    with_inside.collect()
}

/// Returns the cells of a fine grid that a point falls into: four grids, shifted by half a cell, so that near points share one.
fn keys(point: Point, style: u32) -> [(i32, i32, u32); 4] {
    let cell = 2.0 * MEETING;
    [(0.0, 0.0, 0), (MEETING, 0.0, 1), (0.0, MEETING, 2), (MEETING, MEETING, 3)].map(|(right, up, grid)| {
        let (x, y) = ((point.x + right) / cell, (point.y + up) / cell);
        (x.floor() as i32, y.floor() as i32, style.wrapping_mul(4).wrapping_add(grid))
    })
}
