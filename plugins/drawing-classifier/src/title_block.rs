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
mod parted;

use std::collections::HashMap;

use fanlight_geometry::median;
use fanlight_text::words::FIRMS;

use crate::drawing_type;
use crate::labels::Label;
use crate::number::{self, Form, Number};
use crate::result::DrawingType;
use crate::set::{Place, Places};
use crate::sheet::{Origin, Sheet, Text, middle};
use blocks::Block;
use coefficients::weighted;
pub use coefficients::{COEFFICIENTS, Coefficients, NUMBER_FEATURES, TITLE_FEATURES};

/// What the title block of a sheet says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    /// The sheet's number.
    pub(crate) number: Option<Number>,
    /// The title as printed, with its lines joined, or the titles of the drawings.
    pub(crate) title: Option<String>,
    /// Whether the title is that of the drawings.
    pub(crate) of_views: bool,
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
    /// Whether it is the titles of the drawings, joined.
    is_list: bool,
    features: [f32; TITLE_FEATURES.len()],
    score: f32,
    varying: f32,
}

/// The places of the features that are known only when all candidates are.
mod places {
    pub(super) const ANOTHER_LABELLED: usize = 8;
    pub(super) const LARGEST_NUMBER: usize = 13;
    pub(super) const ALIKE: usize = 14;
    pub(super) const IN_LINE: usize = 15;
    pub(super) const VARYING_NUMBER: usize = 16;
    pub(super) const PLACE_OF_NUMBERS: usize = 17;
    pub(super) const NAMES_CONTENT: usize = 3;
    pub(super) const LARGEST_CONTENT: usize = 17;
    pub(super) const VARYING_TITLE: usize = 18;
    pub(super) const SAME_TITLE: usize = 19;
    pub(super) const PLACE_OF_TITLES: usize = 20;
    pub(super) const SINGLE_VIEW: usize = 27;
    pub(super) const SILENT: usize = 28;
}

impl TitleCandidate {
    /// Returns the titles of drawings, joined, as the sheet's.
    fn of_views(titles: &[String]) -> Self {
        let mut features = [0.0; TITLE_FEATURES.len()];
        features[places::SINGLE_VIEW] = f32::from(titles.len() == 1);
        let block = Block { text: titles.join(" / "), ..Block::default() };
        Self { block, is_list: true, features, score: 0.0, varying: 0.0 }
    }

    /// Returns whether the text names the content of the sheet.
    fn names_content(&self) -> bool {
        self.features[places::NAMES_CONTENT] > 0.0
    }
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
    /// Whether the titles of the drawings, joined, are among them, so that the sheet is never without a title.
    pub has_list: bool,
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
    let candidates = sheets.iter().zip(found.numbers.iter().zip(&found.titles));
    candidates.map(|(sheet, (numbers, titles))| entries(sheet, numbers, titles)).collect()
}

/// Returns the entries of a sheet by its scored candidates.
fn entries(sheet: &Sheet, numbers: &[NumberCandidate], titles: &[TitleCandidate]) -> Entries {
    let (number, title) = (best_number(numbers), best_title(titles));
    Entries {
        number: number.map(|candidate| candidate.number.clone()),
        title: title.map(|titled| titled.block.text.clone()),
        of_views: title.is_some_and(|titled| titled.is_list),
        sure: number.is_some_and(|c| {
            let large = c.size >= 0.75 * largest(sheet);
            c.label == Some(Label::Number) || c.varying > 0.3 || c.number.likeness >= 0.8 || large
        }),
    }
}

/// Returns the candidates of each sheet of a set.
pub fn candidates(sheets: &[Sheet], coefficients: &Coefficients) -> Vec<Candidates> {
    let found = Found::new(sheets, coefficients);
    let mut candidates = Vec::new();
    for (numbers, titles) in found.numbers.into_iter().zip(found.titles) {
        let has_list = titles.iter().any(|title| title.is_list);
        let number = |own: NumberCandidate| Candidate { text: own.number.printed, features: own.features.to_vec() };
        let title = |own: TitleCandidate| Candidate { text: own.block.text, features: own.features.to_vec() };
        let (numbers, titles) = (numbers.into_iter().map(number).collect(), titles.into_iter().map(title).collect());
        candidates.push(Candidates { numbers, titles, has_list });
    }
    candidates
}

