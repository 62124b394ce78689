//! Pages that no draughtsman drew: each has a clear answer, in bounded time.

use std::time::{Duration, Instant};

use elevation_detector::find;
use fanlight_typewriter::odd;

/// Generous: a machine that tests in parallel needs a tenth of this.
const BOUND: Duration = Duration::from_secs(30);

/// How many elevations a page has, and how long it took.
fn found(file: Vec<u8>) -> Result<(usize, Duration), String> {
    let document = pdf_engine::Document::open(file).map_err(|error| format!("{error:?}"))?;
    let page = document.page(1).map_err(|error| format!("{error:?}"))?;
    let (text, paths, geometry) = (page.text(), page.paths(), page.geometry());
    let started = Instant::now();
    Ok((find(&text, &paths, &geometry).len(), started.elapsed()))
}

#[test]
fn what_shows_nothing_has_no_elevations() -> Result<(), String> {
    for (what, file) in odd::blank() {
        let (count, took) = found(file)?;
        assert_eq!(count, 0, "{what}");
        assert!(took < BOUND, "{what}: {took:?}");
    }
    Ok(())
}

#[test]
fn crowded_sheets_take_bounded_time() -> Result<(), String> {
    let titles = ["1:50", "KITCHEN ELEVATION", "SCALE: 1/4\\\" = 1'-0\\\"", "NORTH"];
    for (what, file) in odd::crowded(titles) {
        let (_, took) = found(file)?;
        assert!(took < BOUND, "{what}: {took:?}");
    }
    Ok(())
}
