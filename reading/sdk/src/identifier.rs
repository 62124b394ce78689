//! Stable identifiers: the same input gives the same identifier.

use fanlight_contract::Rect;
use sha2::{Digest, Sha256};

/// Returns `<prefix>_` and 12 hex digits, computed from the document's hash, the page (1-based) and the box in
/// points. Boxes are rounded to a hundredth of a point, so that a difference in the last bit of a float changes
/// nothing.
///
/// ```
/// use fanlight_plugin::{identifier, vocabulary::Rect};
/// let bbox = Rect { x1: 10.0, y1: 20.0, x2: 46.0, y2: 56.0 };
/// let id = identifier("door", "9f86d081", 3, bbox);
/// assert_eq!(id, "door_4d061a9ac332");
/// assert_eq!(id, identifier("door", "9f86d081", 3, bbox));
/// ```
pub fn identifier(prefix: &str, document_sha256: &str, page: u32, bbox: Rect) -> String {
    let hundredths = [bbox.x1, bbox.y1, bbox.x2, bbox.y2].map(|value| (f64::from(value) * 100.0).round() as i64);
    let mut hash = Sha256::new();
    hash.update(document_sha256);
    hash.update(page.to_le_bytes());
    for value in hundredths {
        hash.update(value.to_le_bytes());
    }
    let digest = hex::encode(hash.finalize());
    format!("{prefix}_{}", &digest[..12])
}
