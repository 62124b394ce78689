//! The rooms of a sheet at one scale: walls and openings as a grid, what the network sees, and the labels inside.

use fanlight_contract::Rect;
use fanlight_geometry::Segment;
use fanlight_sheet::scale::PlanScales;
use fanlight_text::Frame;

use crate::curves::{self, CurvedPart};
use crate::floors::{FloorMap, Seen};
use crate::labels::Label;
use crate::mask::{Components, Mask};
use crate::openings::{self, Spaces};
use crate::regions::{self, Regions};
use crate::unlabelled::{self, Enclosure};
use crate::walls::{self, ParallelWalls};
use crate::{DetectedRoom, outline};

/// Side of a mask's cell in inches of the building: half of the thinnest wall.
const CELL: f32 = 1.3;
/// Range of a room's floor in square inches of the building, 0.45 to 3,900 square metres: from a closet to a hall. Set by hand.
const FLOORS: std::ops::Range<f32> = 700.0..6_000_000.0;
/// Least doors that make a sheet without room names a plan, and least rooms that are expected before walls of single lines are
/// tried. Set by hand.
pub(crate) const MIN_EXPECTED: usize = 3;
/// If fewer than this share of the expected rooms is detected, walls of single lines are tried. Set by hand.
const MIN_DETECTED: f32 = 0.4;
/// Walls of single lines are kept if they enclose at least this many times as many rooms. Set by hand.
const MIN_MORE: usize = 2;
/// Least share of a room's edge that is wall. Set by hand.
const MIN_ENCLOSED: f32 = 0.6;
/// Tolerance of a polygon's corners in inches (Douglas-Peucker simplification): less than a wall's thickness.
const TOLERANCE: f32 = 2.5;
/// Least tolerance of a polygon's corners in cells: a slanted edge has steps of one cell.
const MIN_TOLERANCE: f32 = 1.6;
/// How far a door's leaf may reach out of its box, in inches: a leaf's thickness, 1 3/4 in, with its rounding.
const LEAF: f32 = 2.0;
/// Lines are no wall where the network sees a floor with at least this probability: furniture, treads, floor patterns. Of
/// 0.6, 0.8 and 0.9, 0.8 does best on the labelled rooms (`labelled_rooms`).
const SURE_FLOOR: f32 = 0.8;
/// The network sees the edge of a room from this probability on.
const MIN_EDGE: f32 = 0.5;
/// The network sees the floor of a room from this probability on.
const MIN_FLOOR: f32 = 0.5;

/// The features of a sheet that determine its rooms, besides its walls.
pub(crate) struct Sheet {
    pub(crate) frame: Frame,
    pub(crate) labels: Vec<Label>,
    /// Texts that name a room if they are alone in it.
    pub(crate) possible: Vec<Label>,
    pub(crate) doors: Vec<Rect>,
    pub(crate) scales: PlanScales,
}

impl Sheet {
    /// Returns the rooms of the plans with this many points per inch of the building: between walls of two faces or, if those
    /// enclose almost nothing, between single lines.
    ///
    /// `floors` is what the network sees at this scale.
    pub(crate) fn rooms(
        &self,
        segments: &[Segment],
        texts: &[(f32, f32)],
        points_per_inch: f32,
        floors: Option<&FloorMap>,
    ) -> Vec<DetectedRoom> {
        let mut walls = walls::detect(segments, texts, points_per_inch, &self.frame);
        for own in &mut walls {
            own.remove_leaves(&self.doors, LEAF * points_per_inch);
        }
        let curves = curves::detect(segments, points_per_inch);
        let rooms = self.rooms_between(walls, &curves, points_per_inch, floors);
        let expected = if self.labels.is_empty() { self.doors.len() } else { self.labels.len() };
        let is_enough = rooms.len() as f32 >= MIN_DETECTED * expected as f32;
        if expected < MIN_EXPECTED || is_enough || self.scales.points_per_inch.len() > 1 {
            return rooms;
        }
        let thin = walls::detect_thin(segments, points_per_inch, &self.frame);
        let thin = self.rooms_between(thin, &[], points_per_inch, floors);
        if thin.len() >= MIN_MORE * rooms.len().max(1) { thin } else { rooms }
    }

