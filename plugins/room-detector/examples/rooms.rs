//! Finds the rooms of drafted plans and says what went wrong: `rooms offices [SEEDS] [DIR]` or
//! `rooms random FIRST COUNT [DIR]`. Into DIR go the plans whose rooms aren't all found, as NAME.pdf, with what was
//! found and what is true as NAME.json.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use drafting::plan::{Style, generate, styles};

#[path = "../tests/scoring/mod.rs"]
mod scoring;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |argument| argument.parse());
    let random = arguments.first().is_some_and(|what| what == "random");
    let folder = arguments.get(if random { 3 } else { 2 }).map(PathBuf::from);
    let cases: Vec<(String, Style, u64)> = if random {
        let first = number(1, 0)?;
        (first..first + number(2, 50)?)
            .map(|seed| (format!("random-{seed}"), Style::random_walls(seed), seed))
            .collect()
    } else {
        let seeds = number(1, 1)?;
        let drafted = |(index, (name, style)): (usize, (&str, Style))| {
            let name = name.to_owned();
            (0..seeds).map(move |round| {
                let seed = index as u64 + 1 + 100 * round;
                (format!("{name}-{seed}"), style.clone(), seed)
            })
        };
        styles().into_iter().enumerate().flat_map(|case| drafted(case).collect::<Vec<_>>()).collect()
    };
    let mut all = scoring::Score::default();
    // How many rooms of a name there are, and how many of them are missed.
    let mut names: BTreeMap<&'static str, (usize, usize)> = BTreeMap::new();
    let (mut slowest, mut extra) = (0.0_f64, 0);
    for (name, style, seed) in cases {
        let drafted = generate(&style, seed);
        let document = pdf_engine::Document::open(drafted.pdf.clone()).map_err(|error| format!("{error:?}"))?;
        let page = document.page(1).map_err(|error| format!("{error:?}"))?;
        let (text, paths, geometry) = (page.text(), page.paths(), page.geometry());
        let started = Instant::now();
        let found = room_detector::find(&text, &paths, &geometry);
        slowest = slowest.max(started.elapsed().as_secs_f64());
        let truth = &drafted.truth.rooms;
        let judged = scoring::judge(&found, truth);
        println!("{name}: {} ({:?}, {:?})", judged.score, style.poche, style.program);
        for (index, room) in truth.iter().enumerate() {
            let count = names.entry(room.name).or_default();
            count.0 += 1;
            count.1 += usize::from(judged.missed.contains(&index));
        }
        extra += judged.extra.len();
        if let Some(folder) = folder.as_deref().filter(|_| judged.score.f1() < 1.0) {
            write(folder, &name, &drafted, &found, &judged)?;
        }
        all.join(judged.score);
    }
    for (name, (count, missed)) in names.into_iter().filter(|(_, (_, missed))| *missed > 0) {
        println!("{name}: {missed} of {count} missed");
    }
    println!("all: {all}, {extra} extra, slowest {slowest:.2} s");
    Ok(())
}

fn write(
    folder: &Path,
    name: &str,
    drafted: &drafting::plan::SyntheticSheet,
    found: &[room_detector::Found],
    judged: &scoring::Judged,
) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(format!("{name}.pdf")), &drafted.pdf)?;
    let room = |room: &room_detector::Found, index: usize| {
        serde_json::json!({
            "name": room.name, "number": room.number, "polygon": room.polygon, "extra": judged.extra.contains(&index),
        })
    };
    let truth: Vec<_> = drafted
        .truth
        .rooms
        .iter()
        .enumerate()
        .map(|(index, room)| {
            serde_json::json!({
                "name": room.name, "number": room.number, "polygon": room.polygon,
                "missed": judged.missed.contains(&index),
            })
        })
        .collect();
    let found: Vec<_> = found.iter().enumerate().map(|(index, found)| room(found, index)).collect();
    let json = serde_json::json!({ "rotation": drafted.truth.rotation, "found": found, "truth": truth });
    std::fs::write(folder.join(format!("{name}.json")), serde_json::to_string(&json)?)?;
    Ok(())
}
