//! Plans of the drafting crate, read back and compared with the exact truth.

mod scoring;

use drafting::plan::{Style, generate, styles};
use drafting::{elevation, schedule};
use room_detector::Found;
use scoring::{Score, judge};

/// What all named offices together must reach.
const BAR: f64 = 0.85;
/// What mixtures of habits together must reach, walls of one line or stroke among them.
const BAR_OF_MIXTURES: f64 = 0.82;
/// What a plan of rooms along closed corridors must reach, whichever way its sheet lies.
const BAR_OF_ONE: f64 = 0.9;
/// False rooms at most on all sheets that show none.
const MOST_FALSE: usize = 1;
/// Of the rooms found on plans with text, those whose number is read right.
const NUMBERED: f64 = 0.9;
/// Of the rooms found, those whose area is off by a twentieth at most.
const CLOSE: f64 = 0.6;

fn found(pdf: Vec<u8>, page: u32) -> Result<Vec<Found>, String> {
    let document = pdf_engine::Document::open(pdf).map_err(|error| format!("{error:?}"))?;
    let page = document.page(page).map_err(|error| format!("{error:?}"))?;
    Ok(room_detector::find(&page.text(), &page.paths(), &page.geometry()))
}

fn score(style: &Style, seed: u64) -> Result<Score, String> {
    let drafted = generate(style, seed);
    Ok(judge(&found(drafted.pdf, 1)?, &drafted.truth.rooms).score)
}

#[test]
fn every_offices_rooms_are_found() -> Result<(), String> {
    let (mut all, mut lettered) = (Score::default(), Score::default());
    for (index, (name, style)) in styles().into_iter().enumerate() {
        let score = score(&style, index as u64 + 1)?;
        println!("{name}: {score}");
        all.join(score);
        // Text in outlines says nothing.
        if !style.outlined_text {
            lettered.join(score);
        }
    }
    println!("all: {all}");
    assert!(all.f1() >= BAR, "{all}");
    assert!(all.close as f64 >= CLOSE * all.right as f64, "{all}");
    assert!(lettered.numbered as f64 >= NUMBERED * lettered.right as f64, "{lettered}");
    Ok(())
}

#[test]
fn mixtures_of_walls_windows_and_openings_are_read() -> Result<(), String> {
    let mut all = Score::default();
    for seed in 0..24 {
        all.join(score(&Style::random_walls(seed), seed)?);
    }
    assert!(all.f1() >= BAR_OF_MIXTURES, "{all}");
    Ok(())
}

#[test]
fn a_sheet_may_lie_whichever_way() -> Result<(), String> {
    let (name, style) = styles().into_iter().find(|(name, _)| *name == "factory").ok_or("no such style")?;
    for rotate in [0, 90, 180, 270] {
        let score = score(&Style { rotate, ..style.clone() }, 9)?;
        assert!(score.f1() >= BAR_OF_ONE, "{name}, {rotate}: {score}");
    }
    Ok(())
}

#[test]
fn sheets_of_elevations_sections_and_schedules_have_no_rooms() -> Result<(), String> {
    let shows_plan = |style: &elevation::Style| style.others.contains(&elevation::Other::EnlargedPlan);
    let mut sheets: Vec<(&str, Vec<u8>)> = Vec::new();
    for (name, style) in elevation::styles().into_iter().filter(|(_, style)| !shows_plan(style)) {
        sheets.push((name, elevation::generate(&style, 1).pdf));
    }
    for (name, style) in schedule::styles() {
        sheets.push((name, schedule::generate(&style, 1).pdf));
    }
    let mut extra = 0;
    for (name, pdf) in sheets {
        let rooms = found(pdf, 1)?;
        let names: Vec<&str> = rooms.iter().map(|room| room.name.as_deref().unwrap_or("no name")).collect();
        println!("{name}: {names:?}");
        extra += rooms.len();
    }
    assert!(extra <= MOST_FALSE, "{extra} rooms that are none");
    Ok(())
}
