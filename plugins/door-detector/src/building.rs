//! Door candidates of the building, without those of key plans, legends, schedules and drawings of door types.

use fanlight_detection::symbols::{Door, Plan};
use fanlight_plugin::vocabulary::{Geometry, PagePaths, PageText};
use fanlight_sheet::parts::Parts;

/// Detects the door candidates of the building on a page, the most confident first.
pub fn doors(paths: &PagePaths, text: &PageText, geometry: &Geometry) -> Vec<Door> {
    let mut doors = Plan::read(paths, text, geometry).doors();
    if !doors.is_empty() {
        let parts = Parts::find(paths, text, geometry);
        doors.retain(|door| parts.kind_at(door.bbox).is_none());
    }
    doors
}
