//! Leave-one-out: how the scores of a style change if its sheets are left out of the fit.
//!
//! Three fits are compared for each style or real office: on the sheets with mixed styles alone; on these and all others but
//! the one; on these and all others. A named style is left out of the named styles, an office of a corpus of real sheets out
//! of the named styles and the real offices. Everything but the coefficients is the same in all three.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use eval::NativeClassifier;
use fanlight_contract::Rect;
use fanlight_detection::classifier::FusionCoefficients;
use fanlight_detection::symbols::{Fixture, FixtureKind, non_maximum_suppression};
use scoring::{Tally, match_boxes, rect};
use serde_json::Value;

use crate::sheet::{Candidate, Group, Labels, Sheet, classified};

/// Candidates above this fused score are listed.
const LIKELY: f32 = 0.5;

/// Prints a table of all styles and offices.
pub(crate) fn show(
    mixed: &[Sheet],
    drafted: &[(String, Sheet)],
    corpus: Option<&Path>,
    classifier: &NativeClassifier,
) -> Result<()> {
    let real = corpus.map_or_else(|| Ok(Vec::new()), |corpus| real(corpus, classifier))?;
    let real_names: BTreeSet<String> = real.iter().map(|(name, _)| name.clone()).collect();
    println!(
        "| style or office | doors: mixed alone, left out, in | fixtures: mixed alone, left out, in |\n|---|---|---|"
    );
    let of_mixed = fit(&mixed.iter().collect::<Vec<_>>());
    let names: BTreeSet<String> = drafted.iter().map(|(name, _)| name.clone()).chain(real_names.clone()).collect();
    for name in names {
        let pool = || drafted.iter().chain(real.iter().filter(|_| real_names.contains(&name)));
        let others = pool().filter(|(own, _)| *own != name);
        let ways = [of_mixed, fit_with(mixed, others), fit_with(mixed, pool())];
        let sheets: Vec<&Sheet> = pool().filter(|(own, _)| *own == name).map(|(_, sheet)| sheet).collect();
        let doors = ways.map(|coefficients| format!("{:.3}", f1(&sheets, &coefficients, doors)));
        let fixtures = ways.map(|coefficients| format!("{:.3}", f1(&sheets, &coefficients, fixtures)));
        println!("| {name} | {} | {} |", doors.join(", "), fixtures.join(", "));
    }
    Ok(())
}

/// Reads the labelled sheets of a folder with `labels/` and `pdf/`. A PDF's name stands for its office.
fn real(corpus: &Path, classifier: &NativeClassifier) -> Result<Vec<(String, Sheet)>> {
    let mut sheets = Vec::new();
    for entry in std::fs::read_dir(corpus.join("labels")).context("the corpus has no labels")? {
        let label: Value = serde_json::from_slice(&std::fs::read(entry?.path())?)?;
        let (Some(file), Some(doors)) = (label["pdf"].as_str(), label["doors"].as_array()) else { continue };
        let none = Vec::new();
        let fixtures = label["fixtures"].as_array().unwrap_or(&none);
        let uncertain = [boxes(doors, true), boxes(fixtures, true)].concat();
        let labels =
            Labels { doors: boxes(doors, false), fixtures: boxes(fixtures, false), uncertain, ignored: Vec::new() };
        let pdf = std::fs::read(corpus.join("pdf").join(file)).with_context(|| format!("cannot read {file}"))?;
        let page = label["page"].as_u64().and_then(|page| u32::try_from(page).ok()).unwrap_or(1);
        sheets.push((file.to_owned(), classified(pdf, page, labels, classifier)?));
    }
    Ok(sheets)
}

/// Returns the boxes of the labels that are uncertain, or of those that are not.
fn boxes(labels: &[Value], is_uncertain: bool) -> Vec<Rect> {
    let chosen = labels.iter().filter(|label| label["uncertain"].as_bool().unwrap_or(false) == is_uncertain);
    chosen.filter_map(|label| serde_json::from_value(label["bbox"].clone()).ok()).map(rect).collect()
}

/// Fits the coefficients of each of [`Group::ALL`].
fn fit(sheets: &[&Sheet]) -> [FusionCoefficients; Group::ALL.len()] {
    Group::ALL.map(|group| {
        let all = sheets.iter().flat_map(|sheet| &sheet.candidates);
        eval::fit(all.filter(|one| one.group == group).map(|one| one.scores))
    })
}

/// Fits the coefficients on sheets with mixed styles and on others that have names.
fn fit_with<'a>(
    mixed: &[Sheet],
    named: impl Iterator<Item = &'a (String, Sheet)>,
) -> [FusionCoefficients; Group::ALL.len()] {
    fit(&mixed.iter().chain(named.map(|(_, sheet)| sheet)).collect::<Vec<_>>())
}

/// Returns the F1 of what is listed under coefficients.
fn f1(
    sheets: &[&Sheet],
    coefficients: &[FusionCoefficients; Group::ALL.len()],
    listed: fn(&Sheet, &[FusionCoefficients; Group::ALL.len()]) -> Tally,
) -> f64 {
    sheets.iter().map(|sheet| listed(sheet, coefficients)).sum::<Tally>().f1()
}

/// Fuses a candidate's scores with its group's coefficients.
fn fused(one: &Candidate, coefficients: &[FusionCoefficients; Group::ALL.len()]) -> f32 {
    let own = Group::ALL.iter().zip(coefficients).find(|(group, _)| **group == one.group);
    own.map_or(0.0, |(_, coefficients)| coefficients.fuse(one.scores.confidence, one.scores.likelihood))
}

fn doors(sheet: &Sheet, coefficients: &[FusionCoefficients; Group::ALL.len()]) -> Tally {
    let doors = sheet.candidates.iter().filter(|one| one.group != Group::Fixture);
    let listed: Vec<Rect> = doors.filter(|one| fused(one, coefficients) > LIKELY).map(|one| one.bbox).collect();
    match_boxes(&listed, &sheet.labels.doors, &[]).tally()
}

fn fixtures(sheet: &Sheet, coefficients: &[FusionCoefficients; Group::ALL.len()]) -> Tally {
    let candidates_of_group = sheet.candidates.iter().filter(|one| one.group == Group::Fixture);
    let candidates = candidates_of_group.map(|one| Fixture {
        kind: FixtureKind::Other,
        bbox: one.bbox,
        confidence: fused(one, coefficients),
    });
    let listed: Vec<Rect> = non_maximum_suppression(candidates.collect())
        .into_iter()
        .filter(Fixture::is_likely)
        .map(|one| one.bbox)
        .collect();
    match_boxes(&listed, &sheet.labels.fixtures, &[]).tally()
}
