//! Compilation of a schema's JSON into nodes.

use std::collections::HashMap;
use std::hash::RandomState;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::Schema;
use crate::check::hash_of;
use crate::node::{Choice, Constant, Constants, Kind, Kinds, Node, NumberRule, Place, Property};
use crate::number::Number;
use crate::pattern;

/// Keywords that do not constrain a value.
const ANNOTATIONS: [&str; 19] = [
    "$schema",
    "$comment",
    "$defs",
    "definitions",
    "title",
    "description",
    "default",
    "example",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "discriminator",
    "externalDocs",
    "xml",
];
/// Prefix of the annotations of other tools.
const EXTENSION: &str = "x-";

/// Maximum size of a schema's text without white space, in bytes.
const SCHEMA_BYTES: usize = 1024 * 1024;
/// Maximum number of patterns in a schema. Each is kept compiled.
const PATTERNS: usize = 64;
/// Maximum bytes of a schema's own words that an error message repeats.
const QUOTED: usize = 60;

/// Why a schema is not supported, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct UnsupportedSchema(String);

impl Schema {
    /// Compiles a schema.
    ///
    /// # Errors
    ///
    /// [`UnsupportedSchema`] if it is not a JSON Schema, has an unsupported keyword, refers to something outside itself,
    /// or refers to itself in a cycle for the same value.
    pub fn compile(schema: &Value) -> Result<Self, UnsupportedSchema> {
        if schema.to_string().len() > SCHEMA_BYTES {
            return Err(UnsupportedSchema(format!("it has more than {SCHEMA_BYTES} bytes")));
        }
        let mut compiler =
            Compiler { whole: schema, nodes: Vec::new(), known: HashMap::new(), open: Vec::new(), patterns: 0 };
        let seed = RandomState::new();
        compiler.node(schema, Place { parent: None, step: String::new() });
        while let Some((id, schema)) = compiler.open.pop() {
            compiler.fill(id, schema, &seed)?;
        }
        let mut nodes = compiler.nodes;
        let root = sort(&mut nodes)?;
        for id in 0..nodes.len() {
            if let Some(accepts) = nodes.get(id).map(|node| accepts(node, &nodes))
                && let Some(node) = nodes.get_mut(id)
            {
                node.accepts = accepts;
            }
        }
        Ok(Self { nodes, root, seed })
    }
}

/// The state of a compilation. Nodes to be filled wait in a list instead of on the call stack, since schemas may be
/// nested deeply.
struct Compiler<'a> {
    whole: &'a Value,
    nodes: Vec<Node>,
    /// The node of a schema, by the schema's address in `whole`.
    known: HashMap<*const Value, usize>,
    open: Vec<(usize, &'a Value)>,
    patterns: usize,
}

impl<'a> Compiler<'a> {
    /// Returns the node of a schema and creates it if it is new. The node may be filled later.
    fn node(&mut self, schema: &'a Value, place: Place) -> usize {
        let address = std::ptr::from_ref(schema);
        if let Some(&known) = self.known.get(&address) {
            return known;
        }
        let id = self.nodes.len();
        self.nodes.push(Node::new(place));
        self.known.insert(address, id);
        self.open.push((id, schema));
        id
    }

    fn child(&mut self, parent: usize, step: String, schema: &'a Value) -> usize {
        self.node(schema, Place { parent: Some(parent), step })
    }

    /// Compiles the keywords of a schema into its node.
    fn fill(&mut self, id: usize, schema: &'a Value, seed: &RandomState) -> Result<(), UnsupportedSchema> {
        let mut node = match self.nodes.get(id) {
            Some(node) => node.clone(),
            None => return Ok(()),
        };
        match schema {
            Value::Bool(everything) => node.types = if *everything { Kinds::ALL } else { Kinds::NONE },
            Value::Object(keywords) => {
                for (keyword, value) in keywords {
                    self.keyword(id, &mut node, keyword, value, seed).map_err(|why| self.refused(id, keyword, why))?;
                }
                require(&mut node, keywords);
            }
            _ => return Err(self.refused(id, "", "is not a schema")),
        }
        if let Some(filled) = self.nodes.get_mut(id) {
            *filled = node;
        }
        Ok(())
    }

