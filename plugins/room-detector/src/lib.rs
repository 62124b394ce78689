//! Detects the rooms of floor plans: regions between walls, with door openings closed, and the name and number inside.
//!
//! All modules work in the reading frame of a sheet, in points with y down, on lines and text:
//!
//! - `labels`: names and numbers of rooms;
//! - `walls`: strips between parallel faces, and their gaps; `mask`: the plan as a grid of wall and space;
//! - `curves`: curved walls; `openings`: which gaps in walls separate two rooms;
//! - `regions`: assigns cells to rooms; `outline`: a room's corners;
//! - `plugin`, `result`: the model that the host runs.
//!
//! A room is the region around a label or, on a plan without names, a region that walls enclose. A scan has no lines and
//! therefore no rooms.

mod curves;
mod labels;
mod mask;
mod openings;
mod outline;
mod plugin;
mod regions;
mod result;
mod walls;

pub use plugin::RoomDetector;
pub use result::{Room, Rooms};

use fanlight_contract::{Geometry, PagePaths, PageText, Rect};
use fanlight_geometry::{Segment, bounding_box, segments};
use fanlight_plugin::hundredth;
use fanlight_sheet::parts::Parts;
use fanlight_sheet::scale::PlanScales;
use fanlight_text::{Frame, Page};

use labels::Label;
use mask::Mask;
use walls::{Bearing, Strip};

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

/// Side of a mask's cell in inches of the building: walls are twice as thick.
const CELL: f32 = 1.3;
/// Range of a room's floor in square inches of the building: from a closet to a hall.
const AREAS: (f32, f32) = (700.0, 6_000_000.0);
/// Least doors that make a sheet without room names a plan.
const FEW: usize = 3;
/// Least share of the names that must be between walls of two faces; otherwise walls of single lines are tried.
const MANY: f32 = 0.4;
/// Least width in inches, and least floor in square inches, of a room without a label.
const NARROWEST: f32 = 19.0;
const CLOSET: f32 = 900.0;
/// Least share of a room's edge that is wall.
const ENCLOSED: f32 = 0.6;
/// Tolerance of a polygon's corners in inches, and in cells (Douglas-Peucker simplification).
const SLACK: (f32, f32) = (2.5, 1.6);
/// How far a door's leaf may reach out of its box, in inches.
const LEAF: f32 = 2.0;
/// Door candidates count from this confidence on.
const LIKELY: f32 = 0.4;

/// Detects the rooms of a page, from the top left in reading order.
///
/// The time grows with what is drawn and, up to a bound, with the page's area.
pub fn detect(text: &PageText, paths: &PagePaths, geometry: &Geometry) -> Vec<DetectedRoom> {
    let page = Page::read(text, geometry);
    let frame = page.frame;
    let sound = frame.width.is_finite() && frame.height.is_finite() && frame.width >= 1.0 && frame.height >= 1.0;
    if !sound {
        return Vec::new();
    }
    let parts = Parts::find(paths, text, geometry);
    let is_building = |bbox: Rect| parts.kind_at(bbox).is_none();
    let mut labels = labels::detect(&page);
    labels.retain(|label| is_building(frame.to_user_space(label.bbox)));
    let segments = segments(paths, &frame);
    let doors: Vec<Rect> = fanlight_detection::symbols::Plan::read(paths, text, geometry)
        .doors()
        .into_iter()
        .filter(|door| door.confidence >= LIKELY)
        .map(|door| frame.place_box(door.bbox))
        .collect();
    let measure = PlanScales::new(&page, &doors);
    let sheet = Sheet { frame, labels, doors, measure };
    let texts = labels::middles(&page);
    let scales = sheet.measure.points_per_inch.iter();
    scales.flat_map(|scale| sheet.rooms(&segments, &texts, *scale)).filter(|room| is_building(room.bbox())).collect()
}

/// The features of a sheet that determine its rooms, besides its walls.
struct Sheet {
    frame: Frame,
    labels: Vec<Label>,
    doors: Vec<Rect>,
    measure: PlanScales,
}

impl Sheet {
    /// The rooms of the plans with so many points an inch: between walls of two faces, or, where those close next to
    /// nothing, between lines.
    fn rooms(&self, segments: &[Segment], texts: &[(f32, f32)], scale: f32) -> Vec<DetectedRoom> {
        let mut walls = walls::detect(segments, texts, scale, &self.frame);
        for bearing in &mut walls {
            bearing.leave_out_leaves(&self.doors, LEAF * scale);
        }
        let rooms = self.rooms_between(walls, &curves::detect(segments, scale), scale);
        let expected = if self.labels.is_empty() { self.doors.len() } else { self.labels.len() };
        if expected < FEW || rooms.len() as f32 >= MANY * expected as f32 || self.measure.points_per_inch.len() > 1 {
            return rooms;
        }
        let thin = self.rooms_between(walls::detect_thin(segments, scale, &self.frame), &[], scale);
        if thin.len() >= 2 * rooms.len().max(1) { thin } else { rooms }
    }

