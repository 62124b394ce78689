//! A validator of JSON texts against a subset of JSON Schema 2020-12.
//!
//! [`Schema::compile`] compiles a schema once and refuses one with an unsupported keyword. [`Schema::check`] validates a
//! text in a single pass without building a tree of it, since a tree takes tens of times the text's bytes. All
//! subschemas that apply to a value are checked in that pass. The work therefore grows with the text and not with the
//! number of paths through nested choices, and it ends at a budget.
//!
//! A [`Violation`] names the place in the text by property names of the schema. Names that only the text has become `*`,
//! since they may be words of a confidential document.
//!
//! - `scan`: the cursor over a text;
//! - `number`: exact comparison of numbers;
//! - `pattern`: regular expressions of JSON Schema;
//! - `node`: the compiled form of a schema;
//! - `compile`: from a schema's JSON to nodes;
//! - `check`: the validation.

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
    /// The nodes in topological order: `allOf`, `anyOf`, `oneOf`, `not` and `$ref` of a node refer to earlier nodes.
    nodes: Vec<Node>,
    root: usize,
    /// Seed of the hashes by which arrays and objects are compared.
    seed: RandomState,
}
