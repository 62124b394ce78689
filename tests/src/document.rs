//! Builds small PDFs for tests.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lopdf::content::{Content, Operation};
use lopdf::encryption::{EncryptionState, EncryptionVersion, Permissions};
use lopdf::{Document, Object, ObjectId, Stream, dictionary};

/// Returns a PDF of `pages` empty pages, US Letter, with a title in its metadata.
pub fn titled(title: &str, pages: usize) -> Vec<u8> {
    bytes(build(title, pages))
}

/// A page that shows a red square in one corner.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// `/MediaBox`
    pub media_box: [i64; 4],
    /// `/CropBox`. The square, 50 points wide, lies in its bottom-left corner before rotation.
    pub crop_box: [i64; 4],
    /// `/Rotate`
    pub rotate: i64,
}

/// Returns a PDF of these pages.
pub fn sheets(sheets: &[Sheet]) -> Vec<u8> {
    let mut document = build("sheets", sheets.len());
    for (page, sheet) in document.get_pages().into_values().zip(sheets) {
        let [left, bottom, ..] = sheet.crop_box;
        let content = format!("1 0 0 rg {left} {bottom} 50 50 re f");
        let content = document.add_object(Stream::new(dictionary! {}, content.into_bytes()));
        let page = document.get_dictionary_mut(page).unwrap();
        page.set("MediaBox", sheet.media_box.map(Object::from).to_vec());
        page.set("CropBox", sheet.crop_box.map(Object::from).to_vec());
        page.set("Rotate", sheet.rotate);
        page.set("Contents", content);
    }
    bytes(document)
}

/// Returns a PDF of one page, US Letter, with these operators as its content.
pub fn drawn(content: &str) -> Vec<u8> {
    let mut document = build("drawn", 1);
    let page = document.get_pages()[&1];
    let content = document.add_object(Stream::new(dictionary! {}, content.as_bytes().to_vec()));
    document.get_dictionary_mut(page).unwrap().set("Contents", content);
    bytes(document)
}

/// A grey picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Bits of a pixel: 1 or 8.
    pub bits: u32,
    /// Its rows from the top, each of whole bytes.
    pub rows: Vec<u8>,
}

impl Picture {
    /// Returns a picture of 1,700 x 2,200 pixels, a page at 200 dpi, of the brightness at each place.
    fn page(mut brightness: impl FnMut(u32, u32) -> u8) -> Self {
        let (width, height) = (1700, 2200);
        let rows = (0..width * height).map(|at| brightness(at % width, at / width)).collect();
        Self { width, height, bits: 8, rows }
    }

    /// Returns a picture of 30,000 x 30,000 pixels, which is small in its file.
    pub fn huge() -> Self {
        let side = 30_000;
        Self { width: side, height: side, bits: 1, rows: vec![0; (side * side / 8) as usize] }
    }

    /// Returns pictures without text that are costly or odd to read, each with its name.
    pub fn without_text() -> Vec<(&'static str, Self)> {
        let mut state = 1_u32;
        let mut random = move || {
            // A linear congruential generator, with the factors of Numerical Recipes.
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        // A speck of 2 x 2 pixels in each square of 6 x 6.
        let specks = |x: u32, y: u32| if x % 6 < 2 && y % 6 < 2 { 0 } else { 255 };
        vec![
            ("one pixel", Self { width: 1, height: 1, bits: 8, rows: vec![0] }),
            ("all black", Self::page(|_, _| 0)),
            ("noise", Self::page(|_, _| random())),
            ("100,000 specks", Self::page(specks)),
        ]
    }
}

/// Returns a PDF of one page, US Letter, that a picture fills.
pub fn pictured(picture: &Picture) -> Vec<u8> {
    let mut document = build("pictured", 1);
    let page = document.get_pages()[&1];
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&picture.rows).unwrap();
    let entries = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Image",
        "Width" => i64::from(picture.width),
        "Height" => i64::from(picture.height),
        "BitsPerComponent" => i64::from(picture.bits),
        "ColorSpace" => "DeviceGray",
        "Filter" => "FlateDecode",
    };
    let image = document.add_object(Stream::new(entries, packed.finish().unwrap()).with_compression(false));
    let content = document.add_object(Stream::new(dictionary! {}, b"612 0 0 792 0 0 cm /Im Do".to_vec()));
    let page = document.get_dictionary_mut(page).unwrap();
    page.set("Contents", content);
    page.set("Resources", dictionary! { "XObject" => dictionary! { "Im" => image } });
    bytes(document)
}

