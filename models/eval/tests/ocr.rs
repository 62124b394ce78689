//! The OCR engine reads what a reference implementation reads with the same networks: `ocr/reference.py` says which.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use fanlight_contract::{PixelFormat, Raster, ReadWord};
use fanlight_plugin::page::Layout;
use native::NativeOcr;
use serde::Deserialize;

/// What the reference read in one picture.
#[derive(Deserialize)]
struct Reference {
    picture: String,
    lines: Vec<ReferenceLine>,
}

#[derive(Deserialize)]
struct ReferenceLine {
    text: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ocr")
}

fn references() -> Vec<Reference> {
    serde_json::from_slice(&fs::read(folder().join("reference.json")).unwrap()).unwrap()
}

fn raster(picture: &str) -> Raster {
    let file = BufReader::new(File::open(folder().join(picture)).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Grayscale, png::BitDepth::Eight), "{picture}");
    Raster::from_bytes(info.width, info.height, PixelFormat::Grey, &bytes)
}

/// Returns the texts of the lines of some words.
fn texts(words: &[ReadWord]) -> Vec<String> {
    let lines = words.chunk_by(|a, b| a.line == b.line);
    lines.map(|line| line.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")).collect()
}

/// Returns a text without spaces and with look-alike marks made equal.
fn comparable(text: &str) -> String {
    text.split_whitespace().collect::<String>().replace('×', "x")
}

#[test]
fn fifty_lines_read_as_the_reference_reads_them() {
    let ocr = NativeOcr::open().unwrap();
    let (mut lines, mut equal, mut spaced) = (0, 0, 0);
    for reference in references() {
        let read = texts(&ocr.words(&raster(&reference.picture), Layout::Sparse).unwrap());
        for line in &reference.lines {
            lines += 1;
            let text = comparable(&line.text);
            let found = read.iter().find(|read| comparable(read) == text);
            equal += usize::from(found.is_some());
            spaced += usize::from(found.is_some_and(|found| *found == line.text));
            if found.is_none() {
                println!("{}: {:?} is not among {read:?}", reference.picture, line.text);
            }
        }
    }
    assert_eq!(lines, 50);
    assert!(100 * equal >= 98 * lines, "{equal} of {lines} texts are equal");
    assert!(100 * spaced >= 94 * lines, "{spaced} of {lines} texts are equal with their spaces");
}
