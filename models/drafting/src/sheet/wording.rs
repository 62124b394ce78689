//! The words of sheets in nine languages: labels of title blocks, sheet titles with their types,
//! and notes.

style_enum! {
    /// The language of a set.
    Language {
        /// English, as in North America.
        English,
        /// Spanish.
        Spanish,
        /// French.
        French,
        /// German.
        German,
        /// Portuguese.
        Portuguese,
        /// Turkish.
        Turkish,
        /// Italian.
        Italian,
        /// Dutch.
        Dutch,
        /// Swedish.
        Swedish,
    }
}

/// The labels of a title block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labels {
    pub(crate) number: &'static str,
    pub(crate) title: &'static str,
    pub(crate) project: &'static str,
    pub(crate) client: &'static str,
    pub(crate) scale: &'static str,
    pub(crate) date: &'static str,
    pub(crate) drawn: &'static str,
    pub(crate) checked: &'static str,
    pub(crate) job: &'static str,
    pub(crate) revision: &'static str,
    pub(crate) as_noted: &'static str,
}

/// A sheet's title with its truth: `(title, types, discipline, floor)`. Several types are separated
/// by a vertical bar.
pub(crate) type Entry = (&'static str, &'static str, &'static str, &'static str);

const fn labels(l: [&'static str; 11]) -> Labels {
    let [number, title, project, client, scale, date, drawn, checked, job, revision, as_noted] = l;
    Labels { number, title, project, client, scale, date, drawn, checked, job, revision, as_noted }
}

#[rustfmt::skip]
const ENGLISH_LABELS: [Labels; 3] = [
    labels(["SHEET NUMBER", "SHEET TITLE", "PROJECT", "OWNER", "SCALE", "DATE", "DRAWN BY", "CHECKED BY", "PROJECT NO.", "REVISION", "AS NOTED"]),
    labels(["Drawing No.", "Drawing Title", "Project Name", "Client", "Scale", "Issue Date", "Drawn", "Checked", "Job No.", "Rev.", "As indicated"]),
    labels(["SHEET NO:", "DRAWING:", "PROJECT TITLE:", "CLIENT:", "SCALE:", "DATE:", "DRAWN:", "CHECKED:", "COMM. NO.:", "REV:", "AS SHOWN"]),
];

impl Language {
    /// Returns the labels; `variant` selects one of the English sets.
    pub(crate) fn labels(self, variant: usize) -> Labels {
        match self {
            Self::English => ENGLISH_LABELS[variant % ENGLISH_LABELS.len()],
            Self::Spanish => labels([
                "PLANO Nº",
                "TÍTULO DEL PLANO",
                "PROYECTO",
                "PROPIETARIO",
                "ESCALA",
                "FECHA",
                "DIBUJÓ",
                "REVISÓ",
                "EXPEDIENTE",
                "REVISIÓN",
                "INDICADA",
            ]),
            Self::French => labels([
                "N° DE PLAN",
                "TITRE DU DESSIN",
                "PROJET",
                "MAÎTRE D'OUVRAGE",
                "ÉCHELLE",
                "DATE",
                "DESSINÉ PAR",
                "VÉRIFIÉ PAR",
                "N° D'AFFAIRE",
                "INDICE",
                "INDIQUÉE",
            ]),
            Self::German => labels([
                "Plan-Nr.",
                "Planinhalt",
                "Bauvorhaben",
                "Bauherr",
                "Maßstab",
                "Datum",
                "Gezeichnet",
                "Geprüft",
                "Projekt-Nr.",
                "Index",
                "siehe Plan",
            ]),
            Self::Portuguese => labels([
                "FOLHA",
                "TÍTULO DO DESENHO",
                "OBRA",
                "PROPRIETÁRIO",
                "ESCALA",
                "DATA",
                "DESENHO",
                "VERIFICADO",
                "PROCESSO",
                "REVISÃO",
                "INDICADA",
            ]),
            Self::Turkish => labels([
                "PAFTA NO",
                "PAFTA ADI",
                "PROJE",
                "İŞVEREN",
                "ÖLÇEK",
                "TARİH",
                "ÇİZEN",
                "KONTROL",
                "PROJE NO",
                "REVİZYON",
                "BELİRTİLDİĞİ GİBİ",
            ]),
            Self::Italian => labels([
                "TAVOLA N.",
                "TITOLO TAVOLA",
                "PROGETTO",
                "COMMITTENTE",
                "SCALA",
                "DATA",
                "DISEGNATO",
                "VERIFICATO",
                "COMMESSA",
                "REVISIONE",
                "COME INDICATO",
            ]),
            Self::Dutch => labels([
                "Tekeningnummer",
                "Onderdeel",
                "Project",
                "Opdrachtgever",
                "Schaal",
                "Datum",
                "Getekend",
                "Gecontroleerd",
                "Projectnummer",
                "Wijziging",
                "als aangegeven",
            ]),
            Self::Swedish => labels([
                "RITNINGSNUMMER",
                "INNEHÅLL",
                "PROJEKT",
                "BYGGHERRE",
                "SKALA",
                "DATUM",
                "RITAD AV",
                "HANDLÄGGARE",
                "UPPDRAG NR",
                "BET",
                "SE RITNING",
            ]),
        }
    }

    /// Returns the sheets of a set in this language, in order. English sets use [`DISCIPLINES`].
    pub(crate) fn sheets(self) -> &'static [Entry] {
        match self {
            Self::English => &[],
            Self::Spanish => SPANISH,
            Self::French => FRENCH,
            Self::German => GERMAN,
            Self::Portuguese => PORTUGUESE,
            Self::Turkish => TURKISH,
            Self::Italian => ITALIAN,
            Self::Dutch => DUTCH,
            Self::Swedish => SWEDISH,
        }
    }

    /// Returns names of rooms.
    pub(crate) fn rooms(self) -> &'static [&'static str] {
        match self {
            Self::English => &["OFFICE", "CORRIDOR", "STORAGE", "CLASSROOM", "LOBBY", "TOILET", "STAIR A", "ELEC."],
            Self::Spanish => &["SALA", "COCINA", "BAÑO", "DORMITORIO", "PASILLO", "ALMACÉN"],
            Self::French => &["SÉJOUR", "CUISINE", "CHAMBRE", "BUREAU", "DÉGAGEMENT", "WC"],
            Self::German => &["Wohnen", "Küche", "Flur", "Büro", "Lager", "WC"],
            Self::Portuguese => &["SALA", "COZINHA", "QUARTO", "ARRUMOS", "ÁTRIO"],
            Self::Turkish => &["SALON", "MUTFAK", "BANYO", "OFİS", "DEPO"],
            Self::Italian => &["SOGGIORNO", "CUCINA", "CAMERA", "BAGNO", "UFFICIO"],
            Self::Swedish => &["KÖK", "SOVRUM", "VARDAGSRUM", "BADRUM", "FÖRRÅD", "KONTOR"],
            Self::Dutch => &["woonkamer", "keuken", "hal", "berging", "kantoor"],
        }
    }

    /// Returns a heading of notes and the notes below it.
    pub(crate) fn notes(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::English => ("GENERAL NOTES", ENGLISH_NOTES),
            Self::Spanish => (
                "NOTAS",
                &[
                    "Todas las medidas se comprobarán en obra.",
                    "Las cotas prevalecen sobre el dibujo.",
                    "Ver la memoria para los acabados.",
                ],
            ),
            Self::French => (
                "NOTES",
                &[
                    "Toutes les cotes sont à vérifier sur place.",
                    "Ne pas mesurer sur le plan.",
                    "Voir le cahier des charges.",
                ],
            ),
            Self::German => (
                "Hinweise",
                &[
                    "Alle Maße sind am Bau zu prüfen.",
                    "Unstimmigkeiten sind der Bauleitung anzuzeigen.",
                    "Angaben der Statik beachten.",
                ],
            ),
            Self::Portuguese => (
                "NOTAS",
                &[
                    "Todas as cotas devem ser confirmadas em obra.",
                    "Não medir sobre o desenho.",
                    "Ver caderno de encargos.",
                ],
            ),
            Self::Turkish => (
                "NOTLAR",
                &[
                    "Bütün ölçüler yerinde kontrol edilecektir.",
                    "Çizimden ölçü alınmayacaktır.",
                    "Statik projeye uyulacaktır.",
                ],
            ),
            Self::Italian => (
                "NOTE",
                &[
                    "Tutte le misure vanno verificate in cantiere.",
                    "Non misurare sul disegno.",
                    "Vedi capitolato per le finiture.",
                ],
            ),
            Self::Dutch => (
                "Opmerkingen",
                &[
                    "Alle maten in het werk te controleren.",
                    "Niet meten van de tekening.",
                    "Zie bestek voor afwerking.",
                ],
            ),
            Self::Swedish => (
                "ANMÄRKNINGAR",
                &["Samtliga mått kontrolleras på plats.", "Mät inte på ritningen.", "Se rumsbeskrivning för ytskikt."],
            ),
        }
    }
}

