//! The cursor over a JSON text. It borrows the text and copies nothing.

use std::borrow::Cow;

use crate::number::Number;

/// Why a text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed(pub(crate) &'static str);

const UNEXPECTED_END: Malformed = Malformed("it ends too early");
const UNEXPECTED: Malformed = Malformed("it has an unexpected character");
const NOT_A_NUMBER: Malformed = Malformed("it has an invalid number");
const HALF_A_PAIR: Malformed = Malformed("an escape is half of a surrogate pair");
const BAD_ESCAPE: Malformed = Malformed("it has an invalid escape");

/// A position in a text.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

/// A string as written in the text, without its quotes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawString<'a> {
    raw: &'a str,
    escaped: bool,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the start of a text.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the number of bytes before the cursor.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Skips white space and returns the next byte without consuming it.
    pub(crate) fn peek(&mut self) -> Result<u8, Malformed> {
        let rest = self.rest();
        let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
        self.at += blank;
        rest.get(blank).copied().ok_or(UNEXPECTED_END)
    }

    /// Skips white space and consumes the next byte if it is this one. Returns whether it was.
    pub(crate) fn take(&mut self, byte: u8) -> Result<bool, Malformed> {
        let is_it = self.peek()? == byte;
        self.at += usize::from(is_it);
        Ok(is_it)
    }

    /// Skips white space and consumes the next byte, which must be this one.
    pub(crate) fn expect(&mut self, byte: u8) -> Result<(), Malformed> {
        if self.take(byte)? { Ok(()) } else { Err(UNEXPECTED) }
    }

    /// Consumes `null`, `true` or `false`.
    pub(crate) fn literal(&mut self, word: &'static str) -> Result<(), Malformed> {
        if !self.rest().starts_with(word.as_bytes()) {
            return Err(UNEXPECTED);
        }
        self.at += word.len();
        Ok(())
    }

    /// Consumes a number.
    pub(crate) fn number(&mut self) -> Result<Number, Malformed> {
        let is_part = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = self.rest().iter().take_while(is_part).count();
        let number = self.text.get(self.at..self.at + length).filter(|number| !number.is_empty()).ok_or(UNEXPECTED)?;
        self.at += length;
        Number::parse(number).ok_or(NOT_A_NUMBER)
    }

    /// Consumes a string.
    pub(crate) fn string(&mut self) -> Result<RawString<'a>, Malformed> {
        self.expect(b'"')?;
        let start = self.at;
        let mut escaped = false;
        loop {
            let rest = self.rest();
            let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\')).ok_or(UNEXPECTED_END)?;
            self.at += plain;
            if rest.get(plain) == Some(&b'"') {
                let raw = self.text.get(start..self.at).ok_or(UNEXPECTED)?;
                self.at += 1;
                return Ok(RawString { raw, escaped });
            }
            escaped = true;
            let escape = self.text.get(self.at..).unwrap_or_default();
            self.at += unescaped(escape)?.length;
        }
    }

    /// Consumes the name of an object's member: a string and a colon.
    pub(crate) fn name(&mut self) -> Result<RawString<'a>, Malformed> {
        let name = self.string()?;
        self.expect(b':')?;
        Ok(name)
    }

    /// Consumes a comma or the end of an array or object. Returns whether another entry follows.
    pub(crate) fn next_entry(&mut self, end: u8) -> Result<bool, Malformed> {
        if self.take(b',')? {
            return Ok(true);
        }
        self.expect(end).map(|()| false)
    }

    /// Consumes one value of any type, nested at most this deep.
    pub(crate) fn skip(&mut self, most_nested: usize) -> Result<(), Malformed> {
        let mut open = 0_usize;
        loop {
            match self.peek()? {
                b'{' | b'[' if open == most_nested => return Err(TOO_DEEP),
                b'{' | b'[' => {
                    self.at += 1;
                    open += 1;
                }
                b'}' | b']' => {
                    self.at += 1;
                    open = open.checked_sub(1).ok_or(UNEXPECTED)?;
                }
                b',' | b':' if open > 0 => self.at += 1,
                b'"' => drop(self.string()?),
                b'n' => self.literal("null")?,
                b't' => self.literal("true")?,
                b'f' => self.literal("false")?,
                _ => drop(self.number()?),
            }
            if open == 0 {
                return Ok(());
            }
        }
    }
}

