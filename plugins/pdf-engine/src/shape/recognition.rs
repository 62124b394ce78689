//! Decides which characters a font's glyphs are: each by its similarity to the references, all
//! together by what they have in common, so that the heights of other letters distinguish an o from
//! an O.

use hayro::kurbo::Rect;

use super::look::Look;
use super::references::{Heights, Reference, References, STYLE_COUNT};

/// The weight of a difference in height in a cost, where a difference of looks has weight 1. Chosen by hand.
const HEIGHT_WEIGHT: f64 = 4.0;
/// The weight of a difference in width, likewise.
const WIDTH_WEIGHT: f64 = 0.3;
/// The weight of a difference in style, likewise.
const STYLE_WEIGHT: f64 = 0.7;
/// The cost of a character that is rare in English text.
const RARITY: f64 = 0.08;
/// The cost of each connected component or hole more or less.
const COMPONENT: f64 = 0.1;
/// The cost of a character that another glyph of the font already is.
const TWICE: f64 = 0.12;

/// Above this cost a glyph is no known character.
const WORST: f64 = 0.72;
/// Above this cost a glyph is no known character if the cost of another character exceeds it by less than [`DOUBT`].
const WORST_IN_DOUBT: f64 = 0.42;
/// The least difference of two characters' costs without doubt.
const DOUBT: f64 = 0.03;

/// How much the rough distance of a reference may exceed the least one.
const ROUGH_SPAN: f64 = 0.35;

/// A character that a glyph may be.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) text: &'static str,
    pub(super) cost: f64,
}

/// What the glyphs of a font have in common.
struct Face {
    heights: Heights,
    /// The ratio of its letters' width to the references', at the same height.
    width: f64,
    /// How much each style of the references differs from the font, compared with the most similar
    /// one.
    unlikeness: [f64; STYLE_COUNT],
    /// The weights of a difference in height and in width in a cost: less as long as the heights and
    /// the width are assumed.
    height_weight: f64,
    width_weight: f64,
}

/// Returns the candidates of each glyph of a font, the likeliest first.
pub(super) fn read(samples: &[Look], references: &References) -> Vec<Vec<Candidate>> {
    let comparisons: Vec<Vec<Comparison<'_>>> = samples.iter().map(|sample| compare(sample, references)).collect();
    let mut face = Face {
        heights: Heights::USUAL,
        width: 1.0,
        unlikeness: [0.0; STYLE_COUNT],
        height_weight: 0.4,
        width_weight: 0.15,
    };
    for _ in 0..3 {
        let compared = samples.iter().zip(&comparisons);
        let guesses: Vec<_> = compared.map(|(sample, compared)| best(sample, compared, &face, references)).collect();
        face = Face::estimate(samples, &guesses, references);
    }
    let compared = samples.iter().zip(&comparisons);
    compared.map(|(sample, compared)| candidates(sample, compared, &face, references)).collect()
}

/// The difference between a glyph and a reference.
struct Comparison<'r> {
    known: &'r Reference,
    distance: f64,
}

/// Compares a glyph with all references of a possible extent.
fn compare<'r>(sample: &Look, references: &'r References) -> Vec<Comparison<'r>> {
    let bounds = sample.bounds;
    let mut comparisons = vec![];
    for known in &references.glyphs {
        let theirs = known.look.bounds;
        let out_of_the_question = (bounds.y1 - theirs.y1).abs() > 0.4
            || (bounds.y0 - theirs.y0).abs() > 0.3
            || stretch(bounds.width(), theirs.width()).abs() > 1.2;
        if !out_of_the_question {
            comparisons.push(Comparison { known, distance: sample.rough_distance(&known.look) });
        }
    }
    // References that differ roughly are not compared closely.
    let least = comparisons.iter().map(|comparison| comparison.distance).fold(f64::INFINITY, f64::min);
    comparisons.retain(|comparison| comparison.distance < least + ROUGH_SPAN);
    let small = if bounds.width().max(bounds.height()) < 0.33 { 0.6 } else { 1.0 };
    for comparison in &mut comparisons {
        comparison.distance = small * sample.distance(&comparison.known.look);
    }
    comparisons
}

/// Returns the logarithm of the ratio of two widths; nearly 0 between strokes.
fn stretch(ours: f64, theirs: f64) -> f64 {
    ((ours + 0.04) / (theirs + 0.04)).ln()
}

