//! Pages on paper, for scanners that are drafted.

use anyhow::{Context as _, Result, anyhow};
use drafting::scan::Print;
use fanlight_contract::{Orientation, PixelFormat, RenderOptions};

/// Pages of a PDF as a printer of so many dots an inch puts them on paper: as a viewer shows them, or as they lie in their
/// user space.
///
/// # Errors
///
/// Where the file can't be opened, or a page of it can't be rendered so.
pub fn prints(
    pdf: Vec<u8>,
    pages: impl IntoIterator<Item = u32>,
    dpi: f32,
    orientation: Orientation,
) -> Result<Vec<Print>> {
    let document = pdf_engine::Document::open(pdf).map_err(|error| anyhow!("{error:?}"))?;
    let options = RenderOptions { dpi, region: None, format: PixelFormat::Grey, orientation };
    let print = |number: u32| {
        let page = document.page(number).map_err(|error| anyhow!("{error:?}"));
        let raster = page.and_then(|page| page.render(&options).map_err(|error| anyhow!("{error:?}")));
        let raster = raster.with_context(|| format!("page {number} can't be printed"))?;
        let (width, height) = (raster.width as usize, raster.height as usize);
        Ok(Print { width, height, grey: raster.bytes().to_vec(), dpi })
    };
    pages.into_iter().map(print).collect()
}
