//! What notes beside a view say of it.

use fanlight_text::room_names::{fits, words};

/// Words that stand in interior elevations: what hangs on walls and stands before them.
#[rustfmt::skip]
const FURNISHING: &[&str] = &["CABINET*", "CAB", "COUNTER*", "COUNTERTOP", "MIRROR*", "GRAB", "TILE*", "BASE", "BACKSPLASH", "SHELF", "SHELVES", "SHELVING", "AFF",
    "DISPENSER*", "SINK", "LAVATORY", "FAUCET*", "DRAWER*", "MARKERBOARD", "TACKBOARD", "WHITEBOARD", "WAINSCOT", "TOWEL", "REF", "DW", "HOOD", "OVEN", "MICROWAVE",
    "PLAM", "SOAP", "HOOK*", "BENCH", "LOCKER*", "MILLWORK", "PANEL*", "PAINT*", "OUTLET*", "SPIEGEL", "FLIESEN*", "MIROIR", "FAIENCE", "ESPEJO", "ALICATADO*", "ENCIMERA",
    "AYNA", "SERAMIK", "TEZGAH", "SPECCHIO", "RIVESTIMENTO*", "PIANO"];
/// Words that stand on buildings' fronts and sections.
#[rustfmt::skip]
const BUILDING: &[&str] = &["ROOF*", "RIDGE", "EAVE*", "PARAPET", "SIDING", "SHINGLE*", "GUTTER*", "DOWNSPOUT*", "GRADE", "FASCIA", "COPING", "FLASHING", "BRICK*", "CHIMNEY",
    "TOS", "FOOTING*", "FOUNDATION*", "SLAB", "PLATE", "JOIST*", "RAFTER*", "TRUSS*", "INSULATION", "BUMBUNG", "TEGOLE", "DACH*", "TRAUFE", "FIRST", "CUBIERTA", "TOITURE*"];

/// What a text beside a view says of it: above 0 of a room's wall, below 0 of a building.
pub(crate) fn of(text: &str) -> i32 {
    let mut sum = 0;
    for word in words(text) {
        let any = |patterns: &[&str]| patterns.iter().any(|pattern| fits(&word, pattern));
        sum += i32::from(any(FURNISHING)) - i32::from(any(BUILDING));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_tell_a_rooms_wall_from_a_building() {
        assert!(of("MIRROR, 40\" A.F.F. MAX.") > 0);
        assert!(of("ASPHALT SHINGLES OVER ROOF DECK") < 0);
        assert_eq!(of("SEE PLAN"), 0);
    }
}
