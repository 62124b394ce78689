//! A small floor plan of lines, drawn for tests, with the places of its windows.

use std::fmt::Write as _;

/// Thickness of the walls in points: 0.3 m at 1:100 has 8.5.
const WALL: f64 = 9.0;

/// The windows of the plan: left, bottom, right and top in points, each through the whole wall.
pub const WINDOWS: [[f64; 4]; 5] = [
    [160.0, 600.0, 205.0, 609.0],
    [300.0, 600.0, 360.0, 609.0],
    [100.0, 440.0, 109.0, 485.0],
    [441.0, 420.0, 450.0, 480.0],
    [180.0, 360.0, 250.0, 369.0],
];

/// The parts of the walls between openings, likewise. The wall inside has a door.
const WALLS: [[f64; 4]; 11] = [
    [100.0, 600.0, 160.0, 609.0],
    [205.0, 600.0, 300.0, 609.0],
    [360.0, 600.0, 450.0, 609.0],
    [100.0, 485.0, 109.0, 600.0],
    [100.0, 360.0, 109.0, 440.0],
    [441.0, 480.0, 450.0, 600.0],
    [441.0, 360.0, 450.0, 420.0],
    [109.0, 360.0, 180.0, 369.0],
    [250.0, 360.0, 441.0, 369.0],
    [270.0, 369.0, 279.0, 460.0],
    [270.0, 490.0, 279.0, 600.0],
];

/// Returns the operators of a page that shows the plan: grey walls, windows with two lines of glass, and a door, a bed, a
/// table and a stair, which are none.
pub fn content() -> String {
    let mut content = String::from("0.7 w 0.75 g\n");
    for wall in WALLS {
        rectangle(&mut content, wall, "B");
    }
    content.push_str("0.4 w\n");
    for window in WINDOWS {
        rectangle(&mut content, window, "S");
        let [left, bottom, right, top] = window;
        for share in [0.4, 0.6] {
            let along_x = right - left > WALL;
            let (x, y) = (left + share * (right - left), bottom + share * (top - bottom));
            let glass = if along_x { [left, y, right, y] } else { [x, bottom, x, top] };
            line(&mut content, glass);
        }
    }
    // The door: its leaf and its swing.
    line(&mut content, [279.0, 460.0, 309.0, 460.0]);
    content.push_str("309 460 m 309 476.6 295.6 490 279 490 c S\n");
    // A bed with its pillow, a table, and the treads of a stair.
    rectangle(&mut content, [120.0, 500.0, 190.0, 560.0], "S");
    rectangle(&mut content, [122.0, 515.0, 138.0, 545.0], "S");
    rectangle(&mut content, [330.0, 500.0, 400.0, 540.0], "S");
    for tread in 0..9 {
        let x = 300.0 + 12.0 * f64::from(tread);
        line(&mut content, [x, 380.0, x, 420.0]);
    }
    content
}

/// Adds a rectangle, painted by an operator.
fn rectangle(content: &mut String, [left, bottom, right, top]: [f64; 4], paint: &str) {
    let _ = writeln!(content, "{left} {bottom} {} {} re {paint}", right - left, top - bottom);
}

/// Adds a line from a point to a point.
fn line(content: &mut String, [x1, y1, x2, y2]: [f64; 4]) {
    let _ = writeln!(content, "{x1} {y1} m {x2} {y2} l S");
}
