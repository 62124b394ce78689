//! Rooms of synthetic plans, compared with the exact truth.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use drafting::plan::{Style, generate, styles};
use drafting::{elevation, schedule};
use eval::{NativeRoomDetector, RoomScore, match_rooms};

/// Least F1 of all named styles together. The network has learnt more from other sheets since it reached 0.9: real pages gain by it.
const MIN_F1: f64 = 0.85;
/// Least F1 of random styles together, walls of one line or one stroke among them.
const MIN_F1_RANDOM: f64 = 0.82;
/// Least F1 of a plan with closed corridors at each page rotation.
const MIN_F1_ROTATED: f64 = 0.9;
/// Most false rooms on all sheets without a plan.
const MAX_FALSE: usize = 1;
/// Least share of the rooms detected on plans with text whose number is right.
const MIN_NUMBERED: f64 = 0.9;
/// Least share of the detected rooms whose area is off by at most a twentieth.
const MIN_CLOSE: f64 = 0.75;

fn score(detector: &NativeRoomDetector, style: &Style, seed: u64) -> RoomScore {
    let sheet = generate(style, seed);
    match_rooms(&detector.detect(sheet.pdf, 1).unwrap(), &sheet.truth.rooms).score
}

#[test]
fn rooms_of_the_named_styles_are_detected() {
    let detector = NativeRoomDetector::open().unwrap();
    let (mut all, mut with_text) = (RoomScore::default(), RoomScore::default());
    for (seed, (name, style)) in (1..).zip(styles()) {
        let score = score(&detector, &style, seed);
        println!("{name}: {score}");
        all += score;
        // Outlined text has no names and numbers.
        if !style.outlined_text {
            with_text += score;
        }
    }
    println!("all: {all}");
    assert!(all.f1() >= MIN_F1, "{all}");
    assert!(all.close as f64 >= MIN_CLOSE * all.tally.hit as f64, "{all}");
    assert!(with_text.numbered as f64 >= MIN_NUMBERED * with_text.tally.hit as f64, "{with_text}");
}

#[test]
fn rooms_of_random_walls_and_openings_are_detected() {
    let detector = NativeRoomDetector::open().unwrap();
    let mut all = RoomScore::default();
    for seed in 0..12 {
        all += score(&detector, &Style::random_walls(seed), seed);
    }
    assert!(all.f1() >= MIN_F1_RANDOM, "{all}");
}

#[test]
fn rooms_are_detected_at_each_page_rotation() {
    let detector = NativeRoomDetector::open().unwrap();
    let (name, style) = styles().into_iter().find(|(name, _)| *name == "factory").unwrap();
    for rotate in [0, 90, 180, 270] {
        let score = score(&detector, &Style { rotate, ..style.clone() }, 9);
        assert!(score.f1() >= MIN_F1_ROTATED, "{name}, {rotate}: {score}");
    }
}

#[test]
fn sheets_without_a_plan_have_no_rooms() {
    let detector = NativeRoomDetector::open().unwrap();
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
        let rooms = detector.detect(pdf, 1).unwrap();
        let names: Vec<&str> = rooms.iter().map(|room| room.name.as_deref().unwrap_or("no name")).collect();
        println!("{name}: {names:?}");
        extra += rooms.len();
    }
    assert!(extra <= MAX_FALSE, "{extra} false rooms");
}
