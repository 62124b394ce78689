//! Pages from the engine, read by Tesseract where they are to be.

use std::io::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Result, anyhow};
use fanlight_contract::{Geometry, ImagePlacement, PagePaths, PageText, Raster, Rect, RenderOptions};
use fanlight_plugin::page::{Layout, Readable};
use fanlight_raster::ReadWord;

/// A page of a document in memory.
pub struct NativePage {
    page: pdf_engine::Page,
    reads_pictures: bool,
}

impl NativePage {
    /// Page `number` of a PDF, from 1, without OCR.
    ///
    /// # Errors
    ///
    /// Where the file can't be opened, or has no such page.
    pub fn open(pdf: Vec<u8>, number: u32) -> Result<Self> {
        let document = pdf_engine::Document::open(pdf).map_err(|error| anyhow!("{error:?}"))?;
        let page = document.page(number).map_err(|error| anyhow!("{error:?}"))?;
        Ok(Self { page, reads_pictures: false })
    }

    /// The same page with OCR: the program `tesseract`, in English whatever language is asked for.
    #[must_use]
    pub fn with_ocr(self) -> Self {
        Self { reads_pictures: true, ..self }
    }
}

impl Readable for NativePage {
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

    fn render(&self, options: &RenderOptions) -> Option<Raster> {
        self.page.render(options).ok()
    }

    fn recognize(&self, picture: &Raster, layout: Layout, _: &[&str]) -> Option<Vec<ReadWord>> {
        if !self.reads_pictures {
            return None;
        }
        let mut tesseract = Command::new("tesseract")
            .args(["stdin", "stdout", "-l", "eng", "--psm", segmentation(layout), "--dpi", "300", "tsv"])
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

/// Tesseract's mode of page segmentation, as the host has it.
fn segmentation(layout: Layout) -> &'static str {
    match layout {
        Layout::Page => "3",
        Layout::Block => "6",
        Layout::Line => "7",
        Layout::Word => "8",
        Layout::Sparse => "11",
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
    // Lines count within paragraphs, and these within blocks.
    let line = number(2)? as u32 * 10_000 + number(3)? as u32 * 100 + number(4)? as u32;
    Some(ReadWord { text: text.to_owned(), bbox, confidence: number(10)? / 100.0, line })
}
