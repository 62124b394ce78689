//! A schema as it is checked.

use std::collections::HashMap;
use std::fmt;

use regex::Regex;

use crate::number::Number;
use crate::scan::RawString;

/// What a value is.
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

    pub(crate) const fn of(kind: Kind) -> Self {
        Self(1 << kind as u8)
    }

    /// By a word of the keyword `type`.
    pub(crate) fn named(word: &str) -> Option<Self> {
        Some(match word {
            "null" => Self::of(Kind::Null),
            "boolean" => Self::of(Kind::Boolean),
            "integer" => Self::of(Kind::Integer),
            "number" => Self::of(Kind::Integer).or(Self::of(Kind::Fraction)),
            "string" => Self::of(Kind::String),
            "array" => Self::of(Kind::Array),
            "object" => Self::of(Kind::Object),
            _ => return None,
        })
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn has(self, kind: Kind) -> bool {
        self.and(Self::of(kind)).0 != 0
    }
}

/// As the keyword `type` names them.
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

/// A value that a schema names.
#[derive(Clone, Debug)]
pub(crate) enum Constant {
    Null,
    Boolean(bool),
    Number(Number),
    String(String),
    /// An array or object, by its hash.
    Composite(Kind, u64),
}

impl Constant {
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

    pub(crate) fn is(&self, scalar: Scalar<'_>) -> bool {
        match (self, scalar) {
            (Self::Null, Scalar::Null) => true,
            (Self::Boolean(own), Scalar::Boolean(other)) => *own == other,
            (Self::Number(own), Scalar::Number(other)) => *own == other,
            (Self::String(own), Scalar::String(other)) => other.says(own),
            _ => false,
        }
    }
}

/// The values of `enum`, or the one of `const`.
#[derive(Clone, Debug)]
pub(crate) struct Constants {
    pub(crate) keyword: &'static str,
    pub(crate) values: Vec<Constant>,
}

impl Constants {
    pub(crate) fn kinds(&self) -> Kinds {
        self.values.iter().fold(Kinds::NONE, |kinds, value| kinds.or(Kinds::of(value.kind())))
    }

    pub(crate) fn has_composites(&self) -> bool {
        self.values.iter().any(|value| matches!(value, Constant::Composite(..)))
    }
}

/// A bound of a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberRule {
    pub(crate) keyword: &'static str,
    pub(crate) bound: Number,
}

impl NumberRule {
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

/// The least and the most of something that is counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) least: usize,
    pub(crate) most: Option<usize>,
}

impl Count {
    pub(crate) fn is_any(self) -> bool {
        self.least == 0 && self.most.is_none()
    }

    pub(crate) fn fits(self, count: usize) -> bool {
        count >= self.least && self.most.is_none_or(|most| count <= most)
    }
}

/// As in "a text of 2 to 4 characters".
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

/// A name that an object's schema knows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Property {
    /// The schema of its value; none where it is required alone.
    pub(crate) node: Option<usize>,
    /// Its place among the required ones.
    pub(crate) required: Option<usize>,
}

/// `anyOf` or `oneOf`.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) keyword: &'static str,
    pub(crate) of: Vec<usize>,
}

/// Where a node stands in its schema: a node and the way from there.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) parent: Option<usize>,
    pub(crate) step: String,
}

/// A schema. What is not given lets everything pass.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    /// The keyword `type`.
    pub(crate) types: Kinds,
    /// What can fit, all keywords taken together.
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

    /// The nodes that the same value is held to.
    pub(crate) fn same_value(&self) -> impl Iterator<Item = usize> {
        let choices = self.choices.iter().flat_map(|choice| choice.of.iter());
        self.all_of.iter().chain(choices).chain(&self.not).copied()
    }

    pub(crate) fn is_combined(&self) -> bool {
        !(self.all_of.is_empty() && self.choices.is_empty() && self.not.is_none())
    }

    /// Changes every node that this one names.
    pub(crate) fn renumber(&mut self, new: &[usize]) {
        let change = |id: &mut usize| *id = new.get(*id).copied().unwrap_or(*id);
        let choices = self.choices.iter_mut().flat_map(|choice| choice.of.iter_mut());
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
