//! Text that the annotator lays over pages, as qpdf, poppler and lopdf read it.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::path::Path;
use std::process::{Command, Output};

use lopdf::{Dictionary, Document, Object, SaveOptions, Stream, dictionary};
use pdf_annotator::{AnnotateError, PlacedWord, TextLine, add_text};
use tempfile::TempDir;

/// Width and height of the pages in points.
const SIZE: [i64; 2] = [300, 200];
/// Greatest distance of a marked word from its place, in points: what poppler rounds.
const TOLERANCE: f32 = 0.1;

fn word(text: &str, x: f32, y: f32, width: f32) -> PlacedWord {
    PlacedWord { text: text.to_owned(), x, y, width }
}

fn line(page: u32, angle: f32, words: Vec<PlacedWord>) -> TextLine {
    TextLine { page, angle, size: 10.0, words }
}

/// What the pages of a test document have, by the keys of their dictionaries.
type Entries = fn(&mut Document) -> Dictionary;

/// A document of two pages with the same entries, in a tree that has others.
fn document(of_pages: Entries, of_tree: Entries) -> Document {
    let mut document = Document::with_version("1.5");
    let tree = document.new_object_id();
    let [width, height] = SIZE;
    let mut root = dictionary! { "Type" => "Pages", "Count" => 2 };
    root.extend(&of_tree(&mut document));
    let kids: Vec<Object> = (0..2)
        .map(|_| {
            let mut page = dictionary! {
                "Type" => "Page", "Parent" => tree,
                "MediaBox" => vec![0.into(), 0.into(), width.into(), height.into()],
            };
            page.extend(&of_pages(&mut document));
            document.add_object(page).into()
        })
        .collect();
    root.set("Kids", kids);
    document.objects.insert(tree, root.into());
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    document.trailer.set("Root", catalog);
    document
}

fn nothing(_: &mut Document) -> Dictionary {
    Dictionary::new()
}

/// A page that shows a red square and leaves a changed graphics state behind.
fn square(document: &mut Document) -> Dictionary {
    let content = Stream::new(dictionary! {}, b"3 0 0 3 50 50 cm 1 0 0 rg 0 0 20 20 re f".to_vec());
    dictionary! { "Contents" => document.add_object(content) }
}

/// The same in two streams, listed by an object of its own.
fn square_in_parts(document: &mut Document) -> Dictionary {
    let first = document.add_object(Stream::new(dictionary! {}, b"3 0 0 3 50 50 cm 1 0 0 rg".to_vec()));
    let second = document.add_object(Stream::new(dictionary! {}, b"0 0 20 20 re f".to_vec()));
    let list: Object = vec![first.into(), second.into()].into();
    dictionary! { "Contents" => document.add_object(list) }
}

/// A page with a word of its own, whose resources, and the fonts in them, are objects of their own.
fn own_word(document: &mut Document) -> Dictionary {
    let font = document.add_object(dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" });
    let fonts = document.add_object(dictionary! { "FanlightText0" => font });
    let resources = document.add_object(dictionary! { "Font" => fonts });
    let content = Stream::new(dictionary! {}, b"BT /FanlightText0 12 Tf 20 150 Td (Stamped) Tj ET".to_vec());
    dictionary! { "Contents" => document.add_object(content), "Resources" => resources }
}

/// The content of [`own_word`], whose resources the page inherits.
fn own_word_without_resources(document: &mut Document) -> Dictionary {
    let mut entries = own_word(document);
    entries.remove(b"Resources");
    entries
}

fn inherited(document: &mut Document) -> Dictionary {
    let entries = own_word(document);
    dictionary! { "Resources" => entries.get(b"Resources").unwrap().clone() }
}

fn plain(document: &mut Document) -> Vec<u8> {
    let mut file = Vec::new();
    document.save_to(&mut file).unwrap();
    file
}

/// Writes the document with object streams and a cross-reference stream.
fn compressed(document: &mut Document) -> Vec<u8> {
    let mut file = Vec::new();
    let options = SaveOptions::builder().use_object_streams(true).use_xref_streams(true).build();
    document.save_with_options(&mut file, options).unwrap();
    file
}

fn with_text(file: &[u8], lines: &[TextLine]) -> Vec<u8> {
    [file, &add_text(file.to_vec(), lines).unwrap()].concat()
}

fn run(program: &str, arguments: &[&str], folder: &Path) -> Output {
    let output = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    // pdftotext says of a page without words that it has none.
    let complaint = String::from_utf8_lossy(&output.stderr).replace("no word list\n", "");
    assert!(output.status.success() && complaint.is_empty(), "{complaint}");
    output
}

/// Returns what a program prints about a file.
fn printed(program: &str, arguments: &[&str], file: &[u8]) -> String {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("file.pdf"), file).unwrap();
    String::from_utf8(run(program, arguments, folder.path()).stdout).unwrap()
}

