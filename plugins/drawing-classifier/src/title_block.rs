//! Detects each sheet's number and title among its texts.
//!
//! Title blocks agree in this: they are at the right or the bottom edge, say much the same at the
//! same places on every sheet of a set, and the number is the largest text that is no name. So each
//! text is scored by its form, the label of its cell, its size, its place, and whether the other
//! sheets have different texts there. The best texts of all sheets then vote for the place in the
//! set, and the vote adds to the scores. A sheet alone lacks the last two.

mod blocks;
mod cells;

use crate::drawing_type;
use crate::labels::Label;
use crate::number::{self, Number};
use crate::result::DrawingType;
use crate::set::{Likeness, Place, Places};
use crate::sheet::{Origin, Sheet, Text};
use blocks::Block;

/// What the title block of a sheet says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    /// The sheet's number.
    pub(crate) number: Option<Number>,
    /// The title as printed, with its lines joined.
    pub(crate) title: Option<String>,
    /// Whether a label or the set confirms the place of the number, rather than only its form.
    pub(crate) sure: bool,
}

/// A possible number of a sheet.
struct NumberCandidate {
    number: Number,
    bbox: [f32; 4],
    turn: u8,
    label: Option<Label>,
    size: f32,
    score: f32,
    varying: f32,
}

/// A possible title of a sheet.
struct TitleCandidate {
    block: Block,
    score: f32,
    varying: f32,
    telling: bool,
    /// Whether a scale is below it, as below the title of a drawing. Only the set can then confirm
    /// that it is the sheet's.
    over_scale: bool,
}

/// Titles with more words are rare; those without a label have fewer.
const MAX_TITLE_WORDS: usize = 24;
/// The limit for titles without a label.
const MAX_WORDS_WITHOUT_LABEL: usize = 14;
/// A text whose place varies less than this belongs to the whole set.
const RECURRING: f32 = -0.5;
/// The points that a title loses for a scale below it: most such titles are drawings'.
const OVER_SCALE: f32 = 1.5;
/// Titles of sheets are above a scale in a set if this share of them varies there.
const OFTEN: f32 = 0.7;
/// Fewer other sheets do not show what a set repeats.
const MIN_OTHER_SHEETS: usize = 2;
/// What at least this share of the other sheets says too belongs to the set.
const MIN_REPEATED_SHARE: f32 = 0.5;
/// The fewest points of a number. A text with fewer only looks like one.
const MIN_NUMBER_SCORE: f32 = 3.2;
/// The fewest points of a title.
const MIN_TITLE_SCORE: f32 = 1.0;

/// Returns the entries of each sheet of a set.
pub(crate) fn read(sheets: &[Sheet]) -> Vec<Entries> {
    let style = cells::style(sheets);
    let owned: Vec<Vec<Option<Label>>> = sheets.iter().map(|sheet| cells::owners(sheet, style)).collect();
    let mut numbers: Vec<Vec<NumberCandidate>> =
        sheets.iter().zip(&owned).map(|(sheet, labels)| number_candidates(sheet, labels)).collect();
    score_numbers(sheets, &mut numbers);
    let chosen: Vec<Option<usize>> =
        numbers.iter().map(|of_sheet| best(of_sheet.iter().map(|c| c.score), MIN_NUMBER_SCORE)).collect();
    let repeated = repeated(sheets);
    let mut titles: Vec<Vec<TitleCandidate>> = sheets
        .iter()
        .zip(&owned)
        .enumerate()
        .map(|(index, (sheet, labels))| {
            let number = chosen[index].and_then(|at| numbers[index].get(at));
            title_candidates(sheet, labels, &repeated[index], number)
        })
        .collect();
    score_titles(sheets, &mut titles);
    sheets
        .iter()
        .enumerate()
        .map(|(index, sheet)| {
            let number = chosen[index].and_then(|at| numbers[index].get(at));
            // Text from OCR differs from sheet to sheet by mistakes alone.
            let differs = |titled: &TitleCandidate| titled.varying > 0.3 && sheet.origin != Origin::Read;
            let stands = |titled: &TitleCandidate| {
                let told = titled.telling || titled.block.label == Some(Label::Title) || differs(titled);
                told && (!titled.over_scale || titled.varying >= OFTEN)
            };
            let title = titles[index]
                .iter()
                .filter(|titled| titled.score >= MIN_TITLE_SCORE && stands(titled))
                .max_by(|a, b| a.score.total_cmp(&b.score));
            Entries {
                number: number.map(|candidate| candidate.number.clone()),
                title: title.map(|titled| titled.block.text.clone()),
                sure: number.is_some_and(|c| {
                    let large = c.size >= 0.75 * largest(sheet);
                    c.label == Some(Label::Number) || c.varying > 0.3 || c.number.likeness >= 0.8 || large
                }),
            }
        })
        .collect()
}

