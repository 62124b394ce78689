//! Pages that no draughtsman drew: each has a clear answer, in bounded time.

use std::time::{Duration, Instant};

use elevation_detector::detect;
use fanlight_sheet::views::network_input::CLASSES;
use native::NativePage;
use text_fixture::odd;

/// Generous: a machine that tests in parallel needs a tenth of this.
const BOUND: Duration = Duration::from_secs(30);

/// Returns how many elevations a page has for a network that can't tell anything apart, and how long it took.
fn found(file: Vec<u8>) -> Result<(usize, Duration), String> {
    let page = NativePage::open(file, 1).map_err(|error| format!("{error:?}"))?;
    let started = Instant::now();
    let count = detect(&page, |_, _| Some(vec![0.0; CLASSES.len()])).len();
    Ok((count, started.elapsed()))
}

#[test]
fn what_shows_nothing_has_no_elevations() -> Result<(), String> {
    for (what, file) in odd::blank().into_iter().chain(odd::pictured()) {
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

#[test]
fn without_the_network_there_are_no_elevations() -> Result<(), String> {
    let (_, style) = drafting::elevation::styles().into_iter().next().ok_or("no style")?;
    let sheet = drafting::elevation::generate(&style, 1);
    let page = NativePage::open(sheet.pdf, 1).map_err(|error| format!("{error:?}"))?;
    let mut calls = 0;
    let boxes = detect(&page, |_, _| {
        calls += 1;
        None
    });
    assert_eq!((boxes.len(), calls), (0, 1), "it is asked once and not again");
    Ok(())
}
