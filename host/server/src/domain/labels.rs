//! Labels for measuring a model: what a person has said of its results, in the form of a labelled corpus.
//!
//! A page has labels once a person has judged every item on it that the model is sure of. What the model doubts and
//! nobody has judged counts neither way.

use serde_json::{Map, Value, json};

use crate::domain::annotations::{BOXES, KINDS, REVIEW, REVIEW_CONFIDENCE};
use crate::domain::review::{self, ReviewError};
use crate::views::page_box::BoxObject;
use crate::views::review::Changes;

/// How the items of a model become labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LabelForm {
    /// The model.
    pub(crate) model: &'static str,
    /// The list of its result that the items are in.
    found: &'static str,
    /// The list of a label file that they become.
    labels: &'static str,
    /// The kind of items that name none.
    kind: Option<&'static str>,
}

/// The models whose results become labels.
const FORMS: [LabelForm; 6] = [
    LabelForm { model: "door-detector", found: "doors", labels: "doors", kind: None },
    LabelForm { model: "toilet-detector", found: "toilets", labels: "fixtures", kind: Some("wc") },
    LabelForm { model: "fixture-detector", found: "fixtures", labels: "fixtures", kind: None },
    LabelForm { model: "elevation-detector", found: "elevations", labels: "elevations", kind: None },
    LabelForm { model: "room-detector", found: "rooms", labels: "rooms", kind: None },
    LabelForm { model: "schedule-extractor", found: "schedules", labels: TABLES, kind: None },
];
/// The list of a label file that has schedules with their cells.
const TABLES: &str = "tables";
/// Fields of an item that its label has as they are.
const TEXTS: [&str; 2] = ["name", "number"];

/// Returns how items of a model become labels. `None` for a model whose results have no place on a page.
pub(crate) fn form_of(model: &str) -> Option<LabelForm> {
    FORMS.into_iter().find(|form| form.model == model)
}

/// The pages of a reviewed result.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct LabelledPages {
    /// The labels of each page that has been judged as a whole, with the page's number.
    pub(crate) pages: Vec<(u32, Map<String, Value>)>,
    /// Pages on which items are left that the model is sure of and nobody has judged.
    pub(crate) unfinished: Vec<u32>,
}

/// Makes labels of a result, the text of a JSON object, and of what a person says of it.
///
/// # Errors
///
/// [`ReviewError::Unreadable`] if the result is not a JSON object.
pub(crate) fn from_review(form: LabelForm, changes: &Changes, result: &str) -> Result<LabelledPages, ReviewError> {
    let touched = review::judged_pages(changes, result)?;
    let reviewed: Map<String, Value> = serde_json::from_str(&review::apply(changes, result)?)?;
    let items: Vec<&Map<String, Value>> =
        reviewed.get(form.found).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object).collect();
    let mut labelled = LabelledPages::default();
    for page in touched {
        let here: Vec<_> = items.iter().copied().filter(|item| review::page_of(item) == Some(page)).collect();
        if here.iter().any(|item| !is_judged(item) && is_sure(item)) {
            labelled.unfinished.push(page);
        } else {
            labelled.pages.push((page, page_labels(form, page, &here)));
        }
    }
    Ok(labelled)
}

fn is_judged(item: &Map<String, Value>) -> bool {
    item.contains_key(REVIEW)
}

/// Returns whether the model is sure of an item, or does not say.
fn is_sure(item: &Map<String, Value>) -> bool {
    item.get("confidence").and_then(Value::as_f64).is_none_or(|confidence| confidence > REVIEW_CONFIDENCE)
}

/// Returns the fields of a label file that say what is on a page.
fn page_labels(form: LabelForm, page: u32, items: &[&Map<String, Value>]) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("page".to_owned(), page.into());
    if form.labels == TABLES {
        let (tables, ignored): (Vec<_>, Vec<_>) =
            items.iter().copied().partition(|item| is_judged(item) && has_cells(item));
        fields.insert("labelled_pages".to_owned(), json!([page]));
        fields.insert(TABLES.to_owned(), tables.into_iter().map(table_label).collect());
        let regions = ignored.into_iter().filter_map(|item| Some(json!({ "bbox": corners(item)? })));
        fields.insert("ignore_regions".to_owned(), regions.collect());
        return fields;
    }
    // Doors and fixtures are labelled together in a corpus, so a file with one of them has both lists.
    if ["doors", "fixtures"].contains(&form.labels) {
        fields.insert("doors".to_owned(), json!([]));
        fields.insert("fixtures".to_owned(), json!([]));
    }
    if form.labels == "rooms" {
        fields.insert("rooms_complete".to_owned(), true.into());
    }
    fields.insert(form.labels.to_owned(), items.iter().filter_map(|item| box_label(form, item)).collect());
    fields
}

/// Returns whether a schedule has cells. One that a person has added is only a region.
fn has_cells(schedule: &Map<String, Value>) -> bool {
    schedule.contains_key("headers") && schedule.contains_key("rows")
}

/// Returns the label of an item. `None` for an item without a box.
fn box_label(form: LabelForm, item: &Map<String, Value>) -> Option<Value> {
    let mut label = Map::new();
    label.insert("bbox".to_owned(), json!(corners(item)?));
    let kind = KINDS.iter().find_map(|name| item.get(*name)?.as_str()).or(form.kind);
    if let Some(kind) = kind {
        label.insert("kind".to_owned(), kind.into());
    }
    let texts = TEXTS.iter().filter_map(|name| Some(((*name).to_owned(), item.get(*name)?.clone())));
    label.extend(texts);
    label.insert("uncertain".to_owned(), (!is_judged(item)).into());
    Some(label.into())
}

/// Returns the label of a schedule: its rows as lists, in the order of its headers.
fn table_label(schedule: &Map<String, Value>) -> Value {
    let headers: Vec<&str> = schedule["headers"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let rows = schedule["rows"].as_array().into_iter().flatten();
    let cells =
        |row: &Value| -> Value { headers.iter().map(|header| row[*header].as_str().unwrap_or_default()).collect() };
    json!({
        "title": schedule.get("title").and_then(Value::as_str).unwrap_or_default(),
        "schedule_type": schedule.get("schedule_type"),
        "bbox": corners(schedule),
        "headers": headers,
        "rows": rows.map(cells).collect::<Vec<_>>(),
    })
}

/// Returns an item's box as a list: left, bottom, right, top.
fn corners(item: &Map<String, Value>) -> Option<[f64; 4]> {
    let BoxObject { x1, y1, x2, y2 } = BOXES.iter().find_map(|name| BoxObject::from_result(item.get(*name)?))?;
    Some([x1, y1, x2, y2])
}
