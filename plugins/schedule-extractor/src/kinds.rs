//! Decides which tables are schedules, and what they list.
//!
//! The title decides; without a decisive title, the headers of the columns do. A table that says
//! that it is something else (a legend, an index of sheets, the list of revisions) is not a
//! schedule. Neither is a box of texts without headers in its first row: a title block, notes, or
//! drawings in a ruled grid.

use fanlight_tables::{Table, is_column_header, names_a_table, words_of};

use crate::result::ScheduleType;

use ScheduleType::{
    DoorSchedule, EquipmentSchedule, FinishSchedule, HardwareSchedule, LightingSchedule, MaterialSchedule,
    OtherSchedule, PlumbingSchedule, RoomSchedule, WindowSchedule,
};

/// Words of titles, folded, by what they say of the table; the first match decides. English,
/// Spanish, French, German, Portuguese, Italian, Dutch, Swedish, Malay and Indonesian. A word
/// matches by its beginning, so that plurals and German compounds do.
const BY_TITLE: &[(ScheduleType, &[&str])] = &[
    (HardwareSchedule, &["HARDWARE", "HDWR", "HDWE", "HERRAJE", "QUINCAILLERIE", "BESCHLAG", "FERRAGEN"]),
    (LightingSchedule, &["LIGHT", "LUMINAIRE", "LUMINARIA", "LEUCHTE", "ECLAIRAGE", "LAMP"]),
    (PlumbingSchedule, &["PLUMB", "SANITA", "PLOMER", "PLOMB", "HIDRAUL", "FIXTURE"]),
    (
        FinishSchedule,
        &["FINISH", "ACABADO", "FINITION", "KEMASAN", "ACABAMENTO", "RAUMBUCH", "OBERFLACHE", "AFWERK", "FINITUR"],
    ),
    (
        DoorSchedule,
        &["DOOR", "OPENING", "FRAME", "PUERTA", "PORTE", "PORTA", "TUR", "TUREN", "TURLISTE", "PINTU", "DEUR", "DORR"],
    ),
    (
        WindowSchedule,
        &[
            "WINDOW",
            "GLAZ",
            "STOREFRONT",
            "CURTAIN",
            "SKYLIGHT",
            "LOUVER",
            "LOUVRE",
            "VENTANA",
            "FENETRE",
            "FENSTER",
            "JANELA",
            "TINGKAP",
            "JENDELA",
            "RAAM",
            "RAMEN",
            "KOZIJN",
            "FINESTR",
            "SERRAMENTI",
            "FONSTER",
        ],
    ),
    (
        EquipmentSchedule,
        &[
            "EQUIP",
            "APPLIANCE",
            "MECHANICAL",
            "FAN",
            "PUMP",
            "AHU",
            "VAV",
            "DIFFUSER",
            "GRILLE",
            "REGISTER",
            "BOILER",
            "HEATER",
            "CHILLER",
            "HVAC",
            "AIR",
            "GERATE",
            "PERALATAN",
        ],
    ),
    (MaterialSchedule, &["MATERIAL", "COLOR", "COLOUR", "PRODUCT", "MATERIAU", "BAHAN"]),
    (RoomSchedule, &["ROOM", "SPACE", "AREA", "LOCAUX", "RAUM", "RUANG", "AMBIENTE", "RUIMTE", "LOCALI"]),
];

/// Words of headers that are typical of one kind of schedule.
const BY_HEADS: &[(ScheduleType, &[&str])] = &[
    (
        DoorSchedule,
        &[
            "DOOR",
            "FRAME",
            "HARDWARE",
            "HDWR",
            "HDW",
            "HDWE",
            "JAMB",
            "HEAD",
            "THRESHOLD",
            "LEAF",
            "FIRE",
            "LABEL",
            "ZARGE",
            "TUR",
            "PUERTA",
            "MARCO",
            "CADRE",
            "PORTE",
            "PINTU",
        ],
    ),
    (
        WindowSchedule,
        &["WINDOW", "SASH", "SHGC", "GLAZING", "SILL", "OPERATION", "OPER", "ROUGH", "VENTANA", "FENSTER", "TINGKAP"],
    ),
    (
        FinishSchedule,
        &[
            "FLOOR", "BASE", "WALL", "WALLS", "CEILING", "WAINSCOT", "PISO", "MURO", "PLAFON", "PLANCHER", "PLINTHE",
            "MURS", "PLAFOND", "BODEN", "WAND", "DECKE", "SOCKEL", "LANTAI", "DINDING", "SILING",
        ],
    ),
    (PlumbingSchedule, &["CW", "HW", "WASTE", "VENT", "TRAP", "GPF", "GPM", "FLUSH", "FAUCET", "FLOW", "SAN", "DFU"]),
    (
        LightingSchedule,
        &["LAMP", "LAMPS", "LUMENS", "WATTS", "WATTAGE", "CCT", "CRI", "LUMINAIRE", "BALLAST", "DRIVER"],
    ),
    (
        EquipmentSchedule,
        &["HP", "RPM", "CFM", "AMPS", "KW", "MBH", "BTU", "PHASE", "PH", "HZ", "EQUIPMENT", "MCA", "MOCP", "ESP"],
    ),
    (HardwareSchedule, &["HINGE", "HINGES", "LOCKSET", "CLOSER", "SET", "KEYING"]),
    (MaterialSchedule, &["COLOR", "COLOUR", "PRODUCT", "MATERIAL", "STYLE"]),
    (RoomSchedule, &["OCCUPANCY", "OCCUPANTS", "AREA", "SF", "DEPARTMENT", "FLACHE"]),
];

