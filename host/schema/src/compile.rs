//! From a schema's JSON to nodes.

use std::collections::HashMap;
use std::hash::RandomState;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::Schema;
use crate::check::hash_of;
use crate::node::{Choice, Constant, Constants, Kind, Kinds, Node, NumberRule, Place, Property};
use crate::number::Number;
use crate::pattern;

/// Keywords that say nothing about what fits.
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
/// Annotations of tools' own begin so.
const EXTENSION: &str = "x-";

/// Bytes of a schema's text, written without white space.
const SCHEMA_BYTES: usize = 1024 * 1024;
/// Patterns of a schema. Each is kept compiled.
const PATTERNS: usize = 64;
/// Bytes of a foreign word that a sentence repeats.
const QUOTED: usize = 60;

/// Why a schema is not taken, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct UnsupportedSchema(String);

impl Schema {
    /// Compiles a schema.
    ///
    /// # Errors
    ///
    /// [`UnsupportedSchema`] where it is no JSON Schema, has a keyword that is not checked, refers to what is not in
    /// it, or holds a value to itself without end.
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

/// A schema on its way to nodes. Nodes that are still to be filled wait in a list: schemas may be nested deeply.
struct Compiler<'a> {
    whole: &'a Value,
    nodes: Vec<Node>,
    /// The node of a schema, by the schema's address in `whole`.
    known: HashMap<*const Value, usize>,
    open: Vec<(usize, &'a Value)>,
    patterns: usize,
}

impl<'a> Compiler<'a> {
    /// The node of a schema, filled by now or later.
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
            _ => return Err(self.refused(id, "", "is no schema")),
        }
        if let Some(filled) = self.nodes.get_mut(id) {
            *filled = node;
        }
        Ok(())
    }

    fn keyword(
        &mut self,
        id: usize,
        node: &mut Node,
        keyword: &str,
        value: &'a Value,
        seed: &RandomState,
    ) -> Result<(), &'static str> {
        match keyword {
            "type" => node.types = kinds(value).ok_or("names no type")?,
            "enum" => {
                let values = value.as_array().ok_or("is no list")?;
                let values = values.iter().map(|value| constant(value, seed)).collect::<Option<_>>();
                let values = values.ok_or("has a number that can't be read")?;
                node.constants.push(Constants { keyword: "enum", values });
            }
            "const" => {
                let value = constant(value, seed).ok_or("has a number that can't be read")?;
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
            "pattern" => node.pattern = Some(self.pattern(value.as_str().ok_or("is no text")?)?),
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
            "anyOf" => node.choices.push(Choice { keyword: "anyOf", of: self.schemas(id, "anyOf", value)? }),
            "oneOf" => node.choices.push(Choice { keyword: "oneOf", of: self.schemas(id, "oneOf", value)? }),
            "$ref" => node.all_of.push(self.reference(value)?),
            "properties" => {
                for (name, schema) in value.as_object().ok_or("is no object")? {
                    let of_value = self.child_schema(id, format!("properties/{}", escaped(name)), schema)?;
                    node.properties.entry(name.clone()).or_default().node = Some(of_value);
                }
            }
            "patternProperties" => {
                for (index, (name, schema)) in value.as_object().ok_or("is no object")?.iter().enumerate() {
                    let of_value = self.child_schema(id, format!("patternProperties/{index}"), schema)?;
                    node.pattern_properties.push((self.pattern(name)?, of_value));
                }
            }
            "required" => {
                let names = value.as_array().ok_or("is no list")?;
                if names.iter().any(|name| !name.is_string()) {
                    return Err("names something that is no text");
                }
            }
            "$id" if node.place.parent.is_none() => {}
            annotation if ANNOTATIONS.contains(&annotation) || annotation.starts_with(EXTENSION) => {}
            _ => return Err("is not checked here"),
        }
        Ok(())
    }

    fn schema(&mut self, parent: usize, keyword: &str, schema: &'a Value) -> Result<usize, &'static str> {
        self.child_schema(parent, keyword.to_owned(), schema)
    }

    fn child_schema(&mut self, parent: usize, step: String, schema: &'a Value) -> Result<usize, &'static str> {
        if !schema.is_object() && !schema.is_boolean() {
            return Err("holds something that is no schema");
        }
        Ok(self.child(parent, step, schema))
    }

    fn schemas(&mut self, parent: usize, keyword: &str, list: &'a Value) -> Result<Vec<usize>, &'static str> {
        let list = list.as_array().filter(|list| !list.is_empty()).ok_or("is no list of schemas")?;
        let schema = |(index, schema)| self.child_schema(parent, format!("{keyword}/{index}"), schema);
        list.iter().enumerate().map(schema).collect()
    }

    /// The node that a reference names: the whole schema, or a place in it.
    fn reference(&mut self, value: &Value) -> Result<usize, &'static str> {
        let pointer = value.as_str().and_then(|reference| reference.strip_prefix('#')).ok_or("leaves the schema")?;
        let schema = self.whole.pointer(pointer).ok_or("refers to what is not in the schema")?;
        if !schema.is_object() && !schema.is_boolean() {
            return Err("refers to what is no schema");
        }
        let step = pointer.trim_start_matches('/').to_owned();
        let parent = (!pointer.is_empty()).then_some(0);
        Ok(self.node(schema, Place { parent, step }))
    }

    fn pattern(&mut self, pattern: &str) -> Result<regex::Regex, &'static str> {
        self.patterns += 1;
        if self.patterns > PATTERNS {
            return Err("is one pattern too many");
        }
        pattern::compile(pattern).ok_or("is no pattern that can be matched in linear time")
    }

    fn refused(&self, id: usize, keyword: &str, why: &str) -> UnsupportedSchema {
        let place = told_place(&self.nodes, id);
        match keyword {
            "" => UnsupportedSchema(format!("what stands at {place} {why}")),
            keyword => UnsupportedSchema(format!("`{}` at {place} {why}", quoted(keyword))),
        }
    }
}

