//! Reads the schedules of a PDF's pages without a host, with OCR if it is installed, and prints the result as JSON:
//! `schedule_pages FILE.pdf PAGE[,PAGE…]`.

use std::error::Error;

use native::NativePage;
use schedule_extractor::Schedules;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: schedule_pages FILE.pdf PAGE[,PAGE]")?;
    let bytes = std::fs::read(path)?;
    let mut result = Schedules::default();
    for number in arguments.next().unwrap_or_else(|| "1".to_owned()).split(',') {
        let number: u32 = number.parse()?;
        let found = schedule_extractor::read(number, &NativePage::open(bytes.clone(), number)?.with_ocr(), &|_, _| {});
        result.schedules.extend(found.schedules);
        if found.rasterized {
            result.rasterized_pages.push(number);
        }
    }
    result.schedules_found = result.schedules.len();
    result.ocr_fallback_used = !result.rasterized_pages.is_empty();
    println!("{}", serde_json::to_string_pretty(&result)?);
    Ok(())
}
