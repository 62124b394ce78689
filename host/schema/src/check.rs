//! The walk over a text.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use serde::de::IgnoredAny;
use thiserror::Error;

use crate::Schema;
use crate::compile::place;
use crate::node::{Constant, Constants, Kind, Kinds, Node, Scalar};
use crate::scan::{Cursor, Malformed, RawString, TOO_DEEP};

/// How deeply a text may be nested: as deeply as `serde_json` reads.
const MOST_NESTED: usize = 127;
/// Bytes of a string that a pattern is matched against: matching copies what has escapes.
const MOST_MATCHED: usize = 1024 * 1024;
/// Items of an array that must differ: their hashes are kept.
const MOST_COMPARED: usize = 100_000;
/// Steps that each byte of a text adds to the budget, and those that every text has. A value that a schema is held
/// against is a step, and takes at least two bytes. The schemas of this project's models need less than one a byte.
const STEPS_A_BYTE: u64 = 4;
const LEAST_STEPS: u64 = 1_000_000;
/// Bytes that are hashed or matched in a step.
const BYTES_A_STEP: usize = 16;

/// Why a text does not fit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckError {
    /// It is no JSON.
    #[error("it is not JSON: {0}")]
    NotJson(String),
    /// It breaks a rule of the schema.
    #[error(transparent)]
    Violation(#[from] Violation),
    /// Too many schemas apply to too many of its values.
    #[error("it takes too long to check")]
    TooMuchWork,
}

/// A rule of a schema that a text breaks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Violation {
    /// Where in the text, as a JSON Pointer; empty for the whole. Names that the schema does not have are `*`.
    pub path: String,
    /// Which rule, as a JSON Pointer into the schema.
    pub rule: String,
    /// What was expected there.
    pub expected: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "its top" } else { &self.path };
        write!(formatter, "at {path}: expected {}", self.expected)
    }
}

impl From<Malformed> for CheckError {
    fn from(malformed: Malformed) -> Self {
        Self::NotJson(malformed.0.to_owned())
    }
}

impl Schema {
    /// Checks that a text is JSON and fits.
    ///
    /// # Errors
    ///
    /// [`CheckError`]
    pub fn check(&self, text: &str) -> Result<(), CheckError> {
        self.check_but_for(text, &[])
    }

    /// As [`Self::check`], but for members of the outermost object that have these names: whether they are there and
    /// what they hold does not matter.
    ///
    /// # Errors
    ///
    /// [`CheckError`]
    pub fn check_but_for(&self, text: &str, exempt: &[&str]) -> Result<(), CheckError> {
        let left = LEAST_STEPS + STEPS_A_BYTE * text.len() as u64;
        let mut walk = Walk { schema: self, cursor: Cursor::new(text), path: Vec::new(), left, exempt };
        walk.value(&mut [Wanted { node: self.root, mandatory: true, fits: true, owner: 0 }])?;
        // Reads what the walk passes over, such as how numbers are written and what follows.
        let whole: Result<IgnoredAny, _> = serde_json::from_str(text);
        whole.map(drop).map_err(|error| CheckError::NotJson(error.to_string()))
    }
}

/// A step from a value to its part.
#[derive(Clone, Copy, Debug)]
enum Step<'s> {
    Index(usize),
    Name(&'s str),
    /// A name that the schema does not have.
    Other,
}

/// A node that a value is held to.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    node: usize,
    /// Whether the whole text does not fit where this does not.
    mandatory: bool,
    /// Set by the walk.
    fits: bool,
    /// Which entry of the value around wants it.
    owner: usize,
}

/// A node that a value is held to, its own and those that it combines.
#[derive(Debug)]
struct Entry {
    node: usize,
    mandatory: bool,
    fits: bool,
    /// Which required properties have been seen, a bit each.
    seen: Vec<u64>,
}

