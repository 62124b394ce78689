//! The result that clients read.

use fanlight_masterformat::Number;
use fanlight_masterformat::divisions::{self, Edition};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The table of contents of a project manual.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contents {
    /// The divisions in document order, each once.
    pub divisions: Vec<Division>,
    /// The number of pages that were read.
    pub pages_analyzed: u32,
}

/// A division of the manual.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Division {
    /// The division's number with two digits: "08".
    pub division_code: String,
    /// The title as printed. If no heading is printed, MasterFormat's title in the edition of the
    /// sections' numbers.
    pub division_title: String,
    /// The sections in document order. Empty if the contents print only the division's heading.
    pub sections: Vec<Section>,
}

/// A section or document of the manual.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// The section's number with six digits, without a level-4 number: "083453". A number of
    /// MasterFormat 1995 ends with an added 0: "08110" is "081100".
    pub section_code: String,
    /// The title as printed.
    pub section_title: String,
}

/// Groups sections by division, with divisions in the order of their first mention.
#[derive(Debug, Default)]
pub(crate) struct DivisionList {
    divisions: Vec<ListedDivision>,
}

#[derive(Debug)]
struct ListedDivision {
    number: u8,
    title: String,
    edition: Edition,
    sections: Vec<Section>,
}

impl DivisionList {
    /// Adds the heading of a division. The first title that is not empty is kept.
    pub(crate) fn add_division(&mut self, number: u8, title: &str) {
        let division = self.division(number);
        if division.title.is_empty() {
            title.clone_into(&mut division.title);
        }
    }

    /// Adds a section to the division of its number.
    pub(crate) fn add_section(&mut self, number: &Number, title: String) {
        let division = self.division(number.division());
        if division.sections.is_empty() {
            division.edition = number.edition;
        }
        division.sections.push(Section { section_code: number.six.clone(), section_title: title });
    }

    fn division(&mut self, number: u8) -> &mut ListedDivision {
        let at = self.divisions.iter().position(|division| division.number == number).unwrap_or_else(|| {
            let fresh =
                ListedDivision { number, title: String::new(), edition: Edition::Since2004, sections: Vec::new() };
            self.divisions.push(fresh);
            self.divisions.len() - 1
        });
        &mut self.divisions[at]
    }

    pub(crate) fn finish(self) -> Vec<Division> {
        let standard = |number, edition| divisions::division_title(number, edition).unwrap_or_default().to_owned();
        self.divisions
            .into_iter()
            .map(|division| Division {
                division_code: format!("{:02}", division.number),
                division_title: if division.title.is_empty() {
                    standard(division.number, division.edition)
                } else {
                    division.title
                },
                sections: division.sections,
            })
            .collect()
    }
}
