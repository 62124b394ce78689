//! The MasterFormat division that a sheet's content belongs to.
//!
//! Most drawings show the work of many divisions and belong to none. A schedule, a plan of one
//! trade and the sheets of some disciplines belong to one. A title that names two trades belongs to
//! none.

use fanlight_masterformat::divisions::{Edition, division_title};
use fanlight_text::vocabulary::Vocabulary;
use fanlight_text::words as vocabularies;

use crate::result::{Discipline, Division, DrawingType};
use crate::words::words;

/// Returns the vocabularies of the titles of sheets, by the number of the division of what they name.
fn trades() -> [(u8, &'static Vocabulary); 14] {
    [
        (3, &vocabularies::DIVISION_03),
        (4, &vocabularies::DIVISION_04),
        (5, &vocabularies::DIVISION_05),
        (6, &vocabularies::DIVISION_06),
        (7, &vocabularies::DIVISION_07),
        (8, &vocabularies::DIVISION_08),
        (9, &vocabularies::DIVISION_09),
        (10, &vocabularies::DIVISION_10),
        (12, &vocabularies::DIVISION_12),
        (14, &vocabularies::DIVISION_14),
        (28, &vocabularies::DIVISION_28),
        (31, &vocabularies::DIVISION_31),
        (32, &vocabularies::DIVISION_32),
        (33, &vocabularies::DIVISION_33),
    ]
}

/// Returns the division of a sheet, if it is exactly one.
pub(crate) fn from_title(title: &str, discipline: Discipline, kind: DrawingType) -> Option<Division> {
    let code = match discipline {
        Discipline::Plumbing => Some(22),
        Discipline::Mechanical => Some(23),
        Discipline::Electrical => Some(26),
        Discipline::Landscape => Some(32),
        Discipline::Fire if words(title).iter().any(|word| word == "ALARM" || word == "DETECTION") => Some(28),
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

/// Returns the only trade that a title names.
fn trade(title: &str) -> Option<u8> {
    let words = words(title);
    let mut named = trades().into_iter().filter(|(_, names)| names.matches_any(&words)).map(|(code, _)| code);
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
            assert_eq!(
                from_title(title, discipline, kind).map(|division| division.code).as_deref(),
                expected,
                "{title}"
            );
        }
    }
}
