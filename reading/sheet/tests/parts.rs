//! Drafted plans, whose key plans, legends and door types are known: they are found, and nothing of the plans is lost.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::BTreeMap;

use drafting::plan::{Style, Truth, generate, styles};
use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;
use fanlight_sheet::parts::Parts;

/// The share of a part's area that must be found.
const FOUND: f32 = 0.7;

/// What was found of each kind of region that does not count: how many, of how many.
type Counts = BTreeMap<String, (usize, usize)>;

fn rect([x1, y1, x2, y2]: [f32; 4]) -> Rect {
    Rect { x1, y1, x2, y2 }
}

/// The share of a box that parts cover, at most: the best of them.
fn covered(region: [f32; 4], parts: &Parts) -> f32 {
    let region = rect(region);
    let most = parts.iter().map(|part| part.bbox.intersection_area(&region)).fold(0.0, f32::max);
    most / region.signed_area().max(1.0)
}

fn check(name: &str, style: &Style, seed: u64, counts: &mut Counts) {
    let drafted = generate(style, seed);
    let document = pdf_engine::Document::open(drafted.pdf).unwrap();
    let page = document.page(1).unwrap();
    let parts = Parts::find(&page.paths(), &page.text(), &page.geometry());
    let Truth { doors, fixtures, ignore_regions, .. } = drafted.truth;
    let boxes = doors.iter().map(|door| door.bbox).chain(fixtures.iter().map(|fixture| fixture.bbox));
    for bbox in boxes {
        let held = parts.kind_at(rect(bbox));
        assert_eq!(held, None, "{name} {seed}: something of the plan at {bbox:?} is held by {parts:?}");
    }
    for region in ignore_regions {
        let (found, of) = counts.entry(region.kind.clone()).or_default();
        let is_found = covered(region.bbox, &parts) >= FOUND;
        if !is_found {
            eprintln!("{name} {seed}: {} at {:?} is not found", region.kind, region.bbox);
        }
        *found += usize::from(is_found);
        *of += 1;
    }
}

#[test]
fn key_plans_legends_and_types_are_found_and_no_door_or_fixture_of_a_plan_is_lost() {
    let mut counts = Counts::new();
    for (seed, (name, style)) in (1..).zip(styles()) {
        check(name, &style, seed, &mut counts);
    }
    for seed in 700..720 {
        check("mixture", &Style::random(seed), seed, &mut counts);
    }
    eprintln!("{counts:?}");
    for kind in ["key-plan", "legend", "door-types"] {
        let (found, of) = counts.get(kind).copied().unwrap_or_default();
        assert!(of > 0 && found * 10 >= of * 8, "{kind}: {found} of {of}");
    }
}