fn cost(sample: &Look, comparison: &Comparison<'_>, face: &Face, references: &References) -> f64 {
    let known = comparison.known;
    let heights = &references.heights[known.style];
    let (ours, theirs) = (sample.bounds, known.look.bounds);
    let [top, bottom] = [(ours.y1, theirs.y1), (ours.y0, theirs.y0)].map(|(ours, theirs)| {
        ((ours - heights.carry(known.text, theirs, &face.heights)) / face.heights.capital).powi(2)
    });
    let scale = face.width * face.heights.capital / heights.capital;
    let width = stretch(ours.width(), theirs.width() * scale).powi(2);
    let rarity = if is_common(known.text) { 0.0 } else { RARITY };
    let pieces = known.look.parts.abs_diff(sample.parts) + known.look.holes.abs_diff(sample.holes);
    let pieces = COMPONENT * f64::from(pieces.min(3));
    comparison.distance
        + face.height_weight * (top + bottom)
        + face.width_weight * width
        + pieces
        + face.unlikeness[known.style]
        + rarity
}

fn is_common(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii() && !b"`^~{}\\<>|".contains(&byte)) || "‘’“”–—•".contains(text)
}

/// The likeliest character of a glyph, which may be wrong.
struct Guess<'r> {
    known: &'r Reference,
    /// The difference between its cost and the next character's.
    margin: f64,
    /// The least distance of that character in each style.
    distances: [f64; STYLE_COUNT],
}

fn best<'r>(sample: &Look, compared: &[Comparison<'r>], face: &Face, references: &References) -> Option<Guess<'r>> {
    let costs = compared.iter().map(|comparison| cost(sample, comparison, face, references));
    let costed: Vec<(&Comparison<'r>, f64)> = compared.iter().zip(costs).collect();
    let cheapest = costed.iter().reduce(|best, next| if next.1 < best.1 { next } else { best });
    let (&Comparison { known, .. }, least) = *cheapest.filter(|(_, least)| *least < WORST_IN_DOUBT)?;
    let mut margin = f64::INFINITY;
    let mut distances = [f64::INFINITY; STYLE_COUNT];
    for (comparison, cost) in costed {
        let style = comparison.known.style;
        if comparison.known.text == known.text {
            distances[style] = distances[style].min(comparison.distance);
        } else {
            margin = margin.min(cost - least);
        }
    }
    Some(Guess { known, margin, distances })
}

impl Face {
    /// Estimates the face from the glyphs whose guesses are certain enough.
    fn estimate(samples: &[Look], guesses: &[Option<Guess<'_>>], references: &References) -> Self {
        let surest: Vec<(&Look, &Guess<'_>)> = certain(samples, guesses, 0.03).collect();
        let height = |letters, from: ToHeight| median_height(&surest, references, letters, from);
        // Only letters whose two cases look different: their looks determine their heights.
        let x = height("aemnr", |ours, theirs, heights| ours.y1 / theirs.y1 * heights.x);
        let to_capital: ToHeight = |ours, theirs, heights| ours.y1 / theirs.y1 * heights.capital;
        let capital = height("ABDEFGHLMNQRT", to_capital).or_else(|| height("2345679", to_capital));
        let usual = Heights::USUAL;
        let ascender = height("bdhk", |ours, theirs, heights| ours.y1 / theirs.y1 * heights.ascender);
        let descender = height("gpqy", |ours, theirs, heights| ours.y0 / theirs.y0 * heights.descender);
        let scale = capital.map(|capital| capital / usual.capital).or(x.map(|x| x / usual.x)).unwrap_or(1.0);
        let heights = Heights {
            x: x.unwrap_or(usual.x * scale),
            capital: capital.or(ascender.map(|ascender| 0.98 * ascender)).unwrap_or(usual.capital * scale),
            ascender: ascender.unwrap_or(usual.ascender * scale),
            descender: descender.unwrap_or(usual.descender * scale),
        };

        let widths = certain(samples, guesses, 0.0).filter_map(|(sample, guess)| {
            let known = guess.known;
            let scale = heights.capital / references.heights[known.style].capital;
            let is_wide = known.text.chars().all(char::is_alphanumeric) && known.look.bounds.width() > 0.25;
            is_wide.then(|| stretch(sample.bounds.width(), known.look.bounds.width() * scale))
        });
        let width = median(widths.collect()).map_or(1.0, f64::exp);

        let differences: [f64; STYLE_COUNT] = std::array::from_fn(|style| {
            let distances = certain(samples, guesses, 0.0).map(|(_, guess)| guess.distances[style].min(WORST_IN_DOUBT));
            mean(&distances.collect::<Vec<_>>()).unwrap_or(0.0)
        });
        let least = differences.into_iter().fold(f64::INFINITY, f64::min);
        let unlikeness = differences.map(|difference| STYLE_WEIGHT * (difference - least));
        Self { heights, width, unlikeness, height_weight: HEIGHT_WEIGHT, width_weight: WIDTH_WEIGHT }
    }
}

/// Returns the glyphs whose guess costs less than the next character by more than `margin`.
fn certain<'a>(
    samples: &'a [Look],
    guesses: &'a [Option<Guess<'a>>],
    margin: f64,
) -> impl Iterator<Item = (&'a Look, &'a Guess<'a>)> {
    let pairs = samples.iter().zip(guesses).filter_map(|(sample, guess)| Some((sample, guess.as_ref()?)));
    pairs.filter(move |(_, guess)| guess.margin > margin)
}