fn best(scores: impl Iterator<Item = f32>, least: f32) -> Option<usize> {
    scores.enumerate().filter(|(_, score)| *score >= least).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
}

fn middle(bbox: [f32; 4]) -> (f32, f32) {
    (f32::midpoint(bbox[0], bbox[2]), f32::midpoint(bbox[1], bbox[3]))
}

fn place(sheet: &Sheet, turn: u8, (x, y): (f32, f32)) -> Place {
    Place { sheet: sheet.number, width: sheet.width, height: sheet.height, turn, x, y }
}

/// Returns the size of the largest text near the edges.
fn largest(sheet: &Sheet) -> f32 {
    sheet.texts.iter().map(|text| text.size).fold(1.0, f32::max)
}

fn number_candidates(sheet: &Sheet, labels: &[Option<Label>]) -> Vec<NumberCandidate> {
    let largest = largest(sheet);
    let diagonal = sheet.width.hypot(sheet.height).max(1.0);
    let candidate = |(text, label): (&Text, &Option<Label>)| {
        let value = crate::labels::with_value(&text.text);
        let label = value.map(|(label, _)| label).or(*label);
        let printed = value.map_or(text.text.as_str(), |(_, value)| value);
        let number = match sheet.origin {
            Origin::Read => number::read_from_pixels(printed),
            Origin::Text | Origin::Picture => number::read(printed),
        }?;
        let corner = to_corner(text, sheet) / (0.5 * diagonal);
        let labelled = match label {
            Some(Label::Number) => 3.0,
            Some(Label::Title) => -0.5,
            Some(Label::Date | Label::Scale | Label::Other | Label::Project) => -2.5,
            None => 0.0,
        };
        let score = 2.0 * number.likeness + labelled + 1.5 * (text.size / largest) + 2.0 * (1.0 - corner).max(-0.5);
        Some(NumberCandidate { number, bbox: text.bbox, turn: text.turn, label, size: text.size, score, varying: 0.0 })
    };
    sheet.texts.iter().zip(labels).filter_map(candidate).collect()
}

/// Returns the distance of a text from the bottom right corner of the sheet, either upright or
/// turned so that the text is upright.
fn to_corner(text: &Text, sheet: &Sheet) -> f32 {
    let (x, y) = middle(text.bbox);
    let as_read = (sheet.width - x).hypot(sheet.height - y);
    let (wide, high) = if text.turn % 2 == 1 { (sheet.height, sheet.width) } else { (sheet.width, sheet.height) };
    let (x, y) = middle(text.upright(sheet.width, sheet.height));
    as_read.min((wide - x).hypot(high - y))
}

/// Scores numbers by what the other sheets have at their place, then by the place of most sheets'
/// best numbers.
fn score_numbers(sheets: &[Sheet], numbers: &mut [Vec<NumberCandidate>]) {
    let mut places = Places::default();
    for (sheet, candidates) in sheets.iter().zip(numbers.iter()) {
        places.add_sheet(&place(sheet, 0, (0.0, 0.0)));
        for candidate in candidates {
            places.add(&place(sheet, candidate.turn, middle(candidate.bbox)), &candidate.number.printed);
        }
    }
    for (sheet, candidates) in sheets.iter().zip(numbers.iter_mut()) {
        for candidate in candidates {
            let here = place(sheet, candidate.turn, middle(candidate.bbox));
            candidate.varying = places.recurrence(&here, &candidate.number.printed).varying();
            candidate.score += 2.5 * candidate.varying;
        }
    }
    let mut winners = Places::default();
    for (sheet, candidates) in sheets.iter().zip(numbers.iter()) {
        winners.add_sheet(&place(sheet, 0, (0.0, 0.0)));
        if let Some(candidate) =
            best(candidates.iter().map(|c| c.score), MIN_NUMBER_SCORE).and_then(|at| candidates.get(at))
        {
            winners.add(&place(sheet, candidate.turn, middle(candidate.bbox)), "");
        }
    }
    for (sheet, candidates) in sheets.iter().zip(numbers.iter_mut()) {
        for candidate in candidates {
            candidate.score +=
                2.0 * winners.recurrence(&place(sheet, candidate.turn, middle(candidate.bbox)), "-").support;
        }
    }
}

