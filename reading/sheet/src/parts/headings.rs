//! Which words head a part that does not show the building, in English, Spanish and Portuguese, French, German, Turkish,
//! Italian, Dutch, Malay and Indonesian.

use fanlight_text::room_names::{fits, words};

use crate::parts::PartKind;
use crate::parts::phrases::Phrase;

/// What heads key plans: words that follow each other. `*` at an end stands for any letters there.
const KEY_PLANS: &[&[&str]] = &[
    &["KEY", "PLAN*"],
    &["KEYPLAN*"],
    &["KEY", "MAP"],
    &["INDEX", "PLAN"],
    &["LOCATION", "PLAN"],
    &["LOCATION", "MAP"],
    &["VICINITY", "MAP"],
    &["AREA", "MAP"],
    &["PLANO", "CLAVE"],
    &["PLANO", "LLAVE"],
    &["PLANTA", "CLAVE"],
    &["PLANTA", "CHAVE"],
    &["PLANO", "DE", "LOCALIZACION"],
    &["CROQUIS", "DE", "LOCALIZACION"],
    &["PLAN", "CLE"],
    &["PLAN", "DE", "REPERAGE"],
    &["PLAN", "DE", "SITUATION"],
    &["SCHLUSSELPLAN"],
    &["UBERSICHTSPLAN"],
    &["LAGEPLAN"],
    &["ANAHTAR", "PLAN*"],
    &["ANAHTAR", "PAFTA*"],
    &["PIANTA", "CHIAVE"],
    &["QUADRO", "DI", "UNIONE"],
    &["SLEUTELPLAN"],
    &["PELAN", "KUNCI"],
    &["PELAN", "LOKASI"],
    &["PELAN", "PETUNJUK"],
    &["DENAH", "KUNCI"],
];

/// Likewise legends.
const LEGENDS: &[&[&str]] = &[
    &["LEGEND"],
    &["LEGENDS"],
    &["SYMBOLS"],
    &["ABBREVIATIONS"],
    &["LEYENDA"],
    &["SIMBOLOGIA"],
    &["SIMBOLOS"],
    &["LEGENDA"],
    &["LEGENDE*"],
    &["SYMBOLES"],
    &["ZEICHENERKLARUNG"],
    &["LEJANT*"],
    &["SEMBOLLER"],
    &["LEGGENDA"],
    &["SIMBOLI"],
    &["RENVOOI"],
    &["SIMBOL"],
    &["PETUNJUK"],
];

/// Likewise drawings of types, and of heights that have no one place.
const TYPES: &[&[&str]] = &[
    &["DOOR", "TYPES"],
    &["FRAME", "TYPES"],
    &["WINDOW", "TYPES"],
    &["GLAZING", "TYPES"],
    &["STOREFRONT", "TYPES"],
    &["PARTITION", "TYPES"],
    &["WALL", "TYPES"],
    &["DOOR", "ELEVATIONS"],
    &["FRAME", "ELEVATIONS"],
    &["WINDOW", "ELEVATIONS"],
    &["MOUNTING", "HEIGHTS"],
    &["TIPOS", "DE", "PUERTA*"],
    &["TIPOS", "DE", "VENTANA*"],
    &["TIPOS", "DE", "MURO*"],
    &["TIPOS", "DE", "PORTA*"],
    &["TIPOS", "DE", "JANELA*"],
    &["TYPES", "DE", "PORTE*"],
    &["TYPES", "DE", "FENETRE*"],
    &["TYPES", "DE", "CLOISON*"],
    &["TURTYPEN"],
    &["FENSTERTYPEN"],
    &["WANDTYPEN"],
    &["KAPI", "TIPLERI"],
    &["PENCERE", "TIPLERI"],
    &["DUVAR", "TIPLERI"],
    &["TIPI", "DI", "PORTE"],
    &["TIPI", "DI", "PARETE*"],
    &["DEURTYPEN"],
    &["WANDTYPES"],
    &["JENIS", "PINTU"],
    &["JENIS", "TINGKAP"],
];

/// Words of sentences that send the reader to a part elsewhere.
const REFERENCES: &[&str] =
    &["SEE", "REFER*", "PER", "SHEET*", "DWG*", "DRAWING*", "VER", "VOIR", "SIEHE", "BKZ", "RUJUK", "SHOWN"];

/// A heading has so many words at most.
const MOST_WORDS: usize = 6;

/// What a phrase heads.
pub(crate) fn kind_of(phrase: &Phrase) -> Option<PartKind> {
    let words = words(&phrase.text);
    let refers = words.iter().any(|word| REFERENCES.iter().any(|reference| fits(word, reference)));
    if words.is_empty() || words.len() > MOST_WORDS || refers {
        return None;
    }
    // In this order: a "DOOR TYPES LEGEND" shows types.
    let headed = [(PartKind::KeyPlan, KEY_PLANS), (PartKind::Types, TYPES), (PartKind::Legend, LEGENDS)];
    headed.into_iter().find(|(_, sequences)| sequences.iter().any(|own| says(&words, own))).map(|(kind, _)| kind)
}

/// Whether some of the words follow each other as the patterns do.
fn says(words: &[String], patterns: &[&str]) -> bool {
    words.windows(patterns.len()).any(|own| own.iter().zip(patterns).all(|(word, pattern)| fits(word, pattern)))
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