    /// Compiles one keyword. The error completes the sentence "`keyword` at … ".
    fn keyword(
        &mut self,
        id: usize,
        node: &mut Node,
        keyword: &str,
        value: &'a Value,
        seed: &RandomState,
    ) -> Result<(), &'static str> {
        match keyword {
            "type" => node.types = kinds(value).ok_or("does not name a type")?,
            "enum" => {
                let values = value.as_array().ok_or("is not a list")?;
                let values = values.iter().map(|value| constant(value, seed)).collect::<Option<_>>();
                let values = values.ok_or("has an invalid number")?;
                node.constants.push(Constants { keyword: "enum", values });
            }
            "const" => {
                let value = constant(value, seed).ok_or("has an invalid number")?;
                node.constants.push(Constants { keyword: "const", values: vec![value] });
            }
            "minimum" => node.numbers.push(number_rule("minimum", value)?),
            "maximum" => node.numbers.push(number_rule("maximum", value)?),
            "exclusiveMinimum" => node.numbers.push(number_rule("exclusiveMinimum", value)?),
            "exclusiveMaximum" => node.numbers.push(number_rule("exclusiveMaximum", value)?),
            "multipleOf" => {
                let rule = number_rule("multipleOf", value)?;
                if rule.bound <= Number::Integer(0) {
                    return Err("is not above 0");
                }
                node.numbers.push(rule);
            }
            "minLength" => node.length.least = count(value)?,
            "maxLength" => node.length.most = Some(count(value)?),
            "pattern" => node.pattern = Some(self.pattern(value.as_str().ok_or("is not a string")?)?),
            "minItems" => node.item_count.least = count(value)?,
            "maxItems" => node.item_count.most = Some(count(value)?),
            "uniqueItems" => node.unique = value.as_bool().ok_or("is neither true nor false")?,
            "minProperties" => node.member_count.least = count(value)?,
            "maxProperties" => node.member_count.most = Some(count(value)?),
            "items" => node.items = Some(self.schema(id, "items", value)?),
            "additionalProperties" => node.additional = Some(self.schema(id, "additionalProperties", value)?),
            "not" => node.not = Some(self.schema(id, "not", value)?),
            "prefixItems" => node.prefix = self.schemas(id, "prefixItems", value)?,
            "allOf" => node.all_of.extend(self.schemas(id, "allOf", value)?),
            "anyOf" | "oneOf" => {
                let keyword = if keyword == "anyOf" { "anyOf" } else { "oneOf" };
                node.choices.push(Choice { keyword, alternatives: self.schemas(id, keyword, value)? });
            }
            "$ref" => node.all_of.push(self.reference(value)?),
            "properties" => {
                for (name, schema) in value.as_object().ok_or("is not an object")? {
                    let value_node = self.child_schema(id, format!("properties/{}", escaped(name)), schema)?;
                    node.properties.entry(name.clone()).or_default().node = Some(value_node);
                }
            }
            "patternProperties" => {
                for (index, (name, schema)) in value.as_object().ok_or("is not an object")?.iter().enumerate() {
                    let value_node = self.child_schema(id, format!("patternProperties/{index}"), schema)?;
                    node.pattern_properties.push((self.pattern(name)?, value_node));
                }
            }
            "required" => {
                let names = value.as_array().ok_or("is not a list")?;
                if names.iter().any(|name| !name.is_string()) {
                    return Err("has a name that is not a string");
                }
            }
            "$id" if node.place.parent.is_none() => {}
            annotation if ANNOTATIONS.contains(&annotation) || annotation.starts_with(EXTENSION) => {}
            _ => return Err("is not supported"),
        }
        Ok(())
    }

    fn schema(&mut self, parent: usize, keyword: &str, schema: &'a Value) -> Result<usize, &'static str> {
        self.child_schema(parent, keyword.to_owned(), schema)
    }

    fn child_schema(&mut self, parent: usize, step: String, schema: &'a Value) -> Result<usize, &'static str> {
        if !schema.is_object() && !schema.is_boolean() {
            return Err("holds something that is not a schema");
        }
        Ok(self.child(parent, step, schema))
    }

    fn schemas(&mut self, parent: usize, keyword: &str, list: &'a Value) -> Result<Vec<usize>, &'static str> {
        let list = list.as_array().filter(|list| !list.is_empty()).ok_or("is not a list of schemas")?;
        let schema = |(index, schema)| self.child_schema(parent, format!("{keyword}/{index}"), schema);
        list.iter().enumerate().map(schema).collect()
    }

    /// Returns the node that a reference within the schema names.
    fn reference(&mut self, value: &Value) -> Result<usize, &'static str> {
        let pointer = value.as_str().and_then(|reference| reference.strip_prefix('#'));
        let pointer = pointer.ok_or("refers to another document")?;
        let schema = self.whole.pointer(pointer).ok_or("refers to nothing in the schema")?;
        if !schema.is_object() && !schema.is_boolean() {
            return Err("refers to something that is not a schema");
        }
        let step = pointer.trim_start_matches('/').to_owned();
        let parent = (!pointer.is_empty()).then_some(0);
        Ok(self.node(schema, Place { parent, step }))
    }

    fn pattern(&mut self, pattern: &str) -> Result<regex::Regex, &'static str> {
        self.patterns += 1;
        if self.patterns > PATTERNS {
            return Err("exceeds the maximum number of patterns");
        }
        pattern::compile(pattern).ok_or("is not a pattern that can be matched in linear time")
    }

    /// Returns the error for a keyword of a node, or for the node itself if `keyword` is empty.
    fn refused(&self, id: usize, keyword: &str, why: &str) -> UnsupportedSchema {
        let place = shown_place(&self.nodes, id);
        match keyword {
            "" => UnsupportedSchema(format!("the value at {place} {why}")),
            keyword => UnsupportedSchema(format!("`{}` at {place} {why}", quoted(keyword))),
        }
    }
}

