//! The style presets: one for each property, and realistic mixtures.

use super::style::{
    Arrangement, Articles, Band, BodyHeading, Bookmarks, ContentsTitle, Continuation, Dates, DivisionBreak,
    DivisionHeading, DivisionZero, Extras, Family, HeadingSetting, Language, Leader, LeaderRun, Marks, NotUsed,
    Numbering, PageNumber, Paper, Prefix, Rules, Separator, Style, TextUnit, TitleCase, UnusedDivision, VolumeContents,
    Wrapping, WritingOrder,
};

/// Returns the style presets by name. The first is the tidy manual of 75 pages that the demo uses.
///
/// All but `tidy` and `thousand-pages` are short: few sections have their own pages.
pub fn styles() -> Vec<(&'static str, Style)> {
    let mut styles = vec![("tidy", Style::default()), ("thousand-pages", thousand_pages())];
    styles.extend(number_forms());
    styles.extend(lines());
    styles.extend(marks());
    styles.extend(tables());
    styles.extend(headings());
    styles.extend(listed_and_not());
    styles.extend(papers());
    styles.extend(producers());
    styles.extend(languages());
    styles.extend(without_contents());
    styles.extend(mixtures());
    styles
}

/// Returns a manual of a thousand pages, with bookmarks.
fn thousand_pages() -> Style {
    Style {
        divisions: 30,
        sections: 26,
        pages: 1000,
        body_pages: 6,
        volumes: 3,
        page_number: PageNumber::PerSection,
        bookmarks: Bookmarks::Divisions,
        ..Style::default()
    }
}

/// Returns the preset `tidy` with few pages after its contents.
fn short() -> Style {
    Style { bodies: 5, pages: 0, body_pages: 3, ..Style::default() }
}

fn number_forms() -> Vec<(&'static str, Style)> {
    vec![
        ("joined", Style { numbering: Numbering::Joined, page_number: PageNumber::Absolute, ..short() }),
        (
            "halved",
            Style {
                numbering: Numbering::Halved,
                level_four: 100,
                page_number: PageNumber::PerSection,
                family: Family::Times,
                ..short()
            },
        ),
        ("hyphened", Style { numbering: Numbering::Hyphened, title_case: TitleCase::Upper, ..short() }),
        ("dotted", Style { numbering: Numbering::Dotted, leader: Leader::None, ..short() }),
        ("level-four", Style { level_four: 100, sections: 24, page_number: PageNumber::None, ..short() }),
        (
            "ufgs",
            Style {
                prefix: Prefix::Ufgs,
                title_case: TitleCase::Upper,
                division_zero: DivisionZero::Absent,
                arrangement: Arrangement::NumberTitle,
                family: Family::Courier,
                page_number: PageNumber::None,
                ..short()
            },
        ),
        (
            "ufgs-hyphen",
            Style {
                prefix: Prefix::UfgsHyphen,
                arrangement: Arrangement::Inline,
                separator: Separator::Gap,
                page_number: PageNumber::None,
                ..short()
            },
        ),
        (
            "five-digits",
            Style {
                numbering: Numbering::FiveDigits,
                title_case: TitleCase::Upper,
                division_heading: DivisionHeading::BareFigure,
                family: Family::Courier,
                page_number: PageNumber::PerSection,
                embed_fonts: 0,
                drawings: 12,
                appendices: 3,
                ..short()
            },
        ),
        (
            "five-digits-section",
            Style {
                numbering: Numbering::FiveDigits,
                prefix: Prefix::SectionCapitals,
                arrangement: Arrangement::Inline,
                separator: Separator::Hyphen,
                division_heading: DivisionHeading::Words,
                leader: Leader::None,
                page_number: PageNumber::None,
                text_unit: TextUnit::Word,
                ..short()
            },
        ),
    ]
}

