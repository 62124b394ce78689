//! Fits the coefficients that choose a sheet's number and title on labelled sheets, real and synthetic.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use drafting::sheet::{DocumentType, PageTruth, Style, generate};
use drawing_classifier::{
    COEFFICIENTS, Candidate, Coefficients, NUMBER_FEATURES, Sheet, TITLE_FEATURES, candidates, classify_with, sheet,
};
use native::NativePage;

use crate::choice::{Choice, fit_choices};
use crate::labelled_sheets::{FieldCounts, LabelledDocument, OfficeCounts, SheetLabel};
use crate::sheets::read_sheets;

const NUMBERS: usize = NUMBER_FEATURES.len();
const TITLES: usize = TITLE_FEATURES.len();

/// The strength of the ridge, about that of so many sheets.
const RIDGE: f64 = 0.3;
/// The first seed of synthetic sets: tests use seeds below 1,000.
const FIRST_SEED: u64 = 2_000;
/// The number of synthetic sets.
const DRAFTED_SETS: u64 = 24;
/// How much a synthetic sheet counts, by a real one that is its office's only one.
const DRAFTED_WEIGHT: f64 = 0.1;
/// How much a sheet counts whose number or title is not among the candidates: finding none is as wrong as finding another.
const OUT_OF_REACH: f64 = 0.2;
/// How often candidates are read with the coefficients of the last fit: votes of other sheets hang on them.
const ROUNDS: usize = 2;

/// A document with what was read of its pages.
#[derive(Clone, Debug)]
pub struct ReadDocument {
    /// The labels.
    pub document: LabelledDocument,
    /// The pages.
    pub sheets: Vec<Sheet>,
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct EntryFit {
    /// The coefficients fitted on all.
    pub coefficients: Coefficients,
    /// What coefficients reach that have not seen the office.
    pub left_out: Measured,
    /// What the coefficients fitted on all reach.
    pub seen: Measured,
}

/// What coefficients reach on real sheets.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Counts of sheets with text.
    pub with_text: OfficeCounts,
    /// Counts of sheets that OCR read or should have read.
    pub without_text: OfficeCounts,
    /// A line for each wrong field, with whether its page has text.
    pub wrong: Vec<(bool, String)>,
}

/// The choices of one sheet.
#[derive(Clone, Debug)]
struct Choices {
    office: String,
    number: Choice<NUMBERS>,
    title: Choice<TITLES>,
}

impl ReadDocument {
    /// Reads the pages of a document, with OCR if `has_ocr`, or what an earlier run kept of them in `cache`.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn read(document: LabelledDocument, pdfs: &Path, cache: Option<&Path>, has_ocr: bool) -> Result<Self> {
        let kept = cache.map(|folder| folder.join(format!("{}.json", document.id)));
        if let Some(kept) = kept.as_ref().filter(|kept| kept.exists()) {
            return Ok(Self { sheets: serde_json::from_slice(&std::fs::read(kept)?)?, document });
        }
        let path = pdfs.join(document.file_name());
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let opened = pdf_engine::Document::open(bytes.clone()).map_err(|error| anyhow!("{error:?}"))?;
        let mut sheets = Vec::new();
        for number in 1..=opened.page_count() {
            let page = NativePage::open(bytes.clone(), number)?;
            let page = if has_ocr { page.with_ocr() } else { page };
            sheets.push(sheet(number, &page));
        }
        if let Some(kept) = kept {
            std::fs::create_dir_all(kept.parent().context("the folder has no parent")?)?;
            std::fs::write(kept, serde_json::to_vec(&sheets)?)?;
        }
        Ok(Self { document, sheets })
    }

    /// Generates synthetic sets, each whole and each of its sheets alone.
    ///
    /// # Errors
    ///
    /// If a set cannot be read.
    pub fn drafted() -> Result<Vec<Self>> {
        let mut documents = Vec::new();
        for seed in FIRST_SEED..FIRST_SEED + DRAFTED_SETS {
            let set = generate(&Style::random(seed), seed);
            let sheets = read_sheets(&set.pdf).map_err(|error| anyhow!(error))?;
            let labels: Vec<SheetLabel> = set.truth.pages.iter().filter_map(label).collect();
            for own in &labels {
                let page = own.page as usize - 1;
                let alone = sheets.get(page).context("a set lacks a page")?.clone();
                let label = SheetLabel { page: 1, ..own.clone() };
                documents.push(Self { document: drafted(seed, vec![label]), sheets: vec![alone] });
            }
            documents.push(Self { document: drafted(seed, labels), sheets });
        }
        Ok(documents)
    }

    /// Compares its pages with the labels.
    fn measure(&self, coefficients: &Coefficients, measured: &mut Measured) {
        let pages = classify_with(&self.sheets, coefficients).pages;
        for label in &self.document.sheets {
            let at = label.page as usize - 1;
            let (Some(page), Some(sheet)) = (pages.get(at), self.sheets.get(at)) else { continue };
            let counts = FieldCounts::compare(page, label);
            let has_text = sheet.has_text();
            let group = if has_text { &mut measured.with_text } else { &mut measured.without_text };
            group.add(self.document.office(), &counts);
            let wrong = counts.wrong_fields(&self.document, label, page);
            measured.wrong.extend(wrong.into_iter().map(|line| (has_text, line)));
        }
    }

    /// Returns the choices of its sheets with text, of their own or from OCR.
    fn choices(&self, coefficients: &Coefficients) -> Vec<Choices> {
        let found = candidates(&self.sheets, coefficients);
        let mut choices = Vec::new();
        for label in &self.document.sheets {
            let at = label.page as usize - 1;
            let (Some(sheet), Some(candidates)) = (self.sheets.get(at), found.get(at)) else { continue };
            if !sheet.is_legible() {
                continue;
            }
            let is_number = |text: &str| label.is_number(Some(text));
            let is_title = |text: &str| label.is_title(Some(text));
            let has_no_title = !candidates.has_list && label.is_title(None);
            choices.push(Choices {
                office: self.document.office().to_owned(),
                number: choice(&candidates.numbers, &coefficients.number, is_number, label.is_number(None)),
                title: choice(&candidates.titles, &coefficients.title, is_title, has_no_title),
            });
        }
        choices
    }
}

