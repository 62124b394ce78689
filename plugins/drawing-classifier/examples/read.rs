//! Classifies the pages of a PDF natively, without OCR, and prints the result as JSON: `read FILE.pdf`.

use std::error::Error;

use drawing_classifier::{Origin, Sheet};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: read FILE.pdf")?;
    let document = pdf_engine::Document::open(std::fs::read(path)?).map_err(|error| format!("{error:?}"))?;
    let mut sheets = Vec::new();
    for number in 1..=document.page_count() {
        let page = document.page(number).map_err(|error| format!("{error:?}"))?;
        sheets.push(Sheet::read(number, &page.text(), &page.geometry(), Origin::Text));
    }
    println!("{}", serde_json::to_string_pretty(&drawing_classifier::classify(&sheets))?);
    Ok(())
}
