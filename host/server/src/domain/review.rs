//! Reviews of results: whether a review fits its result, and the result as reviewed.
//!
//! An item of a result is an entry of a list at the top of it. It is named by its `id`, or by list and position where it
//! has none, as schedules have none. The stored result never changes: the reviewed one is made at each read.

mod outline;

use std::collections::{BTreeSet, HashMap};

use fanlight_sandbox::PageGeometry;
use fanlight_store::{Job, StoreError};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::domain::annotations::{BOXES, KINDS, PAGES, REVIEW};
use crate::domain::inspection::{self, InspectionError};
use crate::domain::review::outline::{Corner, OUTLINE};
use crate::domain::service::Service;
use crate::views::page_box::BoxObject;
use crate::views::review::{AddedItem, Changes, ReviewedCell, ReviewedItem, Verdict};

/// The list of schedules, whose cells can be corrected.
const SCHEDULES: &str = "schedules";
/// The list of items that a model doubts. An accepted one moves to the list of those that it is sure of.
const CANDIDATES: &str = "candidates";
/// How far a box may reach over its page, in points: the rounding of coordinates to thousandths.
const TOLERANCE: f64 = 0.001;
/// Most references that are followed to the schema of a field. Schemas of results nest less.
const DEEPEST_REFERENCE: usize = 8;

