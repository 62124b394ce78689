//! Every office of the drafting crate, read back and compared with the exact truth.

use drafting::elevation::{Office, draft, offices};

/// What each office must reach.
const BAR: f64 = 0.85;
/// What all of them together must reach.
const BAR_OF_ALL: f64 = 0.95;
/// Boxes that have so much in common, over what both cover, are the same view.
const SAME: f64 = 0.7;

/// Finds and misses.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    right: usize,
    extra: usize,
    missed: usize,
}

impl Score {
    fn f1(self) -> f64 {
        let all = 2 * self.right + self.extra + self.missed;
        if all == 0 { 1.0 } else { 2.0 * self.right as f64 / all as f64 }
    }

    fn and(self, other: Self) -> Self {
        Self { right: self.right + other.right, extra: self.extra + other.extra, missed: self.missed + other.missed }
    }
}

/// What two boxes have in common, over what both cover.
fn common(a: [f64; 4], b: [f64; 4]) -> f64 {
    let area = |r: [f64; 4]| (r[2] - r[0]).max(0.0) * (r[3] - r[1]).max(0.0);
    let both = area([a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]);
    both / (area(a) + area(b) - both)
}

fn score(office: &Office, seed: u64) -> Result<Score, String> {
    let drafted = draft(office, seed);
    let document = pdf_engine::Document::open(drafted.pdf).map_err(|error| format!("{error:?}"))?;
    let page = document.page(1).map_err(|error| format!("{error:?}"))?;
    let mut found: Vec<[f64; 4]> = elevation_detector::find(&page.text(), &page.paths(), &page.geometry())
        .into_iter()
        .map(|r| [r.x1, r.y1, r.x2, r.y2].map(f64::from))
        .collect();
    let mut score = Score::default();
    for truth in &drafted.truth.elevations {
        let wanted = truth.bbox.map(f64::from);
        let best = (0..found.len()).max_by(|&a, &b| common(found[a], wanted).total_cmp(&common(found[b], wanted)));
        match best.filter(|&at| common(found[at], wanted) >= SAME) {
            Some(at) => {
                found.swap_remove(at);
                score.right += 1;
            }
            None => score.missed += 1,
        }
    }
    score.extra = found.len();
    Ok(score)
}

#[test]
fn every_offices_elevations_are_found_and_nothing_else() -> Result<(), String> {
    let (mut below, mut all) = (Vec::new(), Score::default());
    for (name, office) in offices() {
        for seed in 1..=3 {
            let score = score(&office, seed)?;
            println!("{name}, seed {seed}: {score:?}");
            all = all.and(score);
            let clean = !drafted_none(&office) || score.extra == 0;
            if score.f1() < BAR || !clean {
                below.push(format!("{name}, seed {seed}: {:.3} {score:?}", score.f1()));
            }
        }
    }
    println!("all: {:.3} {all:?}", all.f1());
    assert!(below.is_empty(), "below {BAR}:\n{}", below.join("\n"));
    assert!(all.f1() >= BAR_OF_ALL, "{:.3} {all:?}", all.f1());
    Ok(())
}

/// What mixtures of habits must reach together.
const BAR_OF_MIXTURES: f64 = 0.9;

#[test]
fn mixtures_of_habits_are_read() -> Result<(), String> {
    let mut all = Score::default();
    for seed in 1..=40 {
        let office = Office::random(seed);
        let score = score(&office, seed)?;
        println!("mixture {seed}: {:.3} {score:?}", score.f1());
        all = all.and(score);
    }
    println!("mixtures: {:.3} {all:?}", all.f1());
    assert!(all.f1() >= BAR_OF_MIXTURES, "{:.3} {all:?}", all.f1());
    Ok(())
}

fn drafted_none(office: &Office) -> bool {
    office.views == 0
}

#[test]
fn a_sheet_may_lie_whichever_way() -> Result<(), String> {
    for (name, office) in offices() {
        if !["plain", "circles", "modules"].contains(&name) {
            continue;
        }
        let upright = score(&office, 1)?;
        for rotate in [90, 180, 270] {
            let turned = score(&Office { rotate, ..office.clone() }, 1)?;
            assert!(turned.f1() >= BAR, "{name}, {rotate}: {turned:?} upright {upright:?}");
        }
    }
    Ok(())
}