/// The scored candidates of each sheet of a set.
struct Found {
    numbers: Vec<Vec<NumberCandidate>>,
    titles: Vec<Vec<TitleCandidate>>,
}

impl Found {
    fn new(sheets: &[Sheet], coefficients: &Coefficients) -> Self {
        let style = cells::style(sheets);
        let owned: Vec<Vec<Option<Label>>> = sheets.iter().map(|sheet| cells::owners(sheet, style)).collect();
        let mut numbers: Vec<Vec<NumberCandidate>> =
            sheets.iter().zip(&owned).map(|(sheet, labels)| number_candidates(sheet, labels)).collect();
        score_numbers(sheets, &mut numbers, coefficients);
        let repeated = repeated(sheets);
        let mut titles: Vec<Vec<TitleCandidate>> = sheets
            .iter()
            .zip(&owned)
            .enumerate()
            .map(|(index, (sheet, labels))| {
                title_candidates(sheet, labels, &repeated[index], best_number(&numbers[index]))
            })
            .collect();
        score_titles(sheets, &mut titles, coefficients);
        Self { numbers, titles }
    }
}

/// Returns the best number that is more likely than not.
fn best_number(numbers: &[NumberCandidate]) -> Option<&NumberCandidate> {
    numbers.iter().filter(|number| number.score >= 0.0).max_by(|a, b| a.score.total_cmp(&b.score))
}

/// Returns the best title; the best list of drawings' titles if no other is likely.
fn best_title(titles: &[TitleCandidate]) -> Option<&TitleCandidate> {
    let is_likely = titles.iter().any(|titled| titled.score >= 0.0);
    let possible = titles.iter().filter(|titled| is_likely || titled.is_list);
    possible.max_by(|a, b| a.score.total_cmp(&b.score))
}

