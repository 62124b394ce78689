//! What may be a door of the building, and not of a key plan, a legend, a schedule or a drawing of types.

use fanlight_detection::symbols::{Door, Plan};
use fanlight_plugin::vocabulary::{Geometry, PagePaths, PageText};
use fanlight_sheet::parts::Parts;

/// All that may be doors of the building on a page, the likeliest first.
pub fn doors(paths: &PagePaths, text: &PageText, geometry: &Geometry) -> Vec<Door> {
    let mut doors = Plan::read(paths, text, geometry).doors();
    if !doors.is_empty() {
        let parts = Parts::find(paths, text, geometry);
        doors.retain(|door| parts.holding(door.bbox).is_none());
    }
    doors
}
