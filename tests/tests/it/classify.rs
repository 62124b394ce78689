//! Sets of drawing sheets through the whole service.

use drafting::scan::{Print, Scanner, scan};
use drafting::sheet::{Contents, Office, Truth, draft, offices};
use fanlight_tests::server::{Caller, Options, Server, answer};
use pdf_engine::vocabulary::{Orientation, PixelFormat, RenderOptions};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

fn office(name: &str) -> Office {
    offices().into_iter().find(|(own, _)| *own == name).map(|(_, office)| office).unwrap()
}

/// The finished job that classifies a document.
async fn classified(client: &Caller, pdf: Vec<u8>) -> Value {
    let document = client.document(pdf).await;
    let body = json!({ "document_id": document });
    let submitted = answer(client.request(Method::POST, "/v1/drawings/classify").json(&body)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
    assert_eq!(job["status"], "complete", "{job}");
    job
}

/// What differs from the truth, one line a page.
fn differences(result: &Value, truth: &Truth) -> Vec<String> {
    let letters = |text: Option<&str>| text.map(|text| text.split_whitespace().collect::<String>());
    let pages = result["pages"].as_array().unwrap();
    assert_eq!(pages.len(), truth.pages.len());
    pages
        .iter()
        .zip(&truth.pages)
        .filter(|(page, truth)| {
            let number = page["drawing_number"].as_str() == truth.drawing_number.as_deref();
            let title = letters(page["title"].as_str()) == letters(truth.title.as_deref());
            let kind = page["drawing_type"].as_str().is_some_and(|kind| truth.drawing_types.iter().any(|t| t == kind));
            let document = page["document_type"] == json!(truth.document_type);
            !(number && title && kind && document && page["page_number"] == truth.page_number)
        })
        .map(|(page, truth)| format!("{page}\n  should be {truth:?}"))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drafted_set_is_told_sheet_by_sheet_for_one_credit() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    // Upright and turned title blocks, each rotation of the page, papers between sheets, and a set in shards.
    for name in ["strip", "turned-strip", "all-turned", "under", "papers", "german", "whole-set"] {
        let set = draft(&office(name), 1);
        let job = classified(&client, set.pdf).await;
        let result = &job["result"];
        let differences = differences(result, &set.truth);
        let allowed = set.truth.pages.len() / 20;
        assert!(differences.len() <= allowed, "{name}:\n{}", differences.join("\n"));
        assert_eq!((&job["model"], &job["credits_charged"]), (&json!("drawing-classifier"), &json!(1)), "{name}");
        assert_eq!(result["page_count"], set.truth.pages.len(), "{name}");
        let counts = result["by_drawing_type"].as_object().unwrap().values().map(|count| count.as_u64().unwrap());
        assert_eq!(counts.sum::<u64>(), set.truth.pages.len() as u64, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_ocr_a_scanned_sheet_is_a_picture_and_the_job_completes() {
    let settings = vec![("OCR__PROGRAM", "no-such-program".to_owned())];
    let server = Server::start_with(Options { settings, ..Options::default() });
    let client = server.client("sheets", "enterprise");
    let set = draft(&Office { sheets: 2, contents: Contents::Architecture, ..office("counted") }, 1);
    let drawn = pdf_engine::Document::open(set.pdf).unwrap();
    let dpi = 50.0;
    let prints: Vec<Print> = (1..=drawn.page_count())
        .map(|number| {
            let options =
                RenderOptions { dpi, region: None, format: PixelFormat::Grey, orientation: Orientation::Displayed };
            let raster = drawn.page(number).unwrap().render(&options).unwrap();
            let (width, height) = (raster.width as usize, raster.height as usize);
            Print { width, height, grey: raster.bytes().to_vec(), dpi }
        })
        .collect();
    let job = classified(&client, scan(&prints, &Scanner::ALL[0].1, 1)).await;
    for page in job["result"]["pages"].as_array().unwrap() {
        assert_eq!((&page["document_type"], &page["drawing_number"]), (&json!("picture"), &Value::Null), "{page}");
    }
    assert_eq!(job["result"]["by_drawing_type"], json!({ "other": 2 }));
}
