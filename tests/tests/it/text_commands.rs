//! `fanlight text` and `fanlight searchable`, and the model behind them over REST.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use deadline::PATIENCE;
use drafting::scan::{Scanner, scan, scan_turned};
use fanlight_tests::document::Picture;
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Options, Server, answer};
use fanlight_tests::{document, installed};
use lopdf::{Document, Object};
use native::prints;
use pdf_engine::vocabulary::Orientation;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Two pages of a manual, as typed.
const PAGES: [&[&str]; 2] = [
    &[
        "SECTION 08 11 13 - HOLLOW METAL DOORS AND FRAMES",
        "A. Provide doors of the sizes that the drawings show.",
        "B. Coordinate hardware with the supplier before fabrication.",
        "Anchors shall be spaced at most 600 mm apart.",
    ],
    &["SECTION 08 71 00 - DOOR HARDWARE", "Hinges and closers are listed in the schedule of openings."],
];
/// Resolution of the scans in pixels per inch.
const DPI: f32 = 200.0;
/// Greatest distance of an edge of a marked word from that of the typed word, in points: an eighth of an inch, less than the
/// height of its letters.
const TOLERANCE: f64 = 9.0;
/// Least share of the words that OCR must read without a fault on a clean scan.
const MIN_READ: f64 = 0.9;

/// A folder with a file in it.
struct Input {
    folder: TempDir,
    file: PathBuf,
}

