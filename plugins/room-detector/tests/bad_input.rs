//! Pages that no draughtsman drew: each has a clear answer, in bounded time.

use std::fmt::Write as _;
use std::time::Duration;

use fanlight_contract::{Geometry, PagePaths, PageText};
use room_detector::{DetectedRoom, PageContent, analyze};
use text_fixture::{file, odd};

/// Far more than any page may take of a processor, however much else runs on it.
const BOUND: Duration = Duration::from_mins(1);

/// What this thread has had of a processor; a busy machine's clock would tell of the others.
fn processor_time() -> Result<Duration, String> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").map_err(|error| error.to_string())?;
    let nanoseconds = text.split_whitespace().next().and_then(|time| time.parse().ok());
    nanoseconds.map(Duration::from_nanos).ok_or_else(|| format!("no time in {text:?}"))
}

/// Returns the rooms that lines and text show, without a network.
fn detect(text: PageText, paths: PagePaths, geometry: Geometry) -> Vec<DetectedRoom> {
    analyze(&PageContent::from_lines(text, paths, geometry), |_| None).rooms
}

/// How many rooms a page has, and how much of a processor that took.
fn found(file: Vec<u8>) -> Result<(usize, Duration), String> {
    let document = pdf_engine::Document::open(file).map_err(|error| format!("{error:?}"))?;
    let page = document.page(1).map_err(|error| format!("{error:?}"))?;
    let (text, paths, geometry) = (page.text(), page.paths(), page.geometry());
    let before = processor_time()?;
    let count = detect(text, paths, geometry).len();
    Ok((count, processor_time()?.saturating_sub(before)))
}

#[test]
fn what_shows_nothing_has_no_rooms() -> Result<(), String> {
    for (what, file) in odd::blank() {
        let (count, took) = found(file)?;
        assert_eq!(count, 0, "{what}");
        assert!(took < BOUND, "{what}: {took:?}");
    }
    Ok(())
}

/// Two rooms of 140 by 200 points with a door's opening between them, and their names, which `matrix` writes.
fn two_rooms(matrix: &str) -> String {
    let wall = |x1: u32, y1: u32, x2: u32, y2: u32| format!("{x1} {y1} {} {} re f ", x2 - x1, y2 - y1);
    let walls = [
        wall(100, 100, 400, 106),
        wall(100, 306, 400, 312),
        wall(100, 100, 106, 312),
        wall(394, 100, 400, 312),
        wall(247, 100, 253, 180),
        wall(247, 216, 253, 312),
    ];
    let name = |x: u32, text: &str| format!("BT /F 8 Tf {matrix} {x} 240 Tm ({text}) Tj ET ");
    format!("{}{}{}", walls.concat(), name(160, "KITCHEN"), name(310, "OFFICE"))
}

#[test]
fn mirrored_text_and_numbers_that_are_none_leave_the_rooms() -> Result<(), String> {
    let rooms = |content: String, broken: bool| -> Result<usize, String> {
        let document =
            pdf_engine::Document::open(file("0 0 612 792", 0, &content)).map_err(|error| format!("{error:?}"))?;
        let page = document.page(1).map_err(|error| format!("{error:?}"))?;
        let mut paths = page.paths();
        if broken {
            let last = paths.coordinates.len() - 4;
            paths.coordinates[last..].fill(f32::NAN);
        }
        Ok(detect(page.text(), paths, page.geometry()).len())
    };
    assert_eq!(rooms(two_rooms("1 0 0 1"), false)?, 2);
    // Mirrored, a name is read backwards or not at all: nothing is made up for it.
    assert!(rooms(two_rooms("-1 0 0 1"), false)? <= 2);
    // A line whose ends are nowhere is left out.
    assert_eq!(rooms(format!("{} 10 10 m 20 20 l S", two_rooms("1 0 0 1")), true)?, 2);
    Ok(())
}

/// What stands in a room, as a viewer shows it: the letters that are read last stand first.
#[test]
fn names_that_run_to_the_left_are_kept_in_reading_order() -> Result<(), String> {
    let document = pdf_engine::Document::open(file("0 0 720 792", 0, &two_rooms("1 0 0 1")))
        .map_err(|error| format!("{error:?}"))?;
    let page = document.page(1).map_err(|error| format!("{error:?}"))?;
    let typed = format!("{}{:18}{:24}{}\n{:19}101{:23}102\n", "\n".repeat(40), "", "הניש רדח", "ﻡﻮﻧ ﺔﻓﺮﻏ", "", "");
    let rooms = detect(text_fixture::text(&typed), page.paths(), page.geometry());
    let labels: Vec<_> = rooms.iter().map(|room| (room.name.as_deref(), room.number.as_deref())).collect();
    assert_eq!(labels, [(Some("חדר שינה"), Some("101")), (Some("غرفة نوم"), Some("102"))]);
    Ok(())
}

#[test]
fn pictures_have_no_rooms_without_lines() -> Result<(), String> {
    for (what, file) in odd::pictured() {
        let (count, took) = found(file)?;
        assert_eq!(count, 0, "{what}");
        assert!(took < BOUND, "{what}: {took:?}");
    }
    Ok(())
}

#[test]
fn crowded_sheets_take_bounded_time() -> Result<(), String> {
    let names = ["1:50", "KITCHEN", "SCALE: 1/4\\\" = 1'-0\\\"", "101"];
    for (what, file) in odd::crowded(names) {
        let (_, took) = found(file)?;
        assert!(took < BOUND, "{what}: {took:?}");
    }
    Ok(())
}

/// Parallel lines as far apart as a wall's faces, over and over: each may be the other's face.
#[test]
fn a_sheet_of_nothing_but_faces_takes_bounded_time() -> Result<(), String> {
    let mut content = "BT /F 8 Tf 300 300 Td (LOBBY) Tj ET ".to_owned();
    for at in 0..120_000_u32 {
        let (x, y) = (at % 300 * 8, at / 300 * 4 + at % 7 / 3);
        let _ = write!(content, "{x} {y} m {} {y} l S ", x + 6 + at % 5);
    }
    let (_, took) = found(file("0 0 2592 1728", 0, &content))?;
    assert!(took < BOUND, "{took:?}");
    Ok(())
}