/// Returns a word of the schema for an error message, short and on one line.
fn quoted(word: &str) -> String {
    let kept: String = word.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    kept.get(..kept.floor_char_boundary(QUOTED)).unwrap_or_default().to_owned()
}

/// Escapes a name for a JSON Pointer (RFC 6901).
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Returns the place of a node for an error message.
fn shown_place(nodes: &[Node], id: usize) -> String {
    let place = place(nodes, id);
    if place.is_empty() { "the top level".to_owned() } else { format!("`{}`", quoted(&place)) }
}

/// Returns the place of a node in its schema, as a JSON Pointer.
pub(crate) fn place(nodes: &[Node], id: usize) -> String {
    let mut steps = Vec::new();
    let mut at = Some(id);
    while let Some(node) = at.and_then(|at| nodes.get(at)) {
        if !node.place.step.is_empty() {
            steps.push(node.place.step.as_str());
        }
        at = node.place.parent;
    }
    steps.iter().rev().flat_map(|step| ["/", *step]).collect()
}

/// Reads the value of the keyword `type`: a word or a list of words.
fn kinds(value: &Value) -> Option<Kinds> {
    match value {
        Value::String(word) => Kinds::from_word(word),
        Value::Array(words) if !words.is_empty() => {
            words.iter().try_fold(Kinds::NONE, |kinds, word| Some(kinds.or(Kinds::from_word(word.as_str()?)?)))
        }
        _ => None,
    }
}

/// Reads a value of `enum` or `const`. Returns `None` for a number too large for a float.
fn constant(value: &Value, seed: &RandomState) -> Option<Constant> {
    Some(match value {
        Value::Null => Constant::Null,
        Value::Bool(value) => Constant::Boolean(*value),
        Value::Number(number) => Constant::Number(Number::parse(&number.to_string())?),
        Value::String(text) => Constant::String(text.clone()),
        Value::Array(_) | Value::Object(_) => {
            let kind = if value.is_array() { Kind::Array } else { Kind::Object };
            Constant::Composite(kind, hash_of(&value.to_string(), seed)?)
        }
    })
}

fn number_rule(keyword: &'static str, value: &Value) -> Result<NumberRule, &'static str> {
    let bound = value.as_number().and_then(|number| Number::parse(&number.to_string())).ok_or("is not a number")?;
    Ok(NumberRule { keyword, bound })
}

fn count(value: &Value) -> Result<usize, &'static str> {
    let whole = |count: &f64| *count >= 0.0 && count.fract() == 0.0;
    let count = value.as_u64().or_else(|| value.as_f64().filter(whole).map(|count| count as u64));
    count.and_then(|count| usize::try_from(count).ok()).ok_or("is not a count")
}

/// Records the required properties, each once.
fn require(node: &mut Node, keywords: &Map<String, Value>) {
    let names = keywords.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    for name in names {
        let property: &mut Property = node.properties.entry(name.to_owned()).or_default();
        if property.required.is_none() {
            property.required = Some(node.required.len());
            node.required.push(name.to_owned());
        }
    }
}

/// Returns the types that a node accepts. The nodes that it refers to for the same value must have theirs already.
fn accepts(node: &Node, nodes: &[Node]) -> Kinds {
    let mut accepts = node.types;
    for constants in &node.constants {
        accepts = accepts.and(constants.kinds());
    }
    for part in &node.all_of {
        accepts = accepts.and(accepted_by(nodes, *part));
    }
    for choice in &node.choices {
        let any = choice.alternatives.iter().fold(Kinds::NONE, |kinds, part| kinds.or(accepted_by(nodes, *part)));
        accepts = accepts.and(any);
    }
    accepts
}

fn accepted_by(nodes: &[Node], id: usize) -> Kinds {
    nodes.get(id).map_or(Kinds::NONE, |node| node.accepts)
}

