//! Joins blocks of a schedule that are beside or below each other, each in a frame of its own.

use crate::result::{QualityIssue, Schedule};

/// Maximum distance of two blocks, in points. This and the next limit were chosen by eye.
const MAX_GAP: f64 = 72.0;
/// Minimum share of the shorter block's side that is beside the other block.
const MIN_OVERLAP: f64 = 0.7;

/// Returns the schedules of a page. A block that continues an earlier one is joined to it.
pub(crate) fn joined(schedules: Vec<Schedule>) -> Vec<Schedule> {
    let mut whole: Vec<Schedule> = Vec::with_capacity(schedules.len());
    for block in schedules {
        match whole.iter_mut().find(|first| continues(first, &block)) {
            Some(first) => append(first, block),
            None => whole.push(block),
        }
    }
    whole
}

/// Returns whether a block has the headers of another one and no title of its own: either none, or
/// the title above both.
fn continues(first: &Schedule, block: &Schedule) -> bool {
    let [across, down] = [Axis::X, Axis::Y].map(|axis| Shared::along(axis, first, block));
    let overlaps = across.length > 0.0 && down.length > 0.0;
    let is_beside = across.is_side_of(&down) || down.is_side_of(&across);
    let is_untitled = block.title.is_empty() && !overlaps;
    let has_same_title = block.title == first.title && !first.title.is_empty() && overlaps;
    first.headers == block.headers && is_beside && (is_untitled || has_same_title)
}

/// An axis, as the index of a bounding box's lower coordinate along it.
#[derive(Clone, Copy)]
enum Axis {
    X = 0,
    Y = 1,
}

/// What two blocks have in common along an axis, in points.
struct Shared {
    /// The length of the interval that both cover; negative if there is a gap between them.
    length: f64,
    /// The length of the shorter block.
    shorter: f64,
}

impl Shared {
    fn along(axis: Axis, a: &Schedule, b: &Schedule) -> Self {
        let [from, to] = [axis as usize, axis as usize + 2];
        let [a, b] = [a.bounding_box, b.bounding_box];
        Self { length: a[to].min(b[to]) - a[from].max(b[from]), shorter: (a[to] - a[from]).min(b[to] - b[from]) }
    }

    /// Returns whether two blocks are beside each other over most of a side, and close along the `other` axis.
    fn is_side_of(&self, other: &Self) -> bool {
        self.length >= MIN_OVERLAP * self.shorter && other.length >= -MAX_GAP
    }
}

/// Appends the rows of a block that continues a schedule.
fn append(first: &mut Schedule, block: Schedule) {
    let [a, b] = [first.bounding_box, block.bounding_box];
    first.bounding_box = [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])];
    first.rows.extend(block.rows);
    // A missing title does not reduce the confidence of a continuation.
    first.confidence = if block.title.is_empty() { first.confidence } else { first.confidence.min(block.confidence) };
    let metadata = &mut first.metadata;
    metadata.row_count = first.rows.len();
    metadata.ocr_fallback |= block.metadata.ocr_fallback;
    for issue in block.metadata.pdf_quality_issues {
        if issue != QualityIssue::NoTitle && !metadata.pdf_quality_issues.contains(&issue) {
            metadata.pdf_quality_issues.push(issue);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Metadata, Method, Row, ScheduleType};

    fn schedule(title: &str, header: &str, bounding_box: [f64; 4]) -> Schedule {
        Schedule {
            page: 1,
            schedule_type: ScheduleType::DoorSchedule,
            title: title.to_owned(),
            confidence: 0.9,
            bounding_box,
            headers: vec![header.to_owned()],
            rows: vec![Row::default()],
            metadata: Metadata {
                row_count: 1,
                col_count: 1,
                method: Method::VectorRules,
                pdf_quality_issues: vec![QualityIssue::NoTitle],
                ocr_fallback: false,
            },
        }
    }

    #[test]
    fn blocks_beside_each_other_are_one_schedule() {
        let first = [0.0, 0.0, 100.0, 200.0];
        let cases = [
            ("without a title, beside", "", "MARK", [110.0, 20.0, 210.0, 200.0], true),
            ("without a title, below", "", "MARK", [0.0, -120.0, 100.0, -10.0], true),
            ("below a title over both", "DOORS", "MARK", [60.0, 0.0, 210.0, 200.0], true),
            ("with a title of its own", "DOORS", "MARK", [110.0, 0.0, 210.0, 200.0], false),
            ("with other headers", "", "TAG", [110.0, 0.0, 210.0, 200.0], false),
            ("far off", "", "MARK", [300.0, 0.0, 400.0, 200.0], false),
            ("at a corner", "", "MARK", [110.0, 190.0, 210.0, 400.0], false),
        ];
        for (what, title, header, bounding_box, expected) in cases {
            let whole = joined(vec![schedule("DOORS", "MARK", first), schedule(title, header, bounding_box)]);
            assert_eq!(whole.len() == 1, expected, "{what}");
            assert_eq!(whole[0].metadata.row_count, if expected { 2 } else { 1 }, "{what}");
        }
    }
}
