//! Validation of a text in one pass.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use serde::de::IgnoredAny;
use thiserror::Error;

use crate::Schema;
use crate::compile::place;
use crate::node::{Constant, Constants, Kind, Kinds, Node, Property, Scalar};
use crate::scan::{Cursor, Malformed, RawString, TOO_DEEP};

/// Maximum nesting of a text: that of `serde_json`.
const MOST_NESTED: usize = 127;
/// Maximum bytes of a string that a pattern is matched against, since matching copies a string with escapes.
const MOST_MATCHED: usize = 1024 * 1024;
/// Maximum items of an array with `uniqueItems`, since their hashes are held in memory.
const MOST_COMPARED: usize = 100_000;
/// Steps that each byte of a text adds to the budget. A step is one node applied to one value, which takes at least two
/// bytes. The schemas of this project's models need less than one step per byte.
const STEPS_PER_BYTE: u64 = 4;
/// Steps in the budget of every text, however short.
const LEAST_STEPS: u64 = 1_000_000;
/// Bytes that are hashed or matched per step.
const BYTES_PER_STEP: usize = 16;

/// Why a text is not valid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckError {
    /// The text is not JSON.
    #[error("it is not JSON: {0}")]
    NotJson(String),
    /// The text breaks a rule of the schema.
    #[error(transparent)]
    Violation(#[from] Violation),
    /// The check exceeded its budget: too many subschemas apply to too many values.
    #[error("it takes too long to check")]
    TooMuchWork,
}

/// A rule of a schema that a text breaks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Violation {
    /// The place in the text as a JSON Pointer; empty for the whole text. Names that the schema does not have are `*`.
    pub path: String,
    /// The rule as a JSON Pointer into the schema.
    pub rule: String,
    /// What the rule expects.
    pub expected: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the top level" } else { &self.path };
        write!(formatter, "at {path}: expected {}", self.expected)
    }
}

impl From<Malformed> for CheckError {
    fn from(malformed: Malformed) -> Self {
        Self::NotJson(malformed.0.to_owned())
    }
}

impl Schema {
    /// Checks that a text is JSON and valid against the schema.
    ///
    /// # Errors
    ///
    /// [`CheckError`] with the first reason found.
    pub fn check(&self, text: &str) -> Result<(), CheckError> {
        self.check_but_for(text, &[])
    }

    /// Checks a text as [`Self::check`] does, but ignores the `exempt` members of the outermost object: they may be
    /// absent or hold any value.
    ///
    /// # Errors
    ///
    /// [`CheckError`] with the first reason found.
    pub fn check_but_for(&self, text: &str, exempt: &[&str]) -> Result<(), CheckError> {
        let steps_left = LEAST_STEPS + STEPS_PER_BYTE * text.len() as u64;
        let mut walk = Walk { schema: self, cursor: Cursor::new(text), path: Vec::new(), steps_left, exempt };
        walk.value(&mut [Applied::new(self.root, true, 0)])?;
        // Checks the syntax that the walk does not: the notation of numbers, and text after the value.
        let whole: Result<IgnoredAny, _> = serde_json::from_str(text);
        whole.map(drop).map_err(|error| CheckError::NotJson(error.to_string()))
    }
}

/// A step of the path from a value to one of its parts.
#[derive(Clone, Copy, Debug)]
enum Step<'s> {
    Index(usize),
    Name(&'s str),
    /// A name that the schema does not have.
    Other,
}

/// A node that applies to a value.
#[derive(Clone, Copy, Debug)]
struct Applied {
    node: usize,
    /// Whether the whole text is invalid if this value does not fit the node.
    mandatory: bool,
    /// Whether the value fits, as far as it has been checked.
    fits: bool,
    /// The index of the enclosing value's entry that applies the node.
    owner: usize,
}

impl Applied {
    fn new(node: usize, mandatory: bool, owner: usize) -> Self {
        Self { node, mandatory, fits: true, owner }
    }
}

/// A node that applies to the current value, directly or as a part of a combination (`allOf` and the like).
#[derive(Debug)]
struct Entry {
    node: usize,
    mandatory: bool,
    fits: bool,
    /// The required properties that have been seen, as a bit set.
    seen: Vec<u64>,
}

/// A broken rule: its keyword and what it expects.
type Broken = (&'static str, String);

/// The state of a check.
struct Walk<'s, 't> {
    schema: &'s Schema,
    cursor: Cursor<'t>,
    path: Vec<Step<'s>>,
    steps_left: u64,
    exempt: &'s [&'s str],
}

