//! Detects the rooms of floor plans: regions between walls, with door openings closed, and the name and number inside.
//!
//! All modules work in the reading frame of a sheet, in points with y down, on lines and text:
//!
//! - `labels`: names and numbers of rooms;
//! - `dimensions`: the scale by printed lengths beside their lines;
//! - `walls`: strips between parallel faces, and their gaps; `mask`: the plan as a grid of wall and space;
//! - `curves`: curved walls; `openings`: which gaps in walls separate two rooms;
//! - `regions`: assigns cells to rooms; `unlabelled`: rooms without a known name; `outline`: a room's corners;
//! - `plugin`, `result`: the model that the host runs.
//!
//! A room is the region around a label or, without a known name, a region that walls enclose. A scan has no lines and
//! therefore no rooms.

mod curves;
mod dimensions;
mod labels;
mod mask;
mod openings;
mod outline;
mod plugin;
mod regions;
mod result;
mod unlabelled;
mod walls;

pub use plugin::RoomDetector;
pub use result::{Room, Rooms};

use fanlight_contract::{Geometry, PagePaths, PageText, Rect};
use fanlight_detection::symbols::Plan;
use fanlight_geometry::{Segment, bounding_box, segments};
use fanlight_plugin::hundredth;
use fanlight_sheet::parts::Parts;
use fanlight_sheet::scale::PlanScales;
use fanlight_text::{Frame, Page};

use curves::CurvedPart;
use labels::Label;
use mask::{Components, Mask};
use openings::Spaces;
use regions::Regions;
use walls::ParallelWalls;

/// A detected room of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct DetectedRoom {
    /// As printed.
    pub name: Option<String>,
    /// As printed.
    pub number: Option<String>,
    /// Corners in user space of the unrotated page, points.
    pub polygon: Vec<(f32, f32)>,
    /// Area in square points.
    pub area: f32,
    /// Area in the building, in square metres, if the sheet states its scale.
    pub square_metres: Option<f32>,
}

impl DetectedRoom {
    /// Returns the bounding box of the polygon.
    pub fn bbox(&self) -> Rect {
        bounding_box(self.polygon.iter().copied())
    }

    fn into_room(self, id: String, page: u32) -> Room {
        Room {
            id,
            page,
            bbox: self.bbox().into(),
            polygon: self.polygon.iter().map(|(x, y)| [hundredth(*x), hundredth(*y)]).collect(),
            name: self.name,
            number: self.number,
            area_pt2: hundredth(self.area),
            area_m2: self.square_metres.map(hundredth),
        }
    }
}

/// Side of a mask's cell in inches of the building: half of the thinnest wall.
const CELL: f32 = 1.3;
/// Range of a room's floor in square inches of the building, 0.45 to 3,900 square metres: from a closet to a hall. Set by hand.
const FLOORS: std::ops::Range<f32> = 700.0..6_000_000.0;
/// Least doors that make a sheet without room names a plan, and least rooms that are expected before walls of single lines are
/// tried. Set by hand.
const MIN_EXPECTED: usize = 3;
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
/// A noted scale holds if the dimensions' differs by no more, as a natural logarithm. Set by hand: dimensions are rounded.
const SAME_SCALE: f32 = 0.03;
/// Door candidates count from this confidence on: a false door only closes a gap that is there. Of 0.2, 0.3, 0.4 and 0.7, 0.3
/// does best on the labelled rooms (`labelled_rooms`).
const MIN_DOOR: f32 = 0.3;

/// The rooms of a page, and what they were detected by.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// From the top left in reading order.
    pub rooms: Vec<DetectedRoom>,
    /// Where the names of rooms are printed, in user space of the unrotated page, points.
    pub names: Vec<Rect>,
    /// The boxes of the doors that decide on openings and on the scale, in user space of the unrotated page, points.
    pub doors: Vec<Rect>,
    /// The scales of its plans in points of paper per inch of the building.
    pub points_per_inch: Vec<f32>,
}

/// Detects the rooms of a page, from the top left in reading order.
///
/// The time grows with what is drawn and, up to a bound, with the page's area.
pub fn detect(text: &PageText, paths: &PagePaths, geometry: &Geometry) -> Vec<DetectedRoom> {
    analyze(text, paths, geometry).rooms
}