/// Sorts the nodes topologically (depth-first search), so that nodes for the same value come before the node that refers
/// to them. Returns the new index of the first node.
///
/// # Errors
///
/// [`UnsupportedSchema`] if the references for the same value form a cycle.
fn sort(nodes: &mut Vec<Node>) -> Result<usize, UnsupportedSchema> {
    let mut order: Vec<usize> = Vec::with_capacity(nodes.len());
    let mut states = vec![Visit::Not; nodes.len()];
    for first in 0..nodes.len() {
        let mut stack = vec![first];
        while let Some(&id) = stack.last() {
            let state = states.get(id).copied().unwrap_or(Visit::Done);
            if state != Visit::Not {
                stack.pop();
                if state == Visit::Open {
                    order.push(id);
                    set(&mut states, id, Visit::Done);
                }
                continue;
            }
            set(&mut states, id, Visit::Open);
            for next in nodes.get(id).into_iter().flat_map(Node::same_value) {
                match states.get(next) {
                    Some(Visit::Not) => stack.push(next),
                    Some(Visit::Open) => {
                        let place = shown_place(nodes, id);
                        return Err(UnsupportedSchema(format!("the value at {place} refers to itself in a cycle")));
                    }
                    _ => {}
                }
            }
        }
    }
    let mut new = vec![0; nodes.len()];
    for (place, id) in order.iter().enumerate() {
        if let Some(new) = new.get_mut(*id) {
            *new = place;
        }
    }
    let mut sorted: Vec<Node> = order.iter().filter_map(|id| nodes.get(*id).cloned()).collect();
    for node in &mut sorted {
        node.renumber(&new);
    }
    *nodes = sorted;
    Ok(new.first().copied().unwrap_or_default())
}

/// State of a node in the depth-first search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visit {
    Not,
    /// The nodes that it refers to are being visited.
    Open,
    Done,
}

fn set(states: &mut [Visit], id: usize, state: Visit) {
    if let Some(own) = states.get_mut(id) {
        *own = state;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_unsupported_schema_is_refused_in_one_sentence() {
        let cases = [
            (json!({ "properties": { "a": { "contains": {} } } }), "`contains` at `/properties/a` is not supported"),
            (json!({ "unevaluatedProperties": false }), "`unevaluatedProperties` at the top level is not supported"),
            (json!({ "if": {} }), "`if` at the top level is not supported"),
            (json!({ "type": "nonsense" }), "`type` at the top level does not name a type"),
            (json!({ "items": [{}] }), "`items` at the top level holds something that is not a schema"),
            (
                json!({ "items": { "pattern": "(?=a)" } }),
                "`pattern` at `/items` is not a pattern that can be matched in linear time",
            ),
            (json!({ "$ref": "#/$defs/A" }), "`$ref` at the top level refers to nothing in the schema"),
            (json!({ "$ref": "https://example.com/a" }), "`$ref` at the top level refers to another document"),
            (json!({ "$ref": "#" }), "the value at the top level refers to itself in a cycle"),
            (
                json!({ "$ref": "#/$defs/A", "$defs": { "A": { "anyOf": [{ "$ref": "#/$defs/B" }] }, "B": { "not": { "$ref": "#/$defs/A" } } } }),
                "the value at `/$defs/B/not` refers to itself in a cycle",
            ),
            (json!({ "anyOf": [] }), "`anyOf` at the top level is not a list of schemas"),
            (json!({ "minItems": -1 }), "`minItems` at the top level is not a count"),
            (json!({ "multipleOf": 0 }), "`multipleOf` at the top level is not above 0"),
            (json!({ "required": [1] }), "`required` at the top level has a name that is not a string"),
            (json!(7), "the value at the top level is not a schema"),
        ];
        for (schema, expected) in cases {
            assert_eq!(Schema::compile(&schema).unwrap_err().to_string(), expected, "{schema}");
        }
    }

    #[test]
    fn a_schema_may_refer_to_itself_for_a_values_parts() {
        let schema = json!({
            "$ref": "#/$defs/Tree",
            "$defs": { "Tree": { "type": "object", "properties": { "parts": { "type": "array", "items": { "$ref": "#" } } } } },
        });
        assert!(Schema::compile(&schema).is_ok());
    }

    #[test]
    fn annotations_are_ignored() {
        let schema =
            json!({ "$id": "a", "title": "A", "format": "uint32", "x-own": 1, "default": {}, "discriminator": {} });
        assert!(Schema::compile(&schema).is_ok());
    }

    #[test]
    fn a_long_chain_of_references_compiles() {
        let definitions: Map<String, Value> =
            (0..5000).map(|n| (format!("D{n}"), json!({ "$ref": format!("#/$defs/D{}", n + 1) }))).collect();
        let mut schema = json!({ "$ref": "#/$defs/D0", "$defs": definitions });
        schema["$defs"]["D5000"] = json!({ "type": "string" });
        let schema = Schema::compile(&schema).unwrap();
        assert!(schema.check("\"a\"").is_ok() && schema.check("1").is_err());
    }
}
