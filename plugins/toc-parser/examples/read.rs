//! Reads the contents of a PDF natively and prints the result as JSON: `read FILE.pdf [LAST_PAGE]`.

use std::error::Error;

#[path = "../tests/native/mod.rs"]
mod native;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: read FILE.pdf [LAST_PAGE]")?;
    let last: u32 = arguments.next().map_or(Ok(40), |last| last.parse())?;
    let manual = native::NativeManual::open(std::fs::read(path)?)?;
    let contents = toc_parser::read(&manual, &manual.first_pages(last), |_| {})?;
    println!("{}", serde_json::to_string_pretty(&contents)?);
    Ok(())
}
