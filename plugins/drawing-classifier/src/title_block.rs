//! Detects each sheet's number and title among its texts.
//!
//! Title blocks agree in this: they are at the right or the bottom edge, say much the same at the
//! same places on every sheet of a set, and the number is the largest text that is no name. So each
//! text has features: its form, the label of its cell, its size, its place, what else on the sheet
//! looks like it, and whether the other sheets have different texts there. Logistic regression
//! weights them with coefficients that are fitted on labelled sheets. The best texts of all sheets
//! then vote for the place in the set, which is one more feature. A text is taken if it is more
//! likely than not.

mod blocks;
mod cells;
mod coefficients;

use std::collections::HashMap;

use fanlight_geometry::median;
use fanlight_text::words::FIRMS;

use crate::drawing_type;
use crate::labels::Label;
use crate::number::{self, Form, Number};
use crate::result::DrawingType;
use crate::set::{Likeness, Place, Places};
use crate::sheet::{Origin, Sheet, Text};
use blocks::Block;
use coefficients::weighted;
pub use coefficients::{COEFFICIENTS, Coefficients, NUMBER_FEATURES, TITLE_FEATURES};

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
    features: [f32; NUMBER_FEATURES.len()],
    score: f32,
    varying: f32,
}

/// A possible title of a sheet.
struct TitleCandidate {
    block: Block,
    features: [f32; TITLE_FEATURES.len()],
    score: f32,
    varying: f32,
}

/// A candidate with its features, for the program that fits the coefficients.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The number or the title as it would be returned.
    pub text: String,
    /// The values that the coefficients weight, in the order of their names.
    pub features: Vec<f32>,
}

/// The candidates of a sheet.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// Possible numbers.
    pub numbers: Vec<Candidate>,
    /// Possible titles, where the number is the best of the numbers.
    pub titles: Vec<Candidate>,
    /// What the sheet is called if none of them is its title: the titles of its drawings.
    pub of_views: Option<String>,
}

/// Titles with more words are rare; those without a label have fewer.
const MAX_TITLE_WORDS: usize = 24;
/// The limit for titles without a label.
const MAX_WORDS_WITHOUT_LABEL: usize = 14;
/// A text whose place varies less than this belongs to the whole set.
const RECURRING: f32 = -0.5;
/// Fewer other sheets do not show what a set repeats.
const MIN_OTHER_SHEETS: usize = 2;
/// What at least this share of the other sheets says too belongs to the set.
const MIN_REPEATED_SHARE: f32 = 0.5;
/// The fewest letters of a title.
const MIN_TITLE_LETTERS: usize = 3;
/// The longest title in characters.
const MAX_TITLE_LENGTH: usize = 240;
/// A band along an edge of the sheet, as a share of its side: title blocks take about that much.
const BAND: f32 = 0.15;
/// Texts are of one size if their sizes differ by less than this share.
const SAME_SIZE: f32 = 0.08;
/// The logarithm of size by the median from which a text is just large: glyphs of other fonts and stamps are larger still.
const LARGE: f32 = 1.6;
/// Texts are in one row or column if their edges differ by at most this, in em.
const IN_LINE: f32 = 0.4;

/// Returns the entries of each sheet of a set.
pub(crate) fn read(sheets: &[Sheet]) -> Vec<Entries> {
    read_with(sheets, &COEFFICIENTS)
}

