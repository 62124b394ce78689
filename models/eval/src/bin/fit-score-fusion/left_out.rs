//! How the scores of an office change where it is left out of what weights are fitted on.
//!
//! Three ways of fitting are compared for each office: on the sheets of mixed habits alone; on these and all offices but the
//! one; on these and all offices. A drafted office is left out of the drafted ones, one of a corpus of real sheets out of the
//! drafted and the real ones. What is no weight is the same in all three.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use eval::NativeJudge;
use fanlight_contract::Rect;
use fanlight_detection::classifier::Weights;
use fanlight_detection::symbols::{Fixture, FixtureKind, distinct};
use scoring::{Tally, matched, rect};
use serde_json::Value;

use crate::sheet::{Group, Judged, Sheet, Wanted, judged};

/// What is surer than this is listed.
const LIKELY: f32 = 0.5;

/// Prints a table of all offices.
pub(crate) fn show(
    mixed: &[Sheet],
    drafted: &[(String, Sheet)],
    corpus: Option<&Path>,
    judge: &NativeJudge,
) -> Result<()> {
    let real = corpus.map_or_else(|| Ok(Vec::new()), |corpus| real(corpus, judge))?;
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
        let doors = ways.map(|weights| format!("{:.3}", f1(&sheets, &weights, doors)));
        let fixtures = ways.map(|weights| format!("{:.3}", f1(&sheets, &weights, fixtures)));
        println!("| {name} | {} | {} |", doors.join(", "), fixtures.join(", "));
    }
    Ok(())
}

/// The labelled sheets of a folder with `labels/` and `pdf/`; the PDF stands for its office.
fn real(corpus: &Path, judge: &NativeJudge) -> Result<Vec<(String, Sheet)>> {
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
        sheets.push((file.to_owned(), judged(pdf, page, wanted, judge)?));
    }
    Ok(sheets)
}

/// The weights of each of [`Group::ALL`].
fn fit(sheets: &[&Sheet]) -> [Weights; Group::ALL.len()] {
    Group::ALL.map(|group| {
        let all = sheets.iter().flat_map(|sheet| &sheet.candidates);
        eval::fit(all.filter(|one| one.group == group).map(|one| one.opinion))
    })
}

/// F1 of what is listed under weights.
fn f1(
    sheets: &[&Sheet],
    weights: &[Weights; Group::ALL.len()],
    listed: fn(&Sheet, &[Weights; Group::ALL.len()]) -> Tally,
) -> f64 {
    sheets.iter().map(|sheet| listed(sheet, weights)).sum::<Tally>().f1()
}

/// Weighs a candidate with its group's weights.
fn weighed(one: &Judged, weights: &[Weights; Group::ALL.len()]) -> f32 {
    let own = Group::ALL.iter().zip(weights).find(|(group, _)| **group == one.group);
    own.map_or(0.0, |(_, weights)| weights.weigh(one.opinion.confidence, one.opinion.likelihood))
}

fn doors(sheet: &Sheet, weights: &[Weights; Group::ALL.len()]) -> Tally {
    let doors = sheet.candidates.iter().filter(|one| one.group != Group::Fixture);
    let listed: Vec<Rect> = doors.filter(|one| weighed(one, weights) > LIKELY).map(|one| one.bbox).collect();
    matched(&listed, &sheet.wanted.doors, &[]).tally()
}

fn fixtures(sheet: &Sheet, weights: &[Weights; Group::ALL.len()]) -> Tally {
    let of_group = sheet.candidates.iter().filter(|one| one.group == Group::Fixture);
    let candidates =
        of_group.map(|one| Fixture { kind: FixtureKind::Other, bbox: one.bbox, confidence: weighed(one, weights) });
    let listed: Vec<Rect> =
        distinct(candidates.collect()).into_iter().filter(Fixture::is_likely).map(|one| one.bbox).collect();
    matched(&listed, &sheet.wanted.fixtures, &[]).tally()
}
