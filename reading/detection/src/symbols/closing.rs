//! Doors without a drawn swing, identified by what is drawn in an opening and beside it.
//!
//! - `surroundings`: what is drawn about an opening, in the opening's own frame;
//! - `sliding`: panels that slide into the wall or along its face, and doors that go up;
//! - `leaves`: leaves on a hinge at the opening's end that fold, or stand open without their swing;
//! - `pleats`: accordion doors, a zigzag from one end of the opening;
//! - `wings`: revolving doors, wings that cross in the opening's middle, in a drum.
//!
//! Confidences are set by hand: a complete symbol has 0.65 to 0.97, each thing that speaks against it subtracts. Where the
//! networks run, score fusion replaces them by fitted probabilities.

mod leaves;
mod pleats;
mod sliding;
mod surroundings;
mod wings;

use crate::symbols::doors::DoorSymbol;
use crate::symbols::openings::Opening;
use crate::symbols::panels::ScoredExtent;
use crate::symbols::plan::Plan;
use surroundings::{Part, Surroundings};

/// A door that closes an opening.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosedOpening {
    pub(crate) symbol: DoorSymbol,
    pub(crate) door: ScoredExtent,
}

/// Detects what closes openings of a plan; `scale` is in points of paper per inch of the building.
pub(crate) fn detect(plan: &Plan, openings: &[Opening], scale: f32) -> Vec<ClosedOpening> {
    openings.iter().filter_map(|opening| most_likely(plan, opening, scale)).collect()
}

/// Returns the most likely of what may close an opening.
fn most_likely(plan: &Plan, opening: &Opening, scale: f32) -> Option<ClosedOpening> {
    let around = Surroundings::read(plan, opening, scale, Part::Around)?;
    let panels = around.panels();
    let ways = [
        (DoorSymbol::Revolving, around.revolving()),
        (DoorSymbol::Accordion, around.accordion()),
        (DoorSymbol::Pocket, around.pocket(&panels)),
        (DoorSymbol::Surface, around.surface(&panels)),
        (DoorSymbol::Overhead, around.overhead(plan, &panels)),
        (DoorSymbol::Folding, around.folding()),
        (DoorSymbol::Leaf, around.standing(plan)),
    ];
    let doors = ways.into_iter().filter_map(|(symbol, door)| Some(ClosedOpening { symbol, door: door? }));
    doors.max_by(|a, b| a.door.confidence.total_cmp(&b.door.confidence))
}
