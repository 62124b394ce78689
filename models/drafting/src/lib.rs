//! Drafts synthetic construction documents as PDF, with the exact truth about them as JSON.
//!
//! [`manual`] makes project manuals, the bound specification books with their contents pages; [`section`] makes the
//! sections that such books bind, with the truth of what they ask for; [`sheet`] makes sets of drawing sheets,
//! [`schedule`] sheets with schedules, [`elevation`] sheets of interior elevations, [`plan`] floor plans with doors and
//! fixtures; [`scan`] makes scans of any of them.

/// Declares an enum of habits with the derives and the spelling in JSON that all of them share.
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
pub mod scan;
pub mod schedule;
pub mod section;
pub mod sheet;
