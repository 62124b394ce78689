//! The rooms of a sheet at one scale: walls and openings as a grid, what the network sees, and the labels inside.

use fanlight_contract::Rect;
use fanlight_geometry::{RectExt as _, Segment, bounding_box};
use fanlight_sheet::scale::PlanScales;
use fanlight_text::Frame;

use crate::floors::{FloorMap, Seen};
use crate::labels::Label;
use crate::likelihood::{CellEvidence, RoomEvidence};
use crate::mask::{Components, Mask};
use crate::openings;
use crate::regions::{self, Regions};
use crate::unlabelled;
use crate::walls;
use crate::{DetectedRoom, MIN_DOORS, outline};

/// Side of a mask's cell in inches of the building: half of the thinnest wall.
const CELL: f32 = 1.3;
/// Range of a room's floor in square inches of the building, 0.45 to 3,900 square metres: from a closet to a hall. Set by hand.
const FLOORS: std::ops::Range<f32> = 700.0..6_000_000.0;
/// Least share of a region's edge that is wall. Set by hand, low: its likelihood decides whether it is a room.
const MIN_ENCLOSED: f32 = 0.4;
/// A door is at the edge of a region if its box is this near to the region's, in inches of the building: less than a wall's
/// thickness.
const DOOR_REACH: f32 = 4.0;
/// Tolerance of a polygon's corners in inches (Douglas-Peucker simplification): less than a wall's thickness.
const TOLERANCE: f32 = 2.5;
/// Least tolerance of a polygon's corners in cells: a slanted edge has steps of one cell.
const MIN_TOLERANCE: f32 = 1.6;
/// Lines are no wall where the network sees a floor with at least this probability: furniture, treads, floor patterns. Of
/// 0.6, 0.8 and 0.9, 0.8 does best on the labelled rooms (`labelled_rooms`).
pub(crate) const SURE_FLOOR: f32 = 0.8;
/// The network sees the edge of a room from this probability on.
pub(crate) const MIN_EDGE: f32 = 0.5;
/// The network sees the floor of a room from this probability on.
const MIN_FLOOR: f32 = 0.5;
/// The network has learnt that a room's edge begins this far inside its outline, in inches: 6 cm
/// (`models/train/room_pages.py`).
const LEARNT_INSIDE: f32 = 2.4;

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
    /// Returns the rooms of the plans with this many points per inch of the building.
    ///
    /// `floors` is what the network sees at this scale. Without it only spaces with a text that may be a name are rooms.
    pub(crate) fn rooms(
        &self,
        segments: &[Segment],
        points_per_inch: f32,
        floors: Option<&FloorMap>,
    ) -> Vec<DetectedRoom> {
        let walls = walls::detect(segments, points_per_inch, &self.frame);
        let mut mask = Mask::new(&self.frame, CELL * points_per_inch);
        for own in &walls {
            for strip in &own.strips {
                mask.draw(own.axis, strip);
            }
        }
        openings::close(&mut mask, &walls, &self.doors, points_per_inch);
        match floors {
            Some(floors) => self.rooms_with_floors(mask, floors, points_per_inch),
            None => self.rooms_of_mask(&mask, None, points_per_inch).0,
        }
    }

    /// Detects the rooms between walls that agree with what the network sees: it removes walls in the middle of a floor and
    /// adds the edges of rooms. Where both enclose nothing, the floor itself bounds a room.
    fn rooms_with_floors(&self, mut mask: Mask, floors: &FloorMap, points_per_inch: f32) -> Vec<DetectedRoom> {
        let cells = 0..mask.cell_count();
        let seen: Vec<Seen> = cells.clone().map(|cell| floors.at(self.to_user_space(mask.place(cell)))).collect();
        mask.free_where(|cell| seen[cell].floor >= SURE_FLOOR);
        let evidence = CellEvidence { is_drawn: cells.map(|cell| mask.is_wall_cell(cell)).collect(), seen };
        mask.wall_where(|cell| evidence.seen[cell].edge >= MIN_EDGE);
        let (mut rooms, regions) = self.rooms_of_mask(&mask, Some(&evidence), points_per_inch);
        mask.wall_where(|cell| evidence.seen[cell].floor < MIN_FLOOR || regions.label_of_cell(cell).is_some());
        rooms.extend(self.rooms_of_mask(&mask, Some(&evidence), points_per_inch).0);
        rooms
    }

    /// Returns the rooms of a mask's spaces: those with a name, and those that the network takes for a floor.
    fn rooms_of_mask(
        &self,
        mask: &Mask,
        evidence: Option<&CellEvidence>,
        points_per_inch: f32,
    ) -> (Vec<DetectedRoom>, Regions) {
        let spaces = mask.spaces();
        let floors = evidence.map(|evidence| mask.means(&spaces, |cell| evidence.seen[cell].floor));
        let further = self.further_labels(mask, &spaces, floors.as_deref(), points_per_inch);
        let labels: Vec<Label> = self.labels.iter().cloned().chain(further).collect();
        let seeds: Vec<Vec<usize>> = labels.iter().map(|label| seeds(mask, label)).collect();
        let mut regions = regions::assign(mask, &spaces, &seeds);
        let walled = regions.walled(mask, labels.len());
        if let Some(evidence) = evidence {
            let steps = (LEARNT_INSIDE * points_per_inch / mask.cell).round() as usize;
            regions.grow(mask, &evidence.is_drawn, steps);
        }
        (self.rooms_of_regions(mask, &regions, &labels, &walled, evidence, points_per_inch), regions)
    }

    /// Returns the labels of rooms in spaces without a known name, if the sheet shows a plan: doors, or a named room. `floors` has
    /// the mean probability of each space that it is a floor.
    fn further_labels(
        &self,
        mask: &Mask,
        spaces: &Components,
        floors: Option<&[f32]>,
        points_per_inch: f32,
    ) -> Vec<Label> {
        let is_named = spaces_with(mask, spaces, &self.labels);
        if self.doors.len() < MIN_DOORS && !has_named_room(spaces, &is_named, floors) {
            return Vec::new();
        }
        let spaces_of_texts: Vec<Option<usize>> =
            self.possible.iter().map(|text| space_of(mask, spaces, text)).collect();
        let evidence = unlabelled::Evidence {
            is_named: &is_named,
            spaces_of_texts: &spaces_of_texts,
            texts: &self.possible,
            floors,
        };
        unlabelled::labels(mask, spaces, &evidence, points_per_inch)
    }

    /// Makes rooms of regions that are large enough and enclosed, and that the scale holds for. `walled` has the share of each
    /// region's edge that is wall.
    fn rooms_of_regions(
        &self,
        mask: &Mask,
        regions: &Regions,
        labels: &[Label],
        walled: &[f32],
        evidence: Option<&CellEvidence>,
        points_per_inch: f32,
    ) -> Vec<DetectedRoom> {
        let cells = evidence.map(|evidence| evidence.of_regions(mask, regions, labels.len()));
        let first_cells = regions.first_cells(labels.len());
        let tolerance = (TOLERANCE * points_per_inch).max(MIN_TOLERANCE * mask.cell);
        let mut found = Vec::new();
        for (index, label) in labels.iter().enumerate() {
            let Some(first) = first_cells[index] else { continue };
            if !self.scales.holds(label.bbox.center(), points_per_inch) || walled[index] < MIN_ENCLOSED {
                continue;
            }
            let corners = outline::corners(mask, &regions.owner, index as u32 + 1, first, tolerance);
            let area = outline::area(&corners);
            if corners.len() < 3 || !FLOORS.contains(&(area / (points_per_inch * points_per_inch))) {
                continue;
            }
            let scale = self.scales.scale_at(label.bbox.center(), points_per_inch);
            let is_known = index < self.labels.len();
            let evidence = cells.as_ref().map(|cells| RoomEvidence {
                is_known,
                is_unnamed: !is_known && label.name.is_none() && label.number.is_none(),
                has_door: self.has_door(bounding_box(corners.iter().copied()), points_per_inch),
                doors: self.doors.len(),
                square_inches: area / (points_per_inch * points_per_inch),
                cells: cells[index],
            });
            found.push(DetectedRoom {
                name: label.name.clone(),
                number: label.number.clone(),
                polygon: corners.into_iter().map(|corner| self.to_user_space(corner)).collect(),
                area,
                square_metres: scale.map(|scale| area * scale.metres_per_point().powi(2)),
                evidence,
            });
        }
        found
    }

    /// Returns whether a door is at the edge of a box in the sheet's frame.
    fn has_door(&self, bbox: Rect, points_per_inch: f32) -> bool {
        let reach = DOOR_REACH * points_per_inch;
        let around = bbox.expanded(reach, reach);
        self.doors.iter().any(|door| door.intersection(&around).area() > 0.0)
    }

    /// Returns a point of the sheet in user space.
    fn to_user_space(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let point = self.frame.to_user_space(Rect { x1: x, y1: y, x2: x, y2: y });
        (point.x1, point.y1)
    }
}

/// Returns for each space whether one of the labels is in it.
fn spaces_with(mask: &Mask, spaces: &Components, labels: &[Label]) -> Vec<bool> {
    let mut is_labelled = vec![false; spaces.all.len()];
    for space in labels.iter().filter_map(|label| space_of(mask, spaces, label)) {
        is_labelled[space] = true;
    }
    is_labelled
}

/// Returns the space that a label is in.
fn space_of(mask: &Mask, spaces: &Components, label: &Label) -> Option<usize> {
    regions::space_of_label(spaces, &seeds(mask, label))
}

/// Returns whether a space that walls close has a known name, and the network, if it has looked, takes it for a floor.
fn has_named_room(spaces: &Components, is_named: &[bool], floors: Option<&[f32]>) -> bool {
    let named = spaces.all.iter().enumerate().filter(|(at, space)| is_named[*at] && !space.is_outside);
    named.map(|(at, _)| at).any(|at| floors.is_none_or(|floors| floors[at] >= MIN_FLOOR))
}

/// Columns of points in a label's box whose cells are its seeds: a name is longer than it is high.
const SEED_COLUMNS: usize = 8;
/// Rows of those points.
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
