//! The symbol in a box, and its copies on a page.

use fanlight_contract::Rect;
use fanlight_detection::repeats::{DrawnLines, NoSymbol, Symbol};
use fanlight_geometry::RectExt as _;
use fanlight_plugin::BoundingBox;

use crate::result::Problem;

/// Returns the symbol in a box of a page.
///
/// # Errors
///
/// The [`Problem`] for which nothing can be searched for.
pub(crate) fn symbol_in(lines: &DrawnLines, page: Rect, bbox: BoundingBox) -> Result<Symbol, Problem> {
    let bbox = ordered(bbox);
    if page.overlap(&bbox).is_none_or(|both| both.signed_area() <= 0.0) {
        return Err(Problem::BoxOutsidePage);
    }
    lines.symbol(bbox).map_err(|reason| match reason {
        NoSymbol::NoArea => Problem::BoxOutsidePage,
        NoSymbol::TooFewLines => Problem::NoDrawing,
        NoSymbol::TooManyLines => Problem::TooMuchDrawing,
    })
}

/// Returns a box whose corners may be given in any order.
fn ordered(bbox: BoundingBox) -> Rect {
    Rect {
        x1: bbox.x1.min(bbox.x2) as f32,
        y1: bbox.y1.min(bbox.y2) as f32,
        x2: bbox.x1.max(bbox.x2) as f32,
        y2: bbox.y1.max(bbox.y2) as f32,
    }
}

#[cfg(test)]
mod tests {
    use drafting::plan::{Style, generate};

    use super::*;

    /// Returns the lines of a drafted plan, its page's box, and the box of a fixture.
    fn sheet() -> Result<(DrawnLines, Rect, BoundingBox), String> {
        let sheet = generate(&Style::random(1), 1);
        let document = pdf_engine::Document::open(sheet.pdf).map_err(|error| format!("{error:?}"))?;
        let page = document.page(1).map_err(|error| format!("{error:?}"))?;
        let lines = DrawnLines::read(&page.paths(), &page.geometry());
        let boxes = sheet.truth.fixtures.iter().map(|fixture| fixture.bbox.map(f64::from));
        let mut boxes = boxes.map(|[x1, y1, x2, y2]| BoundingBox { x1, y1, x2, y2 });
        let crop_box = page.geometry().crop_box;
        let symbol = boxes.find(|own| symbol_in(&lines, crop_box, *own).is_ok()).ok_or("no fixture has five lines")?;
        Ok((lines, crop_box, symbol))
    }

    #[test]
    fn corners_may_come_in_any_order() -> Result<(), String> {
        let (lines, page, bbox) = sheet()?;
        let turned = BoundingBox { x1: bbox.x2, y1: bbox.y2, x2: bbox.x1, y2: bbox.y1 };
        for bbox in [bbox, turned] {
            let symbol = symbol_in(&lines, page, bbox).map_err(|problem| format!("{problem:?}"))?;
            assert!(lines.copies(&symbol).iter().any(|own| own.score > 0.99));
        }
        Ok(())
    }

    #[test]
    fn boxes_without_a_symbol_say_why() -> Result<(), String> {
        let (lines, page, _) = sheet()?;
        let square = |from: f64, to: f64| BoundingBox { x1: from, y1: from, x2: to, y2: to };
        let cases = [
            (square(-500.0, -400.0), Problem::BoxOutsidePage),
            (square(50.0, 50.0), Problem::BoxOutsidePage),
            (square(f64::NAN, 50.0), Problem::BoxOutsidePage),
            (square(1.0, 2.0), Problem::NoDrawing),
        ];
        for (bbox, expected) in cases {
            assert_eq!(symbol_in(&lines, page, bbox).err(), Some(expected), "{bbox:?}");
        }
        Ok(())
    }
}
