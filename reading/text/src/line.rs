//! Joins the fragments on one baseline into words and lines.

use std::ops::Range;

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use crate::fragment::{Fragment, MIN_TRACKED_GAPS, SPACE_MARK, WORD_GAP, median_tracking};
use crate::{Style, Word, order};

/// Words on one baseline, from left to right, over the whole width of the page. The words may belong to several cells of a row
/// or to several columns; [`Line::phrases`] splits them.
#[derive(Clone, Debug)]
pub struct Line {
    /// y of the baseline in the frame.
    pub baseline: f32,
    /// At least one.
    pub words: Vec<Word>,
}

/// Words of a line without a wide gap or a leader between them.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// At least one; leaders are not among them.
    pub words: Vec<Word>,
    /// Extent in the frame: points, y down.
    pub bbox: Rect,
    /// y of the baseline in the frame.
    pub baseline: f32,
    /// White space to the phrase before it on the line, leaders counted as space, in points; 0 for the first.
    pub gap: f32,
    /// Whether a leader ends at this phrase.
    pub after_leader: bool,
    /// Whether a leader starts at its end.
    pub before_leader: bool,
}

impl Phrase {
    /// Returns the words in reading order, separated by one space.
    pub fn text(&self) -> String {
        text(&self.words)
    }

    /// Returns the size of its largest word: the height of the em in points.
    pub fn size(&self) -> f32 {
        self.words.iter().map(|word| word.size).fold(0.0, f32::max)
    }

    /// Returns the style of its first word.
    pub fn style(&self) -> Style {
        self.words
            .first()
            .map_or(Style { font: 0, bold: false, italic: false, color: 0, visible: true }, |word| word.style)
    }

    /// Creates a phrase; `None` for no words.
    fn new(words: Vec<Word>, gap: f32, after_leader: bool) -> Option<Self> {
        let first = words.first()?;
        let bbox = words.iter().fold(first.bbox, |sum, word| sum.union(&word.bbox));
        Some(Self { baseline: first.baseline, bbox, gap, after_leader, before_leader: false, words })
    }
}

impl Line {
    /// Returns the phrases of the line, split at leaders and where the white space is at least `gap` em wide. A line of nothing but
    /// leaders has none.
    pub fn phrases(&self, gap: f32) -> Vec<Phrase> {
        let mut phrases: Vec<Phrase> = Vec::new();
        let mut words: Vec<Word> = Vec::new();
        let mut opening_gap = 0.0;
        let mut end: Option<f32> = None;
        let mut leader = false;
        for word in &self.words {
            let wide = !words.is_empty() && word.gap >= gap * word.size;
            if wide || word.leader {
                phrases.extend(Phrase::new(std::mem::take(&mut words), opening_gap, leader && end.is_some()));
                if wide {
                    leader = false;
                }
            }
            if word.leader {
                if let Some(phrase) = phrases.last_mut() {
                    phrase.before_leader = true;
                }
                leader = true;
                continue;
            }
            if words.is_empty() {
                opening_gap = end.map_or(0.0, |end| word.bbox.x1 - end);
            }
            end = Some(word.bbox.x2);
            words.push(word.clone());
        }
        phrases.extend(Phrase::new(words, opening_gap, leader));
        phrases
    }
}

/// Returns words of a line, given from left to right, in reading order and separated by one space.
pub fn text(words: &[Word]) -> String {
    let shown: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    order::words(&shown).join(" ")
}

/// White space separates two lines whose baselines are further apart than this, in em.
const WHITE_SPACE: f32 = 1.6;

/// Returns whether white space separates a line from the one below it, whose baselines are given from the top of the page. All
/// are in points.
pub fn are_apart(baseline: f32, below: f32, em: f32) -> bool {
    below - baseline > WHITE_SPACE * em
}

/// Maximum difference of the baselines of one line, in em of the smaller text.
const SAME_BASELINE: f32 = 0.3;
/// Maximum difference of equal baselines because of rounding, in em of the smaller text.
const EXACT_BASELINE: f32 = 0.04;

/// Joins fragments into lines, from the top.
pub(crate) fn lines(mut fragments: Vec<Fragment>) -> Vec<Line> {
    fragments.retain(|fragment| fragment.size > 0.0 && fragment.bbox.x1.is_finite());
    fragments.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let mut exact: Vec<Vec<Fragment>> = Vec::new();
    for fragment in fragments {
        match exact.last_mut() {
            Some(row) if within(row, &fragment, EXACT_BASELINE) => row.push(fragment),
            _ => exact.push(vec![fragment]),
        }
    }
    // Fragments with equal baselines stay together before near baselines are joined.
    let mut rows: Vec<Vec<Fragment>> = Vec::new();
    for row in exact {
        match (rows.last_mut(), row.first()) {
            (Some(above), Some(first)) if within(above, first, SAME_BASELINE) => above.extend(row),
            _ => rows.push(row),
        }
    }
    lower_superscripts(&mut rows);
    rows.into_iter().filter_map(line).collect()
}

