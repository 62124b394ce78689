//! Detects the interior elevations of a PDF's pages without a host and prints the result as JSON:
//! `elevation_pages [--ocr] [--network] FILE.pdf [PAGE[,PAGE…]]`.

use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use elevation_detector::{Elevation, Elevations};
use eval::detect_elevations;
use native::{NativeNetwork, NativePage};

fn main() -> Result<()> {
    let (flags, arguments): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    let network = if has("--network") { Some(NativeNetwork::open("sheet-views")?) } else { None };
    let path = arguments.first().context("usage: elevation_pages [--ocr] [--network] FILE.pdf [PAGE,PAGE]")?;
    let pdf = std::fs::read(path)?;
    let document = pdf_engine::Document::open(pdf.clone()).map_err(|error| anyhow!("{error:?}"))?;
    let numbers: Vec<u32> = match arguments.get(1) {
        Some(list) => list.split(',').map(str::parse).collect::<Result<_, _>>()?,
        None => (1..=document.page_count()).collect(),
    };
    let mut result = Elevations::default();
    for number in numbers {
        let page = NativePage::open(pdf.clone(), number)?;
        let page = if has("--ocr") { page.with_ocr() } else { page };
        let started = Instant::now();
        let boxes = detect_elevations(&page, network.as_ref());
        eprintln!("page {number}: {} in {:.3} s", boxes.len(), started.elapsed().as_secs_f64());
        let elevations = boxes.into_iter().map(|bbox| Elevation { id: String::new(), page: number, bbox: bbox.into() });
        result.elevations.extend(elevations);
        result.pages_analyzed += 1;
    }
    result.elevations_found = result.elevations.len();
    println!("{}", serde_json::to_string_pretty(&result)?);
    Ok(())
}
