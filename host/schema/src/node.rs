//! The compiled form of a schema.

use std::collections::HashMap;
use std::fmt;

use regex::Regex;

use crate::number::Number;
use crate::scan::RawString;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Boolean,
    /// A whole number.
    Integer,
    /// Any other number.
    Fraction,
    String,
    Array,
    Object,
}

/// A set of [`Kind`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self(0x7f);

    /// Returns the set with one element.
    pub(crate) const fn single(kind: Kind) -> Self {
        Self(1 << kind as u8)
    }

    /// Returns the set that a word of the keyword `type` stands for.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "null" => Self::single(Kind::Null),
            "boolean" => Self::single(Kind::Boolean),
            "integer" => Self::single(Kind::Integer),
            "number" => Self::single(Kind::Integer).or(Self::single(Kind::Fraction)),
            "string" => Self::single(Kind::String),
            "array" => Self::single(Kind::Array),
            "object" => Self::single(Kind::Object),
            _ => return None,
        })
    }

    /// Returns the union of two sets.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the intersection of two sets.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns whether the set contains an element.
    pub(crate) const fn has(self, kind: Kind) -> bool {
        self.and(Self::single(kind)).0 != 0
    }
}

/// Writes the words of the keyword `type`, such as "null or string".
impl fmt::Display for Kinds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.has(Kind::Fraction);
        let words = [
            ("null", self.has(Kind::Null)),
            ("boolean", self.has(Kind::Boolean)),
            ("integer", self.has(Kind::Integer) && !number),
            ("number", number),
            ("string", self.has(Kind::String)),
            ("array", self.has(Kind::Array)),
            ("object", self.has(Kind::Object)),
        ];
        let named: Vec<&str> = words.into_iter().filter(|(_, is)| *is).map(|(word, _)| word).collect();
        formatter.write_str(if named.is_empty() { "nothing" } else { "" })?;
        formatter.write_str(&named.join(" or "))
    }
}

/// A value without parts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar<'a> {
    Null,
    Boolean(bool),
    Number(Number),
    String(RawString<'a>),
}

/// A value in `enum` or `const`.
#[derive(Clone, Debug)]
pub(crate) enum Constant {
    Null,
    Boolean(bool),
    Number(Number),
    String(String),
    /// The hash of an array or object.
    Composite(Kind, u64),
}

impl Constant {
    /// Returns the value's type.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Boolean(_) => Kind::Boolean,
            Self::Number(number) if number.is_whole() => Kind::Integer,
            Self::Number(_) => Kind::Fraction,
            Self::String(_) => Kind::String,
            Self::Composite(kind, _) => *kind,
        }
    }

    /// Returns whether the value equals a scalar.
    pub(crate) fn equals(&self, scalar: Scalar<'_>) -> bool {
        match (self, scalar) {
            (Self::Null, Scalar::Null) => true,
            (Self::Boolean(own), Scalar::Boolean(other)) => *own == other,
            (Self::Number(own), Scalar::Number(other)) => *own == other,
            (Self::String(own), Scalar::String(other)) => other.equals(own),
            _ => false,
        }
    }
}

/// The values of `enum`, or the one value of `const`.
#[derive(Clone, Debug)]
pub(crate) struct Constants {
    pub(crate) keyword: &'static str,
    pub(crate) values: Vec<Constant>,
}

impl Constants {
    /// Returns the types of the values.
    pub(crate) fn kinds(&self) -> Kinds {
        self.values.iter().fold(Kinds::NONE, |kinds, value| kinds.or(Kinds::single(value.kind())))
    }

    /// Returns whether an array or object is among the values.
    pub(crate) fn has_composites(&self) -> bool {
        self.values.iter().any(|value| matches!(value, Constant::Composite(..)))
    }
}

/// A bound of numbers, or the divisor of `multipleOf`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberRule {
    pub(crate) keyword: &'static str,
    pub(crate) bound: Number,
}

impl NumberRule {
    /// Returns whether a number obeys the rule.
    pub(crate) fn fits(self, number: Number) -> bool {
        match self.keyword {
            "minimum" => number >= self.bound,
            "maximum" => number <= self.bound,
            "exclusiveMinimum" => number > self.bound,
            "exclusiveMaximum" => number < self.bound,
            _ => number.is_multiple_of(self.bound),
        }
    }
}

