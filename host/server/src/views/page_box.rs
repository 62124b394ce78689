//! A box on a page as clients read and send it.

use fanlight_sandbox::PageBox;
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Coordinates are rounded to thousandths of a point, since numbers in PDFs rarely have more digits.
const PRECISION: f64 = 1000.0;

/// Axis-aligned box in PDF user space.
#[derive(Clone, Copy, Debug, PartialEq, Object, Serialize, Deserialize)]
#[oai(rename = "Box")]
pub(crate) struct BoxObject {
    /// Left edge.
    pub(crate) x1: f64,
    /// Bottom edge.
    pub(crate) y1: f64,
    /// Right edge.
    pub(crate) x2: f64,
    /// Top edge.
    pub(crate) y2: f64,
}

impl BoxObject {
    /// Reads a box of a result, which is an object with `x1`, `y1`, `x2` and `y2`, or a list of the four.
    pub(crate) fn from_result(value: &Value) -> Option<Self> {
        if let Some([x1, y1, x2, y2]) = value.as_array().map(Vec::as_slice) {
            return Some(Self { x1: x1.as_f64()?, y1: y1.as_f64()?, x2: x2.as_f64()?, y2: y2.as_f64()? });
        }
        serde_json::from_value(value.clone()).ok()
    }
}

impl From<PageBox> for BoxObject {
    fn from(PageBox { x1, y1, x2, y2 }: PageBox) -> Self {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(|value| rounded(f64::from(value)));
        Self { x1, y1, x2, y2 }
    }
}

/// Rounds a coordinate to remove the digits that the conversion from `f32` adds.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * PRECISION).round() / PRECISION
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_the_digits_of_the_file() {
        let BoxObject { x1, y1, x2, y2 } = PageBox { x1: 0.1, y1: -7.25, x2: 595.276, y2: 841.89 }.into();
        assert_eq!([x1, y1, x2, y2], [0.1, -7.25, 595.276, 841.89]);
    }
}