pub(crate) const ENGLISH_NOTES: &[&str] = &[
    "Verify all dimensions in the field before work begins.",
    "See the floor plans for wall types and room numbers.",
    "Coordinate with the door schedule on the schedule sheets.",
    "Elevations and sections are shown for reference only.",
    "Patch and paint all surfaces that the work disturbs.",
    "Refer to the structural drawings for foundations and framing.",
    "Provide blocking at all wall mounted fixtures.",
    "Details not shown are similar to those that are.",
];

/// The disciplines of an English set: the letter, then its sheets with the digit of the sheet's
/// type.
#[rustfmt::skip]
pub(crate) const DISCIPLINES: &[(&str, &[(u8, Entry)])] = &[
    ("G", &[
        (0, ("COVER SHEET", "cover", "architectural", "")),
        (0, ("DRAWING INDEX AND PROJECT DATA", "index", "architectural", "")),
        (0, ("ABBREVIATIONS, SYMBOLS AND GENERAL NOTES", "general_notes", "architectural", "")),
        (1, ("LIFE SAFETY PLAN - LEVEL 1", "life_safety_plan", "architectural", "LEVEL 1")),
        (1, ("CODE COMPLIANCE PLANS", "life_safety_plan", "architectural", "")),
    ]),
    ("C", &[
        (1, ("OVERALL SITE PLAN", "site_plan", "civil", "")),
        (1, ("GRADING AND DRAINAGE PLAN", "site_plan", "civil", "")),
        (1, ("SITE UTILITY PLAN", "site_plan", "civil", "")),
        (5, ("SITE DETAILS", "details", "civil", "")),
    ]),
    ("L", &[
        (1, ("LANDSCAPE PLAN", "site_plan", "landscape", "")),
        (5, ("PLANTING DETAILS", "details", "landscape", "")),
    ]),
    ("S", &[
        (0, ("STRUCTURAL GENERAL NOTES", "general_notes", "structural", "")),
        (1, ("FOUNDATION PLAN", "foundation_plan", "structural", "")),
        (1, ("SECOND FLOOR FRAMING PLAN", "framing_plan", "structural", "SECOND FLOOR")),
        (1, ("ROOF FRAMING PLAN", "framing_plan", "structural", "")),
        (5, ("TYPICAL CONCRETE DETAILS", "details", "structural", "")),
        (6, ("COLUMN AND FOOTING SCHEDULES", "schedules", "structural", "")),
    ]),
    ("A", &[
        (1, ("DEMOLITION PLAN - FIRST FLOOR", "demolition_plan", "architectural", "FIRST FLOOR")),
        (1, ("GROUND FLOOR PLAN", "floor_plan", "architectural", "GROUND FLOOR")),
        (1, ("LEVEL 2 FLOOR PLAN - AREA B", "floor_plan", "architectural", "LEVEL 2")),
        (1, ("OVERALL THIRD FLOOR PLAN", "floor_plan", "architectural", "THIRD FLOOR")),
        (1, ("REFLECTED CEILING PLAN - LEVEL 2", "reflected_ceiling_plan", "architectural", "LEVEL 2")),
        (1, ("ROOF PLAN", "roof_plan", "architectural", "")),
        (1, ("FLOOR FINISH PLAN - BASEMENT", "finish_plan", "architectural", "BASEMENT")),
        (2, ("EXTERIOR ELEVATIONS", "exterior_elevations", "architectural", "")),
        (2, ("NORTH AND EAST ELEVATIONS", "exterior_elevations", "architectural", "")),
        (3, ("BUILDING SECTIONS", "building_sections", "architectural", "")),
        (3, ("WALL SECTIONS", "wall_sections", "architectural", "")),
        (4, ("ENLARGED TOILET ROOM PLANS", "enlarged_plan", "architectural", "")),
        (4, ("INTERIOR ELEVATIONS - CLASSROOM WING", "interior_elevations", "architectural", "")),
        (5, ("STAIR SECTIONS AND DETAILS", "details|building_sections", "architectural", "")),
        (5, ("ROOFING AND PARAPET DETAILS", "details", "architectural", "")),
        (6, ("DOOR SCHEDULE AND DOOR TYPES", "schedules", "architectural", "")),
        (6, ("ROOM FINISH SCHEDULE", "schedules", "architectural", "")),
        (6, ("WINDOW TYPES AND DETAILS", "details|schedules", "architectural", "")),
    ]),
    ("I", &[
        (1, ("FINISH PLAN - LEVEL 1", "finish_plan", "interiors", "LEVEL 1")),
        (4, ("INTERIOR ELEVATIONS", "interior_elevations", "interiors", "")),
    ]),
    ("P", &[
        (1, ("PLUMBING PLAN - LEVEL 1", "floor_plan", "plumbing", "LEVEL 1")),
        (6, ("PLUMBING RISER DIAGRAMS", "diagrams", "plumbing", "")),
    ]),
    ("M", &[
        (0, ("MECHANICAL LEGEND AND ABBREVIATIONS", "general_notes", "mechanical", "")),
        (1, ("MECHANICAL FLOOR PLAN - LEVEL 2", "floor_plan", "mechanical", "LEVEL 2")),
        (5, ("MECHANICAL DETAILS", "details", "mechanical", "")),
        (6, ("MECHANICAL SCHEDULES", "schedules", "mechanical", "")),
    ]),
    ("E", &[
        (1, ("ELECTRICAL SITE PLAN", "site_plan", "electrical", "")),
        (1, ("POWER PLAN - GROUND FLOOR", "floor_plan", "electrical", "GROUND FLOOR")),
        (6, ("ONE-LINE DIAGRAM", "diagrams", "electrical", "")),
        (6, ("PANEL SCHEDULES", "schedules", "electrical", "")),
    ]),
    ("FP", &[(1, ("FIRE PROTECTION PLAN - LEVEL 1", "floor_plan", "fire", "LEVEL 1"))]),
];

