//! The positions of a row's cells.

use super::super::book::Section;
use super::super::style::{Arrangement, Extras, PageNumber, Rules};
use super::super::wording::Wording;
use super::{Ink, Setter};

/// The positions of a row's cells.
pub(super) struct Row {
    pub(super) number: f32,
    pub(super) title: f32,
    pub(super) title_width: f32,
    pub(super) page_right: f32,
    /// Left edge, width, kind.
    pub(super) extras: Vec<(f32, f32, Extra)>,
    /// The vertical rules of a grid between the outer ones.
    pub(super) borders: Vec<f32>,
}

/// An additional column.
#[derive(Clone, Copy)]
pub(super) enum Extra {
    Date,
    Consultant,
    Revision,
}

impl Extra {
    pub(super) fn head(self, words: &Wording) -> &'static str {
        match self {
            Extra::Date => words.date,
            Extra::Consultant => words.discipline,
            Extra::Revision => words.revision,
        }
    }

    pub(super) fn text(self, section: &Section) -> &str {
        match self {
            Extra::Date => &section.date,
            Extra::Consultant => section.consultant,
            Extra::Revision => &section.revision,
        }
    }

    /// Returns the width of its widest entry and header, with a gap.
    fn width(self, ink: Ink, bold: Ink, words: &Wording) -> f32 {
        let widest = match self {
            Extra::Date => "2024-00-00",
            Extra::Consultant => "MEP",
            Extra::Revision => "ADD 1",
        };
        ink.width(widest).max(bold.width(self.head(words))) + 10.0
    }
}

impl Extras {
    fn left(self) -> &'static [Extra] {
        match self {
            Extras::DateLeft => &[Extra::Date],
            Extras::ConsultantLeft => &[Extra::Consultant],
            Extras::None
            | Extras::DateRight
            | Extras::ConsultantAndRevision
            | Extras::DateBetween
            | Extras::DateAndRevisionBetween => &[],
        }
    }

    fn between(self) -> &'static [Extra] {
        match self {
            Extras::DateBetween => &[Extra::Date],
            Extras::DateAndRevisionBetween => &[Extra::Date, Extra::Revision],
            _ => &[],
        }
    }

    fn right(self) -> &'static [Extra] {
        match self {
            Extras::DateRight => &[Extra::Date],
            Extras::ConsultantAndRevision => &[Extra::Revision, Extra::Consultant],
            Extras::None
            | Extras::DateLeft
            | Extras::ConsultantLeft
            | Extras::DateBetween
            | Extras::DateAndRevisionBetween => &[],
        }
    }
}

impl Setter<'_> {
    /// Returns the positions of a row's cells in the current column.
    pub(super) fn layout(&self) -> Row {
        let ink = self.ink(false);
        let (left, right) = self.column_span();
        let grid = self.style.rules == Rules::Grid;
        let pad = if grid { 5.0 } else { 0.0 };
        let mut x = left + if grid { pad } else { f32::from(self.style.indent) };
        let mut end = right - pad;
        let mut extras = Vec::new();
        let mut borders = Vec::new();
        let page_width = self.page_width(ink);
        let page_right = end;
        if page_width > 0.0 {
            end -= page_width + 10.0 + pad;
            borders.push(end + 5.0);
        }
        for kind in self.style.extras.left() {
            let width = kind.width(ink, self.ink(true), self.words);
            extras.push((x, width, *kind));
            x += width + pad;
            borders.push(x - pad);
        }
        for kind in self.style.extras.right() {
            let width = kind.width(ink, self.ink(true), self.words);
            end -= width + pad;
            extras.push((end + pad, width, *kind));
            borders.push(end);
        }
        let head = if self.style.rules == Rules::None { 0.0 } else { self.ink(true).width(self.words.number) };
        let widest = self.widest_number.max(head);
        let (number, title, title_end) = match self.style.arrangement {
            Arrangement::Inline | Arrangement::Stacked => (x, x, end),
            Arrangement::NumberTitle => {
                let mut title = x + widest + 14.0 + pad;
                borders.push(title - pad);
                for kind in self.style.extras.between() {
                    let width = kind.width(ink, self.ink(true), self.words);
                    extras.push((title, width, *kind));
                    title += width + pad;
                    borders.push(title - pad);
                }
                (x, title, end)
            }
            Arrangement::TitleNumber => {
                let number = end - widest;
                borders.push(number - pad - 4.0);
                (number, x, number - 14.0)
            }
        };
        let share = f32::from(self.style.title_width.clamp(30, 100)) / 100.0;
        Row { number, title, title_width: (title_end - title) * share, page_right, extras, borders }
    }

    fn page_width(&self, ink: Ink) -> f32 {
        let sample = match self.style.page_number {
            PageNumber::None => return 0.0,
            PageNumber::Absolute => "1000",
            PageNumber::PerSection => "00 00 00.00-1",
            PageNumber::SectionSpan => "00 00 00.00-1 to 00 00 00.00-00",
            PageNumber::Count => "00",
            PageNumber::CountWords => "00 pages",
            PageNumber::Span => "1 thru 00",
            PageNumber::Roman => "xxviii",
        };
        let head =
            if self.style.rules == Rules::None && self.style.extras == Extras::None { "" } else { self.words.pages };
        ink.width(sample).max(self.ink(true).width(head))
    }
}
