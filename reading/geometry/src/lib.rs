//! What a page draws, as straight pieces in the frame that it is read in ([`pieces`]), the long lines along that
//! frame's axes ([`Lines`]) that they make together, and what white space parts them into ([`Ink`]).
//!
//! Every piece lies inside the page, and no path makes more of them than it has segments times [`CHORDS`], so what
//! works on pieces is bounded by the page's size and its paths.

mod clusters;
mod frame;
mod lines;
mod pieces;

pub use clusters::{Cluster, Ink};
pub use frame::Frame;
pub use lines::{Line, Lines};
pub use pieces::{CHORDS, MOST_PIECES, Piece, pieces};
