//! Scales: what a scale note says, and which scales a sheet's plans have.
//!
//! - [`Note::find`] reads the scale note of a line of text: "SCALE: 1/4" = 1'-0"", "1 : 50", "N.T.S.";
//! - [`plan_ratios`] lists the scales that the notes of a page state for its plans;
//! - [`PlanScales`] says which scale holds at a place of a sheet.
//!
//! ```
//! use fanlight_sheet::scale::{Note, Scale};
//! let note = Note::find("KITCHEN - NORTH   SCALE: 1/4\" = 1'-0\"").unwrap();
//! assert_eq!(note.scale, Some(Scale { ratio: 48.0 }));
//! assert_eq!(note.rest, "KITCHEN - NORTH");
//! ```

mod place;
mod ratios;

use std::cell::LazyCell;

use fanlight_text::folding;
use fanlight_text::words::{NO_SCALE, SCALE_WORDS, SLOPE_WORDS};
use unicode_normalization::UnicodeNormalization as _;

pub use place::PlanScales;
pub use ratios::{is_same_ratio, plan_ratios};

/// The scale of a drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Length in the building over length on paper: 48 for 1/4" = 1'-0", 50 for 1:50. From 0.1 to 100,000.
    pub ratio: f32,
}

/// Maximum number of characters of a phrase that states the scale of a plan. Longer ones are prose.
const MAX_NOTE_CHARACTERS: usize = 80;
/// Points per metre of paper.
const POINTS_PER_METRE: f32 = 72.0 / 0.0254;

impl Scale {
    /// Returns the metres of the building per point (1/72 in) of the drawing.
    pub fn metres_per_point(self) -> f32 {
        self.ratio / POINTS_PER_METRE
    }

    /// Returns the points of the drawing per inch of the building: 1.5 at 1/4" = 1'-0".
    pub fn points_per_inch(self) -> f32 {
        72.0 / self.ratio
    }
}

/// A scale note.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The scale; `None` if the note says that the drawing has none ("N.T.S.").
    pub scale: Option<Scale>,
    /// The rest of the text in plain capitals: the title of the drawing, if both are on one line.
    pub rest: String,
}

/// Returns the scale that a phrase of a sheet states.
fn stated(phrase: &str) -> Option<Scale> {
    if phrase.chars().count() > MAX_NOTE_CHARACTERS {
        return None;
    }
    Note::find(phrase)?.scale
}

/// The ratios of ISO 5455 and others in use. A ratio without a word before it is a scale only if it is one of them: "1:12"
/// alone is the slope of a ramp.
const USUAL: [u32; 28] = [
    1, 2, 5, 10, 15, 20, 25, 30, 33, 40, 50, 60, 75, 80, 100, 120, 125, 150, 200, 250, 300, 400, 500, 600, 750, 1000,
    1250, 2000,
];

impl Note {
    /// Reads the first scale note of a line of text.
    pub fn find(text: &str) -> Option<Self> {
        let folded = normalized(text);
        let characters: Vec<char> = folded.chars().collect();
        imperial(&characters).or_else(|| ratio(&folded, &characters)).or_else(|| no_scale(&folded))
    }

    /// Returns whether the text says nothing but the scale.
    pub fn is_alone(&self) -> bool {
        !self.rest.chars().any(char::is_alphanumeric)
    }

    /// Creates a note that is the given range of a text's characters.
    fn new(scale: Option<Scale>, characters: &[char], (from, to): (usize, usize)) -> Self {
        let (before, after) = (characters.get(..from).unwrap_or_default(), characters.get(to..).unwrap_or_default());
        let before: String = before.iter().collect();
        let after: String = after.iter().collect();
        let before = without_word(before.trim_end());
        let rest = format!("{} {}", before.trim(), after.trim());
        let edge = |c: char| c.is_whitespace() || matches!(c, ':' | '-' | ',' | '=' | '.' | '(' | ')');
        Self { scale, rest: rest.trim_matches(edge).to_owned() }
    }
}

/// Returns a text in plain capitals with plain quotes and dashes, one space between words, and fractions written out.
fn normalized(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for character in text.chars() {
        if !matches!(character, '¼'..='¾' | '⅐'..='⅞') {
            written.push(character);
            continue;
        }
        if written.ends_with(|c: char| c.is_ascii_digit()) {
            written.push(' ');
        }
        written.extend(character.nfkc());
    }
    let folded = folding::fold(&written).replace(['⁄', '∕'], "/").replace('∶', ":");
    // The sharp s is two letters as a capital, too.
    folded.replace('ẞ', "SS").replace(['„', '‟'], "\"").replace('‵', "'").replace("''", "\"")
}

