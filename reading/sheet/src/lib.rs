//! Parts of a drawing sheet: what does not show the building, scale notes, and views.

pub mod parts;
pub mod scale;
pub mod view_segmentation;
