//! One annotation: a square with its appearance, so that every viewer shows it alike.

use fanlight_contract::Rect;
use lopdf::{Document, Object, ObjectId, Stream, dictionary, text_string};

use crate::Mark;

/// The width of the line in points.
const LINE: f32 = 1.5;
/// The flag of an annotation that is printed (ISO 32000-1, 12.5.3).
const PRINT: i64 = 1 << 2;

/// Adds a mark to a document as an annotation of a page.
pub(crate) fn add(document: &mut Document, page: ObjectId, mark: &Mark) -> ObjectId {
    let Rect { x1, y1, x2, y2 } = mark.bbox;
    let (left, right, bottom, top) = (x1.min(x2), x1.max(x2), y1.min(y2), y1.max(y2));
    let rect = || [left, bottom, right, top].map(Object::Real).to_vec();
    let color = [16, 8, 0].map(|shift| ((mark.color >> shift) & 0xff) as f32 / 255.0);

    let [red, green, blue] = color;
    let (width, height) = ((right - left - LINE).max(0.0), (top - bottom - LINE).max(0.0));
    let (x, y) = (left + LINE / 2.0, bottom + LINE / 2.0);
    let drawing = format!("{red} {green} {blue} RG {LINE} w {x} {y} {width} {height} re S");
    let appearance = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Form",
        "BBox" => rect(),
        "Resources" => dictionary! {},
    };
    let appearance = document.add_object(Stream::new(appearance, drawing.into_bytes()));

    document.add_object(dictionary! {
        "Type" => "Annot",
        "Subtype" => "Square",
        "Rect" => rect(),
        "P" => page,
        "T" => text_string(&mark.title),
        "Contents" => text_string(&mark.contents),
        "C" => color.map(Object::Real).to_vec(),
        "BS" => dictionary! { "Type" => "Border", "W" => LINE, "S" => "S" },
        "F" => PRINT,
        "AP" => dictionary! { "N" => appearance },
    })
}
