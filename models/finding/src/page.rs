//! Pages and the network without a host: the engine by itself, rten by itself.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use drafting::plan::Drafted;
use drafting::scan::{self, Print, Scanner};
use fanlight_crops::Answer;
use fanlight_finder::{Find, SIDE, Sheet, pictured};
use fanlight_scans::ReadWord;
use fanlight_vocabulary::{Geometry, ImagePlacement, Orientation, PageText, PixelFormat, Raster, Rect, RenderOptions};
use rten::{Model, ModelOptions};
use rten_tensor::TensorView;
use weighing::NativeJudge;

/// A page of the engine's. There is no OCR.
struct NativePage(pdf_engine::Page);

impl Sheet for NativePage {
    fn geometry(&self) -> Geometry {
        self.0.geometry()
    }

    fn text(&self) -> PageText {
        self.0.text()
    }

    fn images(&self) -> Vec<ImagePlacement> {
        self.0.images()
    }

    fn render(&self, options: &RenderOptions) -> Option<Raster> {
        self.0.render(options).ok()
    }

    fn recognize(&self, _: &Raster) -> Option<Vec<ReadWord>> {
        None
    }
}

/// The network `symbols-finder`, run by rten.
pub struct NativeFinder(Model);

impl NativeFinder {
    /// Opens it from the project's folder of models.
    pub fn open() -> Result<Self> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../symbols-finder/model.onnx");
        let onnx = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        Ok(Self(options.load(onnx).with_context(|| format!("{} is no network", path.display()))?))
    }

    /// Its maps for a tile.
    pub fn maps(&self, tile: &[f32]) -> Result<Vec<f32>> {
        let input = *self.0.input_ids().first().context("the network has no input")?;
        let output = *self.0.output_ids().first().context("the network has no output")?;
        let view = TensorView::from_data(&[1, 1, SIDE, SIDE], tile);
        let mut outputs = self.0.run(vec![(input, view.into())], &[output], None)?;
        let output = outputs.pop().context("the network gave nothing")?;
        let tensor = output.into_tensor::<f32>().context("the network gave no floats")?;
        Ok(tensor.into_data())
    }
}

/// What the finder alone finds on a page that is a picture; nothing on others.
pub fn found(pdf: Vec<u8>, number: u32, finder: &NativeFinder) -> Result<Vec<Find>> {
    let document = pdf_engine::Document::open(pdf).map_err(|error| anyhow!("{error:?}"))?;
    let page = NativePage(document.page(number).map_err(|error| anyhow!("{error:?}"))?);
    let Some(part) = pictured(page.0.paths().ops.len(), &page.geometry(), || page.images()) else {
        return Ok(Vec::new());
    };
    Ok(fanlight_finder::find(&page, part, |tile| finder.maps(&tile).ok()))
}

/// What the judge says of each find of a page.
pub fn answers(pdf: Vec<u8>, number: u32, finds: &[Find], judge: &NativeJudge) -> Result<Vec<Option<Answer>>> {
    let document = pdf_engine::Document::open(pdf).map_err(|error| anyhow!("{error:?}"))?;
    let page = document.page(number).map_err(|error| anyhow!("{error:?}"))?;
    let boxes: Vec<Rect> = finds.iter().map(|find| find.bbox).collect();
    Ok(judge.answers(&page, &boxes))
}

/// A drafted sheet, scanned at a resolution that offices use.
pub fn scanned(drafted: &Drafted, scanner: &Scanner, dpi: f32, seed: u64) -> Result<Vec<u8>> {
    let document = pdf_engine::Document::open(drafted.pdf.clone()).map_err(|error| anyhow!("{error:?}"))?;
    let page = document.page(1).map_err(|error| anyhow!("{error:?}"))?;
    let options = RenderOptions { dpi, region: None, format: PixelFormat::Grey, orientation: Orientation::UserSpace };
    let raster = page.render(&options).map_err(|error| anyhow!("{error:?}"))?;
    let (width, height) = (raster.width as usize, raster.height as usize);
    Ok(scan::scan(&[Print { width, height, grey: raster.bytes().to_vec(), dpi }], scanner, seed))
}
