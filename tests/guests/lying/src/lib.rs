//! A plugin whose answers are not what they should be. It exports the contract itself: the types of the SDK make most of
//! these answers impossible. A test overwrites `NAME` in the built component, padded with blanks.

mod deed;

use std::hint::black_box;
use std::str::FromStr;
use std::sync::Mutex;

use exhaustion::{eat_memory, spin};
use fanlight_plugin::bindings::exports::fanlight::plugin::model::{Description, Failure, Granularity, Guest, Request};
use fanlight_plugin::pdf;
use serde_json::{Value, json};

pub use deed::{Deed, DescribeDeed};

/// Has the greatest length of a model's name.
const NAME: &str = "lying-under-the-name-that-a-test-writes-here-------------------";
/// A text that ends before it is JSON.
const HALF_A_TEXT: &str = "\"words of";
/// An object that ends before it is JSON.
const HALF_AN_OBJECT: &str = "{\"deed\": \"";
/// Bytes in a megabyte.
const MEGABYTE: usize = 1024 * 1024;

/// Titles of the documents that this instance has analyzed.
static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The plugin.
pub struct Lying;

impl Guest for Lying {
    fn describe() -> Description {
        // Prevents the compiler from computing the name at compile time.
        let mut name = black_box(NAME).trim_end().to_owned();
        let mut parameters = json!({ "type": "object" }).to_string();
        match DescribeDeed::from_str(&name) {
            Ok(DescribeDeed::LoopInDescribe) => spin(),
            Ok(DescribeDeed::PanicInDescribe) => panic_as_told(),
            Ok(DescribeDeed::EatMemoryInDescribe) => eat_memory(),
            Ok(DescribeDeed::DescribeWithoutJson) => HALF_AN_OBJECT.clone_into(&mut parameters),
            Ok(DescribeDeed::DescribeAtLength) => {
                parameters = json!({ "type": "object", "title": "x".repeat(4 * MEGABYTE) }).to_string();
            }
            Ok(DescribeDeed::DescribeAnotherModel) => "toc-parser".clone_into(&mut name),
            Err(_) => {}
        }
        let result = json!({
            "type": "object",
            "properties": { "deed": { "type": "string" }, "said": { "type": "string" } },
            "required": ["deed", "said"],
        });
        Description {
            name,
            version: "1.0.0".to_owned(),
            summary: "Returns what it should not.".to_owned(),
            parameters,
            partial: json!({ "type": "string" }).to_string(),
            result: result.to_string(),
            granularity: Granularity::Document,
            max_pages: None,
            presents: true,
        }
    }

    fn analyze(_: Request) -> Result<String, Failure> {
        let document = pdf::Document::open().map_err(|_| Failure::PdfCorrupt("no document".to_owned()))?;
        let title = document.metadata().title.unwrap_or_default();
        let deed = Deed::from_str(&title).map_err(|_| Failure::Unsupported(format!("no such deed: {title}")))?;
        match deed {
            Deed::ReturnAPartialThatIsNotJson => Ok(HALF_A_TEXT.to_owned()),
            _ => Ok(json!(title).to_string()),
        }
    }

    fn conclude(_: Request, partials: Vec<String>) -> Result<String, Failure> {
        let title = partials.first().and_then(|partial| serde_json::from_str::<String>(partial).ok());
        let title = title.unwrap_or_default();
        let mut result = json!({ "deed": title, "said": "" });
        match Deed::from_str(&title) {
            Ok(Deed::ReturnAResultThatIsNotJson) => return Ok(HALF_AN_OBJECT.to_owned()),
            Ok(Deed::ReturnAList) => return Ok(json!([result]).to_string()),
            Ok(Deed::ReturnAGigabyte) => return Ok("x".repeat(1024 * MEGABYTE)),
            Ok(Deed::ClaimAnotherDocument) => {
                result["document_id"] = json!("00000000-0000-8000-8000-000000000000");
                result["model_version"] = json!("toc-parser-v9.9.9");
                result["processing_time_ms"] = json!(-1);
            }
            Ok(Deed::RememberDocuments) => result["said"] = json!(seen_before(&title)),
            _ => {}
        }
        Ok(result.to_string())
    }

    fn present(stored: String) -> Result<String, Failure> {
        let mut result: Value = serde_json::from_str(&stored).unwrap_or_default();
        match Deed::from_str(result["deed"].as_str().unwrap_or_default()) {
            Ok(Deed::LoopInPresent) => spin(),
            Ok(Deed::PanicInPresent) => panic_as_told(),
            Ok(Deed::EatMemoryInPresent) => eat_memory(),
            Ok(Deed::OpenTheDocumentInPresent) => {
                let opened = pdf::Document::open().map(|document| document.page_count());
                result["said"] = json!(format!("{opened:?}"));
            }
            Ok(Deed::PresentNoJson) => return Ok(HALF_AN_OBJECT.to_owned()),
            Ok(Deed::PresentAMisshapenResult) => result["said"] = json!(["words of a document"]),
            _ => return Ok(stored),
        }
        Ok(result.to_string())
    }
}

/// Returns the titles that this instance has seen before, and adds this one.
fn seen_before(title: &str) -> String {
    let Ok(mut seen) = SEEN.lock() else { return String::new() };
    let before = seen.join(", ");
    seen.push(title.to_owned());
    before
}

#[expect(clippy::panic, reason = "that is one of the deeds")]
fn panic_as_told() {
    panic!("as told");
}

#[cfg(target_family = "wasm")]
const _: () = {
    fanlight_plugin::bindings::export!(Lying with_types_in fanlight_plugin::bindings);
};
