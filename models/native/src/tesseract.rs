//! OCR by Tesseract through the host's reader, to compare with, without its confinement: the images are the project's own.

use std::sync::LazyLock;
use std::thread::available_parallelism;

use anyhow::Result;
use fanlight_contract::{Raster, Rect};
use fanlight_ocr::{Expected, Launcher, Picture, Pixels, Reader, Settings};
use fanlight_plugin::page::Layout;
use fanlight_raster::ReadWord;
use tokio::runtime::{Builder, Runtime};

/// The shell that launches the program.
const LAUNCHER: &str = "/bin/sh";
/// A script that drops the bounds it is given, memory and seconds, and runs the program that follows them.
const LAUNCHER_ARGUMENTS: [&str; 3] = ["-c", "shift 2; exec \"$@\"", "launcher"];

/// The host's reader with a runtime to wait for it.
struct Ocr {
    runtime: Runtime,
    reader: Reader,
}

/// The reader of this process, or `None` if `tesseract` is not installed.
static OCR: LazyLock<Option<Ocr>> = LazyLock::new(|| Ocr::open().ok());

impl Ocr {
    fn open() -> Result<Self> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let parallel = available_parallelism().map_or(1, usize::from);
        let settings = Settings { parallel, ..Settings::new(Launcher::new(LAUNCHER, &LAUNCHER_ARGUMENTS)) };
        let reader = runtime.block_on(Reader::find(settings))?;
        Ok(Self { runtime, reader })
    }
}

/// Returns the words of a grey raster in its pixels, or `None` if OCR fails or is not installed.
pub fn tesseract_words(raster: &Raster, layout: Layout, languages: &[&str]) -> Option<Vec<ReadWord>> {
    let Ocr { runtime, reader } = OCR.as_ref()?;
    let languages = languages.iter().map(|language| (*language).to_owned()).collect();
    let expected = Expected { layout: host_layout(layout), languages, characters: String::new() };
    let picture = Picture { width: raster.width, height: raster.height, pixels: Pixels::Grey, bytes: raster.bytes() };
    let words = runtime.block_on(reader.read(&picture, &expected)).ok()?;
    Some(words.into_iter().map(read_word).collect())
}

fn host_layout(layout: Layout) -> fanlight_ocr::Layout {
    match layout {
        Layout::Page => fanlight_ocr::Layout::Page,
        Layout::Block => fanlight_ocr::Layout::Block,
        Layout::Line => fanlight_ocr::Layout::Line,
        Layout::Word => fanlight_ocr::Layout::Word,
        Layout::Sparse => fanlight_ocr::Layout::Sparse,
    }
}

fn read_word(word: fanlight_ocr::Word) -> ReadWord {
    let [x1, y1, x2, y2] = word.bbox.map(|pixel| pixel as f32);
    ReadWord {
        text: word.text,
        bbox: Rect { x1, y1, x2, y2 },
        confidence: word.confidence,
        angle: 0.0,
        line: word.line,
    }
}