    /// Detects the rooms between walls.
    fn rooms_between(
        &self,
        mut walls: Vec<ParallelWalls>,
        curves: &[CurvedPart],
        points_per_inch: f32,
        floors: Option<&FloorMap>,
    ) -> Vec<DetectedRoom> {
        let mut mask = Mask::new(&self.frame, CELL * points_per_inch);
        walls::draw(&mut mask, &mut walls);
        for part in curves {
            mask.draw(part.axis, &part.strip);
        }
        let doorways = self.settle_openings(&mut mask, &walls, points_per_inch);
        if let Some(floors) = floors {
            return self.rooms_with_floors(mask, floors, points_per_inch);
        }
        let spaces = mask.spaces();
        let further = if self.doors.len() >= MIN_EXPECTED {
            self.further_labels(&mask, &spaces, &Enclosure::Doorways(&doorways), points_per_inch)
        } else {
            Vec::new()
        };
        self.rooms_in_spaces(&mask, &spaces, further, points_per_inch).0
    }

    /// Detects the rooms between walls that agree with what the network sees: it removes walls in the middle of a floor and
    /// adds the edges of rooms. Where both enclose nothing, the floor itself bounds a room.
    fn rooms_with_floors(&self, mut mask: Mask, floors: &FloorMap, points_per_inch: f32) -> Vec<DetectedRoom> {
        let seen: Vec<Seen> =
            (0..mask.cell_count()).map(|cell| floors.at(self.to_user_space(mask.place(cell)))).collect();
        mask.free_where(|cell| seen[cell].floor >= SURE_FLOOR);
        mask.wall_where(|cell| seen[cell].edge >= MIN_EDGE);
        let (mut rooms, regions) = self.rooms_by_floor(&mask, &seen, points_per_inch);
        mask.wall_where(|cell| seen[cell].floor < MIN_FLOOR || regions.label_of_cell(cell).is_some());
        rooms.extend(self.rooms_by_floor(&mask, &seen, points_per_inch).0);
        rooms
    }

    /// Returns the rooms of a mask's spaces: those with a name, and those that the network takes for a floor. `seen` is what it
    /// sees at each cell.
    fn rooms_by_floor(&self, mask: &Mask, seen: &[Seen], points_per_inch: f32) -> (Vec<DetectedRoom>, Regions) {
        let spaces = mask.spaces();
        let shares = mask.means(&spaces, |cell| seen[cell].floor);
        let further = self.further_labels(mask, &spaces, &Enclosure::Floor(&shares), points_per_inch);
        self.rooms_in_spaces(mask, &spaces, further, points_per_inch)
    }

    /// Returns the rooms of spaces that have a known name or a `further` label.
    fn rooms_in_spaces(
        &self,
        mask: &Mask,
        spaces: &Components,
        further: Vec<Label>,
        points_per_inch: f32,
    ) -> (Vec<DetectedRoom>, Regions) {
        let labels: Vec<Label> = self.labels.iter().cloned().chain(further).collect();
        let seeds: Vec<Vec<usize>> = labels.iter().map(|label| seeds(mask, label)).collect();
        let regions = regions::assign(mask, spaces, &seeds);
        (self.rooms_of_regions(mask, &regions, &labels, points_per_inch), regions)
    }

    /// Returns the labels of rooms in spaces without a known name.
    fn further_labels(
        &self,
        mask: &Mask,
        spaces: &Components,
        enclosure: &Enclosure<'_>,
        points_per_inch: f32,
    ) -> Vec<Label> {
        let mut is_named = vec![false; spaces.all.len()];
        for label in &self.labels {
            if let Some(space) = regions::space_of_label(spaces, &seeds(mask, label)) {
                is_named[space] = true;
            }
        }
        let space_of_text = |text: &Label| regions::space_of_label(spaces, &seeds(mask, text));
        let spaces_of_texts: Vec<Option<usize>> = self.possible.iter().map(space_of_text).collect();
        let evidence = unlabelled::Evidence {
            is_named: &is_named,
            spaces_of_texts: &spaces_of_texts,
            texts: &self.possible,
            enclosure,
        };
        unlabelled::labels(mask, spaces, &evidence, points_per_inch)
    }

