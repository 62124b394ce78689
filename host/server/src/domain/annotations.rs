//! The annotations that show a result in its document, as marks for the annotator: one for each item of a list that has a page and a box.

use fanlight_sandbox::{Mark, Rect};
use serde_json::{Map, Value};

use crate::views::page_box::BoxObject;

/// Maximum number of annotations in one document.
const MAX_ANNOTATIONS: usize = 50_000;
/// Field names of an item's box.
pub(crate) const BOXES: [&str; 2] = ["bbox", "bounding_box"];
/// The field in which a reviewed result says what a person did with an item.
pub(crate) const REVIEW: &str = "review";
/// Field names of an item's page.
pub(crate) const PAGES: [&str; 2] = ["page", "page_number"];
/// Field names of an item's kind.
pub(crate) const KINDS: [&str; 3] = ["kind", "schedule_type", "drawing_type"];
/// Fields whose values are the text of an annotation, in this order.
const TEXT_FIELDS: [&str; 5] = ["id", "name", "number", "title", "confidence"];

/// Items up to this confidence may need manual review, as the product specification requires.
pub(crate) const REVIEW_CONFIDENCE: f64 = 0.5;
/// Percentage of white in the colour of an item that may need review.
const WHITE_PERCENT: u32 = 60;

/// The colours of kinds: the palette of Okabe and Ito, which colour-blind readers can distinguish, without black (the
/// colour of drawings) and yellow, plus a red.
const COLORS: [u32; 7] = [0x00_72_b2, 0xd5_5e_00, 0x00_9e_73, 0xcc_79_a7, 0xe6_9f_00, 0x56_b4_e9, 0xd0_00_00];

/// Returns the annotations of a result, the text of a JSON object. Boxes are in user space of the unrotated page.
///
/// Items of one kind have one colour. An item that may need manual review has a paler colour, and its title says so.
pub(crate) fn from_result(result: &str) -> serde_json::Result<Vec<Mark>> {
    let result: Map<String, Value> = serde_json::from_str(result)?;
    let lists = result.iter().filter_map(|(name, value)| Some((name, value.as_array()?)));
    let items = lists.flat_map(|(name, items)| items.iter().filter_map(move |item| from_item(name, item.as_object()?)));
    Ok(items.take(MAX_ANNOTATIONS).collect())
}

/// Returns the annotation of one item of the list `list`. None without a valid page and box.
fn from_item(list: &str, item: &Map<String, Value>) -> Option<Mark> {
    let page = PAGES.iter().find_map(|name| item.get(*name)?.as_u64())?;
    let bbox = BOXES.iter().find_map(|name| rect(item.get(*name)?))?;
    let kind = KINDS.iter().find_map(|name| item.get(*name)?.as_str()).unwrap_or(singular(list));
    let confidence = item.get("confidence").and_then(Value::as_f64);
    let (mut title, mut color) = (kind.replace('_', " "), color_of(kind));
    let reviewed = item.contains_key(REVIEW);
    if !reviewed && confidence.is_some_and(|confidence| confidence <= REVIEW_CONFIDENCE) {
        title.push_str(", may need review");
        color = pale(color);
    }
    let texts: Vec<String> = TEXT_FIELDS.iter().filter_map(|name| text_of(item.get(*name)?)).collect();
    Some(Mark { page: u32::try_from(page).ok()?, bbox, title, contents: texts.join(", "), color })
}

/// Mixes a colour, `0xRRGGBB`, with [`WHITE_PERCENT`] of white.
fn pale(color: u32) -> u32 {
    [16, 8, 0].into_iter().map(|shift| pale_channel((color >> shift) & 0xff) << shift).sum()
}

/// Mixes one channel of a colour, from 0 to 255, with [`WHITE_PERCENT`] of white.
fn pale_channel(channel: u32) -> u32 {
    channel + (0xff - channel) * WHITE_PERCENT / 100
}

/// Reads a box. None if it is not finite in the annotator's precision.
fn rect(value: &Value) -> Option<Rect> {
    let BoxObject { x1, y1, x2, y2 } = BoxObject::from_result(value)?;
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(|number| number as f32);
    let finite = [x1, y1, x2, y2].iter().all(|number: &f32| number.is_finite());
    finite.then_some(Rect { x1, y1, x2, y2 })
}

/// Returns the text of a string that is not empty, or of a number.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns the name of one entry of a list: the list's name without its plural `s`.
fn singular(list: &str) -> &str {
    list.strip_suffix('s').unwrap_or(list)
}

/// Returns the colour of a kind, which is the same in every document.
fn color_of(kind: &str) -> u32 {
    let sum = kind.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    COLORS.get(sum % COLORS.len()).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn annotations(result: &Value) -> Vec<Mark> {
        from_result(&result.to_string()).unwrap()
    }

    #[test]
    fn every_item_with_a_page_and_a_box_is_annotated() {
        let bbox = Rect { x1: 1.0, y1: 2.5, x2: 3.0, y2: 4.0 };
        let result = json!({
            "doors": [{"id": "door_01", "page": 2, "bbox": {"x1": 1, "y1": 2.5, "x2": 3, "y2": 4}, "confidence": 0.9}],
            "schedules": [{"schedule_type": "door_schedule", "title": "DOORS", "page": 1, "bounding_box": [1, 2.5, 3, 4]}],
            "doors_found": 1,
            "divisions": [{"division_code": "08"}],
        });
        let found = annotations(&result);
        let texts: Vec<_> =
            found.iter().map(|one| (one.page, one.bbox, one.title.as_str(), one.contents.as_str())).collect();
        assert_eq!(texts, [(2, bbox, "door", "door_01, 0.9"), (1, bbox, "door schedule", "DOORS")]);
        assert_ne!(found[0].color, found[1].color);
    }

    #[test]
    fn an_item_that_may_need_review_is_paler_and_says_so() {
        let toilet = |confidence: f64| json!({"page": 1, "bbox": [1, 2, 3, 4], "confidence": confidence});
        let found = annotations(&json!({ "toilets": [toilet(0.51), toilet(0.5)] }));
        let [certain, uncertain] = &found[..] else { unreachable!("two items are annotated") };
        assert_eq!((certain.title.as_str(), uncertain.title.as_str()), ("toilet", "toilet, may need review"));
        assert_eq!((pale(0x00_72_b2), pale(0xff_ff_ff), pale(0)), (0x99_c6_e0, 0xff_ff_ff, 0x99_99_99));
        assert_eq!(uncertain.color, pale(certain.color));
    }

    #[test]
    fn an_item_without_a_valid_page_or_box_is_skipped() {
        let valid = json!([1, 2, 3, 4]);
        let cases = [
            json!({"bbox": valid}),
            json!({"page": 1}),
            json!({"page": -1, "bbox": valid}),
            json!({"page": 1.5, "bbox": valid}),
            json!({"page": 5_000_000_000_u64, "bbox": valid}),
            json!({"page": 1, "bbox": [1, 2, 3]}),
            json!({"page": 1, "bbox": [1, 2, 3, 4, 5]}),
            json!({"page": 1, "bbox": [1, 2, 3, null]}),
            json!({"page": 1, "bbox": [1, 2, 3, 1e300]}),
            json!({"page": 1, "bbox": {"x1": 1, "y1": 2, "x2": 3}}),
            json!({"page": 1, "bbox": "1 2 3 4"}),
            json!(7),
        ];
        for item in cases {
            assert_eq!(annotations(&json!({ "doors": [item] })), [], "{item}");
        }
    }
}
