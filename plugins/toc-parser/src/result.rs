//! The result as clients read it.

use fanlight_masterformat::Number;
use fanlight_masterformat::divisions::{self, Edition};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The table of contents of a project manual.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contents {
    /// In document order, each division once.
    pub divisions: Vec<Division>,
    /// How many pages were looked at.
    pub pages_analyzed: u32,
}

/// A division.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Division {
    /// Two digits: "08".
    pub division_code: String,
    /// As printed; where no heading is printed, MasterFormat's title in the edition of its sections' numbers.
    pub division_title: String,
    /// In document order; empty where the contents print a division's heading alone.
    pub sections: Vec<Section>,
}

/// A section or document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// Six digits, without a level-4 number: "083453". A number of MasterFormat 1995 has a 0 at its end: "08110" is
    /// "081100".
    pub section_code: String,
    /// As printed.
    pub section_title: String,
}

/// Gathers sections by division, divisions in the order in which they come up first.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    divisions: Vec<Gathered>,
}

#[derive(Debug)]
struct Gathered {
    number: u8,
    title: String,
    edition: Edition,
    sections: Vec<Section>,
}

impl Gathering {
    /// A division's heading. The first title that isn't empty stays.
    pub(crate) fn add_division(&mut self, number: u8, title: &str) {
        let division = self.division(number);
        if division.title.is_empty() {
            title.clone_into(&mut division.title);
        }
    }

    /// A section, to the division that its number says.
    pub(crate) fn add_section(&mut self, number: &Number, title: String) {
        let division = self.division(number.division());
        if division.sections.is_empty() {
            division.edition = number.edition;
        }
        division.sections.push(Section { section_code: number.six.clone(), section_title: title });
    }

    fn division(&mut self, number: u8) -> &mut Gathered {
        let at = self.divisions.iter().position(|division| division.number == number).unwrap_or_else(|| {
            let fresh = Gathered { number, title: String::new(), edition: Edition::Since2004, sections: Vec::new() };
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
