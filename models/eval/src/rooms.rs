//! Rooms: detection without a host, and scoring on synthetic plans.

use std::fmt;
use std::ops::AddAssign;

use anyhow::Result;
use drafting::plan::RoomTruth;
use fanlight_detection::detector::{self, SIDE};
use native::{NativeNetwork, NativePage};
use room_detector::{Analysis, DetectedRoom, FloorMap, PageContent, analyze};
use scoring::{Tally, iou, match_pairs, rect};

use crate::scan::NativeDetector;

/// Rooms match if their boxes have at least this intersection over union.
const SAME_ROOM: f32 = 0.7;
/// Rooms match if their areas differ by no more than this factor.
const AREA_FACTOR: f32 = 1.3;
/// Areas that differ by no more than this factor count as close.
const CLOSE_FACTOR: f32 = 1.05;

/// Detects rooms as the plugin does, with the project's own networks.
pub struct NativeRoomDetector {
    symbols: NativeDetector,
    segmenter: NativeNetwork,
}

impl NativeRoomDetector {
    /// Opens the networks.
    ///
    /// # Errors
    ///
    /// If a network's file is missing, or the engine cannot run it.
    pub fn open() -> Result<Self> {
        Ok(Self { symbols: NativeDetector::open()?, segmenter: NativeNetwork::open("room-segmenter")? })
    }

    /// Detects the rooms of a page, and returns what they were detected by as well.
    pub fn analyze(&self, page: &NativePage) -> Analysis {
        let symbols = |tile: Vec<f32>| self.symbols.maps(&tile).ok();
        let content = PageContent::read(page, |area| detector::detect(page, area, symbols));
        let floors = |tile: Vec<f32>| self.segmenter.run(&[1, 1, SIDE, SIDE], &tile).ok();
        analyze(&content, |points_per_inch| FloorMap::read(page, points_per_inch, floors))
    }

    /// Detects the rooms of a page of a file. It reads no text by OCR.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or has no such page.
    pub fn detect(&self, pdf: Vec<u8>, number: u32) -> Result<Vec<DetectedRoom>> {
        Ok(self.analyze(&NativePage::open(pdf, number)?).rooms)
    }
}

/// Counts of detected rooms, and of what is right about them.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoomScore {
    /// Rooms that are detected, missed and wrong.
    pub tally: Tally,
    /// Detected rooms whose area is off by at most a twentieth.
    pub close: usize,
    /// Detected rooms with the number as printed.
    pub numbered: usize,
    /// Detected rooms with the name as printed.
    pub named: usize,
}

impl RoomScore {
    /// Returns the harmonic mean of precision and recall.
    pub fn f1(self) -> f64 {
        self.tally.f1()
    }
}

impl AddAssign for RoomScore {
    fn add_assign(&mut self, other: Self) {
        self.tally += other.tally;
        self.close += other.close;
        self.numbered += other.numbered;
        self.named += other.named;
    }
}

impl fmt::Display for RoomScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tally: Tally { hit, missed, wrong }, close, numbered, named } = self;
        write!(
            f,
            "F1 {:.3}: {hit} right ({close} close, {numbered} numbered, {named} named), {wrong} extra, {missed} missed",
            self.f1()
        )
    }
}

/// A sheet's score, with the rooms and the detections that have no partner.
#[derive(Clone, Debug, Default)]
pub struct RoomMatches {
    /// The counts.
    pub score: RoomScore,
    /// Indices of rooms that are not detected.
    pub missed: Vec<usize>,
    /// Indices of detections that are no rooms.
    pub extra: Vec<usize>,
}

/// Matches detected rooms with the truth of a plan.
pub fn match_rooms(detections: &[DetectedRoom], truth: &[RoomTruth]) -> RoomMatches {
    let pairs =
        match_pairs(detections.len(), truth.len(), |detection, room| similarity(&detections[detection], &truth[room]));
    let mut score = RoomScore::default();
    for &(detection, room) in &pairs {
        let (detection, room) = (&detections[detection], &truth[room]);
        let larger = detection.area / polygon_area(&room.polygon);
        score.close += usize::from((1.0 / CLOSE_FACTOR..CLOSE_FACTOR).contains(&larger));
        score.numbered += usize::from(detection.number.as_deref() == Some(room.number.as_str()));
        score.named += usize::from(detection.name.as_deref() == Some(room.name));
    }
    let is_extra = |detection: &usize| pairs.iter().all(|(own, _)| own != detection);
    let is_missed = |room: &usize| pairs.iter().all(|(_, own)| own != room);
    let extra: Vec<usize> = (0..detections.len()).filter(is_extra).collect();
    let missed: Vec<usize> = (0..truth.len()).filter(is_missed).collect();
    score.tally = Tally { hit: pairs.len(), missed: missed.len(), wrong: extra.len() };
    RoomMatches { score, missed, extra }
}

/// Returns the intersection over union of a detection and a room, or `None` if they do not match.
fn similarity(detection: &DetectedRoom, truth: &RoomTruth) -> Option<f32> {
    let overlap = iou(detection.bbox(), rect(truth.bbox));
    let larger = detection.area / polygon_area(&truth.polygon);
    (overlap >= SAME_ROOM && (1.0 / AREA_FACTOR..AREA_FACTOR).contains(&larger)).then_some(overlap)
}

/// Returns the area of a polygon (shoelace formula).
fn polygon_area(corners: &[(f32, f32)]) -> f32 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f32>().abs() / 2.0
}