impl Input {
    fn new(pdf: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file.pdf");
        fs::write(&file, pdf).unwrap();
        Self { folder, file }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Runs a command of the program on a file.
fn fanlight(command: &str, file: &Path, arguments: &[&str]) -> Output {
    let mut program = Command::new(installed::fanlight());
    program.arg(command).arg(file).args(arguments).env("FANLIGHT_CACHE", installed::cache());
    deadline::output(&mut program, PATIENCE)
}

/// Returns the output of a command that succeeds.
fn printed(command: &str, file: &Path, arguments: &[&str]) -> String {
    let output = fanlight(command, file, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns what another program prints. It must have nothing to complain about, except that a page has no words.
fn checked(command: &mut Command) -> Vec<u8> {
    let output = deadline::output(command, PATIENCE);
    let complaint = String::from_utf8_lossy(&output.stderr).replace("no word list\n", "");
    assert!(output.status.success() && complaint.is_empty(), "{complaint}");
    output.stdout
}

/// Returns a clean scan of a document, put into the scanner turned by `rotate` degrees and displayed upright.
fn scanned(pdf: Vec<u8>, rotate: u16) -> Vec<u8> {
    scan_turned(&prints(pdf, 1..=2, DPI, Orientation::Displayed).unwrap(), &Scanner::ALL[0].1, 1, rotate)
}

/// Returns the lines that `fanlight text --json` prints.
fn json_lines(file: &Path, arguments: &[&str]) -> Vec<Value> {
    let printed = printed("text", file, &[arguments, &["--json"]].concat());
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the share of the typed words that a text has.
fn share_read(text: &str) -> f64 {
    let read: Vec<&str> = text.split_whitespace().collect();
    let typed: Vec<&str> = PAGES.iter().flat_map(|page| page.iter()).flat_map(|line| line.split(' ')).collect();
    typed.iter().filter(|word| read.contains(word)).count() as f64 / typed.len() as f64
}

/// A word with its page and its edges as displayed, in points from the top left corner of the page.
#[derive(Debug)]
struct Marked {
    page: usize,
    text: String,
    edges: [f64; 4],
}

/// Returns the words that poppler finds in a file.
fn marked(file: &Path) -> Vec<Marked> {
    let printed =
        String::from_utf8(checked(Command::new("pdftotext").args(["-bbox", "-cropbox"]).arg(file).arg("-"))).unwrap();
    let mut page = 0;
    let mut words = Vec::new();
    for line in printed.lines().map(str::trim_start) {
        page += usize::from(line.starts_with("<page "));
        if !line.starts_with("<word ") {
            continue;
        }
        let edges = ["xMin", "yMin", "xMax", "yMax"]
            .map(|name| line.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap());
        let text = line.split('>').nth(1).unwrap().split("</word").next().unwrap().to_owned();
        words.push(Marked { page, text, edges });
    }
    words
}

/// Asserts that most typed words are marked where they are, `left` and `top` points nearer to the corner of the page.
fn assert_marked(typed: &[Marked], found: &[Marked], left: f64, top: f64, what: &str) {
    let is_found = |word: &&Marked| {
        let [x1, y1, x2, y2] = word.edges;
        let place = [x1 - left, y1 - top, x2 - left, y2 - top];
        found.iter().any(|own| {
            let is_near = own.edges.iter().zip(place).all(|(a, b)| (a - b).abs() <= TOLERANCE);
            own.page == word.page && own.text == word.text && is_near
        })
    };
    let count = typed.iter().filter(is_found).count();
    assert!(count as f64 >= MIN_READ * typed.len() as f64, "{what}: {count} of {}: {found:#?}", typed.len());
    assert!(found.len() <= typed.len() + typed.len() / 10, "{what}: {found:#?}");
}

/// Returns the pages of a file as poppler draws them.
fn pictures(file: &Path) -> Vec<Vec<u8>> {
    // Without a name for the pictures, pdftoppm writes them to its standard output.
    let draw = |page: &str| checked(Command::new("pdftoppm").args(["-r", "50", "-f", page, "-l", page]).arg(file));
    ["1", "2"].map(draw).to_vec()
}

#[test]
fn lines_of_a_text_layer_are_printed_in_order() {
    let input = Input::new(document::typed(&PAGES));
    let expected = PAGES.map(|page| page.join("\n") + "\n");
    assert_eq!(printed("text", &input.file, &[]), expected.join("\u{c}"));
    assert_eq!(printed("text", &input.file, &["--ocr", "never", "--pages", "2,2,7"]), expected[1]);
}

#[test]
fn a_json_line_has_page_box_source_and_direction() {
    let input = Input::new(document::typed(&PAGES));
    let lines = json_lines(&input.file, &["--pages", "2"]);
    assert_eq!(lines.len(), PAGES[1].len());
    let first = &lines[0];
    let fields: Vec<&String> = first.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["page", "text", "bbox", "source", "angle", "size"]);
    assert_eq!((&first["page"], &first["text"]), (&json!(2), &json!(PAGES[1][0])));
    assert_eq!((&first["source"], &first["angle"], &first["size"]), (&json!("text_layer"), &json!(0.0), &json!(11.0)));
    let edge = |name: &str| first["bbox"][name].as_f64().unwrap();
    assert_eq!(edge("x1"), 72.0);
    assert!(edge("y1") < 720.0 && edge("y2") > 727.0 && edge("y2") < 732.0, "{first}");
}

#[test]
fn scanned_and_drawn_text_is_read_by_ocr() {
    let input = Input::new(scanned(document::typed(&PAGES), 0));
    let text = printed("text", &input.file, &[]);
    assert!(share_read(&text) >= MIN_READ, "{text}");
    assert_eq!(printed("text", &input.file, &["--ocr", "never"]), "\u{c}");
    let lines = json_lines(&input.file, &[]);
    for line in &lines {
        let confidence = line["confidence"].as_f64().unwrap();
        assert!(line["source"] == "ocr" && (0.0..=1.0).contains(&confidence), "{line}");
    }

    // Letters that are drawn as lines.
    let (_, style) = drafting::elevation::styles().into_iter().find(|(name, _)| *name == "outlined").unwrap();
    let sheet = Input::new(drafting::elevation::generate(&style, 1).pdf);
    let text = printed("text", &sheet.file, &[]);
    assert!(text.contains("A-501"), "{text}");
}

#[test]
fn a_scan_that_stands_on_its_head_is_read_from_its_end() {
    let upright = prints(document::typed(&PAGES), 1..=2, DPI, Orientation::Displayed).unwrap();
    let mut upside_down = Document::load_mem(&scan(&upright, &Scanner::ALL[0].1, 1)).unwrap();
    for page in upside_down.get_pages().into_values() {
        upside_down.get_dictionary_mut(page).unwrap().set("Rotate", 180);
    }
    let mut file = Vec::new();
    upside_down.save_to(&mut file).unwrap();
    let input = Input::new(file);
    let lines = json_lines(&input.file, &["--pages", "1"]);
    // OCR sees the page as displayed and may lose a space.
    let compact = |text: &str| text.replace(' ', "");
    let text: Vec<String> = lines.iter().map(|line| compact(line["text"].as_str().unwrap())).collect();
    assert_eq!(text, PAGES[0].iter().map(|line| compact(line)).collect::<Vec<String>>());
}

#[test]
fn pictures_without_text_have_none() {
    for (what, picture) in Picture::without_text() {
        let input = Input::new(document::pictured(&picture));
        let output = fanlight("text", &input.file, &["--ocr", "always"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && output.stdout.trim_ascii().is_empty(), "{what}: {said}");
    }
}

#[test]
fn a_picture_that_needs_too_much_memory_is_refused_in_one_sentence() {
    let input = Input::new(document::pictured(&Picture::huge()));
    let output = fanlight("text", &input.file, &["--ocr", "always"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.trim_end().ends_with("the plugin needs more than 1024 MB of memory"), "{said}");
}

#[test]
fn ocr_reads_pages_with_a_text_layer_only_if_told() {
    let input = Input::new(document::typed(&PAGES));
    let lines = json_lines(&input.file, &["--ocr", "always"]);
    assert!(!lines.is_empty() && lines.iter().all(|line| line["source"] == "ocr"), "{lines:#?}");
    let text: Vec<&str> = lines.iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert!(share_read(&text.join("\n")) >= MIN_READ, "{text:#?}");
}

#[test]
fn words_of_scans_are_marked_at_their_place() {
    let original = Input::new(document::typed(&PAGES));
    let typed = marked(&original.file);
    for rotate in [0, 90, 180, 270] {
        let input = Input::new(scanned(document::typed(&PAGES), rotate));
        assert!(marked(&input.file).is_empty());
        let copy = input.path("copy.pdf");
        let said = printed("searchable", &input.file, &["--out", copy.to_str().unwrap()]);
        assert!(said.contains("words on 2 of 2 pages"), "{said}");

        assert_marked(&typed, &marked(&copy), 0.0, 0.0, &format!("turned by {rotate}"));
        let (before, after) = (fs::read(&input.file).unwrap(), fs::read(&copy).unwrap());
        assert!(after.starts_with(&before) && after.len() > before.len(), "the file's own bytes stay");
        let drawn = pictures(&input.file);
        assert!(drawn.iter().all(|picture| picture.len() > 100_000), "{rotate}");
        assert_eq!(drawn, pictures(&copy), "{rotate}");
        let checked = deadline::output(Command::new("qpdf").arg("--check").arg(&copy), PATIENCE);
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));

        let lines = json_lines(&copy, &[]);
        assert!(lines.iter().all(|line| line["source"] == "text_layer"), "{lines:#?}");
        let text: Vec<&str> = lines.iter().map(|line| line["text"].as_str().unwrap()).collect();
        assert!(share_read(&text.join("\n")) >= MIN_READ, "words of the copy are read whole: {text:#?}");
    }
}

#[test]
fn words_of_a_cropped_page_are_marked_at_their_place() {
    let original = Input::new(document::typed(&PAGES));
    let mut cropped = Document::load_mem(&scanned(document::typed(&PAGES), 0)).unwrap();
    let (left, top) = (50, 40);
    for page in cropped.get_pages().into_values() {
        let page = cropped.get_dictionary_mut(page).unwrap();
        page.set("CropBox", [left, 30, 600, 792 - top].map(Object::from).to_vec());
    }
    let mut file = Vec::new();
    cropped.save_to(&mut file).unwrap();
    let input = Input::new(file);
    let copy = input.path("copy.pdf");
    printed("searchable", &input.file, &["--out", copy.to_str().unwrap()]);
    assert_marked(&marked(&original.file), &marked(&copy), left as f64, top as f64, "cropped");
    assert_eq!(pictures(&input.file), pictures(&copy));
}

#[test]
fn text_that_a_file_has_is_not_added_again() {
    let input = Input::new(document::typed(&PAGES));
    let copy = input.path("copy.pdf");
    let said = printed("searchable", &input.file, &["--out", copy.to_str().unwrap()]);
    assert!(said.contains("no page needs text"), "{said}");
    assert_eq!(fs::read(&input.file).unwrap(), fs::read(&copy).unwrap());

    printed("searchable", &input.file, &["--out", copy.to_str().unwrap(), "--ocr", "always"]);
    let (own, found) = (marked(&input.file), marked(&copy));
    let added = found.len() - own.len();
    assert!(10 * added <= own.len(), "{added} of {}: {found:#?}", own.len());
}

#[test]
fn only_the_named_pages_get_text() {
    let input = Input::new(scanned(document::typed(&PAGES), 0));
    let copy = input.path("copy.pdf");
    let said = printed("searchable", &input.file, &["--out", copy.to_str().unwrap(), "--pages", "2"]);
    assert!(said.contains("words on 1 of 1 pages"), "{said}");
    let found = marked(&copy);
    assert!(!found.is_empty() && found.iter().all(|word| word.page == 2), "{found:#?}");
}

#[test]
fn what_cannot_be_read_or_written_is_one_sentence() {
    let good = Input::new(document::typed(&PAGES));
    let path = |name: &str, bytes: &[u8]| {
        let path = good.path(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let scan = path("scan.pdf", &scanned(document::typed(&PAGES), 0));
    let encrypted = path("locked.pdf", &document::encrypted(""));
    let out = good.path("out.pdf");
    let to = |path: &Path| vec!["--out".to_owned(), path.to_str().unwrap().to_owned()];
    let none: fn(&Path) -> Vec<String> = |_| Vec::new();
    let cases: Vec<(&str, PathBuf, Vec<String>, &str)> = vec![
        ("text", good.path("missing.pdf"), none(&out), "missing.pdf"),
        ("text", path("text.pdf", b"text"), none(&out), "not a PDF"),
        ("text", path("secret.pdf", &document::encrypted("secret")), none(&out), "password"),
        ("text", path("cut.pdf", b"%PDF-1.7\n"), none(&out), "damaged"),
        ("text", good.file.clone(), vec!["--pages".to_owned(), "7-9".to_owned()], "none of the requested ones"),
        ("text", good.file.clone(), vec!["--pages".to_owned(), "one".to_owned()], "\"one\""),
        ("searchable", good.path("missing.pdf"), to(&out), "missing.pdf"),
        ("searchable", good.path("text.pdf"), to(&out), "not a PDF"),
        ("searchable", good.path("secret.pdf"), to(&out), "password"),
        ("searchable", good.path("cut.pdf"), to(&out), "damaged"),
        ("searchable", good.file.clone(), to(&good.file), "is the file to read"),
        ("searchable", good.file.clone(), to(&good.folder.path().join(".").join("file.pdf")), "is the file to read"),
        ("searchable", good.file.clone(), to(&good.path("no/such/out.pdf")), "does not exist"),
        ("searchable", good.file.clone(), to(good.folder.path()), "is a folder"),
    ];
    for (command, file, arguments, expected) in cases {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = fanlight(command, &file, &arguments);
        let sentence = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        assert_eq!(output.status.code(), Some(1), "{command} {arguments:?}: {sentence}");
        assert!(sentence.contains(expected) && sentence.lines().count() == 1, "{command} {arguments:?}: {sentence}");
        assert!(!out.exists(), "{command} {arguments:?}");
    }
    // Nothing is known of the empty page of an encrypted file, so nothing is added to it.
    assert!(printed("searchable", &encrypted, &["--out", out.to_str().unwrap()]).contains("plain copy"));

    let mut program = Command::new(installed::fanlight());
    program.arg("searchable").arg(&scan).arg("--out").arg(good.path("unread.pdf"));
    program.env("FANLIGHT_CACHE", installed::cache()).env("FANLIGHT_OCR__ENGINE", "tesseract");
    program.env("FANLIGHT_OCR__PROGRAM", "/nonexistent");
    let output = deadline::output(&mut program, PATIENCE);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("OCR_UNAVAILABLE") && said.contains("could be read"), "{said}");
    let left: Vec<_> = fs::read_dir(good.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".fanlight")), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_takes_jobs_for_one_credit() {
    let plugins = Plugins::default().with("page-text", &installed::plugin("page-text"));
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    let client = server.client("office", "developer");
    let id = client.document(document::typed(&PAGES)).await;
    let body = json!({ "document_id": id, "page_numbers": [2], "parameters": { "words": true } });
    let submitted = answer(client.request(Method::POST, "/v1/models/page-text/jobs").json(&body)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
    assert_eq!((&job["status"], &job["credits_charged"]), (&json!("complete"), &json!(1)), "{job}");
    let result = &job["result"];
    assert_eq!((&result["pages_analyzed"], &result["lines_found"]), (&json!(1), &json!(PAGES[1].len())));
    let page = &result["pages"][0];
    assert_eq!((&page["page"], &page["lines"][0]["text"]), (&json!(2), &json!(PAGES[1][0])));
    let words = page["lines"][0]["words"].as_array().unwrap();
    assert_eq!((&words[0]["text"], &words[0]["x"], &words[0]["y"]), (&json!("SECTION"), &json!(72.0), &json!(720.0)));

    let unknown = json!({ "document_id": id, "parameters": { "ocr": "sometimes" } });
    let refused = answer(client.request(Method::POST, "/v1/models/page-text/jobs").json(&unknown)).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
}
