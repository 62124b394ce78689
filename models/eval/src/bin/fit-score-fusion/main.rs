//! Fits the coefficients of finders' confidences and the classifier's, and shows how good they are: `fit-score-fusion [SHEETS]`; or how the
//! scores of each office change where it is left out of what they are fitted on: `fit-score-fusion left-out SHEETS [CORPUS]`.
//!
//! Fitted on sheets of offices with mixed habits, each another one, whose seeds no test and no training uses, every other one
//! with forms of the rarer catalogue; measured on the named offices with both, which nothing was fitted on. Prints for each
//! kind of symbol the coefficients, and how candidates at the bar of 0.5 score by the detector alone, the classifier alone, and both.

mod left_out;
mod sheet;

use std::path::Path;

use anyhow::Result;
use drafting::plan::{Catalogue, Style, generate, styles};
use eval::{LabelledScores, NativeClassifier};
use fanlight_detection::classifier::FusionCoefficients;

use crate::sheet::{Group, Sheet, drafted};

/// The first seed of the sheets that coefficients are fitted on: training has 9000 to 9059 and those from a million on, tests have
/// fewer than 1000 and more than 20000.
const FIRST_SEED: u64 = 12_000;
const SHEETS: u64 = 120;
/// The named offices are drafted once with each.
const CATALOGUES: [Catalogue; 2] = [Catalogue::Common, Catalogue::Rarer];
const FIRST_NAMED_SEED: u64 = 31;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let leaves_out = arguments.first().is_some_and(|first| first == "left-out");
    let arguments = arguments.get(usize::from(leaves_out)..).unwrap_or_default();
    let sheets = arguments.first().map_or(Ok(SHEETS), |sheets| sheets.parse())?;
    let classifier = NativeClassifier::open()?;
    let mixed = mixed(sheets, &classifier)?;
    let named = named(&classifier)?;
    if leaves_out {
        return left_out::show(&mixed, &named, arguments.get(1).map(Path::new), &classifier);
    }
    for group in Group::ALL {
        let fitted: Vec<LabelledScores> = of_group(mixed.iter(), group).collect();
        let tested: Vec<LabelledScores> = of_group(named.iter().map(|(_, sheet)| sheet), group).collect();
        let coefficients = eval::fit(fitted.iter().copied());
        let right = fitted.iter().filter(|one| one.is_true).count();
        println!("{group:?}: {} candidates, {right} of them true; {coefficients:.2?}", fitted.len());
        show(&tested, coefficients);
    }
    Ok(())
}

/// Sheets of offices with mixed habits.
fn mixed(sheets: u64, classifier: &NativeClassifier) -> Result<Vec<Sheet>> {
    let catalogues = CATALOGUES.into_iter().cycle();
    let style = |(seed, catalogue)| (Style { catalogue, ..Style::mixed(seed) }, seed);
    let styles = (FIRST_SEED..FIRST_SEED + sheets).zip(catalogues).map(style);
    styles.map(|(style, seed)| drafted(generate(&style, seed), classifier)).collect()
}

/// Sheets of the named offices, each with its office's name.
fn named(classifier: &NativeClassifier) -> Result<Vec<(String, Sheet)>> {
    let mut named = Vec::new();
    for (time, catalogue) in (0..).zip(CATALOGUES) {
        for (seed, (name, style)) in (FIRST_NAMED_SEED + 100 * time..).zip(styles()) {
            let style = Style { catalogue, ..style };
            named.push((name.to_owned(), drafted(generate(&style, seed), classifier)?));
        }
    }
    Ok(named)
}

/// What is said of sheets' candidates of a group.
fn of_group<'a>(sheets: impl Iterator<Item = &'a Sheet>, group: Group) -> impl Iterator<Item = LabelledScores> {
    sheets.flat_map(|sheet| &sheet.candidates).filter(move |one| one.group == group).map(|one| one.scores)
}

/// How candidates of the named offices score.
fn show(candidates: &[LabelledScores], coefficients: FusionCoefficients) {
    for name in ["detector", "classifier", "both"] {
        let way = |one: &LabelledScores| match name {
            "detector" => one.confidence,
            "classifier" => one.likelihood,
            _ => coefficients.fuse(one.confidence, one.likelihood),
        };
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
            let confidence = coefficients.fuse(one.confidence, one.likelihood);
            confidence >= from && confidence < to
        });
        let (count, right) = of_tenth.fold((0, 0), |(count, right), one| (count + 1, right + u32::from(one.is_true)));
        print!(" {from:.1}: {right}/{count}");
    }
    println!(" are true");
}
