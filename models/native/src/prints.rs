//! Pages rendered as prints, the input of synthetic scans.

use anyhow::{Context as _, Result, anyhow};
use drafting::scan::Print;
use fanlight_contract::{Orientation, PixelFormat, RenderOptions};

/// Renders pages of a PDF in grey at `dpi`, displayed as in a viewer or in their user space.
///
/// # Errors
///
/// If the file cannot be opened, or a page cannot be rendered.
pub fn prints(
    pdf: Vec<u8>,
    pages: impl IntoIterator<Item = u32>,
    dpi: f32,
    orientation: Orientation,
) -> Result<Vec<Print>> {
    let document = pdf_engine::Document::open(pdf).map_err(|error| anyhow!("{error:?}"))?;
    let options = RenderOptions { dpi, region: None, format: PixelFormat::Grey, orientation };
    let mut prints = Vec::new();
    for number in pages {
        let page = document.page(number).map_err(|error| anyhow!("{error:?}"));
        let raster = page.and_then(|page| page.render(&options).map_err(|error| anyhow!("{error:?}")));
        let raster = raster.with_context(|| format!("page {number} cannot be rendered"))?;
        let (width, height) = (raster.width as usize, raster.height as usize);
        prints.push(Print { width, height, grey: raster.bytes().to_vec(), dpi });
    }
    Ok(prints)
}
