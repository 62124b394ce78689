//! Classifies the pages of a PDF without a host and prints the result as JSON: `sheet_pages [--ocr] [--kept] FILE.pdf`. With
//! `--ocr` it reads pages without text too; with `--kept`, what it kept of each page goes to standard error.

use std::error::Error;

use drawing_classifier::{classify, sheet};
use native::NativePage;

fn main() -> Result<(), Box<dyn Error>> {
    let (flags, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    let pdf = std::fs::read(files.first().ok_or("usage: sheet_pages [--ocr] [--kept] FILE.pdf")?)?;
    let document = pdf_engine::Document::open(pdf.clone()).map_err(|error| format!("{error:?}"))?;
    let mut sheets = Vec::new();
    for number in 1..=document.page_count() {
        let page = NativePage::open(pdf.clone(), number)?;
        let page = if has("--ocr") { page.with_ocr() } else { page };
        let kept = sheet(number, &page);
        if has("--kept") {
            eprintln!("{}", serde_json::to_string(&kept)?);
        }
        sheets.push(kept);
    }
    println!("{}", serde_json::to_string_pretty(&classify(&sheets))?);
    Ok(())
}
