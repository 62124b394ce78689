//! Measures the builtin OCR engine beside Tesseract, on the same pictures in one run.
//!
//! The engine runs natively here, as the plugins' libraries do in tests, since Tesseract has no sandbox either. Its networks
//! run as the host runs them. Memory is that of the installed program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use drafting::scan::{Scanner, scan};
use drafting::schedule::{Lettering, Style, generate, styles};
use eval::ocr::{Accuracy, words_of_layer};
use fanlight_contract::{Orientation, Raster, ReadWord, Rect};
use fanlight_plugin::page::Layout;
use fanlight_tests::document::{self, Picture};
use native::{NativeOcr, NativePage, Readable, prints, tesseract_words, upright};

use crate::report::{Report, median};
use crate::runs::{Run, timed, typical};
use crate::sheet;

/// Resolution of real sheets, and of drafted lettering, in pixels per inch.
const SHEET_DPI: f32 = 150.0;
/// Resolution of scans.
const SCAN_DPI: f32 = 200.0;
/// Resolution at which a whole large sheet is read.
const LARGE_SHEET_DPI: f32 = 120.0;
/// Least share of the words of real sheets and of drafted stroke lettering that are read, case and accents kept.
const MIN_WORDS: f64 = 0.97;
/// Least share of the words on a copier's scans.
const MIN_SCANNED_WORDS: f64 = 0.95;
/// Most time for a letter page, relative to Tesseract's.
const MAX_RATIO: f64 = 1.0;
/// Most seconds for the title block of a sheet of 48 x 36 in.
const TITLE_BLOCK_SECONDS: f64 = 1.0;
/// Its width and height in points: 4 x 10 in.
const TITLE_BLOCK: (f32, f32) = (288.0, 720.0);
/// Most seconds for a whole sheet of 36 x 24 in.
const SHEET_SECONDS: f64 = 8.0;
/// Most megabytes of `fanlight text` on that sheet.
const MEGABYTES: f64 = 600.0;
/// Drafted sheets of each kind.
const SEEDS: std::ops::Range<u64> = 1..4;

/// An engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Engine {
    Builtin,
    Tesseract,
}

impl Engine {
    const ALL: [Self; 2] = [Self::Builtin, Self::Tesseract];

    const fn name(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Tesseract => "Tesseract",
        }
    }

    /// Returns the words that the engine reads in a picture, and the seconds that it takes.
    fn read(self, picture: &Raster, builtin: &NativeOcr) -> Result<(Vec<ReadWord>, f64)> {
        let started = Instant::now();
        let words = match self {
            Self::Builtin => builtin.words(picture, Layout::Sparse)?,
            Self::Tesseract => tesseract_words(picture, Layout::Sparse, &[]).context("Tesseract failed")?,
        };
        Ok((words, started.elapsed().as_secs_f64()))
    }
}

/// A picture with the words that it shows.
struct Sample {
    picture: Raster,
    words: Vec<String>,
}

/// Measures accuracy, time and memory. `sheets` are PDFs whose first pages have a right text layer.
pub(crate) fn measure(
    release: &Path,
    folder: &Path,
    sheets: &[PathBuf],
    rounds: usize,
    report: &mut Report,
) -> Result<()> {
    let builtin = NativeOcr::open()?;
    let mut real = Vec::new();
    for path in sheets {
        real.push(sample(std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?, SHEET_DPI)?);
    }
    if !real.is_empty() {
        score("words of real sheets", &real, MIN_WORDS, &builtin, report)?;
    }
    let strokes = SEEDS.map(drafted_strokes).collect::<Result<Vec<Sample>>>()?;
    score("words of stroke lettering", &strokes, MIN_WORDS, &builtin, report)?;
    let copies = SEEDS.map(copied).collect::<Result<Vec<Sample>>>()?;
    score("words of copier scans", &copies, MIN_SCANNED_WORDS, &builtin, report)?;

    let letter = sample(manual_page(1), SCAN_DPI)?;
    compare_times(&letter.picture, rounds, &builtin, report)?;
    measure_title_block(folder, rounds, &builtin, report)?;
    let sheet = lettered_sheet(folder)?;
    measure_sheet(&sheet, rounds, &builtin, report)?;
    measure_program(release, "  memory of `fanlight text`", &sheet, rounds, report)?;
    for (what, picture) in Picture::without_text() {
        let path = folder.join("bad-picture.pdf");
        std::fs::write(&path, document::pictured(&picture))?;
        measure_program(release, &format!("  memory of `fanlight text`, {what}"), &path, rounds, report)?;
    }
    Ok(())
}

/// Adds the median share of the words that each engine reads.
fn score(what: &str, samples: &[Sample], least: f64, builtin: &NativeOcr, report: &mut Report) -> Result<()> {
    let mut shares: BTreeMap<Engine, Vec<f64>> = BTreeMap::new();
    for sample in samples {
        for engine in Engine::ALL {
            let (read, _) = engine.read(&sample.picture, builtin)?;
            let share = f64::from(Accuracy::of_words(&sample.words, &read).recall());
            shares.entry(engine).or_default().push(share);
        }
    }
    for (engine, shares) in shares {
        match engine {
            Engine::Builtin => report.at_least(what, median(shares), least, ""),
            Engine::Tesseract => report.note(format!("  {}", engine.name()), format!("{:.2}", median(shares))),
        }
    }
    Ok(())
}

