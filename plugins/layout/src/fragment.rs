//! Takes runs apart at their spaces and gaps.

use std::collections::HashMap;

use fanlight_vocabulary::{PageText, Rect, TextRun};

use crate::line::is_leader_mark;
use crate::{Frame, Style};

/// Characters of one run with no space or gap between them.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) text: String,
    /// In the frame, y down.
    pub(crate) bbox: Rect,
    pub(crate) baseline: f32,
    pub(crate) size: f32,
    pub(crate) style: Style,
    /// Whether a space glyph stands before it in its run.
    pub(crate) space_before: bool,
    /// Whether a space glyph stands after it in its run.
    pub(crate) space_after: bool,
}

/// A gap this wide (in em) between two glyphs is a word gap. A space is 0.25 em in most faces and shrinks to some 0.2
/// in justified text; kerning and letter spacing of running text stay below a tenth.
pub(crate) const WORD_GAP: f32 = 0.17;

/// Natural widths of the page's glyphs, in em.
///
/// A run's advances include what the showing operator added: a move that stands for a space looks like a wide glyph.
/// Two things tell them apart: the narrowest advance of the same glyph on the page, and, where a glyph is always
/// followed by a space, its usual width in relation to the font's other glyphs.
pub(crate) struct GlyphWidths {
    narrowest: HashMap<(u32, u32), f32>,
    /// How wide each font's glyphs are.
    breadths: HashMap<u32, Breadth>,
}

/// Advance widths of ASCII 32 to 126 in thousandths of an em: what faces without serifs are like, in the metrics of
/// Helvetica, and faces with, in those of Times.
const FACES: [[u16; 95]; 2] = [
    [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
        556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667,
        556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556,
        556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722,
        500, 500, 500, 334, 260, 334, 584,
    ],
    [
        250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500,
        500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722,
        611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500, 333, 444,
        500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722,
        500, 500, 444, 480, 200, 480, 541,
    ],
];

/// The narrowest advance of a glyph is its own unless it exceeds what such faces give it by so much, in em: half a
/// space, and more than faces differ.
const NEVER_WITHOUT_GAP: f32 = 0.13;

/// How wide a font's glyphs are.
#[derive(Clone, Copy)]
enum Breadth {
    /// In relation to one of [`FACES`].
    Proportional { face: usize, breadth: f32 },
    /// All the same, in em.
    Fixed(f32),
}

impl Breadth {
    /// From a font's glyphs that stand for one character each: the character, its narrowest advance in em, and how often
    /// it is shown.
    fn of(glyphs: &[(char, f32, u32)]) -> Option<Self> {
        let common = median(glyphs.iter().map(|(_, width, _)| *width).collect())?;
        let alike = |width: f32| (width - common).abs() < 0.01;
        let count = glyphs.iter().filter(|(_, width, _)| alike(*width)).count();
        // Only in a typewriter's face is an "l" as wide as most letters; shown often, it isn't always at a word's end.
        let wide_l = glyphs.iter().any(|&(glyph, width, times)| "ijlI".contains(glyph) && times >= 4 && alike(width));
        let most = count >= 8 && count * 10 >= glyphs.len() * 7;
        let all_of_few = count >= 4 && count == glyphs.len();
        if most || all_of_few || (wide_l && count >= 3 && common > 0.45) {
            return Some(Self::Fixed(common));
        }
        (0..FACES.len())
            .filter_map(|face| {
                let relations = glyphs.iter().filter_map(|(glyph, width, _)| Some(width / usual(*glyph, face)?));
                let breadth = median(relations.collect())?;
                let off =
                    glyphs.iter().filter_map(|(glyph, width, _)| Some((width - breadth * usual(*glyph, face)?).abs()));
                Some((median(off.collect())?, Self::Proportional { face, breadth }))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, breadth)| breadth)
    }
}

fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