impl<'s> Walk<'s, '_> {
    /// Consumes a value and records which of the applied nodes it fits.
    fn value(&mut self, applied: &mut [Applied]) -> Result<(), CheckError> {
        self.spend(applied.len().max(1))?;
        let first = self.cursor.peek()?;
        if applied.is_empty() {
            return Ok(self.cursor.skip(MOST_NESTED.saturating_sub(self.path.len()))?);
        }
        if let ([own], false) = (&mut *applied, matches!(first, b'{' | b'['))
            && let Some(node) = self.node(own.node)
            && !node.is_combined()
        {
            return self.lone_scalar(first, own, node);
        }
        let start = self.cursor.clone();
        let mut entries = match first {
            b'{' | b'[' if self.path.len() >= MOST_NESTED => return Err(TOO_DEEP.into()),
            b'{' => self.object(applied)?,
            b'[' => self.array(applied)?,
            _ => self.scalar(first, applied)?,
        };
        self.compare_composites(&mut entries, &start)?;
        self.combine(&mut entries)?;
        for own in applied {
            own.fits = fits(&entries, own.node);
        }
        Ok(())
    }

    /// Checks a scalar to which a single node applies that combines no others. Most values are such, and they are
    /// checked without a list of entries, which took a quarter of the time of a check.
    fn lone_scalar(&mut self, first: u8, own: &mut Applied, node: &Node) -> Result<(), CheckError> {
        let (kind, scalar) = scalar(&mut self.cursor, first)?;
        let broken = if node.accepts.has(kind) { self.broken_by(node, scalar)? } else { Some(wrong_kind(node, kind)) };
        let Some(broken) = broken else { return Ok(()) };
        own.fits = false;
        if own.mandatory { Err(self.violation(own.node, broken)) } else { Ok(()) }
    }

    /// Takes steps from the budget.
    fn spend(&mut self, steps: usize) -> Result<(), CheckError> {
        self.steps_left = self.steps_left.checked_sub(steps as u64).ok_or(CheckError::TooMuchWork)?;
        Ok(())
    }

    fn node(&self, id: usize) -> Option<&'s Node> {
        self.schema.nodes.get(id)
    }

    /// Returns the entries of a value of this type: the applied nodes and all that they combine. The nodes are in
    /// descending order, so the parts of a combination follow it.
    fn entries(&mut self, applied: &[Applied], kind: Kind) -> Result<Vec<Entry>, CheckError> {
        let mut pending: Vec<(usize, bool)> = Vec::with_capacity(applied.len());
        for own in applied {
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
                // If a single alternative accepts the type it is mandatory, so that its violations are reported exactly.
                let is_only = choice.alternatives.iter().filter(|part| self.accepts(**part).has(kind)).count() == 1;
                for part in choice.alternatives.iter().filter(|part| self.accepts(**part).has(kind)) {
                    add(&mut pending, *part, mandatory && is_only);
                }
            }
            if let Some(part) = node.not {
                add(&mut pending, part, false);
            }
        }
        Ok(entries)
    }

    /// Returns the types that a node accepts.
    fn accepts(&self, id: usize) -> Kinds {
        self.node(id).map_or(Kinds::NONE, |node| node.accepts)
    }

    /// Records that the value does not fit an entry's node. Fails if the node is mandatory.
    fn break_rule(&self, entry: Option<&mut Entry>, broken: Broken) -> Result<(), CheckError> {
        let Some(entry) = entry else { return Ok(()) };
        entry.fits = false;
        if entry.mandatory { Err(self.violation(entry.node, broken)) } else { Ok(()) }
    }

    /// Returns the error for a rule of a node that the current value breaks.
    fn violation(&self, node: usize, (keyword, expected): Broken) -> CheckError {
        let path = self.path.iter().flat_map(|step| match step {
            Step::Index(index) => ["/".to_owned(), index.to_string()],
            Step::Name(name) => ["/".to_owned(), name.replace('~', "~0").replace('/', "~1")],
            Step::Other => ["/".to_owned(), "*".to_owned()],
        });
        let rule = format!("{}/{keyword}", place(&self.schema.nodes, node));
        Violation { path: path.collect(), rule, expected }.into()
    }

    /// Consumes a scalar and checks it.
    fn scalar(&mut self, first: u8, applied: &[Applied]) -> Result<Vec<Entry>, CheckError> {
        let (kind, scalar) = scalar(&mut self.cursor, first)?;
        let mut entries = self.entries(applied, kind)?;
        for entry in entries.iter_mut().filter(|entry| entry.fits) {
            let Some(node) = self.schema.nodes.get(entry.node) else { continue };
            if let Some(broken) = self.broken_by(node, scalar)? {
                self.break_rule(Some(entry), broken)?;
            }
        }
        Ok(entries)
    }

    /// Returns the first rule of a node that a scalar breaks.
    fn broken_by(&mut self, node: &Node, scalar: Scalar<'_>) -> Result<Option<Broken>, CheckError> {
        for constants in &node.constants {
            if !constants.values.iter().any(|value| value.equals(scalar)) {
                return Ok(Some(wrong_constant(constants)));
            }
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

    /// Returns the first rule on strings that a string breaks.
    fn broken_by_string(&mut self, node: &Node, string: RawString<'_>) -> Result<Option<Broken>, CheckError> {
        if !node.length.is_any() {
            self.spend(string.raw_length() / BYTES_PER_STEP)?;
            let length = string.length();
            if !node.length.fits(length) {
                let keyword = if length < node.length.least { "minLength" } else { "maxLength" };
                return Ok(Some((keyword, format!("a text of {} characters", node.length))));
            }
        }
        let Some(pattern) = &node.pattern else { return Ok(None) };
        self.spend(string.raw_length() / BYTES_PER_STEP)?;
        let matches = string.raw_length() <= MOST_MATCHED && pattern.is_match(&string.text());
        Ok((!matches).then(|| ("pattern", format!("a text of at most {MOST_MATCHED} bytes that matches `pattern`"))))
    }

    /// Consumes an array and checks it with its items.
    fn array(&mut self, applied: &[Applied]) -> Result<Vec<Entry>, CheckError> {
        let mut entries = self.entries(applied, Kind::Array)?;
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
                    items.push(Applied::new(node, entry.mandatory, owner));
                }
            }
            self.cursor.peek()?;
            let mut item = self.cursor.clone();
            self.path.push(Step::Index(count));
            self.value(&mut items)?;
            self.path.pop();
            fail_owners(&mut entries, &items);
            if unique && !repeated {
                self.spend((self.cursor.position() - item.position()) / BYTES_PER_STEP)?;
                repeated = count >= MOST_COMPARED || !hashes.insert(hash(&mut item, &self.schema.seed)?);
            }
            count += 1;
            more = self.cursor.next_entry(b']')?;
        }
        self.check_item_count(&mut entries, count, repeated)?;
        Ok(entries)
    }

    /// Checks the number of an array's items, and that they differ if they must.
    fn check_item_count(&self, entries: &mut [Entry], count: usize, repeated: bool) -> Result<(), CheckError> {
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
        Ok(())
    }

    /// Consumes an object and checks it with its members.
    fn object(&mut self, applied: &[Applied]) -> Result<Vec<Entry>, CheckError> {
        let mut entries = self.entries(applied, Kind::Object)?;
        let exempt = if self.path.is_empty() { self.exempt } else { &[] };
        for entry in &mut entries {
            let Some(node) = self.schema.nodes.get(entry.node) else { continue };
            entry.seen = vec![0; node.required.len().div_ceil(64)];
            for name in exempt {
                mark_seen(entry, node, name);
            }
        }
        let mut members = Vec::new();
        let mut count = 0_usize;
        self.cursor.expect(b'{')?;
        let mut more = !self.cursor.take(b'}')?;
        while more {
            let name = self.cursor.name()?;
            // A schema has at most 1 MiB, so a longer name is not one of its names.
            let name = (name.raw_length() <= MOST_MATCHED).then(|| name.text());
            let name = name.as_deref();
            if name.is_some_and(|name| exempt.contains(&name)) {
                self.value(&mut [])?;
                more = self.cursor.next_entry(b'}')?;
                continue;
            }
            let step = self.apply_to_member(&mut entries, name, &mut members)?;
            self.path.push(step);
            self.value(&mut members)?;
            self.path.pop();
            fail_owners(&mut entries, &members);
            count += 1;
            more = self.cursor.next_entry(b'}')?;
        }
        self.check_members(&mut entries, count)?;
        Ok(entries)
    }

    /// Collects the nodes that apply to the value of an object's member, and returns the step of the path to it. `name` is
    /// `None` for a name longer than any of the schema.
    fn apply_to_member(
        &self,
        entries: &mut [Entry],
        name: Option<&str>,
        members: &mut Vec<Applied>,
    ) -> Result<Step<'s>, CheckError> {
        members.clear();
        let mut step = Step::Other;
        for (owner, entry) in entries.iter_mut().enumerate().filter(|(_, entry)| entry.fits) {
            let Some(node) = self.schema.nodes.get(entry.node) else { continue };
            if let Some(name) = name {
                mark_seen(entry, node, name);
            }
            let mandatory = entry.mandatory;
            let mut is_known = false;
            let own = name.and_then(|name| node.properties.get_key_value(name));
            if let Some((known, Property { node: Some(value), .. })) = own {
                step = Step::Name(known);
                members.push(Applied::new(*value, mandatory, owner));
                is_known = true;
            }
            for (pattern, value) in &node.pattern_properties {
                if name.is_some_and(|name| pattern.is_match(name)) {
                    members.push(Applied::new(*value, mandatory, owner));
                    is_known = true;
                }
            }
            let Some(additional) = node.additional.filter(|_| !is_known) else { continue };
            if self.accepts(additional) == Kinds::NONE {
                let expected = "no property that the schema does not have".to_owned();
                self.break_rule(Some(entry), ("additionalProperties", expected))?;
            } else {
                members.push(Applied::new(additional, mandatory, owner));
            }
        }
        Ok(step)
    }

    /// Checks that an object has all required members, and their number.
    fn check_members(&self, entries: &mut [Entry], count: usize) -> Result<(), CheckError> {
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
        Ok(())
    }

    /// Compares an array or object with the values of `enum` and `const`, by hash.
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
                    self.spend((self.cursor.position() - from.position()) / BYTES_PER_STEP)?;
                    *own.insert(hash(&mut from, &self.schema.seed)?)
                };
                let is_equal = |value: &Constant| matches!(value, Constant::Composite(_, other) if *other == hash);
                if !constants.values.iter().any(is_equal) {
                    self.break_rule(Some(entry), wrong_constant(constants))?;
                }
            }
        }
        Ok(())
    }

    /// Evaluates `allOf`, `anyOf`, `oneOf` and `not`. Parts follow their combination, so the entries are evaluated from
    /// the end.
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

