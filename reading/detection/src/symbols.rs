//! Detects doors and plumbing fixtures on plans from the vector drawing.
//!
//! The rules use no layer name, no tag and no colour. A door is an arc around a hinge, a leaf as long as the arc's radius,
//! and an opening that ends at walls. A fixture is an outline whose form and the shapes inside it are a fixture's, by trees that are
//! fitted. Sizes are shares of a door's width, or real sizes by the sheet's scale.
//!
//! Each candidate has a confidence, and unlikely ones are returned too: the plugins fuse the confidence with a network's
//! classification of the candidate's raster before they drop what is unlikely.
//!
//! - `drawing`: paths as chains of straight pieces; `plane`: points and boxes; `index` and `places`: spatial indexes;
//! - `circle` and `arcs`: arcs rebuilt from Bézier curves, polylines and dashes by circle fits;
//! - `plan`: a page with its spatial index; `scale`: the scales that its notes state;
//! - `swings`: leaves that swing, with the evidence for them; `sliding`: panels that pass each other;
//! - `openings`: gaps between walls in line; `closing`: doors that are identified by what closes an opening;
//! - `doors`: merges the leaves of one frame into a door, and applies non-maximum suppression;
//! - `shapes`: connected components of lines; `fixtures`: classifies components as fixtures by their geometry;
//! - `boosted_trees`: decision trees that do it.

mod arcs;
mod boosted_trees;
mod circle;
mod closing;
mod doors;
pub(crate) mod drawing;
mod fixtures;
pub(crate) mod index;
mod openings;
pub(crate) mod places;
pub(crate) mod plan;
pub(crate) mod plane;
mod shapes;
mod sliding;
mod swings;

pub use doors::{Door, DoorSymbol, Scales};
pub use fixtures::{Fixture, FixtureKind, MeasuredOutline, non_maximum_suppression};
pub use plan::Plan;

impl Plan {
    /// Detects plumbing fixtures without overlaps, the most confident first. There are none if the scale is unknown.
    pub fn fixtures(&self) -> Vec<Fixture> {
        fixtures::detect(self, &doors::scales(self))
    }

    /// Detects plumbing fixtures including overlapping candidates and those that are not possible, the most confident first.
    ///
    /// Callers fuse the candidates with other scores and then apply [`non_maximum_suppression`].
    pub fn fixture_candidates(&self, scales: &Scales) -> Vec<Fixture> {
        fixtures::candidates(self, scales)
    }

    /// Measures the outlines that may be fixtures; `scale` is in points of paper per inch of the building.
    ///
    /// [`Self::fixture_candidates`] tells what they are. This one is for fitting.
    pub fn fixture_outlines(&self, scale: f32) -> Vec<MeasuredOutline> {
        fixtures::outlines(self, scale)
    }

    /// Returns the scales of the sheet's plans, by its doors and its notes.
    pub fn scales(&self) -> Scales {
        doors::scales(self)
    }

    /// Detects doors, the most confident first. Unlikely candidates are included.
    pub fn doors(&self) -> Vec<Door> {
        doors::detect(self)
    }
}