/// Returns a text without the word "scale" at its end.
fn without_word(before: &str) -> &str {
    let bare = before.trim_end_matches([':', '=', '.', ' ', '-', '(']);
    for word in SCALE_WORDS.words().iter().chain(&["M"]) {
        if let Some(rest) = bare.strip_suffix(word)
            && !rest.ends_with(char::is_alphanumeric)
        {
            return rest;
        }
    }
    before
}

/// Reads an imperial note, such as `1/4" = 1'-0"`.
fn imperial(text: &[char]) -> Option<Note> {
    for (at, _) in text.iter().enumerate().filter(|(_, c)| matches!(c, '=')) {
        let Some((paper, from)) = inches_before(text, at) else { continue };
        let Some((real, to)) = feet_after(text, at + 1) else { continue };
        let ratio = real / paper;
        if paper > 0.0 && (0.1..=100_000.0).contains(&ratio) {
            return Some(Note::new(Some(Scale { ratio }), text, (from, to)));
        }
    }
    None
}

/// Reads the inches that end before `end`; returns them and where they begin.
fn inches_before(text: &[char], end: usize) -> Option<(f32, usize)> {
    let mut at = skip_back(text, end);
    let unit = text.get(..at)?;
    if unit.ends_with(&['"']) {
        at -= 1;
    } else {
        let marks: [&[char]; 4] = [&['I', 'N', '.'], &['I', 'N', 'C', 'H'], &['I', 'N'], &['\'']];
        let mark = marks.into_iter().find(|mark| unit.ends_with(mark))?;
        // A single quote before the equals sign is a mistake for a double one.
        at -= mark.len();
    }
    at = skip_back(text, at);
    let figures = text.get(..at)?.rsplit(|c| !c.is_ascii_digit() && !matches!(c, '/' | '.' | ' ' | '-'));
    // Read from the end: a fraction, then the whole inches before it.
    let number: String = figures.take(1).flatten().collect();
    let (value, length) = mixed_at_end(&number)?;
    Some((value, at - length))
}

/// Reads a number, fraction or mixed number at the end of a text; returns it and its length in characters.
fn mixed_at_end(text: &str) -> Option<(f32, usize)> {
    let last = text.rsplit([' ', '-']).next()?;
    let value = fraction(last)?;
    let mut length = last.chars().count();
    let before = &text[..text.len() - last.len()];
    if last.contains('/')
        && let Some(whole) = before.trim_end_matches([' ', '-']).rsplit([' ', '-']).next()
        && !whole.is_empty()
        && !whole.contains('/')
        && let Ok(inches) = whole.parse::<f32>()
        && inches <= 12.0
    {
        let gap = before.len() - before.trim_end_matches([' ', '-']).len();
        length += gap + whole.len();
        return Some((inches + value, length));
    }
    Some((value, length))
}

/// Reads "3/32", "1" or "0.5"; `None` unless it is a positive number.
fn fraction(text: &str) -> Option<f32> {
    let value = match text.split_once('/') {
        Some((over, under)) => {
            let (over, under) = (over.parse::<f32>().ok()?, under.parse::<f32>().ok()?);
            if under == 0.0 {
                return None;
            }
            over / under
        }
        None => text.parse::<f32>().ok()?,
    };
    (value.is_finite() && value > 0.0).then_some(value)
}

/// Reads feet and inches from `start`; returns them in inches, and where they end.
fn feet_after(text: &[char], start: usize) -> Option<(f32, usize)> {
    let mut at = skip(text, start);
    let (feet, end) = decimal(text, at)?;
    at = skip(text, end);
    let unit = text.get(at..)?;
    let words: [&[char]; 4] = [&['\''], &['F', 'E', 'E', 'T'], &['F', 'T', '.'], &['F', 'T']];
    let unit = words.into_iter().find(|word| unit.starts_with(word))?;
    at += unit.len();
    // The inches follow as `-0"` or ` 0"`.
    let mut next = skip(text, at);
    if text.get(next) == Some(&'-') {
        next = skip(text, next + 1);
    }
    if let Some((inches, end)) = decimal(text, next)
        && inches < 12.0
    {
        let mark = skip(text, end);
        let to = if text.get(mark) == Some(&'"') { mark + 1 } else { end };
        return Some((12.0 * feet + inches, to));
    }
    Some((12.0 * feet, at))
}

