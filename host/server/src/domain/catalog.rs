//! The service's own models. Each has an endpoint, whether it is installed or not: one of its own, or that of all models.

/// Detects doors on floor plans.
pub(crate) const DOOR_DETECTOR: &str = "door-detector";
/// Detects toilets and plumbing fixtures.
pub(crate) const TOILET_DETECTOR: &str = "toilet-detector";
/// Detects interior elevations.
pub(crate) const ELEVATION_DETECTOR: &str = "elevation-detector";
/// Detects plumbing fixtures by kind.
pub(crate) const FIXTURE_DETECTOR: &str = "fixture-detector";
/// Detects rooms with their names and areas.
pub(crate) const ROOM_DETECTOR: &str = "room-detector";
/// Detects the views of drawing sheets.
const VIEW_DETECTOR: &str = "view-detector";
/// Reads the text of pages.
pub(crate) const PAGE_TEXT: &str = "page-text";
/// Finds the places that are drawn like a given box.
const SIMILAR_SYMBOLS: &str = "similar-symbols";
/// Extracts schedules as tables.
pub(crate) const SCHEDULE_EXTRACTOR: &str = "schedule-extractor";
/// Classifies drawing sheets.
pub(crate) const DRAWING_CLASSIFIER: &str = "drawing-classifier";
/// Reads the table of contents of a specification.
pub(crate) const TOC_PARSER: &str = "toc-parser";
/// Extracts text and requirements from sections of a specification.
pub(crate) const CONTENT_EXTRACTOR: &str = "content-extractor";

/// A model of the service.
pub(crate) struct OwnModel {
    /// The model's name.
    pub(crate) name: &'static str,
    /// The path that its jobs are submitted to.
    pub(crate) path: &'static str,
}

/// All models of the service.
pub(crate) const OWN: [OwnModel; 12] = [
    OwnModel { name: DOOR_DETECTOR, path: "/v1/drawings/detection/doors" },
    OwnModel { name: TOILET_DETECTOR, path: "/v1/drawings/detection/toilets" },
    OwnModel { name: ELEVATION_DETECTOR, path: "/v1/drawings/detection/elevation" },
    OwnModel { name: FIXTURE_DETECTOR, path: "/v1/drawings/detection/fixtures" },
    OwnModel { name: ROOM_DETECTOR, path: "/v1/drawings/detection/rooms" },
    OwnModel { name: VIEW_DETECTOR, path: "/v1/models/view-detector/jobs" },
    OwnModel { name: PAGE_TEXT, path: "/v1/models/page-text/jobs" },
    OwnModel { name: SIMILAR_SYMBOLS, path: "/v1/models/similar-symbols/jobs" },
    OwnModel { name: SCHEDULE_EXTRACTOR, path: "/v1/drawings/schedules" },
    OwnModel { name: DRAWING_CLASSIFIER, path: "/v1/drawings/classify" },
    OwnModel { name: TOC_PARSER, path: "/v1/specs/parse/document" },
    OwnModel { name: CONTENT_EXTRACTOR, path: "/v1/specs/content-extract" },
];

/// Returns the path of a model's own endpoint, if it has one.
pub(crate) fn endpoint(model: &str) -> Option<&'static str> {
    OWN.iter().find(|own| own.name == model).map(|own| own.path)
}
