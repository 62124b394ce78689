//! Replaces the text of runs by the characters that the shapes of their glyphs stand for.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use fanlight_contract::TextRun;

use super::{Character, Reader};
use crate::font::TextFont;

/// Gaps up to this width, in ems, are within a word.
const INSIDE_WORD: f32 = 0.2;

/// Recognises the text of all runs in fonts that are in doubt. `fonts` are the fonts that the runs
/// refer to.
pub(crate) fn complete(fonts: &[Rc<TextFont<'_>>], runs: &mut [TextRun], reader: &Reader) {
    let mut shown: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for run in runs.iter() {
        if font_in_doubt(fonts, run).is_some() {
            shown.entry(run.font).or_default().extend(&run.codes);
        }
    }
    for (font, codes) in shown {
        if let Some(font) = fonts.get(font as usize) {
            font.read_shapes(&codes, reader);
        }
    }
    let settled = settle(fonts, runs);
    for run in runs.iter_mut() {
        if let Some(font) = font_in_doubt(fonts, run) {
            rewrite(run, font, &settled);
        }
    }
}

/// Returns the font of a run if it is in doubt.
fn font_in_doubt<'f, 'a>(fonts: &'f [Rc<TextFont<'a>>], run: &TextRun) -> Option<&'f TextFont<'a>> {
    fonts.get(run.font as usize).filter(|font| font.is_in_doubt()).map(Rc::as_ref)
}

/// The characters that the surrounding text decides, by font and code.
type Settled = HashMap<(u32, u32), &'static str>;

fn rewrite(run: &mut TextRun, font: &TextFont<'_>, settled: &Settled) {
    run.text.clear();
    run.lengths.clear();
    for &code in &run.codes {
        let start = run.text.len();
        match settled.get(&(run.font, code)) {
            Some(text) => run.text.push_str(text),
            None => font.push_read(code, &mut run.text),
        }
        run.lengths.push((run.text.len() - start) as u8);
    }
}

/// Decides between look-alikes by the characters beside them: a vote of all places on the page at
/// which the font shows that code.
fn settle(fonts: &[Rc<TextFont<'_>>], runs: &[TextRun]) -> Settled {
    let mut votes: HashMap<(u32, u32), Votes> = HashMap::new();
    let mut rivals: HashMap<(u32, u32), Rc<Character>> = HashMap::new();
    // The preceding character of the word, and a doubtful glyph whose following character is not
    // known yet.
    let mut before: Option<char> = None;
    let mut open: Option<((u32, u32), Option<char>)> = None;
    let mut end: Option<(f32, f32)> = None;
    for run in runs {
        let Some(font) = fonts.get(run.font as usize) else { continue };
        let goes_on = end.is_some_and(|(x, y)| {
            (run.y - y).abs() < 0.1 * run.size && (run.x - x).abs() < INSIDE_WORD * run.size && run.angle == 0.0
        });
        if !goes_on {
            close(&mut open, None, &mut votes);
            before = None;
        }
        let mut text = String::new();
        for &code in &run.codes {
            text.clear();
            font.push_read(code, &mut text);
            let character = text.chars().next().filter(|char| !char.is_whitespace());
            close(&mut open, character, &mut votes);
            let key = (run.font, code);
            let doubtful = font.is_in_doubt().then(|| font.ambiguous(code)).flatten();
            if let Some(doubtful) = doubtful {
                rivals.entry(key).or_insert(doubtful);
                open = Some((key, before));
                before = None;
            } else {
                before = character;
            }
        }
        end = Some((run.x + run.advances.iter().sum::<f32>(), run.y));
    }
    close(&mut open, None, &mut votes);

    let mut settled = HashMap::new();
    for (key, character) in rivals {
        let votes = votes.get(&key).copied().unwrap_or_default();
        // With equal votes the last wins: the character of the shape itself.
        let choices = character.rivals.iter().copied().chain([character.text]);
        let best = choices.max_by_key(|text| votes.count_for(text));
        settled.extend(best.map(|best| (key, best)));
    }
    settled
}

/// Counts the characters before and after a doubtful glyph.
fn close(open: &mut Option<((u32, u32), Option<char>)>, after: Option<char>, votes: &mut HashMap<(u32, u32), Votes>) {
    if let Some((key, before)) = open.take() {
        let votes = votes.entry(key).or_default();
        votes.add(before);
        votes.add(after);
    }
}

/// The kinds of characters beside a glyph, counted.
#[derive(Clone, Copy, Default)]
struct Votes {
    figures: u32,
    capitals: u32,
    small: u32,
}

impl Votes {
    fn add(&mut self, beside: Option<char>) {
        match beside {
            Some(char) if char.is_ascii_digit() => self.figures += 1,
            Some(char) if char.is_uppercase() => self.capitals += 1,
            Some(char) if char.is_lowercase() => self.small += 1,
            _ => {}
        }
    }

    /// Returns the number of votes for a character.
    fn count_for(self, text: &str) -> u32 {
        match text {
            "0" | "1" => self.figures,
            "I" | "O" => self.capitals,
            "l" | "o" => self.small,
            _ => 0,
        }
    }
}