/// Reads a decimal number from `start`, commas left out; returns it and where it ends.
fn decimal(text: &[char], start: usize) -> Option<(f32, usize)> {
    let digits = text.get(start..)?.iter().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',')).count();
    let number: String = text.get(start..start + digits)?.iter().filter(|c| **c != ',').collect();
    Some((number.parse().ok()?, start + digits))
}

/// Returns the first position from `at` on that holds no space.
fn skip(text: &[char], at: usize) -> usize {
    at + text.iter().skip(at).take_while(|c| **c == ' ').count()
}

/// Returns the position after the last character before `at` that is no space.
fn skip_back(text: &[char], mut at: usize) -> usize {
    while at > 0 && text.get(at - 1) == Some(&' ') {
        at -= 1;
    }
    at
}

/// Reads a ratio: "1 : 50", or "1/50" after the word "scale". `text` has the characters of `folded`. The time grows linearly with
/// the text, however many ratios it has.
fn ratio(folded: &str, text: &[char]) -> Option<Note> {
    let starts: Vec<usize> = folded.char_indices().map(|(start, _)| start).collect();
    let slope = LazyCell::new(|| folded.split(|c: char| !c.is_alphanumeric()).any(|word| SLOPE_WORDS.matches(word)));
    let marks = text.iter().enumerate().filter(|(_, c)| matches!(c, ':' | '/'));
    for (at, mark) in marks {
        let one = skip_back(text, at);
        let Some((over, from)) = whole_before(text, one) else { continue };
        let Some((under, to)) = whole_after(text, skip(text, at + 1)) else { continue };
        let before = folded.get(..*starts.get(from)?)?.trim_end();
        let worded = without_word(before).len() < before.len();
        let usual = *mark == ':' && (over == 1 && USUAL.contains(&under) || under == 1 && over <= 10) && !*slope;
        if !(worded || usual) || (over != 1 && under != 1) || over == 0 || under == 0 {
            continue;
        }
        let ratio = under as f32 / over as f32;
        if (0.1..=100_000.0).contains(&ratio) {
            return Some(Note::new(Some(Scale { ratio }), text, (from, to)));
        }
    }
    None
}

/// Reads a whole number that ends at `end` and is not the end of another number; returns it and where it begins.
fn whole_before(text: &[char], end: usize) -> Option<(u32, usize)> {
    let digits = text.get(..end)?.iter().rev().take_while(|c| c.is_ascii_digit()).count();
    let from = end - digits;
    // "M1:50" is a scale: glyphs that are placed one by one have no space between them.
    let measure =
        text.get(..from)?.ends_with(&['M']) && from.checked_sub(2).is_none_or(|at| text.get(at) == Some(&' '));
    let apart = from == 0
        || measure
        || text.get(from - 1).is_some_and(|c| !c.is_alphanumeric() && !matches!(c, '.' | ',' | '/'));
    let number: String = text.get(from..end)?.iter().collect();
    apart.then_some(())?;
    Some((number.parse().ok()?, from))
}

/// Reads a whole number from `start` that does not continue into something else; returns it and where it ends.
fn whole_after(text: &[char], start: usize) -> Option<(u32, usize)> {
    let mut to = start;
    while text.get(to).is_some_and(char::is_ascii_digit) {
        to += 1;
        // A comma or a point may separate thousands.
        if text.get(to).is_some_and(|c| matches!(c, ',' | '.'))
            && text.get(to + 1..to + 4).is_some_and(|three| three.iter().all(char::is_ascii_digit))
        {
            to += 1;
        }
    }
    if text.get(to).is_some_and(|c| c.is_alphabetic() || matches!(c, ':' | '/' | '\'' | '"')) {
        return None;
    }
    let number: String = text.get(start..to)?.iter().filter(|c| c.is_ascii_digit()).collect();
    Some((number.parse().ok()?, to))
}

