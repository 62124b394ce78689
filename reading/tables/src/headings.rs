//! Words that head columns, whatever the table lists.

/// Words that stand in the head of a schedule's column and hardly ever in its rows, folded. English first, then words
/// that other languages' schedules commonly have.
const WORDS: &[&str] = &[
    // what the row is
    "NO",
    "NUMBER",
    "NUM",
    "NO.",
    "#",
    "MARK",
    "TAG",
    "SYMBOL",
    "SYM",
    "ID",
    "KEY",
    "CODE",
    "ITEM",
    "TYPE",
    "STYLE",
    "QTY",
    "QUANTITY",
    "COUNT",
    "NAME",
    "DESCRIPTION",
    "DESC",
    "LOCATION",
    "FROM",
    "TO",
    "ROOM",
    "AREA",
    "LEVEL",
    "FLR",
    "SPACE",
    // how large
    "SIZE",
    "WIDTH",
    "HEIGHT",
    "WD",
    "HT",
    "HGT",
    "THK",
    "THICKNESS",
    "THICK",
    "DEPTH",
    "LENGTH",
    "W",
    "H",
    "D",
    "T",
    "DIMENSIONS",
    "OPENING",
    "OPNG",
    "WID",
    "IN",
    "MM",
    "SF",
    "ROUGH",
    "R.O",
    "SILL",
    "HEAD",
    "JAMB",
    "THRESHOLD",
    "LEAF",
    "NOMINAL",
    // of what
    "MATERIAL",
    "MAT'L",
    "MATL",
    "MAT",
    "FINISH",
    "FIN",
    "COLOR",
    "COLOUR",
    "GLAZING",
    "GLASS",
    "FRAME",
    "DOOR",
    "PANEL",
    "WINDOW",
    "HARDWARE",
    "HDW",
    "HDWR",
    "HDWE",
    "SET",
    "GROUP",
    "RATING",
    "LABEL",
    "FIRE",
    "STC",
    "DETAIL",
    "DETAILS",
    "ELEVATION",
    "ELEV",
    "FLOOR",
    "BASE",
    "WALL",
    "WALLS",
    "CEILING",
    "CLG",
    "WAINSCOT",
    "NORTH",
    "SOUTH",
    "EAST",
    "WEST",
    "N",
    "S",
    "E",
    "FINISHES",
    // whose
    "MANUFACTURER",
    "MFR",
    "MFG",
    "MANUF",
    "MANUFR'R",
    "MAKE",
    "MODEL",
    "CATALOG",
    "CAT",
    "SERIES",
    "PRODUCT",
    "SUPPLIER",
    "VENDOR",
    "CONTACT",
    "SOURCE",
    // services
    "VOLTS",
    "VOLTAGE",
    "VOLT",
    "PHASE",
    "PH",
    "HZ",
    "AMPS",
    "AMP",
    "WATTS",
    "WATTAGE",
    "KW",
    "HP",
    "CFM",
    "GPM",
    "GPF",
    "MBH",
    "BTU",
    "LAMP",
    "LAMPS",
    "LUMENS",
    "MOUNTING",
    "MTG",
    "FIXTURE",
    "CW",
    "HW",
    "WASTE",
    "VENT",
    "TRAP",
    "SUPPLY",
    "DRAIN",
    "LOAD",
    "CIRCUIT",
    "RPM",
    "CAPACITY",
    "FLOW",
    "RATE",
    "POWER",
    "WEIGHT",
    "OPERATION",
    "OPER",
    "FACTOR",
    "SHGC",
    "ACCESSORIES",
    // what else
    "REMARKS",
    "REMARK",
    "COMMENTS",
    "COMMENT",
    "NOTES",
    "NOTE",
    "REFERENCE",
    "REF",
    "SPEC",
    "SPECIFICATION",
    // Spanish, Portuguese, Italian
    "MARCA",
    "TIPO",
    "CANTIDAD",
    "CANT",
    "ANCHO",
    "ALTO",
    "ALTURA",
    "ESPESOR",
    "ACABADO",
    "ACABADOS",
    "UBICACION",
    "DESCRIPCION",
    "OBSERVACIONES",
    "CLAVE",
    "PUERTA",
    "VENTANA",
    "MARCO",
    "VIDRIO",
    "HERRAJES",
    "PISO",
    "MURO",
    "PLAFON",
    "LARGURA",
    "QUANTIDADE",
    "CODIGO",
    "DESCRICAO",
    "LARGHEZZA",
    "ALTEZZA",
    "QUANTITA",
    "MATERIALE",
    "NOTAS",
    "MODELO",
    "AMBIENTE",
    "PISOS",
    "MUROS",
    "CIELO",
    "ZOCALO",
    "ALFEIZAR",
    "SISTEMA",
    "LOCALE",
    "PAVIMENTO",
    "PARETI",
    "SOFFITTO",
    "VETRO",
    "APERTURA",
    "TIPOLOGIA",
    // French
    "REPERE",
    "NUMERO",
    "LARGEUR",
    "HAUTEUR",
    "EPAISSEUR",
    "MATERIAU",
    "FINITION",
    "FINI",
    "QUANTITE",
    "QTE",
    "CADRE",
    "VITRAGE",
    "QUINCAILLERIE",
    "REMARQUES",
    "LOCAL",
    "EMPLACEMENT",
    "PLANCHER",
    "PLINTHE",
    "MUR",
    "MURS",
    "PLAFOND",
    "DIMENSION",
    "FABRICANT",
    "MODELE",
    "PORTE",
    "FENETRE",
    "DESIGNATION",
    "COULEUR",
    // German
    "NR",
    "POS",
    "POSITION",
    "ANZAHL",
    "STK",
    "STUCK",
    "BREITE",
    "HOHE",
    "DICKE",
    "BEZEICHNUNG",
    "RAUM",
    "BODEN",
    "WAND",
    "DECKE",
    "SOCKEL",
    "BEMERKUNG",
    "BEMERKUNGEN",
    "TUR",
    "FENSTER",
    "ZARGE",
    "OBERFLACHE",
    "BRANDSCHUTZ",
    "BESCHLAG",
    "FLACHE",
    "HERSTELLER",
    "TYP",
    "FARBE",
    // Dutch
    "MERK",
    "RUIMTE",
    "BREEDTE",
    "HOOGTE",
    "AANTAL",
    "DRAAIRICHTING",
    "OPMERKING",
    "OPMERKINGEN",
    "OMSCHRIJVING",
    "AFWERKING",
    "MATERIAAL",
    "KLEUR",
    "KOZIJN",
    "DEUR",
    "RAAM",
    "GLAS",
    "VLOER",
    // Swedish, Norwegian, Danish
    "LITTERA",
    "BREDD",
    "BREDDE",
    "HOJD",
    "ANTAL",
    "DORR",
    "FONSTER",
    "GOLV",
    "VAGG",
    "TAK",
    "ANMARKNING",
    // Malay and Indonesian
    "KOD",
    "KODE",
    "BIL",
    "JENIS",
    "SPESIFIKASI",
    "UKURAN",
    "LEBAR",
    "TINGGI",
    "BAHAN",
    "KEMASAN",
    "CATATAN",
    "LOKASI",
    "KUANTITI",
    "JUMLAH",
    "NAMA",
    "RUANG",
    "LANTAI",
    "DINDING",
    "SILING",
    "KETERANGAN",
];