fn lines() -> Vec<(&'static str, Style)> {
    let inline = Style {
        arrangement: Arrangement::Inline,
        prefix: Prefix::SectionCapitals,
        title_case: TitleCase::Upper,
        leader: Leader::None,
        page_number: PageNumber::None,
        ..short()
    };
    vec![
        ("inline-hyphen", Style { separator: Separator::Hyphen, numbering: Numbering::Halved, ..inline.clone() }),
        (
            "inline-en-dash",
            Style {
                separator: Separator::EnDash,
                numbering: Numbering::Joined,
                text_unit: TextUnit::Word,
                heading_setting: HeadingSetting::Centred,
                ..inline.clone()
            },
        ),
        ("inline-em-dash", Style { separator: Separator::EmDash, prefix: Prefix::None, ..inline.clone() }),
        (
            "inline-colon",
            Style {
                separator: Separator::Colon,
                prefix: Prefix::Section,
                title_case: TitleCase::Title,
                ..inline.clone()
            },
        ),
        (
            "inline-wrapped",
            Style { separator: Separator::Hyphen, title_width: 45, wrapping: Wrapping::Flush, size: 11, ..inline },
        ),
        ("spaced-dots", Style { leader: Leader::SpacedDots, page_number: PageNumber::Absolute, ..short() }),
        ("middle-dots", Style { leader: Leader::MiddleDots, page_number: PageNumber::CountWords, ..short() }),
        ("underscores", Style { leader: Leader::Underscores, page_number: PageNumber::Span, ..short() }),
        ("dashed-stroke", Style { leader: Leader::DashedStroke, page_number: PageNumber::Roman, ..short() }),
        (
            "typewriter",
            Style {
                family: Family::Courier,
                leader_run: LeaderRun::WholeLine,
                title_case: TitleCase::Upper,
                embed_fonts: 0,
                ..short()
            },
        ),
        (
            "title-and-dots-in-one-run",
            Style {
                leader_run: LeaderRun::WithTitle,
                leader: Leader::SpacedDots,
                text_unit: TextUnit::Kerned,
                ..short()
            },
        ),
        (
            "wrapped-hanging",
            Style { title_width: 40, wrapping: Wrapping::Hanging, title_case: TitleCase::Upper, ..short() },
        ),
        ("wrapped-indented", Style { title_width: 40, wrapping: Wrapping::Indented, size: 11, ..short() }),
        ("wrapped-flush", Style { title_width: 45, wrapping: Wrapping::Flush, indent: 0, ..short() }),
        (
            "small-capitals",
            Style {
                title_case: TitleCase::SmallCapitals,
                division_case: TitleCase::SmallCapitals,
                family: Family::Times,
                size: 11,
                ..short()
            },
        ),
    ]
}

fn marks() -> Vec<(&'static str, Style)> {
    vec![
        ("underlined", Style { marks: Marks::Underlined, leader: Leader::None, ..short() }),
        ("change-bars", Style { extras: Extras::ConsultantAndRevision, marks: Marks::ChangeBars, ..short() }),
        ("asterisks", Style { marks: Marks::Asterisks, indent: 24, page_number: PageNumber::None, ..short() }),
        (
            "generated",
            Style {
                parts: 100,
                heading_pages: 1,
                prefix: Prefix::SectionCapitals,
                title_case: TitleCase::Upper,
                arrangement: Arrangement::Inline,
                separator: Separator::Hyphen,
                page_number: PageNumber::Absolute,
                sections: 8,
                ..short()
            },
        ),
        ("noted", Style { notes: 1, contents: ContentsTitle::WithProject, border: 1, ..short() }),
        ("no-break-spaces", Style { no_break: 1, numbering: Numbering::Halved, family: Family::Libertinus, ..short() }),
        ("division-pages", Style { heading_pages: 1, page_number: PageNumber::Absolute, ..short() }),
    ]
}

