//! The content of schedules: invented doors, windows, rooms and fixtures.

use crate::chance::Chance;

/// A column: the header that it shares with its neighbours, its own header, its width in em and the
/// content of its cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) group: &'static str,
    pub(crate) head: &'static str,
    pub(crate) ems: f32,
    pub(crate) holds: Holds,
}

/// The content of a column's cells.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Holds {
    /// A mark with a prefix and a counter.
    Mark(&'static str),
    /// The number of a room or door, counted.
    Number,
    /// A number between two values, in steps of five.
    Metric(u32, u32),
    /// Feet and inches.
    Imperial,
    /// One of some words; blank in this percentage of cells.
    Word(&'static [&'static str], u8),
    /// A dot in this percentage of cells, otherwise blank.
    Dot(u8),
    /// A remark in this percentage of cells.
    Remark(u8),
}

/// The content of a table: what it lists, its title and its columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    pub(crate) schedule_type: &'static str,
    pub(crate) title: &'static str,
    pub(crate) columns: &'static [Column],
}

const fn column(group: &'static str, head: &'static str, ems: f32, holds: Holds) -> Column {
    Column { group, head, ems, holds }
}

use Holds::{Dot, Imperial, Mark, Metric, Number, Remark, Word};

const ROOMS: &[&str] = &[
    "LOBBY",
    "CORRIDOR",
    "STORAGE",
    "OFFICE",
    "STAIR A",
    "JANITOR",
    "WORKSHOP",
    "READING ROOM",
    "PANTRY",
    "SERVER ROOM",
    "CONFERENCE",
    "MEN'S TOILET",
    "BOILER ROOM",
    "LOADING DOCK",
];
const METALS: &[&str] = &["HM", "WD", "AL", "SCWD", "STL", "GL"];
const PAINTS: &[&str] = &["PAINT", "ANOD.", "STAIN", "FACTORY", "PT-1"];
const RATINGS: &[&str] = &["20 MIN", "45 MIN", "90 MIN", "-", "1.5 HR"];
const MAKERS: &[&str] = &["NORVANT", "KELLBROOK", "ASTERA", "PIRELLO", "HOLM & SONS", "TREVISK"];
const MODELS: &[&str] = &["KX-220", "4410-B", "ML 75", "SR-9", "T2.104", "OPAL 3"];

