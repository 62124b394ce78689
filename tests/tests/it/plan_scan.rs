//! Scans of synthetic plans.

use drafting::scan::{Scanner, scan};
use native::prints;
use pdf_engine::vocabulary::Orientation;

/// Returns a straight scan of a plan's only page, printed at `dpi` pixels per inch.
pub(crate) fn straight_scan(plan: Vec<u8>, dpi: f32) -> Vec<u8> {
    let prints = prints(plan, [1], dpi, Orientation::UserSpace).unwrap();
    scan(&prints, &Scanner { skew: 0.0, ..Scanner::ALL[1].1 }, 1)
}
