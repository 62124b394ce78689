//! What notes beside a view say of it.

use fanlight_text::room_names::words;
use fanlight_text::words::{BUILDING_NOTES, FURNISHING_NOTES};

/// What a text beside a view says of it: above 0 of a room's wall, below 0 of a building.
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
    fn notes_tell_a_rooms_wall_from_a_building() {
        assert!(score("MIRROR, 40\" A.F.F. MAX.") > 0);
        assert!(score("ASPHALT SHINGLES OVER ROOF DECK") < 0);
        assert_eq!(score("SEE PLAN"), 0);
    }
}