/// Returns for each text of each sheet whether most other sheets say the same there, and whether it
/// names no content.
fn repeated(sheets: &[Sheet]) -> Vec<Vec<bool>> {
    let mut places = Places::default();
    let start = |sheet: &Sheet, text: &Text| place(sheet, text.turn, (text.bbox[0], text.bbox[1]));
    for sheet in sheets {
        places.add_sheet(&place(sheet, 0, (0.0, 0.0)));
        for text in &sheet.texts {
            places.add(&start(sheet, text), &text.text);
        }
    }
    let repeats = |sheet: &Sheet, text: &Text| {
        let likeness = if sheet.origin == Origin::Read { Likeness::Read } else { Likeness::Printed };
        let found = places.recurrence_by(&start(sheet, text), &text.text, likeness);
        found.others >= MIN_OTHER_SHEETS
            && found.support * found.same >= MIN_REPEATED_SHARE
            && !drawing_type::names_content(&text.text)
    };
    sheets.iter().map(|sheet| sheet.texts.iter().map(|text| repeats(sheet, text)).collect()).collect()
}

fn title_candidates(
    sheet: &Sheet,
    labels: &[Option<Label>],
    repeated: &[bool],
    number: Option<&NumberCandidate>,
) -> Vec<TitleCandidate> {
    let diagonal = sheet.width.hypot(sheet.height).max(1.0);
    let largest = sheet
        .texts
        .iter()
        .filter(|text| number.is_none_or(|number| number.bbox != text.bbox))
        .map(|text| text.size)
        .fold(1.0, f32::max);
    let titled = |block: Block| {
        let letters = block.text.chars().filter(|c| c.is_alphabetic()).count();
        let numeral = number::read(&block.text).is_some_and(|number| number.likeness >= 0.3);
        if letters < 3 || block.text.chars().count() > 240 || numeral {
            return None;
        }
        let telling = drawing_type::names_content(&block.text);
        let labelled = match block.label {
            Some(Label::Title) => 3.5,
            Some(Label::Number) => -1.5,
            Some(Label::Date | Label::Scale) => -4.0,
            Some(Label::Project) => -2.5,
            Some(Label::Other) => -2.0,
            None => 0.0,
        };
        let words = block.text.split_whitespace().count();
        let mut score = labelled + if telling { 2.2 } else { 0.0 } + (block.size / largest);
        // The title of a drawing on the sheet is not the sheet's, but often says the same.
        let view = sheet.views.iter().find(|view| view.text == block.text || view.text == block.first_line);
        let over_scale = view.is_some_and(|view| block.holds(view.bbox)) && block.label != Some(Label::Title);
        if view.is_some_and(|view| !block.holds(view.bbox)) {
            score += 1.0;
        }
        score -= if over_scale { OVER_SCALE } else { 0.0 };
        // Headings of notes and notes themselves may be anywhere.
        let notes = drawing_type::types_named(&block.text) == [DrawingType::GeneralNotes];
        score -= if notes && block.label != Some(Label::Title) { 1.0 } else { 0.0 };
        score -= if is_item(&block.text) { 2.0 } else { 0.0 };
        let wordy = words > MAX_TITLE_WORDS || (words > MAX_WORDS_WITHOUT_LABEL && block.label != Some(Label::Title));
        score -= if wordy { 2.0 } else { 0.0 };
        score -= if crate::labels::is_scale(&block.text) || crate::labels::is_date(&block.text) { 3.0 } else { 0.0 };
        score -= if is_contact(&block.text) { 2.0 } else { 0.0 };
        if let Some(number) = number {
            score += near(block.bbox, number.bbox, sheet, diagonal);
        } else {
            let (x, y) = middle(block.bbox);
            score += 1.0 - 2.0 * (sheet.width - x).min(sheet.height - y) / sheet.width.min(sheet.height).max(1.0);
        }
        Some(TitleCandidate { block, score, varying: 0.0, telling, over_scale })
    };
    blocks::blocks(sheet, labels, repeated).into_iter().filter_map(titled).collect()
}

