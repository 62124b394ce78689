//! Scores notes beside a view.

use fanlight_text::room_names::words;
use fanlight_text::words::{BUILDING_NOTES, FURNISHING_NOTES};

/// Scores a text beside a view: above 0 it suggests a room's wall, below 0 a building.
pub(crate) fn score(text: &str) -> i32 {
    let mut sum = 0;
    for word in words(text) {
        sum += i32::from(FURNISHING_NOTES.matches(&word)) - i32::from(BUILDING_NOTES.matches(&word));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_distinguish_rooms_from_buildings() {
        assert!(score("MIRROR, 40\" A.F.F. MAX.") > 0);
        assert!(score("ASPHALT SHINGLES OVER ROOF DECK") < 0);
        assert_eq!(score("SEE PLAN"), 0);
    }
}
