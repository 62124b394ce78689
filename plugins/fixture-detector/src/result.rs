//! What clients read.

use fanlight_detection::symbols::FixtureKind;
use fanlight_plugin::BoundingBox;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The plumbing fixtures of a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Fixtures {
    /// In page order; on a page the likeliest first, none of them on a likelier one.
    pub fixtures: Vec<Fixture>,
    /// How many `fixtures` there are, those that may need manual review included.
    pub fixtures_found: usize,
    /// How many pages were looked at.
    pub pages_analyzed: usize,
}

/// What is, or may be, a plumbing fixture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fixture {
    /// `fix_` and 12 hex digits, the same for the same fixture of the same document.
    pub id: String,
    /// 1-based.
    pub page: u32,
    /// Around its outline; a basin's without its counter.
    pub bbox: BoundingBox,
    /// What it is.
    pub kind: Kind,
    /// How likely it is a fixture: above 0.5 rather one than not, from 0.12 to 0.5 it may need manual review. What is less
    /// likely is not listed.
    #[schemars(range(min = 0.12, max = 1.0))]
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
