//! Every office of the drafting crate, read back and compared with the exact truth.

mod native;
mod scoring;

use drafting::schedule::{Office, draft, offices};
use native::NativeSheet;
use scoring::Score;

/// What every office's cells must reach.
const BAR: f64 = 0.95;

fn score(office: &Office, seed: u64) -> Result<Score, String> {
    let drafted = draft(office, seed);
    let found = schedule_extractor::read(&NativeSheet::open(drafted.pdf, 1)?);
    Ok(Score::of(&found.schedules, &drafted.truth))
}

#[test]
fn every_offices_schedules_are_read() -> Result<(), String> {
    let mut below = Vec::new();
    for (name, office) in offices() {
        for seed in 1..=2 {
            let score = score(&office, seed)?;
            let all = score.tables == score.all_tables && score.extra == 0 && score.typed == score.tables;
            if score.f1() < BAR || !all {
                below.push(format!("{name}, seed {seed}: {score}"));
            }
        }
    }
    assert!(below.is_empty(), "below {BAR}:\n{}", below.join("\n"));
    Ok(())
}
