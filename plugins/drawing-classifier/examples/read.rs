//! Classifies the pages of a PDF natively and prints the result as JSON: `read FILE.pdf [TESSERACT]`. With the program
//! Tesseract it reads pages without text too; with `-v` after it, what it kept of each page goes to standard error.

use std::error::Error;
use std::io::Write;
use std::process::{Command, Stdio};

use drawing_classifier::{Layout, Readable, classify, sheet};
use fanlight_scans::ReadWord;
use pdf_engine::vocabulary::{Geometry, ImagePlacement, PageText, Raster, Rect, RenderOptions};

struct NativePage {
    page: pdf_engine::Page,
    tesseract: Option<String>,
}

impl Readable for NativePage {
    fn geometry(&self) -> Geometry {
        self.page.geometry()
    }

    fn text(&self) -> PageText {
        self.page.text()
    }

    fn images(&self) -> Vec<ImagePlacement> {
        self.page.images()
    }

    fn is_drawn(&self) -> bool {
        !self.page.paths().lengths.is_empty()
    }

    fn render(&self, options: &RenderOptions) -> Option<Raster> {
        self.page.render(options).ok()
    }

    fn recognize(&self, picture: &Raster, layout: Layout) -> Option<Vec<ReadWord>> {
        let mode = if layout == Layout::Sparse { "11" } else { "6" };
        let mut program = Command::new(self.tesseract.as_ref()?)
            .args(["-", "-", "--psm", mode, "tsv"])
            .env("OMP_THREAD_LIMIT", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut input = program.stdin.take()?;
        writeln!(input, "P5 {} {} 255", picture.width, picture.height).ok()?;
        input.write_all(picture.bytes()).ok()?;
        drop(input);
        let output = program.wait_with_output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).lines().filter_map(word).collect())
    }
}

/// A word of Tesseract's table. Its lines count within paragraphs and blocks.
fn word(row: &str) -> Option<ReadWord> {
    let cells: Vec<&str> = row.split('\t').collect();
    let number = |at: usize| cells.get(at)?.parse::<f32>().ok();
    let (x, y, wide, high, confidence) = (number(6)?, number(7)?, number(8)?, number(9)?, number(10)?);
    let text = cells.get(11)?.trim();
    let line = number(2)? as u32 * 10_000 + number(3)? as u32 * 100 + number(4)? as u32;
    let bbox = Rect { x1: x, y1: y, x2: x + wide, y2: y + high };
    (confidence >= 0.0 && !text.is_empty()).then(|| ReadWord {
        text: text.to_owned(),
        bbox,
        confidence: confidence / 100.0,
        line,
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("usage: read FILE.pdf [TESSERACT]")?;
    let document = pdf_engine::Document::open(std::fs::read(path)?).map_err(|error| format!("{error:?}"))?;
    let mut sheets = Vec::new();
    for number in 1..=document.page_count() {
        let page = document.page(number).map_err(|error| format!("{error:?}"))?;
        let kept = sheet(number, &NativePage { page, tesseract: arguments.get(1).cloned() });
        if arguments.get(2).is_some_and(|verbose| verbose == "-v") {
            eprintln!("{}", serde_json::to_string(&kept)?);
        }
        sheets.push(kept);
    }
    println!("{}", serde_json::to_string_pretty(&classify(&sheets))?);
    Ok(())
}
