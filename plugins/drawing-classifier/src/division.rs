//! The `MasterFormat` division that a sheet's content belongs to.
//!
//! Most drawings show the work of many divisions and belong to none. A schedule, a plan of one trade and a
//! discipline's sheets belong to one; a title that names two trades to none.

use fanlight_masterformat::divisions::{Edition, division_title};

use crate::result::{Discipline, Division, DrawingType};
use crate::words::{any, words};

/// Words of titles and the division of what they name.
#[rustfmt::skip]
const TRADES: &[(u8, &[&str])] = &[
    (3, &["CONCRETE", "REINFORCEMENT", "REBAR", "FOUNDATION", "FOUNDATIONS", "FOOTING*", "CIMENTACION*", "FONDATION*", "FUNDAMENT*", "FONDAZION*", "FUNDACOES", "TEMEL*", "FUNDERING*"]),
    (4, &["MASONRY", "BRICK*", "CMU"]),
    (5, &["STEEL", "JOIST*", "STEELWORK"]),
    (6, &["MILLWORK", "CASEWORK", "CARPENTRY", "CABINET*"]),
    (7, &["ROOF", "ROOFING", "WATERPROOFING", "CUBIERTA*", "TOITURE*", "DACH*", "COBERTURA*", "CATI", "COPERTUR*", "BUMBUNG"]),
    (8, &["DOOR", "DOORS", "WINDOW", "WINDOWS", "GLAZING", "STOREFRONT*", "HARDWARE", "PUERTAS", "VENTANAS", "PORTES", "FENETRES", "TUR*", "FENSTER*", "VAOS", "KAPI", "PENCERE", "SERRAMENTI", "*KOZIJN*", "PINTU", "TINGKAP"]),
    (9, &["FINISH", "FINISHES", "CEILING", "CEILINGS", "RCP", "TILE", "FLOORING", "PAINT*", "ACABADOS", "PLAFOND*", "FINITIONS", "FINITURE", "KEMASAN", "SILING"]),
    (10, &["SIGNAGE", "SPECIALTIES"]),
    (12, &["FURNITURE", "FURNISHINGS"]),
    (14, &["ELEVATOR", "ELEVATORS", "ESCALATOR*"]),
    (28, &["ALARM", "SECURITY"]),
    (32, &["LANDSCAPE", "PLANTING", "IRRIGATION", "PAVING", "STRIPING"]),
    (31, &["GRADING", "EROSION", "EXCAVATION"]),
    (33, &["UTILITY", "UTILITIES", "SEWER"]),
];

/// The division of a sheet, where it is one.
pub(crate) fn of(title: &str, discipline: Discipline, kind: DrawingType) -> Option<Division> {
    let code = match discipline {
        Discipline::Plumbing => Some(22),
        Discipline::Mechanical => Some(23),
        Discipline::Electrical => Some(26),
        Discipline::Landscape => Some(32),
        Discipline::Fire if any(&words(title), &["ALARM", "DETECTION"]) => Some(28),
        Discipline::Fire => Some(21),
        _ => by_type(title, kind),
    }?;
    let name = division_title(code, Edition::Since2004)?;
    Some(Division { code: format!("{code:02}"), name: name.to_owned() })
}

fn by_type(title: &str, kind: DrawingType) -> Option<u8> {
    match kind {
        DrawingType::DemolitionPlan => Some(2),
        DrawingType::RoofPlan => Some(7),
        DrawingType::FinishPlan | DrawingType::ReflectedCeilingPlan => Some(9),
        DrawingType::FoundationPlan => Some(3),
        DrawingType::Schedules | DrawingType::Details | DrawingType::SitePlan | DrawingType::FramingPlan => {
            trade(title)
        }
        _ => None,
    }
}

/// The one trade that a title names.
fn trade(title: &str) -> Option<u8> {
    let words = words(title);
    let mut named = TRADES.iter().filter(|(_, names)| any(&words, names)).map(|(code, _)| *code);
    let first = named.next()?;
    named.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_of_one_trade_belongs_to_its_division() {
        for (title, discipline, kind, expected) in [
            ("DOOR SCHEDULE", Discipline::Architectural, DrawingType::Schedules, Some("08")),
            ("WINDOW & ROOM FINISH SCHEDULE", Discipline::Architectural, DrawingType::Schedules, None),
            ("PLUMBING PLAN", Discipline::Plumbing, DrawingType::FloorPlan, Some("22")),
            ("FIRE ALARM PLAN", Discipline::Fire, DrawingType::FloorPlan, Some("28")),
            ("GROUND FLOOR PLAN", Discipline::Architectural, DrawingType::FloorPlan, None),
            ("ROOF PLAN", Discipline::Architectural, DrawingType::RoofPlan, Some("07")),
        ] {
            assert_eq!(of(title, discipline, kind).map(|division| division.code).as_deref(), expected, "{title}");
        }
    }
}
