//! Prints the doors of pages without a host, as `fanlight run door-detector` does, or all candidates with their confidence by
//! lines and after score fusion: `doors FILE.pdf PAGE[,PAGE] [--all]`.

use anyhow::{Context, Result};
use door_detector::{Candidate, filter, fusion};
use eval::NativeClassifier;
use fanlight_detection::symbols::Plan;
use native::{NativePage, Readable as _};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().context("usage: doors FILE.pdf PAGE[,PAGE] [--all]")?;
    let pages = arguments.next().unwrap_or_else(|| "1".to_owned());
    let all = arguments.next().is_some();
    let classifier = NativeClassifier::open()?;
    let pdf = std::fs::read(path)?;
    let mut candidates = Vec::new();
    for number in pages.split(',') {
        let number: u32 = number.parse()?;
        let page = NativePage::open(pdf.clone(), number)?;
        let doors = Plan::read(&page.paths(), &page.text(), &page.geometry()).doors();
        let confidences = fusion::confidences(&doors, |boxes| classifier.classify(&page, boxes));
        for (door, confidence) in doors.iter().zip(confidences) {
            if all {
                println!("{number} {:?} {:.3} {confidence:.3} {:?}", door.kind, door.confidence, door.bbox);
            }
            candidates.push(Candidate { id: String::new(), page: number, bbox: door.bbox.into(), confidence });
        }
    }
    if !all {
        println!("{}", serde_json::json!({ "doors": filter::doors(&candidates) }));
    }
    Ok(())
}