/// Why a review does not fit its result.
#[derive(Debug, Error)]
pub(crate) enum ReviewError {
    /// The result has no such item or list.
    #[error("the result has no item or list {0:?}")]
    UnknownItem(String),
    /// Items of this list do not have this kind.
    #[error("items of {list:?} are of no kind {kind:?}")]
    UnknownKind {
        /// The list's name.
        list: String,
        /// The kind in the review.
        kind: String,
    },
    /// The result has no such cell.
    #[error("schedule {schedule} has no cell {header:?} in row {row}")]
    UnknownCell {
        /// Position of the schedule.
        schedule: u32,
        /// Position of the row.
        row: u32,
        /// Header of the column.
        header: String,
    },
    /// A box is empty, not finite, or outside its page, or the document has no such page.
    #[error("a box of page {page} is empty or lies outside the page")]
    BoxOutsidePage {
        /// The page's number.
        page: u32,
    },
    /// An outline crosses itself, or items of its list have none.
    #[error("the outline of {0:?} crosses itself, or items like it have no outline")]
    InvalidOutline(String),
    /// An item is given a box and an outline.
    #[error("the item {0:?} is given a box and an outline; the outline's extent is its box")]
    BoxAndOutline(String),
    /// An item is named twice.
    #[error("the item {0:?} occurs twice")]
    Repeated(String),
    /// An item is rejected and corrected.
    #[error("the item {0:?} is rejected and corrected")]
    RejectedAndChanged(String),
    /// The stored review or result cannot be read.
    #[error("the review or its result can't be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// The document's pages cannot be read.
    #[error(transparent)]
    Inspection(#[from] InspectionError),
    /// The database failed, or the document has been deleted.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Checks that a review fits the result of its job.
pub(crate) async fn check(service: &Service, job: &Job, result: &str, changes: &Changes) -> Result<(), ReviewError> {
    let installed = service.models.get(&job.model);
    let schema = installed.as_deref().map(|installed| &installed.description().result);
    let boxes = check_names(changes, &serde_json::from_str(result)?, schema)?;
    let numbers = boxes.iter().filter_map(|placed| placed.page);
    let (Some(first), Some(last)) = (numbers.clone().min(), numbers.max()) else {
        return Ok(());
    };
    let document = service.store.document(job.account_id, job.document_id).await?;
    if first == 0 || last > document.page_count {
        return Err(ReviewError::BoxOutsidePage { page: if first == 0 { first } else { last } });
    }
    let pages = inspection::pages(service, &document, first, last - first + 1).await?;
    let pages: HashMap<u32, PageGeometry> = (first..).zip(pages).collect();
    boxes.iter().try_for_each(|placed| placed.check(&pages))
}

/// A box that a review names.
struct PlacedBox {
    /// Its page. `None` if the result does not say on which page an item is, as of schedules.
    page: Option<u32>,
    bbox: BoxObject,
}

impl PlacedBox {
    /// Checks that the box has an area and lies within its page's media box.
    fn check(&self, pages: &HashMap<u32, PageGeometry>) -> Result<(), ReviewError> {
        let Some(page) = self.page else { return Ok(()) };
        let outside = ReviewError::BoxOutsidePage { page };
        let Some(geometry) = pages.get(&page) else { return Err(outside) };
        let (own, whole) = (self.bbox, BoxObject::from(geometry.media_box));
        let inside = own.x1 >= whole.x1 - TOLERANCE
            && own.y1 >= whole.y1 - TOLERANCE
            && own.x2 <= whole.x2 + TOLERANCE
            && own.y2 <= whole.y2 + TOLERANCE;
        if inside { Ok(()) } else { Err(outside) }
    }
}

/// Checks everything of a review that needs no document, and returns its boxes.
fn check_names(
    changes: &Changes,
    result: &Map<String, Value>,
    schema: Option<&Value>,
) -> Result<Vec<PlacedBox>, ReviewError> {
    let items = named_items(result);
    let mut seen = BTreeSet::new();
    let mut boxes = Vec::new();
    for change in &changes.items {
        let unknown = || ReviewError::UnknownItem(change.id.0.clone());
        let (list, item) = items.get(change.id.0.as_str()).ok_or_else(unknown)?;
        if !seen.insert(&change.id.0) {
            return Err(ReviewError::Repeated(change.id.0.clone()));
        }
        if change.status == Verdict::Rejected && change.is_correction() {
            return Err(ReviewError::RejectedAndChanged(change.id.0.clone()));
        }
        if let Some(kind) = &change.kind {
            check_kind(list, &kind.0, result, schema)?;
        }
        let bbox = match (change.bbox, &change.polygon) {
            (Some(_), Some(_)) => return Err(ReviewError::BoxAndOutline(change.id.0.clone())),
            (None, Some(outline)) if item.contains_key(OUTLINE) => Some(extent(&change.id.0, outline)?),
            (None, Some(_)) => return Err(ReviewError::InvalidOutline(change.id.0.clone())),
            (bbox, None) => bbox,
        };
        boxes.extend(bbox.map(|bbox| PlacedBox { page: page_of(item), bbox }));
    }
    let lists = lists(result, schema);
    for added in &changes.added {
        if !lists.contains(added.list.0.as_str()) {
            return Err(ReviewError::UnknownItem(added.list.0.clone()));
        }
        if let Some(kind) = &added.kind {
            check_kind(&added.list.0, &kind.0, result, schema)?;
        }
        let bbox = match &added.polygon {
            Some(outline) if has_outlines(&added.list.0, result, schema) => extent(&added.list.0, outline)?,
            Some(_) => return Err(ReviewError::InvalidOutline(added.list.0.clone())),
            None => added.bbox,
        };
        boxes.push(PlacedBox { page: Some(added.page), bbox });
    }
    for cell in &changes.cells {
        if cell_of(result, cell).is_none() {
            let ReviewedCell { schedule, row, header, .. } = cell.clone();
            return Err(ReviewError::UnknownCell { schedule, row, header: header.0 });
        }
    }
    for PlacedBox { page, bbox } in &boxes {
        let finite = [bbox.x1, bbox.y1, bbox.x2, bbox.y2].iter().all(|number| number.is_finite());
        if !finite || bbox.x1 >= bbox.x2 || bbox.y1 >= bbox.y2 {
            return Err(ReviewError::BoxOutsidePage { page: page.unwrap_or_default() });
        }
    }
    Ok(boxes)
}

/// Returns the box around an outline of the item or the list of that name.
fn extent(name: &str, outline: &[Corner]) -> Result<BoxObject, ReviewError> {
    outline::extent(outline).ok_or_else(|| ReviewError::InvalidOutline(name.to_owned()))
}

/// Returns whether items of a list have outlines: another item has, or the model's schema has the field.
fn has_outlines(list: &str, result: &Map<String, Value>, schema: Option<&Value>) -> bool {
    let mut items = result.get(list).and_then(Value::as_array).into_iter().flatten();
    items.any(|item| item.get(OUTLINE).is_some())
        || schema.and_then(|schema| schema_fields(schema, list)).is_some_and(|fields| fields.get(OUTLINE).is_some())
}

/// Returns every item of a result by its name in reviews, with the name of its list.
fn named_items(result: &Map<String, Value>) -> HashMap<String, (&str, &Map<String, Value>)> {
    let lists = result.iter().filter_map(|(list, value)| Some((list.as_str(), value.as_array()?)));
    let items = lists.flat_map(|(list, items)| {
        let objects = items.iter().enumerate().filter_map(|(position, item)| Some((position, item.as_object()?)));
        objects.map(move |(position, item)| (name_of(list, position, item), (list, item)))
    });
    items.collect()
}

/// Returns the name of an item in reviews.
fn name_of(list: &str, position: usize, item: &Map<String, Value>) -> String {
    let id = item.get("id").and_then(Value::as_str);
    id.map_or_else(|| format!("{list}/{position}"), str::to_owned)
}

/// Returns the pages with an item that a review judges, adds or corrects a cell of.
///
/// # Errors
///
/// [`ReviewError::Unreadable`] if the result is not a JSON object.
pub(crate) fn judged_pages(changes: &Changes, result: &str) -> Result<BTreeSet<u32>, ReviewError> {
    let result: Map<String, Value> = serde_json::from_str(result)?;
    let items = named_items(&result);
    let of_cells = changes.cells.iter().map(|cell| format!("{SCHEDULES}/{}", cell.schedule));
    let named = changes.items.iter().map(|item| item.id.0.clone()).chain(of_cells);
    let pages = named.filter_map(|name| page_of(items.get(&name)?.1));
    Ok(pages.chain(changes.added.iter().map(|added| added.page)).collect())
}

/// Returns the page of an item.
pub(crate) fn page_of(item: &Map<String, Value>) -> Option<u32> {
    let page = PAGES.iter().find_map(|name| item.get(*name)?.as_u64())?;
    u32::try_from(page).ok()
}

/// Returns the names of the lists that a result has or, by its model's schema, may have.
fn lists<'a>(result: &'a Map<String, Value>, schema: Option<&'a Value>) -> BTreeSet<&'a str> {
    let own = result.iter().filter(|(_, value)| value.is_array()).map(|(name, _)| name.as_str());
    let properties = schema.and_then(|schema| schema.get("properties")?.as_object()).into_iter().flatten();
    own.chain(properties.filter(|(_, property)| property["type"] == "array").map(|(name, _)| name.as_str())).collect()
}

/// Checks that items of a list may be of a kind: another item is, or the model's schema allows it.
fn check_kind(list: &str, kind: &str, result: &Map<String, Value>, schema: Option<&Value>) -> Result<(), ReviewError> {
    let items = result.get(list).and_then(Value::as_array).into_iter().flatten();
    let used = items.filter_map(|item| KINDS.iter().find_map(|name| item.get(*name)?.as_str()));
    let allowed = schema.map(|schema| schema_kinds(schema, list)).unwrap_or_default();
    if used.chain(allowed).any(|known| known == kind) {
        return Ok(());
    }
    Err(ReviewError::UnknownKind { list: list.to_owned(), kind: kind.to_owned() })
}

/// Returns the kinds that a result's schema allows for items of a list.
fn schema_kinds<'a>(schema: &'a Value, list: &str) -> Vec<&'a str> {
    let kind = schema_fields(schema, list).and_then(|fields| KINDS.iter().find_map(|name| fields.get(*name)));
    kind.and_then(|kind| resolved(schema, kind)).map(words).unwrap_or_default()
}

