//! The annotator's output, as lopdf, qpdf, poppler and pdf.js read it.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::path::Path;
use std::process::{Command, Output};

use fanlight_contract::Rect;
use lopdf::{Dictionary, Document, Object, SaveOptions, dictionary};
use pdf_annotator::{AnnotateError, Mark, update};
use serde_json::{Value, json};
use tempfile::TempDir;
use test_programs::{Node, output};

const RED: u32 = 0xff_00_00;

fn mark(page: u32) -> Mark {
    Mark {
        page,
        bbox: Rect { x1: 100.0, y1: 50.0, x2: 150.0, y2: 120.0 },
        title: "Door".to_owned(),
        contents: "door_0123 – 0.93".to_owned(),
        color: RED,
    }
}

/// A document of two pages of 300 x 200 points. The first page has an `/Annots` entry.
fn document(annotations: impl FnOnce(&mut Document) -> Object) -> Document {
    let mut document = Document::with_version("1.5");
    let tree = document.new_object_id();
    let annotations = annotations(&mut document);
    let kids: Vec<Object> = (0..2)
        .map(|index| {
            let mut page = dictionary! {
                "Type" => "Page", "Parent" => tree,
                "MediaBox" => vec![0.into(), 0.into(), 300.into(), 200.into()],
            };
            if index == 0 && !annotations.is_null() {
                page.set("Annots", annotations.clone());
            }
            document.add_object(page).into()
        })
        .collect();
    document.objects.insert(tree, dictionary! { "Type" => "Pages", "Count" => 2, "Kids" => kids }.into());
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    document.trailer.set("Root", catalog);
    document
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

fn note(document: &mut Document) -> Object {
    let note = dictionary! {
        "Type" => "Annot", "Subtype" => "Text", "Rect" => vec![0.into(), 0.into(), 9.into(), 9.into()],
    };
    document.add_object(note).into()
}

fn annotated(file: &[u8], marks: &[Mark]) -> Vec<u8> {
    let rest = update(file.to_vec(), marks).unwrap();
    [file, &rest].concat()
}

fn annotations(file: &[u8], page: u32) -> Vec<Dictionary> {
    let document = Document::load_mem(file).unwrap();
    let page = document.get_pages()[&page];
    document.get_page_annotations(page).unwrap().into_iter().cloned().collect()
}

fn run(program: &str, arguments: &[&str], folder: &Path) -> Output {
    Command::new(program).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn a_mark_is_a_square_with_its_title_text_and_colour() {
    let file = plain(&mut document(|_| Object::Null));
    let found = annotations(&annotated(&file, &[mark(1)]), 1);
    assert_eq!(found.len(), 1, "{found:?}");
    let square = &found[0];
    let numbers = |key: &[u8]| -> Vec<f32> {
        square.get(key).unwrap().as_array().unwrap().iter().map(|number| number.as_float().unwrap()).collect()
    };
    assert_eq!(square.get(b"Subtype").unwrap().as_name().unwrap(), b"Square");
    assert_eq!(numbers(b"Rect"), [100.0, 50.0, 150.0, 120.0]);
    assert_eq!(numbers(b"C"), [1.0, 0.0, 0.0]);
    let text = |key: &[u8]| lopdf::decode_text_string(square.get(key).unwrap()).unwrap();
    assert_eq!((text(b"T").as_str(), text(b"Contents").as_str()), ("Door", "door_0123 – 0.93"));
}

#[test]
fn annotations_are_appended_to_existing_ones() {
    type Keep = fn(&mut Document) -> Object;
    let cases: [(&str, Keep, usize); 5] = [
        ("none", |_| Object::Null, 1),
        ("a list in the page", |document| vec![note(document)].into(), 2),
        (
            "a list of its own",
            |document| {
                let list = Object::Array(vec![note(document)]);
                document.add_object(list).into()
            },
            2,
        ),
        ("an empty list", |_| Object::Array(vec![]), 1),
        ("something else", |_| Object::Integer(7), 1),
    ];
    for (what, keep, expected) in cases {
        for save in [plain, compressed] {
            let file = save(&mut document(keep));
            let once = annotated(&file, &[mark(1), mark(3)]);
            assert!(once.starts_with(&file), "{what}: the file's own bytes stay");
            assert_eq!(annotations(&once, 1).len(), expected, "{what}");
            let twice = annotated(&once, &[mark(1), mark(2)]);
            assert_eq!(
                (annotations(&twice, 1).len(), annotations(&twice, 2).len()),
                (expected + 1, 1),
                "{what}, twice"
            );
        }
    }
}

#[test]
fn the_output_is_valid_and_visible() {
    let folder = TempDir::new().unwrap();
    for (name, save) in [("plain", plain as fn(&mut Document) -> Vec<u8>), ("compressed", compressed)] {
        let file = save(&mut document(|document| vec![note(document)].into()));
        let path = format!("{name}.pdf");
        std::fs::write(folder.path().join(&path), annotated(&file, &[mark(2)])).unwrap();

        let checked = run("qpdf", &["--check", &path], folder.path());
        assert!(checked.status.success(), "{name}: {}", String::from_utf8_lossy(&checked.stderr));
        let drawn = run("pdftoppm", &["-f", "2", "-r", "72", "-singlefile", &path, name], folder.path());
        assert!(drawn.status.success() && drawn.stderr.is_empty(), "{}", String::from_utf8_lossy(&drawn.stderr));
        let picture = std::fs::read(folder.path().join(format!("{name}.ppm"))).unwrap();
        let pixels = &picture[picture.len() - 300 * 200 * 3..];
        let at = |x: usize, y: usize| &pixels[(y * 300 + x) * 3..][..3];
        let (left, right, top, bottom) = (100, 149, 80, 149);
        for (x, y) in [(left, 100), (right, 100), (120, top), (120, bottom)] {
            assert!(at(x, y)[0] > 200 && at(x, y)[1] < 140, "{name}: {:?} at {x},{y}", at(x, y));
        }
        for (x, y) in [(125, 115), (90, 100), (160, 100), (125, 70), (125, 160)] {
            assert_eq!(at(x, y), [255, 255, 255], "{name}: at {x},{y}");
        }
    }
}

#[test]
fn pdf_js_shows_a_mark_at_its_place_on_rotated_pages() {
    let pdfjs = Node::with(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("pdfjs"));
    let folder = TempDir::new().unwrap();
    let cases = [
        (0, [300, 200], [100, 80, 150, 150]),
        (90, [200, 300], [50, 100, 120, 150]),
        (180, [300, 200], [150, 50, 200, 120]),
        (270, [200, 300], [80, 150, 150, 200]),
    ];
    for (rotate, size, shown) in cases {
        let mut turned = document(|_| Object::Null);
        for page in turned.get_pages().into_values() {
            turned.get_dictionary_mut(page).unwrap().set("Rotate", rotate);
        }
        let path = folder.path().join("turned.pdf");
        std::fs::write(&path, annotated(&plain(&mut turned), &[mark(2)])).unwrap();

        let mut read = Command::new("node");
        let printed = output(read.arg("read.mjs").arg(&path).current_dir(pdfjs.folder()), "Debian package nodejs");
        // The lines before the last say what pdf.js would need for painting.
        let pages: Value = serde_json::from_str(printed.lines().last().unwrap()).unwrap();
        let square = json!({
            "kind": "Square",
            "title": "Door",
            "text": "door_0123 – 0.93",
            "color": [255, 0, 0],
            "shown": shown,
            "hasAppearance": true,
        });
        let expected = json!([{ "size": size, "annotations": [] }, { "size": size, "annotations": [square] }]);
        assert_eq!(pages, expected, "turned by {rotate}");
    }
}

#[test]
fn without_marks_nothing_is_added() {
    assert_eq!(update(b"whatever".to_vec(), &[]).unwrap(), b"");
}

#[test]
fn damaged_and_encrypted_files_are_refused() {
    let whole = plain(&mut document(|_| Object::Null));
    let damaged = String::from_utf8_lossy(&whole).replace("startxref\n", "startxref\n9");
    let cases: [(&str, Vec<u8>); 4] = [
        ("no PDF", b"DIVISION 08".to_vec()),
        ("a header alone", b"%PDF-1.7\n".to_vec()),
        ("junk before the header", [b"junk\n", whole.as_slice()].concat()),
        ("damaged cross-references", damaged.into_bytes()),
    ];
    for (what, file) in cases {
        let refused = update(file, &[mark(1)]);
        assert!(matches!(refused, Err(AnnotateError::Corrupt(_))), "{what}: {:?}", refused.map(|rest| rest.len()));
    }
}