/// Upper case, without accents and without the points and colons at its ends.
pub fn folded(word: &str) -> String {
    letters(word).collect()
}

/// The letters of a word as [`folded`] has them.
pub(crate) fn letters(word: &str) -> impl DoubleEndedIterator<Item = char> {
    let plain = word.trim_matches(['.', ',', ':', ';', '(', ')', '*']);
    plain.chars().flat_map(char::to_uppercase).map(|c| match c {
        'À'..='Å' => 'A',
        'È'..='Ë' => 'E',
        'Ì'..='Ï' => 'I',
        'Ò'..='Ö' => 'O',
        'Ù'..='Ü' => 'U',
        'Ç' => 'C',
        'Ñ' => 'N',
        '’' => '\'',
        other => other,
    })
}

/// Whether a word, folded, is one of some.
pub(crate) fn is_any_of(word: &str, known: &[&str]) -> bool {
    let Some(first) = letters(word).next() else { return false };
    known.iter().any(|own| own.starts_with(first) && letters(word).eq(own.chars()))
}

/// The parts of a text between spaces, slashes and brackets.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let parts_words = |c: char| c.is_whitespace() || matches!(c, '/' | '(' | ')' | '[' | ']' | '&' | ',' | '-');
    text.split(parts_words).filter(|part| !part.is_empty())
}