/// Adds the ratio of the engines' times on a letter page.
fn compare_times(picture: &Raster, rounds: usize, builtin: &NativeOcr, report: &mut Report) -> Result<()> {
    let mut seconds: BTreeMap<Engine, Vec<f64>> = BTreeMap::new();
    // The first round fills the caches.
    for round in 0..=rounds {
        for engine in Engine::ALL {
            let (_, taken) = engine.read(picture, builtin)?;
            if round > 0 {
                seconds.entry(engine).or_default().push(taken);
            }
        }
    }
    let of = |engine: Engine| median(seconds.get(&engine).cloned().unwrap_or_default());
    let ratio = of(Engine::Builtin) / of(Engine::Tesseract);
    report.below("OCR of a letter page, relative to Tesseract", ratio, MAX_RATIO, "");
    for engine in Engine::ALL {
        report.note(format!("  {}", engine.name()), format!("{:.2} s", of(engine)));
    }
    Ok(())
}

/// Adds the time for the title block of a large sheet.
fn measure_title_block(folder: &Path, rounds: usize, builtin: &NativeOcr, report: &mut Report) -> Result<()> {
    let (width, height) = TITLE_BLOCK;
    let corner = Rect { x1: sheet::ARCH_E.0 - width, y1: 0.0, x2: sheet::ARCH_E.0, y2: height };
    let large = sheet::write(folder, "sheet of 48x36 in", sheet::ARCH_E, 100_000)?;
    let large = NativePage::open(std::fs::read(&large.path)?, 1)?;
    let block = large.render(&upright(Some(corner), SHEET_DPI)).context("the title block cannot be rendered")?;
    report.below("OCR of a title block", seconds(&block, rounds, builtin)?, TITLE_BLOCK_SECONDS, "s");
    Ok(())
}

/// Adds the time for a whole sheet.
fn measure_sheet(sheet: &Path, rounds: usize, builtin: &NativeOcr, report: &mut Report) -> Result<()> {
    let whole = NativePage::open(std::fs::read(sheet)?, 1)?;
    let whole = whole.render(&upright(None, LARGE_SHEET_DPI)).context("the sheet cannot be rendered")?;
    report.below("OCR of a sheet of 36x24 in", seconds(&whole, rounds, builtin)?, SHEET_SECONDS, "s");
    Ok(())
}

/// Returns the median seconds in which the builtin engine reads a picture.
fn seconds(picture: &Raster, rounds: usize, builtin: &NativeOcr) -> Result<f64> {
    let read = (0..rounds).map(|_| Engine::Builtin.read(picture, builtin).map(|(_, seconds)| seconds));
    Ok(median(read.collect::<Result<_>>()?))
}

/// Adds the peak memory and the time of the installed program that reads a file by OCR.
fn measure_program(release: &Path, what: &str, file: &Path, rounds: usize, report: &mut Report) -> Result<()> {
    let fanlight = release.join(format!("fanlight{}", std::env::consts::EXE_SUFFIX));
    let Run { megabytes, seconds } =
        typical(rounds, || timed(Command::new(&fanlight).arg("text").arg(file).args(["--ocr", "always"])))?;
    report.below(what, megabytes, MEGABYTES, "MB");
    report.note("    time", format!("{seconds:.1} s"));
    Ok(())
}

/// Writes a sheet of 36 x 24 in with schedules, as dense in text as sheets are, and returns its path.
fn lettered_sheet(folder: &Path) -> Result<PathBuf> {
    let path = folder.join("lettered-sheet.pdf");
    let style = Style { tables: 4, rows: 30, ..preset()? };
    std::fs::write(&path, generate(&style, 1).pdf)?;
    Ok(path)
}

/// Returns the first style of sheets with schedules.
fn preset() -> Result<Style> {
    styles().into_iter().next().map(|(_, style)| style).context("there are no styles")
}

/// Returns the first page of a PDF as a picture, with the words of its text layer.
fn sample(pdf: Vec<u8>, dpi: f32) -> Result<Sample> {
    let page = NativePage::open(pdf, 1)?;
    let picture = page.render(&upright(None, dpi)).context("the page cannot be rendered")?;
    Ok(Sample { picture, words: words_of_layer(&page) })
}

/// Returns a sheet whose lettering is strokes, with the words of the same sheet in a font.
fn drafted_strokes(seed: u64) -> Result<Sample> {
    let style = Style { tables: 2, rows: 10, ..preset()? };
    let words = words_of_layer(&NativePage::open(generate(&style, seed).pdf, 1)?);
    let strokes = generate(&Style { lettering: Lettering::Strokes, ..style }, seed).pdf;
    Ok(Sample { words, ..sample(strokes, SHEET_DPI)? })
}

/// Returns a copier's scan of a manual's page, with the page's words.
fn copied(seed: u64) -> Result<Sample> {
    let (_, copier) = Scanner::ALL.into_iter().find(|(name, _)| *name == "copier").context("there is no copier")?;
    let page = manual_page(seed);
    let words = words_of_layer(&NativePage::open(page.clone(), 1)?);
    let scanned = scan(&prints(page, [1], SCAN_DPI, Orientation::Displayed)?, &copier, seed);
    Ok(Sample { words, ..sample(scanned, SCAN_DPI)? })
}

/// Returns a letter page of running text.
fn manual_page(seed: u64) -> Vec<u8> {
    drafting::section::generate(&drafting::section::Style::default(), seed).pdf
}
