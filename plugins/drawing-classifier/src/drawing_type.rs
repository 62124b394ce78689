//! A sheet's type from its title, in the languages that the lists below hold.
//!
//! A title names one or several things: "FLOOR PLANS, BUILDING SECTIONS AND DETAILS". It is parted where they are
//! listed; each part has a noun that says what is drawn (plan, elevation, section, detail, schedule), and what stands
//! beside the noun says of what. A part without a noun of its own takes the next one's: "CEILING AND LIGHTING PLAN".
//! The first thing named is the sheet's type; its storey alone ("LEVEL 2") only where nothing else is named.

use crate::result::DrawingType;
use crate::words::{any, fits, words};

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Noun {
    Plan,
    Elevation,
    Section,
    Detail,
    Schedule,
    Diagram,
    Notes,
    Cover,
    Index,
    Ceiling,
}

/// Nouns in English, Spanish, French, German, Portuguese, Turkish, Italian, Dutch, Swedish, Danish, Norwegian, Finnish,
/// Polish, Malay, Indonesian, Hebrew and Arabic.
#[rustfmt::skip]
const NOUNS: &[(Noun, &[&str])] = &[
    (Noun::Ceiling, &["RCP", "RCPS", "DECKENSPIEGEL*", "PLAFONDPLAN*", "DECKENUNTERSICHT*"]),
    (Noun::Cover, &["COVER", "CAPA", "PORTADA", "CARATULA", "KAPAK", "DECKBLATT", "COPERTINA", "FORSATTSBLAD", "FORSIDE", "KANSILEHTI", "VOORBLAD", "FRONTISPICE"]),
    (Noun::Index, &["INDEX", "INDICE", "SHEETLIST", "PLANLISTE", "PLANVERZEICHNIS", "RITNINGSFORTECKNING", "TEGNINGSLISTE", "PIIRUSTUSLUETTELO", "TEKENINGENLIJST"]),
    (Noun::Detail, &["DETAIL", "DETAILS", "DETALLE", "DETALLES", "DETALHE", "DETALHES", "PORMENOR", "PORMENORES", "DETTAGLI", "DETTAGLIO",
        "PARTICOLARE", "PARTICOLARI", "DETALJ*", "*DETALJ", "*DETALJER", "DETALJI*", "SZCZEGOL*", "DETAY*", "*DETAIL", "*DETAILS", "BUTIRAN", "TYPES", "פרט", "פרטים", "פרטי", "تفصيل*", "تفاصيل"]),
    (Noun::Schedule, &["SCHEDULE", "SCHEDULES", "SCHED", "CUADRO*", "PLANILLA*", "TABLEAU*", "NOMENCLATURE*", "*LISTE", "*LISTEN", "*LISTESI", "*TABELLE", "QUADRO*", "MAPA", "MEMORIA", "*FORTECKNING", "*SKEMA", "*SKJEMA", "*LUETTELO", "ZESTAWIENIE", "WYKAZ",
        "MAPAS", "ABACO", "ABACHI", "*STAAT", "*STATEN", "JADUAL", "JADWAL", "LISTELERI", "BORDEREAU", "רשימה", "רשימת", "טבלה", "טבלת", "جدول", "جداول"]),
    (Noun::Diagram, &["DIAGRAM", "DIAGRAMS", "DIAGRAMA*", "RISER", "RISERS", "SCHEMATIC", "SCHEMATICS", "ISOMETRIC*", "AXONOMETRIC*", "ESQUEMA*", "UNIFILAR*", "SCHEMA*", "SCHEMI",
        "*SCHEMA", "SEMA", "SEMASI", "DIAGRAMME*", "DIAGRAMMI", "ISOMETRICO*", "STRANGSCHEMA*", "SKEMATIK"]),
    (Noun::Section, &["SECTION", "SECTIONS", "SECCION", "SECCIONES", "CORTE", "CORTES", "COUPE", "COUPES", "*SCHNITT", "*SCHNITTE", "KESIT*", "KESITI", "KESITLERI",
        "SEZIONE", "SEZIONI", "SEKTION*", "SNITT", "*SNITT", "SNIT", "*SNIT", "LEIKKAUS*", "LEIKKAUKSET", "PRZEKROJ*", "DOORSNEDE*", "DOORSNEDEN", "KERATAN", "POTONGAN", "חתך", "חתכים", "חתכי", "قطاع*", "مقطع", "مقاطع"]),
    (Noun::Elevation, &["ELEVATION", "ELEVATIONS", "ELEVACION", "ELEVACIONES", "ALZADO", "ALZADOS", "ALCADO", "ALCADOS", "FACHADA", "FACHADAS", "FACADE", "FACADES", "*ANSICHT",
        "*ANSICHTEN", "*ABWICKLUNG", "*ABWICKLUNGEN", "GORUNUS*", "PROSPETTO", "PROSPETTI", "FASAD*", "FACADER", "OPSTALT*", "OPPRISS*", "UPPSTALLNING*", "JULKISIVU*", "ELEWACJA", "ELEWACJE", "*AANZICHT", "*AANZICHTEN", "*GEVEL", "*GEVELS", "TAMPAK", "PANDANGAN", "CEPHE*", "חזית", "חזיתות", "פריסה", "פריסות", "واجهة", "واجهات", "الواجهات", "الواجهة"]),
    (Noun::Notes, &["NOTES", "ABBREVIATIONS", "ABBREVIATION", "LEGEND", "LEGENDS", "SYMBOLS", "NOTAS", "SIMBOLOGIA", "LEYENDA", "LEGENDE", "NOTE", "NOTLAR", "LEGENDA", "HINWEISE", "NOTA"]),
    (Noun::Plan, &["PLAN", "PLANS", "*PLAN", "*PLANE", "PLANTA", "PLANTAS", "PLANO", "PLANOS", "PLANI", "PLANLARI", "PIANTA", "PIANTE", "PLANIMETRIA*", "*GRUNDRISS", "*GRUNDRISSE",
        "PLATTEGROND*", "POHJAPIIRUSTUS", "POHJAPIIRROS", "ASEMAPIIRUSTUS", "ASEMAPIIRROS", "RZUT", "RZUTY", "*AUFSICHT", "PELAN", "DENAH", "SITUATIE*", "SITUATION", "LAYOUT", "LAYOUTS", "IMPLANTATION", "IMPLANTACAO", "EMPLAZAMIENTO", "MAP", "MAPPA", "VAZIYET", "תכנית", "תכניות", "תוכנית", "תוכניות", "مسقط", "مساقط", "مخطط", "مخططات"]),
];

