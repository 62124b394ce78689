//! The divisions of MasterFormat and their standard titles in the two editions in use.

/// An edition of MasterFormat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edition {
    /// 16 divisions, five digits (CSI/CSC MasterFormat 1995 and older).
    Of1995,
    /// 50 divisions, six digits in pairs (MasterFormat 2004 and later).
    Since2004,
}

/// Division titles of MasterFormat 1995. Division 17 was never official.
const TITLES_1995: [(u8, &str); 17] = [
    (0, "Introductory Information, Bidding Requirements, and Contracting Requirements"),
    (1, "General Requirements"),
    (2, "Site Construction"),
    (3, "Concrete"),
    (4, "Masonry"),
    (5, "Metals"),
    (6, "Wood and Plastics"),
    (7, "Thermal and Moisture Protection"),
    (8, "Doors and Windows"),
    (9, "Finishes"),
    (10, "Specialties"),
    (11, "Equipment"),
    (12, "Furnishings"),
    (13, "Special Construction"),
    (14, "Conveying Systems"),
    (15, "Mechanical"),
    (16, "Electrical"),
];

/// Division titles of MasterFormat since 2004, as of 2020. Missing numbers are reserved.
const TITLES_SINCE_2004: [(u8, &str); 35] = [
    (0, "Procurement and Contracting Requirements"),
    (1, "General Requirements"),
    (2, "Existing Conditions"),
    (3, "Concrete"),
    (4, "Masonry"),
    (5, "Metals"),
    (6, "Wood, Plastics, and Composites"),
    (7, "Thermal and Moisture Protection"),
    (8, "Openings"),
    (9, "Finishes"),
    (10, "Specialties"),
    (11, "Equipment"),
    (12, "Furnishings"),
    (13, "Special Construction"),
    (14, "Conveying Equipment"),
    (21, "Fire Suppression"),
    (22, "Plumbing"),
    (23, "Heating, Ventilating, and Air Conditioning (HVAC)"),
    (25, "Integrated Automation"),
    (26, "Electrical"),
    (27, "Communications"),
    (28, "Electronic Safety and Security"),
    (31, "Earthwork"),
    (32, "Exterior Improvements"),
    (33, "Utilities"),
    (34, "Transportation"),
    (35, "Waterway and Marine Construction"),
    (40, "Process Interconnections"),
    (41, "Material Processing and Handling Equipment"),
    (42, "Process Heating, Cooling, and Drying Equipment"),
    (43, "Process Gas and Liquid Handling, Purification, and Storage Equipment"),
    (44, "Pollution and Waste Control Equipment"),
    (45, "Industry-Specific Manufacturing Equipment"),
    (46, "Water and Wastewater Equipment"),
    (48, "Electrical Power Generation"),
];

/// The highest division of any edition.
pub const LAST_DIVISION: u8 = 49;

/// Returns the standard title of a division; `None` for a division that the edition does not have.
pub fn division_title(division: u8, edition: Edition) -> Option<&'static str> {
    let titles: &[(u8, &str)] = match edition {
        Edition::Of1995 => &TITLES_1995,
        Edition::Since2004 => &TITLES_SINCE_2004,
    };
    titles.iter().find(|(number, _)| *number == division).map(|(_, title)| *title)
}

/// Returns whether `title` is a division's standard title in either edition, apart from case, punctuation and "and".
pub fn is_division_title(division: u8, title: &str) -> bool {
    let letters = |text: &str| {
        let letters: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect();
        letters.replace("AND", "")
    };
    let wanted = letters(title);
    let hvac = division == 23 && wanted == "HVAC";
    hvac || [Edition::Of1995, Edition::Since2004].iter().any(|&edition| {
        division_title(division, edition)
            .is_some_and(|standard| letters(standard).replace("HVAC", "") == wanted.replace("HVAC", ""))
    })
}