const DOORS: &[Column] = &[
    column("", "DOOR NO.", 5.0, Number),
    column("", "LOCATION", 9.0, Word(ROOMS, 0)),
    column("SIZE", "WIDTH", 5.0, Imperial),
    column("SIZE", "HEIGHT", 5.0, Imperial),
    column("DOOR", "TYPE", 4.0, Word(&["A", "B", "C1", "D2", "F"], 0)),
    column("DOOR", "MATERIAL", 6.0, Word(METALS, 5)),
    column("DOOR", "FINISH", 6.0, Word(PAINTS, 10)),
    column("FRAME", "TYPE", 4.0, Word(&["F1", "F2", "F3"], 0)),
    column("FRAME", "MATERIAL", 6.0, Word(METALS, 5)),
    column("HARDWARE", "CLOSER", 4.5, Dot(40)),
    column("HARDWARE", "PANIC", 4.5, Dot(25)),
    column("", "FIRE RATING", 6.5, Word(RATINGS, 20)),
    column("", "REMARKS", 16.0, Remark(35)),
];
const WINDOWS: &[Column] = &[
    column("", "MARK", 4.0, Mark("W-")),
    column("", "QTY", 3.0, Metric(5, 40)),
    column("ROUGH OPENING", "WIDTH", 5.0, Imperial),
    column("ROUGH OPENING", "HEIGHT", 5.0, Imperial),
    column("", "OPERATION", 8.0, Word(&["FIXED", "CASEMENT", "AWNING", "SLIDING"], 0)),
    column("", "GLAZING", 8.0, Word(&["1\" INSUL.", "TEMPERED", "LAMINATED"], 0)),
    column("DETAILS", "HEAD", 5.0, Word(&["5/A-501", "6/A-501", "2/A-502"], 10)),
    column("DETAILS", "JAMB", 5.0, Word(&["7/A-501", "8/A-501"], 10)),
    column("DETAILS", "SILL", 5.0, Word(&["9/A-501", "3/A-502"], 10)),
    column("", "REMARKS", 14.0, Remark(40)),
];
const FINISHES: &[Column] = &[
    column("", "ROOM NO.", 5.0, Number),
    column("", "ROOM NAME", 9.0, Word(ROOMS, 0)),
    column("", "FLOOR", 5.0, Word(&["CPT-1", "VCT-2", "CONC", "PT-3", "\""], 0)),
    column("", "BASE", 5.0, Word(&["RB-1", "WD", "-"], 5)),
    column("WALLS", "N", 4.0, Word(&["PT-1", "PT-2", "CT-1"], 0)),
    column("WALLS", "E", 4.0, Word(&["PT-1", "PT-2", "CT-1"], 0)),
    column("WALLS", "S", 4.0, Word(&["PT-1", "PT-2", "CT-1"], 0)),
    column("WALLS", "W", 4.0, Word(&["PT-1", "PT-2", "CT-1"], 0)),
    column("CEILING", "MATERIAL", 6.0, Word(&["ACT-1", "GYP", "EXPOSED"], 5)),
    column("CEILING", "HEIGHT", 5.0, Imperial),
    column("", "REMARKS", 14.0, Remark(30)),
];
const FIXTURES: &[Column] = &[
    column("", "MARK", 4.5, Mark("P-")),
    column("", "FIXTURE", 10.0, Word(&["WATER CLOSET", "LAVATORY", "URINAL", "SINK", "SHOWER", "FLOOR DRAIN"], 0)),
    column("", "MANUFACTURER", 9.0, Word(MAKERS, 0)),
    column("", "MODEL", 6.0, Word(MODELS, 10)),
    column("CONNECTIONS", "CW", 4.0, Word(&["1/2\"", "3/4\"", "1\"", "-"], 0)),
    column("CONNECTIONS", "HW", 4.0, Word(&["1/2\"", "-"], 0)),
    column("CONNECTIONS", "WASTE", 4.5, Word(&["2\"", "4\"", "3\""], 0)),
    column("CONNECTIONS", "VENT", 4.5, Word(&["2\"", "1 1/2\""], 0)),
    column("", "REMARKS", 14.0, Remark(30)),
];
const LIGHTS: &[Column] = &[
    column("", "TYPE", 4.0, Mark("L")),
    column(
        "",
        "DESCRIPTION",
        12.0,
        Word(&["2X4 TROFFER", "6\" DOWNLIGHT", "WALL PACK", "EXIT SIGN", "LINEAR PENDANT"], 0),
    ),
    column("", "MANUFACTURER", 9.0, Word(MAKERS, 0)),
    column("", "CATALOG NO.", 7.0, Word(MODELS, 0)),
    column("LAMP", "LUMENS", 5.0, Metric(800, 6000)),
    column("LAMP", "WATTS", 4.5, Metric(10, 80)),
    column("", "VOLTS", 4.5, Word(&["120", "277", "UNV"], 0)),
    column("", "MOUNTING", 6.5, Word(&["RECESSED", "SURFACE", "PENDANT"], 0)),
    column("", "REMARKS", 12.0, Remark(25)),
];
const EQUIPMENT: &[Column] = &[
    column("", "TAG", 5.0, Mark("EQ-")),
    column("", "DESCRIPTION", 12.0, Word(&["DISHWASHER", "ICE MAKER", "EXHAUST FAN", "PUMP", "AIR HANDLER"], 0)),
    column("", "MANUFACTURER", 9.0, Word(MAKERS, 5)),
    column("", "MODEL", 6.0, Word(MODELS, 5)),
    column("ELECTRICAL", "VOLTS", 4.5, Word(&["120", "208", "480"], 0)),
    column("ELECTRICAL", "PHASE", 4.5, Word(&["1", "3"], 0)),
    column("ELECTRICAL", "AMPS", 4.5, Metric(5, 60)),
    column("", "REMARKS", 12.0, Remark(30)),
];
const ROOM_LIST: &[Column] = &[
    column("", "ROOM NO.", 5.0, Number),
    column("", "ROOM NAME", 10.0, Word(ROOMS, 0)),
    column("", "AREA (SF)", 6.0, Metric(80, 2200)),
    column("", "OCCUPANCY", 7.0, Word(&["B", "A-3", "S-1"], 0)),
    column("", "OCCUPANTS", 7.0, Metric(5, 60)),
];
const TUREN: &[Column] = &[
    column("", "Nr.", 4.0, Mark("T")),
    column("", "Raum", 9.0, Word(&["Büro", "Flur", "Lager", "Küche", "Archiv"], 0)),
    column("Maße", "Breite", 5.0, Metric(760, 1260)),
    column("Maße", "Höhe", 5.0, Metric(2010, 2260)),
    column("", "Zarge", 7.0, Word(&["Stahl", "Holz"], 0)),
    column("", "Brandschutz", 7.0, Word(&["T30", "T90", "-"], 20)),
    column("", "Bemerkung", 12.0, Word(&["mit Türschließer", "Oberlicht"], 60)),
];
const FENETRES: &[Column] = &[
    column("", "REPÈRE", 5.0, Mark("F-")),
    column("", "QTÉ", 3.5, Metric(5, 20)),
    column("DIMENSIONS", "LARGEUR", 6.0, Metric(600, 2400)),
    column("DIMENSIONS", "HAUTEUR", 6.0, Metric(600, 2100)),
    column("", "VITRAGE", 8.0, Word(&["DOUBLE", "TRIPLE", "FEUILLETÉ"], 0)),
    column("", "REMARQUES", 12.0, Word(&["VOIR DÉTAIL 3", "OUVRANT"], 50)),
];
const PUERTAS: &[Column] = &[
    column("", "CLAVE", 5.0, Mark("P-")),
    column("", "UBICACIÓN", 9.0, Word(&["ACCESO", "BAÑO", "COCINA", "BODEGA"], 0)),
    column("", "ANCHO", 5.0, Metric(700, 1200)),
    column("", "ALTO", 5.0, Metric(2100, 2400)),
    column("", "MATERIAL", 7.0, Word(&["MADERA", "ALUMINIO", "ACERO"], 0)),
    column("", "ACABADO", 7.0, Word(&["BARNIZ", "ESMALTE"], 10)),
    column("", "OBSERVACIONES", 12.0, Word(&["VER DETALLE", "CON MIRILLA"], 50)),
];

