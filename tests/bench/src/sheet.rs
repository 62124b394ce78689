//! Draws a synthetic sheet with as many strokes as a dense floor plan, in the same proportions of kinds.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lopdf::{Document, Object, Stream, dictionary};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A PDF whose first page is timed.
pub(crate) struct Sheet {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

/// ARCH D: 36 by 24 in, in points.
pub(crate) const ARCH_D: (f32, f32) = (2592.0, 1728.0);
/// ARCH E: 48 by 36 in, in points.
pub(crate) const ARCH_E: (f32, f32) = (3456.0, 2592.0);

/// Writes a sheet with this many path segments, and a tenth as many glyphs.
pub(crate) fn write(folder: &Path, name: &str, size: (f32, f32), segments: usize) -> Result<Sheet> {
    let path = folder.join(format!("{}.pdf", name.replace(' ', "-")));
    fs::write(&path, pdf(&content(size, segments), size, true)?)
        .with_context(|| format!("can't write {}", path.display()))?;
    Ok(Sheet { name: name.to_owned(), path })
}

/// Writes a sheet whose file has about this many bytes. Its content is not compressed, as with some plot drivers.
pub(crate) fn write_of_size(folder: &Path, name: &str, bytes: usize) -> Result<Sheet> {
    let bytes_of_a_segment = content(ARCH_D, 10_000).len() / 10_000;
    let path = folder.join(format!("{}.pdf", name.replace(' ', "-")));
    let pdf = pdf(&content(ARCH_D, bytes / bytes_of_a_segment), ARCH_D, false)?;
    fs::write(&path, pdf).with_context(|| format!("can't write {}", path.display()))?;
    Ok(Sheet { name: name.to_owned(), path })
}

/// Draws walls and hatches as single strokes, some arcs, some filled poché, and text notes.
fn content(size: (f32, f32), segments: usize) -> String {
    let mut random = StdRng::seed_from_u64(1);
    let mut content = String::new();
    let mut drawn = 0;
    while drawn < segments {
        let (x, y) = (random.random_range(20.0..size.0 - 60.0), random.random_range(20.0..size.1 - 60.0));
        let width = [0.12, 0.25, 0.5, 1.0][random.random_range(0..4)];
        drawn += match random.random_range(0..20) {
            0 => {
                let _ = writeln!(content, "0.8 g {x:.2} {y:.2} 12 4 re f");
                4
            }
            1 => {
                let r = random.random_range(6.0_f32..36.0);
                let k = 0.5523 * r;
                let (x1, y1, k1) = (x + r, y + r, r - k);
                let _ = writeln!(
                    content,
                    "{width} w {x1:.2} {y:.2} m {x1:.2} {:.2} {:.2} {y1:.2} {x:.2} {y1:.2} c S",
                    y + k,
                    x1 - k1
                );
                1
            }
            2 => {
                let note = ["SEE DETAIL 4/A501", "GYP. BD. TYP.", "ALIGN WITH FACE OF WALL"][random.random_range(0..3)];
                let _ = writeln!(content, "0 g BT /F1 6 Tf {x:.2} {y:.2} Td ({note}) Tj ET");
                1
            }
            3..9 => {
                let _ = write!(content, "{width} w {x:.2} {y:.2} m");
                for step in 1..=8 {
                    let _ = write!(content, " {:.2} {:.2} l", x + 4.0 * step as f32, y + random.random_range(0.0..9.0));
                }
                content.push_str(" S\n");
                8
            }
            _ => {
                let (dx, dy) = (random.random_range(-40.0..40.0), random.random_range(-40.0..40.0));
                let _ = writeln!(content, "{width} w {x:.2} {y:.2} m {:.2} {:.2} l S", x + dx, y + dy);
                1
            }
        };
    }
    content
}

fn pdf(content: &str, size: (f32, f32), compressed: bool) -> Result<Vec<u8>> {
    let mut document = Document::with_version("1.7");
    let tree = document.new_object_id();
    let font = document.add_object(dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" });
    let mut stream = Stream::new(dictionary! {}, content.as_bytes().to_vec());
    if compressed {
        stream.compress()?;
    }
    let contents = document.add_object(stream);
    let page = document.add_object(dictionary! {
        "Type" => "Page",
        "Parent" => tree,
        "MediaBox" => vec![0.into(), 0.into(), Object::Real(size.0), Object::Real(size.1)],
        "Resources" => dictionary! { "Font" => dictionary! { "F1" => font } },
        "Contents" => contents,
    });
    let pages = dictionary! { "Type" => "Pages", "Count" => 1, "Kids" => vec![page.into()] };
    document.objects.insert(tree, pages.into());
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    document.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes)?;
    Ok(bytes)
}
