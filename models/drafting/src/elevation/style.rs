//! How an office draws a sheet of interior elevations.

use serde::{Deserialize, Serialize};

use crate::chance::Chance;
use crate::pdf::{Family, TextUnit};

style_enum! {
    /// Where a view's title stands.
    TitlePlace {
        /// Under the view, from its left end.
        Below,
        /// Under the view, about its middle.
        Centred,
        /// Over the view.
        Above,
        /// To the left of the view, at its foot.
        Beside,
    }
}

style_enum! {
    /// What marks a title.
    TitleMark {
        /// A large number before the title, a line under both.
        Number,
        /// The number in a circle, a line from it under the title.
        Circle,
        /// A circle parted into the number and the sheet that refers to it.
        SplitCircle,
        /// A letter series of the sheet's rows and columns in a box: "1A".
        Box,
        /// Nothing but the title.
        Plain,
    }
}

style_enum! {
    /// What titles of interior elevations say.
    Naming {
        /// "KITCHEN 104 - NORTH".
        RoomAndDirection,
        /// "KITCHEN ELEVATION".
        RoomElevation,
        /// "INTERIOR ELEVATION 3".
        Numbered,
        /// "NORTH ELEVATION": the sheet's title alone says that it is inside.
        Compass,
        /// Only the mark; the sheet's title says what the views are.
        MarkOnly,
    }
}

style_enum! {
    /// How a view is bounded.
    Outline {
        /// A heavy line all around.
        Heavy,
        /// A thin line all around, and a heavy floor that runs on at both ends.
        Floor,
        /// No sides: floor and ceiling, with break lines at the ends.
        Broken,
        /// The floor alone: what stands before the wall is all else.
        Open,
    }
}

style_enum! {
    /// What else a sheet shows.
    Other {
        /// A piece of a floor plan.
        EnlargedPlan,
        /// A cut through a building.
        Section,
        /// A building's front.
        Exterior,
        /// Doors in a row under one title.
        DoorTypes,
        /// A joint of materials.
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
    /// At what scale views are drawn.
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
    /// Points of paper that an inch of the building takes.
    pub(super) fn points_per_inch(self) -> f32 {
        match self {
            Self::Quarter => 1.5,
            Self::ThreeEighths => 2.25,
            Self::Half => 3.0,
            Self::Fiftieth => 1.44,
            Self::Twentieth => 3.6,
        }
    }

    /// As it is printed.
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

/// An office's habits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent yes-or-no properties of a style")]
pub struct Style {
    /// Width and height of the sheet as viewed, points.
    pub sheet: (f32, f32),
    /// The page's `/Rotate`: 0, 90, 180 or 270.
    pub rotate: u16,
    /// Where titles stand.
    pub title: TitlePlace,
    /// What marks them.
    pub mark: TitleMark,
    /// What they say.
    pub naming: Naming,
    /// The language.
    pub tongue: Tongue,
    /// At what scale.
    pub scale: DrawnAt,
    /// Whether each view's scale is printed with its title.
    pub scale_noted: bool,
    /// Whether the line under a title runs to its view's right end, where the scale then stands.
    pub long_lines: bool,
    /// How views are bounded.
    pub outline: Outline,
    /// Whether walls' lengths and heights are dimensioned.
    pub dimensions: bool,
    /// Whether notes with leaders stand beside views.
    pub leaders: bool,
    /// Whether the sheet is ruled into modules, a view in each.
    pub modules: bool,
    /// Whether walls and what else stands on the sheet are drawn in full, each different from the others; else each is
    /// one of a few.
    pub furnished: bool,
    /// White space between neighbouring views, points.
    pub gap: f32,
    /// Number of interior elevations.
    pub views: usize,
    /// What else stands on the sheet, in this order, before and after the views.
    pub others: Vec<Other>,
    /// Whether the title block's sheet title names interior elevations, where there are any.
    pub sheet_title: bool,
    /// Whether text is drawn as outlines, so that there is no text layer.
    pub outlined: bool,
    /// The type.
    pub family: Family,
    /// Into which pieces text is cut.
    pub unit: TextUnit,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            sheet: (2592.0, 1728.0),
            rotate: 0,
            title: TitlePlace::Below,
            mark: TitleMark::Number,
            naming: Naming::RoomElevation,
            tongue: Tongue::English,
            scale: DrawnAt::Half,
            scale_noted: true,
            long_lines: false,
            outline: Outline::Heavy,
            dimensions: true,
            leaders: true,
            modules: false,
            furnished: false,
            gap: 70.0,
            views: 7,
            others: vec![Other::EnlargedPlan],
            sheet_title: true,
            outlined: false,
            family: Family::Helvetica,
            unit: TextUnit::Line,
        }
    }
}

impl Style {
    /// A mixture of habits drawn with a number.
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

