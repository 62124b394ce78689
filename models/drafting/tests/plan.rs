//! Compares the ground truth of synthetic plans with what the PDF engine reads from their files.

use std::collections::{BTreeMap, BTreeSet};

use drafting::plan::{self, Catalogue, DoorKind, FixtureKind, LeftOut, State, Style, SyntheticSheet, styles};

type Box4 = [f32; 4];

/// The paths of a page by operators and coordinates in hundredths of a point, with their count and
/// extent.
type Paths = BTreeMap<(Vec<u8>, Vec<i64>), (usize, Box4)>;

#[expect(clippy::unwrap_used, reason = "a drafted file that doesn't open is a failure")]
fn paths(pdf: &[u8]) -> Paths {
    let document = pdf_engine::Document::open(pdf.to_vec()).unwrap();
    let read = document.page(1).unwrap().paths();
    let mut paths = Paths::new();
    let (mut op, mut coordinate) = (0, 0);
    for &length in &read.lengths {
        let ops = read.ops[op..op + length as usize].to_vec();
        op += ops.len();
        let count: usize = ops.iter().map(|op| [2, 2, 6, 0][usize::from(*op)]).sum();
        let numbers = &read.coordinates[coordinate..coordinate + count];
        coordinate += count;
        let extent = extent(&ops, numbers);
        let key = numbers.iter().map(|number| (f64::from(*number) * 100.0).round() as i64).collect();
        paths.entry((ops, key)).or_insert((0, extent)).0 += 1;
    }
    paths
}

fn extent(ops: &[u8], numbers: &[f32]) -> Box4 {
    let mut bounds = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
    let mut add = |x: f32, y: f32| {
        bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
    };
    let (mut at, mut next) = ((0.0, 0.0), 0);
    for op in ops {
        match op {
            0 | 1 => {
                at = (numbers[next], numbers[next + 1]);
                add(at.0, at.1);
                next += 2;
            }
            2 => {
                let point = |index: usize| (numbers[next + 2 * index], numbers[next + 2 * index + 1]);
                let (a, b, to) = (point(0), point(1), point(2));
                for step in 0..=32 {
                    let t = step as f32 / 32.0;
                    let s = 1.0 - t;
                    let mix = |p: f32, q: f32, r: f32, u: f32| {
                        s * s * s * p + 3.0 * s * s * t * q + 3.0 * s * t * t * r + t * t * t * u
                    };
                    add(mix(at.0, a.0, b.0, to.0), mix(at.1, a.1, b.1, to.1));
                }
                at = to;
                next += 6;
            }
            _ => {}
        }
    }
    bounds
}

/// Returns the extents of the paths that only the first file has.
fn only_in(whole: &Paths, part: &Paths) -> Vec<Box4> {
    let rest = |key, count: usize| count - part.get(key).map_or(0, |(count, _)| *count).min(count);
    whole.iter().flat_map(|(key, (count, extent))| vec![*extent; rest(key, *count)]).collect()
}

fn inside(inner: Box4, outer: Box4, tolerance: f32) -> bool {
    inner[0] >= outer[0] - tolerance
        && inner[1] >= outer[1] - tolerance
        && inner[2] <= outer[2] + tolerance
        && inner[3] <= outer[3] + tolerance
}

/// Returns whether a path is no further from a box than the box is long.
fn is_beside(ink: Box4, bbox: Box4) -> bool {
    inside(ink, bbox, 1.1 * (bbox[2] - bbox[0]).max(bbox[3] - bbox[1]))
}

/// Small sheets of all style presets and of some random styles.
fn samples() -> Vec<(String, Style)> {
    let named = styles().into_iter().map(|(name, style)| (name.to_owned(), style));
    named.chain((1..=12).map(|seed| (format!("random-{seed}"), Style::random(seed)))).collect()
}

/// Checks that boxes enclose their symbols. `reaching` are boxes whose symbols are drawn beyond
/// them.
fn check_boxes(drafted: &SyntheticSheet, without: &SyntheticSheet, boxes: &[Box4], reaching: &[Box4], name: &str) {
    assert_eq!(drafted.truth, without.truth, "{name}: the truth doesn't depend on what is left out");
    let ink = only_in(&paths(&drafted.pdf), &paths(&without.pdf));
    assert!(boxes.is_empty() || !ink.is_empty(), "{name}");
    for extent in &ink {
        let is_held = boxes.iter().any(|bbox| inside(*extent, *bbox, 0.1));
        assert!(is_held || reaching.iter().any(|bbox| is_beside(*extent, *bbox)), "{name}: {extent:?} is in no box");
    }
    for bbox in boxes {
        // What is drawn in a box fills it along one side, or most of it if a folded door leaves its
        // opening free: the box is not just large enough for everything.
        let own: Vec<Box4> = ink.iter().copied().filter(|extent| inside(*extent, *bbox, 0.1)).collect();
        if own.is_empty() && reaching.contains(bbox) {
            continue;
        }
        let along = |low: usize, high: usize| {
            let from = own.iter().map(|extent| extent[low]).fold(f32::MAX, f32::min);
            let to = own.iter().map(|extent| extent[high]).fold(f32::MIN, f32::max);
            (to - from) / (bbox[high] - bbox[low]).max(0.01)
        };
        assert!(along(0, 2).max(along(1, 3)) > 0.6, "{name}: {bbox:?} is larger than its ink {own:?}");
    }
}

