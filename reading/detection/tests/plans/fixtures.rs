//! Fixtures that an outline alone does not identify, and other things with a fixture's outline. One point is an inch.

use fanlight_detection::symbols::{Fixture, FixtureKind};

use crate::pen::{Page, Place};

/// A page at one point to the inch.
fn page() -> Page {
    Page { note: "SCALE 1:72", ..Page::new(400.0, 400.0) }
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
    let cases: [Case; 3] = [
        (
            "a floor that falls to its drain",
            |page| {
                rectangle(page, [100.0, 100.0, 136.0, 136.0]);
                page.line(&[(100.0, 100.0), (136.0, 136.0)]);
                page.line(&[(136.0, 100.0), (100.0, 136.0)]);
                circle(page, (118.0, 118.0), 2.0);
            },
            FixtureKind::Shower,
            [100.0, 100.0, 136.0, 136.0],
        ),
        (
            "a bowl with a drain in a rim",
            |page| {
                rectangle(page, [100.0, 100.0, 122.0, 118.0]);
                ellipse(page, (111.0, 108.0), (8.0, 6.0));
                circle(page, (111.0, 108.0), 1.0);
            },
            FixtureKind::Lavatory,
            [100.0, 100.0, 122.0, 118.0],
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
fn leaders_to_a_grate_are_no_shower() {
    let found = likely(|page| floor(page, &CORNERS[..2]));
    assert!(found.is_empty(), "{found:?}");
}