/// Returns a PDF with one page for each list of lines, set in Helvetica of 11 points from the top down. The first
/// baseline is at 720 points, and each other one 18 points below.
pub fn typed(pages: &[&[&str]]) -> Vec<u8> {
    typed_and_drawn(pages, "")
}

/// As [`typed`], with these operators before the text of each page.
pub fn typed_and_drawn(pages: &[&[&str]], drawing: &str) -> Vec<u8> {
    let mut document = build("typed", pages.len());
    let font = document.add_object(dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" });
    for (number, page) in document.get_pages() {
        let lines = pages[number as usize - 1].iter().zip((0..).map(|line| 720 - 18 * line));
        let operations: Vec<Operation> = lines.flat_map(|(line, y)| show(line, y)).collect();
        let text = Content { operations }.encode().unwrap();
        let content = [drawing.as_bytes(), &text].concat();
        let content = document.add_object(Stream::new(dictionary! {}, content));
        let page = document.get_dictionary_mut(page).unwrap();
        page.set("Contents", content);
        page.set("Resources", dictionary! { "Font" => dictionary! { "F1" => font } });
    }
    bytes(document)
}

/// Shows a line of text 72 points from the left, with its baseline at `y`.
fn show(line: &str, y: i64) -> [Operation; 5] {
    [
        Operation::new("BT", vec![]),
        Operation::new("Tf", vec!["F1".into(), 11.into()]),
        Operation::new("Td", vec![72.into(), y.into()]),
        Operation::new("Tj", vec![Object::string_literal(line)]),
        Operation::new("ET", vec![]),
    ]
}

/// Adds bookmarks to a PDF, all to its first page. With `endless`, the last one is followed by the first.
pub fn bookmarked(pdf: &[u8], titles: &[String], endless: bool) -> Vec<u8> {
    let mut document = Document::load_mem(pdf).unwrap();
    let page = document.get_pages()[&1];
    let ids: Vec<ObjectId> = titles.iter().map(|_| document.new_object_id()).collect();
    let outline =
        document.add_object(dictionary! { "Type" => "Outlines", "First" => ids[0], "Last" => ids[ids.len() - 1] });
    for (at, title) in titles.iter().enumerate() {
        let destination = vec![page.into(), Object::Name(b"Fit".to_vec())];
        let title = Object::string_literal(title.as_str());
        let mut item = dictionary! { "Title" => title, "Parent" => outline, "Dest" => destination };
        if let Some(next) = ids.get(at + 1).or(ids.first().filter(|_| endless)) {
            item.set("Next", *next);
        }
        document.objects.insert(ids[at], Object::Dictionary(item));
    }
    document.catalog_mut().unwrap().set("Outlines", outline);
    bytes(document)
}

/// Returns a PDF of one page that has exactly `size` bytes.
pub fn padded_to(size: usize) -> Vec<u8> {
    let mut document = build("padded", 1);
    let empty = bytes(document.clone()).len();
    // Another object costs its number, its dictionary and an entry of the table. Their length varies by a few bytes
    // with the numbers in them, so a comment at the end fills the rest.
    let slack = 1000;
    document.add_object(Stream::new(dictionary! {}, vec![b' '; size - empty - slack]));
    let mut padded = bytes(document);
    padded.extend(std::iter::once(b'%').chain(std::iter::repeat(b' ')).take(size - padded.len()));
    padded
}

/// Returns a PDF of one page, encrypted with a user password, which may be empty.
pub fn encrypted(user_password: &str) -> Vec<u8> {
    let mut document = build("encrypted", 1);
    let version = EncryptionVersion::V2 {
        document: &document,
        owner_password: "owner",
        user_password,
        key_length: 128,
        permissions: Permissions::all(),
    };
    let state = EncryptionState::try_from(version).unwrap();
    document.encrypt(&state).unwrap();
    bytes(document)
}

/// Returns a PDF whose only page lies in an object stream that inflates to `gigabytes` GiB.
pub fn bomb(gigabytes: usize) -> Vec<u8> {
    let objects = "3 0 <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>";
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(objects.as_bytes()).unwrap();
    let blanks = vec![b' '; 1024 * 1024];
    for _ in 0..gigabytes * 1024 {
        packed.write_all(&blanks).unwrap();
    }
    let packed = packed.finish().unwrap();

    let mut file = b"%PDF-1.5\n".to_vec();
    let catalog = file.len();
    file.extend_from_slice(b"1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n");
    let pages = file.len();
    file.extend_from_slice(b"2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n");
    let stream = file.len();
    let head = format!("4 0 obj\n<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length {}>>\nstream\n", packed.len());
    file.extend_from_slice(head.as_bytes());
    file.extend_from_slice(&packed);
    file.extend_from_slice(b"\nendstream\nendobj\n");

    let table = file.len();
    let entries = [
        xref_entry(0, 0, 255),
        xref_entry(1, catalog, 0),
        xref_entry(1, pages, 0),
        xref_entry(2, 4, 0),
        xref_entry(1, stream, 0),
        xref_entry(1, table, 0),
    ]
    .concat();
    let head = format!("5 0 obj\n<</Type/XRef/Size 6/W[1 4 1]/Root 1 0 R/Length {}>>\nstream\n", entries.len());
    file.extend_from_slice(head.as_bytes());
    file.extend_from_slice(&entries);
    file.extend_from_slice(format!("\nendstream\nendobj\nstartxref\n{table}\n%%EOF\n").as_bytes());
    file
}

/// Returns an entry of a cross-reference stream with `/W [1 4 1]`.
fn xref_entry(kind: u8, field: usize, last: u8) -> Vec<u8> {
    let mut entry = vec![kind];
    entry.extend_from_slice(&u32::try_from(field).unwrap().to_be_bytes());
    entry.push(last);
    entry
}

/// Returns a PDF whose only page has a content stream that inflates to `gigabytes` GiB of blanks.
pub fn bomb_in_a_page(gigabytes: usize) -> Vec<u8> {
    let mut document = build("bomb in a page", 1);
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    let blanks = vec![b' '; 1024 * 1024];
    for _ in 0..gigabytes * 1024 {
        packed.write_all(&blanks).unwrap();
    }
    let content = Stream::new(dictionary! { "Filter" => "FlateDecode" }, packed.finish().unwrap());
    let content = document.add_object(content);
    let page = document.get_pages()[&1];
    document.get_dictionary_mut(page).unwrap().set("Contents", content);
    bytes(document)
}

fn build(title: &str, pages: usize) -> Document {
    let mut document = Document::with_version("1.7");
    let tree = document.new_object_id();
    let kids: Vec<Object> = (0..pages)
        .map(|_| {
            let page = dictionary! {
                "Type" => "Page",
                "Parent" => tree,
                "MediaBox" => vec![0.into(), 0.into(), 612.into(), 792.into()],
            };
            document.add_object(page).into()
        })
        .collect();
    document.objects.insert(
        tree,
        dictionary! { "Type" => "Pages", "Count" => i64::try_from(pages).unwrap(), "Kids" => kids }.into(),
    );
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    let info = document.add_object(dictionary! { "Title" => Object::string_literal(title) });
    document.trailer.set("Root", catalog);
    document.trailer.set("Info", info);
    let id = Object::string_literal("0123456789abcdef");
    document.trailer.set("ID", vec![id.clone(), id]);
    document
}

fn bytes(mut document: Document) -> Vec<u8> {
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}
