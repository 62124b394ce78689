//! Splits runs into fragments at their spaces and gaps.

use std::collections::HashMap;

use fanlight_contract::{PageText, Rect, TextRun};
use fanlight_geometry::median;

use crate::folding::without_accent;
use crate::line::is_leader_mark;
use crate::{Frame, Style};

/// Characters of one run without a space or gap between them.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) text: String,
    /// In the frame, y down.
    pub(crate) bbox: Rect,
    pub(crate) baseline: f32,
    pub(crate) size: f32,
    pub(crate) style: Style,
    /// Whether a space glyph precedes it in its run.
    pub(crate) space_before: bool,
    /// Whether a space glyph follows it in its run.
    pub(crate) space_after: bool,
}

/// Minimum gap between two glyphs that separates words, in em. A space is 0.25 em wide in most faces and shrinks to some 0.2 in
/// justified text; kerning and letter spacing of running text stay below 0.1.
pub(crate) const WORD_GAP: f32 = 0.17;

/// Natural widths of the page's glyphs, in em.
///
/// The advances of a run include the moves of the text-showing operator, so a move that stands for a space looks like a wide
/// glyph. The natural width of a glyph is its narrowest advance on the page or, if a gap always follows it, its usual width
/// relative to the font's other glyphs.
pub(crate) struct GlyphWidths {
    fonts: HashMap<u32, FontWidths>,
}

/// Natural widths of a font's glyphs.
#[derive(Default)]
struct FontWidths {
    /// By code, for codes below [`FEW_CODES`].
    first: Vec<Option<Seen>>,
    /// By all other codes.
    rest: HashMap<u32, Seen>,
    breadth: Option<Breadth>,
}

/// Codes below this are looked up by index: those of fonts whose codes are bytes, and the first glyphs of subsets.
const FEW_CODES: u32 = 512;

/// What a page shows of the glyph of a code.
#[derive(Clone)]
struct Seen {
    /// All advances in em, until they are summed up.
    advances: Vec<f32>,
    /// Median advance in em.
    usual: f32,
    /// Narrowest advance in em, as if all runs were as wide as the usual ones.
    narrowest: f32,
    /// The character that it first stands for, if it is a single one.
    character: Option<char>,
    times: u32,
    /// Natural width in em as this character.
    natural: f32,
}

/// Advance widths of ASCII 32 to 126 in thousandths of an em, of a typical face without serifs (the metrics of Helvetica) and
/// one with serifs (those of Times).
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

/// Most difference of a run's stretch from 1 that says nothing: justified text is stretched by moves of less.
const MAX_USUAL_STRETCH: f32 = 0.1;
/// Most difference of the stretches of two glyphs of one run, relative to the larger: rounding.
const SAME_STRETCH: f32 = 0.08;

/// The narrowest advance of a glyph includes a gap if it exceeds the width in a typical face by more than this, in em: half a
/// space, and more than faces differ.
const MIN_INCLUDED_GAP: f32 = 0.13;

/// The widths of a font's glyphs.
#[derive(Clone, Copy)]
enum Breadth {
    /// Those of one of [`FACES`], times a factor.
    Proportional { face: usize, breadth: f32 },
    /// All the same, in em.
    Fixed(f32),
}