/// Consumes a scalar whose first byte is `first`.
fn scalar<'t>(cursor: &mut Cursor<'t>, first: u8) -> Result<(Kind, Scalar<'t>), Malformed> {
    Ok(match first {
        b'"' => (Kind::String, Scalar::String(cursor.string()?)),
        b'n' => (Kind::Null, cursor.literal("null").map(|()| Scalar::Null)?),
        b't' => (Kind::Boolean, cursor.literal("true").map(|()| Scalar::Boolean(true))?),
        b'f' => (Kind::Boolean, cursor.literal("false").map(|()| Scalar::Boolean(false))?),
        _ => {
            let number = cursor.number()?;
            (if number.is_whole() { Kind::Integer } else { Kind::Fraction }, Scalar::Number(number))
        }
    })
}

/// Returns the first combination of a node whose parts do not fit as it requires.
fn broken_combination(node: &Node, entries: &[Entry]) -> Option<Broken> {
    if node.all_of.iter().any(|part| !fits(entries, *part)) {
        return Some(("allOf", "what all parts allow".to_owned()));
    }
    for choice in &node.choices {
        let fitting = choice.alternatives.iter().filter(|part| fits(entries, **part)).count();
        let all = choice.alternatives.len();
        match choice.keyword {
            "anyOf" if fitting == 0 => return Some(("anyOf", format!("one of the {all} choices of `anyOf`"))),
            "oneOf" if fitting != 1 => {
                return Some(("oneOf", format!("exactly one of the {all} choices of `oneOf`, of which {fitting} fit")));
            }
            _ => {}
        }
    }
    let is_excluded = node.not.is_some_and(|part| fits(entries, part));
    is_excluded.then(|| ("not", "what `not` does not allow".to_owned()))
}

