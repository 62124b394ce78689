//! Boxes as results contain them.

use fanlight_contract::Rect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An upright box in user space of the unrotated page: points, origin bottom-left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BoundingBox {
    /// Left.
    pub x1: f64,
    /// Bottom.
    pub y1: f64,
    /// Right.
    pub x2: f64,
    /// Top.
    pub y2: f64,
}

impl From<Rect> for BoundingBox {
    /// Rounds the edges to hundredths.
    fn from(rect: Rect) -> Self {
        Self { x1: hundredth(rect.x1), y1: hundredth(rect.y1), x2: hundredth(rect.x2), y2: hundredth(rect.y2) }
    }
}

/// Rounds to a hundredth, the precision of lengths in results: finer than any drawing.
///
/// ```
/// use fanlight_plugin::hundredth;
///
/// assert_eq!(hundredth(36.0 / 7.0), 5.14);
/// ```
pub fn hundredth(value: f32) -> f64 {
    (f64::from(value) * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_read_one_sentence_about_a_box() {
        let schema = schemars::schema_for!(BoundingBox);
        let description = "An upright box in user space of the unrotated page: points, origin bottom-left.";
        assert_eq!(schema.get("description").and_then(|text| text.as_str()), Some(description));
    }
}
