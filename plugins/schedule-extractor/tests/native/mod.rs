//! A sheet read by the engine built natively, and by Tesseract called by hand: no sandbox between.

use std::io::Write as _;
use std::process::{Command, Stdio};

use pdf_engine::vocabulary::{
    Geometry, ImagePlacement, Orientation, PagePaths, PageText, PixelFormat, Raster, Rect, RenderOptions,
};
use schedule_extractor::{ReadWord, Sheet};

/// A page of a document in memory.
pub(crate) struct NativeSheet {
    page: pdf_engine::Page,
    ocr: bool,
}

impl NativeSheet {
    /// Opens page `number` of a PDF, with or without OCR.
    pub(crate) fn open(bytes: Vec<u8>, number: u32, ocr: bool) -> Result<Self, String> {
        let document = pdf_engine::Document::open(bytes).map_err(|error| format!("{error:?}"))?;
        let page = document.page(number).map_err(|error| format!("{error:?}"))?;
        Ok(Self { page, ocr })
    }
}

impl Sheet for NativeSheet {
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

    fn render(&self, region: Option<Rect>, dpi: f32) -> Option<Raster> {
        let options = RenderOptions { dpi, region, format: PixelFormat::Grey, orientation: Orientation::Displayed };
        self.page.render(&options).ok()
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
