//! Finds the interior elevations of a PDF's pages natively and prints the result as JSON:
//! `elevations [--ocr] [--network] FILE.pdf [PAGE[,PAGE…]]`.

#[path = "../tests/mapping/mod.rs"]
mod mapping;

use std::error::Error;
use std::time::Instant;

use elevation_detector::{Elevation, Elevations};
use mapping::found;
use native::{NativeNetwork, NativePage};

fn main() -> Result<(), Box<dyn Error>> {
    let (flags, arguments): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    let network = if has("--network") { Some(NativeNetwork::open("sheet-views")?) } else { None };
    let path = arguments.first().ok_or("usage: elevations [--ocr] [--network] FILE.pdf [PAGE,PAGE]")?;
    let bytes = std::fs::read(path)?;
    let document = pdf_engine::Document::open(bytes.clone()).map_err(|error| format!("{error:?}"))?;
    let numbers: Vec<u32> = match arguments.get(1) {
        Some(list) => list.split(',').map(str::parse).collect::<Result<_, _>>()?,
        None => (1..=document.page_count()).collect(),
    };
    let mut result = Elevations::default();
    for number in numbers {
        let page = NativePage::open(bytes.clone(), number)?;
        let page = if has("--ocr") { page.with_ocr() } else { page };
        let started = Instant::now();
        let found = found(&page, network.as_ref());
        eprintln!("page {number}: {} in {:.3} s", found.len(), started.elapsed().as_secs_f64());
        let numbered = found.into_iter().map(|bbox| Elevation { id: String::new(), page: number, bbox: bbox.into() });
        result.elevations.extend(numbered);
        result.pages_analyzed += 1;
    }
    result.elevations_found = result.elevations.len();
    println!("{}", serde_json::to_string_pretty(&result)?);
    Ok(())
}