/// A foreign word, short and on one line.
fn quoted(word: &str) -> String {
    let kept: String = word.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    kept.get(..kept.floor_char_boundary(QUOTED)).unwrap_or_default().to_owned()
}

/// A name as a part of a JSON Pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Where a node stands, for people.
fn told_place(nodes: &[Node], id: usize) -> String {
    let place = place(nodes, id);
    if place.is_empty() { "its top".to_owned() } else { format!("`{}`", quoted(&place)) }
}

/// Where a node stands in its schema, as a JSON Pointer.
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

fn kinds(value: &Value) -> Option<Kinds> {
    match value {
        Value::String(word) => Kinds::named(word),
        Value::Array(words) if !words.is_empty() => {
            words.iter().try_fold(Kinds::NONE, |kinds, word| Some(kinds.or(Kinds::named(word.as_str()?)?)))
        }
        _ => None,
    }
}

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
    let bound = value.as_number().and_then(|number| Number::parse(&number.to_string())).ok_or("is no number")?;
    Ok(NumberRule { keyword, bound })
}

fn count(value: &Value) -> Result<usize, &'static str> {
    let whole = |count: &f64| *count >= 0.0 && count.fract() == 0.0;
    let count = value.as_u64().or_else(|| value.as_f64().filter(whole).map(|count| count as u64));
    count.and_then(|count| usize::try_from(count).ok()).ok_or("is no count")
}

/// Notes which properties are required, each once.
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

/// What fits a node: those that the same value is held to come before it.
fn accepts(node: &Node, nodes: &[Node]) -> Kinds {
    let of = |id: &usize| nodes.get(*id).map_or(Kinds::NONE, |node| node.accepts);
    let mut accepts = node.types;
    for constants in &node.constants {
        accepts = accepts.and(constants.kinds());
    }
    for part in &node.all_of {
        accepts = accepts.and(of(part));
    }
    for choice in &node.choices {
        accepts = accepts.and(choice.of.iter().fold(Kinds::NONE, |kinds, part| kinds.or(of(part))));
    }
    accepts
}

/// Puts nodes that a value is held to beside another before that one, and returns where the first node is then.
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
                        let place = told_place(nodes, id);
                        return Err(UnsupportedSchema(format!("what stands at {place} refers to itself without end")));
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

/// How far a node is visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visit {
    Not,
    /// What it needs is being visited.
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
    fn a_schema_that_cannot_be_checked_is_refused_in_one_sentence() {
        let cases = [
            (json!({ "properties": { "a": { "contains": {} } } }), "`contains` at `/properties/a` is not checked here"),
            (json!({ "unevaluatedProperties": false }), "`unevaluatedProperties` at its top is not checked here"),
            (json!({ "if": {} }), "`if` at its top is not checked here"),
            (json!({ "type": "nonsense" }), "`type` at its top names no type"),
            (json!({ "items": [{}] }), "`items` at its top holds something that is no schema"),
            (
                json!({ "items": { "pattern": "(?=a)" } }),
                "`pattern` at `/items` is no pattern that can be matched in linear time",
            ),
            (json!({ "$ref": "#/$defs/A" }), "`$ref` at its top refers to what is not in the schema"),
            (json!({ "$ref": "https://example.com/a" }), "`$ref` at its top leaves the schema"),
            (json!({ "$ref": "#" }), "what stands at its top refers to itself without end"),
            (
                json!({ "$ref": "#/$defs/A", "$defs": { "A": { "anyOf": [{ "$ref": "#/$defs/B" }] }, "B": { "not": { "$ref": "#/$defs/A" } } } }),
                "what stands at `/$defs/B/not` refers to itself without end",
            ),
            (json!({ "anyOf": [] }), "`anyOf` at its top is no list of schemas"),
            (json!({ "minItems": -1 }), "`minItems` at its top is no count"),
            (json!({ "multipleOf": 0 }), "`multipleOf` at its top is not above 0"),
            (json!({ "required": [1] }), "`required` at its top names something that is no text"),
            (json!(7), "what stands at its top is no schema"),
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
    fn annotations_are_passed_over() {
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
