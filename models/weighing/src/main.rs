//! Fits the weights of finders' confidences and the judge's, and shows how good they are: `weighing [SHEETS]`.
//!
//! Fitted on sheets of offices with mixed habits, each another one, whose seeds no test and no training uses; measured on
//! the named offices, which nothing was fitted on. Prints for each kind of symbol the weights, and how candidates at the
//! bar of 0.5 score by the finder alone, the judge alone, and both.

mod logistic;
mod sheet;

use anyhow::Result;
use drafting::plan::{Office, draft, offices};
use fanlight_judge::Weights;
use weighing::NativeJudge;

use crate::sheet::{Group, Judged, judged};

/// The first seed of the sheets that weights are fitted on: training has 1000 to 1499 and 9000 to 9039, tests have fewer
/// than 1000 and more than 20000.
const FIRST_SEED: u64 = 12_000;
const SHEETS: u64 = 120;
/// The named offices are drafted this often.
const TIMES: u64 = 2;
const FIRST_NAMED_SEED: u64 = 31;

fn main() -> Result<()> {
    let sheets = std::env::args().nth(1).map_or(Ok(SHEETS), |sheets| sheets.parse())?;
    let judge = NativeJudge::open()?;
    let mut fitted: Vec<Judged> = Vec::new();
    for seed in FIRST_SEED..FIRST_SEED + sheets {
        fitted.extend(judged(draft(&Office::random(seed), seed), &judge)?);
    }
    let mut tested: Vec<Judged> = Vec::new();
    for time in 0..TIMES {
        for (seed, (_, office)) in (FIRST_NAMED_SEED + 100 * time..).zip(offices()) {
            tested.extend(judged(draft(&office, seed), &judge)?);
        }
    }
    for group in [Group::Swinging, Group::Sliding, Group::Folding, Group::Toilet, Group::Fixture] {
        let of_group = |all: &[Judged]| all.iter().copied().filter(|one| one.group == group).collect::<Vec<_>>();
        let candidates = of_group(&fitted);
        let weights = logistic::fit(&candidates);
        let right = candidates.iter().filter(|one| one.is_true).count();
        println!("{group:?}: {} candidates, {right} of them true; {weights:.2?}", candidates.len());
        show(&of_group(&tested), weights);
    }
    Ok(())
}

/// How candidates of the named offices score.
fn show(candidates: &[Judged], weights: Weights) {
    let ways: [(&str, &dyn Fn(&Judged) -> f32); 3] = [
        ("finder", &|one| one.confidence),
        ("judge", &|one| one.likelihood),
        ("both", &|one| weights.weigh(one.confidence, one.likelihood)),
    ];
    for (name, way) in ways {
        let (mut hits, mut wrong, mut missed, mut loss) = (0, 0, 0, 0.0);
        for one in candidates {
            let confidence = way(one);
            match (confidence > 0.5, one.is_true) {
                (true, true) => hits += 1,
                (true, false) => wrong += 1,
                (false, true) => missed += 1,
                (false, false) => {}
            }
            let right = if one.is_true { confidence } else { 1.0 - confidence };
            loss -= f64::from(right.max(1e-4)).ln();
        }
        let f1 = 2.0 * f64::from(hits) / f64::from(2 * hits + wrong + missed).max(1.0);
        let loss = loss / candidates.len().max(1) as f64;
        println!("  {name:6}: {hits} right, {wrong} wrong, {missed} missed, F1 {f1:.3}, log loss {loss:.3}");
    }
    print!("  of those that both give");
    for tenth in 0..10 {
        let (from, to) = (tenth as f32 / 10.0, (tenth + 1) as f32 / 10.0);
        let of_tenth = candidates.iter().filter(|one| {
            let confidence = weights.weigh(one.confidence, one.likelihood);
            confidence >= from && confidence < to
        });
        let (count, right) = of_tenth.fold((0, 0), |(count, right), one| (count + 1, right + u32::from(one.is_true)));
        print!(" {from:.1}: {right}/{count}");
    }
    println!(" are true");
}
