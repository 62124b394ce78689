//! Finds doors and plumbing fixtures on plans, from what is drawn.
//!
//! Nothing here knows an office, a layer or a tag: a door is an arc around a hinge, a leaf as long as the arc's radius, and
//! an opening that ends at walls; a fixture is an outline of its size with the shapes inside that make it what it is. Sizes
//! are shares of a door's width, or real ones by the sheet's scale.
//!
//! What is found has a confidence, and what is unlikely is listed too: another judgement of a candidate's place, such as a
//! network's of its picture, is weighed in before the plugins leave out what is rather none.
//!
//! - `drawing`: paths as chains of straight pieces; `plane`: points and boxes; `index` and `places`: what lies near a place;
//! - `circle` and `arcs`: arcs, rebuilt from Bézier curves, polylines and dashes;
//! - `plan`: a page, made ready to be asked; `scale`: what its notes tell of its scale;
//! - `swings`: leaves that swing, and what speaks for them; `panels`: leaves that slide and fold;
//! - `openings`: where walls end and begin again in line; `closing`: doors that are told by what is drawn in an opening;
//! - `doors`: leaves in one frame are one door, and each stands where others don't;
//! - `shapes`: figures of lines that hang together; `lettering` and `poche`: words and dark areas, which are none of them;
//!   `fixtures`: which of the figures are fixtures.

mod arcs;
mod circle;
mod closing;
mod doors;
mod drawing;
mod fixtures;
mod index;
mod lettering;
mod openings;
mod panels;
mod places;
mod plan;
mod plane;
mod poche;
mod scale;
mod shapes;
mod swings;

pub use doors::{Door, DoorKind};
pub use fixtures::{Fixture, FixtureKind, non_maximum_suppression};
pub use plan::Plan;

impl Plan {
    /// What may be plumbing fixtures, the likeliest first, none of them on another. None where nothing tells the plan's scale.
    pub fn fixtures(&self) -> Vec<Fixture> {
        fixtures::find(self, &doors::scales(self))
    }

    /// [`Plan::fixtures`] and what lies on them, the likeliest first: for who has another judgement of them. [`non_maximum_suppression`] takes
    /// the likeliest of those that lie on one another.
    pub fn fixture_candidates(&self) -> Vec<Fixture> {
        fixtures::candidates(self, &doors::scales(self))
    }

    /// All that may be doors, the likeliest first.
    pub fn doors(&self) -> Vec<Door> {
        doors::find(self)
    }
}