/// Returns the schemas of the fields that items of a list have.
fn schema_fields<'a>(schema: &'a Value, list: &str) -> Option<&'a Value> {
    let items = resolved(schema, schema.get("properties")?.get(list)?)?.get("items")?;
    resolved(schema, items)?.get("properties")
}

/// Follows the references of a part of a schema.
fn resolved<'a>(schema: &'a Value, mut part: &'a Value) -> Option<&'a Value> {
    for _ in 0..DEEPEST_REFERENCE {
        let Some(reference) = part.get("$ref").and_then(Value::as_str) else { return Some(part) };
        part = schema.pointer(reference.strip_prefix('#')?)?;
    }
    None
}

/// Returns the words of an enumeration, which is written as `enum`, or as `oneOf` where its words have descriptions.
fn words(schema: &Value) -> Vec<&str> {
    let choices = schema.get("oneOf").and_then(Value::as_array).into_iter().flatten();
    let plain = schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let constant = schema.get("const").and_then(Value::as_str);
    plain.chain(constant).chain(choices.flat_map(words)).collect()
}

/// Returns the text of a cell.
fn cell_of<'a>(result: &'a Map<String, Value>, cell: &ReviewedCell) -> Option<&'a str> {
    let schedule = result.get(SCHEDULES)?.get(cell.schedule as usize)?;
    schedule.get("rows")?.get(cell.row as usize)?.get(&cell.header.0)?.as_str()
}

