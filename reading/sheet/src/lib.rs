//! What is where on a drawing sheet: [`parts`] that do not show the building, [`scale`]s, and [`views`].

pub mod parts;
pub mod scale;
pub mod views;
