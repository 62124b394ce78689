//! The OCR engine reads what a reference implementation reads with the same networks: `ocr/reference.py` says which.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use fanlight_contract::{PixelFormat, Raster, ReadWord};
use fanlight_plugin::page::Layout;
use fanlight_raster::{GreyImage, OrientedBox};
use native::NativeOcr;
use serde::Deserialize;

/// Least mean intersection over union of a line's box with the reference's, whose corners are whole pixels.
const MIN_MEAN_OVERLAP: f32 = 0.92;
/// The same for each line. A line is some 20 pixels high, so a pixel more is a twentieth.
const MIN_OVERLAP: f32 = 0.8;

/// What the reference read in one picture.
#[derive(Deserialize)]
struct Reference {
    picture: String,
    lines: Vec<ReferenceLine>,
}

#[derive(Deserialize)]
struct ReferenceLine {
    text: String,
    /// The corners of its box in order, in pixels.
    corners: Vec<(f32, f32)>,
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
    text.split_whitespace().collect::<String>().replace('×', "x").replace('：', ":")
}

#[test]
fn lines_in_cyrillic_chinese_and_japanese_are_read() {
    let ocr = NativeOcr::open().unwrap();
    let file = fs::read(folder().join("scripts/texts.json")).unwrap();
    let pictures: BTreeMap<String, Vec<String>> = serde_json::from_slice(&file).unwrap();
    for (name, lines) in pictures {
        let words = ocr.words(&raster(&format!("scripts/{name}.png")), Layout::Sparse).unwrap();
        let read: Vec<String> = texts(&words).iter().map(|line| comparable(line)).collect();
        let expected: Vec<String> = lines.iter().map(|line| comparable(line)).collect();
        assert_eq!(read, expected, "{name}");
    }
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

/// Returns how many pixels both boxes hold, divided by how many either holds.
fn intersection_over_union(one: &OrientedBox, other: &OrientedBox) -> f32 {
    let (a, b) = (one.bounds(), other.bounds());
    let (left, right) = (a.x1.min(b.x1).floor() as i32, a.x2.max(b.x2).ceil() as i32);
    let (top, bottom) = (a.y1.min(b.y1).floor() as i32, a.y2.max(b.y2).ceil() as i32);
    let (mut both, mut either) = (0_u32, 0_u32);
    for y in top..bottom {
        for x in left..right {
            let center = (x as f32 + 0.5, y as f32 + 0.5);
            let held = [one, other].map(|held| held.contains(center));
            both += u32::from(held == [true, true]);
            either += u32::from(held != [false, false]);
        }
    }
    both as f32 / either.max(1) as f32
}

#[test]
fn the_boxes_of_fifty_lines_are_those_of_the_reference() {
    let ocr = NativeOcr::open().unwrap();
    let mut overlaps = Vec::new();
    for reference in references() {
        // The reference sees the picture at its full resolution.
        let picture = GreyImage::from_raster(&raster(&reference.picture));
        let boxes = ocr_engine::text_boxes_at(1.0, &picture, &ocr).unwrap();
        for line in &reference.lines {
            // The reference counts from the center of the first pixel.
            let corners: Vec<(f32, f32)> = line.corners.iter().map(|(x, y)| (x + 0.5, y + 0.5)).collect();
            let expected = OrientedBox::around(&corners).unwrap();
            let overlap = boxes.iter().map(|found| intersection_over_union(found, &expected)).fold(0.0, f32::max);
            assert!(overlap > MIN_OVERLAP, "{}: {:?} overlaps by {overlap}", reference.picture, line.text);
            overlaps.push(overlap);
        }
    }
    assert_eq!(overlaps.len(), 50);
    let mean = overlaps.iter().sum::<f32>() / 50.0;
    assert!(mean > MIN_MEAN_OVERLAP, "the mean overlap is {mean}");
}

#[test]
fn a_picture_upside_down_reads_the_same() {
    let ocr = NativeOcr::open().unwrap();
    for reference in references() {
        let upright = raster(&reference.picture);
        let pixels: Vec<u8> = GreyImage::from_raster(&upright).grey.into_iter().rev().collect();
        let upside_down = Raster::from_bytes(upright.width, upright.height, PixelFormat::Grey, &pixels);
        let read = texts(&ocr.words(&upside_down, Layout::Sparse).unwrap());
        let equal = reference.lines.iter().filter(|line| read.contains(&line.text)).count();
        assert!(100 * equal >= 90 * reference.lines.len(), "{}: {equal}: {read:?}", reference.picture);
    }
}
