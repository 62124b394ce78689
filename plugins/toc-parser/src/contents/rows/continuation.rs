//! The rules by which a row without a number continues the title or the division heading above it. Each works on what has
//! been measured of the row, without the page.

use super::layout::{LOOSEST_LEADING, TITLE_LEADING};

/// Two lines of a title that are centred vertically on its number are closer than this, in em.
pub(super) const HALF_LINE: f32 = 0.95;

/// The horizontal place of a row below a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At the titles' left edge.
    AtTitles,
    /// Hanging: to the right of the titles' left edge.
    Hanging,
    /// Below the number.
    UnderNumber,
    /// Between number and title.
    BeforeTitles,
    /// Anywhere else.
    Elsewhere,
}

/// A row below an entry.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one observation, and the rules combine them")]
pub(super) struct BelowEntry {
    /// Whether its letters are as large as the title's, and close enough to it.
    pub(super) is_near: bool,
    /// Whether the title has its page already, and the row has one too.
    pub(super) has_second_page: bool,
    /// Whether the title cannot end above the row, by their words, page or position.
    pub(super) is_connected: bool,
    /// Whether the line above has no room for the row's first word.
    pub(super) is_full: bool,
    /// Whether the row is as bold as the line above it.
    pub(super) has_weight_of_line: bool,
    /// Whether both the row and the line above it are in capitals, or neither is.
    pub(super) has_case_of_line: bool,
    /// Whether the row is as bold as the number.
    pub(super) has_weight_of_entry: bool,
    /// Whether the row is a sentence of its own, which describes the section.
    pub(super) is_sentence: bool,
    /// Whether the next number is further from the row than the title.
    pub(super) is_closer_above: bool,
    /// Whether numbers and titles are one running text.
    pub(super) is_inline: bool,
    pub(super) place: Place,
}

impl BelowEntry {
    /// Returns whether the row continues the title.
    pub(super) fn continues(&self) -> bool {
        let is_other_weight = !self.has_weight_of_line && !self.has_weight_of_entry && !self.is_connected;
        if !self.is_near || self.has_second_page || is_other_weight || self.is_sentence {
            return false;
        }
        match self.place {
            Place::Hanging => true,
            Place::AtTitles => self.is_connected || self.is_full || self.is_closer_above,
            Place::BeforeTitles if self.is_inline => self.is_connected || self.is_full || self.has_weight_of_line,
            Place::UnderNumber => {
                self.is_connected || (self.is_full && self.has_weight_of_line && self.has_case_of_line)
            }
            Place::BeforeTitles => self.is_connected,
            Place::Elsewhere => false,
        }
    }
}

/// A row below the heading of a division.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one observation, and the rules combine them")]
pub(super) struct BelowDivision {
    /// The distance to the heading, in em.
    pub(super) step: f32,
    /// Whether the heading has a title already.
    pub(super) has_title: bool,
    /// Whether the row has the heading's size, weight and case.
    pub(super) is_same_style: bool,
    /// Whether the heading cannot end above the row, by their words.
    pub(super) is_connected: bool,
    /// Whether the row is indented and centred below the heading.
    pub(super) is_centred: bool,
    /// Whether the row is indented and the heading has no room for its first word.
    pub(super) hangs_below_full: bool,
}

impl BelowDivision {
    /// Returns whether the row continues the heading.
    pub(super) fn continues(&self) -> bool {
        if !self.has_title {
            return self.step <= LOOSEST_LEADING;
        }
        self.step <= TITLE_LEADING
            && self.is_same_style
            && (self.is_connected || self.is_centred || self.hangs_below_full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row near a title at the titles' left edge, with nothing that ties it to the title.
    const LOOSE: BelowEntry = BelowEntry {
        is_near: true,
        has_second_page: false,
        is_connected: false,
        is_full: false,
        has_weight_of_line: true,
        has_case_of_line: true,
        has_weight_of_entry: true,
        is_sentence: false,
        is_closer_above: false,
        is_inline: false,
        place: Place::AtTitles,
    };

    #[test]
    fn a_loose_line_at_the_titles_is_no_continuation() {
        assert!(!LOOSE.continues());
    }

    #[test]
    fn a_hanging_line_continues_a_title() {
        assert!(BelowEntry { place: Place::Hanging, ..LOOSE }.continues());
    }

    #[test]
    fn a_line_at_the_titles_continues_what_is_open_full_or_closer() {
        assert!(BelowEntry { is_connected: true, ..LOOSE }.continues());
        assert!(BelowEntry { is_full: true, ..LOOSE }.continues());
        assert!(BelowEntry { is_closer_above: true, ..LOOSE }.continues());
    }

    #[test]
    fn a_line_far_below_or_with_a_second_page_is_no_continuation() {
        let connected = BelowEntry { is_connected: true, ..LOOSE };
        assert!(!BelowEntry { is_near: false, ..connected }.continues());
        assert!(!BelowEntry { has_second_page: true, ..connected }.continues());
    }

    #[test]
    fn a_sentence_is_no_continuation() {
        let connected = BelowEntry { is_connected: true, ..LOOSE };
        assert!(!BelowEntry { is_sentence: true, ..connected }.continues());
    }

    #[test]
    fn a_line_of_another_weight_continues_only_what_is_connected() {
        let heavy =
            BelowEntry { has_weight_of_line: false, has_weight_of_entry: false, place: Place::Hanging, ..LOOSE };
        assert!(!heavy.continues());
        assert!(BelowEntry { is_connected: true, ..heavy }.continues());
    }

    #[test]
    fn a_line_below_the_number_continues_only_a_full_line() {
        let below = BelowEntry { place: Place::UnderNumber, ..LOOSE };
        assert!(!below.continues());
        assert!(BelowEntry { is_full: true, ..below }.continues());
        assert!(!BelowEntry { is_full: true, has_weight_of_line: false, ..below }.continues());
        assert!(!BelowEntry { is_full: true, has_case_of_line: false, ..below }.continues());
    }

    #[test]
    fn a_line_between_number_and_titles_continues_only_running_text() {
        let between = BelowEntry { place: Place::BeforeTitles, ..LOOSE };
        assert!(!between.continues());
        assert!(BelowEntry { is_inline: true, ..between }.continues());
    }

    /// A row at the left edge of a heading with a title, in its style.
    const BESIDE: BelowDivision = BelowDivision {
        step: 1.2,
        has_title: true,
        is_same_style: true,
        is_connected: false,
        is_centred: false,
        hangs_below_full: false,
    };

    #[test]
    fn a_line_near_a_heading_without_title_is_its_title() {
        assert!(BelowDivision { has_title: false, is_same_style: false, step: 2.0, ..BESIDE }.continues());
        assert!(!BelowDivision { has_title: false, step: 3.0, ..BESIDE }.continues());
    }

    #[test]
    fn a_heading_goes_on_in_its_style_only() {
        assert!(!BESIDE.continues());
        let connected = BelowDivision { is_connected: true, ..BESIDE };
        assert!(connected.continues());
        assert!(!BelowDivision { is_same_style: false, ..connected }.continues());
        assert!(!BelowDivision { step: 2.0, ..connected }.continues());
    }

    #[test]
    fn a_centred_line_or_one_below_a_full_heading_continues_it() {
        assert!(BelowDivision { is_centred: true, ..BESIDE }.continues());
        assert!(BelowDivision { hangs_below_full: true, ..BESIDE }.continues());
    }
}