/// Returns a job's result as reviewed, the text of a JSON object. Without a review it is the result itself.
pub(crate) async fn reviewed(service: &Service, job: &Job, result: String) -> Result<String, ReviewError> {
    match service.store.review(job.account_id, job.id).await? {
        Some(review) => apply(&serde_json::from_str(&review.changes)?, &result),
        None => Ok(result),
    }
}

/// Applies a review to a result, the text of a JSON object.
///
/// # Errors
///
/// [`ReviewError::Unreadable`] if the result is not a JSON object.
pub(crate) fn apply(changes: &Changes, result: &str) -> Result<String, ReviewError> {
    let mut result: Map<String, Value> = serde_json::from_str(result)?;
    let by_name: HashMap<&str, &ReviewedItem> = changes.items.iter().map(|item| (item.id.0.as_str(), item)).collect();
    // Before items are left out, since their positions name cells.
    for cell in &changes.cells {
        correct_cell(&mut result, cell);
    }
    let mut confirmed = Vec::new();
    for (list, items) in &mut result {
        let Some(items) = items.as_array_mut() else { continue };
        let all = std::mem::take(items);
        for (position, mut item) in all.into_iter().enumerate() {
            let name = item.as_object().map(|fields| name_of(list, position, fields));
            let change = name.and_then(|name| by_name.get(name.as_str()));
            match (change, item.as_object_mut()) {
                (Some(change), Some(_)) if change.status == Verdict::Rejected => {}
                (Some(change), Some(fields)) => {
                    correct_item(fields, change);
                    if list == CANDIDATES { &mut confirmed } else { &mut *items }.push(item);
                }
                _ => items.push(item),
            }
        }
    }
    let confirmed_list = sure_list(&result).unwrap_or_else(|| CANDIDATES.to_owned());
    if !confirmed.is_empty() {
        extend(&mut result, &confirmed_list, confirmed);
    }
    for (number, added) in (1..).zip(&changes.added) {
        let item = added_item(&result, number, added);
        extend(&mut result, &added.list.0, vec![item]);
    }
    count_again(&mut result);
    Ok(Value::Object(result).to_string())
}

/// Replaces the text of a cell.
fn correct_cell(result: &mut Map<String, Value>, cell: &ReviewedCell) {
    let schedule = result.get_mut(SCHEDULES).and_then(|schedules| schedules.get_mut(cell.schedule as usize));
    let row = schedule.and_then(|schedule| schedule.get_mut("rows")?.get_mut(cell.row as usize));
    if let Some(text) = row.and_then(|row| row.get_mut(&cell.header.0)) {
        *text = cell.text.0.as_str().into();
    }
}

/// Moves and renames an item as a person did, and says so in it.
fn correct_item(item: &mut Map<String, Value>, change: &ReviewedItem) {
    if let Some(outline) = &change.polygon
        && let Some(bbox) = outline::extent(outline)
    {
        outline::replace(item, outline);
        replace_box(item, bbox);
    }
    if let Some(bbox) = change.bbox {
        let former = BOXES.iter().find_map(|name| BoxObject::from_result(item.get(*name)?));
        if let Some(former) = former {
            outline::follow(item, former, bbox);
        }
        replace_box(item, bbox);
    }
    if let Some(kind) = &change.kind {
        item.insert(field_name(Some(item), &KINDS).to_owned(), kind.0.as_str().into());
    }
    item.insert(REVIEW.to_owned(), if change.is_correction() { "corrected" } else { "accepted" }.into());
}

/// Replaces an item's box, in the form that it has. An item without a box gets none.
fn replace_box(item: &mut Map<String, Value>, bbox: BoxObject) {
    let Some(field) = BOXES.into_iter().find(|name| item.contains_key(*name)) else { return };
    let as_list = item.get(field).is_some_and(Value::is_array);
    item.insert(field.to_owned(), box_value(bbox, as_list));
}

