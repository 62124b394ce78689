//! Generates synthetic construction documents as PDF, with their exact ground truth as JSON.
//!
//! [`manual`] makes project manuals: bound specifications with their contents pages. [`section`]
//! makes the sections of such manuals, with the requirements in them. [`sheet`] makes sets of
//! drawing sheets, [`schedule`] sheets with schedules, [`elevation`] sheets of interior elevations,
//! and [`plan`] floor plans with doors and fixtures. [`scan`] makes scans of any of them.
//!
//! Each kind of document has a `Style`: everything about its appearance that can vary. `styles()`
//! returns the named style presets, which are data files in `styles/`. `Style::random` returns a
//! random style, and `generate` a document in a style. All names in the documents are invented.

/// Declares an enum for a property of styles, with the derives and the JSON spelling that all of
/// them share.
macro_rules! style_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$variant_meta])* $variant),+ }
    };
}

mod chance;
pub mod elevation;
pub mod manual;
mod pdf;
pub mod plan;
mod presets;
pub mod scan;
pub mod schedule;
pub mod section;
pub mod sheet;
