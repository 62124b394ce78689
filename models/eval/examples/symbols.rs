//! Prints the doors and fixtures that a page's lines propose, as JSON: `symbols FILE.pdf [PAGE]`.

use std::time::Instant;

use anyhow::{Context, Result};
use fanlight_contract::Rect;
use fanlight_detection::symbols::Plan;
use native::{NativePage, Readable as _};
use serde_json::{Value, json};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let pdf = std::fs::read(arguments.next().context("usage: symbols FILE.pdf [PAGE]")?)?;
    let number: u32 = arguments.next().map_or(Ok(1), |page| page.parse())?;
    let page = NativePage::open(pdf, number)?;
    let started = Instant::now();
    let (paths, text) = (page.paths(), page.text());
    let read = started.elapsed();
    let started = Instant::now();
    let plan = Plan::read(&paths, &text, &page.geometry());
    let planned = started.elapsed();
    let (doors, fixtures) = (plan.doors(), plan.fixtures());
    eprintln!("{} ops; read {read:?}, plan {planned:?}, all {:?}", paths.ops.len(), started.elapsed());
    let doors: Vec<Value> =
        doors.iter().map(|door| symbol(number, &format!("{:?}", door.kind), door.confidence, door.bbox)).collect();
    let fixtures: Vec<Value> =
        fixtures.iter().map(|own| symbol(number, &format!("{:?}", own.kind), own.confidence, own.bbox)).collect();
    println!("{}", json!({ "doors": doors, "fixtures": fixtures }));
    Ok(())
}

fn symbol(page: u32, kind: &str, confidence: f32, b: Rect) -> Value {
    json!({ "page": page, "kind": kind, "confidence": confidence, "bbox": [b.x1, b.y1, b.x2, b.y2] })
}
