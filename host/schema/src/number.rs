//! Numbers, compared exactly as far as JSON parsers tell them apart.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A number of a text or a schema.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    /// Written without a point and an exponent.
    Integer(i128),
    /// Any other.
    Float(f64),
}

impl Number {
    /// Reads a number as JSON writes it. None where it is none, or too large for a float.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Ok(integer) = text.parse() {
            return Some(Self::Integer(integer));
        }
        text.parse().ok().filter(|float: &f64| float.is_finite()).map(Self::Float)
    }

    /// Whether it is a whole number, however it is written.
    pub(crate) fn is_whole(self) -> bool {
        match self {
            Self::Integer(_) => true,
            Self::Float(float) => float.fract() == 0.0,
        }
    }

    /// Whether it is a whole multiple of another one.
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

    /// As an integer, where it is a whole number that fits.
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
