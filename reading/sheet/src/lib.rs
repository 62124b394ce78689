//! What is where on a drawing sheet: [`phrases`], [`scale`]s, and [`views`].

pub mod phrases;
pub mod scale;
pub mod views;
