//! Random styles of project manuals.

use super::style::{
    Arrangement, Articles, Band, BodyHeading, Bookmarks, ContentsTitle, Continuation, Dates, DivisionBreak,
    DivisionHeading, DivisionZero, Extras, Family, HeadingSetting, Language, Leader, LeaderRun, Marks, NotUsed,
    Numbering, PageNumber, Paper, Prefix, Rules, Separator, Style, Suffix, TextUnit, TitleCase, UnusedDivision,
    VolumeContents, Wrapping, WritingOrder,
};
use crate::chance::Chance;

impl Style {
    /// Returns a random style, with common properties more often. The same seed gives the same
    /// style.
    pub fn random(seed: u64) -> Self {
        // A different seed from the content's, so that style and content are independent.
        let mut chance = Chance::new(seed ^ 0x5354_594C_4500_0000);
        let mut style = Self::default();
        draw_content(&mut style, &mut chance);
        draw_lines(&mut style, &mut chance);
        draw_headings(&mut style, &mut chance);
        draw_pages(&mut style, &mut chance);
        draw_file(&mut style, &mut chance);
        settle(&mut style, &mut chance);
        style
    }
}

impl Style {
    /// Returns a random style of an office that [`Self::random`] does not have: codes before numbers, suffixes behind them,
    /// columns between number and title, contents by another name or none, articles below sections.
    pub fn random_other(seed: u64) -> Self {
        let mut style = Self::random(seed);
        let mut chance = Chance::new(seed ^ 0x4F54_4845_5200);
        let chance = &mut chance;
        style.prefix = chance.weighted(&[(2, style.prefix), (2, Prefix::Package), (1, Prefix::Letter)]);
        style.suffix = chance.weighted(&[(3, Suffix::None), (1, Suffix::Letter), (1, Suffix::Agency)]);
        if style.suffix == Suffix::Agency {
            style.level_four = 0;
            style.buildings = 1;
        }
        if style.numbering == Numbering::FiveDigits && style.suffix == Suffix::Agency {
            style.suffix = Suffix::None;
        }
        style.extras =
            chance.weighted(&[(2, style.extras), (2, Extras::DateBetween), (1, Extras::DateAndRevisionBetween)]);
        if matches!(style.extras, Extras::DateBetween | Extras::DateAndRevisionBetween) {
            style.arrangement = Arrangement::NumberTitle;
            style.columns = 1;
            style.title_width = style.title_width.max(65);
        }
        style.contents = chance.weighted(&[
            (2, ContentsTitle::Plain),
            (2, ContentsTitle::Specifications),
            (2, ContentsTitle::Untitled),
        ]);
        style.parts = chance.weighted(&[(3, 0), (1, 100)]);
        style.listed_articles = u8::from(style.parts > 0 && chance.percent(70));
        style
    }
}

fn draw_content(style: &mut Style, chance: &mut Chance) {
    style.language = chance.weighted(&[(16, Language::English), (3, Language::French), (1, Language::Spanish)]);
    style.numbering = chance.weighted(&[
        (6, Numbering::Pairs),
        (4, Numbering::Joined),
        (3, Numbering::Halved),
        (1, Numbering::Hyphened),
        (1, Numbering::Dotted),
        (3, Numbering::FiveDigits),
    ]);
    if style.language != Language::English && style.numbering == Numbering::FiveDigits {
        style.numbering = Numbering::Pairs;
    }
    style.prefix = chance.weighted(&[
        (8, Prefix::None),
        (3, Prefix::Section),
        (3, Prefix::SectionCapitals),
        (1, Prefix::Ufgs),
        (1, Prefix::UfgsHyphen),
        (1, Prefix::Abbreviated),
    ]);
    if style.language != Language::English || style.numbering == Numbering::FiveDigits {
        style.prefix = *chance.pick(&[Prefix::None, Prefix::Section, Prefix::SectionCapitals]);
    }
    style.title_case = chance.weighted(&[(5, TitleCase::Title), (5, TitleCase::Upper), (1, TitleCase::SmallCapitals)]);
    style.level_four = chance.weighted(&[(2, 0), (2, 50), (1, 100)]);
    style.divisions = chance.between(4, 26) as u8;
    style.sections = chance.between(4, 18) as u8;
    style.division_zero =
        chance.weighted(&[(4, DivisionZero::Sections), (3, DivisionZero::Absent), (2, DivisionZero::Documents)]);
    style.unused_sections = chance.weighted(&[(3, 0), (1, 4), (1, 10)]);
    style.not_used = *chance.pick(&[NotUsed::Instead, NotUsed::Parenthesis, NotUsed::Dash]);
    style.unused_division = chance.weighted(&[
        (4, UnusedDivision::Omitted),
        (2, UnusedDivision::InHeading),
        (2, UnusedDivision::LineBelow),
        (1, UnusedDivision::Ranges),
    ]);
    style.struck = chance.weighted(&[(6, 0), (1, 4), (1, 10)]);
    style.volumes = chance.weighted(&[(6, 1), (2, 2), (1, 3)]);
    style.volume_contents = chance.weighted(&[(2, VolumeContents::Together), (1, VolumeContents::Each)]);
    style.subgroups = chance.weighted(&[(4, 0), (1, 1)]);
    style.drawings = chance.weighted(&[(4, 0), (1, 9), (1, 18)]);
    style.appendices = chance.weighted(&[(3, 0), (1, 2), (1, 5)]);
    style.attachments = chance.weighted(&[(5, 0), (1, 6)]);
}