fn tables() -> Vec<(&'static str, Style)> {
    vec![
        (
            "ruled-grid",
            Style {
                rules: Rules::Grid,
                extras: Extras::ConsultantAndRevision,
                heading_setting: HeadingSetting::Bar,
                leader: Leader::None,
                title_width: 70,
                unused_sections: 8,
                not_used: NotUsed::Parenthesis,
                text_unit: TextUnit::KernedOffsets,
                writing_order: WritingOrder::ByColumn,
                ..short()
            },
        ),
        (
            "ruled-grid-dates",
            Style {
                rules: Rules::Grid,
                extras: Extras::DateRight,
                leader: Leader::None,
                page_number: PageNumber::None,
                title_case: TitleCase::Upper,
                title_width: 55,
                ..short()
            },
        ),
        ("ruled-rows", Style { rules: Rules::Rows, leader: Leader::None, extras: Extras::ConsultantLeft, ..short() }),
        (
            "number-right",
            Style {
                arrangement: Arrangement::TitleNumber,
                numbering: Numbering::Halved,
                leader: Leader::SpacedDots,
                page_number: PageNumber::None,
                division_heading: DivisionHeading::NumberOnly,
                division_separator: Separator::Space,
                family: Family::Libertinus,
                ..short()
            },
        ),
        (
            "number-right-ruled",
            Style {
                arrangement: Arrangement::TitleNumber,
                rules: Rules::Grid,
                leader: Leader::None,
                writing_order: WritingOrder::ByColumn,
                ..short()
            },
        ),
        (
            "newspaper-words",
            Style {
                columns: 2,
                page_number: PageNumber::None,
                leader: Leader::None,
                division_heading: DivisionHeading::Words,
                continuation: Continuation::Continued,
                family: Family::Times,
                size: 9,
                title_width: 90,
                text_unit: TextUnit::Kerned,
                ..short()
            },
        ),
        (
            "newspaper-pages",
            Style {
                columns: 2,
                numbering: Numbering::Joined,
                page_number: PageNumber::Absolute,
                continuation: Continuation::Contd,
                size: 8,
                ..short()
            },
        ),
        (
            "newspaper-three",
            Style {
                columns: 3,
                paper: Paper::Tabloid,
                page_number: PageNumber::None,
                leader: Leader::None,
                size: 9,
                sections: 16,
                divisions: 22,
                writing_order: WritingOrder::BottomUp,
                ..short()
            },
        ),
        (
            "stacked",
            Style { arrangement: Arrangement::Stacked, prefix: Prefix::SectionCapitals, columns: 2, ..short() },
        ),
        (
            "dates-like-numbers",
            Style { extras: Extras::DateRight, dates: Dates::Spaces, leader: Leader::None, ..short() },
        ),
        (
            "section-spans",
            Style {
                numbering: Numbering::Joined,
                page_number: PageNumber::SectionSpan,
                leader: Leader::None,
                title_width: 80,
                ..short()
            },
        ),
        (
            "lettered-buildings",
            Style { numbering: Numbering::FiveDigits, buildings: 2, title_case: TitleCase::Upper, ..short() },
        ),
        ("date-left", Style { extras: Extras::DateLeft, leader: Leader::None, text_unit: TextUnit::Glyph, ..short() }),
    ]
}