/// Returns whether a value fits a node. A node that does not accept the value's type may have no entry.
fn fits(entries: &[Entry], node: usize) -> bool {
    let found = entries.binary_search_by(|entry| node.cmp(&entry.node)).ok();
    found.and_then(|index| entries.get(index)).is_some_and(|entry| entry.fits)
}

/// Adds a node to a sorted list of nodes and whether they are mandatory. A node is added once, and is mandatory if either
/// of its uses is.
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

/// Marks the entries of parts that do not fit.
fn fail_owners(entries: &mut [Entry], parts: &[Applied]) {
    for part in parts.iter().filter(|part| !part.fits) {
        if let Some(entry) = entries.get_mut(part.owner) {
            entry.fits = false;
        }
    }
}

/// Records that the object has a property.
fn mark_seen(entry: &mut Entry, node: &Node, name: &str) {
    let Some(bit) = node.properties.get(name).and_then(|property| property.required) else { return };
    if let Some(bits) = entry.seen.get_mut(bit / 64) {
        *bits |= 1 << (bit % 64);
    }
}

fn is_seen(seen: &[u64], bit: usize) -> bool {
    seen.get(bit / 64).is_some_and(|bits| bits & (1 << (bit % 64)) != 0)
}

/// Returns the rule that a value's type breaks.
fn wrong_kind(node: &Node, kind: Kind) -> Broken {
    if !node.types.has(kind) {
        return ("type", node.types.to_string());
    }
    match node.constants.iter().find(|constants| !constants.kinds().has(kind)) {
        Some(constants) => wrong_constant(constants),
        None if !node.all_of.is_empty() => ("allOf", node.accepts.to_string()),
        None => (node.choices.first().map_or("type", |choice| choice.keyword), node.accepts.to_string()),
    }
}

