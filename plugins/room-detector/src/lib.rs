//! Detects the rooms of floor plans: regions between walls, with door openings closed, and the name and number inside.
//!
//! All modules work in the reading frame of a sheet, in points with y down, on lines and text:
//!
//! - `content`: what is read of a page, by OCR and networks if it is a scan;
//! - `sheet`: the rooms of a sheet at one scale, from all that follows;
//! - `floors`: what a network sees on the picture of the page, cell by cell;
//! - `labels`: names and numbers of rooms;
//! - `dimensions`: the scale by printed lengths beside their lines;
//! - `walls`: strips between parallel faces, and their gaps; `mask`: the plan as a grid of wall and space;
//! - `openings`: which gaps in walls separate two rooms;
//! - `regions`: assigns cells to rooms; `unlabelled`: rooms without a known name; `outline`: a room's corners;
//! - `likelihood`: how likely a region is a room;
//! - `plugin`, `result`: the model that the host runs.
//!
//! A room is the region around a label or, without a known name, a region that walls enclose and the network takes for a
//! floor.

mod content;
mod dimensions;
mod floors;
mod labels;
mod likelihood;
mod mask;
mod openings;
mod outline;
mod plugin;
mod regions;
mod result;
mod sheet;
mod unlabelled;
mod walls;

pub use content::PageContent;
pub use floors::FloorMap;
pub use likelihood::{FEATURES, RegionCells, RoomEvidence};
pub use plugin::RoomDetector;
pub use result::{Room, Rooms};

use fanlight_contract::Rect;
use fanlight_geometry::{Segment, bounding_box, segments};
use fanlight_plugin::hundredth;
use fanlight_sheet::scale::PlanScales;
use fanlight_text::{Frame, Page};

use sheet::Sheet;

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
    /// What is known of its region, if the network has looked.
    pub evidence: Option<RoomEvidence>,
}

impl DetectedRoom {
    /// Returns whether it is likely to be a room. Without the network only regions with a name are found, and all are likely.
    fn is_likely(&self) -> bool {
        self.evidence.is_none_or(|evidence| evidence.likelihood() >= MIN_LIKELIHOOD)
    }

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

/// A noted scale holds if the dimensions' differs by no more, as a natural logarithm. Set by hand: dimensions are rounded.
const SAME_SCALE: f32 = 0.03;
/// Least doors that say something of a sheet: what its scale is, and that it shows a plan. Set by hand.
const MIN_DOORS: usize = 3;

/// Least likelihood of a room. Of 0.15 to 0.35, 0.25 does best on plans with an open licence, each office left out.
const MIN_LIKELIHOOD: f32 = 0.25;

/// The rooms of a page, and what they were detected by.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// From the top left in reading order.
    pub rooms: Vec<DetectedRoom>,
    /// Regions that are unlikely to be rooms.
    pub unlikely: Vec<DetectedRoom>,
    /// Where the names of rooms are printed, in user space of the unrotated page, points.
    pub names: Vec<Rect>,
    /// The boxes of the doors that decide on openings and on the scale, in user space of the unrotated page, points.
    pub doors: Vec<Rect>,
    /// The scales of its plans in points of paper per inch of the building.
    pub points_per_inch: Vec<f32>,
}

/// Detects the rooms of a page, and returns what they were detected by as well.
///
/// `floors` looks at the page at a scale, in points of paper per inch of the building; it returns `None` if it cannot. The
/// time grows with what is drawn and, up to a bound, with the page's area.
pub fn analyze(content: &PageContent, mut floors: impl FnMut(f32) -> Option<FloorMap>) -> Analysis {
    let PageContent { text, paths, geometry, doors } = content;
    let page = Page::read(text, geometry);
    let frame = page.frame;
    if !is_readable(&frame) {
        return Analysis::default();
    }
    let labels = labels::detect(&page);
    let segments = segments(paths, &frame);
    let doors: Vec<Rect> = doors.iter().map(|door| frame.place_box(*door)).collect();
    let mut scales = PlanScales::new(&page, &doors);
    settle_scale(&mut scales, &page, &segments, &doors);
    let sheet = Sheet { frame, labels: labels.sure, possible: labels.possible, doors, scales };
    let rooms = sheet.scales.points_per_inch.iter().flat_map(|scale| {
        let floors = floors(*scale);
        sheet.rooms(&segments, *scale, floors.as_ref())
    });
    let (rooms, unlikely) = rooms.partition(DetectedRoom::is_likely);
    let in_user_space = |bbox: &Rect| frame.to_user_space(*bbox);
    Analysis {
        rooms,
        unlikely,
        names: sheet.labels.iter().chain(&sheet.possible).map(|label| in_user_space(&label.bbox)).collect(),
        doors: sheet.doors.iter().map(in_user_space).collect(),
        points_per_inch: sheet.scales.points_per_inch,
    }
}

/// Lets the dimensions of a plan decide on its scale, which they state more exactly than its doors.
fn settle_scale(scales: &mut PlanScales, page: &Page, segments: &[Segment], doors: &[Rect]) {
    let [known] = scales.points_per_inch[..] else { return };
    let by_doors = (doors.len() >= MIN_DOORS).then_some(known);
    let dimensioned = dimensions::points_per_inch(page, segments, by_doors);
    if let Some(own) = dimensioned
        && (own / known).ln().abs() > SAME_SCALE
    {
        scales.points_per_inch = vec![own];
    }
}

/// Returns whether a page has a usable size.
fn is_readable(frame: &Frame) -> bool {
    frame.width.is_finite() && frame.height.is_finite() && frame.width >= 1.0 && frame.height >= 1.0
}