/// An inclusive range of counts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) least: usize,
    pub(crate) most: Option<usize>,
}

impl Count {
    /// Returns whether every count fits.
    pub(crate) fn is_any(self) -> bool {
        self.least == 0 && self.most.is_none()
    }

    /// Returns whether a count fits.
    pub(crate) fn fits(self, count: usize) -> bool {
        count >= self.least && self.most.is_none_or(|most| count <= most)
    }
}

/// Writes the range as in "a text of 2 to 4 characters".
impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (least, None) => write!(formatter, "at least {least}"),
            (0, Some(most)) => write!(formatter, "at most {most}"),
            (least, Some(most)) if least == most => write!(formatter, "{least}"),
            (least, Some(most)) => write!(formatter, "{least} to {most}"),
        }
    }
}

/// A property that an object's schema names.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Property {
    /// The schema of its value; `None` if only `required` names it.
    pub(crate) node: Option<usize>,
    /// Its index among the required properties.
    pub(crate) required: Option<usize>,
}

/// The alternatives of `anyOf` or `oneOf`.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) keyword: &'static str,
    pub(crate) alternatives: Vec<usize>,
}

/// Location of a node in its schema: a parent node and the path from there.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) parent: Option<usize>,
    pub(crate) step: String,
}

/// A compiled schema or subschema. Nodes refer to one another by index. An absent keyword accepts every value.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    /// The keyword `type`.
    pub(crate) types: Kinds,
    /// The types that all keywords together accept.
    pub(crate) accepts: Kinds,
    pub(crate) constants: Vec<Constants>,
    pub(crate) numbers: Vec<NumberRule>,
    pub(crate) length: Count,
    pub(crate) pattern: Option<Regex>,
    pub(crate) prefix: Vec<usize>,
    pub(crate) items: Option<usize>,
    pub(crate) item_count: Count,
    pub(crate) unique: bool,
    pub(crate) properties: HashMap<String, Property>,
    pub(crate) required: Vec<String>,
    pub(crate) pattern_properties: Vec<(Regex, usize)>,
    pub(crate) additional: Option<usize>,
    pub(crate) member_count: Count,
    pub(crate) all_of: Vec<usize>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) not: Option<usize>,
}

impl Node {
    /// Creates a node that accepts every value.
    pub(crate) fn new(place: Place) -> Self {
        Self {
            place,
            types: Kinds::ALL,
            accepts: Kinds::ALL,
            constants: Vec::new(),
            numbers: Vec::new(),
            length: Count::default(),
            pattern: None,
            prefix: Vec::new(),
            items: None,
            item_count: Count::default(),
            unique: false,
            properties: HashMap::new(),
            required: Vec::new(),
            pattern_properties: Vec::new(),
            additional: None,
            member_count: Count::default(),
            all_of: Vec::new(),
            choices: Vec::new(),
            not: None,
        }
    }

    /// Returns the nodes that apply to the same value as this one.
    pub(crate) fn same_value(&self) -> impl Iterator<Item = usize> {
        let choices = self.choices.iter().flat_map(|choice| choice.alternatives.iter());
        self.all_of.iter().chain(choices).chain(&self.not).copied()
    }

    /// Returns whether other nodes apply to the same value.
    pub(crate) fn is_combined(&self) -> bool {
        !(self.all_of.is_empty() && self.choices.is_empty() && self.not.is_none())
    }

    /// Replaces every reference to a node `id` by `new[id]`.
    pub(crate) fn renumber(&mut self, new: &[usize]) {
        let change = |id: &mut usize| *id = new.get(*id).copied().unwrap_or(*id);
        let choices = self.choices.iter_mut().flat_map(|choice| choice.alternatives.iter_mut());
        let patterns = self.pattern_properties.iter_mut().map(|(_, id)| id);
        let properties = self.properties.values_mut().filter_map(|property| property.node.as_mut());
        let options = [&mut self.items, &mut self.additional, &mut self.not, &mut self.place.parent];
        self.all_of
            .iter_mut()
            .chain(&mut self.prefix)
            .chain(choices)
            .chain(patterns)
            .chain(properties)
            .for_each(change);
        options.into_iter().flatten().for_each(change);
    }
}
