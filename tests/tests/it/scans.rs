//! Scanned project manuals through the whole service: OCR reads their contents and their sections.

use drafting::manual::{Manual, Truth, generate, styles};
use drafting::scan::{Scanner, scan};
use drafting::section;
use fanlight_tests::server::{Options, Server, answer};
use native::prints;
use pdf_engine::vocabulary::Orientation;
use reqwest::Method;
use serde_json::{Value, json};

/// Minimum F1 of code and title over all styles and scanners, as Tesseract reads them.
const TESSERACT_BAR: f64 = 0.95;
/// The same for the builtin engine, which reads 0.932: it misreads letters of faxes, on which Tesseract is better.
const BUILTIN_BAR: f64 = 0.93;
/// Maximum scanned pages of a manual: its front and its contents, or their first pages.
const PAGES: usize = 6;
/// The resolution of scans in pixels an inch.
const DPI: f32 = 200.0;
/// One in this many styles is scanned, since OCR is slow.
const EVERY: usize = 11;

/// Returns the manual's first pages, up to the end of its contents.
fn scanned(manual: &Manual, scanner: &Scanner) -> Vec<u8> {
    let last = manual.truth.toc_pages.last().copied().unwrap_or(1).min(PAGES);
    scan(&prints(manual.pdf.clone(), 1..=last as u32, DPI, Orientation::Displayed).unwrap(), scanner, 1)
}

/// Returns sections by code and title, with only letters and digits, since OCR may read a dash as a hyphen.
fn printed(truth: &Truth) -> Vec<String> {
    let sections = truth.divisions.iter().flat_map(|division| &division.sections);
    let seen = sections.filter(|section| !section.not_used && !section.struck && section.page <= PAGES);
    seen.map(|section| folded(&section.section_code, &section.section_title)).collect()
}

fn read(result: &Value) -> Vec<String> {
    let divisions = result["divisions"].as_array().unwrap();
    let sections = divisions.iter().flat_map(|division| division["sections"].as_array().unwrap());
    sections
        .map(|section| folded(section["section_code"].as_str().unwrap(), section["section_title"].as_str().unwrap()))
        .collect()
}

fn folded(code: &str, title: &str) -> String {
    let letters = title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    code.chars().chain(std::iter::once(' ')).chain(letters).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn scanned_contents_reach_the_minimum_f1_by_the_builtin_engine() {
    assert_scans_are_read("builtin", BUILTIN_BAR).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scanned_contents_reach_the_minimum_f1_by_tesseract() {
    assert_scans_are_read("tesseract", TESSERACT_BAR).await;
}

/// Reads scanned contents of manuals in several styles with an OCR engine, and compares their F1 with the bar.
async fn assert_scans_are_read(engine: &str, bar: f64) {
    let settings = vec![("OCR__ENGINE", engine.to_owned())];
    let server = Server::start_with(Options { settings, ..Options::default() });
    let client = server.client("scans", "enterprise");
    let (mut right, mut found_in_all, mut printed_in_all) = (0, 0, 0);
    let mut report = Vec::new();
    for (index, (name, style)) in styles().into_iter().step_by(EVERY).enumerate() {
        let manual = generate(&style, 1);
        let (scanner_name, scanner) = Scanner::ALL[index % Scanner::ALL.len()];
        let document = client.document(scanned(&manual, &scanner)).await;
        let job = client.finished(&client.job(&document).await).await;
        assert_eq!(job["status"], "complete", "{name}: {job}");

        let found = read(&job["result"]);
        let mut missing = printed(&manual.truth);
        let wanted = missing.len();
        for section in &found {
            if let Some(at) = missing.iter().position(|wanted| wanted == section) {
                missing.remove(at);
            }
        }
        right += wanted - missing.len();
        found_in_all += found.len();
        printed_in_all += wanted;
        report.push(format!("{name}, {scanner_name}: {} read of {wanted}; missing {missing:?}", found.len()));
    }
    let f1 = 2.0 * right as f64 / (found_in_all + printed_in_all) as f64;
    assert!(f1 >= bar, "{engine}: F1 {f1:.3}\n{}", report.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_body_of_a_scanned_section_is_found() {
    let server = Server::start_with(Options::default());
    let client = server.client("scans", "enterprise");
    let drafted = section::generate(&section::Style::default(), 3);
    let wanted = &drafted.truth.sections[0];
    let pages = 1..=wanted.end_page as u32;
    let pdf = scan(&prints(drafted.pdf.clone(), pages, DPI, Orientation::Displayed).unwrap(), &Scanner::ALL[0].1, 1);
    let document = client.document(pdf).await;
    let source = client.job(&document).await;
    client.finished(&source).await;
    let body = json!({ "job_id": source, "section_codes": [wanted.section_code] });
    let submitted = answer(client.request(Method::POST, "/v1/specs/content-extract").json(&body)).await;
    let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;

    let found = &job["result"]["sections"][0];
    let span = (&found["found"], &found["page_start"], &found["page_end"]);
    assert_eq!(span, (&json!(true), &json!(wanted.start_page), &json!(wanted.end_page)), "{job}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_ocr_a_scan_has_no_contents_and_the_job_completes() {
    let settings = vec![("OCR__ENGINE", "tesseract".to_owned()), ("OCR__PROGRAM", "no-such-program".to_owned())];
    let server = Server::start_with(Options { settings, ..Options::default() });
    let client = server.client("scans", "enterprise");
    let (_, style) = styles().swap_remove(0);
    let document = client.document(scanned(&generate(&style, 1), &Scanner::ALL[0].1)).await;
    let job = client.finished(&client.job(&document).await).await;
    assert_eq!(job["status"], "complete", "{job}");
    assert_eq!(job["result"]["divisions"], json!([]));
}