/// A rule that is broken: its keyword, and what was expected.
type Broken = (&'static str, String);

struct Walk<'s, 't> {
    schema: &'s Schema,
    cursor: Cursor<'t>,
    path: Vec<Step<'s>>,
    /// Steps that are left.
    left: u64,
    exempt: &'s [&'s str],
}

impl<'s> Walk<'s, '_> {
    /// Takes a value and says which nodes it fits.
    fn value(&mut self, wanted: &mut [Wanted]) -> Result<(), CheckError> {
        self.spend(wanted.len().max(1))?;
        let first = self.cursor.peek()?;
        if wanted.is_empty() {
            return Ok(self.cursor.skip(MOST_NESTED.saturating_sub(self.path.len()))?);
        }
        let start = self.cursor.clone();
        let mut entries = match first {
            b'{' | b'[' if self.path.len() >= MOST_NESTED => return Err(TOO_DEEP.into()),
            b'{' => self.object(wanted)?,
            b'[' => self.array(wanted)?,
            _ => self.scalar(first, wanted)?,
        };
        self.compare_composites(&mut entries, &start)?;
        self.combine(&mut entries)?;
        for own in wanted {
            own.fits = fits(&entries, own.node);
        }
        Ok(())
    }

    fn spend(&mut self, steps: usize) -> Result<(), CheckError> {
        self.left = self.left.checked_sub(steps as u64).ok_or(CheckError::TooMuchWork)?;
        Ok(())
    }

    fn node(&self, id: usize) -> Option<&'s Node> {
        self.schema.nodes.get(id)
    }

    /// The entries of a value: what is wanted of it and what that combines, parts after what they are parts of.
    fn entries(&mut self, wanted: &[Wanted], kind: Kind) -> Result<Vec<Entry>, CheckError> {
        let mut pending: Vec<(usize, bool)> = Vec::with_capacity(wanted.len());
        for own in wanted {
            add(&mut pending, own.node, own.mandatory);
        }
        let mut entries = Vec::with_capacity(pending.len());
        while let Some((id, mandatory)) = pending.pop() {
            let Some(node) = self.node(id) else { continue };
            let fits = node.accepts.has(kind);
            entries.push(Entry { node: id, mandatory, fits, seen: Vec::new() });
            if !fits {
                self.break_rule(entries.last_mut(), wrong_kind(node, kind))?;
                continue;
            }
            if !node.is_combined() {
                continue;
            }
            self.spend(node.same_value().count())?;
            for part in &node.all_of {
                add(&mut pending, *part, mandatory);
            }
            for choice in &node.choices {
                let open = || choice.of.iter().filter(|part| self.accepts(**part).has(kind));
                // Where only one is left it must fit, and what doesn't can be said exactly.
                let only = open().count() == 1;
                open().for_each(|part| add(&mut pending, *part, mandatory && only));
            }
            if let Some(part) = node.not {
                add(&mut pending, part, false);
            }
        }
        Ok(entries)
    }

    fn accepts(&self, id: usize) -> Kinds {
        self.node(id).map_or(Kinds::NONE, |node| node.accepts)
    }

    /// Notes that a node does not fit. Where it must, the walk is over.
    fn break_rule(&self, entry: Option<&mut Entry>, (keyword, expected): Broken) -> Result<(), CheckError> {
        let Some(entry) = entry else { return Ok(()) };
        entry.fits = false;
        if !entry.mandatory {
            return Ok(());
        }
        let path = self.path.iter().flat_map(|step| match step {
            Step::Index(index) => ["/".to_owned(), index.to_string()],
            Step::Name(name) => ["/".to_owned(), name.replace('~', "~0").replace('/', "~1")],
            Step::Other => ["/".to_owned(), "*".to_owned()],
        });
        let rule = format!("{}/{keyword}", place(&self.schema.nodes, entry.node));
        Err(Violation { path: path.collect(), rule, expected }.into())
    }

    fn scalar(&mut self, first: u8, wanted: &[Wanted]) -> Result<Vec<Entry>, CheckError> {
        let (kind, scalar) = match first {
            b'"' => (Kind::String, Scalar::String(self.cursor.string()?)),
            b'n' => (Kind::Null, self.cursor.literal("null").map(|()| Scalar::Null)?),
            b't' => (Kind::Boolean, self.cursor.literal("true").map(|()| Scalar::Boolean(true))?),
            b'f' => (Kind::Boolean, self.cursor.literal("false").map(|()| Scalar::Boolean(false))?),
            _ => {
                let number = self.cursor.number()?;
                (if number.is_whole() { Kind::Integer } else { Kind::Fraction }, Scalar::Number(number))
            }
        };
        let mut entries = self.entries(wanted, kind)?;
        for entry in entries.iter_mut().filter(|entry| entry.fits) {
            let Some(node) = self.schema.nodes.get(entry.node) else { continue };
            if let Some(broken) = self.broken_by(node, scalar)? {
                self.break_rule(Some(entry), broken)?;
            }
        }
        Ok(entries)
    }

    /// The rule of a node that a scalar breaks.
    fn broken_by(&mut self, node: &Node, scalar: Scalar<'_>) -> Result<Option<Broken>, CheckError> {
        let missed = node.constants.iter().find(|constants| !constants.values.iter().any(|value| value.is(scalar)));
        if let Some(constants) = missed {
            return Ok(Some(another_constant(constants)));
        }
        match scalar {
            Scalar::Number(number) => {
                let rule = node.numbers.iter().find(|rule| !rule.fits(number));
                Ok(rule.map(|rule| (rule.keyword, format!("a number that `{}` allows", rule.keyword))))
            }
            Scalar::String(string) => self.broken_by_string(node, string),
            Scalar::Null | Scalar::Boolean(_) => Ok(None),
        }
    }

    fn broken_by_string(&mut self, node: &Node, string: RawString<'_>) -> Result<Option<Broken>, CheckError> {
        if !node.length.is_any() {
            self.spend(string.raw_length() / BYTES_A_STEP)?;
            let length = string.length();
            if !node.length.fits(length) {
                let keyword = if length < node.length.least { "minLength" } else { "maxLength" };
                return Ok(Some((keyword, format!("a text of {} characters", node.length))));
            }
        }
        let Some(pattern) = &node.pattern else { return Ok(None) };
        self.spend(string.raw_length() / BYTES_A_STEP)?;
        let matches = string.raw_length() <= MOST_MATCHED && pattern.is_match(&string.text());
        Ok((!matches).then(|| ("pattern", format!("a text of at most {MOST_MATCHED} bytes that matches `pattern`"))))
    }

    fn array(&mut self, wanted: &[Wanted]) -> Result<Vec<Entry>, CheckError> {
        let mut entries = self.entries(wanted, Kind::Array)?;
        let mut hashes = HashSet::new();
        let unique = entries.iter().any(|entry| self.node(entry.node).is_some_and(|node| node.unique));
        let mut repeated = false;
        let mut items = Vec::new();
        let mut count = 0;
        self.cursor.expect(b'[')?;
        let mut more = !self.cursor.take(b']')?;
        while more {
            items.clear();
            for (owner, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.fits) {
                let Some(node) = self.node(entry.node) else { continue };
                if let Some(node) = node.prefix.get(count).copied().or(node.items) {
                    items.push(Wanted { node, mandatory: entry.mandatory, fits: true, owner });
                }
            }
            self.cursor.peek()?;
            let mut item = self.cursor.clone();
            self.path.push(Step::Index(count));
            self.value(&mut items)?;
            self.path.pop();
            settle(&mut entries, &items);
            if unique && !repeated {
                self.spend((self.cursor.position() - item.position()) / BYTES_A_STEP)?;
                repeated = count >= MOST_COMPARED || !hashes.insert(hash(&mut item, &self.schema.seed)?);
            }
            count += 1;
            more = self.cursor.goes_on(b']')?;
        }
        for entry in entries.iter_mut().filter(|entry| entry.fits) {
            let Some(node) = self.schema.nodes.get(entry.node) else { continue };
            if !node.item_count.fits(count) {
                let keyword = if count < node.item_count.least { "minItems" } else { "maxItems" };
                self.break_rule(Some(entry), (keyword, format!("{} items", node.item_count)))?;
            } else if node.unique && repeated {
                let expected = format!("at most {MOST_COMPARED} items of which no two are equal");
                self.break_rule(Some(entry), ("uniqueItems", expected))?;
            }
        }
        Ok(entries)
    }

    fn object(&mut self, wanted: &[Wanted]) -> Result<Vec<Entry>, CheckError> {
        let mut entries = self.entries(wanted, Kind::Object)?;
        let exempt = if self.path.is_empty() { self.exempt } else { &[] };
        for entry in &mut entries {
            let Some(node) = self.schema.nodes.get(entry.node) else { continue };
            entry.seen = vec![0; node.required.len().div_ceil(64)];
            for name in exempt {
                see(entry, node, name);
            }
        }
        let mut members = Vec::new();
        let mut count = 0_usize;
        self.cursor.expect(b'{')?;
        let mut more = !self.cursor.take(b'}')?;
        while more {
            let name = self.cursor.name()?;
            // A name that is too long to be copied is none that a schema has.
            let name = (name.raw_length() <= MOST_MATCHED).then(|| name.text());
            let name = name.as_deref();
            if name.is_some_and(|name| exempt.contains(&name)) {
                self.value(&mut [])?;
                more = self.cursor.goes_on(b'}')?;
                continue;
            }
            members.clear();
            let mut step = Step::Other;
            for (owner, entry) in entries.iter_mut().enumerate().filter(|(_, entry)| entry.fits) {
                let Some(node) = self.schema.nodes.get(entry.node) else { continue };
                if let Some(name) = name {
                    see(entry, node, name);
                }
                let mandatory = entry.mandatory;
                let mut member = |node| members.push(Wanted { node, mandatory, fits: true, owner });
                let own = name.and_then(|name| node.properties.get_key_value(name));
                let own = own.filter(|(_, property)| property.node.is_some());
                let mut is_known = false;
                if let Some((known, property)) = own {
                    step = Step::Name(known);
                    property.node.into_iter().for_each(&mut member);
                    is_known = true;
                }
                for (pattern, of_value) in &node.pattern_properties {
                    if name.is_some_and(|name| pattern.is_match(name)) {
                        member(*of_value);
                        is_known = true;
                    }
                }
                let Some(additional) = node.additional.filter(|_| !is_known) else { continue };
                if self.accepts(additional) == Kinds::NONE {
                    let expected = "no property that the schema does not have".to_owned();
                    self.break_rule(Some(entry), ("additionalProperties", expected))?;
                } else {
                    member(additional);
                }
            }
            self.path.push(step);
            self.value(&mut members)?;
            self.path.pop();
            settle(&mut entries, &members);
            count += 1;
            more = self.cursor.goes_on(b'}')?;
        }
        for entry in entries.iter_mut().filter(|entry| entry.fits) {
            let Some(node) = self.schema.nodes.get(entry.node) else { continue };
            let missing = node.required.iter().enumerate().find(|(bit, _)| !is_seen(&entry.seen, *bit));
            if let Some((_, name)) = missing {
                self.break_rule(Some(entry), ("required", format!("the property `{name}`")))?;
            } else if !node.member_count.fits(count) {
                let keyword = if count < node.member_count.least { "minProperties" } else { "maxProperties" };
                self.break_rule(Some(entry), (keyword, format!("{} properties", node.member_count)))?;
            }
        }
        Ok(entries)
    }

    /// Compares an array or object with those that nodes name.
    fn compare_composites(&mut self, entries: &mut [Entry], start: &Cursor<'_>) -> Result<(), CheckError> {
        let mut own = None;
        for entry in entries.iter_mut().filter(|entry| entry.fits) {
            let Some(node) = self.schema.nodes.get(entry.node) else { continue };
            for constants in node.constants.iter().filter(|constants| constants.has_composites()) {
                let mut from = start.clone();
                if !matches!(from.peek()?, b'[' | b'{') {
                    continue;
                }
                let hash = if let Some(hash) = own {
                    hash
                } else {
                    self.spend((self.cursor.position() - from.position()) / BYTES_A_STEP)?;
                    *own.insert(hash(&mut from, &self.schema.seed)?)
                };
                let is_it = |value: &Constant| matches!(value, Constant::Composite(_, other) if *other == hash);
                if !constants.values.iter().any(is_it) {
                    self.break_rule(Some(entry), another_constant(constants))?;
                }
            }
        }
        Ok(())
    }

    /// Joins what nodes combine. Parts come after what they are parts of, so they are settled first from the end.
    fn combine(&mut self, entries: &mut [Entry]) -> Result<(), CheckError> {
        for index in (0..entries.len()).rev() {
            let Some(entry) = entries.get(index).filter(|entry| entry.fits) else { continue };
            let Some(node) = self.node(entry.node).filter(|node| node.is_combined()) else { continue };
            if let Some(broken) = broken_combination(node, entries) {
                self.break_rule(entries.get_mut(index), broken)?;
            }
        }
        Ok(())
    }
}

