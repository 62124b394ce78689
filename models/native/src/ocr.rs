//! OCR by the engine that serves, with the host's inference on the CPU.

use std::sync::LazyLock;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use fanlight_contract::nn::{NnError, Tensor};
use fanlight_contract::{Raster, ReadWord};
use fanlight_plugin::page::Layout;
use fanlight_raster::GreyImage;
use ocr_engine::Networks;

use crate::NativeNetwork;

/// The networks of the OCR engine, run by the host's inference on the CPU.
pub struct NativeOcr {
    detector: Mutex<NativeNetwork>,
    recognizer: Mutex<NativeNetwork>,
}

/// The engine of this process. It is the project's own, so what keeps it from opening is a broken checkout.
static OCR: LazyLock<Result<NativeOcr>> = LazyLock::new(NativeOcr::open);

impl NativeOcr {
    /// Opens both networks.
    ///
    /// # Errors
    ///
    /// A network cannot be opened.
    pub fn open() -> Result<Self> {
        let open = |name| Ok::<_, anyhow::Error>(Mutex::new(NativeNetwork::open(name)?));
        Ok(Self { detector: open("text-detector")?, recognizer: open("text-recognizer")? })
    }

    /// Returns the words of a raster in its pixels.
    ///
    /// # Errors
    ///
    /// The raster exceeds a limit of the engine, or a network fails.
    pub fn words(&self, raster: &Raster, layout: Layout) -> Result<Vec<ReadWord>> {
        let layout = match layout {
            Layout::Page | Layout::Block | Layout::Sparse => ocr_engine::Layout::Scattered,
            Layout::Line | Layout::Word => ocr_engine::Layout::Line,
        };
        Ok(ocr_engine::read(&GreyImage::from_raster(raster), layout, "", self)?)
    }
}

impl Networks for NativeOcr {
    fn detect(&self, picture: Tensor) -> Result<Tensor, NnError> {
        run(&self.detector, &picture)
    }

    fn recognize(&self, lines: Tensor) -> Result<Tensor, NnError> {
        run(&self.recognizer, &lines)
    }
}

fn run(network: &Mutex<NativeNetwork>, image: &Tensor) -> Result<Tensor, NnError> {
    let shape: Vec<usize> = image.shape.iter().map(|&size| size as usize).collect();
    let network = network.lock().unwrap_or_else(PoisonError::into_inner);
    let output = network.output(&[("image", &shape, &image.values)]);
    let (shape, values) = output.map_err(|error| NnError::Failed(format!("{error:#}")))?.into_parts();
    Ok(Tensor { shape: shape.into_iter().map(|size| size as u32).collect(), values })
}

/// Returns the words of a raster in its pixels, or `None` if OCR fails.
pub(crate) fn words(raster: &Raster, layout: Layout) -> Option<Vec<ReadWord>> {
    let ocr = OCR.as_ref().inspect_err(|error| eprintln!("there is no OCR: {error:#}")).ok()?;
    ocr.words(raster, layout).inspect_err(|error| eprintln!("OCR failed on a picture: {error:#}")).ok()
}
