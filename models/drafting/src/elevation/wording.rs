//! The words of the sheets in six languages.

use super::style::{Naming, Other, Tongue};
use crate::chance::Chance;

/// The words of a language.
pub(super) struct Words {
    /// Rooms whose walls are drawn.
    rooms: &'static [&'static str],
    /// The four directions.
    directions: [&'static str; 4],
    /// "Interior elevation", as in the title of a view.
    interior: &'static str,
    /// "{}" is the room.
    room_elevation: &'static str,
    /// "{}" is the direction.
    compass: &'static str,
    plan: &'static str,
    section: &'static str,
    front: &'static str,
    doors: &'static str,
    detail: &'static str,
    pub(super) notes: &'static str,
    pub(super) table: &'static str,
    /// The word before a scale.
    pub(super) scale: &'static str,
    /// The sheet's title, with and without interior elevations in it.
    pub(super) sheet: [&'static str; 2],
    /// Notes beside views.
    pub(super) beside: &'static [&'static str],
}

impl Tongue {
    pub(super) fn words(self) -> &'static Words {
        match self {
            Self::English => &ENGLISH,
            Self::German => &GERMAN,
            Self::French => &FRENCH,
            Self::Spanish => &SPANISH,
            Self::Turkish => &TURKISH,
            Self::Italian => &ITALIAN,
        }
    }
}

