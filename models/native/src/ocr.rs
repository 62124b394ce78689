//! OCR by the engine that serves, with the host's inference on the CPU.

use std::cell::Cell;
use std::time::{Duration, Instant};

use anyhow::Result;
use fanlight_contract::nn::{NnError, Tensor};
use fanlight_contract::{Raster, ReadWord, Rect};
use fanlight_plugin::page::Layout;
use fanlight_raster::{GreyImage, OrientedBox};
use ocr_engine::{Likelihoods, Networks};

use crate::NativeNetwork;

/// The networks of the OCR engine, run by the host's inference on the CPU.
pub struct NativeOcr {
    detector: TimedNetwork,
    recognizer: TimedNetwork,
}

/// A network and the time that its runs have taken.
struct TimedNetwork {
    network: NativeNetwork,
    spent: Cell<Duration>,
}

thread_local! {
    /// The engine of this thread. It is the project's own, so what keeps it from opening is a broken checkout.
    static OCR: Result<NativeOcr> = NativeOcr::open();
}

impl NativeOcr {
    /// Opens both networks.
    ///
    /// # Errors
    ///
    /// A network cannot be opened.
    pub fn open() -> Result<Self> {
        Ok(Self { detector: TimedNetwork::open("text-detector")?, recognizer: TimedNetwork::open("text-recognizer")? })
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

    /// Returns the upright boxes around the lines of text in a raster, in its pixels and in no order. The network sees the
    /// raster at its full resolution.
    ///
    /// # Errors
    ///
    /// A network fails.
    pub fn boxes(&self, raster: &Raster) -> Result<Vec<Rect>> {
        let boxes = ocr_engine::text_boxes_at(1.0, &GreyImage::from_raster(raster), self)?;
        Ok(boxes.iter().map(OrientedBox::bounds).collect())
    }

    /// Returns the time that detection and recognition have taken in their networks so far.
    pub fn spent(&self) -> [Duration; 2] {
        [self.detector.spent.get(), self.recognizer.spent.get()]
    }
}

impl TimedNetwork {
    fn open(name: &str) -> Result<Self> {
        Ok(Self { network: NativeNetwork::open(name)?, spent: Cell::default() })
    }

    /// Runs the network on a picture.
    fn run(&self, image: &Tensor) -> Result<Outputs, NnError> {
        let shape: Vec<usize> = image.shape.iter().map(|&size| size as usize).collect();
        let started = Instant::now();
        let outputs = self.network.outputs(&[("image", &shape, &image.values)]);
        self.spent.set(self.spent.get() + started.elapsed());
        Ok(Outputs(outputs.map_err(|error| NnError::Failed(format!("{error:#}")))?))
    }
}

/// What a network has said, by the names of its outputs.
struct Outputs(Vec<(String, fanlight_inference::Tensor)>);

impl Outputs {
    fn take(&mut self, name: &str) -> Result<Tensor, NnError> {
        let found = self.0.iter().position(|(output, _)| output == name);
        let place = found.ok_or_else(|| NnError::Failed(format!("the network has no output `{name}`")))?;
        let (shape, values) = self.0.swap_remove(place).1.into_parts();
        Ok(Tensor { shape: shape.into_iter().map(|size| size as u32).collect(), values })
    }
}

impl Networks for NativeOcr {
    fn detect(&self, picture: Tensor) -> Result<Tensor, NnError> {
        self.detector.run(&picture)?.take("text")
    }

    fn recognize(&self, lines: Tensor) -> Result<Likelihoods, NnError> {
        let mut said = self.recognizer.run(&lines)?;
        Ok(Likelihoods { latin: said.take("characters")?, cyrillic: said.take("cyrillic")?, han: said.take("han")? })
    }
}

/// Returns the words of a raster in its pixels, or `None` if OCR fails.
pub(crate) fn words(raster: &Raster, layout: Layout) -> Option<Vec<ReadWord>> {
    OCR.with(|ocr| {
        let ocr = ocr.as_ref().inspect_err(|error| eprintln!("there is no OCR: {error:#}")).ok()?;
        ocr.words(raster, layout).inspect_err(|error| eprintln!("OCR failed on a picture: {error:#}")).ok()
    })
}
