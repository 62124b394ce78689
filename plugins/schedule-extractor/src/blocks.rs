//! Joins blocks of a schedule that are beside or below each other, each in a frame of its own.

use crate::result::{QualityIssue, Schedule};

/// The greatest distance of two blocks, in points.
const MAX_GAP: f64 = 72.0;
/// The least share of the shorter block's side that is beside the other.
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
    let [a, b] = [first.bounding_box, block.bounding_box];
    // The extent that both have in common along each axis; a negative value is the gap between
    // them.
    let common = [0, 1].map(|axis| a[axis + 2].min(b[axis + 2]) - a[axis].max(b[axis]));
    let shorter = [0, 1].map(|axis| (a[axis + 2] - a[axis]).min(b[axis + 2] - b[axis]));
    let overlaps = common.iter().all(|common| *common > 0.0);
    let is_beside = (0..2).any(|axis| common[axis] >= MIN_OVERLAP * shorter[axis] && common[1 - axis] >= -MAX_GAP);
    let untitled = block.title.is_empty() && !overlaps;
    let below_one_title = block.title == first.title && !first.title.is_empty() && overlaps;
    first.headers == block.headers && is_beside && (untitled || below_one_title)
}

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

    fn schedule(title: &str, head: &str, bounding_box: [f64; 4]) -> Schedule {
        Schedule {
            schedule_type: ScheduleType::DoorSchedule,
            title: title.to_owned(),
            confidence: 0.9,
            bounding_box,
            headers: vec![head.to_owned()],
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
            ("with other heads", "", "TAG", [110.0, 0.0, 210.0, 200.0], false),
            ("far off", "", "MARK", [300.0, 0.0, 400.0, 200.0], false),
            ("at a corner", "", "MARK", [110.0, 190.0, 210.0, 400.0], false),
        ];
        for (what, title, head, bounding_box, expected) in cases {
            let whole = joined(vec![schedule("DOORS", "MARK", first), schedule(title, head, bounding_box)]);
            assert_eq!(whole.len() == 1, expected, "{what}");
            assert_eq!(whole[0].metadata.row_count, if expected { 2 } else { 1 }, "{what}");
        }
    }
}
