//! Exact comparison of numbers, as far as JSON parsers distinguish them.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A number of a text or a schema.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    /// A number without a decimal point and an exponent.
    Integer(i128),
    /// Any other number.
    Float(f64),
}

impl Number {
    /// Parses a JSON number. Returns `None` for any other text and for a number too large for a float.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Ok(integer) = text.parse() {
            return Some(Self::Integer(integer));
        }
        text.parse().ok().filter(|float: &f64| float.is_finite()).map(Self::Float)
    }

    /// Returns whether the number is whole, in whatever notation (`1.0`, `1e2`).
    pub(crate) fn is_whole(self) -> bool {
        match self {
            Self::Integer(_) => true,
            Self::Float(float) => float.fract() == 0.0,
        }
    }

    /// Returns whether the number is a whole multiple of `other`.
    pub(crate) fn is_multiple_of(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(number), Self::Integer(unit)) => unit != 0 && number % unit == 0,
            (number, unit) => (number.as_float() / unit.as_float()).fract() == 0.0,
        }
    }

    fn as_float(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Float(float) => float,
        }
    }

    /// Returns a whole number that fits an `i128` as an integer.
    fn as_integer(self) -> Option<i128> {
        match self {
            Self::Integer(integer) => Some(integer),
            Self::Float(float) if float.fract() == 0.0 && float.abs() < 1e30 => Some(float as i128),
            Self::Float(_) => None,
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self.as_integer(), other.as_integer()) {
            (Some(own), Some(others)) => Some(own.cmp(&others)),
            _ => self.as_float().partial_cmp(&other.as_float()),
        }
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.as_integer() {
            Some(integer) => integer.hash(state),
            None => self.as_float().to_bits().hash(state),
        }
    }
}