/// Returns the pixels of the pages as poppler draws them.
fn pictures(file: &[u8]) -> Vec<Vec<u8>> {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("file.pdf"), file).unwrap();
    run("pdftoppm", &["-r", "72", "file.pdf", "page"], folder.path());
    (1..=2).map(|page| std::fs::read(folder.path().join(format!("page-{page}.ppm"))).unwrap()).collect()
}

/// Returns the words that poppler finds, each with its left, top, right and bottom edge as displayed.
fn words(file: &[u8]) -> Vec<(String, [f32; 4])> {
    let printed = printed("pdftotext", &["-bbox", "file.pdf", "-"], file);
    let attribute = |line: &str, name: &str| -> f32 {
        line.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let lines = printed.lines().filter(|line| line.trim_start().starts_with("<word"));
    lines
        .map(|line| {
            let text = line.split('>').nth(1).unwrap().split("</word").next().unwrap();
            (text.to_owned(), ["xMin", "yMin", "xMax", "yMax"].map(|name| attribute(line, name)))
        })
        .collect()
}

#[test]
fn words_of_any_script_come_back() {
    let texts = ["Türblätter", "façade", "Ångström", "½″", "Ελλάδα", "Чертёж", "建築", "𝔸𝔹", "חלון", "WC"];
    let y = |index: usize| 180.0 - 16.0 * index as f32;
    let lines: Vec<TextLine> = (0..)
        .zip(texts)
        .map(|(index, text)| line(1, 0.0, vec![word(text, 20.0, y(index), 60.0), word("m²", 90.0, y(index), 12.0)]))
        .collect();
    let file = with_text(&plain(&mut document(nothing, nothing)), &lines);
    let found = printed("pdftotext", &["file.pdf", "-"], &file);
    for text in texts {
        assert!(found.contains(text), "{text} is missing: {found:?}");
    }
    assert_eq!(found.matches("m²").count(), texts.len(), "{found:?}");
}

#[test]
fn words_are_marked_at_their_place_in_every_direction() {
    let text = |page| {
        vec![
            line(page, 0.0, vec![word("level", 100.0, 50.0, 40.0), word("one", 150.0, 50.0, 20.0)]),
            line(page, 90.0, vec![word("upwards", 30.0, 60.0, 70.0)]),
            line(page, 180.0, vec![word("inverted", 280.0, 150.0, 60.0)]),
            line(page, 270.0, vec![word("downwards", 250.0, 140.0, 90.0)]),
        ]
    };
    // Left, bottom, right and top edge on the page, by an ascent of 0.75 and a descent of 0.22 em.
    let places = [
        ("level", [100.0, 47.8, 140.0, 57.5]),
        ("one", [150.0, 47.8, 170.0, 57.5]),
        ("upwards", [22.5, 60.0, 32.2, 130.0]),
        ("inverted", [220.0, 142.5, 280.0, 152.2]),
        ("downwards", [247.8, 50.0, 257.5, 140.0]),
    ];
    let [width, height] = SIZE.map(|side| side as f32);
    for rotate in [0, 90, 180, 270] {
        let mut turned = document(nothing, nothing);
        for page in turned.get_pages().into_values() {
            turned.get_dictionary_mut(page).unwrap().set("Rotate", rotate);
        }
        let found = words(&with_text(&plain(&mut turned), &text(2)));
        assert_eq!(found.len(), places.len(), "{rotate}: {found:?}");
        for (text, [left, bottom, right, top]) in places {
            let shown = match rotate {
                0 => [left, height - top, right, height - bottom],
                90 => [bottom, left, top, right],
                180 => [width - right, bottom, width - left, top],
                _ => [height - top, width - right, height - bottom, width - left],
            };
            let (_, marked) = found.iter().find(|(own, _)| own == text).unwrap();
            let off = marked.iter().zip(shown).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off <= TOLERANCE, "{text}, turned by {rotate}: {marked:?}, not {shown:?}");
        }
    }
}

