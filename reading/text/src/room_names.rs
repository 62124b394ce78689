//! The names of rooms, in English, Spanish, French, German, Portuguese, Turkish, Italian, Dutch, Malay, Indonesian, Hebrew
//! and Arabic, fewer in Swedish, Norwegian, Danish, Finnish, Polish, Czech, Estonian and Romanian; and the words of a text as they are compared with vocabularies.
//!
//! ```
//! use fanlight_text::room_names::{is_room, words};
//! assert!(words("Men's Toilet 104").iter().any(|word| is_room(word)));
//! assert!(words("ÇALIŞMA ODASI").iter().any(|word| is_room(word)));
//! assert!(!words("SEE DETAIL 4").iter().any(|word| is_room(word)));
//! ```

use crate::folding;
use crate::words::{FURNISHED_ROOMS, SERVICE_ROOMS};

/// Returns whether a word of [`words`] belongs to the names of rooms whose walls may be drawn from inside.
pub fn is_furnished_room(word: &str) -> bool {
    FURNISHED_ROOMS.matches(word)
}

/// Returns whether a word of [`words`] belongs to the name of any room, stairs, shafts and stores included.
pub fn is_room(word: &str) -> bool {
    is_furnished_room(word) || SERVICE_ROOMS.matches(word)
}

/// Returns the words of a text: runs of letters and digits, in upper case without accents. Periods and apostrophes inside
/// words are dropped: "A.F.F." is one word, and so is "MEN'S".
pub fn words(text: &str) -> Vec<String> {
    let plain: String = folding::fold(text).chars().filter(|c| !matches!(c, '.' | '\'' | '״')).collect();
    folding::words(&plain).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_are_known_in_other_scripts() {
        for name in ["חדר שינה 2", "غرفة نوم", "ממ״ד"] {
            assert!(words(name).iter().any(|word| is_room(word)), "{name}");
        }
    }

    #[test]
    fn service_rooms_are_rooms_but_not_furnished() {
        assert!(is_room("STAIR") && !is_furnished_room("STAIR"));
        assert!(is_room("BATH") && is_furnished_room("BATH"));
    }
}
