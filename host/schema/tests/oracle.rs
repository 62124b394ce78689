//! A comparison with the crate `jsonschema` on random schemas of the subset and random instances.

#![expect(clippy::panic, reason = "in a test a panic is the report")]

use fanlight_schema::{CheckError, Schema};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Map, Value, json};

/// Number of pairs of a schema and an instance.
const PAIRS: usize = 200_000;
/// Number of definitions in a schema.
const DEFINITIONS: usize = 3;
const NAMES: [&str; 4] = ["a", "b", "c/d", "é"];
const TEXTS: [&str; 7] = ["", "a", "ab", "aé\"😀", "12", "b\n", "\u{661}"];
const PATTERNS: [&str; 5] = ["^a", "b$", r"^\d+$", "[^a-c]", r"^\w*$"];

/// Generates random schemas and instances.
struct Draw(StdRng);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }

    fn one<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// Returns `true` with a probability of 1 / `one_in`.
    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn scalar(&mut self) -> Value {
        match self.below(6) {
            0 => Value::Null,
            1 => self.chance(2).into(),
            2 | 3 => json!(self.0.random_range(-2..=2)),
            4 => self.one(&[json!(0.5), json!(1.0), json!(-2.5), json!(1e300), json!(u64::MAX)]),
            _ => self.one(&TEXTS).into(),
        }
    }

    fn instance(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 1 } else { 3 }) {
            0 => self.scalar(),
            1 => (0..self.below(4)).map(|_| self.instance(depth - 1)).collect(),
            _ => {
                let count = self.below(4);
                let members = (0..count).map(|_| (self.one(&NAMES).to_owned(), self.instance(depth - 1)));
                Value::Object(members.collect::<Map<_, _>>())
            }
        }
    }

    fn schemas(&mut self, depth: usize, first_definition: usize) -> Value {
        (0..=self.below(3)).map(|_| self.schema(depth, first_definition)).collect()
    }

    /// Returns a random schema. For the same value it refers only to definitions from `first_definition` on, so that no
    /// reference forms a cycle; for parts of the value it may refer to any.
    fn schema(&mut self, depth: usize, first_definition: usize) -> Value {
        if depth == 0 {
            return self.one(&[
                json!(true),
                json!(false),
                json!({}),
                json!({ "type": "string" }),
                json!({ "const": 1 }),
            ]);
        }
        let mut schema = Map::new();
        for _ in 0..=self.below(3) {
            let (keyword, value) = match self.below(22) {
                0 => ("type", self.one(&["null", "boolean", "integer", "number", "string", "array", "object"]).into()),
                1 => ("type", json!([self.one(&["null", "object"]), self.one(&["integer", "string", "array"])])),
                2 => ("enum", (0..=self.below(3)).map(|_| self.instance(1)).collect()),
                3 => ("const", self.instance(2)),
                4 => ("minimum", self.below(3).into()),
                5 => ("maximum", json!(self.below(3) as f64 + 0.5)),
                6 => ("exclusiveMinimum", self.below(2).into()),
                7 => ("multipleOf", (1 + self.below(3)).into()),
                8 => ("minLength", self.below(3).into()),
                9 => ("maxLength", self.below(4).into()),
                10 => ("pattern", self.one(&PATTERNS).into()),
                11 => ("items", self.schema(depth - 1, 0)),
                12 => ("prefixItems", self.schemas(depth - 1, 0)),
                13 => (self.one(&["minItems", "maxItems"]), self.below(3).into()),
                14 => ("uniqueItems", true.into()),
                15 => {
                    let count = 1 + self.below(3);
                    let properties = (0..count).map(|_| (self.one(&NAMES).to_owned(), self.schema(depth - 1, 0)));
                    ("properties", Value::Object(properties.collect::<Map<_, _>>()))
                }
                16 => ("required", json!([self.one(&NAMES)])),
                17 => ("additionalProperties", self.schema(depth - 1, 0)),
                18 => (self.one(&["minProperties", "maxProperties"]), self.below(3).into()),
                19 => (self.one(&["allOf", "anyOf", "oneOf"]), self.schemas(depth - 1, first_definition)),
                20 if first_definition < DEFINITIONS => {
                    let definition = first_definition + self.below(DEFINITIONS - first_definition);
                    ("$ref", format!("#/$defs/D{definition}").into())
                }
                20 => ("patternProperties", json!({ self.one(&["a", "^b", "/"]): self.schema(depth - 1, 0) })),
                _ => ("not", self.schema(depth - 1, first_definition)),
            };
            schema.insert(keyword.to_owned(), value);
        }
        Value::Object(schema)
    }

    fn whole_schema(&mut self) -> Value {
        let mut schema = self.schema(3, 0);
        if let Value::Object(schema) = &mut schema {
            let definitions = (0..DEFINITIONS).map(|n| (format!("D{n}"), self.schema(2, n + 1))).collect();
            schema.insert("$defs".to_owned(), Value::Object(definitions));
        }
        schema
    }
}

#[test]
fn verdicts_on_random_instances_match_another_validator() {
    let mut draw = Draw(StdRng::seed_from_u64(14));
    let mut fitting = 0;
    for _ in 0..PAIRS / 8 {
        let schema = draw.whole_schema();
        let own = Schema::compile(&schema).unwrap_or_else(|error| panic!("{error}: {schema}"));
        let other = jsonschema::validator_for(&schema).unwrap();
        for _ in 0..8 {
            let instance = draw.instance(3);
            let expected = other.is_valid(&instance);
            let text = if draw.chance(2) { instance.to_string() } else { format!("{instance:#}") };
            let verdict = own.check(&text);
            assert!(
                !matches!(verdict, Err(CheckError::NotJson(_) | CheckError::TooMuchWork)),
                "{verdict:?} for {text}"
            );
            assert_eq!(verdict.is_ok(), expected, "{verdict:?} for {instance} against {schema}");
            fitting += usize::from(expected);
        }
    }
    assert!(
        (PAIRS / 10..PAIRS * 9 / 10).contains(&fitting),
        "{fitting} of {PAIRS} fit: the pairs test one verdict only"
    );
}