/// The rule on combinations that a node's parts break.
fn broken_combination(node: &Node, entries: &[Entry]) -> Option<Broken> {
    if node.all_of.iter().any(|part| !fits(entries, *part)) {
        return Some(("allOf", "what all parts allow".to_owned()));
    }
    for choice in &node.choices {
        let fitting = choice.of.iter().filter(|part| fits(entries, **part)).count();
        let of = choice.of.len();
        match choice.keyword {
            "anyOf" if fitting == 0 => return Some(("anyOf", format!("one of the {of} choices of `anyOf`"))),
            "oneOf" if fitting != 1 => {
                return Some(("oneOf", format!("exactly one of the {of} choices of `oneOf`, of which {fitting} fit")));
            }
            _ => {}
        }
    }
    let is_excluded = node.not.is_some_and(|part| fits(entries, part));
    is_excluded.then(|| ("not", "what `not` does not allow".to_owned()))
}

/// Whether a value fits a node. Those that can't fit by the value's kind have no entry, or one that says so.
fn fits(entries: &[Entry], node: usize) -> bool {
    let found = entries.binary_search_by(|entry| node.cmp(&entry.node)).ok();
    found.and_then(|index| entries.get(index)).is_some_and(|entry| entry.fits)
}

/// Adds a node to a sorted list, once.
fn add(pending: &mut Vec<(usize, bool)>, node: usize, mandatory: bool) {
    match pending.binary_search_by_key(&node, |(known, _)| *known) {
        Ok(index) => {
            if let Some((_, known)) = pending.get_mut(index) {
                *known |= mandatory;
            }
        }
        Err(index) => pending.insert(index, (node, mandatory)),
    }
}