fn draw_lines(style: &mut Style, chance: &mut Chance) {
    style.columns = chance.weighted(&[(8, 1), (2, 2), (1, 3)]);
    style.arrangement = chance.weighted(&[
        (4, Arrangement::Inline),
        (8, Arrangement::NumberTitle),
        (2, Arrangement::TitleNumber),
        (1, Arrangement::Stacked),
    ]);
    style.separator = *chance.pick(&[
        Separator::Space,
        Separator::Gap,
        Separator::Hyphen,
        Separator::EnDash,
        Separator::EmDash,
        Separator::Colon,
    ]);
    style.leader = chance.weighted(&[
        (4, Leader::None),
        (4, Leader::Dots),
        (2, Leader::SpacedDots),
        (1, Leader::MiddleDots),
        (1, Leader::Underscores),
        (1, Leader::DashedStroke),
        (1, Leader::SolidStroke),
    ]);
    style.leader_run =
        chance.weighted(&[(3, LeaderRun::Separate), (1, LeaderRun::WithTitle), (1, LeaderRun::WholeLine)]);
    style.page_number = chance.weighted(&[
        (4, PageNumber::None),
        (3, PageNumber::Absolute),
        (2, PageNumber::PerSection),
        (1, PageNumber::SectionSpan),
        (3, PageNumber::Count),
        (1, PageNumber::CountWords),
        (1, PageNumber::Span),
        (1, PageNumber::Roman),
    ]);
    style.wrapping = chance.weighted(&[(3, Wrapping::Hanging), (1, Wrapping::Indented), (1, Wrapping::Flush)]);
    style.title_width = *chance.pick(&[100, 100, 85, 65, 45]);
    style.rules = chance.weighted(&[(6, Rules::None), (1, Rules::Rows), (2, Rules::Grid)]);
    style.extras = chance.weighted(&[
        (7, Extras::None),
        (1, Extras::DateRight),
        (1, Extras::DateLeft),
        (1, Extras::ConsultantLeft),
        (1, Extras::ConsultantAndRevision),
    ]);
    style.dates = *chance.pick(&[Dates::Slashes, Dates::Spaces, Dates::Iso, Dates::Words]);
    style.marks =
        chance.weighted(&[(6, Marks::None), (1, Marks::Underlined), (1, Marks::ChangeBars), (1, Marks::Asterisks)]);
    style.notes = chance.weighted(&[(6, 0), (1, 1)]);
    style.parts = chance.weighted(&[(12, 0), (1, 100)]);
    style.no_break = chance.weighted(&[(6, 0), (1, 1)]);
    style.indent = *chance.pick(&[0, 0, 12, 24, 36]);
    style.leading = *chance.pick(&[112, 120, 125, 140, 165]);
}

fn draw_headings(style: &mut Style, chance: &mut Chance) {
    style.division_heading = chance.weighted(&[
        (8, DivisionHeading::Figures),
        (3, DivisionHeading::BareFigure),
        (2, DivisionHeading::Words),
        (2, DivisionHeading::NumberOnly),
        (1, DivisionHeading::Absent),
    ]);
    style.division_separator = *chance.pick(&[
        Separator::Space,
        Separator::Gap,
        Separator::Hyphen,
        Separator::Hyphen,
        Separator::EnDash,
        Separator::EmDash,
        Separator::Colon,
    ]);
    style.division_case =
        chance.weighted(&[(4, TitleCase::Upper), (3, TitleCase::Title), (1, TitleCase::SmallCapitals)]);
    style.heading_setting = chance.weighted(&[
        (5, HeadingSetting::Bold),
        (2, HeadingSetting::Plain),
        (1, HeadingSetting::Centred),
        (1, HeadingSetting::Bar),
        (1, HeadingSetting::Underlined),
        (1, HeadingSetting::TwoLines),
    ]);
    style.continuation = chance.weighted(&[
        (4, Continuation::None),
        (2, Continuation::Continued),
        (1, Continuation::Contd),
        (1, Continuation::Repeated),
    ]);
    style.heading_pages = chance.weighted(&[(6, 0), (1, 1)]);
    style.division_break = chance.weighted(&[(9, DivisionBreak::Running), (1, DivisionBreak::NewPage)]);
}