    /// Detects the rooms between walls.
    fn rooms_between(&self, mut bearings: Vec<Bearing>, curves: &[(Bearing, Strip)], scale: f32) -> Vec<DetectedRoom> {
        let mut mask = Mask::new(&self.frame, CELL * scale);
        walls::draw(&mut mask, &mut bearings);
        for (bearing, strip) in curves {
            mask.draw(bearing, strip);
        }
        let bearings = bearings.as_slice();
        let openings = openings::draw(&mut mask, bearings, &self.doors, scale);
        let (spaces, parts) = mask.spaces();
        let mut named = vec![0; parts.len()];
        for space in self.labels.iter().filter_map(|label| regions::space_of(&spaces, &seeds(&mask, label))) {
            named[space as usize - 1] += 1;
        }
        let doorways = openings.settle(&mut mask, &spaces, &parts, named);

        let (spaces, parts) = mask.spaces();
        let unlabelled = if self.labels.is_empty() && self.doors.len() >= FEW {
            let drawn = self.doors.iter().flat_map(|door| edges(*door));
            let doorways: Vec<(f32, f32)> = doorways.into_iter().chain(drawn).collect();
            unlabelled(&mask, &spaces, &parts, &doorways, scale)
        } else {
            Vec::new()
        };
        let labels = if self.labels.is_empty() { &unlabelled } else { &self.labels };
        let seeds: Vec<Vec<usize>> = labels.iter().map(|label| seeds(&mask, label)).collect();
        let regions = regions::assign(&mask, &spaces, &parts, &seeds);
        rooms(&mask, &regions.owner, labels, &self.measure, scale, &self.frame)
    }
}

/// Where the sheet has no text that names a room: an empty label for each space that walls close, that is large enough
/// to be one and that a door leads to.
fn unlabelled(mask: &Mask, spaces: &[u32], parts: &[mask::Part], doorways: &[(f32, f32)], scale: f32) -> Vec<Label> {
    let reach = walls::THICKNESS.1 * scale;
    let distance = mask.distances();
    let mut deepest: Vec<(u16, usize)> = vec![(0, 0); parts.len()];
    for (cell, space) in spaces.iter().enumerate() {
        if let Some(deepest) = (*space as usize).checked_sub(1).and_then(|at| deepest.get_mut(at)) {
            *deepest = (*deepest).max((distance[cell], cell));
        }
    }
    // Least distance from the centre to the wall, in thirds of a cell.
    let least = NARROWEST / 2.0 * scale / mask.cell * 3.0;
    let roomy = |(part, (deep, _)): &(&mask::Part, (u16, usize))| {
        let area = part.cells as f32 * mask.cell * mask.cell / (scale * scale);
        let room = mask.extent(part);
        let leads_there = |&(x, y): &(f32, f32)| {
            x >= room.x1 - reach && x <= room.x2 + reach && y >= room.y1 - reach && y <= room.y2 + reach
        };
        !part.outside && f32::from(*deep) >= least && area >= CLOSET && doorways.iter().any(leads_there)
    };
    parts
        .iter()
        .zip(deepest)
        .filter(roomy)
        .map(|(_, (_, cell))| {
            let (x, y) = mask.place(cell);
            Label { name: None, number: None, bbox: Rect { x1: x, y1: y, x2: x, y2: y } }
        })
        .collect()
}

/// Returns the midpoints of a door's edges, one of which is along its opening.
fn edges(door: Rect) -> [(f32, f32); 4] {
    let (x, y) = (f32::midpoint(door.x1, door.x2), f32::midpoint(door.y1, door.y2));
    [(x, door.y1), (x, door.y2), (door.x1, y), (door.x2, y)]
}

/// Returns the cells that a label's box covers.
fn seeds(mask: &Mask, label: &Label) -> Vec<usize> {
    let bbox = label.bbox;
    let (columns, rows) = (8, 4);
    let mut cells: Vec<usize> = (0..=columns)
        .flat_map(|i| (0..=rows).map(move |j| (i, j)))
        .filter_map(|(i, j)| {
            let x = bbox.x1 + (bbox.x2 - bbox.x1) * i as f32 / columns as f32;
            let y = bbox.y1 + (bbox.y2 - bbox.y1) * j as f32 / rows as f32;
            mask.at((x, y))
        })
        .collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

fn rooms(
    mask: &Mask,
    owner: &[u32],
    labels: &[Label],
    measure: &PlanScales,
    scale: f32,
    frame: &Frame,
) -> Vec<DetectedRoom> {
    let mut first: Vec<Option<usize>> = vec![None; labels.len()];
    for (cell, own) in owner.iter().enumerate() {
        if let Some(place) = (*own as usize).checked_sub(1).and_then(|at| first.get_mut(at)) {
            place.get_or_insert(cell);
        }
    }
    let walled = regions::walled(mask, owner, labels.len());
    let slack = (SLACK.0 * scale).max(SLACK.1 * mask.cell);
    let mut found = Vec::new();
    for (index, label) in labels.iter().enumerate() {
        let Some(first) = first[index].filter(|_| measure.holds(label.middle(), scale)) else { continue };
        let corners = outline::corners(mask, owner, index as u32 + 1, first, slack);
        let area = outline::area(&corners);
        let inches = area / (scale * scale);
        if corners.len() < 3 || !(AREAS.0..AREAS.1).contains(&inches) || walled[index] < ENCLOSED {
            continue;
        }
        let polygon = corners
            .iter()
            .map(|&(x, y)| {
                let point = frame.to_user_space(Rect { x1: x, y1: y, x2: x, y2: y });
                (point.x1, point.y1)
            })
            .collect();
        let square_metres =
            measure.scale_at(label.middle(), scale).map(|scale| area * scale.metres_per_point().powi(2));
        found.push(DetectedRoom {
            name: label.name.clone(),
            number: label.number.clone(),
            polygon,
            area,
            square_metres,
        });
    }
    found
}