/// What a plan, or another noun, is of.
#[rustfmt::skip]
mod of {
    pub(super) const DEMOLITION: &[&str] = &["DEMO", "DEMOLITION", "DEMOLICION*", "DEMOLICAO", "DEMOLICOES", "DEMOLIZION*", "ABBRUCH*", "YIKIM*", "SLOOP*", "REMOVAL*", "REMOVALS", "DERRIBO*",
        "PEROBOHAN", "RUCKBAU*", "RIVNING*", "NEDRIVNING*", "RIVEPLAN*", "PURKU*", "WYBURZEN*"];
    pub(super) const CEILING: &[&str] = &["CEILING", "CEILINGS", "TECHO", "TECHOS", "FALSO", "PLAFOND", "PLAFONDS", "TETO", "TETOS", "TAVAN*", "CONTROSOFFITT*", "SOFFITT*", "SILING", "PLAFON",
        "DECKENSPIEGEL*", "REFLECTED", "DECKENUNTERSICHT*", "UNDERTAK*", "INNERTAK*", "LOFTPLAN*", "HIMLING*", "ALAKATTO*", "תקרה", "תקרות", "السقف", "الأسقف"];
    pub(super) const FRAMING: &[&str] = &["FRAMING", "JOIST*", "TRUSS", "TRUSSES", "RAFTER*", "CHARPENTE", "ESTRUCTURA*", "VIGAS", "*BALKEN*", "SPARRENPLAN*", "STEELWORK"];
    pub(super) const FOUNDATION: &[&str] = &["FOUNDATION", "FOUNDATIONS", "FOOTING*", "PILE", "PILES", "PILING", "CIMENTACION*", "CIMIENTO*", "FONDATION*", "FUNDAMENT*", "FUNDACOES", "FUNDACAO",
        "TEMEL*", "FONDAZION*", "FUNDERING*", "PALENPLAN*", "ASAS", "PONDASI", "GRUNDPLAN*", "GRUNDLAGGNING*", "PERUSTUS*", "GRUNDUNG*", "CERUCUK"];
    pub(super) const ROOF: &[&str] = &["ROOF", "ROOFS", "ROOFING", "CUBIERTA*", "AZOTEA*", "TOITURE*", "TOIT", "DACH*", "COBERTURA*", "CATI", "COPERTUR*", "TETTO", "TAKPLAN*", "TAGPLAN*", "VESIKATTO*", "DAK", "DAK*", "BUMBUNG", "ATAP", "גג", "גגות", "הגג", "السطح", "سطح", "الأسطح"];
    pub(super) const SITE: &[&str] = &["SITE", "SITES", "PLOT", "LOCATION", "VICINITY", "GRADING", "DRAINAGE", "UTILITY", "UTILITIES", "PAVING", "EROSION", "SURVEY", "TOPOGRAPHIC*", "LANDSCAPE",
        "PLANTING", "IRRIGATION", "PARKING", "STRIPING", "SITUACION", "EMPLAZAMIENTO", "UBICACION", "SITUATION*", "SITUASJON*", "BELIGGENHED*", "MARKPLAN*", "UTOMHUS*", "UTENDORS*", "ASEMAPIIR*", "ZAGOSPODAROWANI*", "MASSE", "LAGEPLAN*", "AUSSENANLAGEN*", "IMPLANTACAO", "LOCALIZACAO", "VAZIYET*",
        "GENERALE", "PLANIMETRIA", "SITUATIE*", "TERREIN*", "TAPAK", "IMPLANTATION", "AMENAGEMENT", "FREIFLACHEN*", "URBANIZACION", "INQUADRAMENTO", "LOKASI", "מגרש", "פיתוח", "العام", "الموقع"];
    pub(super) const SAFETY: &[&str] = &["EGRESS", "EXITING", "EVACUATION", "EVACUACION", "CODE", "FLUCHTWEG*", "RETTUNGSWEG*", "TAHLIYE"];
    pub(super) const FINISH: &[&str] = &["FINISH", "FINISHES", "ACABADO", "ACABADOS", "FINITIONS", "REVETEMENTS", "ACABAMENTOS", "FINITURE", "BODENBELAG*", "KEMASAN", "AFWERKING*", "KAPLAMA*"];
    pub(super) const ENLARGED: &[&str] = &["ENLARGE", "ENLARGED", "ENLARGEMENT", "ENLARGEMENTS", "AMPLIADA", "AMPLIADO", "AMPLIACAO", "AGRANDI", "AGRANDIS", "VERGROSSERT*", "INGRANDITA", "BLOWUP", "LARGE"];
    pub(super) const STRUCTURAL: &[&str] = &["STRUCTURAL", "REINFORCEMENT", "REINFORCING", "REBAR", "COLUMN", "COLUMNS", "BEAM", "BEAMS", "SLAB", "SLABS", "SHEAR", "BEWEHRUNG*", "SCHALPLAN*", "POSITIONSPLAN*",
        "ARMADO*", "FERRAILLAGE", "COFFRAGE", "KALIP*", "FORJADO*", "CARPENTERIA", "TRAGWERK*", "STUTZEN*", "TIANG"];
    pub(super) const INTERIOR: &[&str] = &["INTERIOR", "INTERIORS", "INTERIORES", "INTERIEURE", "INTERIEURES", "INNEN*", "*ABWICKLUNG*", "IC", "INTERNO", "INTERNI", "INVANDIG*", "INDVENDIG*", "INNVENDIG*", "INTERIEUR*", "WAND*",
        "BINNEN*", "CASEWORK", "MILLWORK", "CABINET", "CABINETS", "CABINETRY", "VANITY", "LOBBY", "RECEPTION", "CLASSROOM*", "LAUNDRY", "PANTRY", "RESTROOMS", "KITCHEN", "BATHROOM", "TOILET", "TOILETS", "RESTROOM", "DALAMAN"];
    pub(super) const WALL: &[&str] = &["WALL", "FASSADENSCHNITT*", "MURO", "MUROS", "MUR", "MURS", "PAREDE", "PAREDES", "DUVAR", "PARETE"];
    pub(super) const STOREY: &[&str] = &["FLOOR", "FLOORS", "LEVEL", "LEVELS", "STOREY", "STORY", "BASEMENT", "MEZZANINE", "*GESCHOSS", "REZ", "ETAGE", "NIVEAU", "PISO", "PISOS", "NIVEL", "KAT", "PIANO",
        "VERDIEPING*", "GROND", "LANTAI", "VANING", "BOTTENVANING", "STUEPLAN", "STUEETAGE", "ETASJE", "KERROS", "KALLARE*", "KALDER*", "KJELLER*", "PARTER", "PIETRO", "PIETRA", "ARAS", "TINGKAT", "SOTANO", "SOUS", "CAVE", "BODRUM", "ZEMIN", "PENTHOUSE", "ENTREPISO", "קומה", "קומת", "קומות", "מרתף", "طابق", "الطابق", "الدور", "دور"];
}

