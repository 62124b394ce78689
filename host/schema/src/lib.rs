//! Checks JSON texts against JSON Schema.
//!
//! [`Schema::compile`] reads a schema once and refuses it in one sentence where it has a keyword that is not checked
//! here. [`Schema::check`] walks over a text and holds no tree of it: a tree takes tens of times the text's bytes. All
//! schemas that apply to a value are checked in the same pass, so the work grows with the text and not with the number
//! of ways through nested choices, and it ends at a budget.
//!
//! A [`Violation`] names the place in the text by names that the schema has. Names that only the text has are written
//! as `*`: they may be a document's words.
//!
//! - `scan`: the cursor over a text;
//! - `number`: numbers, compared exactly;
//! - `pattern`: regular expressions as JSON Schema writes them;
//! - `node`: a schema as it is checked;
//! - `compile`: from a schema's JSON to nodes;
//! - `check`: the walk.

mod check;
mod compile;
mod node;
mod number;
mod pattern;
mod scan;

use std::hash::RandomState;

use node::Node;

pub use check::{CheckError, Violation};
pub use compile::UnsupportedSchema;

/// A compiled schema.
#[derive(Debug)]
pub struct Schema {
    /// A node's `allOf`, `anyOf`, `oneOf`, `not` and `$ref` lead to nodes that come before it.
    nodes: Vec<Node>,
    root: usize,
    /// Seeds the hashes by which arrays and objects are compared.
    seed: RandomState,
}
