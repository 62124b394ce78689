//! The content of a manual before it is set: divisions, sections, volumes and other lists.

use super::masterformat;
use super::project::Project;
use super::style::{Dates, DivisionZero, Language, NotUsed, Numbering, Style, TitleCase, UnusedDivision};
use super::wording::wording;
use crate::chance::Chance;

/// A manual in the order of its pages.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    pub(crate) project: Project,
    pub(crate) divisions: Vec<Division>,
    /// The index of the first division of each volume.
    pub(crate) volume_starts: Vec<usize>,
    /// Sheet number and title.
    pub(crate) drawings: Vec<(String, String)>,
    /// Letter and title.
    pub(crate) appendices: Vec<(String, String)>,
}

/// A division.
#[derive(Clone, Debug)]
pub(crate) struct Division {
    /// Two digits.
    pub(crate) code: String,
    /// The title, not yet in its printed case.
    pub(crate) title: String,
    pub(crate) unused: bool,
    pub(crate) sections: Vec<Section>,
}

/// Whether a listed section applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The section applies.
    Used,
    /// Its line says that it does not apply.
    Unused,
    /// Its line is struck out.
    Struck,
}

/// A section.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// Six digits.
    pub(crate) code: String,
    /// The number as printed.
    pub(crate) printed_code: String,
    /// The title as listed, not yet in its printed case.
    pub(crate) title: String,
    pub(crate) standing: Standing,
    /// The number of pages that it has or would have.
    pub(crate) pages: u32,
    pub(crate) has_body: bool,
    pub(crate) date: String,
    pub(crate) consultant: &'static str,
    pub(crate) revision: String,
    /// Whether its parts are listed below it.
    pub(crate) lists_parts: bool,
    /// A line that is listed below it.
    pub(crate) attachment: Option<String>,
}

