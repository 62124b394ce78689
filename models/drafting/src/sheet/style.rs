//! The styles of drawing sheets.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::wording::Language;
use crate::chance::Chance;
use crate::manual::{Family, TextUnit, WritingOrder};
use crate::presets::Presets;

style_enum! {
    /// The place of the title block.
    Block {
        /// A strip along the right edge, its text upright.
        RightUpright,
        /// A strip along the right edge, with text that runs upwards, except for the sheet number's.
        RightTurned,
        /// A strip along the right edge, with all text running upwards.
        RightAllTurned,
        /// A strip along the bottom edge.
        Bottom,
        /// A box in the bottom right corner, as in ISO 7200.
        Corner,
    }
}

style_enum! {
    /// The place of a cell's label.
    Labelling {
        /// In small print above the value.
        Over,
        /// In small print below the value.
        Under,
        /// Before the value, on its line.
        Beside,
        /// Missing, except in small fields.
        Bare,
    }
}

style_enum! {
    /// How sheets are numbered.
    Numbering {
        /// `A-101`, as in the National CAD Standard.
        Standard,
        /// `A101`.
        Joined,
        /// `A1.01`.
        Dotted,
        /// `A-101.00`.
        Decimals,
        /// `A1`, counted through the set.
        Counted,
        /// `QW/AR/03/07`: a code of several parts.
        Coded,
        /// `3`, with the number of sheets beside it.
        Plain,
        /// `2.04`, without a discipline's letter.
        Parted,
        /// `BLD-ORG-ZZ-02-DR-A-1004` and the index of its revision, as in ISO 19650.
        Role,
    }
}

style_enum! {
    /// The content of a set.
    Contents {
        /// The sheets of one discipline.
        Architecture,
        /// A whole set with cover and index.
        Disciplines,
        /// Sheets, with pages of a specification and a letter between them.
        Papers,
    }
}

/// A style: all in which two sets of the same seed can differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Style {
    /// Place of the title block.
    pub block: Block,
    /// The sheet's width as viewed, in points.
    pub width: f32,
    /// The sheet's height as viewed, in points.
    pub height: f32,
    /// `/Rotate` of the pages: 0, 90, 180 or 270.
    pub rotate: u16,
    /// The position of the page's lower left corner in user space, in points.
    pub origin: (f32, f32),
    /// The language of all text.
    pub language: Language,
    /// Selects one of a language's sets of labels.
    pub labels: usize,
    /// Place of the labels.
    pub labelling: Labelling,
    /// Form of the numbers.
    pub numbering: Numbering,
    /// What is in the set.
    pub contents: Contents,
    /// 1 if the project's name is larger than the sheet's title.
    pub project_larger: u8,
    /// 1 if the title is below the number instead of above it.
    pub title_last: u8,
    /// 1 if a scale is below the sheet's title, as below a drawing's.
    pub title_scaled: u8,
    /// 1 if titles name the building before the content of the sheet.
    pub long_titles: u8,
    /// The number of sheets, without pages of text.
    pub sheets: u8,
    /// The face.
    pub family: Family,
    /// How text is split into strings.
    pub text_unit: TextUnit,
    /// The order in which text is written.
    pub writing_order: WritingOrder,
}

const MM: f32 = 72.0 / 25.4;
/// Sheet sizes of ANSI/ASME Y14.1 and ISO 216: ANSI D, ARCH D, ARCH E, tabloid, A1, A2, A3.
const SIZES: [(f32, f32); 7] = [
    (2448.0, 1584.0),
    (2592.0, 1728.0),
    (3456.0, 2592.0),
    (1224.0, 792.0),
    (841.0 * MM, 594.0 * MM),
    (594.0 * MM, 420.0 * MM),
    (420.0 * MM, 297.0 * MM),
];

static PRESETS: LazyLock<Presets<Style>> = LazyLock::new(|| Presets::embedded(include_str!("../../styles/sheet.toml")));

/// Returns the style presets by name. Each has a title block of its own.
pub fn styles() -> Vec<(&'static str, Style)> {
    PRESETS.all()
}

impl Style {
    /// Returns a random style. The same seed gives the same style.
    pub fn random(seed: u64) -> Self {
        let mut chance = Chance::new(seed ^ 0x0053_4845_4554_5300);
        let chance = &mut chance;
        let language = chance.weighted(&[
            (7, Language::English),
            (1, Language::Spanish),
            (1, Language::French),
            (1, Language::German),
            (1, Language::Portuguese),
            (1, Language::Turkish),
            (1, Language::Italian),
            (1, Language::Dutch),
        ]);
        let (width, height) = *chance.pick(&SIZES);
        let family = *chance.pick(&[Family::Helvetica, Family::Helvetica, Family::Libertinus, Family::DejaVuMono]);
        Self {
            block: *chance.pick(&[
                Block::RightUpright,
                Block::RightTurned,
                Block::RightAllTurned,
                Block::Bottom,
                Block::Corner,
            ]),
            width,
            height,
            rotate: *chance.pick(&[0, 0, 90, 180, 270]),
            origin: *chance.pick(&[(0.0, 0.0), (0.0, 0.0), (-36.0, 18.0)]),
            language,
            labels: chance.between(0, 2) as usize,
            labelling: *chance.pick(&[
                Labelling::Over,
                Labelling::Over,
                Labelling::Under,
                Labelling::Beside,
                Labelling::Bare,
            ]),
            numbering: *chance.pick(&[
                Numbering::Standard,
                Numbering::Joined,
                Numbering::Dotted,
                Numbering::Decimals,
                Numbering::Counted,
                Numbering::Coded,
                Numbering::Plain,
            ]),
            contents: *chance.pick(&[Contents::Architecture, Contents::Disciplines, Contents::Papers]),
            project_larger: u8::from(chance.percent(50)),
            title_last: u8::from(chance.percent(30)),
            title_scaled: 0,
            long_titles: u8::from(chance.percent(20)),
            sheets: chance.between(4, 24) as u8,
            family: if language == Language::Turkish { Family::Libertinus } else { family },
            text_unit: *chance.pick(&[TextUnit::Line, TextUnit::Word, TextUnit::Glyph, TextUnit::Kerned]),
            writing_order: *chance.pick(&[WritingOrder::Reading, WritingOrder::ByFont, WritingOrder::BottomUp]),
        }
    }
}
