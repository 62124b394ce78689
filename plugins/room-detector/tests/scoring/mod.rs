//! Found rooms compared with the truth of a drafted plan.

use std::fmt;

use drafting::plan::RoomTruth;
use fanlight_contract::Rect;
use room_detector::Found;

/// Boxes have so much in common, over what both cover.
const SAME: f32 = 0.7;
/// Areas differ by no more than this factor.
const AREA: f32 = 1.3;
/// Areas that differ by no more are as good as the same.
const CLOSE: f32 = 1.05;

/// Finds and misses.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    /// Rooms found.
    pub(crate) right: usize,
    /// Of these, with an area that is off by a twentieth at most.
    pub(crate) close: usize,
    /// Of these, with the number as printed.
    pub(crate) numbered: usize,
    /// Of these, with the name as printed.
    pub(crate) named: usize,
    /// What is no room.
    pub(crate) extra: usize,
    /// Rooms not found.
    pub(crate) missed: usize,
}

impl Score {
    /// The harmonic mean of precision and recall.
    pub(crate) fn f1(self) -> f64 {
        let all = 2 * self.right + self.extra + self.missed;
        if all == 0 { 1.0 } else { 2.0 * self.right as f64 / all as f64 }
    }

    /// Adds another's counts.
    pub(crate) fn join(&mut self, other: Self) {
        self.right += other.right;
        self.close += other.close;
        self.numbered += other.numbered;
        self.named += other.named;
        self.extra += other.extra;
        self.missed += other.missed;
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { right, close, numbered, named, extra, missed } = self;
        write!(
            f,
            "F1 {:.3}: {right} right ({close} close, {numbered} numbered, {named} named), {extra} extra, {missed} missed",
            self.f1()
        )
    }
}

/// A sheet's score, and which rooms of the truth and which finds have no partner.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    pub(crate) score: Score,
    pub(crate) missed: Vec<usize>,
    pub(crate) extra: Vec<usize>,
}

/// Compares what was found with the truth.
pub(crate) fn judge(found: &[Found], truth: &[RoomTruth]) -> Judged {
    let mut judged = Judged::default();
    let mut left: Vec<usize> = (0..found.len()).collect();
    for (index, room) in truth.iter().enumerate() {
        let Some(at) = left.iter().position(|&at| is_same(&found[at], room)) else {
            judged.missed.push(index);
            continue;
        };
        let partner = &found[left.remove(at)];
        let larger = partner.area / area(&room.polygon);
        judged.score.right += 1;
        judged.score.close += usize::from((1.0 / CLOSE..CLOSE).contains(&larger));
        judged.score.numbered += usize::from(partner.number.as_deref() == Some(room.number.as_str()));
        judged.score.named += usize::from(partner.name.as_deref() == Some(room.name));
    }
    judged.score.missed = judged.missed.len();
    judged.score.extra = left.len();
    judged.extra = left;
    judged
}

fn is_same(found: &Found, truth: &RoomTruth) -> bool {
    let [x1, y1, x2, y2] = truth.bbox;
    let larger = found.area / area(&truth.polygon);
    common(found.bbox(), Rect { x1, y1, x2, y2 }) >= SAME && (1.0 / AREA..AREA).contains(&larger)
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
