//! The outline of an item, such as a room's: its extent, its area, and how it follows a change.

use serde_json::{Map, Value, json};

use crate::views::page_box::BoxObject;

/// The field of an item that has its outline.
pub(super) const OUTLINE: &str = "polygon";
/// The fields of an item that have the area of its outline, on paper and in the building.
const AREAS: [&str; 2] = ["area_pt2", "area_m2"];

/// A corner, in points of PDF user space.
pub(super) type Corner = [f64; 2];

/// Returns the smallest box around an outline. `None` if the outline crosses or touches itself, or has no area.
pub(super) fn extent(outline: &[Corner]) -> Option<BoxObject> {
    if !outline.iter().flatten().all(|number| number.is_finite()) || !is_simple(outline) {
        return None;
    }
    let first = outline.first()?;
    let start = BoxObject { x1: first[0], y1: first[1], x2: first[0], y2: first[1] };
    Some(outline.iter().fold(start, |BoxObject { x1, y1, x2, y2 }, [x, y]| BoxObject {
        x1: x1.min(*x),
        y1: y1.min(*y),
        x2: x2.max(*x),
        y2: y2.max(*y),
    }))
}

/// Returns whether an outline has an area and no two of its edges meet, but for neighbours in their corner.
///
/// Compares all pairs of edges. The API limits an outline's corners, so a sweep would not pay.
fn is_simple(outline: &[Corner]) -> bool {
    let count = outline.len();
    if count < 3 || area(outline) <= 0.0 {
        return false;
    }
    (0..count).all(|first| {
        let [start, end] = edge(outline, first);
        (first + 1..count).all(|second| {
            let [other_start, other_end] = edge(outline, second);
            if second == first + 1 {
                !folds_back(start, end, other_end)
            } else if first == 0 && second == count - 1 {
                !folds_back(other_start, start, end)
            } else {
                !meet([start, end], [other_start, other_end])
            }
        })
    })
}

/// Returns an outline's edge from the corner at this place to the next one.
fn edge(outline: &[Corner], at: usize) -> [Corner; 2] {
    [outline[at], outline[(at + 1) % outline.len()]]
}

/// Returns whether the edge from `b` to `c` runs back over the one from `a` to `b`, or has no length.
fn folds_back(a: Corner, b: Corner, c: Corner) -> bool {
    let along = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
    turn(a, b, c) == 0.0 && along <= 0.0
}

/// Returns twice the signed area of a triangle: positive if its corners turn left.
fn turn(a: Corner, b: Corner, c: Corner) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Returns whether a point in line with a segment is on it.
fn is_between(start: Corner, end: Corner, point: Corner) -> bool {
    (0..2).all(|axis| start[axis].min(end[axis]) <= point[axis] && point[axis] <= start[axis].max(end[axis]))
}

/// Returns whether two segments have a point in common, by the signs of four triangles.
fn meet([a, b]: [Corner; 2], [c, d]: [Corner; 2]) -> bool {
    let [ab_c, ab_d, cd_a, cd_b] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
    let crosses = ab_c * ab_d < 0.0 && cd_a * cd_b < 0.0;
    crosses
        || ab_c == 0.0 && is_between(a, b, c)
        || ab_d == 0.0 && is_between(a, b, d)
        || cd_a == 0.0 && is_between(c, d, a)
        || cd_b == 0.0 && is_between(c, d, b)
}

/// Returns the area of an outline in square points, by the shoelace formula.
fn area(outline: &[Corner]) -> f64 {
    let next = outline.iter().cycle().skip(1);
    let twice: f64 = outline.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum();
    twice.abs() / 2.0
}

/// Gives an item another outline, and the areas of that.
pub(super) fn replace(item: &mut Map<String, Value>, outline: &[Corner]) {
    let former: Option<Vec<Corner>> = item.get(OUTLINE).and_then(|value| serde_json::from_value(value.clone()).ok());
    let former_area = former.map_or(0.0, |former| area(&former));
    if former_area > 0.0 {
        scale_areas(item, area(outline) / former_area);
    }
    item.insert(OUTLINE.to_owned(), json!(outline));
}

/// Moves and scales an item's outline, and scales its areas, as its box was moved and scaled.
pub(super) fn follow(item: &mut Map<String, Value>, from: BoxObject, to: BoxObject) {
    let (width, height) = (from.x2 - from.x1, from.y2 - from.y1);
    if width <= 0.0 || height <= 0.0 {
        return;
    }
    let (across, up) = ((to.x2 - to.x1) / width, (to.y2 - to.y1) / height);
    for corner in item.get_mut(OUTLINE).and_then(Value::as_array_mut).into_iter().flatten() {
        let numbers: Option<Corner> = serde_json::from_value(corner.clone()).ok();
        if let Some([x, y]) = numbers {
            *corner = json!([to.x1 + (x - from.x1) * across, to.y1 + (y - from.y1) * up]);
        }
    }
    scale_areas(item, across * up);
}

fn scale_areas(item: &mut Map<String, Value>, by: f64) {
    for name in AREAS {
        if let Some(area) = item.get(name).and_then(Value::as_f64) {
            item.insert(name.to_owned(), json!(area * by));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extent_is_the_box_around_all_corners() {
        let ell = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        assert_eq!(extent(&ell), Some(BoxObject { x1: 0.0, y1: 0.0, x2: 4.0, y2: 3.0 }));
    }

    #[test]
    fn corners_in_a_straight_line_are_allowed() {
        let square = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        assert!(extent(&square).is_some());
    }

    #[test]
    fn outlines_that_meet_themselves_have_no_extent() {
        let cases: [(&str, &[Corner]); 6] = [
            ("two corners", &[[0.0, 0.0], [1.0, 1.0]]),
            ("one line", &[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]),
            ("crossed", &[[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 2.0]]),
            ("a spike", &[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [2.0, 5.0], [2.0, 3.0], [0.0, 2.0]]),
            ("a corner twice", &[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]),
            ("not finite", &[[0.0, 0.0], [2.0, 0.0], [f64::NAN, 2.0]]),
        ];
        for (name, outline) in cases {
            assert_eq!(extent(outline), None, "{name}");
        }
    }

    #[test]
    fn a_new_outline_brings_its_areas() {
        let room = json!({"polygon": [[0, 0], [10, 0], [10, 10], [0, 10]], "area_pt2": 100.0, "area_m2": 25.0});
        let Value::Object(mut room) = room else { unreachable!() };
        replace(&mut room, &[[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]]);
        assert_eq!((&room["area_pt2"], &room["area_m2"]), (&json!(50.0), &json!(12.5)));
        assert_eq!(room["polygon"].as_array().unwrap().len(), 3);
    }
}
