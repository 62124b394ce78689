//! The second flow of the specification with the installed models: upload, contents, section codes, content.

use drafting::manual::{Style, Truth, generate, styles};
use fanlight_tests::document;
use fanlight_tests::server::{Caller, Server, answer};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// Runs toc-parser on a manual and returns the finished job.
async fn contents(client: &Caller, pdf: Vec<u8>) -> Value {
    let document = client.document(pdf).await;
    let job = client.finished(&client.job(&document).await).await;
    assert_eq!(job["status"], "complete", "{job}");
    job
}

/// Extracts sections of that job and returns the result.
async fn extracted(client: &Caller, source: &Value, mut codes: Value) -> Value {
    codes["job_id"] = source["id"].clone();
    let submitted = answer(client.request(Method::POST, "/v1/specs/content-extract").json(&codes)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{codes}: {}", submitted.body);
    let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
    assert_eq!(job["status"], "complete", "{job}");
    job["result"].clone()
}

/// Returns code, first and last page of each found section, in the order of the result.
fn spans(result: &Value) -> Vec<(String, u64, u64)> {
    let found = result["sections"].as_array().unwrap().iter().filter(|section| section["found"] == true);
    found
        .map(|section| {
            let page = |field: &str| section[field].as_u64().unwrap();
            (section["section_code"].as_str().unwrap().to_owned(), page("page_start"), page("page_end"))
        })
        .collect()
}

/// Returns code, first and last page of each true section that is bound and in a division.
fn bound(truth: &Truth, division: &str) -> Vec<(String, u64, u64)> {
    let bodies = truth.bodies.iter().filter(|body| body.section_code.starts_with(division));
    bodies.map(|body| (body.section_code.clone(), body.start_page as u64, body.end_page as u64)).collect()
}

#[tokio::test]
async fn listed_content_is_extracted_by_section_and_by_division() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let manual = generate(&Style { bodies: 12, ..Style::default() }, 4);
    let source = contents(&client, manual.pdf).await;

    let listed = source["result"]["divisions"].as_array().unwrap();
    let (last, rest) = manual.truth.bodies.split_last().unwrap();
    let division = &last.section_code[..2];
    assert!(
        rest.iter().any(|body| !body.section_code.starts_with(division)),
        "the sections belong to several divisions"
    );
    let of_division = listed.iter().find(|listed| listed["division_code"] == division).unwrap();

    let one = extracted(&client, &source, json!({ "section_codes": [last.section_code] })).await;
    assert_eq!(one["source_job_id"], source["id"]);
    assert_eq!(one["document_id"], source["document_id"]);
    assert_eq!(spans(&one), [(last.section_code.clone(), last.start_page as u64, last.end_page as u64)]);
    let text = one["sections"][0]["text"].as_str().unwrap();
    assert!(text.contains("PART 1"), "{text}");

    let all = extracted(&client, &source, json!({ "division_codes": [division] })).await;
    let codes = |sections: &Value| -> Vec<Value> {
        sections.as_array().unwrap().iter().map(|section| section["section_code"].clone()).collect()
    };
    assert_eq!(codes(&all["sections"]), codes(&of_division["sections"]));
    assert_eq!(spans(&all), bound(&manual.truth, division));
    for missing in all["sections"].as_array().unwrap().iter().filter(|section| section["found"] == false) {
        assert_eq!((&missing["text"], &missing["normalization"]), (&json!(""), &json!("none")), "{missing}");
    }
}

#[tokio::test]
async fn a_manual_whose_fonts_lack_unicode_is_read() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let (_, style) = styles().into_iter().find(|(_, style)| style.unicode == 0).unwrap();
    let manual = generate(&Style { bodies: 3, ..style }, 1);
    let source = contents(&client, manual.pdf).await;
    let codes: Vec<&str> = manual.truth.bodies.iter().map(|body| body.section_code.as_str()).collect();
    let result = extracted(&client, &source, json!({ "section_codes": codes })).await;
    assert_eq!(spans(&result), bound(&manual.truth, ""));
}

#[tokio::test]
async fn cyclic_and_huge_bookmarks_still_give_contents() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let blank = document::titled("No contents", 3);
    let few: Vec<String> =
        ["DIVISION 08 - OPENINGS", "08 11 13 Steel Doors", "08 80 00 Glazing"].map(str::to_owned).into();
    let many: Vec<String> = few.iter().cloned().chain((0..100_000).map(|number| format!("Sheet {number}"))).collect();
    for (what, pdf) in [
        ("a cycle", document::bookmarked(&blank, &few, true)),
        ("a hundred thousand", document::bookmarked(&blank, &many, false)),
    ] {
        let source = contents(&client, pdf).await;
        let sections = &source["result"]["divisions"][0]["sections"];
        let codes: Vec<&Value> = sections.as_array().unwrap().iter().map(|section| &section["section_code"]).collect();
        assert_eq!(codes, ["081113", "088000"], "{what}: {source}");
        let result = extracted(&client, &source, json!({ "division_codes": ["8"] })).await;
        assert_eq!(spans(&result), [], "{what}");
        assert_eq!(result["sections"].as_array().unwrap().len(), 2, "{what}");
    }
}
