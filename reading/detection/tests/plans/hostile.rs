//! Hostile pages: detection ends in bounded time, whatever the result.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::time::Duration;

use crate::pen::Page;

/// Most processor time for a page, far more than is needed.
const MOST: Duration = Duration::from_mins(1);

/// Returns this thread's processor time, which does not depend on the load of the machine.
fn processor_time() -> Duration {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(statistics.split_whitespace().next().unwrap().parse().unwrap())
}

/// Pseudo-random numbers, the same at each run.
fn strewn(seed: u32, most: u32) -> f32 {
    (seed.wrapping_mul(2_654_435_761) >> 8) as f32 % most as f32
}

#[test]
fn hostile_pages_end_in_bounded_time() {
    let mut million = Page::new(3456.0, 2592.0);
    for n in 0..500_000 {
        let (x, y) = (strewn(n, 3456), strewn(n ^ 0x5555, 2592));
        million.line(&[(x, y), (x + 3.0, y + 1.0), (x + 5.0, y + 3.0)]);
    }
    let mut heap = Page::new(3456.0, 2592.0);
    for n in 0..300_000 {
        let angle = strewn(n, 360);
        let (sin, cos) = angle.to_radians().sin_cos();
        heap.line(&[(1000.0, 1000.0), (1000.0 + 40.0 * cos, 1000.0 + 40.0 * sin)]);
    }
    let mut arcs = Page::new(3456.0, 2592.0);
    for n in 0..120_000 {
        let (x, y) = (strewn(n, 60) + 900.0, strewn(n ^ 0x3333, 60) + 900.0);
        arcs.curve([(x + 40.0, y), (x + 40.0, y + 22.0), (x + 22.0, y + 40.0), (x, y + 40.0)]);
    }
    let mut lattice = Page::new(3456.0, 2592.0);
    for n in 0..5_000 {
        lattice.line(&[(0.0, n as f32 * 0.5), (3456.0, n as f32 * 0.5)]);
        lattice.line(&[(n as f32 * 0.7, 0.0), (n as f32 * 0.7, 2592.0)]);
    }
    let mut point = Page::new(1.0, 1.0);
    point.curve([(1.0, 0.0), (1.0, 0.55), (0.55, 1.0), (0.0, 1.0)]);
    let mut huge = Page::new(14_400.0, 14_400.0);
    huge.line(&[(0.0, 0.0), (14_400.0, 14_400.0)]);
    huge.curve([(9_000.0, 0.0), (9_000.0, 5_000.0), (5_000.0, 9_000.0), (0.0, 9_000.0)]);
    let mut unbounded = Page::new(612.0, 792.0);
    unbounded.line(&[(f32::NAN, 1.0), (2.0, f32::INFINITY), (3.0, 3.0)]);
    unbounded.curve([(1.0e30, 0.0), (f32::MAX, f32::MAX), (-1.0e30, 4.0), (0.0, f32::NEG_INFINITY)]);
    unbounded.line(&[(-1.0e30, 5.0), (1.0e30, 5.0)]);
    let mut broken = Page::new(612.0, 792.0);
    broken.line(&[(10.0, 10.0), (50.0, 10.0)]);
    broken.paths.lengths.push(1000);
    broken.paths.style_of.push(7);
    broken.paths.ops.extend([2, 2, 3, 9, 1]);
    let nowhere = Page::new(f32::NAN, 792.0);
    let pages = [
        ("a million segments", million),
        ("300,000 lines from one point", heap),
        ("120,000 arcs in one place", arcs),
        ("10,000 lines across the page", lattice),
        ("an empty page", Page::new(612.0, 792.0)),
        ("a page of one point", point),
        ("a page of 200 in", huge),
        ("numbers that are none", unbounded),
        ("columns that end early", broken),
        ("a page of no size", nowhere),
    ];
    for (what, mut page) in pages {
        page.note = "1 : 50";
        let before = processor_time();
        let plan = page.plan();
        let (doors, fixtures) = (plan.doors().len(), plan.fixtures().len());
        let took = processor_time().saturating_sub(before);
        eprintln!("{what}: {took:?}, {doors} and {fixtures} candidates");
        assert!(took < MOST, "{what} took {took:?}");
    }
}
