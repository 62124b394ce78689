//! Plans of every office of the drafting crate, read back and compared with the exact truth.

use drafting::plan::{Office, RoomTruth, draft, offices};
use fanlight_vocabulary::Rect;
use room_detector::Found;

/// What all offices together must reach. Lobbies that open to a corridor over half of its length and corridors with
/// doors across them have no edge that lines tell, and count here.
const BAR_OF_ALL: f64 = 0.72;
/// What a plan of rooms along closed corridors must reach, whichever way its sheet lies.
const BAR: f64 = 0.9;
/// Of the rooms found, those whose number is read right.
const NUMBERED: f64 = 0.85;
/// Boxes have so much in common, over what both cover, and areas differ by no more.
const SAME: f32 = 0.7;
const AREA: f32 = 1.3;

/// Finds and misses.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    right: usize,
    numbered: usize,
    extra: usize,
    missed: usize,
}

impl Score {
    fn f1(self) -> f64 {
        let all = 2 * self.right + self.extra + self.missed;
        if all == 0 { 1.0 } else { 2.0 * self.right as f64 / all as f64 }
    }

    fn and(self, other: Self) -> Self {
        Self {
            right: self.right + other.right,
            numbered: self.numbered + other.numbered,
            extra: self.extra + other.extra,
            missed: self.missed + other.missed,
        }
    }
}

/// What two boxes have in common, over what both cover.
fn common(a: Rect, b: Rect) -> f32 {
    let area = |x1: f32, y1: f32, x2: f32, y2: f32| (x2 - x1).max(0.0) * (y2 - y1).max(0.0);
    let both = area(a.x1.max(b.x1), a.y1.max(b.y1), a.x2.min(b.x2), a.y2.min(b.y2));
    both / (area(a.x1, a.y1, a.x2, a.y2) + area(b.x1, b.y1, b.x2, b.y2) - both)
}

/// The area that corners enclose.
fn area(corners: &[(f32, f32)]) -> f32 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f32>().abs() / 2.0
}

fn is_same(found: &Found, truth: &RoomTruth) -> bool {
    let [x1, y1, x2, y2] = truth.bbox;
    let larger = found.area / area(&truth.polygon);
    common(found.bbox(), Rect { x1, y1, x2, y2 }) >= SAME && (1.0 / AREA..AREA).contains(&larger)
}

fn score(office: &Office, seed: u64) -> Result<Score, String> {
    let drafted = draft(office, seed);
    let document = pdf_engine::Document::open(drafted.pdf).map_err(|error| format!("{error:?}"))?;
    let page = document.page(1).map_err(|error| format!("{error:?}"))?;
    let mut found = room_detector::find(&page.text(), &page.paths(), &page.geometry());
    let mut score = Score::default();
    for truth in &drafted.truth.rooms {
        match found.iter().position(|found| is_same(found, truth)) {
            Some(at) => {
                let room = found.swap_remove(at);
                score.right += 1;
                score.numbered += usize::from(room.number.as_deref() == Some(truth.number.as_str()));
            }
            None => score.missed += 1,
        }
    }
    score.extra = found.len();
    Ok(score)
}

#[test]
fn every_offices_rooms_are_found() -> Result<(), String> {
    let (mut all, mut lettered) = (Score::default(), Score::default());
    for (index, (name, office)) in offices().into_iter().enumerate() {
        let score = score(&office, index as u64 + 1)?;
        println!("{name}: {:.3} {score:?}", score.f1());
        all = all.and(score);
        // Offices that letter in outlines have names that no text tells.
        if score.numbered > 0 {
            lettered = lettered.and(score);
        }
    }
    println!("all: {:.3} {all:?}", all.f1());
    assert!(all.f1() >= BAR_OF_ALL, "{:.3} {all:?}", all.f1());
    assert!(lettered.numbered as f64 >= NUMBERED * lettered.right as f64, "{lettered:?}");
    Ok(())
}

#[test]
fn a_sheet_may_lie_whichever_way() -> Result<(), String> {
    let (name, office) = offices().into_iter().find(|(name, _)| *name == "factory").ok_or("no such office")?;
    for rotate in [0, 90, 180, 270] {
        let score = score(&Office { rotate, ..office.clone() }, 9)?;
        assert!(score.f1() >= BAR, "{name}, {rotate}: {:.3} {score:?}", score.f1());
    }
    Ok(())
}