/// Returns whether a fragment's baseline is within a tolerance of a row's.
fn within(row: &[Fragment], fragment: &Fragment, tolerance: f32) -> bool {
    row.first().is_some_and(|first| fragment.baseline - first.baseline <= tolerance * first.size.min(fragment.size))
}

/// Moves superscripts and subscripts ("1" and "st", "m" and "2") to the line whose text they touch.
fn lower_superscripts(rows: &mut [Vec<Fragment>]) {
    for index in 0..rows.len() {
        for other in [index.wrapping_sub(1), index + 1] {
            let Ok([row, neighbour]) = rows.get_disjoint_mut([index, other]) else { continue };
            let (moved, kept) = std::mem::take(row).into_iter().partition(|small| {
                neighbour.iter().any(|large| {
                    small.size < 0.8 * large.size
                        && (small.baseline - large.baseline).abs() < 0.6 * large.size
                        && small.bbox.x1 >= large.bbox.x1
                        && (small.bbox.x1 - large.bbox.x2).abs() < 0.3 * large.size
                })
            });
            *row = kept;
            neighbour.extend::<Vec<Fragment>>(moved);
        }
    }
}

/// Joins the fragments of a row into a line; `None` if no word is left.
fn line(mut row: Vec<Fragment>) -> Option<Line> {
    row.sort_by(|a, b| a.bbox.x1.total_cmp(&b.bbox.x1));
    take_space_marks(&mut row);
    let row = drop_overprints(row);
    let limits = gap_limits(&row);
    let mut words: Vec<Word> = Vec::with_capacity(row.len());
    let mut spaced = false;
    for (fragment, limit) in row.into_iter().zip(limits) {
        let gap = words.last().map_or(0.0, |word: &Word| fragment.bbox.x1 - word.bbox.x2);
        let joined = !spaced && !fragment.space_before && gap <= limit && gap > -0.6 * fragment.size;
        spaced = fragment.space_after;
        match words.last_mut() {
            Some(word) if joined => {
                word.text.push_str(&fragment.text);
                word.bbox = word.bbox.union(&fragment.bbox);
                if fragment.size > word.size {
                    word.size = fragment.size;
                    word.baseline = fragment.baseline;
                }
            }
            _ => words.push(Word {
                text: fragment.text,
                bbox: fragment.bbox,
                baseline: fragment.baseline,
                size: fragment.size,
                style: fragment.style,
                gap: gap.max(0.0),
                leader: false,
            }),
        }
    }
    let mut words = split_leaders(words);
    for word in words.iter_mut().filter(|word| !word.text.is_ascii()) {
        word.text = order::word(&word.text);
    }
    let baseline = words.iter().max_by(|a, b| a.size.total_cmp(&b.size))?.baseline;
    Some(Line { baseline, words })
}

/// Removes space marks, and records on the fragments after them that a space precedes.
fn take_space_marks(row: &mut Vec<Fragment>) {
    let mut after_space = false;
    row.retain_mut(|fragment| {
        fragment.space_before |= after_space;
        after_space = fragment.text == SPACE_MARK;
        !after_space
    });
}

/// Drops text that is printed twice: slightly shifted for bold, as a shadow, or as the text layer of a scan under real text.
fn drop_overprints(row: Vec<Fragment>) -> Vec<Fragment> {
    let mut kept: Vec<Fragment> = Vec::with_capacity(row.len());
    for fragment in row {
        let width = fragment.bbox.x2 - fragment.bbox.x1;
        let twin = kept.iter_mut().rev().take(12).find(|other| {
            let common = other.bbox.x2.min(fragment.bbox.x2) - other.bbox.x1.max(fragment.bbox.x1);
            width > 0.0 && common >= 0.7 * width && other.text == fragment.text
        });
        match twin {
            Some(twin) => {
                let a_hair_apart = (twin.bbox.x1 - fragment.bbox.x1).abs() > 0.01 * fragment.size;
                twin.style.bold |=
                    fragment.style.bold || (a_hair_apart && fragment.style.visible && twin.style.visible);
                twin.style.visible |= fragment.style.visible;
                twin.space_before |= fragment.space_before;
                twin.space_after |= fragment.space_after;
            }
            None => kept.push(fragment),
        }
    }
    kept
}

/// Returns for each fragment the widest gap before it, in points, that does not separate words. It is wider than usual where
/// letters were placed one by one with letter spacing.
fn gap_limits(row: &[Fragment]) -> Vec<f32> {
    let mut limits = Vec::with_capacity(row.len());
    for chain in row.chunk_by(|a, b| is_short(a) && is_short(b)) {
        let usual = median_tracking(&mut gaps_of_letters(chain));
        for part in chain.chunk_by(|a, b| !are_far(a, b)) {
            let mut gaps = gaps_of_letters(part);
            let tracking = if gaps.len() < MIN_TRACKED_GAPS { usual } else { median_tracking(&mut gaps) };
            limits.extend(part.iter().map(|fragment| (WORD_GAP + tracking) * fragment.size));
        }
    }
    limits
}

