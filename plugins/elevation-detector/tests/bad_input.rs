//! Pages that no draughtsman drew: each has a clear answer, in bounded time.

use std::time::{Duration, Instant};

use drafting::elevation::{generate, styles};
use elevation_detector::{detect, detect_drawn};
use fanlight_contract::Rect;
use fanlight_sheet::view_segmentation::{COLUMNS, PLANES, ROWS};
use native::NativePage;
use text_fixture::odd;

/// Generous: a machine that tests in parallel needs a tenth of this.
const BOUND: Duration = Duration::from_secs(30);

/// How many elevations a page has, and how long it took.
fn found(file: Vec<u8>) -> Result<(usize, Duration), String> {
    let document = pdf_engine::Document::open(file).map_err(|error| format!("{error:?}"))?;
    let page = document.page(1).map_err(|error| format!("{error:?}"))?;
    let (text, paths, geometry) = (page.text(), page.paths(), page.geometry());
    let started = Instant::now();
    Ok((detect_drawn(&text, &paths, &geometry).len(), started.elapsed()))
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

#[test]
fn pictures_that_show_nothing_have_no_elevations() -> Result<(), String> {
    // Without the network, and with one that can't tell.
    let unsure = || Some(vec![0.0; PLANES * ROWS * COLUMNS]);
    for (what, file) in odd::pictured() {
        let page = NativePage::open(file, 1).map_err(|error| format!("{error:?}"))?.with_ocr();
        for mapped in [None, unsure()] {
            let started = Instant::now();
            assert!(detect(&page, |_| mapped).is_empty(), "{what}");
            assert!(started.elapsed() < BOUND, "{what}: {:?}", started.elapsed());
        }
    }
    Ok(())
}

#[test]
fn lines_that_end_nowhere_leave_the_elevations() -> Result<(), String> {
    let (_, style) = styles().into_iter().next().ok_or("no style")?;
    let document = pdf_engine::Document::open(generate(&style, 1).pdf).map_err(|error| format!("{error:?}"))?;
    let page = document.page(1).map_err(|error| format!("{error:?}"))?;
    let (text, mut paths, geometry) = (page.text(), page.paths(), page.geometry());
    let corners = |found: Vec<Rect>| -> Vec<[f32; 4]> { found.iter().map(|r| [r.x1, r.y1, r.x2, r.y2]).collect() };
    let whole = corners(detect_drawn(&text, &paths, &geometry));
    assert!(!whole.is_empty());
    // Lines of their own, after all others.
    for broken in [f32::NAN, f32::INFINITY, -1e38] {
        paths.ops.extend([0, 1]);
        paths.coordinates.extend([broken, 10.0, 10.0, broken]);
        paths.lengths.push(2);
        paths.style_of.push(paths.style_of.first().copied().unwrap_or_default());
    }
    assert_eq!(corners(detect_drawn(&text, &paths, &geometry)), whole);
    Ok(())
}