impl Breadth {
    /// Estimates the widths from a font's glyphs that stand for one character each: the character, its narrowest advance in em,
    /// and how often it is shown.
    fn estimate(glyphs: &[(char, f32, u32)]) -> Option<Self> {
        let common = median(glyphs.iter().map(|(_, width, _)| *width).collect())?;
        let alike = |width: f32| (width - common).abs() < 0.01;
        let count = glyphs.iter().filter(|(_, width, _)| alike(*width)).count();
        // Only in a fixed-width face is an "l" as wide as most letters. If it is shown often, it is not always at the end of a word.
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

impl GlyphWidths {
    /// Computes the natural widths of a page's glyphs.
    pub(crate) fn from_page(text: &PageText) -> Self {
        let mut fonts: HashMap<u32, FontWidths> = HashMap::new();
        for run in text.runs.iter().filter(|run| run.size > 0.0) {
            fonts.entry(run.font).or_default().record(run);
        }
        fonts.values_mut().for_each(FontWidths::find_usual);
        for run in text.runs.iter().filter(|run| run.size > 0.0) {
            if let Some(font) = fonts.get_mut(&run.font) {
                font.record_narrowest(run);
            }
        }
        fonts.values_mut().for_each(FontWidths::finish);
        Self { fonts }
    }
}

impl Seen {
    /// Creates a glyph that has not been shown.
    fn new() -> Self {
        let none = f32::MAX;
        Self { advances: Vec::new(), usual: none, narrowest: none, character: None, times: 0, natural: none }
    }
}

impl FontWidths {
    /// Records the glyphs of a run in this font.
    fn record(&mut self, run: &TextRun) {
        let mut rest = run.text.as_str();
        for ((&code, &advance), &length) in run.codes.iter().zip(&run.advances).zip(&run.lengths) {
            let Some((glyph, remaining)) = rest.split_at_checked(usize::from(length)) else { break };
            rest = remaining;
            let em = advance / run.size;
            if em > 0.0 {
                let seen = self.entry(code);
                seen.advances.push(em);
                if let Some(character) = only_character(glyph) {
                    seen.character.get_or_insert(character);
                    seen.times += 1;
                }
            }
        }
    }

    fn entry(&mut self, code: u32) -> &mut Seen {
        if code >= FEW_CODES {
            return self.rest.entry(code).or_insert_with(Seen::new);
        }
        let place = code as usize;
        if self.first.len() <= place {
            self.first.resize(place + 1, None);
        }
        self.first[place].get_or_insert_with(Seen::new)
    }

    /// Computes the usual advances, once all runs are recorded.
    fn find_usual(&mut self) {
        for seen in self.first.iter_mut().flatten().chain(self.rest.values_mut()) {
            seen.usual = median(std::mem::take(&mut seen.advances)).unwrap_or(f32::MAX);
        }
    }

    /// Records the narrowest advances of a run's glyphs, as if the run were as wide as the usual ones.
    fn record_narrowest(&mut self, run: &TextRun) {
        let stretch = self.stretch(run);
        for (&code, &advance) in run.codes.iter().zip(&run.advances).filter(|(_, advance)| **advance > 0.0) {
            let seen = self.entry(code);
            seen.narrowest = seen.narrowest.min(advance / run.size / stretch);
        }
    }

    /// Computes the natural widths, once all runs are recorded.
    fn finish(&mut self) {
        let all = || self.first.iter().flatten().chain(self.rest.values());
        let glyphs = all().filter_map(|seen| Some((seen.character?, seen.narrowest, seen.times)));
        let breadth = Breadth::estimate(&glyphs.collect::<Vec<_>>());
        for seen in self.first.iter_mut().flatten().chain(self.rest.values_mut()) {
            seen.natural = natural(seen.narrowest, seen.character, breadth);
        }
        self.breadth = breadth;
    }

    /// Returns what the page shows of the glyph of a code.
    fn seen(&self, code: u32) -> Option<&Seen> {
        match code {
            0..FEW_CODES => self.first.get(code as usize).and_then(Option::as_ref),
            _ => self.rest.get(&code),
        }
    }

    /// Returns how many times as wide the glyphs of a run are as usual in its font: a page may have condensed text beside text of
    /// the usual width. 1 if they are about as wide, or if the run's glyphs do not agree.
    fn stretch(&self, run: &TextRun) -> f32 {
        let glyphs = run.codes.iter().zip(&run.advances).filter(|(_, advance)| **advance > 0.0);
        let stretches: Vec<f32> = glyphs
            .filter_map(|(&code, advance)| Some(advance / (run.size * self.seen(code)?.usual)))
            .filter(|stretch| stretch.is_finite() && *stretch > 0.0)
            .collect();
        let count = stretches.len();
        let Some(common) = median(stretches.clone()) else { return 1.0 };
        let agreeing = stretches.iter().filter(|stretch| (**stretch / common - 1.0).abs() <= SAME_STRETCH).count();
        if (common - 1.0).abs() <= MAX_USUAL_STRETCH || 2 * agreeing < count { 1.0 } else { common }
    }

    /// Returns the natural width, in points, of a glyph that advances by `advance` at a size.
    fn natural(&self, code: u32, characters: &str, advance: f32, size: f32) -> f32 {
        let Some(seen) = self.seen(code) else { return advance };
        let character = only_character(characters);
        let em =
            if character == seen.character { seen.natural } else { natural(seen.narrowest, character, self.breadth) };
        advance.min(em * size)
    }
}

/// Returns the natural width of a glyph in em.
fn natural(narrowest: f32, character: Option<char>, breadth: Option<Breadth>) -> f32 {
    // Nothing is known of a glyph of several characters: a ligature, or a word that OCR read.
    let expected = character.zip(breadth).and_then(|(character, breadth)| match breadth {
        Breadth::Fixed(width) => Some(width),
        Breadth::Proportional { face, breadth } => Some(usual(character, face)? * breadth),
    });
    // The glyph is never shown without a gap after it.
    expected.filter(|expected| narrowest > expected + MIN_INCLUDED_GAP).unwrap_or(narrowest)
}

/// Returns the character of a glyph that stands for exactly one.
fn only_character(glyph: &str) -> Option<char> {
    let mut characters = glyph.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Returns the width of a character in one of [`FACES`], in em. Accented letters are as wide as plain ones.
fn usual(character: char, face: usize) -> Option<f32> {
    let plain = if character == '–' { '0' } else { without_accent(character) };
    let width = FACES.get(face)?.get((plain as usize).checked_sub(32)?)?;
    Some(f32::from(*width) / 1000.0)
}

/// A glyph of a run with its position.
struct Glyph {
    /// Where its characters end in the run's text. They begin where those of the previous glyph end.
    end: usize,
    /// Left edge along the baseline, in points from the run's origin.
    left: f32,
    /// Natural right edge along the baseline, in points from the run's origin.
    right: f32,
    kind: Kind,
}

/// The kind of a glyph's characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// No characters.
    Nothing,
    Space,
    /// Leader characters.
    Mark,
    Letters,
}

impl Kind {
    fn from_text(text: &str) -> Self {
        match text.as_bytes() {
            [] => Self::Nothing,
            [byte] if byte.is_ascii_alphanumeric() => Self::Letters,
            _ if text.chars().all(char::is_whitespace) => Self::Space,
            _ if is_leader_mark(text) => Self::Mark,
            _ => Self::Letters,
        }
    }
}

/// Returns the fragments of the given runs. White space yields none, except for a run of nothing else: where glyphs are placed one
/// by one, such a run is the only sign of a space.
pub(crate) fn fragments(text: &PageText, runs: &[usize], frame: &Frame, widths: &GlyphWidths) -> Vec<Fragment> {
    let mut found = Vec::with_capacity(runs.len() * 2);
    let mut glyphs = Vec::new();
    for run in runs.iter().filter_map(|&index| text.runs.get(index)) {
        let font = text.fonts.get(run.font as usize);
        let style = Style {
            font: run.font,
            bold: font.is_some_and(|font| font.bold),
            italic: font.is_some_and(|font| font.italic),
            color: run.color,
            visible: run.visible,
        };
        place_glyphs(run, widths, &mut glyphs);
        split_run(run, style, frame, &glyphs, &mut found);
    }
    found
}

/// The text of a fragment that stands for a run of white space.
pub(crate) const SPACE_MARK: &str = "\u{0}";

/// A fragment in progress, still without text, and where its text begins and ends in the run's.
struct Open {
    start: usize,
    end: usize,
    fragment: Fragment,
}

impl Open {
    /// Returns the fragment with its text.
    fn closed(self, run: &TextRun) -> Fragment {
        let text = run.text.get(self.start..self.end).unwrap_or_default();
        Fragment { text: text.to_owned(), ..self.fragment }
    }
}

/// Adds the fragments of one run.
fn split_run(run: &TextRun, style: Style, frame: &Frame, glyphs: &[Glyph], found: &mut Vec<Fragment>) {
    let (x, baseline) = frame.place(run.x, run.y);
    let (ascent, descent) = vertical_extent(run, frame, baseline);
    let empty = Fragment {
        text: String::new(),
        bbox: Rect { x1: x, y1: baseline - ascent, x2: x, y2: baseline + descent },
        baseline,
        size: run.size,
        style,
        space_before: false,
        space_after: false,
    };
    if run.text.trim().is_empty() {
        if let Some(Glyph { left, right, .. }) = glyphs.first() {
            let bbox = Rect { x1: x + left, x2: x + right, ..empty.bbox };
            found.push(Fragment { text: SPACE_MARK.to_owned(), bbox, ..empty });
        }
        return;
    }
    let limit = (WORD_GAP + tracking(glyphs, run.size)) * run.size;
    let mut open: Option<Open> = None;
    let mut after_space = false;
    let mut start = 0;
    for glyph in glyphs {
        let (left, right) = (x + glyph.left, x + glyph.right);
        let begins = std::mem::replace(&mut start, glyph.end);
        if glyph.kind == Kind::Nothing {
            if let Some(Open { fragment, .. }) = &mut open {
                fragment.bbox.x2 = fragment.bbox.x2.max(right);
            }
            continue;
        }
        if glyph.kind == Kind::Space {
            found.extend(open.take().map(|open| Fragment { space_after: true, ..open.closed(run) }));
            after_space = true;
            continue;
        }
        let apart = open.take_if(|open| {
            let gap = left - open.fragment.bbox.x2;
            gap > limit || gap < -2.0 * run.size
        });
        found.extend(apart.map(|open| open.closed(run)));
        if let Some(open) = &mut open {
            open.end = glyph.end;
            open.fragment.bbox.x2 = open.fragment.bbox.x2.max(right);
        } else {
            let bbox = Rect { x1: left, x2: right, ..empty.bbox };
            let fragment = Fragment { bbox, space_before: after_space, ..empty.clone() };
            open = Some(Open { start: begins, end: glyph.end, fragment });
        }
        after_space = false;
    }
    found.extend(open.map(|open| open.closed(run)));
}

/// Fills `glyphs` with the glyphs of a run and their positions. Ends early if there are fewer lengths or advances than codes.
fn place_glyphs(run: &TextRun, widths: &GlyphWidths, glyphs: &mut Vec<Glyph>) {
    let font = widths.fonts.get(&run.font);
    // The glyphs of a layer that OCR wrote have no widths of their own: each word is stretched over its picture.
    let stretched = if run.visible { None } else { common_advance(run) };
    let stretch = font.map_or(1.0, |font| font.stretch(run));
    let (mut start, mut left) = (0, 0.0);
    glyphs.clear();
    for (index, &advance) in run.advances.iter().enumerate() {
        let end = start + run.lengths.get(index).map_or(0, |&length| usize::from(length));
        let Some(text) = run.text.get(start..end) else { break };
        let code = run.codes.get(index).copied().unwrap_or_default();
        let own = font.filter(|_| advance > 0.0);
        let natural = own.map_or(0.0, |font| font.natural(code, text, advance, stretch * run.size));
        let right = left + stretched.map_or(natural, |common| advance.min(common));
        glyphs.push(Glyph { end, left, right, kind: Kind::from_text(text) });
        left += advance;
        start = end;
    }
}

/// Largest difference between two advances that count as equal, relative to the larger: rounding of a stretched word's width.
const EQUAL_ADVANCES: f32 = 0.02;
/// Least share of a run's glyphs with the same advance in a face whose glyphs are all equally wide. The others end a word
/// before a move.
const MIN_EQUAL_SHARE: f32 = 0.6;

/// Returns the advance of most glyphs of a run, in points, if they are equally wide.
fn common_advance(run: &TextRun) -> Option<f32> {
    let common = median(run.advances.iter().copied().filter(|advance| *advance > 0.0).collect())?;
    let is_common = |advance: &&f32| (**advance - common).abs() <= EQUAL_ADVANCES * common;
    let count = run.advances.iter().filter(is_common).count();
    (count as f32 >= MIN_EQUAL_SHARE * run.advances.len() as f32).then_some(common)
}

/// Returns the letter spacing of a run, in em: the median gap between its glyphs, without those of leaders.
fn tracking(glyphs: &[Glyph], size: f32) -> f32 {
    let pairs = glyphs.windows(2).filter(|pair| pair.iter().all(|glyph| glyph.kind == Kind::Letters));
    let mut gaps: Vec<f32> = pairs.map(|pair| (pair[1].left - pair[0].right) / size).collect();
    median_tracking(&mut gaps)
}

/// Fewer gaps say nothing about letter spacing.
pub(crate) const MIN_TRACKED_GAPS: usize = 4;

/// Returns the median of gaps if it is positive; 0 for fewer than [`MIN_TRACKED_GAPS`].
pub(crate) fn median_tracking(gaps: &mut [f32]) -> f32 {
    if gaps.len() < MIN_TRACKED_GAPS {
        return 0.0;
    }
    let (_, median, _) = gaps.select_nth_unstable_by(gaps.len() / 2, f32::total_cmp);
    median.max(0.0)
}

/// Returns ascent and descent of a run in the frame: those of its box or, if that does not include the baseline, usual ones.
fn vertical_extent(run: &TextRun, frame: &Frame, baseline: f32) -> (f32, f32) {
    let extent = frame.place_box(run.bbox);
    let (ascent, descent) = (baseline - extent.y1, extent.y2 - baseline);
    let plausible = ascent > 0.3 * run.size && ascent < 1.6 * run.size && descent >= 0.0 && descent < run.size;
    if plausible { (ascent, descent) } else { (0.75 * run.size, 0.25 * run.size) }
}
