//! The styles of sheets of interior elevations.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::chance::Chance;
use crate::pdf::{Family, TextUnit};
use crate::presets::Presets;

style_enum! {
    /// The place of a view's title.
    TitlePlace {
        /// Below the view, at its left end.
        Below,
        /// Below the view, centred.
        Centred,
        /// Above the view.
        Above,
        /// To the left of the view, at its bottom.
        Beside,
    }
}

style_enum! {
    /// The mark of a title.
    TitleMark {
        /// A large number before the title, a line under both.
        Number,
        /// The number in a circle, a line from it under the title.
        Circle,
        /// A circle divided into the number and the sheet that refers to it.
        SplitCircle,
        /// The row and column of the view on the sheet, in a box: "1A".
        Box,
        /// None.
        Plain,
    }
}

style_enum! {
    /// The text of titles.
    Naming {
        /// "KITCHEN 104 - NORTH".
        RoomAndDirection,
        /// "KITCHEN ELEVATION".
        RoomElevation,
        /// "INTERIOR ELEVATION 3".
        Numbered,
        /// "NORTH ELEVATION": only the sheet's title says that it is an interior elevation.
        Compass,
        /// Only the mark: the sheet's title says what the views are.
        MarkOnly,
    }
}

style_enum! {
    /// The boundary of a view.
    Outline {
        /// A heavy line all around.
        Heavy,
        /// A thin line all around, and a heavy floor that extends beyond both ends.
        Floor,
        /// No sides: floor and ceiling, with break lines at the ends.
        Broken,
        /// Only the floor, with what is in front of the wall.
        Open,
    }
}

style_enum! {
    /// Other content of a sheet.
    Other {
        /// A part of a floor plan.
        EnlargedPlan,
        /// A section of a building.
        Section,
        /// An exterior elevation.
        Exterior,
        /// Doors in a row under one title.
        DoorTypes,
        /// A detail of materials.
        Detail,
        /// Numbered notes.
        Notes,
        /// A ruled table.
        Table,
    }
}

style_enum! {
    /// The language of titles and notes.
    Tongue {
        /// English.
        English,
        /// German.
        German,
        /// French.
        French,
        /// Spanish.
        Spanish,
        /// Turkish.
        Turkish,
        /// Italian.
        Italian,
    }
}

style_enum! {
    /// The scale of views.
    DrawnAt {
        /// 1/4" = 1'-0".
        Quarter,
        /// 3/8" = 1'-0".
        ThreeEighths,
        /// 1/2" = 1'-0".
        Half,
        /// 1:50.
        Fiftieth,
        /// 1:20.
        Twentieth,
    }
}

impl DrawnAt {
    /// Returns the points of paper for each inch of the building.
    pub(super) fn points_per_inch(self) -> f32 {
        match self {
            Self::Quarter => 1.5,
            Self::ThreeEighths => 2.25,
            Self::Half => 3.0,
            Self::Fiftieth => 1.44,
            Self::Twentieth => 3.6,
        }
    }

    /// Returns the scale as printed.
    pub(super) fn note(self) -> &'static str {
        match self {
            Self::Quarter => "1/4\" = 1'-0\"",
            Self::ThreeEighths => "3/8\" = 1'-0\"",
            Self::Half => "1/2\"=1'-0\"",
            Self::Fiftieth => "1 : 50",
            Self::Twentieth => "1:20",
        }
    }
}

/// A style: all in which two sheets of the same seed can differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent yes-or-no properties of a style")]
pub struct Style {
    /// Width and height of the sheet as displayed, in points.
    pub sheet: (f32, f32),
    /// The page's `/Rotate`: 0, 90, 180 or 270.
    pub rotate: u16,
    /// The place of titles.
    pub title: TitlePlace,
    /// Their marks.
    pub mark: TitleMark,
    /// Their text.
    pub naming: Naming,
    /// The language.
    pub tongue: Tongue,
    /// The scale.
    pub scale: DrawnAt,
    /// Whether each view's scale is printed with its title.
    pub scale_noted: bool,
    /// Whether the line below a title extends to its view's right end, where the scale then is.
    pub long_lines: bool,
    /// The boundary of views.
    pub outline: Outline,
    /// Whether the lengths and heights of walls are dimensioned.
    pub dimensions: bool,
    /// Whether notes with leaders are beside views.
    pub leaders: bool,
    /// Whether the sheet is ruled into modules with a view in each.
    pub modules: bool,
    /// Whether walls and other drawings are drawn in full, each different. Otherwise each is one of
    /// a few.
    pub furnished: bool,
    /// White space between adjacent views, in points.
    pub gap: f32,
    /// Number of interior elevations.
    pub views: usize,
    /// The other content of the sheet, in order, before and after the views.
    pub others: Vec<Other>,
    /// Whether the sheet title names interior elevations, if there are any.
    pub sheet_title: bool,
    /// Whether text is drawn as outlines, so that there is no text layer.
    pub outlined: bool,
    /// The typeface.
    pub family: Family,
    /// How text is split into strings.
    pub unit: TextUnit,
}

