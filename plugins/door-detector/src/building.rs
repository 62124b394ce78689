//! Door candidates of the building, without those of key plans, legends, schedules and drawings of door types.

use fanlight_detection::detector::Detection;
use fanlight_detection::symbols::{Door, Plan, Scales};
use fanlight_plugin::vocabulary::{Geometry, PagePaths, PageText};
use fanlight_sheet::parts::Parts;

/// What a page proposes as doors of the building.
pub struct Candidates {
    /// By the page's lines, the most confident first.
    pub doors: Vec<Door>,
    /// By the detector network, the most confident first; `None` without the network.
    pub detections: Option<Vec<Detection>>,
    /// The page's lines.
    pub plan: Plan,
}

/// Detects the door candidates of the building on a page.
///
/// `detect` runs the detector network at the scales of the page's plans.
pub fn candidates(
    paths: &PagePaths,
    text: &PageText,
    geometry: &Geometry,
    detect: impl FnOnce(&Scales) -> Option<Vec<Detection>>,
) -> Candidates {
    let plan = Plan::read(paths, text, geometry);
    let (mut doors, mut detections) = (plan.doors(), detect(&plan.scales()));
    if let Some(detections) = &mut detections {
        detections.retain(|detection| detection.class.is_door());
    }
    if doors.is_empty() && detections.iter().flatten().next().is_none() {
        return Candidates { doors, detections, plan };
    }
    let parts = Parts::find(paths, text, geometry);
    doors.retain(|door| parts.kind_at(door.bbox).is_none());
    if let Some(detections) = &mut detections {
        detections.retain(|detection| parts.kind_at(detection.bbox).is_none());
    }
    Candidates { doors, detections, plan }
}