impl GlyphWidths {
    pub(crate) fn of(text: &PageText) -> Self {
        let mut narrowest: HashMap<(u32, u32), f32> = HashMap::new();
        let mut characters: HashMap<(u32, u32), (char, u32)> = HashMap::new();
        for run in text.runs.iter().filter(|run| run.size > 0.0) {
            let mut rest = run.text.as_str();
            for ((&code, &advance), &length) in run.codes.iter().zip(&run.advances).zip(&run.lengths) {
                let Some((glyph, remaining)) = rest.split_at_checked(usize::from(length)) else { break };
                rest = remaining;
                let em = advance / run.size;
                if em > 0.0 {
                    let entry = narrowest.entry((run.font, code)).or_insert(em);
                    *entry = em.min(*entry);
                    if let Some(character) = only_character(glyph) {
                        characters.entry((run.font, code)).or_insert((character, 0)).1 += 1;
                    }
                }
            }
        }
        let mut glyphs: HashMap<u32, Vec<(char, f32, u32)>> = HashMap::new();
        for (&(font, code), &(character, times)) in &characters {
            if let Some(&width) = narrowest.get(&(font, code)) {
                glyphs.entry(font).or_default().push((character, width, times));
            }
        }
        let breadths = glyphs.into_iter().filter_map(|(font, glyphs)| Some((font, Breadth::of(&glyphs)?))).collect();
        Self { narrowest, breadths }
    }

    /// Width in points of a glyph that advances by `advance`, without what was added to it.
    fn natural(&self, run: &TextRun, code: u32, characters: &str, advance: f32) -> f32 {
        let narrowest = self.narrowest.get(&(run.font, code)).copied().unwrap_or(f32::MAX);
        // What a glyph of several characters, a ligature or a word that OCR read, is wide says the glyph alone.
        let expected =
            only_character(characters).zip(self.breadths.get(&run.font)).and_then(
                |(character, breadth)| match breadth {
                    Breadth::Fixed(width) => Some(*width),
                    Breadth::Proportional { face, breadth } => Some(usual(character, *face)? * breadth),
                },
            );
        let expected = expected.unwrap_or(narrowest);
        // A glyph that is never seen without a gap after it.
        let natural = if narrowest > expected + NEVER_WITHOUT_GAP { expected } else { narrowest };
        advance.min(natural * run.size)
    }
}

fn only_character(glyph: &str) -> Option<char> {
    let mut characters = glyph.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Width of a character in one of [`FACES`], in em; accented letters are as wide as plain ones.
fn usual(character: char, face: usize) -> Option<f32> {
    let plain = match character {
        'À'..='Å' => 'A',
        'Ç' => 'C',
        'È'..='Ë' => 'E',
        'Ì'..='Ï' => 'I',
        'Ñ' => 'N',
        'Ò'..='Ö' => 'O',
        'Ù'..='Ü' => 'U',
        'à'..='å' => 'a',
        'ç' => 'c',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ñ' => 'n',
        'ò'..='ö' => 'o',
        'ù'..='ü' => 'u',
        '–' => '0',
        _ => character,
    };
    let width = FACES.get(face)?.get((plain as usize).checked_sub(32)?)?;
    Some(f32::from(*width) / 1000.0)
}

struct Glyph<'a> {
    text: &'a str,
    /// Left edge along the baseline, in points from the run's origin.
    left: f32,
    /// Natural right edge.
    right: f32,
}

/// All fragments of the given runs. Whitespace yields none, but for a run that is nothing else: where glyphs are placed
/// one by one, that is the only sign of a space.
pub(crate) fn fragments(text: &PageText, runs: &[usize], frame: &Frame, widths: &GlyphWidths) -> Vec<Fragment> {
    let mut found = Vec::with_capacity(runs.len() * 2);
    for run in runs.iter().filter_map(|&index| text.runs.get(index)) {
        let font = text.fonts.get(run.font as usize);
        let style = Style {
            font: run.font,
            bold: font.is_some_and(|font| font.bold),
            italic: font.is_some_and(|font| font.italic),
            color: run.color,
            visible: run.visible,
        };
        take_apart(run, style, frame, widths, &mut found);
    }
    found
}

/// The text of a fragment that stands for a run of white space.
pub(crate) const SPACE_MARK: &str = "\u{0}";

