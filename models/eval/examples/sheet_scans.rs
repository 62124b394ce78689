//! Scans a synthetic set, so that classification by OCR can be measured: `sheet_scans STYLE SEED DPI FILE.pdf` writes the scan
//! and, beside it, the truth.

use std::error::Error;
use std::path::PathBuf;

use drafting::scan::{Print, Scanner, scan};
use drafting::sheet::{generate, styles};
use pdf_engine::vocabulary::{Orientation, PixelFormat, RenderOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, seed, dpi, out] = arguments.as_slice() else {
        return Err("usage: sheet_scans STYLE SEED DPI FILE.pdf".into());
    };
    let (seed, dpi): (u64, f32) = (seed.parse()?, dpi.parse()?);
    let (_, style) = styles().into_iter().find(|(own, _)| own == name).ok_or("no such style")?;
    let set = generate(&style, seed);
    let document = pdf_engine::Document::open(set.pdf).map_err(|error| format!("{error:?}"))?;
    let mut prints = Vec::new();
    for number in 1..=document.page_count() {
        let options =
            RenderOptions { dpi, region: None, format: PixelFormat::Grey, orientation: Orientation::Displayed };
        let page = document.page(number).map_err(|error| format!("{error:?}"))?;
        let raster = page.render(&options).map_err(|error| format!("{error:?}"))?;
        let (width, height) = (raster.width as usize, raster.height as usize);
        prints.push(Print { width, height, grey: raster.bytes().to_vec(), dpi });
    }
    let out = PathBuf::from(out);
    let (_, scanner) = Scanner::ALL[1];
    std::fs::write(&out, scan(&prints, &scanner, seed))?;
    std::fs::write(out.with_extension("json"), serde_json::to_string_pretty(&set.truth)?)?;
    Ok(())
}