/// Words that part what a title lists.
const LISTING: [&str; 17] =
    ["AND", "Y", "ET", "UND", "VE", "E", "EN", "DAN", "WITH", "CON", "MIT", "ED", "PLUS", "ETC", "OCH", "OG", "JA"];
/// Words of languages in which what is drawn stands first: "DETALLES DE CUBIERTA".
const OF: [&str; 15] =
    ["DE", "DU", "DES", "DEL", "DA", "DO", "DOS", "DAS", "DI", "DELLA", "DELLE", "DEI", "LA", "OF", "LAS"];

/// A part of a title.
struct Part {
    words: Vec<String>,
    noun: Option<Noun>,
}

/// The types that a title names, the most telling first; empty where it names none.
pub(crate) fn of_title(title: &str) -> Vec<DrawingType> {
    let parts = parts(title);
    let (mut told, mut vague) = (Vec::new(), Vec::new());
    // Where a plan without a word of what it is of stands among the told.
    let mut bare: Option<usize> = None;
    for (index, part) in parts.iter().enumerate() {
        let next = parts[index + 1..].iter().find_map(|part| part.noun);
        let before = parts[..index].iter().rev().find_map(|part| part.noun);
        let noun = part.noun.or(next).or(before);
        let own = part.noun.is_some();
        match (noun, own, specific(&part.words, noun)) {
            // A noun that stands further on says something of this part only where the part says of what.
            (Some(noun), false, Some(kind)) if noun != Noun::Plan && kind == unqualified(noun) => vague.push(kind),
            (_, _, Some(kind)) => told.push(kind),
            (Some(Noun::Plan), true, None) => {
                if !any(&part.words, of::STOREY) {
                    bare.get_or_insert(told.len());
                }
                told.push(DrawingType::FloorPlan);
            }
            (Some(Noun::Plan) | None, false, None) if any(&part.words, of::STOREY) => {
                vague.push(DrawingType::FloorPlan);
            }
            _ => {}
        }
    }
    // "PLANS 1 & 2 (CEILING)": what follows says what the plans are of.
    if let Some(at) = bare
        && let Some(later) = told[at..].iter().position(|kind| kind.is_plan() && *kind != DrawingType::FloorPlan)
    {
        told[at..=at + later].rotate_right(1);
    }
    told.extend(vague);
    let mut kinds: Vec<DrawingType> = Vec::new();
    for kind in told {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// Whether a text names what a sheet may show: a noun of a drawing, or a storey, not only what one might be of.
pub(crate) fn is_telling(text: &str) -> bool {
    let told = parts(text).iter().any(|part| part.noun.is_some() || any(&part.words, of::STOREY));
    (told || words(text) == ["DEMOLITION"] || words(text) == ["LIFE", "SAFETY"]) && !of_title(text).is_empty()
}

fn parts(title: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let commas = title.split([',', ';', '&', '+', '/', '|', ':', '(', ')']).flat_map(|piece| piece.split(" - "));
    for piece in commas.flat_map(|piece| piece.split(" – ")) {
        let words = words(piece);
        for listed in words.split(|word| LISTING.contains(&word.as_str())) {
            if !listed.is_empty() {
                parts.push(Part { noun: noun(listed), words: listed.to_vec() });
            }
        }
    }
    parts
}

/// What a part says is drawn: what is no plan before a plan, and else the last word of it, or the first where the
/// language puts what is drawn first.
fn noun(words: &[String]) -> Option<Noun> {
    let found: Vec<Noun> = words
        .iter()
        .filter_map(|word| {
            NOUNS.iter().find(|(_, patterns)| patterns.iter().any(|pattern| fits(word, pattern))).map(|(noun, _)| *noun)
        })
        .collect();
    let drawn: Vec<Noun> = found.iter().copied().filter(|noun| *noun != Noun::Plan).collect();
    // A detail of an elevation or a section is a detail, in any order of the words.
    if drawn.contains(&Noun::Detail)
        && drawn.iter().all(|noun| matches!(noun, Noun::Detail | Noun::Elevation | Noun::Section))
    {
        return Some(Noun::Detail);
    }
    let first = words.iter().any(|word| OF.contains(&word.as_str()));
    let of = if drawn.is_empty() { &found } else { &drawn };
    if first { of.first().copied() } else { of.last().copied() }
}

/// The type that a part's words tell, storeys aside.
fn specific(words: &[String], noun: Option<Noun>) -> Option<DrawingType> {
    let has = |patterns: &[&str]| any(words, patterns);
    let pair = |a: &str, b: &str| words.windows(2).any(|two| two[0] == a && fits(&two[1], b));
    if pair("LIFE", "SAFETY") || pair("FIRE", "EVACUATION") {
        return Some(DrawingType::LifeSafetyPlan);
    }
    if pair("TITLE", "SHEET") || pair("COVER", "SHEET") {
        return Some(DrawingType::Cover);
    }
    if pair("DRAWING", "LIST") || pair("SHEET", "LIST") || pair("LIST", "OF") {
        return Some(DrawingType::Index);
    }
    if pair("ACCESSIBILITY", "STANDARDS") || pair("MOUNTING", "HEIGHTS") || pair("OUTLINE", "SPECIFICATION*") {
        return Some(DrawingType::GeneralNotes);
    }
    if pair("ONE", "LINE") || pair("SINGLE", "LINE") {
        return Some(DrawingType::Diagrams);
    }
    match noun {
        Some(Noun::Section) if has(of::WALL) => Some(DrawingType::WallSections),
        Some(Noun::Elevation) if has(of::ROOF) => Some(DrawingType::RoofPlan),
        Some(Noun::Elevation) if has(of::INTERIOR) => Some(DrawingType::InteriorElevations),
        Some(Noun::Plan) | None => plan(words),
        Some(noun) => Some(unqualified(noun)),
    }
}

/// The type of a noun alone.
fn unqualified(noun: Noun) -> DrawingType {
    match noun {
        Noun::Plan => DrawingType::FloorPlan,
        Noun::Elevation => DrawingType::ExteriorElevations,
        Noun::Section => DrawingType::BuildingSections,
        Noun::Detail => DrawingType::Details,
        Noun::Schedule => DrawingType::Schedules,
        Noun::Diagram => DrawingType::Diagrams,
        Noun::Notes => DrawingType::GeneralNotes,
        Noun::Cover => DrawingType::Cover,
        Noun::Index => DrawingType::Index,
        Noun::Ceiling => DrawingType::ReflectedCeilingPlan,
    }
}

/// What a plan is of. The order matters: a roof's framing plan is a framing plan.
fn plan(words: &[String]) -> Option<DrawingType> {
    let kinds = [
        (of::DEMOLITION, DrawingType::DemolitionPlan),
        (of::CEILING, DrawingType::ReflectedCeilingPlan),
        (of::FOUNDATION, DrawingType::FoundationPlan),
        (of::FRAMING, DrawingType::FramingPlan),
        (of::SAFETY, DrawingType::LifeSafetyPlan),
        (of::ENLARGED, DrawingType::EnlargedPlan),
        (of::ROOF, DrawingType::RoofPlan),
        (of::FINISH, DrawingType::FinishPlan),
        (of::STRUCTURAL, DrawingType::StructuralPlan),
        (of::SITE, DrawingType::SitePlan),
    ];
    kinds.into_iter().find(|(patterns, _)| any(words, patterns)).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::DrawingType::*;

    #[test]
    fn a_title_says_what_is_drawn() {
        for (title, expected) in [
            ("SECOND FLOOR PLAN - E", FloorPlan),
            ("PODIUM FLOOR PLAN", FloorPlan),
            ("LEVEL 2", FloorPlan),
            ("CEILING, LIGHTING & SPEAKER PLAN", ReflectedCeilingPlan),
            ("RCP FOURTH FLOOR", ReflectedCeilingPlan),
            ("3RD FLOOR - WING C DEMOLITION / EXISTING PLANS", DemolitionPlan),
            ("FOUNDATION AND CELLAR FRAMING PLAN", FoundationPlan),
            ("ROOF FRAMING PLAN", FramingPlan),
            ("ROOF DETAILS", Details),
            ("NORTH AND EAST ELEVATIONS", ExteriorElevations),
            ("ENLARGED PANTRY PLANS WITH INTERIOR ELEVATIONS", EnlargedPlan),
            ("INTERIOR ELEVATIONS", InteriorElevations),
            ("WALL SECTIONS", WallSections),
            ("SECTION A-A & SECTION B-B", BuildingSections),
            ("WINDOW & ROOM COLOUR SCHEDULE", Schedules),
            ("ONE-LINE DIAGRAM", Diagrams),
            ("GRADING AND DRAINAGE PLAN", SitePlan),
            ("PLUMBING PLAN - LEVEL 4", FloorPlan),
            ("LIFE SAFETY PLAN", LifeSafetyPlan),
            ("TITLE SHEET", Cover),
            ("PLANTA DE CUBIERTAS", RoofPlan),
            ("DETALLES DE SECCIÓN", Details),
            ("PLAN DE MASSE", SitePlan),
            ("COUPES LONGITUDINALES", BuildingSections),
            ("Grundriss 1. Obergeschoss", FloorPlan),
            ("Ansicht Nord", ExteriorElevations),
            ("Türliste", Schedules),
            ("ÇATI PLANI", RoofPlan),
            ("ARDEN ELEMENTARY SCHOOL - WALL SECTIONS", WallSections),
            ("Details gevel", Details),
            ("PLANS 1 & 2 (FLOOR FINISHES)", FinishPlan),
            ("PLANS WITH DETAILS", FloorPlan),
            ("Voorgevel en achtergevel", ExteriorElevations),
            ("PROSPETTI NORD E SUD", ExteriorElevations),
            ("CABINET ELEVATIONS", InteriorElevations),
            ("ACCESSIBILITY STANDARDS", GeneralNotes),
            ("SITUATIONSPLAN", SitePlan),
            ("FASADER MOT NORR OCH VÄSTER", ExteriorElevations),
            ("TVÆRSNIT A-A", BuildingSections),
            ("Undertaksplan", ReflectedCeilingPlan),
            ("TAKPLAN", RoofPlan),
            ("Julkisivut pohjoiseen", ExteriorElevations),
            ("Dörrförteckning", Schedules),
            ("RZUT PARTERU", FloorPlan),
            ("MEMORIA DE CARPINTERÍA", Schedules),
        ] {
            assert_eq!(of_title(title).first(), Some(&expected), "{title}: {:?}", of_title(title));
        }
        for nothing in ["MUNICIPALITY OF ARDEN", "03/14/2025", "", "VARGA STOLL ARCHITECTS"] {
            assert!(of_title(nothing).is_empty(), "{nothing}");
        }
    }
}