/// The text is nested deeper than JSON parsers accept.
pub(crate) const TOO_DEEP: Malformed = Malformed("it is nested too deeply");

impl<'a> RawString<'a> {
    /// Returns its number of bytes in the text, escapes included.
    pub(crate) fn raw_length(self) -> usize {
        self.raw.len()
    }

    /// Returns its characters, with escapes decoded.
    pub(crate) fn chars(self) -> impl Iterator<Item = char> + 'a {
        let mut rest = self.raw;
        std::iter::from_fn(move || {
            let first = rest.chars().next()?;
            let plain = Decoded { char: first, length: first.len_utf8() };
            let Decoded { char, length } = if first == '\\' { unescaped(rest).ok()? } else { plain };
            rest = rest.get(length..)?;
            Some(char)
        })
    }

    /// Returns its number of characters.
    pub(crate) fn length(self) -> usize {
        if self.escaped { self.chars().count() } else { self.raw.chars().count() }
    }

    /// Returns whether its characters equal those of a text.
    pub(crate) fn equals(self, text: &str) -> bool {
        if self.escaped { self.chars().eq(text.chars()) } else { self.raw == text }
    }

    /// Returns its decoded text, which is copied only if it has escapes.
    pub(crate) fn text(self) -> Cow<'a, str> {
        if self.escaped { self.chars().collect::<String>().into() } else { self.raw.into() }
    }
}

/// A character, and the number of bytes that it takes in the text.
struct Decoded {
    char: char,
    length: usize,
}

/// Decodes the escape that a text begins with.
fn unescaped(text: &str) -> Result<Decoded, Malformed> {
    let char = match text.as_bytes().get(1).ok_or(UNEXPECTED_END)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unescaped_utf_16(text),
        _ => return Err(BAD_ESCAPE),
    };
    Ok(Decoded { char, length: 2 })
}

/// Decodes the escape `\uXXXX`, or the two of a surrogate pair, that a text begins with.
fn unescaped_utf_16(text: &str) -> Result<Decoded, Malformed> {
    let first = code_unit(text, 2).ok_or(BAD_ESCAPE)?;
    let second = if text.get(6..8) == Some("\\u") { code_unit(text, 8) } else { None };
    let units = [Some(first), second];
    let char = char::decode_utf16(units.into_iter().flatten()).next();
    let char = char.and_then(Result::ok).ok_or(HALF_A_PAIR)?;
    Ok(Decoded { char, length: if char.len_utf16() == 2 { 12 } else { 6 } })
}

/// Parses the four hex digits at this byte of a text.
fn code_unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded_as_serde_json_decodes_them() {
        for text in [r#""""#, r#""Tür""#, r#""a\"b\\c\/d\b\f\n\r\t""#, r#""\u00e9\uD83D\uDE00!""#] {
            let expected: String = serde_json::from_str(text).unwrap();
            let string = Cursor::new(text).string().unwrap();
            assert_eq!((&*string.text(), string.length()), (&*expected, expected.chars().count()), "{text}");
            assert!(string.equals(&expected) && !string.equals("other"));
        }
    }

    #[test]
    fn an_invalid_string_is_refused() {
        for text in [r#"""#, r#""\"#, r#""\x""#, r#""\u12""#, r#""\ud83d""#, r#""\ud83d\u0041""#, r#""\ude00""#, "a"] {
            assert!(Cursor::new(text).string().is_err(), "{text}");
        }
    }

    #[test]
    fn skipping_a_value_stops_right_behind_it() {
        let text = r#" {"a": [1, "]", {"b": null}], "c": true} 7"#;
        let mut cursor = Cursor::new(text);
        cursor.skip(3).unwrap();
        assert_eq!(cursor.peek(), Ok(b'7'));
        assert_eq!(Cursor::new(text).skip(2), Err(TOO_DEEP));
        assert!(Cursor::new("]").skip(2).is_err());
    }
}