    /// Draws the openings into a mask of walls, and decides which are closed.
    ///
    /// Returns the centres of all doorways: of closed openings, and of the edges of detected doors.
    fn settle_openings(&self, mask: &mut Mask, walls: &[ParallelWalls], points_per_inch: f32) -> Vec<(f32, f32)> {
        let openings = openings::draw(mask, walls, &self.doors, points_per_inch);
        let components = mask.spaces();
        let mut names = vec![0; components.all.len()];
        for label in &self.labels {
            if let Some(space) = regions::space_of_label(&components, &seeds(mask, label)) {
                names[space] += 1;
            }
        }
        for text in &self.possible {
            if let Some(space) = regions::space_of_label(&components, &seeds(mask, text)) {
                names[space] = names[space].max(1);
            }
        }
        let mut doorways = openings.settle(mask, Spaces { components: &components, names });
        doorways.extend(self.doors.iter().flat_map(|door| edge_centres(*door)));
        doorways
    }

    /// Makes rooms of regions that are large enough and enclosed, and that the scale holds for.
    fn rooms_of_regions(
        &self,
        mask: &Mask,
        regions: &Regions,
        labels: &[Label],
        points_per_inch: f32,
    ) -> Vec<DetectedRoom> {
        let first_cells = regions.first_cells(labels.len());
        let walled = regions.walled(mask, labels.len());
        let tolerance = (TOLERANCE * points_per_inch).max(MIN_TOLERANCE * mask.cell);
        let mut found = Vec::new();
        for (index, label) in labels.iter().enumerate() {
            let Some(first) = first_cells[index] else { continue };
            if !self.scales.holds(label.middle(), points_per_inch) || walled[index] < MIN_ENCLOSED {
                continue;
            }
            let corners = outline::corners(mask, &regions.owner, index as u32 + 1, first, tolerance);
            let area = outline::area(&corners);
            if corners.len() < 3 || !FLOORS.contains(&(area / (points_per_inch * points_per_inch))) {
                continue;
            }
            let scale = self.scales.scale_at(label.middle(), points_per_inch);
            found.push(DetectedRoom {
                name: label.name.clone(),
                number: label.number.clone(),
                polygon: corners.into_iter().map(|corner| self.to_user_space(corner)).collect(),
                area,
                square_metres: scale.map(|scale| area * scale.metres_per_point().powi(2)),
            });
        }
        found
    }

    /// Returns a point of the sheet in user space.
    fn to_user_space(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let point = self.frame.to_user_space(Rect { x1: x, y1: y, x2: x, y2: y });
        (point.x1, point.y1)
    }
}

/// Returns the centres of a door's edges, one of which is along its opening.
fn edge_centres(door: Rect) -> [(f32, f32); 4] {
    let (x, y) = (f32::midpoint(door.x1, door.x2), f32::midpoint(door.y1, door.y2));
    [(x, door.y1), (x, door.y2), (door.x1, y), (door.x2, y)]
}

/// Columns and rows of points in a label's box whose cells are its seeds: a name is longer than it is high.
const SEED_COLUMNS: usize = 8;
const SEED_ROWS: usize = 4;

/// Returns the cells at points of a grid over a label's box, each once.
fn seeds(mask: &Mask, label: &Label) -> Vec<usize> {
    let bbox = label.bbox;
    let points = (0..=SEED_COLUMNS).flat_map(|i| (0..=SEED_ROWS).map(move |j| (i, j)));
    let mut cells: Vec<usize> = points
        .filter_map(|(i, j)| {
            let x = bbox.x1 + (bbox.x2 - bbox.x1) * i as f32 / SEED_COLUMNS as f32;
            let y = bbox.y1 + (bbox.y2 - bbox.y1) * j as f32 / SEED_ROWS as f32;
            mask.at((x, y))
        })
        .collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}