/// The divisions of most manuals, which are chosen first.
const COMMON_DIVISIONS: &[&str] = &["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "22", "23", "26", "31"];

/// Documents that precede the contents, so that they have no pages after them.
const FRONT_MATTER: &[&str] = &["000101", "000107", "000110", "000115"];

impl Book {
    pub(crate) fn invent(style: &Style, chance: &mut Chance) -> Self {
        let project = Project::invent(chance);
        let mut divisions = Vec::new();
        for (code, title) in chosen_divisions(style, chance) {
            divisions.push(Division::invent(code, title, style, chance));
        }
        let volumes = usize::from(style.volumes.max(1)).min(divisions.len());
        let volume_starts = (0..volumes).map(|volume| volume * divisions.len() / volumes).collect();
        Self {
            project,
            divisions,
            volume_starts,
            drawings: drawings(usize::from(style.drawings), chance),
            appendices: appendices(usize::from(style.appendices), chance),
        }
    }
}

impl Book {
    /// Decides which sections are bound after `before` other pages. The last of them is extended to
    /// the length that the style requires.
    pub(crate) fn bind(&mut self, style: &Style, before: usize) {
        let mut bindable: Vec<&mut Section> = self
            .divisions
            .iter_mut()
            .flat_map(|division| &mut division.sections)
            .filter(|section| section.bindable())
            .collect();
        if style.pages == 0 {
            bindable.iter_mut().take(usize::from(style.bodies)).for_each(|section| section.has_body = true);
            return;
        }
        let mut left = usize::from(style.pages).saturating_sub(before).max(1) as u32;
        let last = bindable.len().saturating_sub(1);
        for (at, section) in bindable.into_iter().enumerate() {
            section.has_body = left > 0;
            if left > 0 {
                section.pages = if at == last { left } else { section.pages.min(left) };
                left -= section.pages;
            }
        }
    }
}

fn chosen_divisions(style: &Style, chance: &mut Chance) -> Vec<(&'static str, &'static str)> {
    let all = match (style.language, style.numbering) {
        (Language::French, _) => masterformat::DIVISIONS_FRENCH,
        (Language::Spanish, _) => masterformat::DIVISIONS_SPANISH,
        (Language::English, Numbering::FiveDigits) => masterformat::DIVISIONS_1995,
        (Language::English, _) => masterformat::DIVISIONS,
    };
    let technical: Vec<_> = all.iter().copied().filter(|(code, _)| *code != "00").collect();
    let common: Vec<_> = technical.iter().copied().filter(|(code, _)| COMMON_DIVISIONS.contains(code)).collect();
    let wanted = usize::from(style.divisions);
    let mut chosen = chance.sample(&common, wanted);
    let others: Vec<_> = technical.iter().copied().filter(|division| !chosen.contains(division)).collect();
    chosen.extend(chance.sample(&others, wanted.saturating_sub(chosen.len())));
    chosen.sort_unstable();
    if style.division_zero != DivisionZero::Absent {
        chosen.splice(0..0, all.iter().copied().filter(|(code, _)| *code == "00"));
    }
    chosen
}

impl Division {
    fn invent(code: &str, title: &str, style: &Style, chance: &mut Chance) -> Self {
        let table = match (style.language, style.numbering) {
            (Language::French, _) => masterformat::SECTIONS_FRENCH,
            (Language::Spanish, _) => masterformat::SECTIONS_SPANISH,
            (Language::English, Numbering::FiveDigits) => masterformat::SECTIONS_1995,
            (Language::English, _) => masterformat::SECTIONS,
        };
        let own: Vec<(&str, &str)> = table.iter().copied().filter(|(number, _)| number.starts_with(code)).collect();
        // General requirements and bidding documents are never left out.
        let listed = matches!(style.unused_division, UnusedDivision::InHeading | UnusedDivision::LineBelow);
        let unused = listed && code > "02" && chance.percent(20);
        let most = u32::from(style.sections.max(1));
        let count = chance.between((most / 2).max(1), most) as usize;
        let mut sections: Vec<Section> = Vec::new();
        if !unused {
            let buildings = if code > "01" { style.buildings.max(1) } else { 1 };
            for (number, title) in chance.sample(&own, count) {
                for building in 0..buildings {
                    let section = Section::invent(number, title, (building, buildings), style, chance);
                    // Two level-4 numbers that lost their last pair are one number.
                    if sections.iter().all(|other| other.printed_code != section.printed_code) {
                        sections.push(section);
                    }
                }
            }
        }
        Self { code: code.to_owned(), title: title.to_owned(), unused, sections }
    }
}

impl Section {
    fn invent(number: &str, title: &str, building: (u8, u8), style: &Style, chance: &mut Chance) -> Self {
        let words = wording(style.language);
        let (base, level_four) = number.split_once('.').map_or((number, None), |(base, level)| (base, Some(level)));
        let level_four = level_four.filter(|_| chance.percent(style.level_four));
        let (level_four, mut title) = if building.1 > 1 {
            let letter = char::from(b'A' + building.0);
            let suffix = if style.numbering == Numbering::FiveDigits {
                letter.to_string()
            } else {
                format!(".{:02}", building.0 + 1)
            };
            (Some(suffix), format!("{title} - Building {letter}"))
        } else {
            (level_four.map(|level| format!(".{level}")), title.to_owned())
        };
        let unused = chance.percent(style.unused_sections);
        if unused {
            title = match style.not_used {
                NotUsed::Instead => words.not_used.to_uppercase(),
                NotUsed::Parenthesis => format!("{title} ({})", words.not_used.to_uppercase()),
                NotUsed::Dash => format!("{title} - {}", words.not_used),
            };
        }
        let mut printed_code = style.numbering.print(base);
        if let Some(level) = &level_four {
            printed_code.push_str(level);
        }
        let mut code = base.to_owned();
        while code.len() < 6 {
            code.push('0');
        }
        Self {
            attachment: chance.percent(style.attachments).then(|| {
                let what = chance.pick(&[
                    "Soil Borings B-1 to B-9",
                    "Form dated 03 15 24",
                    "Color Schedule",
                    "Report 21 04 12",
                ]);
                format!("{} {}: {what}", words.attachment, chance.between(1, 4))
            }),
            code,
            printed_code,
            title,
            standing: if unused {
                Standing::Unused
            } else if chance.percent(style.struck) {
                Standing::Struck
            } else {
                Standing::Used
            },
            pages: chance.between(1, u32::from(style.body_pages.max(1))),
            has_body: false,
            lists_parts: !unused && base > "01" && chance.percent(style.parts),
            date: style.dates.print(chance.between(18, 26), chance.between(1, 12), chance.between(1, 28)),
            consultant: *chance.pick(&["ARC", "STR", "MEP", "CIV", "LAN", "FPE", "AV", "OWN"]),
            revision: chance.weighted(&[(6, ""), (2, "1"), (1, "2"), (1, "ADD 1")]).to_owned(),
        }
    }
}

impl Section {
    fn bindable(&self) -> bool {
        self.standing == Standing::Used && !FRONT_MATTER.contains(&self.code.as_str())
    }
}

impl Dates {
    fn print(self, year: u32, month: u32, day: u32) -> String {
        const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        match self {
            Dates::Slashes => format!("{month:02}/{day:02}/{year:02}"),
            Dates::Spaces => format!("{month:02} {day:02} {year:02}"),
            Dates::Iso => format!("20{year:02}-{month:02}-{day:02}"),
            Dates::Words => format!("{day} {} {year:02}", MONTHS[month as usize - 1]),
        }
    }
}

impl Numbering {
    /// Returns the first six (or five) digits of a section number in this form.
    pub(crate) fn print(self, digits: &str) -> String {
        let (Some(one), Some(two), Some(three)) = (digits.get(..2), digits.get(2..4), digits.get(4..)) else {
            return digits.to_owned();
        };
        match self {
            Numbering::Pairs => format!("{one} {two} {three}"),
            Numbering::Joined | Numbering::FiveDigits => digits.to_owned(),
            Numbering::Halved => format!("{one} {two}{three}"),
            Numbering::Hyphened => format!("{one}-{two}-{three}"),
            Numbering::Dotted => format!("{one}.{two}.{three}"),
        }
    }
}

impl TitleCase {
    /// Returns the text in this case.
    pub(crate) fn print(self, text: &str) -> String {
        match self {
            TitleCase::Title => text.to_owned(),
            TitleCase::Upper | TitleCase::SmallCapitals => text.to_uppercase(),
        }
    }
}

fn drawings(count: usize, chance: &mut Chance) -> Vec<(String, String)> {
    const SHEETS: &[(&str, &str)] = &[
        ("G-001", "Cover Sheet"),
        ("G-002", "Code Analysis and Abbreviations"),
        ("C-101", "Site Demolition Plan"),
        ("C-201", "Grading Plan"),
        ("L-101", "Planting Plan"),
        ("S-001", "Structural Notes"),
        ("S-101", "Foundation Plan"),
        ("S-201", "Roof Framing Plan"),
        ("A-101", "First Floor Plan"),
        ("A-102", "Second Floor Plan"),
        ("A-201", "Exterior Elevations"),
        ("A-301", "Building Sections"),
        ("A-501", "Door Schedule and Details"),
        ("A-601", "Finish Schedule"),
        ("P-101", "Plumbing Plan - First Floor"),
        ("M-101", "HVAC Plan - First Floor"),
        ("M-601", "Mechanical Schedules"),
        ("E-101", "Lighting Plan"),
        ("E-201", "Power Plan"),
        ("E-601", "One-Line Diagram"),
        ("T-101", "Technology Plan"),
    ];
    chance.sample(SHEETS, count).into_iter().map(|(number, title)| (number.to_owned(), title.to_owned())).collect()
}

fn appendices(count: usize, chance: &mut Chance) -> Vec<(String, String)> {
    const TITLES: &[&str] = &[
        "Geotechnical Engineering Report",
        "Asbestos and Lead Survey, Report 02 14 19",
        "Prevailing Wage Determination",
        "Phasing Plan",
        "Tree Inventory",
        "Utility Locate Records",
        "Stormwater Pollution Prevention Plan",
        "Energy Model Summary",
        "Owner's Furniture List",
        "Flow Test Results 2021",
    ];
    chance
        .sample(TITLES, count)
        .into_iter()
        .enumerate()
        .map(|(index, title)| (char::from(b'A' + index as u8).to_string(), title.to_owned()))
        .collect()
}
