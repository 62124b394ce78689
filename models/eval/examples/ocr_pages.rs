//! Measures OCR on pages that have a text layer, which is the truth: `ocr_pages [--dpi N] [--tesseract] [--misses] FILE.pdf…`.
//! Renders the first page of each file, reads the picture, and prints the share of the layer's words that were read, the
//! share of read words that the layer has, and the seconds. With `--tesseract` the same for Tesseract.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

use eval::ocr::{Accuracy, words_of_layer};
use fanlight_plugin::page::{Layout, Readable, upright};
use native::{NativeOcr, NativePage, tesseract_words};

/// The name of the project's own engine.
const BUILTIN: &str = "builtin";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let dpi = arguments.iter().position(|argument| argument == "--dpi");
    let dpi = dpi.and_then(|at| arguments.get(at + 1)).map_or(Ok(150.0), |value| value.parse())?;
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let engines: &[&str] = if has("--tesseract") { &[BUILTIN, "tesseract"] } else { &[BUILTIN] };
    let ocr = NativeOcr::open()?;
    let mut all: BTreeMap<&str, Vec<f32>> = BTreeMap::new();
    for file in arguments.iter().filter(|argument| Path::new(argument).extension().is_some_and(|kind| kind == "pdf")) {
        let page = NativePage::open(std::fs::read(file)?, 1)?;
        let truth = words_of_layer(&page);
        let Some(raster) = page.render(&upright(None, dpi)) else { continue };
        for &engine in engines {
            let started = Instant::now();
            let words = match engine {
                BUILTIN => ocr.words(&raster, Layout::Sparse).inspect_err(|error| eprintln!("{error:#}")).ok(),
                _ => tesseract_words(&raster, Layout::Sparse, &[]),
            };
            let words = words.unwrap_or_default();
            let seconds = started.elapsed().as_secs_f32();
            let accuracy = Accuracy::of_words(&truth, &words);
            println!(
                "{engine:9} {:.3} of {:4} words, {:.3} of {:4} read, {seconds:5.1} s, {}x{} {file}",
                accuracy.recall(),
                truth.len(),
                accuracy.precision(),
                words.len(),
                raster.width,
                raster.height
            );
            if has("--misses") {
                println!("  missed {:?}\n  wrong {:?}", accuracy.missed, accuracy.wrong);
            }
            all.entry(engine).or_default().push(accuracy.recall());
        }
    }
    let [detection, recognition] = ocr.spent().map(|spent| spent.as_secs_f32());
    println!("in the networks: detection {detection:.1} s, recognition {recognition:.1} s");
    for (engine, mut recalls) in all {
        recalls.sort_by(f32::total_cmp);
        let mean = recalls.iter().sum::<f32>() / recalls.len() as f32;
        println!("{engine}: median {:.3}, mean {mean:.3} of {} pages", recalls[recalls.len() / 2], recalls.len());
    }
    Ok(())
}