/// Carries one of the heights of a reference's style over to the font, by the extents of a glyph and of its reference.
type ToHeight = fn(Rect, Rect, &Heights) -> f64;

/// Returns the median of a height over the glyphs that are guessed to be one of `letters`.
fn median_height(
    guesses: &[(&Look, &Guess<'_>)],
    references: &References,
    letters: &str,
    to_height: ToHeight,
) -> Option<f64> {
    let heights = guesses.iter().filter_map(|(sample, guess)| {
        let known = guess.known;
        let is_one = letters.contains(known.text);
        is_one.then(|| to_height(sample.bounds, known.look.bounds, &references.heights[known.style]))
    });
    median(heights.collect())
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the characters that a glyph may be, the likeliest first.
fn candidates(sample: &Look, compared: &[Comparison<'_>], face: &Face, references: &References) -> Vec<Candidate> {
    let all = compared.iter().map(|comparison| {
        let cost = cost(sample, comparison, face, references);
        Candidate { text: comparison.known.text, cost }
    });
    let mut all: Vec<Candidate> = all.filter(|candidate| candidate.cost < WORST + 0.2).collect();
    all.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let mut candidates: Vec<Candidate> = vec![];
    for candidate in all {
        if candidates.len() < 6 && candidates.iter().all(|other| other.text != candidate.text) {
            candidates.push(candidate);
        }
    }
    candidates
}

/// Assigns each glyph a character, beginning with the most certain. If two glyphs could be one
/// character, the less similar one becomes another if it can.
pub(super) fn assign(candidates: &[Vec<Candidate>]) -> Vec<Option<Candidate>> {
    let mut assigned: Vec<Option<Candidate>> = vec![None; candidates.len()];
    let mut left: Vec<usize> = (0..candidates.len()).collect();
    let mut taken: Vec<&'static str> = vec![];
    while !left.is_empty() {
        let choice = left.iter().enumerate().filter_map(|(place, &index)| {
            let (best, margin) = choose(&candidates[index], &taken)?;
            Some((place, index, best, margin))
        });
        let Some((place, index, best, margin)) = choice.max_by(|a, b| a.3.total_cmp(&b.3)) else { break };
        left.swap_remove(place);
        if best.cost < WORST_IN_DOUBT || best.cost < WORST && margin > DOUBT.max(0.25 * (best.cost - WORST_IN_DOUBT)) {
            // Fonts have several dashes with the same look.
            if !"-–—".contains(best.text) {
                taken.push(best.text);
            }
            assigned[index] = Some(best);
        }
    }
    assigned
}

/// Returns the likeliest candidate, and the difference between its cost and the next one's.
fn choose(candidates: &[Candidate], taken: &[&str]) -> Option<(Candidate, f64)> {
    let mut costs: Vec<Candidate> = candidates.to_vec();
    for candidate in &mut costs {
        if taken.contains(&candidate.text) {
            candidate.cost += TWICE;
        }
    }
    costs.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let (best, rest) = costs.split_first()?;
    Some((*best, rest.first().map_or(1.0, |next| next.cost - best.cost)))
}
