//! Recognizes the headings of parts that do not show the building, in English, Spanish and Portuguese, French, German, Turkish,
//! Italian, Dutch, Malay and Indonesian.

use fanlight_text::room_names::words;
use fanlight_text::vocabulary::Phrasebook;
use fanlight_text::words::{KEY_PLAN_HEADINGS, LEGEND_HEADINGS, REFERENCES, TYPE_HEADINGS};

use crate::parts::PartKind;
use crate::parts::phrases::Phrase;

/// Maximum number of words of a heading.
const MAX_WORDS: usize = 6;

/// Returns the kind of part that a phrase heads.
pub(crate) fn kind_of(phrase: &Phrase) -> Option<PartKind> {
    let words = words(&phrase.text);
    let refers = REFERENCES.matches_any(&words);
    if words.is_empty() || words.len() > MAX_WORDS || refers {
        return None;
    }
    // The order matters: a "DOOR TYPES LEGEND" shows types.
    let headings: [(PartKind, &Phrasebook); 3] = [
        (PartKind::KeyPlan, &KEY_PLAN_HEADINGS),
        (PartKind::Types, &TYPE_HEADINGS),
        (PartKind::Legend, &LEGEND_HEADINGS),
    ];
    headings.into_iter().find(|(_, phrases)| phrases.matches(&words)).map(|(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use fanlight_contract::Rect;

    use super::*;

    #[test]
    fn headings_say_what_they_head_and_references_do_not() {
        let bbox = Rect { x1: 0.0, y1: 0.0, x2: 50.0, y2: 8.0 };
        let cases = [
            ("KEY PLAN", Some(PartKind::KeyPlan)),
            ("3 KEY PLAN - LEVEL 2", Some(PartKind::KeyPlan)),
            ("Plan clé", Some(PartKind::KeyPlan)),
            ("ÜBERSICHTSPLAN", Some(PartKind::KeyPlan)),
            ("SYMBOLS", Some(PartKind::Legend)),
            ("Légende :", Some(PartKind::Legend)),
            ("WINDOW LEGEND", Some(PartKind::Legend)),
            ("DOOR TYPES", Some(PartKind::Types)),
            ("TYPES DE PORTES", Some(PartKind::Types)),
            ("SEE LEGEND", None),
            ("REFER TO DOOR TYPES ON A601", None),
            ("FLOOR PLAN", None),
            ("ALL SYMBOLS IN THIS SET ARE AS THEY ARE DRAWN", None),
            ("", None),
        ];
        for (text, kind) in cases {
            let phrase = Phrase { text: text.to_owned(), bbox, size: 8.0, upright: true, note: None };
            assert_eq!(kind_of(&phrase), kind, "{text}");
        }
    }
}
