//! The styles of project manuals.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub use crate::pdf::{Family, TextUnit, WritingOrder};
use crate::presets::Presets;

style_enum! {
    /// The language of the contents pages and of the wording around the sections.
    Language {
        /// English.
        English,
        /// French as written in Canada: "TABLE DES MATIÈRES", "DIVISION 08 – OUVERTURES".
        French,
        /// Spanish as written in the Americas: "ÍNDICE", "DIVISIÓN 08".
        Spanish,
    }
}

style_enum! {
    /// How a section number is printed.
    Numbering {
        /// `08 11 13`, level 4 as `08 34 53.13`.
        Pairs,
        /// `081113`.
        Joined,
        /// `08 1113`.
        Halved,
        /// `08-11-13`.
        Hyphened,
        /// `08.11.13`.
        Dotted,
        /// MasterFormat 1995: `08110`.
        FiveDigits,
    }
}

style_enum! {
    /// What precedes each section number.
    Prefix {
        /// Nothing.
        None,
        /// `Section `.
        Section,
        /// `SECTION `.
        SectionCapitals,
        /// `UFGS `, as in military manuals.
        Ufgs,
        /// `UFGS-`.
        UfgsHyphen,
        /// `Sec. `.
        Abbreviated,
        /// `BP3-`, the code of a bid package.
        Package,
        /// `S`, joined to the number.
        Letter,
    }
}

style_enum! {
    /// What follows each section number.
    Suffix {
        /// Nothing.
        None,
        /// `-A`, a revision or building.
        Letter,
        /// `.00 20`, the agency of a military specification.
        Agency,
    }
}

style_enum! {
    /// How section titles are written.
    TitleCase {
        /// Hollow Metal Doors and Frames.
        Title,
        /// HOLLOW METAL DOORS AND FRAMES.
        Upper,
        /// Capitals in two sizes: the first letters large, the rest small.
        SmallCapitals,
    }
}

style_enum! {
    /// The content of Division 00, and the names of its documents.
    DivisionZero {
        /// The manual starts with Division 01.
        Absent,
        /// Listed like sections.
        Sections,
        /// Each line starts with `Document ` or `DOCUMENT `.
        Documents,
    }
}

style_enum! {
    /// How a section that is not used is listed.
    NotUsed {
        /// Its title is replaced: `08 33 23 NOT USED`.
        Instead,
        /// `Overhead Coiling Doors (NOT USED)`.
        Parenthesis,
        /// `Overhead Coiling Doors - Not Used`.
        Dash,
    }
}

style_enum! {
    /// How a division that is not used is listed.
    UnusedDivision {
        /// Not at all.
        Omitted,
        /// `DIVISION 11 - EQUIPMENT (NOT USED)`.
        InHeading,
        /// Its heading, and `Not Used` on the line below.
        LineBelow,
        /// No unused divisions, but a line for the numbers passed over: `DIVISIONS 15 THROUGH 20 (NOT USED)`.
        Ranges,
    }
}

style_enum! {
    /// The place of the contents in a manual of several volumes.
    VolumeContents {
        /// One contents in the first volume, volume headings between the divisions.
        Together,
        /// Each volume starts with a cover and the contents of its own sections.
        Each,
    }
}

style_enum! {
    /// Whether there are contents pages, and what their first line says.
    ContentsTitle {
        /// There are none.
        NoContents,
        /// TABLE OF CONTENTS.
        Plain,
        /// PROJECT MANUAL TABLE OF CONTENTS, below the project's name.
        WithProject,
        /// INDEX OF SPECIFICATIONS.
        Index,
        /// SECTION 00 01 10 and TABLE OF CONTENTS below it: a number that is no listed section.
        NumberedSection,
        /// Contents, small, at the left.
        Small,
        /// TECHNICAL SPECIFICATIONS: a name that contents rarely have.
        Specifications,
        /// No line: the list begins with its first division.
        Untitled,
    }
}

