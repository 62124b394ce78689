//! The service's own models: those that have endpoints of their own, whether they are installed or not.

/// Door bounding boxes on floor plans.
pub(crate) const DOOR_DETECTOR: &str = "door-detector";
/// Toilets and plumbing fixtures with their confidence.
pub(crate) const TOILET_DETECTOR: &str = "toilet-detector";
/// Interior elevations.
pub(crate) const ELEVATION_DETECTOR: &str = "elevation-detector";
/// Plumbing fixtures by kind.
pub(crate) const FIXTURE_DETECTOR: &str = "fixture-detector";
/// Rooms with their names and areas.
pub(crate) const ROOM_DETECTOR: &str = "room-detector";
/// Schedules as tables.
pub(crate) const SCHEDULE_EXTRACTOR: &str = "schedule-extractor";
/// What each sheet is.
pub(crate) const DRAWING_CLASSIFIER: &str = "drawing-classifier";
/// The table of contents of a specification.
pub(crate) const TOC_PARSER: &str = "toc-parser";
/// The text and requirements of a specification's sections.
pub(crate) const CONTENT_EXTRACTOR: &str = "content-extractor";

/// All of them, each with the path that its jobs are submitted through.
pub(crate) const OWN: [(&str, &str); 9] = [
    (DOOR_DETECTOR, "/v1/drawings/detection/doors"),
    (TOILET_DETECTOR, "/v1/drawings/detection/toilets"),
    (ELEVATION_DETECTOR, "/v1/drawings/detection/elevation"),
    (FIXTURE_DETECTOR, "/v1/drawings/detection/fixtures"),
    (ROOM_DETECTOR, "/v1/drawings/detection/rooms"),
    (SCHEDULE_EXTRACTOR, "/v1/drawings/schedules"),
    (DRAWING_CLASSIFIER, "/v1/drawings/classify"),
    (TOC_PARSER, "/v1/specs/parse/document"),
    (CONTENT_EXTRACTOR, "/v1/specs/content-extract"),
];

/// The path of a model's own endpoint, where it has one.
pub(crate) fn endpoint(model: &str) -> Option<&'static str> {
    OWN.iter().find(|(name, _)| *name == model).map(|(_, path)| *path)
}
