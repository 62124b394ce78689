//! Invented projects: no owner, firm or place of these exists.

use crate::chance::Chance;

/// What covers, headers and footers name.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) architect: String,
    pub(crate) address: String,
    /// Formatted so that some look like section numbers.
    pub(crate) number: String,
    pub(crate) date: String,
    pub(crate) phase: &'static str,
}

const PLACES: &[&str] = &[
    "Alder Fork",
    "Brindlewood",
    "Copper Mesa",
    "Dunmarrow",
    "Eastering",
    "Fallow Creek",
    "Gannet Bay",
    "Hollis Ferry",
    "Ivory Bluff",
    "Juniper Flats",
    "Kettle Falls Road",
    "Larkhaven",
    "Mossgate",
    "North Ravensby",
    "Oxbow Landing",
    "Pellham",
    "Quarry Hill",
    "Rushing Water",
    "Saltmarsh",
    "Tamarack Point",
    "Upper Wexcombe",
    "Vesper Valley",
];
const BUILDINGS: &[&str] = &[
    "Community Library",
    "Middle School Addition",
    "Fire Station No. 7",
    "Water Reclamation Plant",
    "Field House",
    "Public Safety Center",
    "Research Laboratory",
    "Performing Arts Hall",
    "Veterans Clinic",
    "Transit Depot",
    "Recreation Center",
    "Municipal Courthouse",
    "Student Residence",
    "Outpatient Pavilion",
    "Maintenance Hangar",
    "Elementary School Modernization",
    "Parking Structure 2",
    "Food Bank Warehouse",
    "Senior Housing, Phase 3",
];
const OWNERS: &[&str] =
    &["County of", "Town of", "School District of", "Port Authority of", "City of", "University at"];
const PARTNERS: &[&str] = &[
    "Ashgrove",
    "Bellweather",
    "Cardinal & Pike",
    "Drummond Voss",
    "Ellery",
    "Farrow Stone",
    "Greyling",
    "Hadley Marsh",
    "Inkwell",
    "Jessup Thorne",
    "Kestrel",
    "Lindqvist Rowe",
    "Merriweather",
    "Norcross",
    "Oakhurst Bly",
];
const FIRMS: &[&str] =
    &["Architects", "Architecture, PC", "Design Group", "Studio", "Associates, Inc.", "Architects LLP"];
const STREETS: &[&str] = &["Harbor Street", "Mill Lane", "Foundry Avenue", "Orchard Road", "Station Square"];
const MONTHS: &[&str] = &[
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const PHASES: &[&str] =
    &["Issued for Bid", "100% Construction Documents", "Bid Set", "Permit Set", "Conformed Set", "Addendum 2"];

impl Project {
    pub(crate) fn invent(chance: &mut Chance) -> Self {
        let place = *chance.pick(PLACES);
        let (month, day, year) = (chance.between(1, 12), chance.between(1, 28), chance.between(2006, 2026));
        let two = |chance: &mut Chance, high: u32| format!("{:02}", chance.between(0, high));
        let number = match chance.between(0, 4) {
            0 => format!("{} {} {}", two(chance, 26), two(chance, 31), two(chance, 19)),
            1 => format!("{:02}{:04}", year % 100, chance.between(1, 9999)),
            2 => format!("{year}-{:03}", chance.between(1, 999)),
            3 => format!("{}.{}.{}", two(chance, 26), two(chance, 40), two(chance, 99)),
            _ => format!("{:05}", chance.between(1001, 16999)),
        };
        let date = match chance.between(0, 3) {
            0 => format!("{} {day}, {year}", chance.pick(MONTHS)),
            1 => format!("{month:02}/{day:02}/{year}"),
            2 => format!("{month:02} {day:02} {:02}", year % 100),
            _ => format!("{year}-{month:02}-{day:02}"),
        };
        Self {
            name: format!("{place} {}", chance.pick(BUILDINGS)),
            owner: format!("{} {}", chance.pick(OWNERS), chance.pick(PLACES)),
            architect: format!("{} {}", chance.pick(PARTNERS), chance.pick(FIRMS)),
            address: format!(
                "{} {}, Suite {}   Tel {:03} 555 {:04}",
                chance.between(10, 9900),
                chance.pick(STREETS),
                chance.between(100, 999),
                chance.between(201, 989),
                chance.between(100, 199),
            ),
            number,
            date,
            phase: *chance.pick(PHASES),
        }
    }
}