/// Words by which a title says that its table is not a schedule.
const OTHER_TITLES: &[&str] = &[
    "LEGEND",
    "LEYENDA",
    "LEGENDE",
    "SIMBOLOGIA",
    "ABBREVIATION",
    "SYMBOL",
    "NOTES",
    "REVISION",
    "INDEX",
    "INDICE",
    "KEY",
    "CODE",
    "SHEET",
    "DRAWING",
    "ISSUE",
    "PLAN",
    "APPROVAL",
    "CONSULTANT",
    "PETUNJUK",
];

/// Words of titles of lists that are called schedules but list sheets, revisions, issues or notes.
const OF_SHEETS: &[&str] =
    &["REVISION", "ISSUE", "SHEET", "DRAWING", "PLANLISTE", "PLANVERZEICHNIS", "NOTE", "KEYNOTE", "PINDAAN", "LUKISAN"];

/// Words of headers of lists of sheets, revisions and issues.
const OTHER_HEADS: &[&str] = &[
    "DATE",
    "REV",
    "REVISION",
    "REVISIONS",
    "ISSUE",
    "ISSUED",
    "SHEET",
    "SHEETS",
    "DRAWING",
    "DWG",
    "BY",
    "CHECKED",
    "DRAWN",
    "APPROVED",
    "FECHA",
    "DATUM",
    "TARIKH",
    "PINDAAN",
    "SCALE",
    "PROJECT",
    "CHK",
    "APP",
];

/// Words for a schedule.
const SCHEDULES: &[&str] = &[
    "SCHEDULE",
    "SCHEDULES",
    "SCHED",
    "CUADRO",
    "TABLA",
    "CEDULA",
    "PLANILLA",
    "QUADRO",
    "TABLEAU",
    "NOMENCLATURE",
    "BORDEREAU",
    "JADUAL",
    "JADWAL",
];

/// Returns what a table lists; `None` if it is not a schedule.
pub(crate) fn kind(table: &Table) -> Option<ScheduleType> {
    let title = words_of(&table.title);
    let named: Vec<&String> = table.headers.iter().filter(|header| !header.is_empty()).collect();
    let known = named.iter().filter(|header| is_column_header(header)).count();
    let calls_itself = title.len() <= 12
        && (title.iter().any(|word| SCHEDULES.contains(&word.as_str()))
            || title.iter().any(|word| ["LISTE", "STAAT", "FORTECKNING"].iter().any(|end| is_made_with(word, end))));
    let other_title = title.iter().any(|word| begins(word, OTHER_TITLES)) && !calls_itself;
    let by_title = if title.len() <= 12 { by_title(&title) } else { None };
    let other_heads =
        named.iter().filter(|header| words_of(header).iter().any(|word| OTHER_HEADS.contains(&word.as_str()))).count();

    let of_sheets = title.iter().any(|word| begins(word, OF_SHEETS)) && by_title.is_none();
    let own_title = calls_itself && !of_sheets;
    let width = table.headers.len();
    // The headers may be in an unknown language.
    let is_titled = own_title && by_title.is_some() && width >= 3 && table.rows.len() >= 2;
    if (known == 0 && !is_titled) || (!own_title && (other_heads > 0 && 3 * other_heads >= named.len())) {
        return None;
    }
    let is_one = if other_title {
        width >= 4 && known >= 3 && 3 * known >= 2 * width
    } else if calls_itself {
        true
    } else if by_title.is_some() && known >= 2 {
        3 * known >= named.len()
    } else if width == 2 {
        known == 2 && table.rows.len() >= 2 && lists_marks(table)
    } else {
        known >= 3 && 2 * known >= width && !table.rows.is_empty()
    };
    is_one.then(|| by_title.or_else(|| by_heads(table)).unwrap_or(OtherSchedule))
}

/// Returns whether a word is a compound of what is listed and the given end.
fn is_made_with(word: &str, end: &str) -> bool {
    word.len() > end.len() && word.ends_with(end)
}

/// Returns whether any word of a title names a schedule.
pub(crate) fn is_title(text: &str) -> bool {
    names_a_table(text)
}

fn by_title(words: &[String]) -> Option<ScheduleType> {
    let fits = |entry: &&(ScheduleType, &[&str])| words.iter().any(|word| begins(word, entry.1));
    BY_TITLE.iter().find(fits).map(|(kind, _)| *kind)
}

fn begins(word: &str, with: &[&str]) -> bool {
    with.iter().any(|start| if start.len() <= 3 { word == *start } else { word.starts_with(start) })
}

fn by_heads(table: &Table) -> Option<ScheduleType> {
    let words: Vec<String> = table.headers.iter().flat_map(|header| words_of(header)).collect();
    let count = |kind: &[&str]| kind.iter().filter(|head| words.iter().any(|word| word == *head)).count();
    let mut best: Option<(usize, ScheduleType)> = None;
    for (kind, heads) in BY_HEADS {
        let own = count(heads);
        if own >= 2 && best.is_none_or(|(most, _)| own > most) {
            best = Some((own, *kind));
        }
    }
    best.map(|(_, kind)| kind)
}

/// Returns whether the first column holds marks, each once: short, without spaces or with a figure.
fn lists_marks(table: &Table) -> bool {
    let marks: Vec<&String> = table.rows.iter().filter_map(|row| row.first()).filter(|mark| !mark.is_empty()).collect();
    let short = marks.iter().filter(|mark| {
        let characters = mark.chars().count();
        characters <= 5 || (characters <= 12 && mark.chars().any(|c| c.is_ascii_digit()))
    });
    let short = short.count();
    let mut distinct: Vec<&&String> = marks.iter().collect();
    distinct.sort();
    distinct.dedup();
    marks.len() >= 2 && 5 * short >= 4 * marks.len() && distinct.len() == marks.len()
}