const ENGLISH: Words = Words {
    rooms: &["KITCHEN", "TOILET", "LOBBY", "BREAK ROOM", "CLASSROOM", "BATH", "EXAM", "OFFICE", "CONFERENCE"],
    directions: ["NORTH", "EAST", "SOUTH", "WEST"],
    interior: "INTERIOR ELEVATION",
    room_elevation: "{} ELEVATION",
    compass: "{} ELEVATION",
    plan: "ENLARGED PLAN",
    section: "BUILDING SECTION",
    front: "EXTERIOR ELEVATION",
    doors: "DOOR TYPES",
    detail: "COUNTER DETAIL",
    notes: "GENERAL NOTES",
    table: "FINISH SCHEDULE",
    scale: "SCALE:",
    sheet: ["INTERIOR ELEVATIONS", "DRAWINGS"],
    beside: &["WALL TILE, SEE FINISH PLAN", "SOLID SURFACE COUNTER", "PAPER TOWEL DISPENSER", "MIRROR", "RUBBER BASE"],
};
const GERMAN: Words = Words {
    rooms: &["Küche", "WC Damen", "Foyer", "Bad", "Büro"],
    directions: ["Nord", "Ost", "Süd", "West"],
    interior: "Wandansicht",
    room_elevation: "Wandabwicklung {}",
    compass: "Ansicht {}",
    plan: "Grundriss",
    section: "Schnitt A-A",
    front: "Ansicht Süd",
    doors: "Türtypen",
    detail: "Detail Sockel",
    notes: "Hinweise",
    table: "Raumbuch",
    scale: "M",
    sheet: ["Wandabwicklungen", "Pläne"],
    beside: &["Fliesen bis 2,10 m", "Spiegel bauseits", "Sockelleiste Eiche"],
};
const FRENCH: Words = Words {
    rooms: &["CUISINE", "SANITAIRES", "HALL", "SALLE DE BAINS", "BUREAU"],
    directions: ["NORD", "EST", "SUD", "OUEST"],
    interior: "ÉLÉVATION INTÉRIEURE",
    room_elevation: "ÉLÉVATION INTÉRIEURE {}",
    compass: "ÉLÉVATION {}",
    plan: "PLAN AGRANDI",
    section: "COUPE A-A",
    front: "FAÇADE SUD",
    doors: "TYPES DE PORTES",
    detail: "DÉTAIL DE PLINTHE",
    notes: "NOTES GÉNÉRALES",
    table: "TABLEAU DES FINITIONS",
    scale: "ÉCHELLE :",
    sheet: ["ÉLÉVATIONS INTÉRIEURES", "DESSINS"],
    beside: &["FAÏENCE JUSQU'AU PLAFOND", "MIROIR", "PLAN DE TRAVAIL"],
};
const SPANISH: Words = Words {
    rooms: &["COCINA", "BAÑO", "VESTÍBULO", "OFICINA"],
    directions: ["NORTE", "ESTE", "SUR", "OESTE"],
    interior: "ALZADO INTERIOR",
    room_elevation: "ALZADO INTERIOR {}",
    compass: "ALZADO {}",
    plan: "PLANTA AMPLIADA",
    section: "SECCIÓN A-A",
    front: "FACHADA SUR",
    doors: "TIPOS DE PUERTAS",
    detail: "DETALLE DE ZÓCALO",
    notes: "NOTAS GENERALES",
    table: "CUADRO DE ACABADOS",
    scale: "ESCALA",
    sheet: ["ALZADOS INTERIORES", "PLANOS"],
    beside: &["ALICATADO", "ESPEJO", "ENCIMERA DE CUARZO"],
};
const TURKISH: Words = Words {
    rooms: &["MUTFAK", "BANYO", "GİRİŞ HOLÜ", "OFİS"],
    directions: ["KUZEY", "DOĞU", "GÜNEY", "BATI"],
    interior: "İÇ GÖRÜNÜŞ",
    room_elevation: "{} İÇ GÖRÜNÜŞÜ",
    compass: "{} GÖRÜNÜŞÜ",
    plan: "MUTFAK PLANI",
    section: "A-A KESİTİ",
    front: "GÜNEY CEPHESİ",
    doors: "KAPI TİPLERİ",
    detail: "SÜPÜRGELİK DETAYI",
    notes: "NOTLAR",
    table: "MAHAL LİSTESİ",
    scale: "ÖLÇEK:",
    sheet: ["İÇ GÖRÜNÜŞLER", "ÇİZİMLER"],
    beside: &["SERAMİK KAPLAMA", "AYNA", "TEZGAH"],
};
const ITALIAN: Words = Words {
    rooms: &["CUCINA", "BAGNO", "ATRIO", "UFFICIO"],
    directions: ["NORD", "EST", "SUD", "OVEST"],
    interior: "PROSPETTO INTERNO",
    room_elevation: "PROSPETTO INTERNO {}",
    compass: "PROSPETTO {}",
    plan: "PIANTA",
    section: "SEZIONE A-A",
    front: "PROSPETTO ESTERNO SUD",
    doors: "TIPI DI PORTE",
    detail: "DETTAGLIO BATTISCOPA",
    notes: "NOTE GENERALI",
    table: "ABACO FINITURE",
    scale: "SCALA",
    sheet: ["PROSPETTI INTERNI", "TAVOLA"],
    beside: &["RIVESTIMENTO IN GRES", "SPECCHIO", "PIANO IN MARMO"],
};

/// Returns the title of the interior elevation `index`.
pub(super) fn interior(tongue: Tongue, naming: Naming, index: usize, chance: &mut Chance) -> String {
    let words = tongue.words();
    let room = chance.pick(words.rooms);
    let direction = words.directions[index % 4];
    match naming {
        Naming::RoomAndDirection => format!("{room} {} - {direction}", 101 + index / 4),
        Naming::RoomElevation => words.room_elevation.replace("{}", room),
        Naming::Numbered => format!("{} {}", words.interior, index + 1),
        Naming::Compass => words.compass.replace("{}", direction),
        Naming::MarkOnly => String::new(),
    }
}

/// Returns the title of another drawing.
pub(super) fn other(tongue: Tongue, other: Other, naming: Naming, index: usize) -> String {
    let words = tongue.words();
    match other {
        Other::EnlargedPlan => words.plan.to_owned(),
        Other::Section => words.section.to_owned(),
        Other::Exterior if naming == Naming::Compass => words.compass.replace("{}", words.directions[index % 4]),
        Other::Exterior => words.front.to_owned(),
        Other::DoorTypes => words.doors.to_owned(),
        Other::Detail => words.detail.to_owned(),
        Other::Notes => words.notes.to_owned(),
        Other::Table => words.table.to_owned(),
    }
}
