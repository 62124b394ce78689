//! Finds the rooms of floor plans: what lies between walls, doors' openings closed, with the name and number inside.
//!
//! All of it works in the frame that a sheet is read in, points, y down, on what is drawn as lines and set as text:
//!
//! - `labels`: names and numbers of rooms. `measure`: how large the building is on paper.
//! - `walls`: strips between parallel faces, and where they are cut; `mask`: the plan as a grid of wall and space.
//! - `regions`: which cells are whose room; `outline`: a room's corners.
//! - `plugin`, `result`: the model that the host runs.
//!
//! A room is what a label stands in; on a plan without names, what walls close. A page that is a picture has no lines
//! and yields nothing.

mod labels;
mod mask;
mod measure;
mod outline;
mod plugin;
mod regions;
mod result;
mod walls;

pub use plugin::RoomDetector;
pub use result::{BoundingBox, Partial, Room, Rooms};

use fanlight_layout::{Frame, Page};
use fanlight_linework::pieces;
use fanlight_vocabulary::{Geometry, PagePaths, PageText, Rect};

use labels::Label;
use mask::Mask;

/// A room of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// As printed.
    pub name: Option<String>,
    /// As printed.
    pub number: Option<String>,
    /// Corners in user space of the unrotated page, points.
    pub polygon: Vec<(f32, f32)>,
    /// In square points.
    pub area: f32,
    /// In the building, in square metres, where the sheet says its scale.
    pub square_metres: Option<f32>,
}

impl Found {
    /// Around the polygon.
    pub fn bbox(&self) -> Rect {
        let mut bbox = Rect { x1: f32::MAX, y1: f32::MAX, x2: f32::MIN, y2: f32::MIN };
        for &(x, y) in &self.polygon {
            bbox = Rect { x1: bbox.x1.min(x), y1: bbox.y1.min(y), x2: bbox.x2.max(x), y2: bbox.y2.max(y) };
        }
        bbox
    }

    fn into_room(self, id: String, page: u32) -> Room {
        Room {
            id,
            page,
            bbox: self.bbox().into(),
            polygon: self.polygon.iter().map(|(x, y)| [result::hundredth(*x), result::hundredth(*y)]).collect(),
            name: self.name,
            number: self.number,
            area_pt2: result::hundredth(self.area),
            area_m2: self.square_metres.map(result::hundredth),
        }
    }
}

/// A cell's side in inches: walls are twice as thick.
const CELL: f32 = 1.3;
/// Openings as wide as this are doors whether or not one is drawn, in inches.
const DOOR: f32 = 76.0;
/// What hangs together over less, in inches, is a wall's pier or furniture: a gap beside it is an opening where a door is
/// drawn in it.
const PIER: f32 = 40.0;
/// Openings with a door drawn in them, two leaves included, are no wider than this, in inches.
const DOORS: f32 = 110.0;
/// Openings with lines along most of them are windows or sliding doors, no wider than this, in inches.
const WINDOWS: f32 = 300.0;
const LINED: f32 = 0.7;
/// From a wall's end to a wall across it a door is no wider than this, in inches.
const CORNER: f32 = 50.0;
/// A wall's end is this near to a wall that it was meant to meet, in inches.
const MEETS: f32 = 14.0;
/// Walls hang together over at least this, in inches; columns and furniture don't.
const BUILDING: f32 = 120.0;
/// A room's floor in square inches of the building at least and at most: a closet, a hall.
const AREAS: (f32, f32) = (700.0, 6_000_000.0);
/// A sheet without names of rooms is a plan where so many doors are drawn.
const FEW_DOORS: usize = 3;
/// Without a label, a space is no room that is narrower than this, in inches, or whose floor is smaller, in square inches.
const NARROWEST: f32 = 28.0;
const CLOSET: f32 = 1_600.0;
/// A polygon's corners are off by no more than so many inches, or cells.
const SLACK: (f32, f32) = (2.5, 1.6);
/// A door's candidate counts from this confidence on.
const LIKELY: f32 = 0.4;

/// The rooms of a page, from the top left as it is read. The time it takes grows with what is drawn and, up to a bound,
/// with the page's area.
pub fn find(text: &PageText, paths: &PagePaths, geometry: &Geometry) -> Vec<Found> {
    let page = Page::read(text, geometry);
    let frame = page.frame;
    let sound = frame.width.is_finite() && frame.height.is_finite() && frame.width >= 1.0 && frame.height >= 1.0;
    if !sound {
        return Vec::new();
    }
    let mut labels = labels::find(&page);
    let pieces = pieces(paths, &frame);
    let doors: Vec<Rect> = fanlight_symbols::Plan::read(paths, text, geometry)
        .doors()
        .into_iter()
        .filter(|door| door.confidence >= LIKELY)
        .map(|door| frame.place_box(door.bbox))
        .collect();
    let measure = measure::Measure::of(&page, &doors);
    let scale = measure.points_per_inch;
    let bearings = walls::find(&pieces, &labels::middles(&page), scale, &frame);
    drop(pieces);

    let mut mask = Mask::new(&frame, CELL * scale);
    for bearing in &bearings {
        for strip in &bearing.strips {
            mask.draw(bearing, strip);
        }
    }
    close(&mut mask, &bearings, &doors, scale);
    mask.keep_long(BUILDING * scale);
    let (spaces, parts) = mask.spaces();
    if labels.is_empty() && doors.len() >= FEW_DOORS {
        labels = unlabelled(&mask, &spaces, &parts, &doors, scale);
    }
    let seeds: Vec<Vec<usize>> = labels.iter().map(|label| seeds(&mask, label)).collect();
    let regions = regions::assign(&mask, &spaces, &parts, &seeds);
    rooms(&mask, &regions.owner, &labels, &measure, &frame)
}