/// Returns the rule that a value breaks which is none of the constants.
fn wrong_constant(constants: &Constants) -> Broken {
    let expected = match constants.values.len() {
        1 => format!("the value of `{}`", constants.keyword),
        values => format!("one of the {values} values of `{}`", constants.keyword),
    };
    (constants.keyword, expected)
}

/// Returns a hash of a JSON text that is the same for all texts of an equal value. Returns `None` if the text is not JSON.
pub(crate) fn hash_of(text: &str, seed: &RandomState) -> Option<u64> {
    hash(&mut Cursor::new(text), seed).ok()
}

/// Consumes a value and returns its hash. The caller has bounded the nesting.
fn hash(cursor: &mut Cursor<'_>, seed: &RandomState) -> Result<u64, Malformed> {
    let mut hasher = seed.build_hasher();
    match cursor.peek()? {
        b'{' => {
            // A sum, since the order of members does not matter.
            let mut sum = 0_u64;
            cursor.expect(b'{')?;
            let mut more = !cursor.take(b'}')?;
            while more {
                let mut member = seed.build_hasher();
                cursor.name()?.chars().for_each(|char| char.hash(&mut member));
                hash(cursor, seed)?.hash(&mut member);
                sum = sum.wrapping_add(member.finish());
                more = cursor.next_entry(b'}')?;
            }
            (Kind::Object as u8, sum).hash(&mut hasher);
        }
        b'[' => {
            (Kind::Array as u8).hash(&mut hasher);
            cursor.expect(b'[')?;
            let mut more = !cursor.take(b']')?;
            while more {
                hash(cursor, seed)?.hash(&mut hasher);
                more = cursor.next_entry(b']')?;
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
    fn violation(schema: &Value, text: &str) -> Option<Violation> {
        match Schema::compile(schema).unwrap().check(text) {
            Ok(()) => None,
            Err(CheckError::Violation(violation)) => Some(violation),
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
    fn a_violation_names_place_and_rule_but_no_document_text() {
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
            let found = found.as_ref().map(|found| (&*found.path, &*found.rule, &*found.expected));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn exempt_members_may_be_absent_or_hold_anything() {
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
    fn invalid_json_is_refused() {
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
    fn nested_choices_are_checked_in_linear_time() {
        // Backtracking would try two choices at each of 100 levels: 2 to the power of 100 paths.
        let tree = json!({ "anyOf": [
            { "type": "array", "items": { "$ref": "#" }, "maxItems": 1 },
            { "type": "array", "items": { "$ref": "#" }, "maxItems": 2 },
            { "const": 7 },
        ] });
        for (leaf, is_valid) in [("7", true), ("8", false)] {
            let text = format!("{}{leaf}{}", "[".repeat(100), "]".repeat(100));
            assert_eq!(violation(&tree, &text).is_none(), is_valid, "{leaf}");
        }
    }

    #[test]
    fn a_check_ends_at_its_budget() {
        let choices: Vec<Value> = (0..2_000).map(|n| json!({ "type": "array", "items": { "minimum": -n } })).collect();
        let schema = Schema::compile(&json!({ "anyOf": choices })).unwrap();
        let text = format!("[{}1]", "1,".repeat(100_000));
        assert_eq!(schema.check(&text), Err(CheckError::TooMuchWork));
    }
}
