//! Where a result's boxes lie: what of any model's result can be drawn into its document.

use fanlight_sandbox::{Annotation, PageBox};
use serde_json::{Map, Value};

/// Most boxes of one document.
const MOST_MARKS: usize = 50_000;
/// What an item's box is called.
const BOXES: [&str; 2] = ["bbox", "bounding_box"];
/// What an item's page is called.
const PAGES: [&str; 2] = ["page", "page_number"];
/// What tells items of one list apart by their kind.
const KINDS: [&str; 3] = ["kind", "schedule_type", "drawing_type"];
/// What of an item is told with its box, in this order.
const TOLD: [&str; 5] = ["id", "name", "number", "title", "confidence"];

/// What is no surer than this may need manual review, as the specification has it.
const WEAK: f64 = 0.5;
/// How much of a weak item's colour is white.
const PALE: u32 = 60;

/// Colours that stay apart from each other and from drawings, which are black: Okabe and Ito's, without black and
/// yellow, and a red.
const COLORS: [u32; 7] = [0x00_72_b2, 0xd5_5e_00, 0x00_9e_73, 0xcc_79_a7, 0xe6_9f_00, 0x56_b4_e9, 0xd0_00_00];

/// The boxes of every list in a result, the text of a JSON object, whose items have a page and a box, in user space of the unrotated page. Items
/// of one kind have one colour, and a paler one where they may need manual review; their title says so too.
pub(crate) fn of_result(result: &str) -> serde_json::Result<Vec<Annotation>> {
    let result: Map<String, Value> = serde_json::from_str(result)?;
    let lists = result.iter().filter_map(|(name, value)| Some((name, value.as_array()?)));
    let items = lists.flat_map(|(name, items)| items.iter().filter_map(move |item| of_item(name, item.as_object()?)));
    Ok(items.take(MOST_MARKS).collect())
}

fn of_item(list: &str, item: &Map<String, Value>) -> Option<Annotation> {
    let page = PAGES.iter().find_map(|name| item.get(*name)?.as_u64())?;
    let bbox = BOXES.iter().find_map(|name| of_box(item.get(*name)?))?;
    let kind = KINDS.iter().find_map(|name| item.get(*name)?.as_str()).unwrap_or(singular(list));
    let weak = item.get("confidence").and_then(Value::as_f64).is_some_and(|confidence| confidence <= WEAK);
    let (mut title, mut color) = (kind.replace('_', " "), color_of(kind));
    if weak {
        title.push_str(", may need review");
        color = pale(color);
    }
    let told: Vec<String> = TOLD.iter().filter_map(|name| words(item.get(*name)?)).collect();
    Some(Annotation { page: u32::try_from(page).ok()?, bbox, title, contents: told.join(", "), color })
}

/// A colour nearer to white.
fn pale(color: u32) -> u32 {
    let part = |shift: u32| {
        let part = (color >> shift) & 0xff;
        (part + (0xff - part) * PALE / 100) << shift
    };
    part(16) | part(8) | part(0)
}

/// As an object with `x1` to `y2`, or as a list of the four.
fn of_box(value: &Value) -> Option<PageBox> {
    let numbers: Vec<&Value> = match value {
        Value::Object(fields) => ["x1", "y1", "x2", "y2"].iter().filter_map(|name| fields.get(*name)).collect(),
        Value::Array(numbers) => numbers.iter().collect(),
        _ => return None,
    };
    let numbers: Option<Vec<f32>> = numbers.into_iter().map(|number| Some(number.as_f64()? as f32)).collect();
    let [x1, y1, x2, y2] = numbers?.try_into().ok()?;
    let finite = [x1, y1, x2, y2].iter().all(|number: &f32| number.is_finite());
    finite.then_some(PageBox { x1, y1, x2, y2 })
}

fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// What one entry of a list is.
fn singular(list: &str) -> &str {
    list.strip_suffix('s').unwrap_or(list)
}

/// The same for the same kind, in every document.
fn color_of(kind: &str) -> u32 {
    let sum = kind.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    COLORS.get(sum % COLORS.len()).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn marks(result: &Value) -> Vec<Annotation> {
        of_result(&result.to_string()).unwrap()
    }

    #[test]
    fn every_item_with_a_page_and_a_box_is_a_mark() {
        let bbox = PageBox { x1: 1.0, y1: 2.5, x2: 3.0, y2: 4.0 };
        let result = json!({
            "doors": [{"id": "door_01", "page": 2, "bbox": {"x1": 1, "y1": 2.5, "x2": 3, "y2": 4}, "confidence": 0.9}],
            "schedules": [{"schedule_type": "door_schedule", "title": "DOORS", "page": 1, "bounding_box": [1, 2.5, 3, 4]}],
            "doors_found": 1,
            "divisions": [{"division_code": "08"}],
        });
        let found = marks(&result);
        let told: Vec<_> =
            found.iter().map(|mark| (mark.page, mark.bbox, mark.title.as_str(), mark.contents.as_str())).collect();
        assert_eq!(told, [(2, bbox, "door", "door_01, 0.9"), (1, bbox, "door schedule", "DOORS")]);
        assert_ne!(found[0].color, found[1].color);
    }

    #[test]
    fn what_may_need_review_is_drawn_paler_and_says_so() {
        let toilet = |confidence: f64| json!({"page": 1, "bbox": [1, 2, 3, 4], "confidence": confidence});
        let found = marks(&json!({ "toilets": [toilet(0.51), toilet(0.5)] }));
        let [sure, weak] = &found[..] else { unreachable!("two are drawn") };
        assert_eq!((sure.title.as_str(), weak.title.as_str()), ("toilet", "toilet, may need review"));
        assert_eq!((pale(0x00_72_b2), pale(0xff_ff_ff), pale(0)), (0x99_c6_e0, 0xff_ff_ff, 0x99_99_99));
        assert_eq!(weak.color, pale(sure.color));
    }

    #[test]
    fn what_has_no_page_or_no_box_is_none() {
        let sound = json!([1, 2, 3, 4]);
        let cases = [
            json!({"bbox": sound}),
            json!({"page": 1}),
            json!({"page": -1, "bbox": sound}),
            json!({"page": 1.5, "bbox": sound}),
            json!({"page": 5_000_000_000_u64, "bbox": sound}),
            json!({"page": 1, "bbox": [1, 2, 3]}),
            json!({"page": 1, "bbox": [1, 2, 3, 4, 5]}),
            json!({"page": 1, "bbox": [1, 2, 3, null]}),
            json!({"page": 1, "bbox": [1, 2, 3, 1e300]}),
            json!({"page": 1, "bbox": {"x1": 1, "y1": 2, "x2": 3}}),
            json!({"page": 1, "bbox": "1 2 3 4"}),
            json!(7),
        ];
        for item in cases {
            assert_eq!(marks(&json!({ "doors": [item] })), [], "{item}");
        }
    }
}
