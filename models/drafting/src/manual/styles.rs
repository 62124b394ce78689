//! Named styles: one for each habit, and mixtures as offices have them.

#[expect(clippy::wildcard_imports, reason = "a table of habits names nearly all of them")]
use super::style::*;

/// The named styles. The first is the tidy manual that the demo uses.
pub fn styles() -> Vec<(&'static str, Style)> {
    let tidy = Style::default();
    vec![
        ("tidy", tidy.clone()),
        (
            "inline-en-dash",
            Style {
                numbering: Numbering::Joined,
                prefix: Prefix::SectionCapitals,
                title_case: TitleCase::Upper,
                arrangement: Arrangement::Inline,
                separator: Separator::EnDash,
                leader: Leader::None,
                page_number: PageNumber::None,
                text_unit: TextUnit::Word,
                heading_setting: HeadingSetting::Centred,
                bodies: 6,
                ..tidy.clone()
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
                bodies: 5,
                ..tidy.clone()
            },
        ),
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
                bodies: 4,
                ..tidy.clone()
            },
        ),
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
                bodies: 4,
                ..tidy.clone()
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
                bodies: 5,
                ..tidy.clone()
            },
        ),
        (
            "french",
            Style {
                language: Language::French,
                prefix: Prefix::Section,
                division_separator: Separator::EnDash,
                page_number: PageNumber::Count,
                leader: Leader::None,
                family: Family::Helvetica,
                extras: Extras::DateLeft,
                struck: 5,
                bodies: 4,
                ..tidy.clone()
            },
        ),
        (
            "bookmarks-only",
            Style {
                contents: ContentsTitle::NoContents,
                bookmarks: Bookmarks::Divisions,
                bodies: 20,
                body_pages: 2,
                ..tidy.clone()
            },
        ),
        ("headings-only", Style { contents: ContentsTitle::NoContents, bodies: 12, body_pages: 3, ..tidy }),
    ]
}
