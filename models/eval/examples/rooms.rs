//! Detects the rooms of synthetic plans and prints what went wrong: `rooms styles [SEEDS] [FOLDER]` or
//! `rooms random FIRST COUNT [FOLDER]`. Plans with a missed or false room go into the folder as NAME.pdf, with the rooms
//! detected and true as NAME.json.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use drafting::plan::{Style, SyntheticSheet, generate, styles};
use eval::{NativeRoomDetector, RoomMatches, RoomScore, match_rooms};
use room_detector::DetectedRoom;
use serde_json::json;

/// How many rooms of one name there are, and how many of them are missed.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    rooms: usize,
    missed: usize,
}

/// A plan to generate.
struct Case {
    name: String,
    style: Style,
    seed: u64,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |argument| argument.parse());
    let is_random = arguments.first().is_some_and(|what| what == "random");
    let folder = arguments.get(if is_random { 3 } else { 2 }).map(PathBuf::from);
    let cases = if is_random { random(number(1, 0)?, number(2, 50)?) } else { named(number(1, 1)?) };
    let detector = NativeRoomDetector::open()?;
    let mut all = RoomScore::default();
    let mut names: BTreeMap<&'static str, Count> = BTreeMap::new();
    let mut slowest = 0.0_f64;
    for Case { name, style, seed } in cases {
        let sheet = generate(&style, seed);
        let started = Instant::now();
        let detected = detector.detect(sheet.pdf.clone(), 1)?;
        slowest = slowest.max(started.elapsed().as_secs_f64());
        let matches = match_rooms(&detected, &sheet.truth.rooms);
        println!("{name}: {} ({:?}, {:?})", matches.score, style.poche, style.program);
        for (index, room) in sheet.truth.rooms.iter().enumerate() {
            let count = names.entry(room.name).or_default();
            count.rooms += 1;
            count.missed += usize::from(matches.missed.contains(&index));
        }
        if let Some(folder) = folder.as_deref().filter(|_| matches.score.f1() < 1.0) {
            write(folder, &name, &sheet, &detected, &matches)?;
        }
        all += matches.score;
    }
    for (name, Count { rooms, missed }) in names.into_iter().filter(|(_, count)| count.missed > 0) {
        println!("{name}: {missed} of {rooms} missed");
    }
    println!("all: {all}, slowest {slowest:.2} s");
    Ok(())
}

fn random(first: u64, count: u64) -> Vec<Case> {
    let case = |seed| Case { name: format!("random-{seed}"), style: Style::random_walls(seed), seed };
    (first..first + count).map(case).collect()
}

fn named(seeds: u64) -> Vec<Case> {
    let mut cases = Vec::new();
    for (first, (name, style)) in (1..).zip(styles()) {
        for seed in (0..seeds).map(|round| first + 100 * round) {
            cases.push(Case { name: format!("{name}-{seed}"), style: style.clone(), seed });
        }
    }
    cases
}

/// Writes a plan and its rooms, detected and true.
fn write(
    folder: &Path,
    name: &str,
    sheet: &SyntheticSheet,
    detected: &[DetectedRoom],
    matches: &RoomMatches,
) -> Result<()> {
    let mut found = Vec::new();
    for (index, room) in detected.iter().enumerate() {
        let is_extra = matches.extra.contains(&index);
        found.push(json!({ "name": room.name, "number": room.number, "polygon": room.polygon, "extra": is_extra }));
    }
    let mut truth = Vec::new();
    for (index, room) in sheet.truth.rooms.iter().enumerate() {
        let is_missed = matches.missed.contains(&index);
        truth.push(json!({ "name": room.name, "number": room.number, "polygon": room.polygon, "missed": is_missed }));
    }
    fs::create_dir_all(folder)?;
    fs::write(folder.join(format!("{name}.pdf")), &sheet.pdf)?;
    let json = json!({ "rotation": sheet.truth.rotation, "found": found, "truth": truth });
    fs::write(folder.join(format!("{name}.json")), json.to_string())?;
    Ok(())
}