fn take_apart(run: &TextRun, style: Style, frame: &Frame, widths: &GlyphWidths, found: &mut Vec<Fragment>) {
    let mut glyphs = glyphs(run, widths);
    if run.text.trim().is_empty() {
        for glyph in &mut glyphs {
            glyph.text = "";
        }
        glyphs.truncate(1);
        if let Some(glyph) = glyphs.first_mut() {
            glyph.text = SPACE_MARK;
        }
    }
    let (x, baseline) = frame.place(run.x, run.y);
    let limit = (WORD_GAP + tracking(&glyphs, run.size)) * run.size;
    let (ascent, descent) = vertical_extent(run, frame, baseline);

    let mut open: Option<Fragment> = None;
    let mut after_space = false;
    for glyph in &glyphs {
        if glyph.text.is_empty() {
            if let Some(fragment) = &mut open {
                fragment.bbox.x2 = fragment.bbox.x2.max(x + glyph.right);
            }
            continue;
        }
        if glyph.text.chars().all(char::is_whitespace) {
            if let Some(mut fragment) = open.take() {
                fragment.space_after = true;
                found.push(fragment);
            }
            after_space = true;
            continue;
        }
        let apart = open.as_ref().is_some_and(|fragment| {
            let gap = x + glyph.left - fragment.bbox.x2;
            gap > limit || gap < -2.0 * run.size
        });
        if apart {
            found.extend(open.take());
        }
        match &mut open {
            Some(fragment) => {
                fragment.text.push_str(glyph.text);
                fragment.bbox.x2 = fragment.bbox.x2.max(x + glyph.right);
            }
            None => {
                open = Some(Fragment {
                    text: glyph.text.to_owned(),
                    bbox: Rect {
                        x1: x + glyph.left,
                        y1: baseline - ascent,
                        x2: x + glyph.right,
                        y2: baseline + descent,
                    },
                    baseline,
                    size: run.size,
                    style,
                    space_before: after_space,
                    space_after: false,
                });
            }
        }
        after_space = false;
    }
    found.extend(open);
}

/// A run's glyphs with their places. Lengths or advances that are too few end it early.
fn glyphs<'a>(run: &'a TextRun, widths: &GlyphWidths) -> Vec<Glyph<'a>> {
    let mut glyphs = Vec::with_capacity(run.advances.len());
    let mut rest = run.text.as_str();
    let mut left = 0.0;
    for (index, &advance) in run.advances.iter().enumerate() {
        let length = run.lengths.get(index).map_or(0, |&length| usize::from(length));
        let Some((text, remaining)) = rest.split_at_checked(length) else { break };
        rest = remaining;
        let code = run.codes.get(index).copied().unwrap_or_default();
        let right = left + if advance > 0.0 { widths.natural(run, code, text, advance) } else { 0.0 };
        glyphs.push(Glyph { text, left, right });
        left += advance;
    }
    glyphs
}

/// Letter spacing of a run, in em: what stands between most of its glyphs, those of leaders aside.
fn tracking(glyphs: &[Glyph<'_>], size: f32) -> f32 {
    let mut gaps: Vec<f32> = glyphs
        .windows(2)
        .filter(|pair| pair.iter().all(|glyph| !glyph.text.trim().is_empty() && !is_leader_mark(glyph.text)))
        .map(|pair| (pair[1].left - pair[0].right) / size)
        .collect();
    median_tracking(&mut gaps)
}

/// The median of at least four gaps, where it is positive; otherwise nothing tells that letters are spaced.
pub(crate) fn median_tracking(gaps: &mut [f32]) -> f32 {
    if gaps.len() < 4 {
        return 0.0;
    }
    gaps.sort_by(f32::total_cmp);
    gaps[gaps.len() / 2].max(0.0)
}

/// Ascent and descent of a run about its baseline, in the frame. A box that isn't about the baseline is no help.
fn vertical_extent(run: &TextRun, frame: &Frame, baseline: f32) -> (f32, f32) {
    let extent = frame.place_box(run.bbox);
    let (ascent, descent) = (baseline - extent.y1, extent.y2 - baseline);
    let plausible = ascent > 0.3 * run.size && ascent < 1.6 * run.size && descent >= 0.0 && descent < run.size;
    if plausible { (ascent, descent) } else { (0.75 * run.size, 0.25 * run.size) }
}
