//! Boxes of results: left, bottom, right and top in points of user space.

use serde_json::Value;

/// Returns the box of a detection.
pub fn bbox(detection: &Value) -> [f64; 4] {
    ["x1", "y1", "x2", "y2"].map(|side| detection["bbox"][side].as_f64().unwrap())
}

/// Returns the intersection over union of two boxes (Jaccard index).
pub fn intersection_over_union(a: [f64; 4], b: [f64; 4]) -> f64 {
    let intersection = area([a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]);
    intersection / (area(a) + area(b) - intersection)
}

/// Returns the area of a box. Zero if its sides are in the wrong order.
fn area([left, bottom, right, top]: [f64; 4]) -> f64 {
    (right - left).max(0.0) * (top - bottom).max(0.0)
}