/// Closes the openings of doors.
fn close(mask: &mut Mask, bearings: &[walls::Bearing], doors: &[Rect], scale: f32) {
    let (owner, extents) = mask.walls();
    let long = |bearing: &walls::Bearing, strip: &walls::Strip| {
        let middle = bearing.place(f32::midpoint(strip.from, strip.to), f32::midpoint(strip.low, strip.high));
        let wall = mask.at(middle).and_then(|at| owner.get(at)).map_or(0, |owner| *owner as usize);
        wall > 0 && extents.get(wall - 1).is_some_and(|extent| *extent >= PIER * scale)
    };
    let mut closings = Vec::new();
    for (index, bearing) in bearings.iter().enumerate() {
        let is_wall = |along: f32, across: f32| mask.is_wall(bearing.place(along, across));
        for gap in walls::gaps(bearing, WINDOWS * scale, CORNER * scale, is_wall) {
            let strip = gap.strip;
            let wide = strip.to - strip.from;
            let sure = match gap.parted {
                Some([one, other]) => wide <= DOOR * scale && long(bearing, &one) && long(bearing, &other),
                None => wide <= MEETS * scale,
            };
            let middle = bearing.place(f32::midpoint(strip.from, strip.to), f32::midpoint(strip.low, strip.high));
            let slack = 3.0 * scale;
            let hung = |door: &Rect| {
                let inside = door.x1 - slack <= middle.0
                    && middle.0 <= door.x2 + slack
                    && door.y1 - slack <= middle.1
                    && middle.1 <= door.y2 + slack;
                // The opening lies at an edge of the door's box and is as wide as it.
                let long = (door.x2 - door.x1).max(door.y2 - door.y1);
                inside && wide >= 0.5 * long.min(CORNER * scale) && wide <= 1.5 * long
            };
            // A window, or panels that slide.
            let glazed = gap.parted.is_some() && bearing.lined(&strip, MEETS * scale) >= LINED;
            if sure || glazed || (wide <= DOORS * scale && doors.iter().any(hung)) {
                closings.push((index, strip));
            }
        }
    }
    for (index, strip) in closings {
        mask.draw(&bearings[index], &strip);
    }
}

/// Where the sheet has no text that names a room: an empty label for each space that walls close, that is large enough
/// to be one and that a door leads to.
fn unlabelled(mask: &Mask, spaces: &[u32], parts: &[mask::Part], doors: &[Rect], scale: f32) -> Vec<Label> {
    let distance = mask.distances();
    let mut deepest: Vec<(u16, usize)> = vec![(0, 0); parts.len()];
    for (cell, space) in spaces.iter().enumerate() {
        if let Some(deepest) = (*space as usize).checked_sub(1).and_then(|at| deepest.get_mut(at)) {
            *deepest = (*deepest).max((distance[cell], cell));
        }
    }
    // In thirds of a cell from the middle to the wall.
    let least = NARROWEST / 2.0 * scale / mask.cell * 3.0;
    let roomy = |(part, (deep, _)): &(&mask::Part, (u16, usize))| {
        let area = part.cells as f32 * mask.cell * mask.cell / (scale * scale);
        let room = mask.extent(part);
        let touches =
            |door: &Rect| door.x1 <= room.x2 && room.x1 <= door.x2 && door.y1 <= room.y2 && room.y1 <= door.y2;
        !part.outside && f32::from(*deep) >= least && area >= CLOSET && doors.iter().any(touches)
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

/// The cells of a label: what its box covers.
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

fn rooms(mask: &Mask, owner: &[u32], labels: &[Label], measure: &measure::Measure, frame: &Frame) -> Vec<Found> {
    let mut first: Vec<Option<usize>> = vec![None; labels.len()];
    for (cell, own) in owner.iter().enumerate() {
        if let Some(place) = (*own as usize).checked_sub(1).and_then(|at| first.get_mut(at)) {
            place.get_or_insert(cell);
        }
    }
    let scale = measure.points_per_inch;
    let slack = (SLACK.0 * scale).max(SLACK.1 * mask.cell);
    let mut found = Vec::new();
    for (index, label) in labels.iter().enumerate() {
        let Some(first) = first[index] else { continue };
        let corners = outline::corners(mask, owner, index as u32 + 1, first, slack);
        let area = outline::area(&corners);
        let inches = area / (scale * scale);
        if corners.len() < 3 || !(AREAS.0..AREAS.1).contains(&inches) {
            continue;
        }
        let polygon = corners
            .iter()
            .map(|&(x, y)| {
                let point = frame.to_user_space(Rect { x1: x, y1: y, x2: x, y2: y });
                (point.x1, point.y1)
            })
            .collect();
        let square_metres = measure.scale_at(label.middle()).map(|scale| area * scale.metres_per_point().powi(2));
        found.push(Found { name: label.name.clone(), number: label.number.clone(), polygon, area, square_metres });
    }
    found
}