style_enum! {
    /// The place of number and title on a line.
    Arrangement {
        /// One running text: number, separator, title.
        Inline,
        /// Number in a column at the left, title in the next.
        NumberTitle,
        /// Title at the left, number in a column at the right.
        TitleNumber,
        /// Number on one line, title on the next, slightly indented.
        Stacked,
    }
}

style_enum! {
    /// What is between a number and its title, of a section or a division.
    Separator {
        /// One space.
        Space,
        /// A wide gap.
        Gap,
        /// ` - `.
        Hyphen,
        /// ` – `.
        EnDash,
        /// ` — `.
        EmDash,
        /// `: `.
        Colon,
    }
}

style_enum! {
    /// The leader from the title to the page number.
    Leader {
        /// Nothing.
        None,
        /// `......`
        Dots,
        /// `. . . .`
        SpacedDots,
        /// `····`
        MiddleDots,
        /// `____`
        Underscores,
        /// A stroke of short dashes, no text.
        DashedStroke,
        /// A thin solid stroke, no text.
        SolidStroke,
    }
}

style_enum! {
    /// What is in one string with a leader of characters.
    LeaderRun {
        /// Nothing: it is a string of its own.
        Separate,
        /// With the title.
        WithTitle,
        /// With title and page number.
        WholeLine,
    }
}

style_enum! {
    /// Marks beside the text that do not delete it.
    Marks {
        /// None.
        None,
        /// Number and title underlined, as links are.
        Underlined,
        /// A bar in the margin of revised lines.
        ChangeBars,
        /// An asterisk before the number of revised lines.
        Asterisks,
    }
}

style_enum! {
    /// Where a division begins in the contents.
    DivisionBreak {
        /// Below the preceding one.
        Running,
        /// On a page of its own.
        NewPage,
    }
}

style_enum! {
    /// The page number at the end of a line.
    PageNumber {
        /// None.
        None,
        /// The page of the manual.
        Absolute,
        /// `081113-1`, in the section number's own form.
        PerSection,
        /// The section's number of pages.
        Count,
        /// The number of pages with a word: `4 pages`, `1 page`.
        CountWords,
        /// `1 thru 6`.
        Span,
        /// First and last page in the section's own count: `081113-1 to 081113-6`.
        SectionSpan,
        /// Lower-case roman figures for Division 00, the page of the manual for the others.
        Roman,
    }
}

style_enum! {
    /// The position of the second line of a title.
    Wrapping {
        /// Below the first word of the title.
        Hanging,
        /// A little to the right of it.
        Indented,
        /// At the left end of the line.
        Flush,
    }
}

style_enum! {
    /// Ruled lines around the rows.
    Rules {
        /// None.
        None,
        /// A thin line below each row.
        Rows,
        /// A full grid, cells centred in height.
        Grid,
    }
}

style_enum! {
    /// Additional columns of the contents.
    Extras {
        /// None.
        None,
        /// Date of issue or revision, to the right of the title.
        DateRight,
        /// Date of issue, to the left of the number.
        DateLeft,
        /// Code of the section's consultant, to the left of the number.
        ConsultantLeft,
        /// Consultant's code and revision number, to the right of the title.
        ConsultantAndRevision,
        /// Date of issue, between number and title.
        DateBetween,
        /// Date of issue and revision number, between number and title.
        DateAndRevisionBetween,
    }
}

style_enum! {
    /// How dates in a column are written.
    Dates {
        /// `03/15/24`.
        Slashes,
        /// `03 15 24`, like a section number.
        Spaces,
        /// `2024-03-15`.
        Iso,
        /// `15 Mar 24`.
        Words,
    }
}

style_enum! {
    /// How a division's heading names its number.
    DivisionHeading {
        /// There are no headings.
        Absent,
        /// `DIVISION 08`.
        Figures,
        /// `DIVISION 8`.
        BareFigure,
        /// `DIVISION EIGHT`.
        Words,
        /// `08`.
        NumberOnly,
        /// `08 00 00`, in the section number's own form.
        FullNumber,
    }
}