/// Reads a note that a drawing has no scale, such as "N.T.S.".
fn no_scale(folded: &str) -> Option<Note> {
    for words in NO_SCALE.iter() {
        let Some(at) = folded.find(*words) else { continue };
        let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        if edge(folded[..at].chars().next_back()) && edge(folded[at + words.len()..].chars().next()) {
            let from = folded[..at].chars().count();
            let characters: Vec<char> = folded.chars().collect();
            return Some(Note::new(None, &characters, (from, from + words.chars().count())));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_read_in_every_printed_form() {
        for (text, ratio) in [
            ("1/4\" = 1'-0\"", 48.0),
            ("Scale: 1/2\"=1'-0\"", 24.0),
            ("SCALE: 3/32\" = 1'-0\"", 128.0),
            ("1 1/2\" = 1'-0\"", 8.0),
            ("1-1/2\" = 1'-0\"", 8.0),
            ("SCALE 3\" = 1'-0\"", 4.0),
            ("¼” = 1’-0”", 48.0),
            ("1½\" = 1'", 8.0),
            ("1/8″ = 1′-0″", 96.0),
            ("1/4'' = 1'-0''", 48.0),
            ("1\" = 20'", 240.0),
            ("1\" = 20.0'", 240.0),
            ("1\"=20'-0\"", 240.0),
            ("1/4 IN. = 1 FT.", 48.0),
            ("1 : 50", 50.0),
            ("1:100 @ A1", 100.0),
            ("SCALE 1:1,250", 1250.0),
            ("Maßstab 1:20", 20.0),
            ("MAẞSTAB 1：20", 20.0),
            ("M 1:50", 50.0),
            ("M1 : 50", 50.0),
            ("ÖLÇEK: 1/50", 50.0),
            ("ESC. 1/75", 75.0),
            ("ÉCHELLE : 1/20", 20.0),
            ("SKALA 1 : 75", 75.0),
            ("Scale: 1/8”=1’-0”", 96.0),
            ("SCALE: 1 1/2\" = 1'-0\"", 8.0),
            ("1-1/2\"=1'-0\"", 8.0),
            ("¼\" = 1'-0\"", 48.0),
            ("3/32\" = 1'-0\"", 128.0),
            ("2:1", 0.5),
        ] {
            let note = Note::find(text).and_then(|note| note.scale);
            assert_eq!(note, Some(Scale { ratio }), "{text}");
        }
    }

    #[test]
    fn other_ratios_are_no_scales() {
        for text in [
            "1:12 MAX. SLOPE",
            "RAMP 1:20",
            "3/4\" PLYWD. BD.",
            "10:30",
            "2/A-401",
            "1/50",
            "AS NOTED",
            "SCALE",
            "=",
            "\"=",
            "11:50",
            "1:12.5%",
            "A=1",
            "12:30",
            "RATIO 1:",
            "x=3'",
            "1/0\"=1'-0\"",
            "1:0",
        ] {
            assert_eq!(Note::find(text), None, "{text}");
        }
    }

    #[test]
    fn a_note_is_found_behind_any_number_of_other_ratios() {
        let text = format!("{}SCALE 1:72", "1:7 ".repeat(20_000));
        assert_eq!(Note::find(&text).and_then(|note| note.scale), Some(Scale { ratio: 72.0 }));
    }

    #[test]
    fn a_note_may_say_that_a_drawing_has_no_scale() {
        for text in ["N.T.S.", "Scale: NTS", "NOT TO SCALE", "Hors échelle", "SCALE: NONE"] {
            let note = Note::find(text);
            assert!(note.as_ref().is_some_and(|note| note.scale.is_none() && note.is_alone()), "{text}: {note:?}");
        }
        assert_eq!(Note::find("ANTSVILLE HALL"), None);
    }

    #[test]
    fn a_title_on_the_same_line_is_left() {
        for (text, rest) in [
            ("KITCHEN - NORTH   SCALE: 1/4\" = 1'-0\"", "KITCHEN - NORTH"),
            ("1/4\" = 1'-0\" 3 LOBBY", "3 LOBBY"),
            ("Wandansicht A M 1:20", "WANDANSICHT A"),
            ("SCALE: 1/4\" = 1'-0\"", ""),
        ] {
            let note = Note::find(text);
            assert_eq!(note.as_ref().map(|note| note.rest.as_str()), Some(rest), "{text}: {note:?}");
        }
    }

    #[test]
    fn metres_and_inches_follow_from_the_ratio() {
        let quarter = Scale { ratio: 48.0 };
        assert!((quarter.points_per_inch() - 1.5).abs() < 1e-6);
        assert!((Scale { ratio: 100.0 }.metres_per_point() - 0.035_277_8).abs() < 1e-6);
    }
}
