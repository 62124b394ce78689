//! Prints the fixture candidates of a page as JSON: `fixtures FILE.pdf [PAGE]`.
//!
//! For each candidate: its kind, its confidence by lines and its classification. Then the fixtures after score fusion.

use anyhow::{Context, Result};
use eval::NativeClassifier;
use fanlight_contract::Rect;
use fanlight_detection::classifier_input::{CLASSES, Classification};
use fanlight_detection::fixtures::{COEFFICIENTS, fused};
use fanlight_detection::symbols::{Fixture, Plan};
use native::{NativePage, Readable as _};
use serde_json::json;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().context("usage: fixtures FILE.pdf [PAGE]")?;
    let number: u32 = arguments.next().map_or(Ok(1), |page| page.parse())?;
    let classifier = NativeClassifier::open()?;
    let page = NativePage::open(std::fs::read(path)?, number)?;
    let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
    let corners = |bbox: Rect| [bbox.x1, bbox.y1, bbox.x2, bbox.y2];

    let plan = Plan::read(&paths, &text, &geometry);
    let mut candidates = plan.fixture_candidates(&plan.scales());
    candidates.retain(Fixture::is_possible);
    let boxes: Vec<Rect> = candidates.iter().map(|candidate| candidate.bbox).collect();
    let classifications = classifier.classify(&page, &boxes);
    let shown = candidates.iter().zip(&classifications).map(|(candidate, classification)| {
        json!({
            "kind": format!("{:?}", candidate.kind),
            "lines": candidate.confidence,
            "picture": classification.as_ref().map(likelihoods),
            "bbox": corners(candidate.bbox),
        })
    });
    let shown: Vec<_> = shown.collect();
    let fixtures: Vec<_> = fused(candidates, &classifications, COEFFICIENTS)
        .iter()
        .map(
            |own| json!({ "kind": format!("{:?}", own.kind), "confidence": own.confidence, "bbox": corners(own.bbox) }),
        )
        .collect();
    println!("{}", json!({ "candidates": shown, "fixtures": fixtures }));
    Ok(())
}

/// Returns the likelihood of each of [`CLASSES`].
fn likelihoods(classification: &Classification) -> [f32; CLASSES.len()] {
    CLASSES.map(|class| classification.likelihood(|other| other == class))
}