fn box_value(bbox: BoxObject, as_list: bool) -> Value {
    if as_list { json!([bbox.x1, bbox.y1, bbox.x2, bbox.y2]) } else { json!(bbox) }
}

/// Returns the list that an accepted candidate moves to: the only other list of the result.
fn sure_list(result: &Map<String, Value>) -> Option<String> {
    let mut others = result.iter().filter(|(name, value)| value.is_array() && *name != CANDIDATES);
    let (name, _) = others.next()?;
    others.next().is_none().then(|| name.clone())
}

/// Returns an added item with the field names that other items of its list have.
fn added_item(result: &Map<String, Value>, number: usize, added: &AddedItem) -> Value {
    let sample = result.get(&added.list.0).and_then(|items| items.as_array()?.first()?.as_object());
    let box_field = field_name(sample, &BOXES);
    let as_list = sample.and_then(|item| item.get(box_field)).is_some_and(Value::is_array);
    let mut item = Map::new();
    item.insert("id".to_owned(), format!("added_{number}").into());
    item.insert(field_name(sample, &PAGES).to_owned(), added.page.into());
    let bbox = added.polygon.as_deref().and_then(outline::extent).unwrap_or(added.bbox);
    item.insert(box_field.to_owned(), box_value(bbox, as_list));
    if let Some(outline) = &added.polygon {
        item.insert(OUTLINE.to_owned(), json!(outline));
    }
    if let Some(kind) = &added.kind {
        item.insert(field_name(sample, &KINDS).to_owned(), kind.0.as_str().into());
    }
    item.insert(REVIEW.to_owned(), "added".into());
    Value::Object(item)
}

