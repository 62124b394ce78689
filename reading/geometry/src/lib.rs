//! Plane geometry that all readers of pages share.
//!
//! - [`Frame`]: the upright coordinate frame in which a page is read;
//! - [`RectExt`], [`bounding_box`]: area, union, intersection and intersection over union of boxes;
//! - [`walk`]: the steps of one path; [`segments`]: everything that a page draws, as straight line segments;
//! - [`Lines`]: the long horizontal and vertical lines that those segments make together;
//! - [`UnionFind`]: disjoint sets; [`non_maximum_suppression`]: one detection for one thing; [`median`] and
//!   [`weighted_median`].
//!
//! Every segment lies inside the page. A path yields at most [`CHORDS_PER_CURVE`] segments for each of its operations,
//! so the work on segments is bounded by the page's size and the length of its paths.

mod frame;
mod lines;
mod median;
mod rect;
mod segments;
mod suppression;
mod union_find;
mod walk;

pub use frame::Frame;
pub use lines::{Line, Lines};
pub use median::{median, weighted_median};
pub use rect::{EMPTY_RECT, RectExt, bounding_box};
pub use segments::{CHORDS_PER_CURVE, MAX_SEGMENTS, Segment, segments};
pub use suppression::non_maximum_suppression;
pub use union_find::UnionFind;
pub use walk::{PathStep, walk};
