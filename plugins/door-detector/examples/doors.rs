//! Prints the doors of pages, read and fused natively, as `fanlight run door-detector` does, or all candidates by
//! their lines and as fused: `doors FILE.pdf PAGE[,PAGE] [--all]`.

use std::error::Error;

use door_detector::{Candidate, building, filter, fusion};
use eval::NativeClassifier;
use native::{NativePage, Readable as _};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: doors FILE.pdf PAGE[,PAGE] [--all]")?;
    let pages = arguments.next().unwrap_or_else(|| "1".to_owned());
    let all = arguments.next().is_some();
    let classifier = NativeClassifier::open()?;
    let pdf = std::fs::read(path)?;
    let mut candidates = Vec::new();
    for number in pages.split(',') {
        let number: u32 = number.parse()?;
        let page = NativePage::open(pdf.clone(), number)?;
        let doors = building::doors(&page.paths(), &page.text(), &page.geometry());
        let confidences = fusion::confidences(&doors, |boxes| classifier.classify(&page, boxes));
        for (door, confidence) in doors.iter().zip(confidences) {
            if all {
                let kind = door.kind;
                println!("{number} {kind:?} {:.3} {confidence:.3} {:?}", door.confidence, door.bbox);
            }
            candidates.push(Candidate { id: String::new(), page: number, bbox: door.bbox.into(), confidence });
        }
    }
    if !all {
        println!("{}", serde_json::json!({ "doors": filter::doors(&candidates) }));
    }
    Ok(())
}