fn draw_pages(style: &mut Style, chance: &mut Chance) {
    const BANDS: &[Band] =
        &[Band::None, Band::Project, Band::NumberAndDate, Band::SubjectPage, Band::PageOf, Band::Address, Band::Volume];
    style.contents = chance.weighted(&[
        (5, ContentsTitle::Plain),
        (2, ContentsTitle::WithProject),
        (2, ContentsTitle::Index),
        (2, ContentsTitle::NumberedSection),
        (1, ContentsTitle::Small),
        (1, ContentsTitle::NoContents),
    ]);
    style.bookmarks = chance.weighted(&[(5, Bookmarks::None), (1, Bookmarks::Sections), (1, Bookmarks::Divisions)]);
    style.header = *chance.pick(BANDS);
    style.footer = *chance.pick(BANDS);
    style.border = chance.weighted(&[(8, 0), (1, 1)]);
    style.front_pages = chance.between(0, 5) as u8;
    style.pages = 0;
    style.bodies = chance.between(4, 12) as u16;
    style.body_pages = chance.between(1, 4) as u8;
    style.body_heading = *chance.pick(&[BodyHeading::TwoLines, BodyHeading::OneLine, BodyHeading::TwoLinesLeft]);
    style.articles = *chance.pick(&[Articles::TwoDigits, Articles::OneDigit]);
}

fn draw_file(style: &mut Style, chance: &mut Chance) {
    style.family = chance.weighted(&[
        (5, Family::Helvetica),
        (4, Family::Times),
        (2, Family::Courier),
        (2, Family::Libertinus),
        (1, Family::ComputerModern),
        (1, Family::DejaVuMono),
    ]);
    style.size = chance.between(8, 12) as u8;
    style.paper = chance.weighted(&[
        (10, Paper::Letter),
        (1, Paper::Legal),
        (2, Paper::A4),
        (2, Paper::LetterLandscape),
        (1, Paper::Tabloid),
    ]);
    style.rotate = chance.weighted(&[(9, 0), (1, 90), (1, 180), (1, 270)]);
    style.origin = chance.weighted(&[(8, 0), (1, 36), (1, -200)]);
    style.text_unit = *chance.pick(&[
        TextUnit::Line,
        TextUnit::Word,
        TextUnit::WordAndSpace,
        TextUnit::Glyph,
        TextUnit::Kerned,
        TextUnit::KernedOffsets,
    ]);
    style.writing_order = chance.weighted(&[
        (5, WritingOrder::Reading),
        (1, WritingOrder::ByFont),
        (1, WritingOrder::BottomUp),
        (1, WritingOrder::ByColumn),
    ]);
    style.embed_fonts = chance.weighted(&[(3, 1), (1, 0)]);
}

/// Removes combinations that do not fit on paper.
fn settle(style: &mut Style, chance: &mut Chance) {
    let wide_letters = matches!(style.family, Family::Courier | Family::DejaVuMono);
    if wide_letters {
        style.size = style.size.min(10);
    }
    if style.columns > 1 {
        style.size = chance.between(7, 9) as u8;
        style.extras = Extras::None;
        style.title_width = style.title_width.max(85);
        style.indent = style.indent.min(12);
        style.leader_run = LeaderRun::Separate;
        style.parts = 0;
        if wide_letters || style.columns == 3 {
            style.size = 7;
            style.paper = *chance.pick(&[Paper::LetterLandscape, Paper::Tabloid]);
        }
        if matches!(
            style.page_number,
            PageNumber::PerSection | PageNumber::SectionSpan | PageNumber::CountWords | PageNumber::Span
        ) {
            style.page_number = PageNumber::None;
        }
    }
    if style.rules == Rules::Grid {
        style.leader = Leader::None;
        if style.arrangement == Arrangement::Stacked {
            style.arrangement = Arrangement::NumberTitle;
        }
    }
    let own_count = matches!(style.page_number, PageNumber::PerSection | PageNumber::SectionSpan);
    if style.arrangement == Arrangement::TitleNumber && own_count {
        style.page_number = PageNumber::Count;
    }
    if style.extras != Extras::None && own_count {
        style.page_number = PageNumber::None;
    }
    // A plain heading without a word or a rule could not be distinguished from a section.
    if style.heading_setting == HeadingSetting::Plain && style.division_heading == DivisionHeading::NumberOnly {
        style.heading_setting = HeadingSetting::Bold;
    }
    if style.contents == ContentsTitle::NoContents {
        style.bodies = chance.between(8, 20) as u16;
    }
    if style.page_number != PageNumber::Absolute {
        style.heading_pages = 0;
    }
    if style.rules == Rules::Grid {
        style.parts = 0;
    }
    if style.numbering == Numbering::FiveDigits {
        style.subgroups = 0;
    }
    if style.volumes == 1 {
        style.volume_contents = VolumeContents::Together;
    }
}
