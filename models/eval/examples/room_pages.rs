//! Detects the rooms of a PDF's pages without a host and prints them as JSON: `room_pages FILE.pdf [PAGE[,PAGE…]]`.

use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use eval::NativeRoomDetector;
use serde_json::json;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let pdf = std::fs::read(arguments.next().context("usage: room_pages FILE.pdf [PAGE,PAGE]")?)?;
    let document = pdf_engine::Document::open(pdf.clone()).map_err(|error| anyhow!("{error:?}"))?;
    let numbers: Vec<u32> = match arguments.next() {
        Some(list) => list.split(',').map(str::parse).collect::<Result<_, _>>()?,
        None => (1..=document.page_count()).collect(),
    };
    let detector = NativeRoomDetector::open()?;
    let mut rooms = Vec::new();
    for number in numbers {
        let started = Instant::now();
        let detected = detector.detect(pdf.clone(), number)?;
        eprintln!("page {number}: {} in {:.3} s", detected.len(), started.elapsed().as_secs_f64());
        for room in detected {
            rooms.push(json!({
                "page": number,
                "name": room.name,
                "number": room.number,
                "area_pt2": room.area,
                "area_m2": room.square_metres,
                "polygon": room.polygon,
            }));
        }
    }
    println!("{}", serde_json::to_string_pretty(&json!({ "rooms": rooms }))?);
    Ok(())
}