/// Returns whether a fragment has at most two characters, as where letters are placed one by one.
fn is_short(fragment: &Fragment) -> bool {
    fragment.text.chars().nth(2).is_none()
}

/// Returns the gaps between the letters of a chain, in em, without spaces and leaders.
fn gaps_of_letters(chain: &[Fragment]) -> Vec<f32> {
    chain
        .windows(2)
        .filter(|pair| !pair[1].space_before && pair.iter().all(|fragment| !is_leader_mark(&fragment.text)))
        .map(|pair| (pair[1].bbox.x1 - pair[0].bbox.x2) / pair[1].size)
        .filter(|gap| *gap < 0.9)
        .collect()
}

/// Minimum gap between texts of different columns, in em. Spaces between letter-spaced words are narrower.
const FAR_GAP: f32 = 3.0;

/// Returns whether a wide gap separates two fragments of a row, so that the spacing of one says nothing about the other.
fn are_far(left: &Fragment, right: &Fragment) -> bool {
    right.bbox.x1 - left.bbox.x2 > FAR_GAP * left.size.max(right.size)
}

/// The fewest dots of a leader that stand apart from words: after a long title, two are left.
const MIN_DOTS_APART: usize = 2;
const LEADER_MARKS: [char; 6] = ['.', '_', '·', '…', '•', '‥'];
/// Characters whose rows are leaders as well.
const LEADER_HYPHENS: [char; 2] = ['-', '–'];

/// Turns rows of dots into leaders: single ones, ones attached to a word ("Doors....12"), and ones with spaces (". . . .").
fn split_leaders(words: Vec<Word>) -> Vec<Word> {
    let may_lead = |c: char| LEADER_MARKS.contains(&c) || LEADER_HYPHENS.contains(&c);
    if !words.iter().any(|word| word.text.contains(may_lead)) {
        return words;
    }
    let mut split: Vec<Word> = Vec::with_capacity(words.len());
    for word in words {
        let after_mark = split.last().is_some_and(is_mark);
        split.extend(split_word(word, after_mark));
    }
    let mut joined: Vec<Word> = Vec::with_capacity(split.len());
    for row in split.chunk_by(|word, next| is_mark(word) && is_mark(next)) {
        let dots: usize = row.iter().filter(|word| is_mark(word)).map(|word| word.text.chars().count()).sum();
        match row {
            [first, marks @ ..] if dots >= MIN_DOTS_APART || row.iter().any(|word| word.leader) => {
                let mut leader = Word { leader: true, ..first.clone() };
                for mark in marks {
                    leader.text.push_str(&mark.text);
                    leader.bbox = leader.bbox.union(&mark.bbox);
                }
                joined.push(leader);
            }
            _ => joined.extend_from_slice(row),
        }
    }
    joined
}

/// Returns whether a word is a leader, or can be a part of one.
fn is_mark(word: &Word) -> bool {
    word.leader || is_leader_mark(&word.text)
}

/// Returns whether a text consists of nothing but leader characters.
pub(crate) fn is_leader_mark(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| LEADER_MARKS.contains(&c))
}

/// A part of a word: leader characters, or none of them.
struct Part {
    /// The numbers of its characters.
    characters: Range<usize>,
    leader: bool,
}

/// Splits a word at rows of at least three leader characters, one ellipsis character, or at least four hyphens; after another
/// leader character, also at a single one at its start.
fn split_word(word: Word, after_mark: bool) -> Vec<Word> {
    let characters: Vec<char> = word.text.chars().collect();
    let mut parts: Vec<Part> = Vec::new();
    let mut start = 0;
    for row in characters.chunk_by(|one, next| one == next) {
        let mark = row[0];
        let needed = match mark {
            '…' => 1,
            _ if LEADER_HYPHENS.contains(&mark) => 4,
            _ if LEADER_MARKS.contains(&mark) && after_mark && start == 0 => 1,
            _ if LEADER_MARKS.contains(&mark) => 3,
            _ => usize::MAX,
        };
        let characters = start..start + row.len();
        start = characters.end;
        match parts.last_mut() {
            _ if row.len() >= needed => parts.push(Part { characters, leader: true }),
            Some(Part { characters: before, leader: false }) => before.end = characters.end,
            _ => parts.push(Part { characters, leader: false }),
        }
    }
    if let [Part { leader, .. }] = parts[..] {
        return vec![Word { leader, ..word }];
    }
    let weights: Vec<f32> = characters.iter().map(|c| if LEADER_MARKS.contains(c) { 0.5 } else { 1.0 }).collect();
    let all: f32 = weights.iter().sum();
    let width = word.bbox.x2 - word.bbox.x1;
    let place = |index: usize| word.bbox.x1 + width * weights[..index].iter().sum::<f32>() / all;
    parts
        .into_iter()
        .map(|Part { characters: Range { start, end }, leader }| Word {
            text: characters[start..end].iter().collect(),
            bbox: Rect { x1: place(start), x2: place(end), ..word.bbox },
            gap: if start == 0 { word.gap } else { 0.0 },
            leader,
            ..word.clone()
        })
        .collect()
}
