//! Fixtures that an outline alone does not identify, and other things with a fixture's outline. One point is an inch.

use fanlight_detection::symbols::{Fixture, FixtureKind};

use crate::pen::{Page, Place};

/// A page at one point to the inch.
fn page() -> Page {
    Page { note: "1:72", ..Page::new(400.0, 400.0) }
}

fn closed(page: &mut Page, places: &[Place]) {
    let around: Vec<Place> = places.iter().chain(places.first()).copied().collect();
    page.line(&around);
}

fn rectangle(page: &mut Page, [x1, y1, x2, y2]: [f32; 4]) {
    closed(page, &[(x1, y1), (x2, y1), (x2, y2), (x1, y2)]);
}

fn ellipse(page: &mut Page, (x, y): Place, (rx, ry): Place) {
    let at = |step: u8| {
        let (sin, cos) = (f32::from(step) * 15.0).to_radians().sin_cos();
        (x + rx * cos, y + ry * sin)
    };
    closed(page, &(0..24).map(at).collect::<Vec<_>>());
}

fn circle(page: &mut Page, middle: Place, radius: f32) {
    ellipse(page, middle, (radius, radius));
}

/// Returns the likely fixtures of a page on which `draw` draws.
fn likely(draw: fn(&mut Page)) -> Vec<Fixture> {
    let mut page = page();
    draw(&mut page);
    page.plan().fixtures().into_iter().filter(Fixture::is_likely).collect()
}

/// A floor from (100, 100) to (160, 130) that slopes from some of its corners to a grate.
fn floor(page: &mut Page, corners: &[Place]) {
    rectangle(page, [120.0, 112.0, 126.0, 118.0]);
    for &(x, y) in corners {
        page.line(&[(x, y), (if x < 123.0 { 120.0 } else { 126.0 }, if y < 115.0 { 112.0 } else { 118.0 })]);
    }
}

const CORNERS: [Place; 4] = [(100.0, 100.0), (160.0, 100.0), (160.0, 130.0), (100.0, 130.0)];

/// A basin under a counter, from (100, 100) to (118, 113), with a drain.
fn basin(page: &mut Page) {
    rectangle(page, [100.0, 100.0, 118.0, 113.0]);
    circle(page, (109.0, 106.5), 1.0);
}

/// A pan from (100, 100) to (124, 114), round at its lower end, with holes in its middle line.
fn pan(page: &mut Page, holes: &[f32]) {
    let front = (0..=12).map(|step| (90.0 + 15.0 * step as f32).to_radians().sin_cos());
    let front: Vec<Place> = front.map(|(sin, cos)| (107.0 + 7.0 * cos, 107.0 + 7.0 * sin)).collect();
    closed(page, &[&front[..], &[(124.0, 100.0), (124.0, 114.0)]].concat());
    ellipse(page, (109.0, 107.0), (5.5, 4.5));
    for &hole in holes {
        circle(page, (hole, 107.0), 0.8);
    }
}

/// A narrow pan with a slot that lies towards its back.
fn bare_pan(page: &mut Page) {
    for [x1, y1, x2, y2, cut] in [[100.0, 100.0, 126.0, 111.0, 3.0], [103.0, 102.5, 118.5, 108.5, 2.0]] {
        closed(
            page,
            &[
                (x1 + cut, y1),
                (x2 - cut, y1),
                (x2, y1 + cut),
                (x2, y2 - cut),
                (x2 - cut, y2),
                (x1 + cut, y2),
                (x1, y2 - cut),
                (x1, y1 + cut),
            ],
        );
    }
}

/// A bowl of an egg's size with what stands around it.
fn bowl(page: &mut Page, tanks: &[[f32; 4]]) {
    ellipse(page, (110.0, 110.0), (7.0, 9.0));
    for &tank in tanks {
        rectangle(page, tank);
    }
}

