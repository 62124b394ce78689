//! What the title of a view says is drawn, in English, Spanish, French, German, Portuguese, Turkish, Italian, Dutch, Malay and
//! Indonesian.

use fanlight_text::room_names::{is_furnished_room, words};
use fanlight_text::vocabulary::Vocabulary;
use fanlight_text::words as vocabularies;

/// What the words of a title say of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    /// A wall of a room seen from inside.
    Inside,
    /// An elevation, interior or exterior: "NORTH ELEVATION", "EAST".
    Elevation,
    /// The front of a building.
    Outside,
    /// Only a room: its plan or one of its walls.
    Room,
    /// A plan, section, detail, table, or anything else that is not the elevation of a wall.
    Other,
    /// No word that the vocabularies know.
    Silent,
}

impl ViewKind {
    /// Returns what a title says.
    pub fn from_title(text: &str) -> Self {
        let words = words(text);
        let has = |vocabulary: &Vocabulary| vocabulary.matches_any(&words);
        let elevation = has(&vocabularies::VIEW_ELEVATION);
        let inside = has(&vocabularies::VIEW_INSIDE);
        if has(&vocabularies::VIEW_LIST)
            || has(&vocabularies::VIEW_TYPES)
            || (elevation && has(&vocabularies::VIEW_OPENINGS))
            || has(&vocabularies::VIEW_DETAIL)
        {
            return Self::Other;
        }
        if has(&vocabularies::VIEW_SECTION) && !(elevation && inside) {
            return Self::Other;
        }
        if has(&vocabularies::VIEW_PLAN) {
            return Self::Other;
        }
        if has(&vocabularies::VIEW_OUTSIDE) && !inside {
            return Self::Outside;
        }
        let room = has(&vocabularies::VIEW_BUILT_IN) || words.iter().any(|word| is_furnished_room(word));
        let direction = has(&vocabularies::VIEW_DIRECTIONS);
        match (elevation, inside, room, direction) {
            (_, true, ..) | (true, _, true, _) | (_, _, true, true) => Self::Inside,
            (true, ..) | (_, _, _, true) => Self::Elevation,
            (_, _, true, _) => Self::Room,
            _ => Self::Silent,
        }
    }

    /// Returns whether a text names a drawing of any kind.
    pub fn is_telling(self) -> bool {
        self != Self::Silent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_says_what_is_drawn() {
        for (title, expected) in [
            ("KITCHEN ELEVATION", ViewKind::Inside),
            ("PANTRY ELEV.", ViewKind::Inside),
            ("TOILET 104 - NORTH", ViewKind::Inside),
            ("INTERIOR ELEVATION 3", ViewKind::Inside),
            ("Wandabwicklung Küche", ViewKind::Inside),
            ("ÉLÉVATION INTÉRIEURE 2", ViewKind::Inside),
            ("MUTFAK İÇ GÖRÜNÜŞÜ", ViewKind::Inside),
            ("PROSPETTO INTERNO 4", ViewKind::Inside),
            ("NORTH ELEVATION", ViewKind::Elevation),
            ("ELEVATION A", ViewKind::Elevation),
            ("WEST", ViewKind::Elevation),
            ("Ansicht Süd", ViewKind::Elevation),
            ("EXTERIOR ELEVATION - NORTH", ViewKind::Outside),
            ("GÜNEY CEPHESİ", ViewKind::Outside),
            ("FAÇADE SUD", ViewKind::Outside),
            ("LOBBY", ViewKind::Room),
            ("ENLARGE PLAN - LAUNDRY", ViewKind::Other),
            ("BUILDING SECTION", ViewKind::Other),
            ("DOOR TYPES", ViewKind::Other),
            ("DOOR ELEVATIONS", ViewKind::Other),
            ("KITCHEN COUNTER DETAIL SECTION", ViewKind::Other),
            ("MIRROR MOUNTING HEIGHTS, TYP.", ViewKind::Other),
            ("WALL SECTION", ViewKind::Other),
            ("ROOM FINISH SCHEDULE", ViewKind::Other),
            ("KAPI TİPLERİ", ViewKind::Other),
            ("3", ViewKind::Silent),
            ("", ViewKind::Silent),
        ] {
            assert_eq!(ViewKind::from_title(title), expected, "{title}");
        }
    }
}