/// The office of synthetic sheets.
const DRAFTED: &str = "drafted";

fn drafted(seed: u64, sheets: Vec<SheetLabel>) -> LabelledDocument {
    LabelledDocument { id: format!("{DRAFTED}-{seed}"), pdf: None, office: Some(DRAFTED.to_owned()), sheets }
}

/// Returns the label of a synthetic page; `None` if it is no drawing.
fn label(truth: &PageTruth) -> Option<SheetLabel> {
    (truth.document_type == DocumentType::Drawing).then(|| SheetLabel {
        page: truth.page_number as u32,
        drawing_number: truth.drawing_number.clone(),
        drawing_number_short: None,
        title: truth.title.clone(),
        title_short: None,
        drawing_types: truth.drawing_types.clone(),
        discipline: truth.discipline.clone(),
        floor: truth.floor.clone(),
    })
}

/// Returns the choice among a sheet's candidates. Where several are right, as a number that details repeat, the likeliest by the
/// coefficients at hand is, and the others are left out. One whose right answer is out of reach counts less.
fn choice<const N: usize>(
    candidates: &[Candidate],
    coefficients: &[f32; N],
    is_right: impl Fn(&str) -> bool,
    none_is_right: bool,
) -> Choice<N> {
    let score_at = |at: usize| score(&candidates[at], coefficients);
    let right: Vec<usize> = (0..candidates.len()).filter(|at| is_right(&candidates[*at].text)).collect();
    let best = right.iter().copied().max_by(|a, b| score_at(*a).total_cmp(&score_at(*b)));
    let kept: Vec<usize> = (0..candidates.len()).filter(|at| best == Some(*at) || !right.contains(at)).collect();
    let options = kept.iter().map(|at| {
        std::array::from_fn(|place| f64::from(candidates[*at].features.get(place).copied().unwrap_or_default()))
    });
    let weight = if best.is_some() || none_is_right { 1.0 } else { OUT_OF_REACH };
    Choice { options: options.collect(), right: best.and_then(|best| kept.iter().position(|at| *at == best)), weight }
}

/// Returns a candidate's score, the sum of its features by their coefficients.
fn score<const N: usize>(candidate: &Candidate, coefficients: &[f32; N]) -> f32 {
    candidate.features.iter().zip(coefficients).map(|(feature, coefficient)| feature * coefficient).sum()
}

/// Fits the coefficients on real and synthetic sheets, and measures them on the real ones with each office left out.
pub fn fit_entries(real: &[ReadDocument], drafted: &[ReadDocument]) -> EntryFit {
    let mut coefficients = COEFFICIENTS;
    let mut all = Vec::new();
    for _ in 0..ROUNDS {
        all = real.iter().chain(drafted).flat_map(|document| document.choices(&coefficients)).collect::<Vec<_>>();
        weigh(&mut all);
        coefficients = fit_without(&all, None, &coefficients);
    }
    let (mut left_out, mut seen) = (Measured::default(), Measured::default());
    let offices: BTreeSet<&str> = real.iter().map(|document| document.document.office()).collect();
    for office in offices {
        let own = fit_without(&all, Some(office), &coefficients);
        for document in real.iter().filter(|document| document.document.office() == office) {
            document.measure(&own, &mut left_out);
            document.measure(&coefficients, &mut seen);
        }
    }
    EntryFit { coefficients, left_out, seen }
}

/// Divides the weights of sheets by the square root of how many their office has, so that a large office does not decide alone.
fn weigh(all: &mut [Choices]) {
    let mut sheets: BTreeMap<String, f64> = BTreeMap::new();
    for one in all.iter() {
        *sheets.entry(one.office.clone()).or_default() += 1.0;
    }
    for one in all {
        let of_office = sheets.get(&one.office).copied().unwrap_or(1.0);
        let weight = if one.office == DRAFTED { DRAFTED_WEIGHT } else { of_office.sqrt().recip() };
        one.number.weight *= weight;
        one.title.weight *= weight;
    }
}

fn fit_without(all: &[Choices], office: Option<&str>, start: &Coefficients) -> Coefficients {
    let used = || all.iter().filter(|one| Some(one.office.as_str()) != office);
    let numbers: Vec<&Choice<NUMBERS>> = used().map(|one| &one.number).collect();
    let titles: Vec<&Choice<TITLES>> = used().map(|one| &one.title).collect();
    let number = fit_choices(&numbers, start.number.map(f64::from), [0.0; NUMBERS], RIDGE);
    let title = fit_choices(&titles, start.title.map(f64::from), [0.0; TITLES], RIDGE);
    Coefficients { number: number.map(|value| value as f32), title: title.map(|value| value as f32) }
}
