//! The review of a result as clients read and write it.

use fanlight_store::Review;
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::views::page_box::BoxObject;
use crate::views::values::{Text, Time};

/// What people say of a result. An item that is not named has not been reviewed.
#[derive(Clone, Debug, Default, PartialEq, Object, Serialize, Deserialize)]
#[oai(rename = "ReviewRequest", deny_unknown_fields)]
pub(crate) struct Changes {
    /// Items of the result that are right, wrong or corrected.
    #[oai(default, validator(max_items = 50_000))]
    pub(crate) items: Vec<ReviewedItem>,
    /// Items that the result lacks.
    #[oai(default, validator(max_items = 50_000))]
    pub(crate) added: Vec<AddedItem>,
    /// Corrected cells of schedules.
    #[oai(default, validator(max_items = 50_000))]
    pub(crate) cells: Vec<ReviewedCell>,
}

/// What a person says of one item of a result.
#[derive(Clone, Debug, PartialEq, Object, Serialize, Deserialize)]
#[oai(deny_unknown_fields)]
pub(crate) struct ReviewedItem {
    /// The item's `id`, or the name of its list and its position from 0 if it has none, as in `schedules/0`.
    pub(crate) id: Text,
    /// Whether the item is right, once moved and renamed as below.
    pub(crate) status: Verdict,
    /// The item's right place, if it is another one.
    #[oai(nullable)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bbox: Option<BoxObject>,
    /// The item's right outline, if it is another one, such as a room's: its corners in order, `x` and `y` of each. The
    /// outline may not cross itself. Its extent becomes the item's box, so `bbox` is absent.
    #[oai(nullable, validator(min_items = 3, max_items = 1000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) polygon: Option<Vec<[f64; 2]>>,
    /// The item's right kind, if it is another one. The kinds are those of the model's schema.
    #[oai(nullable)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<Text>,
}

impl ReviewedItem {
    /// Returns whether the item is moved, reshaped or renamed.
    pub(crate) fn is_correction(&self) -> bool {
        self.bbox.is_some() || self.polygon.is_some() || self.kind.is_some()
    }
}

/// Whether an item is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize)]
#[oai(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// The item is right.
    Accepted,
    /// There is no such item in the document.
    Rejected,
}

/// An item that a person has added to a result.
#[derive(Clone, Debug, PartialEq, Object, Serialize, Deserialize)]
#[oai(deny_unknown_fields)]
pub(crate) struct AddedItem {
    /// The list of the result that the item belongs to, such as `doors`.
    pub(crate) list: Text,
    /// 1-based number of the page.
    pub(crate) page: u32,
    /// The item's place.
    pub(crate) bbox: BoxObject,
    /// The item's outline, if items of the list have one. Its extent takes the place of `bbox`.
    #[oai(nullable, validator(min_items = 3, max_items = 1000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) polygon: Option<Vec<[f64; 2]>>,
    /// The item's kind, if items of the list have kinds.
    #[oai(nullable)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<Text>,
}

/// The right text of a schedule's cell.
#[derive(Clone, Debug, PartialEq, Object, Serialize, Deserialize)]
#[oai(deny_unknown_fields)]
pub(crate) struct ReviewedCell {
    /// Position of the schedule in the result, from 0.
    pub(crate) schedule: u32,
    /// Position of the row in the schedule, from 0.
    pub(crate) row: u32,
    /// Header of the cell's column.
    pub(crate) header: Text,
    /// The right text.
    pub(crate) text: Text,
}

/// The review of a job's result.
#[derive(Debug, Object)]
#[oai(rename = "Review")]
pub(crate) struct ReviewObject {
    /// The reviewed job.
    job_id: Uuid,
    /// How many times the review has been written; 0 before the first time. Also the answer's `ETag`.
    version: u64,
    /// Time at which it was written; absent before the first time.
    #[oai(skip_serializing_if_is_none)]
    reviewed_at: Option<Time>,
    /// Name of the key that wrote it; absent before the first time.
    #[oai(skip_serializing_if_is_none)]
    reviewed_by: Option<String>,
    /// ID of that key; absent before the first time.
    #[oai(skip_serializing_if_is_none)]
    key_id: Option<Uuid>,
    /// Items of the result that are right, wrong or corrected.
    items: Vec<ReviewedItem>,
    /// Items that the result lacks.
    added: Vec<AddedItem>,
    /// Corrected cells of schedules.
    cells: Vec<ReviewedCell>,
}

impl ReviewObject {
    /// Describes a stored review with its parsed changes.
    pub(crate) fn new(review: Review, changes: Changes) -> Self {
        Self {
            job_id: review.job_id,
            version: review.version,
            reviewed_at: Some(Time(review.reviewed_at)),
            reviewed_by: Some(review.reviewer),
            key_id: Some(review.key_id),
            items: changes.items,
            added: changes.added,
            cells: changes.cells,
        }
    }

    /// Describes the review of a job that nobody has reviewed.
    pub(crate) fn none(job_id: Uuid) -> Self {
        let Changes { items, added, cells } = Changes::default();
        Self { job_id, version: 0, reviewed_at: None, reviewed_by: None, key_id: None, items, added, cells }
    }

    /// Returns the version, which the header `ETag` has too.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }
}