style_enum! {
    /// How a division's heading is set.
    HeadingSetting {
        /// Bold at the left.
        Bold,
        /// In the weight of the lines below.
        Plain,
        /// Bold and centred.
        Centred,
        /// Bold on a grey bar.
        Bar,
        /// Bold and underlined.
        Underlined,
        /// Number on one line, title on the next, both bold.
        TwoLines,
    }
}

style_enum! {
    /// What becomes of a division's heading at a break of the page or column.
    Continuation {
        /// Nothing.
        None,
        /// Repeated with `(continued)`.
        Continued,
        /// Repeated with ` - CONT'D`.
        Contd,
        /// Repeated unchanged.
        Repeated,
    }
}

style_enum! {
    /// A line at the top or bottom of each page.
    Band {
        /// None.
        None,
        /// The project's name, and the page's own subject.
        Project,
        /// Project number (which may look like a section number) and date.
        NumberAndDate,
        /// Subject and page, `TOC - 2` or `081113 - 2`.
        SubjectPage,
        /// `Page 2 of 5`.
        PageOf,
        /// Architect's address and telephone, digits throughout.
        Address,
        /// Volume and date.
        Volume,
    }
}

style_enum! {
    /// The outline of the file.
    Bookmarks {
        /// None.
        None,
        /// One for each section in the file.
        Sections,
        /// Divisions with their sections below.
        Divisions,
    }
}

style_enum! {
    /// The heading of a section's own pages.
    BodyHeading {
        /// `SECTION 08 11 13` and the title below, both centred.
        TwoLines,
        /// `SECTION 08 11 13 - TITLE` at the left.
        OneLine,
        /// `SECTION 08 11 13` and the title below, at the left.
        TwoLinesLeft,
    }
}

style_enum! {
    /// How articles are numbered.
    Articles {
        /// `1.01`.
        TwoDigits,
        /// `1.1`.
        OneDigit,
    }
}

style_enum! {
    /// Sheet sizes.
    Paper {
        /// 8.5 by 11 in.
        Letter,
        /// 8.5 by 14 in.
        Legal,
        /// 210 by 297 mm.
        A4,
        /// 11 by 8.5 in, landscape.
        LetterLandscape,
        /// 17 by 11 in, landscape.
        Tabloid,
    }
}

