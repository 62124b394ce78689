//! The styles of bound sections.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::chance::Chance;
use crate::manual::Numbering;
use crate::pdf::{Family, TextUnit, WritingOrder};
use crate::presets::Presets;

style_enum! {
    /// The heading of a section.
    Heading {
        /// `SECTION 08 11 13`, the title below, both centred.
        Centred,
        /// `SECTION 08 11 13` and the title below, at the left.
        Left,
        /// `SECTION 08 11 13 - TITLE`.
        OneLine,
        /// `Section 08 11 13`, the title below in mixed case.
        Mixed,
        /// `08 11 13 - TITLE`, without a word before the number.
        NumberTitle,
        /// `HOLLOW METAL DOORS  SECTION 08 11 13`.
        TitleNumber,
        /// No heading: only the header names the section.
        HeaderOnly,
        /// The title, and `SECTION 08 11 13` below it, both centred.
        TitleAbove,
        /// The title at the left and `SECTION 08 11 13` at the right of one line.
        Apart,
        /// `08 11 13` alone, the title below, both centred.
        NumberAlone,
        /// `DIVISION 08` above `SECTION 08 11 13 - TITLE`.
        UnderDivision,
        /// `SPECIFICATION SECTION NO. 08 11 13`, the title below.
        LongWord,
    }
}

style_enum! {
    /// The heading of a part.
    PartForm {
        /// `PART 1 - GENERAL`.
        Hyphen,
        /// `PART 1 – GENERAL`.
        Dash,
        /// `PART 1 GENERAL`.
        Space,
        /// `PART I - GENERAL`.
        Roman,
        /// `PART ONE - GENERAL`.
        Words,
        /// `Part 1 General`, as in Canada.
        Title,
        /// `1.0 GENERAL`, without a word.
        Decimal,
        /// `1. GENERAL`, without a word.
        Figure,
    }
}

style_enum! {
    /// The numbering of articles and paragraphs.
    Scheme {
        /// `1.01`, `A.`, `1.`, `a.`.
        TwoDigits,
        /// `1.1`, `A.`, `1.`, `a.`.
        OneDigit,
        /// `1.01`, `A.`, `1.`, `a)`.
        Brackets,
        /// `1.1`, paragraphs without a label, `a.`, `(1)`, as in military specifications.
        Military,
        /// `1-1`, `A.`, `1)`, `(a)`.
        Hyphened,
    }
}

style_enum! {
    /// The position of a text beside its label.
    LabelSetting {
        /// The text hangs at a fixed indent.
        Hanging,
        /// The text follows the label after one space; further lines begin below the label.
        Flush,
        /// The text hangs, and all labels of a page are written after its texts.
        Apart,
    }
}

style_enum! {
    /// The header of each page.
    Head {
        /// None.
        None,
        /// The project's name and number.
        Project,
        /// The section's title and number, on every page of it.
        Section,
        /// Two lines: project, then date.
        Stacked,
        /// Three lines: project and number, title and page, client and date, as in Canada.
        Canadian,
    }
}

style_enum! {
    /// The footer of each page.
    Foot {
        /// None.
        None,
        /// `HOLLOW METAL DOORS` and `08 11 13 - 3`.
        TitleAndPage,
        /// `08 11 13-3` in the middle.
        NumberPage,
        /// `Page 3 of 7` and the number.
        PageOf,
        /// Three lines: project, title, date.
        Stacked,
    }
}

style_enum! {
    /// The end of a section.
    Ending {
        /// `END OF SECTION`.
        Plain,
        /// `END OF SECTION 08 11 13`.
        Numbered,
        /// No line marks the end.
        None,
    }
}

style_enum! {
    /// Where the next section begins.
    Break {
        /// On a new page.
        Page,
        /// On a new odd page; a blank page says that it is blank on purpose.
        Odd,
        /// Below the preceding section.
        Running,
    }
}

style_enum! {
    /// The section that header and footer name on a page where sections begin below others.
    Carried {
        /// The section that the page begins with.
        Top,
        /// The first section that begins on the page: word processors search a header's text from the top.
        First,
        /// The last section that begins on the page: word processors search a footer's text from the bottom.
        Last,
    }
}

