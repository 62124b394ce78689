//! Doors without a drawn swing, identified by what is drawn in an opening and beside it.
//!
//! - `surroundings`: what is drawn about an opening, in the opening's own frame;
//! - `pocket`: panels that slide into the wall;
//! - `folding`: leaves on a hinge at the opening's end that fold.
//!
//! Confidences are set by hand: a complete symbol has 0.55 to 0.9. Where the networks run, score fusion replaces them by fitted
//! probabilities.

mod folding;
mod pocket;
mod surroundings;

use crate::symbols::doors::DoorSymbol;
use crate::symbols::openings::Opening;
use crate::symbols::plan::Plan;
use crate::symbols::sliding::ScoredExtent;
use surroundings::Surroundings;

/// Detects the doors that close openings of a plan; `scale` is in points of paper per inch of the building.
pub(crate) fn detect(plan: &Plan, openings: &[Opening], scale: f32) -> Vec<(DoorSymbol, ScoredExtent)> {
    openings.iter().filter_map(|opening| most_likely(plan, opening, scale)).collect()
}

/// Returns the most likely of what may close an opening.
fn most_likely(plan: &Plan, opening: &Opening, scale: f32) -> Option<(DoorSymbol, ScoredExtent)> {
    let around = Surroundings::read(plan, opening, scale)?;
    let ways = [(DoorSymbol::Pocket, around.pocket()), (DoorSymbol::Folding, around.folding())];
    let doors = ways.into_iter().filter_map(|(symbol, door)| Some((symbol, door?)));
    doors.max_by(|(_, a), (_, b)| a.confidence.total_cmp(&b.confidence))
}
