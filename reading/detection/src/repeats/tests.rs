use super::*;

/// A basin without symmetry: a counter, a bowl of eight sides and a tap off the middle.
fn basin() -> Vec<(f32, f32, f32, f32)> {
    let mut lines = vec![
        (0.0, 0.0, 24.0, 0.0),
        (24.0, 0.0, 24.0, 16.0),
        (24.0, 16.0, 0.0, 16.0),
        (0.0, 16.0, 0.0, 0.0),
        (5.0, 13.0, 9.0, 13.0),
        (9.0, 13.0, 9.0, 15.0),
    ];
    let corner = |step: u16| {
        let (sine, cosine) = (f32::from(step) * 45.0_f32.to_radians()).sin_cos();
        (13.0 + 7.0 * cosine, 7.0 + 5.0 * sine)
    };
    lines.extend((0..8).map(|step| (corner(step), corner(step + 1))).map(|(a, b)| (a.0, a.1, b.0, b.1)));
    lines
}

const BASIN: Rect = Rect { x1: 100.0, y1: 100.0, x2: 124.0, y2: 116.0 };

/// The basin turned counterclockwise by degrees around its corner, mirrored first, and moved.
fn placed(degrees: f32, is_mirrored: bool, x: f32, y: f32) -> Vec<(f32, f32, f32, f32)> {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let place = |px: f32, py: f32| {
        let px = if is_mirrored { -px } else { px };
        (cosine * px - sine * py + x, sine * px + cosine * py + y)
    };
    let lines = basin().into_iter();
    lines.map(|(ax, ay, bx, by)| (place(ax, ay), place(bx, by))).map(|(a, b)| (a.0, a.1, b.0, b.1)).collect()
}

fn drawn(lines: impl IntoIterator<Item = (f32, f32, f32, f32)>) -> DrawnLines {
    let segment =
        |(ax, ay, bx, by): (f32, f32, f32, f32)| Segment { a: Point::new(ax, ay), b: Point::new(bx, by), inked: true };
    DrawnLines::new(&lines.into_iter().map(segment).collect::<Vec<_>>())
}

fn copies(lines: &DrawnLines, bbox: Rect) -> Vec<Repeat> {
    lines.symbol(bbox).map(|symbol| lines.copies(&symbol)).unwrap_or_default()
}

/// Returns the turns and reflections of the copies, in order of their left edges.
fn found(lines: &DrawnLines) -> Vec<(f32, bool)> {
    let mut copies = copies(lines, BASIN);
    copies.sort_by(|a, b| a.bbox.x1.total_cmp(&b.bbox.x1));
    copies.iter().map(|copy| (copy.turn.round(), copy.mirrored)).collect()
}

#[test]
fn turned_and_mirrored_copies_are_found() {
    let places = [(0.0, false, 100.0), (90.0, false, 200.0), (180.0, true, 300.0), (37.0, false, 400.0)];
    let lines = drawn(places.into_iter().flat_map(|(degrees, is_mirrored, x)| placed(degrees, is_mirrored, x, 100.0)));
    assert_eq!(found(&lines), [(0.0, false), (90.0, false), (180.0, true), (37.0, false)]);
}

#[test]
fn a_copy_lies_where_its_lines_are() {
    let lines = drawn([placed(0.0, false, 100.0, 100.0), placed(90.0, false, 300.0, 200.0)].concat());
    let copy = copies(&lines, BASIN).into_iter().find(|copy| copy.turn == 90.0);
    let expected = Rect { x1: 284.0, y1: 200.0, x2: 300.0, y2: 224.0 };
    let copy = copy.map_or(BASIN, |copy| copy.bbox);
    for (own, expected) in
        [(copy.x1, expected.x1), (copy.y1, expected.y1), (copy.x2, expected.x2), (copy.y2, expected.y2)]
    {
        assert!((own - expected).abs() < 0.2, "{copy:?}");
    }
}

#[test]
fn rounded_coordinates_do_not_hide_a_copy() {
    let rounded = placed(90.0, true, 200.13, 99.91).into_iter().map(|(ax, ay, bx, by)| {
        let round = |value: f32| (value / 0.24).round() * 0.24;
        (round(ax), round(ay), round(bx), round(by))
    });
    assert_eq!(found(&drawn(placed(0.0, false, 100.0, 100.0).into_iter().chain(rounded))).len(), 2);
}

#[test]
fn walls_that_run_on_are_not_of_the_symbol() {
    let wall = |x: f32| (x - 50.0, 116.2, x + 60.0, 116.2);
    let lines = placed(0.0, false, 100.0, 100.0).into_iter().chain(placed(0.0, false, 300.0, 100.0));
    assert_eq!(found(&drawn(lines.chain([wall(100.0)]))).len(), 2);
}

#[test]
fn a_symbol_of_another_form_is_not_a_copy() {
    let smaller = placed(0.0, false, 0.0, 0.0).into_iter();
    let smaller = smaller.map(|(ax, ay, bx, by)| (0.9 * ax + 200.0, 0.9 * ay, 0.9 * bx + 200.0, 0.9 * by));
    let outline = placed(0.0, false, 300.0, 100.0).into_iter().take(4);
    let lines = placed(0.0, false, 100.0, 100.0).into_iter().chain(smaller).chain(outline);
    assert_eq!(found(&drawn(lines)), [(0.0, false)]);
}

#[test]
fn a_place_with_more_drawn_is_not_a_copy() {
    let clutter = (0..20).map(|step| (300.5 + step as f32, 101.0, 300.5 + step as f32, 115.0));
    let lines = placed(0.0, false, 100.0, 100.0).into_iter().chain(placed(0.0, false, 300.0, 100.0)).chain(clutter);
    assert_eq!(found(&drawn(lines)), [(0.0, false)]);
}

#[test]
fn boxes_without_a_symbol_have_no_copies() {
    let lines = drawn(basin());
    for bbox in [
        Rect { x1: 500.0, y1: 500.0, x2: 520.0, y2: 520.0 },
        Rect { x1: 4.5, y1: 12.5, x2: 9.5, y2: 15.5 },
        Rect { x1: 20.0, y1: 20.0, x2: 10.0, y2: 10.0 },
        Rect { x1: f32::NAN, y1: 0.0, x2: 1.0, y2: 1.0 },
    ] {
        assert!(lines.symbol(bbox).is_err(), "{bbox:?}");
    }
}

#[test]
fn a_page_of_equal_strokes_ends_soon() {
    let strokes = (0..300_000).map(|at| {
        let (x, y) = ((at % 600) as f32, (at / 600) as f32);
        (x, y, x + 5.0, y)
    });
    let start = std::time::Instant::now();
    let lines = drawn(strokes);
    assert!(copies(&lines, Rect { x1: 0.0, y1: 0.0, x2: 20.0, y2: 20.0 }).is_empty());
    assert!(start.elapsed().as_secs() < 20);
}