#[test]
fn fixtures_are_detected_with_all_their_parts() {
    type Case = (&'static str, fn(&mut Page), FixtureKind, [f32; 4]);
    let cases: [Case; 7] = [
        ("a bidet", |page| pan(page, &[111.0, 121.0]), FixtureKind::Other, [100.0, 100.0, 124.0, 114.0]),
        (
            "a bowl under a counter",
            |page| {
                let corners = [(101.0, 100.0), (129.0, 100.0), (130.0, 101.0), (130.0, 116.0), (129.0, 117.0)];
                closed(page, &[&corners[..], &[(101.0, 117.0), (100.0, 116.0), (100.0, 101.0)]].concat());
                circle(page, (115.0, 108.5), 1.6);
            },
            FixtureKind::Sink,
            [100.0, 100.0, 130.0, 117.0],
        ),
        ("a squat pan without a plate", bare_pan, FixtureKind::Wc, [100.0, 100.0, 126.0, 111.0]),
        ("a floor that falls", |page| floor(page, &CORNERS), FixtureKind::Shower, [100.0, 100.0, 160.0, 130.0]),
        (
            "a floor crossed from corner to corner",
            |page| {
                page.line(&[CORNERS[0], CORNERS[2]]);
                page.line(&[CORNERS[1], CORNERS[3]]);
                circle(page, (130.0, 115.0), 2.0);
            },
            FixtureKind::Shower,
            [100.0, 100.0, 160.0, 130.0],
        ),
        (
            "taps behind a basin",
            |page| {
                basin(page);
                for x in [105.0, 109.0, 113.0] {
                    circle(page, (x, 116.0), 0.8);
                }
            },
            FixtureKind::Lavatory,
            [100.0, 100.0, 118.0, 116.8],
        ),
        (
            "a tank behind a bowl",
            |page| bowl(page, &[[100.0, 119.5, 120.0, 127.0]]),
            FixtureKind::Wc,
            [100.0, 101.0, 120.0, 127.0],
        ),
    ];
    for (what, draw, kind, [x1, y1, x2, y2]) in cases {
        let found = likely(draw);
        let holds = |own: &Fixture| {
            let b = own.bbox;
            let off = [b.x1 - x1, b.y1 - y1, b.x2 - x2, b.y2 - y2];
            own.kind == kind && off.iter().all(|off| off.abs() < 1.0)
        };
        assert!(found.first().is_some_and(holds), "{what}: {found:?}");
    }
}

#[test]
fn things_with_shapes_of_fixtures_are_rejected() {
    type Case = (&'static str, fn(&mut Page));
    let cases: [Case; 6] = [
        ("a refrigerator", |page| {
            rectangle(page, [100.0, 100.0, 136.0, 136.0]);
            page.line(&[(100.0, 133.0), (136.0, 133.0)]);
            page.line(&[(100.0, 100.0), (136.0, 133.0)]);
        }),
        ("leaders to a grate", |page| floor(page, &CORNERS[..2])),
        ("a table among chairs", |page| {
            bowl(page, &[[100.0, 119.5, 120.0, 127.0], [100.0, 93.0, 120.0, 100.5]]);
        }),
        ("a range of four burners", |page| {
            rectangle(page, [100.0, 100.0, 130.0, 124.0]);
            for (x, y) in [(107.0, 106.0), (123.0, 106.0), (107.0, 118.0), (123.0, 118.0)] {
                circle(page, (x, y), 4.0);
                circle(page, (x, y), 1.5);
            }
        }),
        ("a number drawn in strokes", |page| {
            page.line(&[
                (100.0, 112.0),
                (103.0, 116.0),
                (108.0, 117.0),
                (112.0, 113.0),
                (111.0, 108.0),
                (100.0, 101.0),
            ]);
            page.line(&[(100.0, 101.0), (112.0, 101.0)]);
            circle(page, (106.0, 109.0), 13.0);
        }),
        ("letters in ink", |page| {
            bowl(page, &[[100.0, 119.5, 120.0, 127.0]]);
            for style in &mut page.paths.styles {
                style.fill = Some(0);
            }
        }),
    ];
    for (what, draw) in cases {
        let found = likely(draw);
        assert!(found.is_empty(), "{what}: {found:?}");
    }
}

/// Draws a word in strokes; the letter U, at (100, 100), is as high as a water closet is deep.
fn word(page: &mut Page, letters: &[&[Place]]) {
    for (step, letter) in letters.iter().enumerate() {
        let left = 100.0 + 28.0 * (step as f32 - 1.0);
        let places: Vec<Place> = letter.iter().map(|(x, y)| (left + 4.5 * x, 100.0 + 4.5 * y)).collect();
        page.line(&places);
    }
}

#[test]
fn letters_of_a_word_are_no_fixtures() {
    let u: &[Place] = &[(0.0, 6.0), (0.0, 1.0), (1.0, 0.0), (3.0, 0.0), (4.0, 1.0), (4.0, 6.0)];
    let d: &[Place] = &[(0.0, 0.0), (0.0, 6.0), (3.0, 6.0), (4.0, 5.0), (4.0, 1.0), (3.0, 0.0), (0.0, 0.0)];
    let l: &[Place] = &[(0.0, 6.0), (0.0, 0.0), (4.0, 0.0)];
    let n: &[Place] = &[(0.0, 0.0), (0.0, 6.0), (4.0, 0.0), (4.0, 6.0)];
    let likely = |letters: &[&[Place]]| {
        let mut page = page();
        word(&mut page, letters);
        page.plan().fixtures().into_iter().filter(Fixture::is_likely).count()
    };
    assert_eq!(likely(&[&[], u]), 1, "alone");
    assert_eq!(likely(&[d, u, n, l]), 0, "in a word");
    assert_eq!(likely(&[u, u, u, u]), 4, "in a row of its like");
}