/// All contents, by what they list.
pub(crate) const CONTENTS: &[Content] = &[
    Content { schedule_type: "door_schedule", title: "DOOR AND FRAME SCHEDULE", columns: DOORS },
    Content { schedule_type: "window_schedule", title: "WINDOW SCHEDULE", columns: WINDOWS },
    Content { schedule_type: "finish_schedule", title: "ROOM FINISH SCHEDULE", columns: FINISHES },
    Content { schedule_type: "plumbing_schedule", title: "PLUMBING FIXTURE SCHEDULE", columns: FIXTURES },
    Content { schedule_type: "lighting_schedule", title: "LIGHTING FIXTURE SCHEDULE", columns: LIGHTS },
    Content { schedule_type: "equipment_schedule", title: "EQUIPMENT SCHEDULE", columns: EQUIPMENT },
    Content { schedule_type: "room_schedule", title: "ROOM SCHEDULE", columns: ROOM_LIST },
    Content { schedule_type: "door_schedule", title: "Türliste", columns: TUREN },
    Content { schedule_type: "window_schedule", title: "TABLEAU DES FENÊTRES", columns: FENETRES },
    Content { schedule_type: "door_schedule", title: "CUADRO DE PUERTAS", columns: PUERTAS },
];

const REMARKS: &[&str] = &[
    "SEE NOTE 2",
    "PROVIDE KICK PLATE",
    "ALIGN WITH EXISTING OPENING",
    "VERIFY IN FIELD",
    "UNDERCUT 3/4\"",
    "BY OWNER, INSTALLED BY CONTRACTOR",
    "MATCH ADJACENT FINISH AND COLOR",
];

/// Returns the text of a cell; `row` counts from 0.
pub(crate) fn text(holds: Holds, row: usize, chance: &mut Chance) -> String {
    match holds {
        Mark(prefix) => format!("{prefix}{}", row + 1),
        Number => format!("{}", 101 + row),
        Metric(low, high) => format!("{}", chance.between(low / 5, high / 5) * 5),
        Imperial => format!("{}'-{}\"", chance.between(2, 9), chance.between(0, 11)),
        Word(words, blank) => {
            if chance.percent(blank) {
                String::new()
            } else {
                (*chance.pick(words)).to_owned()
            }
        }
        Dot(often) => if chance.percent(often) { "●" } else { "" }.to_owned(),
        Remark(often) => {
            if chance.percent(often) {
                (*chance.pick(REMARKS)).to_owned()
            } else {
                String::new()
            }
        }
    }
}