/// Returns the smallest box around two.
fn union(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

/// Returns the size of the largest text near the edges.
fn largest(sheet: &Sheet) -> f32 {
    sheet.texts.iter().map(|text| text.size).fold(1.0, f32::max)
}

/// Returns the median size of the texts near the edges.
fn median_size(sheet: &Sheet) -> f32 {
    median(sheet.texts.iter().map(|text| text.size).collect()).unwrap_or(1.0).max(0.1)
}

/// Returns a text with its letters and digits as one letter and one digit each, so that "A-101" and "B-202" are equal.
fn shape(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '0'..='9' => '9',
            _ if c.is_alphabetic() => 'A',
            _ => c,
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

/// Returns how near the nearest label is if it is for a number; 0 otherwise.
fn number_label_nearness(sheet: &Sheet, turn: u8, bbox: [f32; 4]) -> f32 {
    nearest_label(sheet, turn, bbox).map_or(0.0, |(label, near)| if label == Label::Number { near } else { 0.0 })
}

fn number_candidates(sheet: &Sheet, labels: &[Option<Label>]) -> Vec<NumberCandidate> {
    let common = median_size(sheet);
    let parted = parted::numbers(sheet);
    let texts = sheet.texts.iter().zip(labels.iter().copied());
    let texts = texts.chain(parted.iter().map(|text| (text, Some(Label::Number))));
    let mut candidates: Vec<NumberCandidate> =
        texts.filter_map(|(text, label)| number_candidate(sheet, text, label, common)).collect();
    compare_numbers(&mut candidates);
    candidates
}

/// Returns a text as a candidate with the features of its own, if it has the form of a number. `label` is that of its cell,
/// `common` the median size of the sheet's texts.
fn number_candidate(sheet: &Sheet, text: &Text, label: Option<Label>, common: f32) -> Option<NumberCandidate> {
    let value = crate::labels::with_value(&text.text);
    let label = value.map(|(label, _)| label).or(label);
    let printed = value.map_or(text.text.as_str(), |(_, value)| value);
    let number = if text.read { number::read_from_pixels(printed) } else { number::read(printed) };
    let number = number.or_else(|| number::read_letters(printed).filter(|_| label == Some(Label::Number)))?;
    let corner = to_corner(text, sheet) / diagonal(sheet);
    let labelled = label == Some(Label::Number);
    let near_number = number_label_nearness(sheet, text.turn, text.bbox);
    let form = number.form;
    let features = [
        1.0,
        number.likeness,
        f32::from(form == Form::Pair),
        f32::from(form == Form::Coded),
        f32::from(form == Form::PaperSize),
        f32::from(labelled),
        f32::from(labelled && matches!(form, Form::Counted | Form::Letters)),
        f32::from(matches!(label, Some(Label::Date | Label::Scale | Label::Other | Label::Project))),
        0.0,
        (text.size / common).ln().min(LARGE),
        (1.0 - corner / 0.5).max(-0.5),
        (1.0 - corner / 0.12).max(0.0),
        f32::from(text.turn != 0),
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        near_number,
        f32::from(text.read && sheet.origin == Origin::Text),
    ];
    let (bbox, turn, size) = (text.bbox, text.turn, text.size);
    Some(NumberCandidate { number, bbox, turn, label, size, features, score: 0.0, varying: 0.0 })
}

/// Returns the length of a sheet's diagonal, in points.
fn diagonal(sheet: &Sheet) -> f32 {
    sheet.width.hypot(sheet.height).max(1.0)
}

/// Adds the features that compare a number with the others of the sheet: tags, dimensions and rows of tables look alike.
fn compare_numbers(candidates: &mut [NumberCandidate]) {
    let is_labelled = candidates.iter().any(|candidate| candidate.label == Some(Label::Number));
    let top = candidates.iter().map(|candidate| candidate.size).fold(0.0, f32::max);
    let mut shapes: HashMap<String, f32> = HashMap::new();
    for candidate in candidates.iter() {
        *shapes.entry(shape(&candidate.number.printed)).or_default() += 1.0;
    }
    let places: Vec<([f32; 4], f32)> = candidates.iter().map(|candidate| (candidate.bbox, candidate.size)).collect();
    for candidate in candidates.iter_mut() {
        let alike = shapes.get(&shape(&candidate.number.printed)).copied().unwrap_or(1.0);
        let near = |a: f32, b: f32| (a - b).abs() < IN_LINE * candidate.size;
        let in_line = places.iter().filter(|(bbox, size)| {
            let own = *bbox == candidate.bbox;
            !own && (size - candidate.size).abs() < 0.1 * candidate.size
                && (near(bbox[1], candidate.bbox[1]) || near(bbox[0], candidate.bbox[0]))
        });
        let in_line = in_line.count() as f32;
        candidate.features[places::ANOTHER_LABELLED] = f32::from(is_labelled && candidate.label != Some(Label::Number));
        candidate.features[places::LARGEST_NUMBER] = f32::from(candidate.size >= top);
        candidate.features[places::ALIKE] = alike.ln();
        candidate.features[places::IN_LINE] = in_line.ln_1p();
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
    let mut places = Places::of_sheets(sheets);
    for (sheet, candidates) in sheets.iter().zip(numbers.iter()) {
        for candidate in candidates {
            places.add(&Place::new(sheet, candidate.turn, middle(candidate.bbox)), &candidate.number.printed);
        }
    }
    for (sheet, candidates) in sheets.iter().zip(numbers.iter_mut()) {
        for candidate in candidates {
            let here = Place::new(sheet, candidate.turn, middle(candidate.bbox));
            candidate.varying = places.recurrence(&here, &candidate.number.printed).varying();
            candidate.features[places::VARYING_NUMBER] = candidate.varying;
            candidate.score = weighted(&candidate.features, &coefficients.number);
        }
    }
    let mut winners = Places::of_sheets(sheets);
    for (sheet, candidates) in sheets.iter().zip(numbers.iter()) {
        if let Some(candidate) = best_number(candidates) {
            winners.add(&Place::new(sheet, candidate.turn, middle(candidate.bbox)), "");
        }
    }
    for (sheet, candidates) in sheets.iter().zip(numbers.iter_mut()) {
        for candidate in candidates {
            let here = Place::new(sheet, candidate.turn, middle(candidate.bbox));
            candidate.features[places::PLACE_OF_NUMBERS] = winners.recurrence(&here, "-").support;
            candidate.score = weighted(&candidate.features, &coefficients.number);
        }
    }
}

/// Returns for each text of each sheet whether most other sheets say the same there, and whether it
/// names no content.
fn repeated(sheets: &[Sheet]) -> Vec<Vec<bool>> {
    let mut places = Places::of_sheets(sheets);
    for sheet in sheets {
        for text in &sheet.texts {
            places.add(&start(sheet, text), &text.text);
        }
    }
    sheets.iter().map(|sheet| sheet.texts.iter().map(|text| is_repeated(&places, sheet, text)).collect()).collect()
}

/// Returns whether most other sheets say the same at the place of a text, and it names no content.
fn is_repeated(places: &Places, sheet: &Sheet, text: &Text) -> bool {
    let found = places.recurrence(&start(sheet, text), &text.text);
    found.others >= MIN_OTHER_SHEETS
        && found.support * found.same >= MIN_REPEATED_SHARE
        && !drawing_type::names_content(&text.text)
}

/// Returns the place at which a text begins.
fn start(sheet: &Sheet, text: &Text) -> Place {
    Place::new(sheet, text.turn, (text.bbox[0], text.bbox[1]))
}

fn title_candidates(
    sheet: &Sheet,
    labels: &[Option<Label>],
    repeated: &[bool],
    number: Option<&NumberCandidate>,
) -> Vec<TitleCandidate> {
    let surroundings = Surroundings::new(sheet, number);
    let blocks = blocks::blocks(sheet, labels, repeated);
    let mut candidates: Vec<TitleCandidate> =
        blocks.into_iter().filter_map(|block| surroundings.candidate(block)).collect();
    compare_titles(&mut candidates);
    let is_labelled = candidates.iter().any(|candidate| candidate.block.label == Some(Label::Title));
    let of_views = surroundings.of_views;
    let is_silent = of_views.is_empty() && !is_labelled && !candidates.iter().any(TitleCandidate::names_content);
    for candidate in &mut candidates {
        candidate.features[places::SILENT] = f32::from(is_silent);
    }
    candidates.extend((!of_views.is_empty()).then(|| TitleCandidate::of_views(&of_views)));
    candidates
}

/// What stands on a sheet beside a block that may be its title.
struct Surroundings<'a> {
    sheet: &'a Sheet,
    /// The sheet's number.
    number: Option<&'a NumberCandidate>,
    /// The median size of the sheet's texts, in points.
    common: f32,
    /// The size of the largest text that is not the number, in points.
    largest: f32,
    /// The titles of the drawings on the sheet.
    of_views: Vec<String>,
}

impl<'a> Surroundings<'a> {
    fn new(sheet: &'a Sheet, number: Option<&'a NumberCandidate>) -> Self {
        let others = sheet.texts.iter().filter(|text| number.is_none_or(|number| number.bbox != text.bbox));
        let largest = others.map(|text| text.size).fold(1.0, f32::max);
        Self { sheet, number, common: median_size(sheet), largest, of_views: crate::view_titles(sheet) }
    }

    /// Returns a block as a candidate with the features of its own, if it may be a title.
    fn candidate(&self, block: Block) -> Option<TitleCandidate> {
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
        let view = self.sheet.views.iter().find(|view| view.text == block.text || view.text == block.first_line);
        let above_scale = view.is_some_and(|view| block.holds(view.bbox)) && !labelled;
        let notes = kinds == [DrawingType::GeneralNotes];
        let (_, y) = middle(block.bbox);
        let bottom = 1.0 - y / self.sheet.height.max(1.0);
        let apart = self.number.map_or(0.0, |number| distance(block.bbox, number.bbox) / diagonal(self.sheet));
        let near_number = number_label_nearness(self.sheet, block.turn, block.bbox);
        let alike = self.sheet.headings.iter().filter(|heading| is_set_like(heading, &block)).count() as f32;
        let wordy = words > MAX_TITLE_WORDS || (words > MAX_WORDS_WITHOUT_LABEL && !labelled);
        let features = [
            1.0,
            f32::from(labelled),
            f32::from(block.label == Some(Label::Other)),
            f32::from(telling),
            f32::from(drawn),
            (block.size / self.common).ln().min(LARGE),
            f32::from(above_scale),
            f32::from(notes && !labelled),
            f32::from(is_item(&block.text)),
            f32::from(wordy),
            f32::from(is_contact(&block.text)),
            apart,
            f32::from(bottom < BAND),
            f32::from(1.0 - bottom < BAND),
            (words as f32).ln(),
            f32::from(block.part),
            f32::from(names_a_firm(&block.text)),
            0.0,
            0.0,
            0.0,
            0.0,
            near_number,
            f32::from(telling) * alike.ln_1p(),
            f32::from(block.read && self.sheet.origin == Origin::Text),
            f32::from(self.of_views.contains(&block.text)),
            f32::from(self.of_views.contains(&block.text)) * (self.of_views.len().max(1) as f32).ln(),
            f32::from(!self.sheet.is_near_edge(block.bbox)) * f32::from(block.size >= self.largest),
            0.0,
            0.0,
            f32::from(above_scale) * (self.sheet.views.len().max(1) as f32).ln(),
            f32::from(!telling) * (block.size / self.common).ln().min(LARGE),
            f32::from(has_year(&block.text)),
        ];
        Some(TitleCandidate { block, is_list: false, features, score: 0.0, varying: 0.0 })
    }
}

/// Adds the features that compare a title with the others of the sheet.
fn compare_titles(candidates: &mut [TitleCandidate]) {
    let telling = candidates.iter().filter(|candidate| candidate.names_content());
    let top = telling.map(|candidate| candidate.block.size).fold(0.0, f32::max);
    for candidate in candidates.iter_mut() {
        let is_largest = candidate.names_content() && candidate.block.size >= top;
        candidate.features[places::LARGEST_CONTENT] = f32::from(is_largest);
    }
}

/// Returns the distance of two boxes.
fn distance(a: [f32; 4], b: [f32; 4]) -> f32 {
    let apart = |low: f32, high: f32, from: f32, to: f32| (from - high).max(low - to).max(0.0);
    apart(a[0], a[2], b[0], b[2]).hypot(apart(a[1], a[3], b[1], b[3]))
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

/// Returns whether a text has a year: dates and terms have, titles have not.
fn has_year(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit())
        .any(|figures| figures.len() == 4 && (figures.starts_with("19") || figures.starts_with("20")))
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
    let (mut tops, mut middles) = (Places::of_sheets(sheets), Places::of_sheets(sheets));
    let at_top = |sheet: &Sheet, block: &Block| Place::new(sheet, block.turn, block.start);
    let at_middle = |sheet: &Sheet, block: &Block| Place::new(sheet, block.turn, middle(block.bbox));
    for (sheet, candidates) in sheets.iter().zip(titles.iter()) {
        for titled in candidates.iter().filter(|titled| !titled.is_list) {
            tops.add(&at_top(sheet, &titled.block), &titled.block.text);
            middles.add(&at_middle(sheet, &titled.block), &titled.block.text);
        }
    }
    for (sheet, candidates) in sheets.iter().zip(titles.iter_mut()) {
        for titled in candidates {
            if titled.is_list {
                titled.score = weighted(&titled.features, &coefficients.title);
                continue;
            }
            let top = tops.recurrence(&at_top(sheet, &titled.block), &titled.block.text);
            let middle = middles.recurrence(&at_middle(sheet, &titled.block), &titled.block.text);
            titled.varying =
                if top.same > 0.5 && top.support > 0.3 { top.varying() } else { top.varying().max(middle.varying()) };
            // Text from OCR differs from sheet to sheet by mistakes alone.
            let sure = if sheet.origin == Origin::Read { titled.varying.min(0.0) } else { titled.varying };
            titled.features[places::VARYING_TITLE] = sure;
            // What most sheets have at that place is the set's title, unless a label says
            // otherwise.
            titled.features[places::SAME_TITLE] =
                f32::from(titled.varying <= RECURRING && titled.block.label != Some(Label::Title));
            titled.score = weighted(&titled.features, &coefficients.title);
        }
    }
    let (mut tops, mut middles) = (Places::of_sheets(sheets), Places::of_sheets(sheets));
    for (sheet, candidates) in sheets.iter().zip(titles.iter()) {
        if let Some(titled) = best_title(candidates).filter(|titled| !titled.is_list) {
            tops.add(&at_top(sheet, &titled.block), "");
            middles.add(&at_middle(sheet, &titled.block), "");
        }
    }
    for (sheet, candidates) in sheets.iter().zip(titles.iter_mut()) {
        for titled in candidates.iter_mut().filter(|titled| !titled.is_list) {
            let top = tops.recurrence(&at_top(sheet, &titled.block), "-").support;
            let middle = middles.recurrence(&at_middle(sheet, &titled.block), "-").support;
            titled.features[places::PLACE_OF_TITLES] = top.max(middle);
            titled.score = weighted(&titled.features, &coefficients.title);
        }
    }
}