/// Tells entries of parts that do not fit.
fn settle(entries: &mut [Entry], parts: &[Wanted]) {
    for part in parts.iter().filter(|part| !part.fits) {
        if let Some(entry) = entries.get_mut(part.owner) {
            entry.fits = false;
        }
    }
}

/// Notes that a property is there.
fn see(entry: &mut Entry, node: &Node, name: &str) {
    let Some(bit) = node.properties.get(name).and_then(|property| property.required) else { return };
    if let Some(bits) = entry.seen.get_mut(bit / 64) {
        *bits |= 1 << (bit % 64);
    }
}

fn is_seen(seen: &[u64], bit: usize) -> bool {
    seen.get(bit / 64).is_some_and(|bits| bits & (1 << (bit % 64)) != 0)
}

fn wrong_kind(node: &Node, kind: Kind) -> Broken {
    if !node.types.has(kind) {
        return ("type", node.types.to_string());
    }
    match node.constants.iter().find(|constants| !constants.kinds().has(kind)) {
        Some(constants) => another_constant(constants),
        None if !node.all_of.is_empty() => ("allOf", node.accepts.to_string()),
        None => (node.choices.first().map_or("type", |choice| choice.keyword), node.accepts.to_string()),
    }
}

fn another_constant(constants: &Constants) -> Broken {
    let expected = match constants.values.len() {
        1 => format!("the value of `{}`", constants.keyword),
        values => format!("one of the {values} values of `{}`", constants.keyword),
    };
    (constants.keyword, expected)
}

