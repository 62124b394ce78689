//! Reads the contents of a PDF without a host and prints the result as JSON: `contents_pages FILE.pdf [LAST_PAGE]`.

use std::error::Error;

use eval::NativeManual;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: contents_pages FILE.pdf [LAST_PAGE]")?;
    let last: u32 = arguments.next().map_or(Ok(40), |last| last.parse())?;
    let manual = NativeManual::open(std::fs::read(path)?)?;
    let contents = toc_parser::read(&manual, &manual.first_pages(last), |_| {})?;
    println!("{}", serde_json::to_string_pretty(&contents)?);
    Ok(())
}
