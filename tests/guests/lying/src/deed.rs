//! What the plugin does on demand.

use strum::{AsRefStr, EnumIter, EnumString};

/// What the plugin answers, by the title of its document. Its `as_ref` returns the title.
///
/// The plugin and its tests match on all deeds, so that one without a test does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumIter, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum Deed {
    /// The truth.
    Behave,
    /// A partial result that is not JSON.
    ReturnAPartialThatIsNotJson,
    /// A result that is not JSON.
    ReturnAResultThatIsNotJson,
    /// A result that is a list.
    ReturnAList,
    /// A result of a gigabyte.
    ReturnAGigabyte,
    /// A result that names another document, another model and another time.
    ClaimAnotherDocument,
    /// A result that says which documents this component has seen before.
    RememberDocuments,
    /// Nothing: `present` computes without end.
    LoopInPresent,
    /// Nothing: `present` panics.
    PanicInPresent,
    /// Nothing: `present` allocates memory without end.
    EatMemoryInPresent,
    /// `present` opens the document, which it does not have, and says how that went.
    OpenTheDocumentInPresent,
    /// `present` returns what is not JSON.
    PresentNoJson,
    /// `present` returns what violates the schema of the result.
    PresentAMisshapenResult,
}

/// What the plugin does when it is asked for its description, by the name that is written into its component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumIter, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum DescribeDeed {
    /// Compute without end.
    LoopInDescribe,
    /// Panic.
    PanicInDescribe,
    /// Allocate memory without end.
    EatMemoryInDescribe,
    /// Return schemas that are not JSON.
    DescribeWithoutJson,
    /// Return a schema of four megabytes.
    DescribeAtLength,
    /// Describe itself under another name.
    DescribeAnotherModel,
}