/// The hash of a JSON text: equal for texts that say the same. None where it is no JSON.
pub(crate) fn hash_of(text: &str, seed: &RandomState) -> Option<u64> {
    hash(&mut Cursor::new(text), seed).ok()
}

/// The hash of the value that comes. Its nesting has been bounded before.
fn hash(cursor: &mut Cursor<'_>, seed: &RandomState) -> Result<u64, Malformed> {
    let mut hasher = seed.build_hasher();
    match cursor.peek()? {
        b'{' => {
            // The order of members does not count.
            let mut sum = 0_u64;
            cursor.expect(b'{')?;
            let mut more = !cursor.take(b'}')?;
            while more {
                let mut member = seed.build_hasher();
                cursor.name()?.chars().for_each(|char| char.hash(&mut member));
                hash(cursor, seed)?.hash(&mut member);
                sum = sum.wrapping_add(member.finish());
                more = cursor.goes_on(b'}')?;
            }
            (Kind::Object as u8, sum).hash(&mut hasher);
        }
        b'[' => {
            (Kind::Array as u8).hash(&mut hasher);
            cursor.expect(b'[')?;
            let mut more = !cursor.take(b']')?;
            while more {
                hash(cursor, seed)?.hash(&mut hasher);
                more = cursor.goes_on(b']')?;
            }
        }
        b'"' => {
            (Kind::String as u8).hash(&mut hasher);
            cursor.string()?.chars().for_each(|char| char.hash(&mut hasher));
        }
        b'n' => cursor.literal("null").map(|()| 0_u8.hash(&mut hasher))?,
        b't' => cursor.literal("true").map(|()| (Kind::Boolean as u8, true).hash(&mut hasher))?,
        b'f' => cursor.literal("false").map(|()| (Kind::Boolean as u8, false).hash(&mut hasher))?,
        _ => (Kind::Integer as u8, cursor.number()?).hash(&mut hasher),
    }
    Ok(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[expect(clippy::panic, reason = "in a test a panic is the report")]
    fn violation(schema: &Value, text: &str) -> Option<(String, String, String)> {
        match Schema::compile(schema).unwrap().check(text) {
            Ok(()) => None,
            Err(CheckError::Violation(violation)) => Some((violation.path, violation.rule, violation.expected)),
            Err(other) => panic!("{other}"),
        }
    }

    fn doors() -> Value {
        json!({
            "type": "object",
            "properties": { "doors": { "type": "array", "items": { "$ref": "#/$defs/Door" } } },
            "required": ["doors"],
            "additionalProperties": false,
            "$defs": { "Door": {
                "type": "object",
                "properties": {
                    "page": { "type": "integer", "minimum": 1 },
                    "kind": { "anyOf": [{ "$ref": "#/$defs/Kind" }, { "type": "null" }] },
                    "cells": { "type": "object", "additionalProperties": { "type": "string" } },
                },
                "required": ["page"],
            }, "Kind": { "oneOf": [{ "const": "single" }, { "const": "pair" }] } },
        })
    }

    #[test]
    fn a_violation_names_its_place_and_what_was_expected_and_no_words_of_the_text() {
        let cases = [
            (r#"{"doors": [{"page": 1, "kind": null, "cells": {"MARK": "1"}}]}"#, None),
            ("[]", Some(("", "/type", "object"))),
            ("{}", Some(("", "/required", "the property `doors`"))),
            (
                r#"{"doors": [], "secret": 1}"#,
                Some(("", "/additionalProperties", "no property that the schema does not have")),
            ),
            (r#"{"doors": [{"page": 1}, {}]}"#, Some(("/doors/1", "/$defs/Door/required", "the property `page`"))),
            (
                r#"{"doors": [{"page": 0}]}"#,
                Some(("/doors/0/page", "/$defs/Door/properties/page/minimum", "a number that `minimum` allows")),
            ),
            (
                r#"{"doors": [{"page": 1, "cells": {"secret": 7}}]}"#,
                Some(("/doors/0/cells/*", "/$defs/Door/properties/cells/additionalProperties/type", "string")),
            ),
            (
                r#"{"doors": [{"page": 1, "kind": "triple"}]}"#,
                Some(("/doors/0/kind", "/$defs/Kind/oneOf", "exactly one of the 2 choices of `oneOf`, of which 0 fit")),
            ),
            (
                r#"{"doors": [{"page": 1, "kind": 7}]}"#,
                Some(("/doors/0/kind", "/$defs/Door/properties/kind/anyOf", "null or string")),
            ),
        ];
        for (text, expected) in cases {
            let found = violation(&doors(), text);
            let found = found.as_ref().map(|(path, rule, expected)| (path.as_str(), rule.as_str(), expected.as_str()));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn the_hosts_fields_are_exempt_wherever_a_schema_names_them() {
        let schema = json!({
            "type": "object",
            "properties": { "a": {}, "document_id": { "type": "integer" } },
            "required": ["a", "document_id"],
            "additionalProperties": false,
        });
        let schema = Schema::compile(&schema).unwrap();
        let exempt = ["document_id", "model_version"];
        for text in [r#"{"a": 1}"#, r#"{"document_id": "x", "a": 1, "model_version": [1]}"#] {
            assert_eq!(schema.check_but_for(text, &exempt), Ok(()), "{text}");
            assert!(schema.check(text).is_err(), "{text}");
        }
        assert!(schema.check_but_for(r#"{"document_id": 1}"#, &exempt).is_err());
    }

    #[test]
    fn what_is_no_json_is_refused() {
        let anything = Schema::compile(&json!(true)).unwrap();
        let object = Schema::compile(&json!({ "type": "object" })).unwrap();
        let deep = "[".repeat(200) + &"]".repeat(200);
        for text in [
            "",
            "{",
            "{} {}",
            "{\"a\" 1}",
            "{\"a\":1,}",
            "[1 2]",
            "01",
            "1.",
            "nul",
            "\"\u{1}\"",
            "\"\\ud800\"",
            "1e999",
            &deep,
        ] {
            assert!(matches!(anything.check(text), Err(CheckError::NotJson(_))), "{text:?}");
            assert!(object.check(text).is_err(), "{text:?}");
        }
        assert_eq!(anything.check(&("[".repeat(127) + &"]".repeat(127))), Ok(()));
    }

    #[test]
    fn nested_choices_take_no_longer_than_the_text() {
        // Tried one by one, two choices a level are 2 to the power of 100 ways.
        let tree = json!({ "anyOf": [
            { "type": "array", "items": { "$ref": "#" }, "maxItems": 1 },
            { "type": "array", "items": { "$ref": "#" }, "maxItems": 2 },
            { "const": 7 },
        ] });
        let text = |leaf: &str| format!("{}{leaf}{}", "[".repeat(100), "]".repeat(100));
        assert_eq!(violation(&tree, &text("7")), None);
        assert!(violation(&tree, &text("8")).is_some());
    }

    #[test]
    fn work_ends_at_a_budget() {
        let choices: Vec<Value> = (0..2_000).map(|n| json!({ "type": "array", "items": { "minimum": -n } })).collect();
        let schema = Schema::compile(&json!({ "anyOf": choices })).unwrap();
        let text = format!("[{}1]", "1,".repeat(100_000));
        assert_eq!(schema.check(&text), Err(CheckError::TooMuchWork));
    }
}
