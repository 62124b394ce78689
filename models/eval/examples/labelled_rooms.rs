//! Scores the rooms of labelled real pages: `labelled_rooms [--fit] PDFS LABELS…`, the folder of the PDFs and files of labels.
//!
//! A file is one page with an `id` or an object of pages by id; each has `office`, `page`, `rooms` and `rooms_complete`. Prints
//! for each page what is right, wrong and missed and why, then F1 pooled and as mean over offices. With `--fit` it prints the
//! coefficients of `plugins/room-detector/src/likelihood.rs` as well, fitted on these pages.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use eval::{NativeRoomDetector, fit_rooms};
use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;
use native::NativePage;
use room_detector::{Analysis, DetectedRoom, RoomEvidence};
use scoring::{Tally, iou, match_boxes};
use serde::Deserialize;

/// A labelled page.
#[derive(Deserialize)]
struct LabelledPage {
    id: Option<String>,
    office: String,
    page: u32,
    #[serde(default)]
    rooms: Vec<LabelledRoom>,
    #[serde(default)]
    rooms_complete: bool,
}

impl LabelledPage {
    /// Returns the boxes of the rooms that are certain, or of those that are not.
    fn boxes(&self, uncertain: bool) -> Vec<Rect> {
        self.rooms.iter().filter(|room| room.uncertain == uncertain).map(LabelledRoom::bbox).collect()
    }
}

/// A labelled room.
#[derive(Deserialize)]
struct LabelledRoom {
    bbox: [f32; 4],
    #[serde(default)]
    uncertain: bool,
}

impl LabelledRoom {
    fn bbox(&self) -> Rect {
        let [x1, y1, x2, y2] = self.bbox;
        Rect { x1, y1, x2, y2 }
    }
}

/// A room overlaps a detection that is not its own, merged or cut off, if their intersection over union reaches this.
const NEAR: f32 = 0.2;
/// A room is detected from this intersection over union on, as the corpus' scorer has it.
const SAME: f32 = 0.5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_fitted = arguments.first().is_some_and(|first| first == "--fit");
    arguments.drain(..usize::from(is_fitted));
    let (pdfs, files) = arguments.split_first().ok_or("usage: labelled_rooms [--fit] PDFS LABELS…")?;
    let mut examples = Vec::new();
    let mut offices: BTreeMap<String, Tally> = BTreeMap::new();
    let mut pooled = Tally::default();
    let mut pages = 0;
    let detector = NativeRoomDetector::open()?;
    for file in files {
        for (id, label) in read(Path::new(file))? {
            let path = Path::new(pdfs).join(format!("{id}.pdf"));
            if label.rooms.is_empty() || !path.exists() {
                continue;
            }
            let document = pdf_engine::Document::open(std::fs::read(path)?).map_err(|error| format!("{error:?}"))?;
            let page = document.page(label.page).map_err(|error| format!("{error:?}"))?;
            let page = NativePage::new(page).with_ocr();
            let found = detector.analyze(&page);
            let tally = score(&found, &label);
            println!("{id}: F1 {:.3}, {tally:?}, points per inch {:?}", tally.f1(), found.points_per_inch);
            for (reason, count) in reasons(&found, &label) {
                println!("    {count} {reason}");
            }
            examples.extend(regions(&found, &label));
            *offices.entry(label.office).or_default() += tally;
            pooled += tally;
            pages += 1;
        }
    }
    let mean = offices.values().map(|tally| tally.f1()).sum::<f64>() / offices.len().max(1) as f64;
    println!("{pages} pages of {} offices: F1 {:.3} pooled, {mean:.3} mean, {pooled:?}", offices.len(), pooled.f1());
    if is_fitted {
        let rooms = examples.iter().filter(|(_, is_room)| *is_room).count();
        println!("{} regions, {rooms} of them rooms: {:?}", examples.len(), fit_rooms(&examples));
    }
    Ok(())
}

/// Reads the pages of a file of labels.
fn read(path: &Path) -> Result<BTreeMap<String, LabelledPage>, Box<dyn Error>> {
    let value: serde_json::Value = serde_json::from_slice(&std::fs::read(path)?)?;
    if value.get("page").is_none() {
        return Ok(serde_json::from_value(value)?);
    }
    let page: LabelledPage = serde_json::from_value(value)?;
    let id = page.id.clone().ok_or("a page lacks its id")?;
    Ok(BTreeMap::from([(id, page)]))
}

/// Returns what is known of the regions of a page, likely rooms or not, and whether each is a room. A region that is no
/// labelled room is none only where all rooms are labelled.
fn regions(found: &Analysis, label: &LabelledPage) -> Vec<(RoomEvidence, bool)> {
    let regions: Vec<&DetectedRoom> = found.rooms.iter().chain(&found.unlikely).collect();
    let boxes: Vec<Rect> = regions.iter().map(|region| region.bbox()).collect();
    let matches = match_boxes(&boxes, &label.boxes(false), &label.boxes(true));
    let outcomes = regions.into_iter().zip(matches.detections);
    outcomes
        .filter_map(|(region, is_room)| Some((region.evidence?, is_room?)))
        .filter(|(_, is_room)| *is_room || label.rooms_complete)
        .collect()
}

/// Counts what is right, wrong and missed. What is not labelled is wrong only where all rooms are labelled.
fn score(found: &Analysis, label: &LabelledPage) -> Tally {
    let detections: Vec<Rect> = found.rooms.iter().map(DetectedRoom::bbox).collect();
    let tally = match_boxes(&detections, &label.boxes(false), &label.boxes(true)).tally();
    if label.rooms_complete { tally } else { Tally { wrong: 0, ..tally } }
}

/// Returns why rooms are missed, with how many.
fn reasons(found: &Analysis, label: &LabelledPage) -> BTreeMap<&'static str, usize> {
    let mut reasons = BTreeMap::new();
    for room in label.rooms.iter().filter(|room| !room.uncertain).map(LabelledRoom::bbox) {
        let overlap = found.rooms.iter().map(|own| iou(own.bbox(), room)).fold(0.0, f32::max);
        let is_named = found.names.iter().any(|name| {
            let (x, y) = name.center();
            room.contains_point(x, y)
        });
        let reason = match (is_named, overlap) {
            (_, overlap) if overlap >= SAME => continue,
            (_, overlap) if overlap >= NEAR => "with another box: merged, split or cut off",
            (true, _) => "named but not enclosed",
            (false, _) => "without a known name and not enclosed",
        };
        *reasons.entry(reason).or_default() += 1;
    }
    reasons
}