fn headings() -> Vec<(&'static str, Style)> {
    vec![
        (
            "words-mixed-case",
            Style { division_heading: DivisionHeading::Words, division_case: TitleCase::Title, ..short() },
        ),
        (
            "bare-figure-colon",
            Style {
                division_heading: DivisionHeading::BareFigure,
                division_separator: Separator::Colon,
                division_case: TitleCase::Title,
                heading_setting: HeadingSetting::Underlined,
                ..short()
            },
        ),
        (
            "number-only",
            Style { division_heading: DivisionHeading::NumberOnly, division_separator: Separator::Space, ..short() },
        ),
        (
            "no-headings",
            Style { division_heading: DivisionHeading::Absent, page_number: PageNumber::Absolute, ..short() },
        ),
        (
            "plain-headings",
            Style { heading_setting: HeadingSetting::Plain, title_case: TitleCase::Upper, indent: 0, ..short() },
        ),
        (
            "two-line-headings",
            Style {
                heading_setting: HeadingSetting::TwoLines,
                continuation: Continuation::Repeated,
                title_case: TitleCase::Upper,
                ..short()
            },
        ),
        (
            "full-number-headings",
            Style { division_heading: DivisionHeading::FullNumber, division_separator: Separator::Gap, ..short() },
        ),
        ("subgroups", Style { subgroups: 1, divisions: 22, continuation: Continuation::Continued, ..short() }),
        (
            "division-a-page",
            Style { division_break: DivisionBreak::NewPage, contents: ContentsTitle::Small, ..short() },
        ),
        (
            "numbered-contents",
            Style {
                contents: ContentsTitle::NumberedSection,
                header: Band::NumberAndDate,
                footer: Band::SubjectPage,
                ..short()
            },
        ),
    ]
}

fn listed_and_not() -> Vec<(&'static str, Style)> {
    vec![
        (
            "documents",
            Style { division_zero: DivisionZero::Documents, numbering: Numbering::Joined, attachments: 10, ..short() },
        ),
        (
            "not-used",
            Style { unused_sections: 12, unused_division: UnusedDivision::InHeading, divisions: 20, ..short() },
        ),
        (
            "not-used-below",
            Style {
                unused_sections: 10,
                not_used: NotUsed::Dash,
                unused_division: UnusedDivision::LineBelow,
                divisions: 20,
                page_number: PageNumber::Absolute,
                ..short()
            },
        ),
        ("reserved-ranges", Style { unused_division: UnusedDivision::Ranges, divisions: 16, ..short() }),
        ("struck-out", Style { struck: 12, page_number: PageNumber::Absolute, family: Family::Times, ..short() }),
        (
            "volumes-together",
            Style { volumes: 3, page_number: PageNumber::PerSection, footer: Band::Volume, ..short() },
        ),
        (
            "volumes-each",
            Style {
                volumes: 3,
                volume_contents: VolumeContents::Each,
                header: Band::Volume,
                footer: Band::PageOf,
                bodies: 8,
                ..short()
            },
        ),
        (
            "drawings-and-appendices",
            Style { drawings: 18, appendices: 6, attachments: 5, page_number: PageNumber::None, ..short() },
        ),
        (
            "busy-bands",
            Style { header: Band::NumberAndDate, footer: Band::Address, front_pages: 5, size: 9, ..short() },
        ),
        (
            "forty-pages",
            Style {
                divisions: 30,
                sections: 24,
                buildings: 4,
                leading: 165,
                size: 11,
                page_number: PageNumber::None,
                header: Band::PageOf,
                front_pages: 1,
                ..short()
            },
        ),
        ("one-page", Style { divisions: 5, sections: 4, front_pages: 1, bodies: 3, ..short() }),
    ]
}

fn papers() -> Vec<(&'static str, Style)> {
    vec![
        ("landscape", Style { paper: Paper::LetterLandscape, rules: Rules::Rows, leader: Leader::None, ..short() }),
        ("rotated-90", Style { rotate: 90, text_unit: TextUnit::Word, ..short() }),
        ("rotated-180", Style { rotate: 180, columns: 2, size: 8, page_number: PageNumber::None, ..short() }),
        ("rotated-270", Style { rotate: 270, paper: Paper::A4, origin: 36, ..short() }),
        ("origin-off", Style { origin: -200, text_unit: TextUnit::Kerned, ..short() }),
    ]
}