/// Returns the first of some field names that an item has, or the first of all if it has none of them.
fn field_name(item: Option<&Map<String, Value>>, names: &[&'static str]) -> &'static str {
    names.iter().find(|name| item.is_some_and(|item| item.contains_key(**name))).copied().unwrap_or(names[0])
}

/// Adds items to a list of a result, which may not have the list yet.
fn extend(result: &mut Map<String, Value>, list: &str, more: Vec<Value>) {
    if let Some(items) = result.entry(list).or_insert_with(|| json!([])).as_array_mut() {
        items.extend(more);
    }
}

/// Sets each number `<list>_found` to the length of its list.
fn count_again(result: &mut Map<String, Value>) {
    let lists = result.iter().filter_map(|(name, value)| Some((format!("{name}_found"), value.as_array()?.len())));
    let counts: Vec<(String, usize)> = lists.filter(|(name, _)| result.contains_key(name)).collect();
    for (name, count) in counts {
        result.insert(name, count.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: BoxObject = BoxObject { x1: 1.0, y1: 2.0, x2: 3.0, y2: 4.0 };

    fn result() -> Value {
        json!({
            "fixtures": [
                {"id": "f1", "page": 1, "bbox": {"x1": 0.0, "y1": 0.0, "x2": 2.0, "y2": 2.0}, "kind": "toilet"},
                {"id": "f2", "page": 1, "bbox": {"x1": 5.0, "y1": 5.0, "x2": 6.0, "y2": 6.0}, "kind": "sink"},
            ],
            "fixtures_found": 2,
            "schedules": [{"bounding_box": [0, 0, 1, 1], "headers": ["MARK"], "rows": [{"MARK": "1"}]}],
        })
    }

    fn changes(value: &Value) -> Changes {
        let mut whole = json!({"items": [], "added": [], "cells": []});
        for (name, part) in value.as_object().unwrap() {
            whole[name] = part.clone();
        }
        serde_json::from_value(whole).unwrap()
    }

    fn checked(value: &Value, schema: Option<&Value>) -> Result<usize, ReviewError> {
        check_names(&changes(value), result().as_object().unwrap(), schema).map(|boxes| boxes.len())
    }

    fn applied(value: &Value, result: &Value) -> Value {
        serde_json::from_str(&apply(&changes(value), &result.to_string()).unwrap()).unwrap()
    }

    #[test]
    fn rejected_items_are_left_out_and_counted_again() {
        let reviewed = applied(&json!({"items": [{"id": "f1", "status": "rejected"}]}), &result());
        assert_eq!(reviewed["fixtures"].as_array().unwrap().len(), 1);
        assert_eq!((&reviewed["fixtures"][0]["id"], &reviewed["fixtures_found"]), (&json!("f2"), &json!(1)));
    }

    #[test]
    fn corrected_items_say_so() {
        let review = json!({"items": [
            {"id": "f1", "status": "accepted"},
            {"id": "f2", "status": "accepted", "bbox": BOX, "kind": "toilet"},
        ]});
        let reviewed = applied(&review, &result());
        assert_eq!(reviewed["fixtures"][0]["review"], "accepted");
        let moved = &reviewed["fixtures"][1];
        assert_eq!(
            (&moved["review"], &moved["kind"], &moved["bbox"]),
            (&json!("corrected"), &json!("toilet"), &json!(BOX))
        );
    }

    #[test]
    fn added_items_have_the_fields_of_their_list() {
        let added = |list: &str| json!({"added": [{"list": list, "page": 3, "bbox": BOX, "kind": "sink"}]});
        let reviewed = applied(&added("fixtures"), &result());
        let expected = json!({"id": "added_1", "page": 3, "bbox": BOX, "kind": "sink", "review": "added"});
        assert_eq!((&reviewed["fixtures"][2], &reviewed["fixtures_found"]), (&expected, &json!(3)));
        let schedule = &applied(&added("schedules"), &result())["schedules"][1];
        assert_eq!(schedule["bounding_box"], json!([1.0, 2.0, 3.0, 4.0]));
    }

    #[test]
    fn a_corrected_cell_has_the_new_text() {
        let review = json!({"cells": [{"schedule": 0, "row": 0, "header": "MARK", "text": "001"}]});
        assert_eq!(applied(&review, &result())["schedules"][0]["rows"][0]["MARK"], "001");
    }

    #[test]
    fn an_accepted_candidate_joins_the_sure_ones() {
        let doors = json!({
            "doors": [], "doors_found": 0,
            "candidates": [{"id": "d1", "page": 1, "bbox": BOX, "confidence": 0.3}, {"id": "d2", "page": 1, "bbox": BOX}],
        });
        let reviewed = applied(&json!({"items": [{"id": "d1", "status": "accepted"}]}), &doors);
        assert_eq!((&reviewed["doors"][0]["id"], &reviewed["doors_found"]), (&json!("d1"), &json!(1)));
        assert_eq!(reviewed["candidates"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn a_moved_room_keeps_its_shape() {
        let rooms = json!({"rooms": [{
            "id": "r", "page": 1, "bbox": {"x1": 0.0, "y1": 0.0, "x2": 10.0, "y2": 10.0},
            "polygon": [[0.0, 0.0], [10.0, 0.0], [5.0, 10.0]], "area_pt2": 50.0, "area_m2": null,
        }]});
        let bbox = BoxObject { x1: 10.0, y1: 0.0, x2: 30.0, y2: 10.0 };
        let reviewed = applied(&json!({"items": [{"id": "r", "status": "accepted", "bbox": bbox}]}), &rooms);
        let room = &reviewed["rooms"][0];
        assert_eq!(room["polygon"], json!([[10.0, 0.0], [30.0, 0.0], [20.0, 10.0]]));
        assert_eq!((&room["area_pt2"], &room["area_m2"]), (&json!(100.0), &Value::Null));
    }

    #[test]
    fn a_room_gets_other_corners() {
        let rooms = json!({"rooms": [{
            "id": "r", "page": 1, "bbox": {"x1": 0.0, "y1": 0.0, "x2": 10.0, "y2": 10.0},
            "polygon": [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]], "area_pt2": 100.0, "area_m2": null,
        }]});
        let corners = json!([[0.0, 0.0], [12.0, 0.0], [12.0, 5.0], [0.0, 5.0]]);
        let review = json!({
            "items": [{"id": "r", "status": "accepted", "polygon": corners}],
            "added": [{"list": "rooms", "page": 1, "bbox": BOX, "polygon": corners}],
        });
        let extent = json!({"x1": 0.0, "y1": 0.0, "x2": 12.0, "y2": 5.0});
        let reviewed = applied(&review, &rooms);
        for (room, state) in [(0, "corrected"), (1, "added")] {
            let room = &reviewed["rooms"][room];
            assert_eq!([&room["polygon"], &room["bbox"], &room["review"]], [&corners, &extent, &json!(state)]);
        }
        assert_eq!(reviewed["rooms"][0]["area_pt2"], 60.0);
    }

    #[test]
    fn outlines_belong_to_items_that_have_one_and_do_not_cross() {
        let outlined = json!({"rooms": [{"id": "r", "page": 1, "bbox": BOX, "polygon": [[1, 2], [3, 2], [3, 4]]}], "doors": [{"id": "d", "page": 1, "bbox": BOX}]});
        let corners = json!([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]);
        let crossed = json!([[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]);
        let moved =
            |id: &str, corners: &Value| json!({"items": [{"id": id, "status": "accepted", "polygon": corners}]});
        let added = |list: &str, corners: &Value| json!({"added": [{"list": list, "page": 1, "bbox": BOX, "polygon": corners}]});
        let check = |review: &Value| check_names(&changes(review), outlined.as_object().unwrap(), None);
        for right in [moved("r", &corners), added("rooms", &corners)] {
            assert!(check(&right).is_ok(), "{right}");
        }
        for wrong in [moved("r", &crossed), moved("d", &corners), added("doors", &corners), added("rooms", &crossed)] {
            assert!(matches!(check(&wrong), Err(ReviewError::InvalidOutline(_))), "{wrong}");
        }
        let both = json!({"items": [{"id": "r", "status": "accepted", "polygon": corners, "bbox": BOX}]});
        assert!(matches!(check(&both), Err(ReviewError::BoxAndOutline(_))));
    }

    #[test]
    fn items_are_named_by_id_or_place() {
        assert!(checked(&json!({"items": [{"id": "schedules/0", "status": "accepted"}]}), None).is_ok());
        for id in ["schedules/1", "fixtures/0", "f3", ""] {
            let unknown = checked(&json!({"items": [{"id": id, "status": "accepted"}]}), None);
            assert!(matches!(unknown, Err(ReviewError::UnknownItem(_))), "{id}");
        }
        let twice = json!({"items": [{"id": "f1", "status": "accepted"}, {"id": "f1", "status": "rejected"}]});
        assert!(matches!(checked(&twice, None), Err(ReviewError::Repeated(_))));
        let both = json!({"items": [{"id": "f1", "status": "rejected", "kind": "sink"}]});
        assert!(matches!(checked(&both, None), Err(ReviewError::RejectedAndChanged(_))));
    }

    #[test]
    fn kinds_are_those_of_the_schema_or_of_other_items() {
        let renamed = |kind: &str| json!({"items": [{"id": "f1", "status": "accepted", "kind": kind}]});
        let schema = json!({
            "properties": {"fixtures": {"type": "array", "items": {"$ref": "#/$defs/Fixture"}}},
            "$defs": {
                "Fixture": {"properties": {"kind": {"$ref": "#/$defs/Kind"}}},
                "Kind": {"oneOf": [{"const": "urinal"}, {"enum": ["shower"]}]},
            },
        });
        assert!(checked(&renamed("sink"), None).is_ok());
        assert!(matches!(checked(&renamed("urinal"), None), Err(ReviewError::UnknownKind { .. })));
        for kind in ["urinal", "shower"] {
            assert!(checked(&renamed(kind), Some(&schema)).is_ok(), "{kind}");
        }
        assert!(matches!(checked(&renamed("door"), Some(&schema)), Err(ReviewError::UnknownKind { .. })));
    }

    #[test]
    fn a_box_has_an_area() {
        let moved = |x2: f64| json!({"items": [{"id": "f1", "status": "accepted", "bbox": {"x1": 1.0, "y1": 0.0, "x2": x2, "y2": 1.0}}]});
        assert_eq!(checked(&moved(2.0), None).unwrap(), 1);
        for x2 in [1.0, 0.0] {
            assert!(matches!(checked(&moved(x2), None), Err(ReviewError::BoxOutsidePage { page: 1 })));
        }
    }

    #[test]
    fn cells_are_those_of_the_schedules() {
        let cell = |schedule: u32, row: u32, header: &str| json!({"cells": [{"schedule": schedule, "row": row, "header": header, "text": "x"}]});
        assert!(checked(&cell(0, 0, "MARK"), None).is_ok());
        for unknown in [cell(1, 0, "MARK"), cell(0, 1, "MARK"), cell(0, 0, "WIDTH")] {
            assert!(matches!(checked(&unknown, None), Err(ReviewError::UnknownCell { .. })));
        }
    }
}