const SPANISH: &[Entry] = &[
    ("PLANO DE SITUACIÓN Y EMPLAZAMIENTO", "site_plan", "architectural", ""),
    ("PLANTA BAJA", "floor_plan", "architectural", "PLANTA BAJA"),
    ("PLANTA PRIMERA", "floor_plan", "architectural", "PLANTA PRIMERA"),
    ("PLANTA DE CUBIERTAS", "roof_plan", "architectural", ""),
    ("ALZADO PRINCIPAL Y ALZADO POSTERIOR", "exterior_elevations", "architectural", ""),
    ("SECCIONES A-A' Y B-B'", "building_sections", "architectural", ""),
    ("PLANTA DE CIMENTACIÓN", "foundation_plan", "structural", ""),
    ("DETALLES CONSTRUCTIVOS", "details", "architectural", ""),
    ("CUADRO DE PUERTAS Y VENTANAS", "schedules", "architectural", ""),
    ("ESQUEMA UNIFILAR", "diagrams", "electrical", ""),
];
const FRENCH: &[Entry] = &[
    ("PLAN DE SITUATION ET PLAN DE MASSE", "site_plan", "architectural", ""),
    ("PLAN DU REZ-DE-CHAUSSÉE", "floor_plan", "architectural", "REZ-DE-CHAUSSÉE"),
    ("PLAN DU PREMIER ÉTAGE", "floor_plan", "architectural", "PREMIER ÉTAGE"),
    ("PLAN DE TOITURE", "roof_plan", "architectural", ""),
    ("PLAN DE PLAFOND RÉFLÉCHI", "reflected_ceiling_plan", "architectural", ""),
    ("ÉLÉVATIONS NORD ET SUD", "exterior_elevations", "architectural", ""),
    ("COUPES LONGITUDINALES", "building_sections", "architectural", ""),
    ("PLAN DES FONDATIONS", "foundation_plan", "structural", ""),
    ("DÉTAILS DE FAÇADE", "details", "architectural", ""),
    ("TABLEAU DES PORTES", "schedules", "architectural", ""),
    ("PLAN DE DÉMOLITION", "demolition_plan", "architectural", ""),
];
const GERMAN: &[Entry] = &[
    ("Lageplan", "site_plan", "architectural", ""),
    ("Grundriss Erdgeschoss", "floor_plan", "architectural", "Erdgeschoss"),
    ("Grundriss 1. Obergeschoss", "floor_plan", "architectural", "1. Obergeschoss"),
    ("Dachaufsicht", "roof_plan", "architectural", ""),
    ("Ansicht Nord und Ansicht Ost", "exterior_elevations", "architectural", ""),
    ("Schnitt A-A, Schnitt B-B", "building_sections", "architectural", ""),
    ("Fundamentplan", "foundation_plan", "structural", ""),
    ("Details Attika und Sockel", "details", "architectural", ""),
    ("Türliste", "schedules", "architectural", ""),
    ("Abbruchplan Kellergeschoss", "demolition_plan", "architectural", "Kellergeschoss"),
];
const PORTUGUESE: &[Entry] = &[
    ("PLANTA DE IMPLANTAÇÃO", "site_plan", "architectural", ""),
    ("PLANTA DO RÉS-DO-CHÃO", "floor_plan", "architectural", "RÉS-DO-CHÃO"),
    ("PLANTA DO PISO 1", "floor_plan", "architectural", "PISO 1"),
    ("PLANTA DE COBERTURA", "roof_plan", "architectural", ""),
    ("ALÇADOS NORTE E SUL", "exterior_elevations", "architectural", ""),
    ("CORTES AB E CD", "building_sections", "architectural", ""),
    ("PLANTA DE FUNDAÇÕES", "foundation_plan", "structural", ""),
    ("PORMENORES CONSTRUTIVOS", "details", "architectural", ""),
    ("MAPA DE VÃOS", "schedules", "architectural", ""),
];
const TURKISH: &[Entry] = &[
    ("VAZİYET PLANI", "site_plan", "architectural", ""),
    ("ZEMİN KAT PLANI", "floor_plan", "architectural", "ZEMİN KAT"),
    ("1. KAT PLANI", "floor_plan", "architectural", "1. KAT"),
    ("ÇATI PLANI", "roof_plan", "architectural", ""),
    ("ÖN VE ARKA GÖRÜNÜŞ", "exterior_elevations", "architectural", ""),
    ("A-A KESİTİ, B-B KESİTİ", "building_sections", "architectural", ""),
    ("TEMEL PLANI", "foundation_plan", "structural", ""),
    ("SİSTEM DETAYLARI", "details", "architectural", ""),
    ("KAPI PENCERE LİSTESİ", "schedules", "architectural", ""),
];
const ITALIAN: &[Entry] = &[
    ("PLANIMETRIA GENERALE", "site_plan", "architectural", ""),
    ("PIANTA PIANO TERRA", "floor_plan", "architectural", "PIANO TERRA"),
    ("PIANTA PIANO PRIMO", "floor_plan", "architectural", "PIANO PRIMO"),
    ("PIANTA DELLE COPERTURE", "roof_plan", "architectural", ""),
    ("PROSPETTI NORD E SUD", "exterior_elevations", "architectural", ""),
    ("SEZIONI A-A E B-B", "building_sections", "architectural", ""),
    ("PIANTA DELLE FONDAZIONI", "foundation_plan", "structural", ""),
    ("PARTICOLARI COSTRUTTIVI", "details", "architectural", ""),
    ("ABACO DEI SERRAMENTI", "schedules", "architectural", ""),
];
const DUTCH: &[Entry] = &[
    ("Situatie", "site_plan", "architectural", ""),
    ("Plattegrond begane grond", "floor_plan", "architectural", "begane grond"),
    ("Plattegrond eerste verdieping", "floor_plan", "architectural", "eerste verdieping"),
    ("Dakaanzicht", "roof_plan", "architectural", ""),
    ("Voorgevel en achtergevel", "exterior_elevations", "architectural", ""),
    ("Doorsneden A-A en B-B", "building_sections", "architectural", ""),
    ("Funderingsplan", "foundation_plan", "structural", ""),
    ("Details gevel", "details", "architectural", ""),
    ("Kozijnstaat", "schedules", "architectural", ""),
];
const SWEDISH: &[Entry] = &[
    ("SITUATIONSPLAN", "site_plan", "architectural", ""),
    ("PLAN BOTTENVÅNING", "floor_plan", "architectural", "BOTTENVÅNING"),
    ("PLAN 2", "floor_plan", "architectural", "PLAN 2"),
    ("TAKPLAN", "roof_plan", "architectural", ""),
    ("FASADER MOT NORR OCH ÖSTER", "exterior_elevations", "architectural", ""),
    ("SEKTION A-A, SEKTION B-B", "building_sections", "architectural", ""),
    ("UNDERTAKSPLAN", "reflected_ceiling_plan", "architectural", ""),
    ("DETALJER TAKFOT", "details", "architectural", ""),
    ("DÖRRFÖRTECKNING", "schedules", "architectural", ""),
    ("RIVNINGSPLAN KÄLLARE", "demolition_plan", "architectural", "KÄLLARE"),
];