fn producers() -> Vec<(&'static str, Style)> {
    vec![
        ("glyph-by-glyph", Style { text_unit: TextUnit::Glyph, writing_order: WritingOrder::ByFont, ..short() }),
        ("word-by-word", Style { text_unit: TextUnit::WordAndSpace, writing_order: WritingOrder::BottomUp, ..short() }),
        (
            "offset-spaces",
            Style {
                text_unit: TextUnit::KernedOffsets,
                family: Family::ComputerModern,
                title_case: TitleCase::Upper,
                ..short()
            },
        ),
        ("mono-truetype", Style { family: Family::DejaVuMono, size: 8, ..short() }),
        ("column-by-column", Style { writing_order: WritingOrder::ByColumn, leader: Leader::None, ..short() }),
        ("no-unicode", Style { family: Family::Libertinus, unicode: 0, ..short() }),
    ]
}

fn languages() -> Vec<(&'static str, Style)> {
    vec![
        (
            "french",
            Style {
                language: Language::French,
                prefix: Prefix::Section,
                division_separator: Separator::EnDash,
                leader: Leader::None,
                extras: Extras::DateLeft,
                struck: 5,
                ..short()
            },
        ),
        (
            "french-inline",
            Style {
                language: Language::French,
                prefix: Prefix::SectionCapitals,
                title_case: TitleCase::Upper,
                arrangement: Arrangement::Inline,
                separator: Separator::EnDash,
                page_number: PageNumber::CountWords,
                leader: Leader::SpacedDots,
                family: Family::Times,
                ..short()
            },
        ),
        (
            "spanish",
            Style {
                language: Language::Spanish,
                prefix: Prefix::Section,
                division_case: TitleCase::Upper,
                page_number: PageNumber::Absolute,
                paper: Paper::A4,
                ..short()
            },
        ),
    ]
}

fn without_contents() -> Vec<(&'static str, Style)> {
    let bare = Style { contents: ContentsTitle::NoContents, bodies: 20, pages: 0, body_pages: 3, ..Style::default() };
    vec![
        ("bookmarks-only", Style { bookmarks: Bookmarks::Divisions, ..bare.clone() }),
        (
            "bookmarks-of-sections",
            Style {
                bookmarks: Bookmarks::Sections,
                numbering: Numbering::Joined,
                title_case: TitleCase::Upper,
                ..bare.clone()
            },
        ),
        ("headings-only", bare.clone()),
        (
            "headings-one-line",
            Style {
                numbering: Numbering::Joined,
                body_heading: BodyHeading::OneLine,
                articles: Articles::OneDigit,
                family: Family::Times,
                footer: Band::SubjectPage,
                ..bare
            },
        ),
    ]
}

fn mixtures() -> Vec<(&'static str, Style)> {
    vec![
        (
            "county-office",
            Style {
                numbering: Numbering::FiveDigits,
                prefix: Prefix::Section,
                columns: 2,
                family: Family::Times,
                size: 9,
                page_number: PageNumber::Count,
                leader: Leader::MiddleDots,
                unused_division: UnusedDivision::LineBelow,
                heading_setting: HeadingSetting::Centred,
                continuation: Continuation::Contd,
                drawings: 10,
                ..short()
            },
        ),
        (
            "campus-standard",
            Style {
                numbering: Numbering::Halved,
                rules: Rules::Grid,
                extras: Extras::DateRight,
                leader: Leader::None,
                volumes: 2,
                subgroups: 1,
                unused_sections: 6,
                not_used: NotUsed::Dash,
                struck: 4,
                text_unit: TextUnit::Word,
                paper: Paper::LetterLandscape,
                bookmarks: Bookmarks::Divisions,
                ..short()
            },
        ),
        (
            "federal-book",
            Style {
                prefix: Prefix::SectionCapitals,
                numbering: Numbering::Pairs,
                level_four: 100,
                family: Family::Courier,
                title_case: TitleCase::Upper,
                arrangement: Arrangement::NumberTitle,
                page_number: PageNumber::PerSection,
                title_width: 75,
                volumes: 2,
                volume_contents: VolumeContents::Each,
                appendices: 4,
                size: 9,
                ..short()
            },
        ),
    ]
}