#[test]
fn the_pages_look_as_before() {
    let pages: [(&str, Entries, Entries, &[&str]); 5] = [
        ("nothing", nothing, nothing, &[]),
        ("a stream", square, nothing, &[]),
        ("a list of streams", square_in_parts, nothing, &[]),
        ("own resources", own_word, nothing, &["Stamped", "Stamped"]),
        ("inherited resources", own_word_without_resources, inherited, &["Stamped", "Stamped"]),
    ];
    for (what, of_pages, of_tree, own) in pages {
        for (how, save) in [("plain", plain as fn(&mut Document) -> Vec<u8>), ("compressed", compressed)] {
            let file = save(&mut document(of_pages, of_tree));
            let both = [
                line(1, 0.0, vec![word("found", 20.0, 20.0, 40.0)]),
                line(2, 0.0, vec![word("two", 20.0, 20.0, 30.0)]),
            ];
            let once = with_text(&file, &both);
            let twice = with_text(&once, &[line(1, 0.0, vec![word("again", 100.0, 100.0, 40.0)])]);
            assert!(twice.starts_with(&file), "{what}, {how}: the file's own bytes stay");
            assert_eq!(pictures(&file), pictures(&twice), "{what}, {how}");
            printed("qpdf", &["--check", "file.pdf"], &twice);
            let mut found: Vec<String> = words(&twice).into_iter().map(|(text, _)| text).collect();
            found.sort();
            let mut expected = [own, &["again", "found", "two"]].concat();
            expected.sort_unstable();
            assert_eq!(found, expected, "{what}, {how}");
        }
    }
}

#[test]
fn what_cannot_be_placed_is_left_out() {
    let file = plain(&mut document(square, nothing));
    let words_of = |words: Vec<PlacedWord>| line(1, 0.0, words);
    let lines = [
        words_of(vec![]),
        words_of(vec![word("", 10.0, 10.0, 20.0), word("flat", 10.0, 10.0, 0.0)]),
        words_of(vec![word("lost", f32::NAN, 10.0, 20.0), word("endless", 10.0, 10.0, f32::INFINITY)]),
        TextLine { size: 0.0, ..words_of(vec![word("tiny", 10.0, 10.0, 20.0)]) },
        TextLine { angle: f32::NAN, ..words_of(vec![word("astray", 10.0, 10.0, 20.0)]) },
        line(3, 0.0, vec![word("beyond", 10.0, 10.0, 20.0)]),
        words_of(vec![word("bell\u{7}", 10.0, 10.0, 20.0)]),
    ];
    let found: Vec<String> = words(&with_text(&file, &lines)).into_iter().map(|(text, _)| text).collect();
    assert_eq!(found, ["bell"]);
    assert_eq!(add_text(b"whatever".to_vec(), &[]).unwrap(), b"");
}

#[test]
fn damaged_files_are_refused() {
    let whole = plain(&mut document(nothing, nothing));
    let damaged = String::from_utf8_lossy(&whole).replace("startxref\n", "startxref\n9");
    for file in [b"DIVISION 08".to_vec(), b"%PDF-1.7\n".to_vec(), damaged.into_bytes()] {
        let refused = add_text(file, &[line(1, 0.0, vec![word("found", 20.0, 20.0, 40.0)])]);
        assert!(matches!(refused, Err(AnnotateError::Corrupt(_))), "{:?}", refused.map(|rest| rest.len()));
    }
}
