//! Finds the rooms of a PDF's pages natively and prints the result as JSON: `read FILE.pdf [PAGE[,PAGE…]]`.

use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: read FILE.pdf [PAGE,PAGE]")?;
    let document = pdf_engine::Document::open(std::fs::read(path)?).map_err(|error| format!("{error:?}"))?;
    let numbers: Vec<u32> = match arguments.next() {
        Some(list) => list.split(',').map(str::parse).collect::<Result<_, _>>()?,
        None => (1..=document.page_count()).collect(),
    };
    let mut rooms = Vec::new();
    for number in numbers {
        let page = document.page(number).map_err(|error| format!("{error:?}"))?;
        let (text, paths, geometry) = (page.text(), page.paths(), page.geometry());
        let started = Instant::now();
        let found = room_detector::find(&text, &paths, &geometry);
        eprintln!("page {number}: {} in {:.3} s", found.len(), started.elapsed().as_secs_f64());
        for room in found {
            rooms.push(serde_json::json!({
                "page": number,
                "name": room.name,
                "number": room.number,
                "area_pt2": room.area,
                "area_m2": room.square_metres,
                "polygon": room.polygon,
            }));
        }
    }
    println!("{}", serde_json::to_string_pretty(&serde_json::json!({ "rooms": rooms }))?);
    Ok(())
}