/// Returns the points for being in the number's strip, fewer with distance.
fn near(title: [f32; 4], number: [f32; 4], sheet: &Sheet, diagonal: f32) -> f32 {
    let apart = |low: f32, high: f32, from: f32, to: f32| (from - high).max(low - to).max(0.0);
    let across = apart(title[0], title[2], number[0], number[2]);
    let down = apart(title[1], title[3], number[1], number[3]);
    let strip = across < 0.06 * sheet.width || down < 0.03 * sheet.height;
    let points = if strip { 1.0 } else { 0.0 };
    points - 3.0 * across.hypot(down) / diagonal
}

/// Returns whether a text is an item of notes: "1. Verify all dimensions."
fn is_item(text: &str) -> bool {
    let label = text.split_whitespace().next().unwrap_or_default();
    let bare = label.trim_end_matches(['.', ')']);
    let counted =
        label.len() > bare.len() && !bare.is_empty() && bare.len() <= 2 && bare.chars().all(|c| c.is_ascii_digit());
    counted && text.split_whitespace().count() > 4
}

/// Returns whether a text is an address, a telephone number or the like.
fn is_contact(text: &str) -> bool {
    let folded = crate::words::fold(text);
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.contains('@')
        || folded.contains("WWW.")
        || digits >= 7
        || folded.contains("COPYRIGHT")
        || folded.contains("ALL RIGHTS")
}

fn score_titles(sheets: &[Sheet], titles: &mut [Vec<TitleCandidate>]) {
    let (mut tops, mut middles) = (Places::default(), Places::default());
    let at_top = |sheet: &Sheet, block: &Block| place(sheet, block.turn, block.start);
    let at_middle = |sheet: &Sheet, block: &Block| place(sheet, block.turn, middle(block.bbox));
    for (sheet, candidates) in sheets.iter().zip(titles.iter()) {
        for places in [&mut tops, &mut middles] {
            places.add_sheet(&place(sheet, 0, (0.0, 0.0)));
        }
        for titled in candidates {
            tops.add(&at_top(sheet, &titled.block), &titled.block.text);
            middles.add(&at_middle(sheet, &titled.block), &titled.block.text);
        }
    }
    for (sheet, candidates) in sheets.iter().zip(titles.iter_mut()) {
        for titled in candidates {
            let top = tops.recurrence(&at_top(sheet, &titled.block), &titled.block.text);
            let middle = middles.recurrence(&at_middle(sheet, &titled.block), &titled.block.text);
            titled.varying =
                if top.same > 0.5 && top.support > 0.3 { top.varying() } else { top.varying().max(middle.varying()) };
            titled.score += 2.5 * titled.varying;
            // What most sheets have at that place is the set's title, unless a label says
            // otherwise.
            if titled.varying <= RECURRING && titled.block.label != Some(Label::Title) {
                titled.score -= 3.0;
            }
        }
    }
    let (mut tops, mut middles) = (Places::default(), Places::default());
    for (sheet, candidates) in sheets.iter().zip(titles.iter()) {
        for places in [&mut tops, &mut middles] {
            places.add_sheet(&place(sheet, 0, (0.0, 0.0)));
        }
        if let Some(titled) =
            best(candidates.iter().map(|titled| titled.score), MIN_TITLE_SCORE).and_then(|at| candidates.get(at))
        {
            tops.add(&at_top(sheet, &titled.block), "");
            middles.add(&at_middle(sheet, &titled.block), "");
        }
    }
    for (sheet, candidates) in sheets.iter().zip(titles.iter_mut()) {
        for titled in candidates {
            let top = tops.recurrence(&at_top(sheet, &titled.block), "-").support;
            let middle = middles.recurrence(&at_middle(sheet, &titled.block), "-").support;
            titled.score += 2.0 * top.max(middle);
        }
    }
}