#[test]
fn boxes_of_doors_hold_the_ink_of_doors_and_no_more() {
    for (name, style) in samples() {
        let drafted = plan::generate(&style, 7);
        let doors = &drafted.truth.doors;
        let boxes: Vec<Box4> = doors.iter().map(|door| door.bbox).collect();
        let reaching: Vec<Box4> = doors.iter().filter(|door| door.kind.stays_in_wall()).map(|door| door.bbox).collect();
        check_boxes(&drafted, &plan::generate_without(&style, 7, LeftOut::Doors), &boxes, &reaching, &name);
    }
}

#[test]
fn boxes_of_fixtures_hold_the_ink_of_fixtures_and_no_more() {
    for (name, style) in samples() {
        for catalogue in [Catalogue::Common, Catalogue::Rarer] {
            let style = Style { catalogue, ..style.clone() };
            let drafted = plan::generate(&style, 7);
            let boxes: Vec<Box4> = drafted.truth.fixtures.iter().map(|fixture| fixture.bbox).collect();
            check_boxes(&drafted, &plan::generate_without(&style, 7, LeftOut::Fixtures), &boxes, &[], &name);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for (name, style) in samples() {
        assert_eq!(plan::generate(&style, 3).pdf, plan::generate(&style, 3).pdf, "{name}");
        assert_ne!(plan::generate(&style, 3).pdf, plan::generate(&style, 4).pdf, "{name}");
    }
}

#[test]
fn all_kinds_of_doors_and_fixtures_are_drafted() {
    let mut doors: BTreeMap<String, usize> = BTreeMap::new();
    let mut fixtures: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut opened = BTreeSet::new();
    let mut states = BTreeSet::new();
    for seed in 1..=40 {
        let rarer = Style { catalogue: Catalogue::Rarer, ..Style::random(seed) };
        for style in [Style::random(seed), rarer, styles()[seed as usize % styles().len()].1.clone()] {
            let truth = plan::generate(&style, seed).truth;
            for door in truth.doors {
                *doors.entry(format!("{:?}", door.kind)).or_default() += 1;
                if door.kind == DoorKind::Single {
                    opened.insert(door.opened as u32);
                }
                states.insert(format!("{:?}", door.state));
            }
            for fixture in truth.fixtures {
                fixtures.entry(format!("{:?}", fixture.kind)).or_default().insert(fixture.form);
            }
        }
    }
    for kind in [
        DoorKind::Single,
        DoorKind::Double,
        DoorKind::Uneven,
        DoorKind::DoubleActing,
        DoorKind::DoubleActingPair,
        DoorKind::DoubleEgress,
        DoorKind::Sliding,
        DoorKind::Surface,
        DoorKind::Pocket,
        DoorKind::Bifold,
        DoorKind::BifoldPair,
        DoorKind::Accordion,
        DoorKind::Overhead,
        DoorKind::Revolving,
        DoorKind::Stall,
    ] {
        let count = doors.get(&format!("{kind:?}")).copied().unwrap_or_default();
        assert!(count >= 3, "{kind:?}: {count} in {doors:?}");
    }
    for kind in [
        FixtureKind::Wc,
        FixtureKind::SquatWc,
        FixtureKind::Urinal,
        FixtureKind::Lavatory,
        FixtureKind::Sink,
        FixtureKind::Mop,
        FixtureKind::Bathtub,
        FixtureKind::Shower,
        FixtureKind::Other,
    ] {
        let forms = fixtures.get(&format!("{kind:?}")).map_or(0, BTreeSet::len);
        assert!(forms >= 7, "{kind:?}: {forms} forms");
    }
    for degrees in [30, 45, 60, 90, 180] {
        assert!(opened.contains(&degrees), "no door stands open by {degrees} degrees");
    }
    assert_eq!(states.len(), [State::New, State::Existing, State::Demolished].len());
}

#[test]
fn everything_lies_on_the_sheet_and_scales_are_true() {
    for (name, style) in samples() {
        let truth = plan::generate(&style, 5).truth;
        assert!(truth.doors.len() > 1, "{name}");
        for door in truth.doors.iter().filter(|door| door.kind == DoorKind::Single && door.opened == 90.0) {
            // Leaf and swing make a square, apart from the thickness of the wall, whatever the
            // rotation.
            if style.turn % 90 == 0 && style.jamb == plan::Jamb::Absent {
                let sides = [door.bbox[2] - door.bbox[0], door.bbox[3] - door.bbox[1]];
                let least = sides[0].min(sides[1]);
                let leaf = door.width * truth.views[0].points_per_inch;
                let enlarged = truth.views.get(1).map_or(leaf, |view| door.width * view.points_per_inch);
                assert!((least - leaf).abs() < 0.1 || (least - enlarged).abs() < 0.1, "{name}: {least} {leaf}");
            }
        }
        for region in &truth.ignore_regions {
            assert!(inside(region.bbox, truth.media_box, 0.0), "{name}: {region:?}");
            let counted = truth.doors.iter().filter(|door| inside(door.bbox, region.bbox, 0.0)).count();
            assert_eq!(counted, 0, "{name}: doors in {}", region.kind);
        }
    }
}