/// Returns the entries of each sheet of a set by other coefficients.
pub(crate) fn read_with(sheets: &[Sheet], coefficients: &Coefficients) -> Vec<Entries> {
    let found = Found::new(sheets, coefficients);
    sheets
        .iter()
        .enumerate()
        .map(|(index, sheet)| {
            let number = found.number(index);
            let title = best(found.titles[index].iter().map(|titled| titled.score), 0.0)
                .and_then(|at| found.titles[index].get(at));
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

/// Returns the candidates of each sheet of a set.
pub fn candidates(sheets: &[Sheet], coefficients: &Coefficients) -> Vec<Candidates> {
    let found = Found::new(sheets, coefficients);
    let number = |c: NumberCandidate| Candidate { text: c.number.printed, features: c.features.to_vec() };
    let title = |c: TitleCandidate| Candidate { text: c.block.text, features: c.features.to_vec() };
    let of_sheet = |((numbers, titles), sheet): ((Vec<NumberCandidate>, Vec<TitleCandidate>), &Sheet)| Candidates {
        numbers: numbers.into_iter().map(number).collect(),
        titles: titles.into_iter().map(title).collect(),
        of_views: crate::title_of_views(sheet),
    };
    found.numbers.into_iter().zip(found.titles).zip(sheets).map(of_sheet).collect()
}

/// The scored candidates of each sheet of a set.
struct Found {
    numbers: Vec<Vec<NumberCandidate>>,
    /// The best number of each sheet.
    chosen: Vec<Option<usize>>,
    titles: Vec<Vec<TitleCandidate>>,
}

impl Found {
    fn new(sheets: &[Sheet], coefficients: &Coefficients) -> Self {
        let style = cells::style(sheets);
        let owned: Vec<Vec<Option<Label>>> = sheets.iter().map(|sheet| cells::owners(sheet, style)).collect();
        let mut numbers: Vec<Vec<NumberCandidate>> =
            sheets.iter().zip(&owned).map(|(sheet, labels)| number_candidates(sheet, labels)).collect();
        score_numbers(sheets, &mut numbers, coefficients);
        let chosen: Vec<Option<usize>> =
            numbers.iter().map(|of_sheet| best(of_sheet.iter().map(|c| c.score), 0.0)).collect();
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
        score_titles(sheets, &mut titles, coefficients);
        Self { numbers, chosen, titles }
    }

    fn number(&self, index: usize) -> Option<&NumberCandidate> {
        self.chosen[index].and_then(|at| self.numbers[index].get(at))
    }
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

/// Returns the median size of the texts near the edges.
fn median_size(sheet: &Sheet) -> f32 {
    median(sheet.texts.iter().map(|text| text.size).collect()).unwrap_or(1.0).max(0.1)
}

/// Returns 1 for true and 0 for false.
fn flag(value: bool) -> f32 {
    f32::from(u8::from(value))
}

/// Returns a text with its letters and digits as one letter and one digit each, so that "A-101" and "B-202" are equal.
fn shape(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_ascii_digit() {
                '9'
            } else if c.is_alphabetic() {
                'A'
            } else {
                c
            }
        })
        .collect()
}

/// A label further than this from a text, in em of the label, is not near it.
const NEAR: f32 = 8.0;

/// Returns what the nearest label on the left of a text, above or below it announces, and how near it is, from 0 to 1.
fn nearest_label(sheet: &Sheet, turn: u8, bbox: [f32; 4]) -> Option<(Label, f32)> {
    let framed = Text { text: String::new(), bbox, size: 0.0, turn, read: false }.upright(sheet.width, sheet.height);
    let labels = sheet.texts.iter().filter(|text| text.turn == turn && text.bbox != bbox);
    let near = labels.filter_map(|text| {
        let own = text.upright(sheet.width, sheet.height);
        let em = text.size.max(0.1);
        let (dx, dy) = (
            (framed[0] - own[2]).max(own[0] - framed[2]).max(0.0) / em,
            (framed[1] - own[3]).max(own[1] - framed[3]).max(0.0) / em,
        );
        let apart = dx.hypot(dy);
        let before = own[0] <= framed[0] + em || (own[0] < framed[2] && dy > 0.0);
        (apart < NEAR && before).then(|| crate::labels::read(&text.text).map(|label| (label, 1.0 - apart / NEAR)))?
    });
    near.max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Returns how near the nearest label is if it is for a number, for a title, or for something else; 0 for the other two.
fn label_nearness(sheet: &Sheet, turn: u8, bbox: [f32; 4]) -> [f32; 3] {
    match nearest_label(sheet, turn, bbox) {
        Some((Label::Number, near)) => [near, 0.0, 0.0],
        Some((Label::Title, near)) => [0.0, near, 0.0],
        Some((_, near)) => [0.0, 0.0, near],
        None => [0.0; 3],
    }
}

/// Returns the distances of a text's middle from the right and the bottom edge, as shares of the sheet's sides, for the sheet as
/// it is and turned so that the text is upright; those of the nearer corner.
fn away(text: &Text, sheet: &Sheet) -> (f32, f32) {
    let share = |x: f32, y: f32, width: f32, height: f32| (1.0 - x / width.max(1.0), 1.0 - y / height.max(1.0));
    let (x, y) = middle(text.bbox);
    let as_read = share(x, y, sheet.width, sheet.height);
    let (wide, high) = if text.turn % 2 == 1 { (sheet.height, sheet.width) } else { (sheet.width, sheet.height) };
    let (x, y) = middle(text.upright(sheet.width, sheet.height));
    let upright = share(x, y, wide, high);
    if as_read.0.hypot(as_read.1) <= upright.0.hypot(upright.1) { as_read } else { upright }
}

fn number_candidates(sheet: &Sheet, labels: &[Option<Label>]) -> Vec<NumberCandidate> {
    let largest = largest(sheet);
    let common = median_size(sheet);
    let diagonal = sheet.width.hypot(sheet.height).max(1.0);
    let candidate = |(text, label): (&Text, &Option<Label>)| {
        let value = crate::labels::with_value(&text.text);
        let label = value.map(|(label, _)| label).or(*label);
        let printed = value.map_or(text.text.as_str(), |(_, value)| value);
        let number = if text.read { number::read_from_pixels(printed) } else { number::read(printed) };
        let number = number.or_else(|| number::read_letters(printed).filter(|_| label == Some(Label::Number)))?;
        let corner = to_corner(text, sheet) / diagonal;
        let (right, bottom) = away(text, sheet);
        let labelled = label == Some(Label::Number);
        let [near_number, near_title, near_other] = label_nearness(sheet, text.turn, text.bbox);
        let form = number.form;
        let features = [
            1.0,
            number.likeness,
            flag(form == Form::Counted),
            flag(form == Form::OfTotal),
            flag(form == Form::Pair),
            flag(form == Form::Coded),
            flag(form == Form::PaperSize),
            flag(labelled),
            flag(labelled && matches!(form, Form::Counted | Form::Letters)),
            flag(matches!(label, Some(Label::Date | Label::Scale | Label::Other | Label::Project))),
            flag(label == Some(Label::Title)),
            0.0,
            text.size / largest,
            (text.size / common).ln().min(LARGE),
            (1.0 - corner / 0.5).max(-0.5),
            (1.0 - corner / 0.12).max(0.0),
            flag(right < BAND),
            flag(bottom < BAND),
            flag(text.turn != 0),
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            near_number,
            near_title,
            near_other,
            flag(text.read && sheet.origin == Origin::Text),
            flag(form == Form::Dotted),
        ];
        let (bbox, turn, size) = (text.bbox, text.turn, text.size);
        Some(NumberCandidate { number, bbox, turn, label, size, features, score: 0.0, varying: 0.0 })
    };
    let mut candidates: Vec<NumberCandidate> = sheet.texts.iter().zip(labels).filter_map(candidate).collect();
    compare_numbers(&mut candidates);
    candidates
}

/// Adds the features that compare a number with the others of the sheet: tags, dimensions and rows of tables look alike.
fn compare_numbers(candidates: &mut [NumberCandidate]) {
    let is_labelled = candidates.iter().any(|candidate| candidate.label == Some(Label::Number));
    let top = candidates.iter().map(|candidate| candidate.size).fold(0.0, f32::max);
    let mut shapes: HashMap<String, f32> = HashMap::new();
    let mut spelled: HashMap<String, f32> = HashMap::new();
    for candidate in candidates.iter() {
        *shapes.entry(shape(&candidate.number.printed)).or_default() += 1.0;
        *spelled.entry(candidate.number.printed.clone()).or_default() += 1.0;
    }
    let places: Vec<([f32; 4], f32)> = candidates.iter().map(|candidate| (candidate.bbox, candidate.size)).collect();
    for candidate in candidates.iter_mut() {
        let alike = shapes.get(&shape(&candidate.number.printed)).copied().unwrap_or(1.0);
        let repeats = spelled.get(&candidate.number.printed).copied().unwrap_or(1.0);
        let near = |a: f32, b: f32| (a - b).abs() < IN_LINE * candidate.size;
        let in_line = places.iter().filter(|(bbox, size)| {
            let own = *bbox == candidate.bbox;
            !own && (size - candidate.size).abs() < 0.1 * candidate.size
                && (near(bbox[1], candidate.bbox[1]) || near(bbox[0], candidate.bbox[0]))
        });
        let in_line = in_line.count() as f32;
        candidate.features[11] = flag(is_labelled && candidate.label != Some(Label::Number));
        candidate.features[19] = flag(candidate.size >= top);
        candidate.features[20] = alike.ln();
        candidate.features[21] = flag(repeats > 1.0);
        candidate.features[22] = in_line.ln_1p();
    }
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

/// Scores numbers by their features. Two of them are what the other sheets have at their place, and how many of the other sheets
/// have their best number there.
fn score_numbers(sheets: &[Sheet], numbers: &mut [Vec<NumberCandidate>], coefficients: &Coefficients) {
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
            candidate.features[23] = candidate.varying;
            candidate.score = weighted(&candidate.features, &coefficients.number);
        }
    }
    let mut winners = Places::default();
    for (sheet, candidates) in sheets.iter().zip(numbers.iter()) {
        winners.add_sheet(&place(sheet, 0, (0.0, 0.0)));
        if let Some(candidate) = best(candidates.iter().map(|c| c.score), 0.0).and_then(|at| candidates.get(at)) {
            winners.add(&place(sheet, candidate.turn, middle(candidate.bbox)), "");
        }
    }
    for (sheet, candidates) in sheets.iter().zip(numbers.iter_mut()) {
        for candidate in candidates {
            let here = place(sheet, candidate.turn, middle(candidate.bbox));
            candidate.features[24] = winners.recurrence(&here, "-").support;
            candidate.score = weighted(&candidate.features, &coefficients.number);
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
    let common = median_size(sheet);
    let largest = sheet
        .texts
        .iter()
        .filter(|text| number.is_none_or(|number| number.bbox != text.bbox))
        .map(|text| text.size)
        .fold(1.0, f32::max);
    let of_views = crate::view_titles(sheet);
    let titled = |block: Block| {
        let letters = block.text.chars().filter(|c| c.is_alphabetic()).count();
        // "PLAN 2" is the title of a storey's plan in Swedish.
        let numeral = !drawing_type::names_drawing(&block.text)
            && number::read(&block.text).is_some_and(|number| number.likeness >= 0.3);
        if letters < MIN_TITLE_LETTERS || block.text.chars().count() > MAX_TITLE_LENGTH || numeral {
            return None;
        }
        let telling = drawing_type::names_content(&block.text);
        let kinds = drawing_type::types_named(&block.text);
        let drawn = drawing_type::names_drawing(&block.text);
        let labelled = block.label == Some(Label::Title);
        let words = block.text.split_whitespace().count();
        // The title of a drawing on the sheet is not the sheet's, but often says the same.
        let view = sheet.views.iter().find(|view| view.text == block.text || view.text == block.first_line);
        let above_scale = view.is_some_and(|view| block.holds(view.bbox)) && !labelled;
        let notes = kinds == [DrawingType::GeneralNotes];
        let (x, y) = middle(block.bbox);
        let (right, bottom) = (1.0 - x / sheet.width.max(1.0), 1.0 - y / sheet.height.max(1.0));
        let (strip, apart) = number.map_or((0.0, 0.0), |number| near(block.bbox, number.bbox, sheet, diagonal));
        let characters = block.text.chars().filter(|c| !c.is_whitespace()).count().max(1) as f32;
        let digits = block.text.chars().filter(char::is_ascii_digit).count() as f32 / characters;
        let [near_number, near_title, near_other] = label_nearness(sheet, block.turn, block.bbox);
        let alike = sheet.headings.iter().filter(|heading| is_set_like(heading, &block)).count() as f32;
        let capitals = !block.text.chars().any(char::is_lowercase);
        let wordy = words > MAX_TITLE_WORDS || (words > MAX_WORDS_WITHOUT_LABEL && !labelled);
        let features = [
            1.0,
            flag(labelled),
            flag(block.label == Some(Label::Number)),
            flag(matches!(block.label, Some(Label::Date | Label::Scale))),
            flag(block.label == Some(Label::Project)),
            flag(block.label == Some(Label::Other)),
            flag(telling),
            flag(drawn),
            flag(telling && block.label.is_none()),
            block.size / largest,
            (block.size / common).ln().min(LARGE),
            flag(view.is_some_and(|view| !block.holds(view.bbox))),
            flag(above_scale),
            flag(notes && !labelled),
            flag(is_item(&block.text)),
            flag(wordy),
            flag(crate::labels::is_scale(&block.text) || crate::labels::is_date(&block.text)),
            flag(is_contact(&block.text)),
            flag(number.is_some()),
            strip,
            apart,
            flag(number.is_none()) * right.min(bottom),
            flag(right < BAND),
            flag(bottom < BAND),
            flag(1.0 - bottom < BAND),
            digits,
            (words as f32).ln(),
            flag(capitals),
            flag(block.turn != 0),
            flag(block.text.ends_with([':', '.', ','])),
            flag(block.part),
            flag(names_a_firm(&block.text)),
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            near_number,
            near_title,
            near_other,
            alike.ln_1p(),
            flag(telling) * alike.ln_1p(),
            flag(block.read && sheet.origin == Origin::Text),
            flag(!of_views.is_empty()),
            (of_views.len().max(1) as f32).ln(),
            flag(of_views.contains(&block.text)),
            flag(of_views.contains(&block.text)) * (of_views.len().max(1) as f32).ln(),
        ];
        Some(TitleCandidate { block, features, score: 0.0, varying: 0.0 })
    };
    let mut candidates: Vec<TitleCandidate> =
        blocks::blocks(sheet, labels, repeated).into_iter().filter_map(titled).collect();
    compare_titles(&mut candidates);
    candidates
}

/// Adds the features that compare a title with the others of the sheet.
fn compare_titles(candidates: &mut [TitleCandidate]) {
    let telling = |candidate: &TitleCandidate| candidate.features[6] > 0.0;
    let is_labelled = candidates.iter().any(|candidate| candidate.block.label == Some(Label::Title));
    let top = candidates.iter().filter(|c| telling(c)).map(|candidate| candidate.block.size).fold(0.0, f32::max);
    let all = candidates.iter().filter(|candidate| telling(candidate) && !candidate.block.part).count() as f32;
    for candidate in candidates.iter_mut() {
        candidate.features[32] = flag(is_labelled && candidate.block.label != Some(Label::Title));
        candidate.features[33] = flag(telling(candidate) && candidate.block.size >= top);
        candidate.features[34] = flag(telling(candidate)) * all.max(1.0).ln();
    }
}

/// Returns whether a title is in the number's strip, as 1 or 0, and its distance as a share of the diagonal.
fn near(title: [f32; 4], number: [f32; 4], sheet: &Sheet, diagonal: f32) -> (f32, f32) {
    let apart = |low: f32, high: f32, from: f32, to: f32| (from - high).max(low - to).max(0.0);
    let across = apart(title[0], title[2], number[0], number[2]);
    let down = apart(title[1], title[3], number[1], number[3]);
    let strip = across < 0.06 * sheet.width || down < 0.03 * sheet.height;
    (flag(strip), across.hypot(down) / diagonal)
}

/// Returns whether a heading is set like a block, and is another.
fn is_set_like(heading: &Text, block: &Block) -> bool {
    let same_size = (heading.size - block.size).abs() < SAME_SIZE * block.size;
    same_size && heading.turn == block.turn && !block.holds(heading.bbox)
}

/// Returns whether a text holds a word of a firm's or a school's name.
fn names_a_firm(text: &str) -> bool {
    FIRMS.matches_any(&crate::words::words(text))
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

/// Scores titles by their features. Three of them are what the other sheets have at their place, and how many of the other sheets
/// have their best title there.
fn score_titles(sheets: &[Sheet], titles: &mut [Vec<TitleCandidate>], coefficients: &Coefficients) {
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
            // Text from OCR differs from sheet to sheet by mistakes alone.
            let sure = if sheet.origin == Origin::Read { titled.varying.min(0.0) } else { titled.varying };
            titled.features[35] = sure;
            // What most sheets have at that place is the set's title, unless a label says
            // otherwise.
            titled.features[36] = flag(titled.varying <= RECURRING && titled.block.label != Some(Label::Title));
            titled.score = weighted(&titled.features, &coefficients.title);
        }
    }
    let (mut tops, mut middles) = (Places::default(), Places::default());
    for (sheet, candidates) in sheets.iter().zip(titles.iter()) {
        for places in [&mut tops, &mut middles] {
            places.add_sheet(&place(sheet, 0, (0.0, 0.0)));
        }
        if let Some(titled) = best(candidates.iter().map(|titled| titled.score), 0.0).and_then(|at| candidates.get(at))
        {
            tops.add(&at_top(sheet, &titled.block), "");
            middles.add(&at_middle(sheet, &titled.block), "");
        }
    }
    for (sheet, candidates) in sheets.iter().zip(titles.iter_mut()) {
        for titled in candidates {
            let top = tops.recurrence(&at_top(sheet, &titled.block), "-").support;
            let middle = middles.recurrence(&at_middle(sheet, &titled.block), "-").support;
            titled.features[37] = top.max(middle);
            titled.score = weighted(&titled.features, &coefficients.title);
        }
    }
}