/// A style: all in which two manuals of the same seed can differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Style {
    /// The form of section numbers.
    pub numbering: Numbering,
    /// The headings of sections.
    pub heading: Heading,
    /// The headings of parts.
    pub part: PartForm,
    /// The numbering of articles and paragraphs.
    pub scheme: Scheme,
    /// The position of labels.
    pub labels: LabelSetting,
    /// The header of each page.
    pub head: Head,
    /// The footer of each page.
    pub foot: Foot,
    /// The end of each section.
    pub ending: Ending,
    /// Where sections begin.
    pub section_break: Break,
    /// The section that header and footer name on a page with several.
    pub carried: Carried,
    /// The number of columns: 1 or 2.
    pub columns: u8,
    /// 1 if lines are numbered in the margin.
    pub line_numbers: u8,
    /// 1 if words are hyphenated at line ends.
    pub hyphenation: u8,
    /// 1 if lines are justified.
    pub justified: u8,
    /// 1 if sections have a table.
    pub tables: u8,
    /// 1 if related sections are listed one on each line, without labels.
    pub bare_related: u8,
    /// 1 if more white space separates paragraphs than lines.
    pub airy: u8,
    /// 1 if contents precede the sections.
    pub contents: u8,
    /// 1 if each division begins with a cover.
    pub covers: u8,
    /// The number of sections.
    pub sections: u8,
    /// The length of articles; 1 is short.
    pub length: u8,
    /// The typeface.
    pub family: Family,
    /// The size of the text in points.
    pub size: u8,
    /// How text is split into strings.
    pub text_unit: TextUnit,
    /// The order in which text is written.
    pub writing_order: WritingOrder,
}

impl Default for Style {
    /// The preset `tidy`.
    fn default() -> Self {
        PRESETS.first()
    }
}

impl Style {
    /// Returns the label of an article.
    pub(crate) fn article_label(&self, part: usize, number: usize) -> String {
        match self.scheme {
            Scheme::TwoDigits | Scheme::Brackets => format!("{part}.{number:02}"),
            Scheme::OneDigit | Scheme::Military => format!("{part}.{number}"),
            Scheme::Hyphened => format!("{part}-{number}"),
        }
    }

    /// Returns the label of a paragraph. `level` 0 is the outermost, `ordinal` counts from 0.
    pub(crate) fn label(&self, level: usize, ordinal: usize) -> String {
        let capital = char::from(b'A' + (ordinal % 26) as u8);
        let small = char::from(b'a' + (ordinal % 26) as u8);
        let number = ordinal + 1;
        match (self.scheme, level) {
            (Scheme::Military, 0) => String::new(),
            (Scheme::Military, 1) => format!("{small}."),
            (Scheme::Military, _) => format!("({number})"),
            (_, 0) => format!("{capital}."),
            (Scheme::Hyphened, 1) => format!("{number})"),
            (_, 1) => format!("{number}."),
            (Scheme::Hyphened, _) => format!("({small})"),
            (Scheme::Brackets, _) => format!("{small})"),
            (_, _) => format!("{small}."),
        }
    }

    /// Returns a random style, with common properties more often. The same seed gives the same
    /// style.
    pub fn random(seed: u64) -> Self {
        let mut chance = Chance::new(seed ^ 0x5345_4354_494F_4E00);
        let chance = &mut chance;
        let mut style = Self {
            numbering: chance.weighted(&[
                (5, Numbering::Pairs),
                (4, Numbering::Joined),
                (3, Numbering::Halved),
                (1, Numbering::Hyphened),
                (1, Numbering::Dotted),
                (2, Numbering::FiveDigits),
            ]),
            heading: chance.weighted(&[
                (5, Heading::Centred),
                (3, Heading::Left),
                (3, Heading::OneLine),
                (1, Heading::Mixed),
                (1, Heading::NumberTitle),
                (1, Heading::TitleNumber),
                (1, Heading::HeaderOnly),
            ]),
            part: *chance.pick(&[
                PartForm::Hyphen,
                PartForm::Hyphen,
                PartForm::Dash,
                PartForm::Space,
                PartForm::Roman,
                PartForm::Words,
            ]),
            scheme: chance.weighted(&[
                (4, Scheme::TwoDigits),
                (4, Scheme::OneDigit),
                (1, Scheme::Brackets),
                (2, Scheme::Military),
                (1, Scheme::Hyphened),
            ]),
            labels: chance.weighted(&[(6, LabelSetting::Hanging), (2, LabelSetting::Flush), (2, LabelSetting::Apart)]),
            head: *chance.pick(&[Head::None, Head::Project, Head::Project, Head::Section, Head::Stacked]),
            foot: chance.weighted(&[
                (4, Foot::TitleAndPage),
                (3, Foot::NumberPage),
                (2, Foot::PageOf),
                (1, Foot::Stacked),
                (1, Foot::None),
            ]),
            ending: chance.weighted(&[(4, Ending::Plain), (3, Ending::Numbered), (2, Ending::None)]),
            section_break: chance.weighted(&[(7, Break::Page), (1, Break::Odd), (2, Break::Running)]),
            carried: Carried::Top,
            columns: chance.weighted(&[(5, 1), (1, 2)]),
            line_numbers: chance.weighted(&[(7, 0), (1, 1)]),
            hyphenation: chance.weighted(&[(3, 0), (1, 1)]),
            justified: chance.weighted(&[(3, 0), (1, 1)]),
            tables: chance.weighted(&[(2, 0), (1, 1)]),
            bare_related: chance.weighted(&[(3, 0), (1, 1)]),
            airy: chance.weighted(&[(3, 1), (1, 0)]),
            contents: chance.weighted(&[(1, 0), (1, 1)]),
            covers: chance.weighted(&[(3, 0), (1, 1)]),
            sections: chance.between(3, 8) as u8,
            length: chance.between(1, 3) as u8,
            family: *chance.pick(&[
                Family::Helvetica,
                Family::Times,
                Family::Courier,
                Family::Libertinus,
                Family::ComputerModern,
            ]),
            size: chance.between(9, 12) as u8,
            text_unit: *chance.pick(&[
                TextUnit::Line,
                TextUnit::Word,
                TextUnit::WordAndSpace,
                TextUnit::Glyph,
                TextUnit::Kerned,
                TextUnit::KernedOffsets,
            ]),
            writing_order: chance.weighted(&[
                (5, WritingOrder::Reading),
                (1, WritingOrder::ByFont),
                (1, WritingOrder::BottomUp),
                (1, WritingOrder::ByColumn),
            ]),
        };
        style.settle();
        style
    }