/// A style: all in which two manuals of the same seed can differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Style {
    /// Language of the contents.
    pub language: Language,
    /// Form of the section numbers.
    pub numbering: Numbering,
    /// What precedes them in the contents.
    pub prefix: Prefix,
    /// What follows them in the contents.
    pub suffix: Suffix,
    /// How titles are written.
    pub title_case: TitleCase,
    /// The percentage of level-4 numbers that are kept.
    pub level_four: u8,
    /// Number of divisions besides Division 00, at most what MasterFormat has.
    pub divisions: u8,
    /// The most sections of one division.
    pub sections: u8,
    /// How many buildings repeat the technical sections, distinguished by a level-4 number (a
    /// letter after five digits). 1 is usual.
    pub buildings: u8,
    /// Division 00.
    pub division_zero: DivisionZero,
    /// The percentage of sections that are not used.
    pub unused_sections: u8,
    /// How they are listed.
    pub not_used: NotUsed,
    /// How unused divisions are listed.
    pub unused_division: UnusedDivision,
    /// The percentage of lines that are struck out.
    pub struck: u8,
    /// Number of volumes.
    pub volumes: u8,
    /// The place of their contents.
    pub volume_contents: VolumeContents,
    /// 1 if subgroup headings are between the divisions.
    pub subgroups: u8,
    /// Drawing sheets listed after the sections.
    pub drawings: u8,
    /// Appendices listed after the sections; an odd number of them is called exhibits.
    pub appendices: u8,
    /// The percentage of sections with an attachment listed below them.
    pub attachments: u8,

    /// Contents pages and their title.
    pub contents: ContentsTitle,
    /// Newspaper columns of the contents.
    pub columns: u8,
    /// The place of number and title.
    pub arrangement: Arrangement,
    /// What is between number and title of an inline line.
    pub separator: Separator,
    /// Leader to the page number.
    pub leader: Leader,
    /// What is in one string with the leader.
    pub leader_run: LeaderRun,
    /// Number at the end of the line.
    pub page_number: PageNumber,
    /// Second lines of long titles.
    pub wrapping: Wrapping,
    /// The width of the title column in percent of the available width. Smaller values make titles
    /// wrap.
    pub title_width: u8,
    /// Ruled lines.
    pub rules: Rules,
    /// Additional columns.
    pub extras: Extras,
    /// Dates in those columns.
    pub dates: Dates,
    /// Marks beside the text.
    pub marks: Marks,
    /// 1 if a paragraph between the title and the list mentions sections.
    pub notes: u8,
    /// The percentage of sections that list their parts below them, as generated contents do.
    pub parts: u8,
    /// 1 if the articles of each part are listed as well.
    pub listed_articles: u8,
    /// 1 if the spaces in section numbers are no-break spaces.
    pub no_break: u8,
    /// Where divisions start.
    pub division_break: DivisionBreak,
    /// Division headings.
    pub division_heading: DivisionHeading,
    /// What is between a division's number and title.
    pub division_separator: Separator,
    /// The case of the word "division" and its title.
    pub division_case: TitleCase,
    /// How the heading is set.
    pub heading_setting: HeadingSetting,
    /// 1 if headings at the left have a leader and the page of their first section.
    pub heading_pages: u8,
    /// Headings at breaks.
    pub continuation: Continuation,
    /// Indent of section lines below their division, in points.
    pub indent: u8,
    /// Distance from line to line, in percent of the size.
    pub leading: u8,

    /// Head of each page.
    pub header: Band,
    /// Foot of each page.
    pub footer: Band,
    /// 1 if a ruled border surrounds each page.
    pub border: u8,
    /// Pages before the contents: cover, certification, seals, invitation, project directory.
    pub front_pages: u8,
    /// The number of sections with their own pages in the file, from the first. If `pages` is not
    /// 0, as many as are needed.
    pub bodies: u16,
    /// The number of pages of the file, at least those of the front, the contents and one section.
    /// With 0, `bodies` decides.
    pub pages: u16,
    /// The most pages of a section.
    pub body_pages: u8,
    /// Head of a section.
    pub body_heading: BodyHeading,
    /// Article numbers.
    pub articles: Articles,
    /// Outline.
    pub bookmarks: Bookmarks,

    /// Family of the text.
    pub family: Family,
    /// Size of the text in points.
    pub size: u8,
    /// Sheet size.
    pub paper: Paper,
    /// `/Rotate` of every page: 0, 90, 180 or 270. The text is displayed upright.
    pub rotate: u16,
    /// The offset of the lower left corner of the `MediaBox` from the origin in both directions, in
    /// points.
    pub origin: i16,
    /// How text is split into strings.
    pub text_unit: TextUnit,
    /// The order in which strings are written.
    pub writing_order: WritingOrder,
    /// 1 if the standard fonts' programs are embedded.
    pub embed_fonts: u8,
    /// 0 if OpenType fonts have no map to Unicode, so that only the shapes show what is printed.
    pub unicode: u8,
}

impl Default for Style {
    /// The preset `tidy`: six digits in pairs, two columns, dot leaders, about 75 pages.
    fn default() -> Self {
        PRESETS.first()
    }
}

static PRESETS: LazyLock<Presets<Style>> =
    LazyLock::new(|| Presets::embedded(include_str!("../../styles/manual.toml")));

/// Returns the style presets by name. The first is the tidy manual of 75 pages that the demo uses.
///
/// All but `tidy` and `thousand-pages` are short: few sections have their own pages.
pub fn styles() -> Vec<(&'static str, Style)> {
    PRESETS.all()
}
