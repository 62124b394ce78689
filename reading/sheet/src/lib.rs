//! What is where on a drawing sheet: [`parts`] that do not show the building, [`scale`]s, [`views`] and [`view_segmentation`].

pub mod parts;
pub mod scale;
pub mod view_segmentation;
pub mod views;
