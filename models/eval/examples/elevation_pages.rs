//! Detects the interior elevations of a PDF's pages without a host and prints the result as JSON:
//! `elevation_pages FILE.pdf [PAGE[,PAGE…]]`.

use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use elevation_detector::{Elevation, Elevations};
use eval::detect_elevations;
use native::{NativeNetwork, NativePage};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let network = NativeNetwork::open("view-classifier")?;
    let path = arguments.first().context("usage: elevation_pages FILE.pdf [PAGE,PAGE]")?;
    let pdf = std::fs::read(path)?;
    let document = pdf_engine::Document::open(pdf.clone()).map_err(|error| anyhow!("{error:?}"))?;
    let numbers: Vec<u32> = match arguments.get(1) {
        Some(list) => list.split(',').map(str::parse).collect::<Result<_, _>>()?,
        None => (1..=document.page_count()).collect(),
    };
    let mut result = Elevations::default();
    for number in numbers {
        let page = NativePage::open(pdf.clone(), number)?;
        let started = Instant::now();
        let boxes = detect_elevations(&page, &network);
        eprintln!("page {number}: {} in {:.3} s", boxes.len(), started.elapsed().as_secs_f64());
        let elevations = boxes.into_iter().map(|bbox| Elevation { id: String::new(), page: number, bbox: bbox.into() });
        result.elevations.extend(elevations);
        result.pages_analyzed += 1;
    }
    result.elevations_found = result.elevations.len();
    println!("{}", serde_json::to_string_pretty(&result)?);
    Ok(())
}
