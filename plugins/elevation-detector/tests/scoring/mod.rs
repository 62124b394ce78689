//! Finds compared with the exact truth.

use drafting::elevation::ElevationTruth;
use pdf_engine::vocabulary::Rect;

/// Boxes that have so much in common, over what both cover, are the same view.
const SAME: f64 = 0.7;

/// Finds and misses.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    pub(crate) right: usize,
    pub(crate) extra: usize,
    pub(crate) missed: usize,
}

impl Score {
    /// Of what was found on a sheet.
    pub(crate) fn of(found: &[Rect], truth: &[ElevationTruth]) -> Self {
        let mut found: Vec<[f64; 4]> = found.iter().map(|r| [r.x1, r.y1, r.x2, r.y2].map(f64::from)).collect();
        let mut score = Self::default();
        for truth in truth {
            let wanted = truth.bbox.map(f64::from);
            let best = (0..found.len()).max_by(|&a, &b| common(found[a], wanted).total_cmp(&common(found[b], wanted)));
            match best.filter(|&at| common(found[at], wanted) >= SAME) {
                Some(at) => {
                    found.swap_remove(at);
                    score.right += 1;
                }
                None => score.missed += 1,
            }
        }
        score.extra = found.len();
        score
    }

    pub(crate) fn f1(self) -> f64 {
        let all = 2 * self.right + self.extra + self.missed;
        if all == 0 { 1.0 } else { 2.0 * self.right as f64 / all as f64 }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self { right: self.right + other.right, extra: self.extra + other.extra, missed: self.missed + other.missed }
    }
}

/// What two boxes have in common, over what both cover.
fn common(a: [f64; 4], b: [f64; 4]) -> f64 {
    let area = |r: [f64; 4]| (r[2] - r[0]).max(0.0) * (r[3] - r[1]).max(0.0);
    let both = area([a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]);
    both / (area(a) + area(b) - both)
}
