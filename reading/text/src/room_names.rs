//! What offices call rooms, in English, Spanish, French, German, Portuguese, Turkish, Italian, Dutch, Malay,
//! Indonesian, Hebrew and Arabic; and text as words that such lists can be compared with.
//!
//! ```
//! use fanlight_text::room_names::{is_room, words};
//! assert!(words("Men's Toilet 104").iter().any(|word| is_room(word)));
//! assert!(words("ÇALIŞMA ODASI").iter().any(|word| is_room(word)));
//! assert!(!words("SEE DETAIL 4").iter().any(|word| is_room(word)));
//! ```

use crate::folding;

/// Words of rooms' names; `*` at an end stands for any letters there.
#[rustfmt::skip]
const ROOMS: &[&str] = &["KITCHEN*", "KITCH", "BATH*", "TOILET*", "RESTROOM*", "WC", "LAVATORY", "LOBBY", "OFFICE*", "CLASSROOM*", "CONFERENCE*", "CONF", "BEDROOM*",
    "BED", "LIVING", "DINING", "PANTRY", "LAUNDRY", "SHOWER*", "POWDER", "BREAK", "STAFF", "CORRIDOR*", "HALL", "HALLWAY", "RECEPTION*", "EXAM*", "LOUNGE",
    "CLOSET*", "LOCKER*", "MUD", "MUDROOM", "NURSE*", "VESTIBULE", "FOYER", "ROOM*", "RM", "CAFE*", "BAR", "GYM*", "CHAPEL", "AUDITORIUM", "LIBRARY",
    "WORKROOM", "COPY", "ENTRY", "STUDY", "DEN", "FAMILY", "MASTER", "WAITING", "LAB", "LABORATORY", "SERVERY", "CANTEEN", "RR", "MENS", "MEN", "WOMENS",
    "WOMEN", "BOYS", "GIRLS", "UNISEX", "JANITOR*", "COCINA*", "BANO*", "VESTIBULO", "OFICINA*", "SALA*", "DORMITORIO*", "ASEO*", "CUISINE*",
    "SANITAIRE*", "SALLE", "BUREAU*", "CHAMBRE*", "SEJOUR", "KUCHE*", "BAD", "BADEZIMMER", "BURO*", "FLUR", "*ZIMMER", "DIELE", "MUTFAK", "BANYO",
    "OFIS", "HOL", "HOLU", "GIRIS", "CUCINA", "BAGNO", "BAGNI", "UFFICIO", "ATRIO", "CAMERA", "SOGGIORNO", "KEUKEN", "BADKAMER", "KANTOOR", "COZINHA",
    "BANHEIRO", "QUARTO", "DAPUR", "TANDAS", "BILIK", "SALON", "ODASI", "YATAK", "חדר", "חדרי", "מטבח", "מטבחון", "סלון", "אמבטיה", "שירותים",
    "מקלחת", "מלתחה", "משרד", "מסדרון", "מבואה", "לובי", "כיתה", "כניסה", "غرفة", "مطبخ", "المطبخ", "حمام", "صالة", "معيشة", "مكتب", "ممر", "مدخل", "ردهة", "فصل", "استقبال"];

/// Rooms whose walls are rarely drawn from inside, beside those above.
#[rustfmt::skip]
const SERVICE: &[&str] = &["STAIR*", "ELEV", "ELEVATOR*", "LIFT", "SHAFT", "STORAGE", "STOR", "STO", "MECH", "MECHANICAL", "ELEC", "ELECTRICAL", "PLANT", "BOILER", "DATA",
    "IDF", "MDF", "TELECOM*", "GARAGE", "WORKSHOP", "STORE", "WAREHOUSE", "LINEN", "CL", "CLO", "WIC", "ENSUITE*", "UTILITY", "MEETING", "GALLERY", "STUDIO", "ATRIUM",
    "MAINTENANCE", "RECEIVING", "LOADING", "TRASH", "REFUSE", "CUSTODIAL", "PASSAGE", "AISLE", "PORCH", "BALCONY", "TERRACE", "DECK", "PATIO", "FLAT", "UNIT", "SUITE",
    "PASILLO", "ESCALERA", "ALMACEN", "DEPOSITO", "COULOIR", "ESCALIER", "LOCAL", "DEGAGEMENT", "RANGEMENT", "TREPPE*", "LAGER", "ABSTELL*", "TECHNIK*", "KORIDOR",
    "MERDIVEN", "DEPO", "CORRIDOIO", "SCALA", "RIPOSTIGLIO", "DEPOSITO", "GANG", "TRAP", "BERGING", "CORREDOR", "ESCADA", "ARRUMOS", "STOR", "TANGGA", "KORIDOR", "LALUAN",
    "CHANGING", "BUREAUX", "ARCHIVE*", "TREATMENT", "CONSULT*", "WARD", "THEATRE", "STAGE", "POOL", "SAUNA", "SHOP", "RETAIL", "SALES", "TENANT", "LANDING", "מחסן", "מדרגות", "מעלית", "מרפסת", "חניה", "ממד",
    "مخزن", "درج", "سلم", "مصعد", "شرفة", "بلكونة", "كراج"];

/// Whether a word of [`words`] is part of rooms' names, where a wall of the room may be drawn from inside.
pub fn is_furnished_room(word: &str) -> bool {
    ROOMS.iter().any(|pattern| fits(word, pattern))
}

/// Whether a word of [`words`] is part of any room's name, stairs, shafts and stores included.
pub fn is_room(word: &str) -> bool {
    is_furnished_room(word) || SERVICE.iter().any(|pattern| fits(word, pattern))
}

/// The words of a text: runs of letters and digits, upper case without accents. Points and apostrophes inside words are
/// left out: "A.F.F." is one word, and "MEN'S".
pub fn words(text: &str) -> Vec<String> {
    let plain: String = folding::fold(text)
        .chars()
        .filter(|c| !matches!(c, '.' | '\'' | '\u{307}' | '״'))
        .map(|c| match c {
            'İ' => 'I',
            'Ş' | 'Š' => 'S',
            'Ğ' => 'G',
            other => other,
        })
        .collect();
    plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether a word is one that a pattern stands for: `*` at an end stands for any letters there.
pub fn fits(word: &str, pattern: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(_), Some(_)) => word.contains(pattern.trim_matches('*')),
        (Some(end), None) => word.ends_with(end),
        (None, Some(start)) => word.starts_with(start),
        (None, None) => word == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_open_where_a_star_stands() {
        for (word, pattern, expected) in [
            ("SCHLAFZIMMER", "*ZIMMER", true),
            ("KITCHENETTE", "KITCHEN*", true),
            ("WANDABWICKLUNG", "*ABWICKLUNG*", true),
            ("BEDS", "BED", false),
        ] {
            assert_eq!(fits(word, pattern), expected, "{word} {pattern}");
        }
    }

    #[test]
    fn rooms_are_known_in_other_scripts() {
        for name in ["חדר שינה 2", "غرفة نوم", "ממ״ד"] {
            assert!(words(name).iter().any(|word| is_room(word)), "{name}");
        }
    }

    #[test]
    fn service_rooms_are_rooms_without_walls_to_show() {
        assert!(is_room("STAIR") && !is_furnished_room("STAIR"));
        assert!(is_room("BATH") && is_furnished_room("BATH"));
    }
}