impl Default for Style {
    /// The preset `plain`.
    fn default() -> Self {
        PRESETS.first()
    }
}

impl Style {
    /// Returns a random style.
    pub fn random(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let mut others = vec![
            Other::EnlargedPlan,
            Other::Section,
            Other::Exterior,
            Other::DoorTypes,
            Other::Detail,
            Other::Notes,
            Other::Table,
        ];
        others = chance.sample(&others, 3);
        let tongue = chance.weighted(&[
            (6, Tongue::English),
            (1, Tongue::German),
            (1, Tongue::French),
            (1, Tongue::Spanish),
            (1, Tongue::Turkish),
            (1, Tongue::Italian),
        ]);
        let metric = tongue != Tongue::English;
        Self {
            sheet: *chance.pick(&[(2592.0, 1728.0), (3024.0, 2160.0), (2384.0, 1684.0)]),
            rotate: *chance.pick(&[0, 90, 180, 270]),
            title: *chance.pick(&[TitlePlace::Below, TitlePlace::Below, TitlePlace::Centred, TitlePlace::Above]),
            mark: *chance.pick(&[
                TitleMark::Number,
                TitleMark::Circle,
                TitleMark::SplitCircle,
                TitleMark::Box,
                TitleMark::Plain,
            ]),
            naming: *chance.pick(&[Naming::RoomAndDirection, Naming::RoomElevation, Naming::Numbered, Naming::Compass]),
            tongue,
            scale: if metric {
                *chance.pick(&[DrawnAt::Fiftieth, DrawnAt::Twentieth])
            } else {
                *chance.pick(&[DrawnAt::Quarter, DrawnAt::ThreeEighths, DrawnAt::Half])
            },
            scale_noted: chance.percent(85),
            long_lines: chance.percent(40),
            outline: *chance.pick(&[Outline::Heavy, Outline::Floor, Outline::Broken, Outline::Open]),
            dimensions: chance.percent(80),
            leaders: chance.percent(60),
            modules: chance.percent(20),
            furnished: false,
            gap: chance.between(30, 110) as f32,
            views: chance.between(3, 16) as usize,
            others,
            sheet_title: chance.percent(80),
            outlined: false,
            family: if tongue == Tongue::Turkish {
                Family::Libertinus
            } else {
                *chance.pick(&[Family::Helvetica, Family::Times, Family::DejaVuMono])
            },
            unit: *chance.pick(&[TextUnit::Line, TextUnit::Word, TextUnit::Glyph, TextUnit::Kerned]),
        }
    }

    /// Returns a random style that draws everything in full. Some of its sheets have no interior
    /// elevation.
    pub fn furnished(seed: u64) -> Self {
        let mut chance = Chance::new(seed ^ 0xF00D);
        let all = [
            Other::EnlargedPlan,
            Other::EnlargedPlan,
            Other::Section,
            Other::Exterior,
            Other::DoorTypes,
            Other::Detail,
            Other::Detail,
            Other::Notes,
            Other::Table,
        ];
        let mixture = Self::random(seed);
        let (none, outlined) = (chance.percent(12), chance.percent(10));
        let count = if none { 9 } else { chance.between(1, 6) };
        Self {
            furnished: true,
            views: if none { 0 } else { chance.between(2, 18) as usize },
            others: chance.sample(&all, count as usize),
            title: if chance.percent(12) { TitlePlace::Beside } else { mixture.title },
            outlined,
            family: if outlined { Family::Libertinus } else { mixture.family },
            ..mixture
        }
    }
}

static PRESETS: LazyLock<Presets<Style>> =
    LazyLock::new(|| Presets::embedded(include_str!("../../styles/elevation.toml")));

/// Returns the style presets, named after what is special about them. The last ones have no
/// interior elevation.
pub fn styles() -> Vec<(&'static str, Style)> {
    PRESETS.all()
}
