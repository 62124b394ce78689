//! Finds the interior elevations of a PDF's pages natively and prints the result as JSON:
//! `read FILE.pdf [PAGE[,PAGE…]]`.

use std::error::Error;
use std::time::Instant;

use elevation_detector::{Elevation, Elevations};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: read FILE.pdf [PAGE,PAGE]")?;
    let document = pdf_engine::Document::open(std::fs::read(path)?).map_err(|error| format!("{error:?}"))?;
    let numbers: Vec<u32> = match arguments.next() {
        Some(list) => list.split(',').map(str::parse).collect::<Result<_, _>>()?,
        None => (1..=document.page_count()).collect(),
    };
    let mut result = Elevations::default();
    for number in numbers {
        let page = document.page(number).map_err(|error| format!("{error:?}"))?;
        let (text, paths, geometry) = (page.text(), page.paths(), page.geometry());
        let started = Instant::now();
        let found = elevation_detector::find(&text, &paths, &geometry);
        eprintln!("page {number}: {} in {:.3} s", found.len(), started.elapsed().as_secs_f64());
        let numbered = found.into_iter().map(|bbox| Elevation { id: String::new(), page: number, bbox: bbox.into() });
        result.elevations.extend(numbered);
        result.pages_analyzed += 1;
    }
    result.elevations_found = result.elevations.len();
    println!("{}", serde_json::to_string_pretty(&result)?);
    Ok(())
}
