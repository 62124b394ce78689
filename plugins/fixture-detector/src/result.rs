//! What clients read.

use fanlight_plugin::vocabulary::Rect;
use fanlight_symbols::FixtureKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The plumbing fixtures of a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Fixtures {
    /// In page order; on a page the likeliest first.
    pub fixtures: Vec<Fixture>,
    /// How many `fixtures` there are.
    pub fixtures_found: usize,
    /// How many pages were looked at.
    pub pages_analyzed: usize,
}

/// A plumbing fixture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fixture {
    /// `fix_` and 12 hex digits, the same for the same fixture of the same document.
    pub id: String,
    /// 1-based.
    pub page: u32,
    /// Around its outline; a basin's without its counter.
    pub bbox: BBox,
    /// What it is.
    pub kind: Kind,
    /// How likely it is that, from 0 to 1. What is rather none isn't listed.
    pub confidence: f64,
}

/// What a fixture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A water closet or a squat pan.
    Wc,
    /// A urinal.
    Urinal,
    /// A washbasin.
    Lavatory,
    /// A kitchen's, a laundry's or a janitor's sink.
    Sink,
    /// A bathtub.
    Bathtub,
    /// A shower.
    Shower,
    /// Another one.
    Other,
}

impl From<FixtureKind> for Kind {
    fn from(kind: FixtureKind) -> Self {
        match kind {
            FixtureKind::Wc => Self::Wc,
            FixtureKind::Urinal => Self::Urinal,
            FixtureKind::Lavatory => Self::Lavatory,
            FixtureKind::Sink => Self::Sink,
            FixtureKind::Bathtub => Self::Bathtub,
            FixtureKind::Shower => Self::Shower,
            FixtureKind::Other => Self::Other,
        }
    }
}

/// An axis-aligned box in user space of the unrotated page: points, origin bottom-left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BBox {
    /// Left.
    pub x1: f64,
    /// Bottom.
    pub y1: f64,
    /// Right.
    pub x2: f64,
    /// Top.
    pub y2: f64,
}

impl From<Rect> for BBox {
    /// To a hundredth of a point.
    fn from(rect: Rect) -> Self {
        let hundredth = |value: f32| (f64::from(value) * 100.0).round() / 100.0;
        Self { x1: hundredth(rect.x1), y1: hundredth(rect.y1), x2: hundredth(rect.x2), y2: hundredth(rect.y2) }
    }
}
