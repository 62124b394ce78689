//! The divisions of MasterFormat and their standard titles in the two editions in use.

use fanlight_text::words::{DIVISION_TITLES_1995, DIVISION_TITLES_SINCE_2004, value_of};

/// An edition of MasterFormat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edition {
    /// 16 divisions, five digits (CSI/CSC MasterFormat 1995 and older).
    Of1995,
    /// 50 divisions, six digits in pairs (MasterFormat 2004 and later).
    Since2004,
}

/// The highest division of any edition.
pub const LAST_DIVISION: u8 = 49;

/// Returns the standard title of a division; `None` for a division that the edition does not have.
pub fn division_title(division: u8, edition: Edition) -> Option<&'static str> {
    let titles = match edition {
        Edition::Of1995 => &DIVISION_TITLES_1995,
        Edition::Since2004 => &DIVISION_TITLES_SINCE_2004,
    };
    value_of(titles, &format!("{division:02}"))
}

/// Returns whether `title` is a division's standard title in either edition, apart from case, punctuation and "and".
pub fn is_division_title(division: u8, title: &str) -> bool {
    let wanted = letters(title);
    let hvac = division == 23 && wanted == "HVAC";
    hvac || [Edition::Of1995, Edition::Since2004].iter().any(|&edition| {
        division_title(division, edition)
            .is_some_and(|standard| letters(standard).replace("HVAC", "") == wanted.replace("HVAC", ""))
    })
}

/// Returns the letters and digits of a title in upper case, without "AND".
fn letters(title: &str) -> String {
    let letters: String = title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect();
    letters.replace("AND", "")
}
