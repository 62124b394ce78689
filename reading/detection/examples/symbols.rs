//! Prints what is found on a page, read natively, as JSON: `symbols FILE.pdf PAGE`.

use std::error::Error;
use std::time::Instant;

use fanlight_detection::symbols::Plan;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: symbols FILE.pdf PAGE")?;
    let number: u32 = arguments.next().map_or(Ok(1), |page| page.parse())?;
    let document = pdf_engine::Document::open(std::fs::read(path)?).map_err(|error| format!("{error:?}"))?;
    let page = document.page(number).map_err(|error| format!("{error:?}"))?;
    let started = Instant::now();
    let (paths, text) = (page.paths(), page.text());
    let read = started.elapsed();
    let started = Instant::now();
    let plan = Plan::read(&paths, &text, &page.geometry());
    let planned = started.elapsed();
    let doors = plan.doors();
    eprintln!("{} ops; read {read:?}, plan {planned:?}, all {:?}", paths.ops.len(), started.elapsed());
    println!("{{\"doors\": [");
    for (index, door) in doors.iter().enumerate() {
        let b = door.bbox;
        let comma = if index > 0 { "," } else { "" };
        println!(
            "{comma}{{\"page\": {number}, \"kind\": \"{:?}\", \"confidence\": {:.3}, \"bbox\": [{:.1}, {:.1}, {:.1}, {:.1}]}}",
            door.kind, door.confidence, b.x1, b.y1, b.x2, b.y2
        );
    }
    println!("], \"fixtures\": [");
    for (index, fixture) in plan.fixtures().iter().enumerate() {
        let b = fixture.bbox;
        let comma = if index > 0 { "," } else { "" };
        println!(
            "{comma}{{\"page\": {number}, \"kind\": \"{:?}\", \"confidence\": {:.3}, \"bbox\": [{:.1}, {:.1}, {:.1}, {:.1}]}}",
            fixture.kind, fixture.confidence, b.x1, b.y1, b.x2, b.y2
        );
    }
    println!("]}}");
    Ok(())
}
