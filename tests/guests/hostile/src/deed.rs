//! What the plugin does on demand.

use strum::{AsRefStr, EnumIter, EnumString};

/// What the plugin does, by the title of its document. Its `as_ref` returns the title.
///
/// The plugin and its tests match on all deeds, so that one without a test does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumIter, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum Deed {
    /// Nothing wrong.
    Behave,
    /// Compute without end, after a first message of progress.
    Loop,
    /// Compute without end in `conclude`.
    LoopAtTheEnd,
    /// Wait for an hour.
    Sleep,
    /// Allocate memory without end.
    EatMemory,
    /// Call itself without end.
    OverflowTheStack,
    /// Open the document without end, and close none.
    HoardDocuments,
    /// Pass more bytes to the host than one call may.
    OverfillACall,
    /// Report progress without end.
    FloodTheProgress,
    /// Print without end.
    FloodTheLog,
    /// Panic.
    Panic,
    /// Panic in a destructor.
    PanicInADestructor,
    /// Panic in a destructor in `conclude`.
    PanicAtTheEnd,
    /// Return the plugin's own failure.
    GiveUp,
    /// Return a failure with a message of a megabyte and control characters.
    Rant,
    /// Return a partial result above the limit.
    Bloat,
    /// Return a partial result that violates its schema.
    ReturnAMisshapenPartial,
    /// Return a result that violates its schema.
    ReturnAMisshapenResult,
    /// Return a number that JSON does not have.
    ReturnNoNumber,
    /// Ask for pages that the document does not have, and for pictures that nobody can draw.
    ReadBeyondTheDocument,
    /// List the files of the root folder.
    ReadFiles,
    /// List the variables of the environment.
    ReadTheEnvironment,
}
