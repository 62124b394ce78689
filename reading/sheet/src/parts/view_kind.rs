//! What a title says a view is, in English, Spanish, French, German, Portuguese, Turkish, Italian, Dutch, Malay and
//! Indonesian.

use fanlight_text::room_names::{fits, is_furnished_room, words};

/// What words say of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    /// A wall of a room, from inside.
    Inside,
    /// An elevation, of which it isn't said whether inside or outside: "NORTH ELEVATION", "EAST".
    Elevation,
    /// A building's front.
    Outside,
    /// A room and no more: its plan or one of its walls.
    Room,
    /// A plan, section, detail, table, or anything else that is no elevation of a wall.
    Other,
    /// Nothing that these lists know.
    Silent,
}

/// What is drawn.
#[rustfmt::skip]
mod noun {
    pub(super) const ELEVATION: &[&str] = &["ELEVATION", "ELEVATIONS", "ELEV", "ELEVS", "ELV", "ELEVACION", "ELEVACIONES", "ALZADO", "ALZADOS", "ALCADO",
        "ALCADOS", "*ANSICHT", "*ANSICHTEN", "*ABWICKLUNG", "*ABWICKLUNGEN", "GORUNUS*", "PROSPETTO", "PROSPETTI", "*AANZICHT", "*AANZICHTEN", "TAMPAK",
        "PANDANGAN"];
    pub(super) const PLAN: &[&str] = &["PLAN", "PLANS", "*PLAN", "*PLANE", "PLANTA", "PLANTAS", "PLANI", "PLANLARI", "PIANTA", "PIANTE", "*GRUNDRISS*",
        "PLATTEGROND*", "*AUFSICHT", "PELAN", "DENAH", "RCP", "LAYOUT", "AXON*", "ISOMETRIC*", "ISO", "PERSPECTIVE*", "3D", "DIAGRAM*", "RISER*", "SCHEMA*",
        "KEYPLAN", "RENDERING*"];
    pub(super) const SECTION: &[&str] = &["SECTION", "SECTIONS", "SECT", "SECCION", "SECCIONES", "CORTE", "CORTES", "COUPE", "COUPES", "*SCHNITT",
        "*SCHNITTE", "KESIT*", "SEZIONE", "SEZIONI", "DOORSNEDE*", "DOORSNEDEN", "KERATAN", "POTONGAN"];
    pub(super) const DETAIL: &[&str] = &["DETAIL*", "DTL", "DTLS", "DET", "DETALLE*", "DETALHE*", "PORMENOR*", "*DETAIL", "*DETAILS", "DETTAGLI*", "PARTICOLAR*",
        "DETAY*", "BUTIRAN", "MOUNTING", "JAMB", "SILL", "THRESHOLD", "CLEARANCE*", "DIAGRAM"];
    pub(super) const LIST: &[&str] = &["SCHEDULE*", "SCHED", "NOTES", "LEGEND*", "ABBREVIATION*", "SYMBOLS", "INDEX", "CUADRO*", "NOTAS", "LEYENDA", "TABLEAU*",
        "HINWEISE", "LEGENDE", "*LISTE", "*LISTESI", "NOTLAR", "NOTE", "ABACO", "ABACHI", "LEGENDA", "JADUAL", "RAUMBUCH", "QUADRO*", "KEYNOTES"];
    pub(super) const TYPES: &[&str] = &["TYPES", "TYPE", "TIPOS", "TIPO", "TIPI", "TIPLERI", "*TYPEN", "JENIS"];
    /// What has elevations of its own that are no walls.
    pub(super) const OPENINGS: &[&str] = &["DOOR", "DOORS", "WINDOW*", "FRAME", "FRAMES", "STOREFRONT*", "CURTAIN", "GLAZING", "LOUVER*", "GATE*", "FENCE*", "SIGN",
        "SIGNAGE", "PUERTA*", "VENTANA*", "PORTE*", "FENETRE*", "*TUR", "*TUREN", "*FENSTER", "KAPI", "PENCERE*", "PORTA*", "FINESTR*", "PINTU", "TINGKAP"];
}

/// Where a wall is.
#[rustfmt::skip]
mod place {
    pub(super) const INSIDE: &[&str] = &["INTERIOR*", "INT", "INTERIEUR*", "INTERN*", "INNEN*", "WAND*", "*ABWICKLUNG*", "IC", "BINNEN*", "DALAMAN"];
    pub(super) const OUTSIDE: &[&str] = &["EXTERIOR*", "EXT", "EXTERIEUR*", "ESTERN*", "AUSSEN*", "FACADE*", "FACHADA*", "*GEVEL", "*GEVELS", "CEPHE*", "BUILDING",
        "STREET*", "SITE", "ROOF*", "GARAGE", "LUAR*", "DIS", "*STRASSE", "GARTEN*", "HOUSE", "HADAPAN", "BELAKANG", "FRONT", "REAR", "COURTYARD", "FRONTAL",
        "POSTERIOR", "PRINCIPAL"];
    /// What is built into rooms.
    pub(super) const BUILT_IN: &[&str] = &["CASEWORK", "MILLWORK", "CABINET*", "VANITY", "COUNTER*", "FIREPLACE", "SHELVING", "SHELVES", "WARDROBE*", "BACKSPLASH",
        "ISLAND"];
    pub(super) const DIRECTIONS: &[&str] = &["NORTH*", "SOUTH*", "EAST*", "WEST*", "N", "S", "E", "W", "NE", "NW", "SE", "SW", "NORTE", "SUR", "ESTE", "OESTE",
        "NORD", "SUD", "EST", "OUEST", "OVEST", "OST", "SUL", "LESTE", "KUZEY", "GUNEY", "DOGU", "BATI", "NOORD", "ZUID", "OOST", "UTARA", "SELATAN", "TIMUR",
        "BARAT", "WALL", "WALLS"];
}

impl ViewKind {
    /// What a text says.
    pub fn of(text: &str) -> Self {
        let words = words(text);
        let has = |patterns: &[&str]| words.iter().any(|word| patterns.iter().any(|pattern| fits(word, pattern)));
        let elevation = has(noun::ELEVATION);
        let inside = has(place::INSIDE);
        if has(noun::LIST) || has(noun::TYPES) || (elevation && has(noun::OPENINGS)) || has(noun::DETAIL) {
            return Self::Other;
        }
        if has(noun::SECTION) && !(elevation && inside) {
            return Self::Other;
        }
        if has(noun::PLAN) {
            return Self::Other;
        }
        if has(place::OUTSIDE) && !inside {
            return Self::Outside;
        }
        let room = has(place::BUILT_IN) || words.iter().any(|word| is_furnished_room(word));
        let direction = has(place::DIRECTIONS);
        match (elevation, inside, room, direction) {
            (_, true, ..) | (true, _, true, _) | (_, _, true, true) => Self::Inside,
            (true, ..) | (_, _, _, true) => Self::Elevation,
            (_, _, true, _) => Self::Room,
            _ => Self::Silent,
        }
    }

    /// Whether a text names a drawing of any kind.
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
            assert_eq!(ViewKind::of(title), expected, "{title}");
        }
    }
}