/// The words of a text, parted at spaces, slashes and brackets, folded.
pub fn words(text: &str) -> Vec<String> {
    parts(text).map(folded).filter(|word| !word.is_empty()).collect()
}

/// Whether a text reads as the head of a column: more than half of its words are such words, and it isn't long.
pub fn heads_a_column(text: &str) -> bool {
    let words = words(text);
    let known = words.iter().filter(|word| WORDS.contains(&word.as_str())).count();
    !words.is_empty() && words.len() <= 8 && 2 * known >= words.len()
}

/// A heading word or title word that a word is but for one letter: what OCR makes of lettering. None where it is none, is
/// one as it stands, is short, or could be several.
pub fn nearly_a_head(word: &str) -> Option<&'static str> {
    let own: Vec<char> = folded(word).chars().collect();
    if own.len() < SHORTEST_GUESS || own.iter().any(char::is_ascii_digit) {
        return None;
    }
    let known = || WORDS.iter().chain(crate::structure::TITLE_WORDS).copied();
    let as_it_stands: String = own.iter().collect();
    if known().any(|head| head == as_it_stands) || AS_THEY_STAND.contains(&as_it_stands.as_str()) {
        return None;
    }
    let mut near = known().filter(|head| one_off(&own, head));
    let first = near.next()?;
    near.all(|other| other == first).then_some(first)
}

/// Words of other tables' heads and of titles that are near to a schedule's and none.
const AS_THEY_STAND: &[&str] =
    &["DATE", "ISSUE", "SHEET", "DRAWN", "SCALE", "TITLE", "PLAN", "PART", "HALL", "MAIL", "CASE"];

/// Shorter words are too many letters' guess.
const SHORTEST_GUESS: usize = 4;

/// Whether two words differ in one letter, or one of them has one more.
fn one_off(word: &[char], head: &str) -> bool {
    let head: Vec<char> = head.chars().collect();
    if word.len().abs_diff(head.len()) > 1 {
        return false;
    }
    let start = word.iter().zip(&head).take_while(|(a, b)| a == b).count();
    let end = word.iter().rev().zip(head.iter().rev()).take_while(|(a, b)| a == b).count();
    start + end + 1 >= word.len().max(head.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_that_was_misread_is_put_right() {
        let cases = [
            ("SCHEDLLE", Some("SCHEDULE")),
            ("FIN1SH", None),
            ("FINISA", Some("FINISH")),
            ("CEILNG", Some("CEILING")),
            ("FINISH", None),
            ("PAINT", None),
            ("BSE", None),
            ("DATE", None),
        ];
        for (word, expected) in cases {
            assert_eq!(nearly_a_head(word), expected, "{word}");
        }
    }

    #[test]
    fn heads_are_told_from_what_stands_below_them() {
        for head in ["DOOR NO.", "Mark", "FRAME TYPE", "MAT'L", "Höhe", "REMARKS / CODE", "FIN. OPNG HGT (MM)"] {
            assert!(heads_a_column(head), "{head}");
        }
        for cell in ["101A", "3'-0\" x 7'-0\"", "HOLLOW METAL", "PAINT", "", "-", "LOBBY 101"] {
            assert!(!heads_a_column(cell), "{cell}");
        }
    }
}
