//! A sheet read by the engine built natively, by Tesseract called by hand and by the network without a host: no sandbox
//! between.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use elevation_detector::{ReadWord, Sheet};
use fanlight_viewmap::{HEIGHT, WIDTH};
use pdf_engine::vocabulary::{
    Geometry, ImagePlacement, Orientation, PagePaths, PageText, PixelFormat, Raster, Rect, RenderOptions,
};
use rten_tensor::TensorView;

/// The network that maps views.
pub(crate) struct Network(rten::Model);

impl Network {
    pub(crate) fn open() -> Result<Self, String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/sheet-views/model.onnx");
        let mut options = rten::ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        options.load(bytes).map(Self).map_err(|error| error.to_string())
    }

    fn run(&self, shown: &[f32]) -> Option<Vec<f32>> {
        let input = TensorView::from_data(&[1, 1, HEIGHT, WIDTH], shown);
        let inputs = self.0.input_ids().iter().copied().zip([input.into()]).collect();
        let outputs = self.0.run(inputs, self.0.output_ids(), None).ok()?;
        let rten::Value::FloatTensor(map) = outputs.into_iter().next()? else { return None };
        Some(map.into_data())
    }
}

/// A page of a document in memory.
pub(crate) struct NativeSheet<'a> {
    page: pdf_engine::Page,
    network: Option<&'a Network>,
    ocr: bool,
}

impl<'a> NativeSheet<'a> {
    /// Opens page `number` of a PDF, with the network or without, and with OCR or without.
    pub(crate) fn open(bytes: Vec<u8>, number: u32, network: Option<&'a Network>, ocr: bool) -> Result<Self, String> {
        let document = pdf_engine::Document::open(bytes).map_err(|error| format!("{error:?}"))?;
        let page = document.page(number).map_err(|error| format!("{error:?}"))?;
        Ok(Self { page, network, ocr })
    }
}

impl Sheet for NativeSheet<'_> {
    fn geometry(&self) -> Geometry {
        self.page.geometry()
    }

    fn text(&self) -> PageText {
        self.page.text()
    }

    fn paths(&self) -> PagePaths {
        self.page.paths()
    }

    fn images(&self) -> Vec<ImagePlacement> {
        self.page.images()
    }

    fn render(&self, dpi: f32) -> Option<Raster> {
        let format = PixelFormat::Grey;
        self.page.render(&RenderOptions { dpi, region: None, format, orientation: Orientation::Displayed }).ok()
    }

    fn recognize(&self, picture: &Raster) -> Option<Vec<ReadWord>> {
        if !self.ocr {
            return None;
        }
        let mut tesseract = Command::new("tesseract")
            .args(["stdin", "stdout", "-l", "eng", "--psm", "6", "--dpi", "300", "tsv"])
            .env("OMP_THREAD_LIMIT", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut pixels = format!("P5\n{} {}\n255\n", picture.width, picture.height).into_bytes();
        pixels.extend_from_slice(picture.bytes());
        let mut stdin = tesseract.stdin.take()?;
        let writing = std::thread::spawn(move || stdin.write_all(&pixels));
        let output = tesseract.wait_with_output().ok()?;
        writing.join().ok()?.ok()?;
        Some(String::from_utf8_lossy(&output.stdout).lines().skip(1).filter_map(word).collect())
    }

    fn mapped(&self, shown: Vec<f32>) -> Option<Vec<f32>> {
        self.network?.run(&shown)
    }
}

/// A word of Tesseract's table: level 5 of its twelve columns.
fn word(row: &str) -> Option<ReadWord> {
    let fields: Vec<&str> = row.split('\t').collect();
    let number = |index: usize| fields.get(index)?.parse::<f32>().ok();
    let text = fields.get(11)?.trim();
    if *fields.first()? != "5" || text.is_empty() {
        return None;
    }
    let (x, y) = (number(6)?, number(7)?);
    let bbox = Rect { x1: x, y1: y, x2: x + number(8)?, y2: y + number(9)? };
    let line = number(2)? as u32 * 10_000 + number(3)? as u32 * 100 + number(4)? as u32;
    Some(ReadWord { text: text.to_owned(), bbox, confidence: number(10)? / 100.0, line })
}