    /// A mixture of habits that draws everything in full, drawn with a number; some of its sheets hold no interior
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

/// Invented offices, by what is particular about them. The last ones draw no interior elevation at all.
pub fn styles() -> Vec<(&'static str, Style)> {
    use Other::{Detail, DoorTypes, EnlargedPlan, Exterior, Notes, Section, Table};
    let plain = Style::default();
    let none = Style { views: 0, sheet_title: false, ..plain.clone() };
    vec![
        ("plain", plain.clone()),
        (
            "circles",
            Style {
                mark: TitleMark::Circle,
                naming: Naming::RoomAndDirection,
                scale: DrawnAt::Quarter,
                outline: Outline::Floor,
                views: 14,
                others: vec![Section, Detail, Notes],
                ..plain.clone()
            },
        ),
        (
            "letters",
            Style {
                mark: TitleMark::SplitCircle,
                naming: Naming::MarkOnly,
                scale: DrawnAt::ThreeEighths,
                title: TitlePlace::Centred,
                others: vec![Notes],
                views: 9,
                ..plain.clone()
            },
        ),
        (
            "above",
            Style {
                title: TitlePlace::Above,
                mark: TitleMark::Plain,
                scale: DrawnAt::ThreeEighths,
                naming: Naming::Numbered,
                others: vec![EnlargedPlan, DoorTypes],
                ..plain.clone()
            },
        ),
        (
            "beside",
            Style {
                title: TitlePlace::Beside,
                mark: TitleMark::Circle,
                scale: DrawnAt::ThreeEighths,
                naming: Naming::RoomAndDirection,
                others: vec![Section],
                leaders: false,
                gap: 50.0,
                ..plain.clone()
            },
        ),
        (
            "modules",
            Style {
                modules: true,
                mark: TitleMark::Box,
                naming: Naming::RoomAndDirection,
                scale: DrawnAt::ThreeEighths,
                others: vec![EnlargedPlan, Detail],
                views: 8,
                ..plain.clone()
            },
        ),
        (
            "compass",
            Style {
                naming: Naming::Compass,
                mark: TitleMark::Circle,
                title: TitlePlace::Centred,
                scale: DrawnAt::Quarter,
                views: 16,
                others: vec![EnlargedPlan, Notes],
                ..plain.clone()
            },
        ),
        (
            "long-lines",
            Style {
                long_lines: true,
                outline: Outline::Open,
                scale: DrawnAt::ThreeEighths,
                naming: Naming::RoomElevation,
                others: vec![EnlargedPlan, Section],
                views: 10,
                sheet: (3024.0, 2160.0),
                ..plain.clone()
            },
        ),
        (
            "german",
            Style {
                sheet: (2384.0, 1684.0),
                tongue: Tongue::German,
                scale: DrawnAt::Twentieth,
                mark: TitleMark::Plain,
                views: 4,
                others: vec![Section],
                ..plain.clone()
            },
        ),
        (
            "french",
            Style {
                sheet: (2384.0, 1684.0),
                tongue: Tongue::French,
                scale: DrawnAt::Fiftieth,
                outline: Outline::Floor,
                naming: Naming::Numbered,
                views: 12,
                others: vec![EnlargedPlan, Detail],
                rotate: 90,
                ..plain.clone()
            },
        ),
        (
            "spanish",
            Style {
                sheet: (2384.0, 1684.0),
                tongue: Tongue::Spanish,
                scale: DrawnAt::Fiftieth,
                mark: TitleMark::Circle,
                views: 9,
                others: vec![Exterior],
                naming: Naming::Numbered,
                ..plain.clone()
            },
        ),
        (
            "turkish",
            Style {
                sheet: (2384.0, 1684.0),
                tongue: Tongue::Turkish,
                scale: DrawnAt::Twentieth,
                family: Family::Libertinus,
                views: 4,
                others: vec![DoorTypes],
                rotate: 270,
                ..plain.clone()
            },
        ),
        (
            "italian",
            Style {
                tongue: Tongue::Italian,
                scale: DrawnAt::Fiftieth,
                naming: Naming::Numbered,
                mark: TitleMark::Box,
                others: vec![Table, Section],
                views: 10,
                rotate: 180,
                ..plain.clone()
            },
        ),
        (
            "outlined",
            Style {
                outlined: true,
                family: Family::Libertinus,
                scale: DrawnAt::ThreeEighths,
                others: Vec::new(),
                views: 9,
                gap: 90.0,
                ..plain.clone()
            },
        ),
        (
            "tight",
            Style {
                gap: 36.0,
                scale: DrawnAt::Quarter,
                mark: TitleMark::Number,
                views: 20,
                others: vec![EnlargedPlan, DoorTypes, Detail],
                unit: TextUnit::Word,
                ..plain.clone()
            },
        ),
        (
            "no-scales",
            Style {
                scale_noted: false,
                mark: TitleMark::Circle,
                scale: DrawnAt::Quarter,
                naming: Naming::RoomAndDirection,
                views: 12,
                others: vec![Table],
                ..plain.clone()
            },
        ),
        (
            "half-size",
            Style {
                sheet: (1224.0, 792.0),
                scale: DrawnAt::Quarter,
                views: 5,
                gap: 40.0,
                dimensions: false,
                leaders: false,
                others: vec![Detail],
                ..plain.clone()
            },
        ),
        (
            "mixed",
            Style {
                naming: Naming::RoomElevation,
                outline: Outline::Broken,
                scale: DrawnAt::Quarter,
                others: vec![Exterior, Section],
                views: 6,
                sheet_title: false,
                ..plain.clone()
            },
        ),
        (
            "fronts",
            Style {
                others: vec![Exterior, Exterior],
                scale: DrawnAt::Quarter,
                naming: Naming::Compass,
                ..none.clone()
            },
        ),
        ("sections", Style { others: vec![Section, Section, Detail, Detail, Notes], ..none.clone() }),
        ("plans", Style { others: vec![EnlargedPlan, EnlargedPlan, DoorTypes, Table, Notes], ..none.clone() }),
        (
            "plans-outlined",
            Style {
                others: vec![EnlargedPlan, Section, Detail, DoorTypes],
                outlined: true,
                family: Family::Libertinus,
                ..none.clone()
            },
        ),
    ]
}
