//! Writes PDF files from the syntax of their objects, so that a test shows what it is about.

use std::fmt::Display;

use pdf_engine::{Document, Page};

/// Writes objects numbered from 1. The first is the catalog.
pub(crate) fn pdf<O: AsRef<[u8]>>(objects: &[O]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut offsets = vec![];
    for (index, object) in objects.iter().enumerate() {
        offsets.push(file.len());
        file.extend(format!("{} 0 obj\n", index + 1).bytes());
        file.extend(object.as_ref());
        file.extend(b"\nendobj\n");
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for offset in offsets {
        file.extend(format!("{offset:010} 00000 n \n").bytes());
    }
    let trailer = format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1);
    file.extend(trailer.bytes());
    file
}

/// Writes a stream object.
pub(crate) fn stream(entries: &str, data: impl Display) -> String {
    let data = data.to_string();
    format!("<< {entries} /Length {} >>\nstream\n{data}\nendstream", data.len())
}

/// A page without rotation, with its media box at the origin.
pub(crate) const LETTER: &str = "/MediaBox [0 0 612 792]";

/// Writes a file of one page with the given entries beside its content and resources. Objects 1 to
/// 4 are the catalog, the page tree, the page and its content; `more` are numbered from 5.
pub(crate) fn one_page(entries: &str, resources: &str, content: &str, more: &[String]) -> Vec<u8> {
    with_catalog("", entries, resources, content, more)
}

/// Like [`one_page`], with more entries in the catalog.
pub(crate) fn with_catalog(catalog: &str, entries: &str, resources: &str, content: &str, more: &[String]) -> Vec<u8> {
    let mut objects = vec![
        format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>"),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        format!("<< /Type /Page /Parent 2 0 R {entries} /Resources << {resources} >> /Contents 4 0 R >>"),
        stream("", content),
    ];
    objects.extend_from_slice(more);
    pdf(&objects)
}

/// Resources with one font, `/F`: Helvetica, not embedded.
pub(crate) const HELVETICA: &str =
    "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >>";

/// Returns the only page of a file.
pub(crate) fn page_of(file: Vec<u8>) -> Page {
    Document::open(file).unwrap().page(1).unwrap()
}

/// Rotations, crop boxes and origins of a page. User space is the same on all of them.
pub(crate) const PLACEMENTS: [&str; 8] = [
    "/MediaBox [0 0 600 400] /Rotate 0",
    "/MediaBox [0 0 600 400] /Rotate 90",
    "/MediaBox [0 0 600 400] /Rotate 180",
    "/MediaBox [0 0 600 400] /Rotate 270",
    "/MediaBox [0 0 600 400] /CropBox [50 20 500 300]",
    "/MediaBox [0 0 600 400] /CropBox [50 20 500 300] /Rotate 90",
    "/MediaBox [-100 -50 500 350] /Rotate 270",
    "/MediaBox [-100 -50 500 350] /CropBox [20 30 400 290] /Rotate 180",
];

/// Returns whether two coordinates are equal apart from single precision.
pub(crate) fn close(a: f32, b: f32) -> bool {
    (a - b).abs() < 0.01
}