    /// Returns a random style of an office that [`Self::random`] does not have: other headings, parts and running lines.
    pub fn random_other(seed: u64) -> Self {
        let mut style = Self::random(seed);
        let mut chance = Chance::new(seed ^ 0x4F54_4845_5200);
        let chance = &mut chance;
        style.heading = chance.weighted(&[
            (2, Heading::TitleAbove),
            (2, Heading::Apart),
            (2, Heading::NumberAlone),
            (2, Heading::UnderDivision),
            (2, Heading::LongWord),
            (2, Heading::Centred),
            (2, Heading::OneLine),
            (1, Heading::NumberTitle),
            (2, Heading::HeaderOnly),
        ]);
        style.part = chance.weighted(&[
            (3, PartForm::Title),
            (3, PartForm::Decimal),
            (2, PartForm::Figure),
            (4, PartForm::Hyphen),
        ]);
        style.head = chance.weighted(&[(2, Head::Canadian), (2, Head::Section), (2, Head::Project), (1, Head::None)]);
        style.section_break = chance.weighted(&[(2, Break::Page), (2, Break::Running)]);
        style.carried = chance.weighted(&[(1, Carried::Top), (2, Carried::First), (2, Carried::Last)]);
        style.foot = chance.weighted(&[
            (2, Foot::TitleAndPage),
            (2, Foot::NumberPage),
            (2, Foot::PageOf),
            (1, Foot::Stacked),
            (1, Foot::None),
        ]);
        style.ending = chance.weighted(&[(2, Ending::Plain), (1, Ending::Numbered), (3, Ending::None)]);
        if style.heading == Heading::HeaderOnly {
            style.head = if style.head == Head::Canadian { Head::Canadian } else { Head::Section };
            style.section_break = Break::Page;
        }
        style
    }

    /// Removes combinations that do not occur in practice.
    fn settle(&mut self) {
        if self.heading == Heading::HeaderOnly {
            self.head = Head::Section;
            self.section_break = Break::Page;
        }
        if self.section_break == Break::Running {
            // Without headings and endings nobody could tell where a section ends.
            self.ending = if self.ending == Ending::None { Ending::Plain } else { self.ending };
            if self.head == Head::Section {
                self.head = Head::Project;
            }
            self.foot = if matches!(self.foot, Foot::None) { Foot::None } else { Foot::Stacked };
        }
        if self.columns == 2 {
            self.size = self.size.min(9);
            self.tables = 0;
            if self.family == Family::Courier {
                self.family = Family::Times;
            }
        }
        if self.line_numbers > 0 {
            self.columns = 1;
        }
        if self.scheme == Scheme::Military {
            self.labels = if self.labels == LabelSetting::Flush { LabelSetting::Hanging } else { self.labels };
            self.airy = 1;
        }
    }
}

static PRESETS: LazyLock<Presets<Style>> =
    LazyLock::new(|| Presets::embedded(include_str!("../../styles/section.toml")));

/// Returns the style presets: `tidy`, and one for each way to differ from it.
pub fn styles() -> Vec<(&'static str, Style)> {
    PRESETS.all()
}
