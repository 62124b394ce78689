//! Fits the coefficients of score fusion and prints how well fused scores do: `fit-score-fusion [SHEETS]`. Or prints how the
//! scores of each style change if it is left out of the fit: `fit-score-fusion left-out SHEETS [CORPUS]`.
//!
//! The fit uses synthetic sheets with mixed styles, every other one with forms of the rarer catalogue, whose seeds no test and
//! no training uses. Scores are measured on the named styles with both catalogues, which nothing was fitted on. For each
//! group of symbols the program prints the coefficients, and how candidates score at a threshold of 0.5 by the detector
//! alone, the classifier alone, and both.

mod left_out;
mod sheet;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};
use drafting::plan::{Catalogue, Style, generate, styles};
use eval::{LabelledScores, NativeClassifier};
use fanlight_detection::classifier::FusionCoefficients;

use crate::sheet::{Group, Sheet, synthetic};

/// The first seed of the fit's sheets. Training uses 9000 to 9059 and seeds from a million on; tests use seeds below 1000 and
/// above 20000.
const FIRST_SEED: u64 = 12_000;
/// Sheets of the fit unless stated otherwise.
const SHEETS: u64 = 120;
/// The catalogues that each named style is measured with.
const CATALOGUES: [Catalogue; 2] = [Catalogue::Common, Catalogue::Rarer];
/// The first seed of the named styles' sheets.
const FIRST_NAMED_SEED: u64 = 31;

/// Fits the coefficients of score fusion, and prints how well fused scores do
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Synthetic sheets of the fit
    #[arg(default_value_t = SHEETS)]
    sheets: u64,
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Prints how the scores of each style change if it is left out of the fit
    LeftOut {
        /// Synthetic sheets of the fit
        sheets: u64,
        /// A folder of labelled sheets, whose offices are left out as well
        corpus: Option<PathBuf>,
    },
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (sheets, left_out) = match arguments.task {
        Some(Task::LeftOut { sheets, corpus }) => (sheets, Some(corpus)),
        None => (arguments.sheets, None),
    };
    let classifier = NativeClassifier::open()?;
    let mixed = mixed(sheets, &classifier)?;
    let named = named(&classifier)?;
    if let Some(corpus) = left_out {
        return left_out::show(&mixed, &named, corpus.as_deref(), &classifier);
    }
    for group in Group::ALL {
        let fitted: Vec<LabelledScores> = scores_of(mixed.iter(), group).collect();
        let tested: Vec<LabelledScores> = scores_of(named.iter().map(|(_, sheet)| sheet), group).collect();
        let coefficients = eval::fit(fitted.iter().copied());
        let right = fitted.iter().filter(|one| one.is_true).count();
        println!("{group:?}: {} candidates, {right} of them true; {coefficients:.2?}", fitted.len());
        show(&tested, coefficients);
    }
    Ok(())
}

/// Generates and classifies sheets with mixed styles.
fn mixed(sheets: u64, classifier: &NativeClassifier) -> Result<Vec<Sheet>> {
    let catalogues = CATALOGUES.into_iter().cycle();
    let style = |(seed, catalogue)| (Style { catalogue, ..Style::mixed(seed) }, seed);
    let styles = (FIRST_SEED..FIRST_SEED + sheets).zip(catalogues).map(style);
    styles.map(|(style, seed)| synthetic(generate(&style, seed), classifier)).collect()
}

/// Generates and classifies sheets of the named styles, each with the style's name.
fn named(classifier: &NativeClassifier) -> Result<Vec<(String, Sheet)>> {
    let mut named = Vec::new();
    for (time, catalogue) in (0..).zip(CATALOGUES) {
        for (seed, (name, style)) in (FIRST_NAMED_SEED + 100 * time..).zip(styles()) {
            let style = Style { catalogue, ..style };
            named.push((name.to_owned(), synthetic(generate(&style, seed), classifier)?));
        }
    }
    Ok(named)
}

/// Returns the scores of all candidates of a group.
fn scores_of<'a>(sheets: impl Iterator<Item = &'a Sheet>, group: Group) -> impl Iterator<Item = LabelledScores> {
    sheets.flat_map(|sheet| &sheet.candidates).filter(move |one| one.group == group).map(|one| one.scores)
}

/// Prints how candidates score, by each way of scoring, and the calibration of the fused scores.
fn show(candidates: &[LabelledScores], coefficients: FusionCoefficients) {
    for name in ["detector", "classifier", "both"] {
        let (mut hits, mut wrong, mut missed, mut loss) = (0, 0, 0, 0.0);
        for one in candidates {
            let confidence = match name {
                "detector" => one.confidence,
                "classifier" => one.likelihood,
                _ => coefficients.fuse(one.confidence, one.likelihood),
            };
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
    print!("  fused scores:");
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
