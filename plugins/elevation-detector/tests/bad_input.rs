//! Pages that no draughtsman drew: each has a clear answer, in bounded time.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use elevation_detector::find;
use fanlight_typewriter::file;

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
    for (what, file) in [
        ("an empty page", file("0 0 2592 1728", 0, "")),
        ("a page of one point", file("0 0 1 1", 90, "0 0 m 1 1 l S BT /F 1 Tf (KITCHEN ELEVATION) Tj ET")),
        ("a page of 200 inches", file("0 0 14400 14400", 0, "0 0 m 14400 14400 l S 10 10 14000 14000 re S")),
        ("a page of text alone", file("0 0 612 792", 0, "BT /F 12 Tf 72 700 Td (KITCHEN ELEVATION 1:50) Tj ET")),
        ("numbers beyond any page", file("0 0 612 792", 180, "-1e30 1e30 m 1e30 -1e30 l S 1e38 1e38 1e38 1e38 re S")),
    ] {
        let (count, took) = found(file)?;
        assert_eq!(count, 0, "{what}");
        assert!(took < BOUND, "{what}: {took:?}");
    }
    Ok(())
}

#[test]
fn a_million_segments_take_bounded_time() -> Result<(), String> {
    let mut content = String::with_capacity(40_000_000);
    for at in 0..1_000_000_u32 {
        // Across the sheet and back: each touches hundreds of cells.
        let (x, y) = (at % 2500, at / 2500 * 4);
        let _ = write!(content, "{x} {y} m {} {} l S ", 2592 - x, 1728 - y);
    }
    let (_, took) = found(file("0 0 2592 1728", 0, &content))?;
    assert!(took < BOUND, "{took:?}");
    Ok(())
}

#[test]
fn a_sheet_strewn_with_titles_takes_bounded_time() -> Result<(), String> {
    let mut content = String::new();
    for at in 0..20_000_u32 {
        let (x, y) = (at % 160 * 16, at / 160 * 13);
        let text = ["1:50", "KITCHEN ELEVATION", "SCALE: 1/4\\\" = 1'-0\\\"", "NORTH"][(at % 4) as usize];
        let _ = write!(content, "BT /F 5 Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET {x} {y} 9 7 re S ");
    }
    let (_, took) = found(file("0 0 2592 1728", 270, &content))?;
    assert!(took < BOUND, "{took:?}");
    Ok(())
}