/// Detects the rooms of a page as [`detect`] does, and returns what they were detected by as well.
pub fn analyze(text: &PageText, paths: &PagePaths, geometry: &Geometry) -> Analysis {
    let page = Page::read(text, geometry);
    let frame = page.frame;
    if !is_readable(&frame) {
        return Analysis::default();
    }
    let parts = Parts::find(paths, text, geometry);
    let is_building = |bbox: Rect| parts.kind_at(bbox).is_none();
    let mut labels = labels::detect(&page);
    labels.sure.retain(|label| is_building(frame.to_user_space(label.bbox)));
    labels.possible.retain(|label| is_building(frame.to_user_space(label.bbox)));
    let segments = segments(paths, &frame);
    let doors: Vec<Rect> = Plan::read(paths, text, geometry)
        .doors()
        .into_iter()
        .filter(|door| door.confidence >= MIN_DOOR)
        .map(|door| frame.place_box(door.bbox))
        .collect();
    let mut scales = PlanScales::new(&page, &doors);
    settle_scale(&mut scales, &page, &segments, &doors);
    labels.remove_small_texts();
    let sheet = Sheet { frame, labels: labels.sure, possible: labels.possible, doors, scales };
    let texts = labels::centres(&page);
    let rooms = sheet.scales.points_per_inch.iter().flat_map(|scale| sheet.rooms(&segments, &texts, *scale));
    let rooms = rooms.filter(|room| is_building(room.bbox())).collect();
    let in_user_space = |bbox: &Rect| frame.to_user_space(*bbox);
    Analysis {
        rooms,
        names: sheet.labels.iter().chain(&sheet.possible).map(|label| in_user_space(&label.bbox)).collect(),
        doors: sheet.doors.iter().map(in_user_space).collect(),
        points_per_inch: sheet.scales.points_per_inch,
    }
}

/// Lets the dimensions of a plan decide on its scale, which they state more exactly than its doors.
fn settle_scale(scales: &mut PlanScales, page: &Page, segments: &[Segment], doors: &[Rect]) {
    let [known] = scales.points_per_inch[..] else { return };
    let by_doors = (doors.len() >= MIN_EXPECTED).then_some(known);
    let dimensioned = dimensions::points_per_inch(page, segments, by_doors);
    if let Some(own) = dimensioned
        && (own / known).ln().abs() > SAME_SCALE
    {
        scales.points_per_inch = vec![own];
    }
}

/// Whether a page has a usable size.
fn is_readable(frame: &Frame) -> bool {
    frame.width.is_finite() && frame.height.is_finite() && frame.width >= 1.0 && frame.height >= 1.0
}

/// The features of a sheet that determine its rooms, besides its walls.
struct Sheet {
    frame: Frame,
    labels: Vec<Label>,
    /// Texts that name a room if they are alone in it.
    possible: Vec<Label>,
    doors: Vec<Rect>,
    scales: PlanScales,
}

impl Sheet {
    /// Returns the rooms of the plans with this many points per inch of the building: between walls of two faces or, if those
    /// enclose almost nothing, between single lines.
    fn rooms(&self, segments: &[Segment], texts: &[(f32, f32)], points_per_inch: f32) -> Vec<DetectedRoom> {
        let mut walls = walls::detect(segments, texts, points_per_inch, &self.frame);
        for own in &mut walls {
            own.remove_leaves(&self.doors, LEAF * points_per_inch);
        }
        let rooms = self.rooms_between(walls, &curves::detect(segments, points_per_inch), points_per_inch);
        let expected = if self.labels.is_empty() { self.doors.len() } else { self.labels.len() };
        let is_enough = rooms.len() as f32 >= MIN_DETECTED * expected as f32;
        if expected < MIN_EXPECTED || is_enough || self.scales.points_per_inch.len() > 1 {
            return rooms;
        }
        let thin = self.rooms_between(walls::detect_thin(segments, points_per_inch, &self.frame), &[], points_per_inch);
        if thin.len() >= MIN_MORE * rooms.len().max(1) { thin } else { rooms }
    }

    /// Detects the rooms between walls.
    fn rooms_between(
        &self,
        mut walls: Vec<ParallelWalls>,
        curves: &[CurvedPart],
        points_per_inch: f32,
    ) -> Vec<DetectedRoom> {
        let mut mask = Mask::new(&self.frame, CELL * points_per_inch);
        walls::draw(&mut mask, &mut walls);
        for part in curves {
            mask.draw(part.axis, &part.strip);
        }
        let doorways = self.settle_openings(&mut mask, &walls, points_per_inch);

        let spaces = mask.spaces();
        let mut labels = self.labels.clone();
        if self.doors.len() >= MIN_EXPECTED {
            labels.extend(self.further_labels(&mask, &spaces, &doorways, points_per_inch));
        }
        let seeds: Vec<Vec<usize>> = labels.iter().map(|label| seeds(&mask, label)).collect();
        let regions = regions::assign(&mask, &spaces, &seeds);
        self.rooms_of_regions(&mask, &regions, &labels, points_per_inch)
    }

    /// Returns the labels of rooms in spaces without a known name.
    fn further_labels(
        &self,
        mask: &Mask,
        spaces: &Components,
        doorways: &[(f32, f32)],
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
            doorways,
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
