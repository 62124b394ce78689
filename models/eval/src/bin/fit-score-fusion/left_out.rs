//! How the scores of an office change where it is left out of what coefficients are fitted on.
//!
//! Three ways of fitting are compared for each office: on the sheets of mixed habits alone; on these and all offices but the
//! one; on these and all offices. A drafted office is left out of the drafted ones, one of a corpus of real sheets out of the
//! drafted and the real ones. What is no weight is the same in all three.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use eval::NativeClassifier;
use fanlight_contract::Rect;
use fanlight_detection::classifier::FusionCoefficients;
use fanlight_detection::symbols::{Fixture, FixtureKind, non_maximum_suppression};
use scoring::{Tally, match_boxes, rect};
use serde_json::Value;

use crate::sheet::{Group, Judged, Sheet, Wanted, judged};

/// What is surer than this is listed.
const LIKELY: f32 = 0.5;

/// Prints a table of all offices.
pub(crate) fn show(
    mixed: &[Sheet],
    drafted: &[(String, Sheet)],
    corpus: Option<&Path>,
    classifier: &NativeClassifier,
) -> Result<()> {
    let real = corpus.map_or_else(|| Ok(Vec::new()), |corpus| real(corpus, classifier))?;
    let real_names: BTreeSet<String> = real.iter().map(|(name, _)| name.clone()).collect();
    println!("| office | doors: drafted alone, left out, in | fixtures: drafted alone, left out, in |\n|---|---|---|");
    let of_mixed = fit(&mixed.iter().collect::<Vec<_>>());
    let names: BTreeSet<String> = drafted.iter().map(|(name, _)| name.clone()).chain(real_names.clone()).collect();
    for name in names {
        let pool = || drafted.iter().chain(real.iter().filter(|_| real_names.contains(&name)));
        let of = |keeps: &dyn Fn(&str) -> bool| -> Vec<&Sheet> {
            pool().filter(|(own, _)| keeps(own)).map(|(_, sheet)| sheet).collect()
        };
        let with = |others: Vec<&Sheet>| fit(&mixed.iter().chain(others).collect::<Vec<_>>());
        let ways = [of_mixed, with(of(&|own| own != name)), with(of(&|_| true))];
        let sheets = of(&|own| own == name);
        let doors = ways.map(|coefficients| format!("{:.3}", f1(&sheets, &coefficients, doors)));
        let fixtures = ways.map(|coefficients| format!("{:.3}", f1(&sheets, &coefficients, fixtures)));
        println!("| {name} | {} | {} |", doors.join(", "), fixtures.join(", "));
    }
    Ok(())
}

/// The labelled sheets of a folder with `labels/` and `pdf/`; the PDF stands for its office.
fn real(corpus: &Path, classifier: &NativeClassifier) -> Result<Vec<(String, Sheet)>> {
    let mut sheets = Vec::new();
    for entry in std::fs::read_dir(corpus.join("labels")).context("the corpus has no labels")? {
        let label: Value = serde_json::from_slice(&std::fs::read(entry?.path())?)?;
        let (Some(file), Some(doors)) = (label["pdf"].as_str(), label["doors"].as_array()) else { continue };
        let none = Vec::new();
        let fixtures = label["fixtures"].as_array().unwrap_or(&none);
        let certain = |things: &[Value], is: bool| -> Vec<Rect> {
            let those = things.iter().filter(|thing| thing["uncertain"].as_bool().unwrap_or(false) != is);
            those.filter_map(|thing| serde_json::from_value(thing["bbox"].clone()).ok()).map(rect).collect()
        };
        let unclear = [certain(doors, false), certain(fixtures, false)].concat();
        let wanted =
            Wanted { doors: certain(doors, true), fixtures: certain(fixtures, true), unclear, apart: Vec::new() };
        let pdf = std::fs::read(corpus.join("pdf").join(file)).with_context(|| format!("cannot read {file}"))?;
        let page = label["page"].as_u64().and_then(|page| u32::try_from(page).ok()).unwrap_or(1);
        sheets.push((file.to_owned(), judged(pdf, page, wanted, classifier)?));
    }
    Ok(sheets)
}

/// The coefficients of each of [`Group::ALL`].
fn fit(sheets: &[&Sheet]) -> [FusionCoefficients; Group::ALL.len()] {
    Group::ALL.map(|group| {
        let all = sheets.iter().flat_map(|sheet| &sheet.candidates);
        eval::fit(all.filter(|one| one.group == group).map(|one| one.scores))
    })
}

/// F1 of what is listed under coefficients.
fn f1(
    sheets: &[&Sheet],
    coefficients: &[FusionCoefficients; Group::ALL.len()],
    listed: fn(&Sheet, &[FusionCoefficients; Group::ALL.len()]) -> Tally,
) -> f64 {
    sheets.iter().map(|sheet| listed(sheet, coefficients)).sum::<Tally>().f1()
}

/// Weighs a candidate with its group's coefficients.
fn weighed(one: &Judged, coefficients: &[FusionCoefficients; Group::ALL.len()]) -> f32 {
    let own = Group::ALL.iter().zip(coefficients).find(|(group, _)| **group == one.group);
    own.map_or(0.0, |(_, coefficients)| coefficients.fuse(one.scores.confidence, one.scores.likelihood))
}

fn doors(sheet: &Sheet, coefficients: &[FusionCoefficients; Group::ALL.len()]) -> Tally {
    let doors = sheet.candidates.iter().filter(|one| one.group != Group::Fixture);
    let listed: Vec<Rect> = doors.filter(|one| weighed(one, coefficients) > LIKELY).map(|one| one.bbox).collect();
    match_boxes(&listed, &sheet.wanted.doors, &[]).tally()
}

fn fixtures(sheet: &Sheet, coefficients: &[FusionCoefficients; Group::ALL.len()]) -> Tally {
    let of_group = sheet.candidates.iter().filter(|one| one.group == Group::Fixture);
    let candidates = of_group.map(|one| Fixture {
        kind: FixtureKind::Other,
        bbox: one.bbox,
        confidence: weighed(one, coefficients),
    });
    let listed: Vec<Rect> = non_maximum_suppression(candidates.collect())
        .into_iter()
        .filter(Fixture::is_likely)
        .map(|one| one.bbox)
        .collect();
    match_boxes(&listed, &sheet.wanted.fixtures, &[]).tally()
}
