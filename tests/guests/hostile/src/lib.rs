//! A plugin that misbehaves on demand. It has the name of `toc-parser`, so that the REST API runs it, and does what
//! the document's title says.

mod deed;

use std::hint::black_box;
use std::str::FromStr;

use exhaustion::{eat_memory, spin};
use fanlight_plugin::vocabulary::{Orientation, PixelFormat, RenderOptions};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job, pdf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use deed::Deed;

/// The plugin.
pub struct Hostile;

/// Takes no parameters.
#[derive(Deserialize, JsonSchema)]
pub struct Parameters {}

/// The report of a deed that the guest survives.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Report {
    deed: String,
    /// The schema promises a string.
    #[schemars(with = "String")]
    padding: Value,
}

impl Model for Hostile {
    type Parameters = Parameters;
    type Partial = Report;
    type Outcome = Report;

    fn description() -> Description {
        Description {
            name: "toc-parser",
            version: "6.6.6",
            summary: "Misbehaves on demand.",
            granularity: Granularity::Document,
            max_pages: None,
        }
    }

    #[expect(clippy::panic, reason = "that is one of the deeds")]
    fn analyze(_: &Request<Parameters>) -> Result<Report, Failure> {
        let title = pdf::Document::open()?.metadata().title.unwrap_or_default();
        let deed = Deed::from_str(&title).map_err(|_| Failure::Unsupported(format!("no such deed: {title}")))?;
        let mut padding = Value::from("");
        match deed {
            Deed::Behave
            | Deed::LoopAtTheEnd
            | Deed::PanicAtTheEnd
            | Deed::ReturnAMisshapenResult
            | Deed::ReturnNoNumber => {}
            Deed::Loop => {
                job::progress(0, 1, "looping");
                spin();
            }
            Deed::Sleep => std::thread::sleep(std::time::Duration::from_hours(1)),
            Deed::EatMemory => eat_memory(),
            Deed::OverflowTheStack => padding = dig(0).to_string().into(),
            Deed::HoardDocuments => hoard_documents(),
            Deed::OverfillACall => job::progress(0, 1, &"x".repeat(16 * 1024 * 1024)),
            Deed::FloodTheProgress => (0..u32::MAX).for_each(|step| job::progress(step, u32::MAX, "on and on")),
            Deed::FloodTheLog => flood_the_log(),
            Deed::Panic => panic!("as told"),
            Deed::PanicInADestructor => drop(Trap),
            Deed::GiveUp => return Err(Failure::Internal("as told".to_owned())),
            Deed::Rant => return Err(Failure::Internal("as\ntold\u{7} ".repeat(100_000))),
            Deed::Bloat => padding = "x".repeat(4 * 1024 * 1024).into(),
            Deed::ReturnAMisshapenPartial => padding = misshapen(),
            Deed::ReadBeyondTheDocument => padding = read_beyond()?.into(),
            Deed::ReadFiles => padding = format!("{:?}", std::fs::read_dir("/").map(Iterator::count)).into(),
            Deed::ReadTheEnvironment => padding = format!("{:?}", std::env::vars().collect::<Vec<_>>()).into(),
        }
        Ok(Report { deed: title, padding })
    }

    fn conclude(_: &Request<Parameters>, partials: Vec<Report>) -> Result<Report, Failure> {
        let mut report = partials.into_iter().next().ok_or_else(|| Failure::Internal("no partial".to_owned()))?;
        match Deed::from_str(&report.deed) {
            Ok(Deed::ReturnAMisshapenResult) => report.padding = misshapen(),
            // JSON has no such number, and serde writes null.
            Ok(Deed::ReturnNoNumber) => report.padding = json!(f64::NAN),
            Ok(Deed::LoopAtTheEnd) => spin(),
            Ok(Deed::PanicAtTheEnd) => drop(Trap),
            _ => {}
        }
        Ok(report)
    }
}

/// Something whose destructor panics.
struct Trap;

impl Drop for Trap {
    #[expect(clippy::panic, reason = "that is one of the deeds")]
    fn drop(&mut self) {
        panic!("as told");
    }
}

/// Asks for pages that the document does not have, and for pictures that nobody can draw. Returns how many were refused.
fn read_beyond() -> Result<String, Failure> {
    let document = pdf::Document::open()?;
    let pages = [0, 2, u32::MAX].map(|number| document.page(number).is_err());
    let page = document.page(1)?;
    let pictures = [0.0, -1.0, f32::NAN, f32::INFINITY, 1e9].map(|dpi| {
        let options =
            RenderOptions { dpi, region: None, format: PixelFormat::Grey, orientation: Orientation::Displayed };
        page.render(options).is_err()
    });
    let refused = pages.iter().chain(&pictures).filter(|refused| **refused).count();
    Ok(format!("{refused} of {} refused", pages.len() + pictures.len()))
}

/// Returns an object with words of a document in place of a string.
fn misshapen() -> Value {
    json!({ "words of a document": ["more words of a document"] })
}

#[expect(unconditional_recursion, reason = "that is the deed")]
fn dig(depth: u64) -> u64 {
    black_box(dig(black_box(depth + 1)) + depth)
}

fn hoard_documents() {
    let mut hoard = Vec::new();
    loop {
        hoard.push(pdf::Document::open());
    }
}

fn flood_the_log() {
    for line in 0_u64.. {
        println!("line {line} of a great many that nobody asked for");
    }
}

fanlight_plugin::export_model!(Hostile);
