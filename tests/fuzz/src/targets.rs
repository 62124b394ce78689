//! One function for each thing that strangers send. Each takes any bytes, and panics if a promise is broken.
#![expect(clippy::missing_panics_doc, reason = "a panic is the report")]

use std::sync::OnceLock;

use content_extractor::ContentExtractor;
use door_detector::DoorDetector;
use fanlight_archive::Files;
use fanlight_composition::{
    Capability, Engines, Offer, Package, Problem, Refusal, check_manifest, component_problems, compose,
};
use fanlight_contract::nn::{NnError, Tensor};
use fanlight_contract::{Orientation, PixelFormat, ReadWord, Rect, RenderOptions};
use fanlight_plugin::{Model, parameters};
use fanlight_raster::GreyImage;
use fanlight_schema::Schema;
use ocr_engine::{CYRILLIC, HAN, LATIN, Layout, Likelihoods, Networks};
use page_text::PageTextModel;
use pdf_annotator::{Mark, PlacedWord, TextLine};
use pdf_engine::{Document, Page};
use similar_symbols::SimilarSymbols;
use text_fixture::promises::{check_paths, check_raster, check_text};

use crate::{components, seeds};

/// Most pages that are read of one document. What a page holds matters, not how many there are.
const PAGES: u32 = 3;
/// Pixels per inch of the pictures, few so that many are drawn.
const DPI: f32 = 20.0;

/// Reads a PDF as a plugin does: whatever is in the file, the values are finite and agree with each other.
pub fn document(bytes: &[u8]) {
    let Ok(document) = Document::open(bytes.to_vec()) else { return };
    document.outline();
    document.metadata();
    assert!(document.page_count() > 0, "an open document has a page");
    for number in 1..=document.page_count().min(PAGES) {
        if let Ok(page) = document.page(number) {
            check_page(&page);
        }
    }
}

fn check_page(page: &Page) {
    check_text("a page", &page.text());
    check_paths("a page", &page.paths());
    page.images();
    let options =
        RenderOptions { dpi: DPI, region: None, format: PixelFormat::Grey, orientation: Orientation::Displayed };
    // A page that is too large is refused, which is right.
    if let Ok(raster) = page.render(&options) {
        check_raster("a page", &raster);
    }
}

/// Draws into a PDF, and lays text over it.
pub fn annotations(bytes: &[u8]) {
    let mark = Mark {
        page: 1,
        bbox: Rect { x1: 10.0, y1: 10.0, x2: 60.0, y2: 40.0 },
        title: "Door".to_owned(),
        contents: String::new(),
        color: 0xff_00_00,
    };
    let word = PlacedWord { text: "EXIT".to_owned(), x: 10.0, y: 10.0, width: 30.0 };
    let line = TextLine { page: 1, angle: 90.0, size: 9.0, words: vec![word] };
    for update in [pdf_annotator::update(bytes.to_vec(), &[mark]), pdf_annotator::add_text(bytes.to_vec(), &[line])] {
        let Ok(update) = update else { continue };
        let text = String::from_utf8_lossy(&update);
        assert!(update.is_empty() || text.trim_end().ends_with("%%EOF"), "an update is whole");
    }
}

/// Reads a package. One that is accepted is written again as it was, apart from what tar leaves open.
pub fn package(bytes: &[u8]) {
    let Ok(files) = Files::unpack(bytes) else { return };
    let packed = files.pack(Vec::new()).unwrap_or_default();
    let again = Files::unpack(packed.as_slice());
    assert_eq!(again.map(|files| files.digest()).ok(), Some(files.digest()), "a package keeps its digest");
    let _ = files.signature();
}

/// Reads a `plugin.toml`. A host takes it exactly if a check finds nothing wrong with it.
pub fn manifest(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let checked = check_manifest(&text);
    match Package::parse(&text, Vec::new()) {
        // Engines are packages as well, which no author writes.
        Ok(package) if !package.is_model() => assert!(!checked.problems.is_empty(), "a check is of models"),
        Ok(_) => assert!(checked.problems.is_empty() && checked.is_valid, "it is refused: {:?}", checked.problems),
        Err(error) => assert!(!checked.problems.is_empty(), "nobody says why it is refused: {error}"),
    }
}

/// Composes a component, which any bytes may be, with the engines.
pub fn component(bytes: &[u8]) {
    compose_with_engines(bytes.to_vec());
}

/// Composes a plugin whose interfaces differ from the contract's with the engines.
pub fn interfaces(bytes: &[u8]) {
    if let Some(plugin) = components::altered_plugin(bytes) {
        compose_with_engines(plugin);
    }
}

/// Composes a component with the engines. The result is a valid component without the imports that the engines serve. An
/// author is told why a component is refused.
///
/// Returns whether it was composed.
pub fn compose_with_engines(wasm: Vec<u8>) -> bool {
    static ENGINES: OnceLock<Option<[Package; 2]>> = OnceLock::new();
    let engine = |world| Package::parse(seeds::greedy_manifest(), components::of_world(world)?).ok();
    let engines = ENGINES.get_or_init(|| Some([engine("pdf-engine")?, engine("ocr-engine")?]));
    let (Some([pdf, ocr]), Ok(plugin)) = (engines, Package::parse(seeds::greedy_manifest(), wasm)) else {
        return false;
    };
    let offer = Offer::new([Capability::Ocr, Capability::Language]);
    let composed = compose(&plugin, Engines { pdf, ocr: Some(ocr) }, &plugin.all_that_is_asked(), &offer);
    let problems = component_problems(&plugin, false);
    let is_sound = problems.as_ref().is_ok_and(Vec::is_empty);
    match composed {
        Ok(composed) => {
            assert!(is_sound, "an author is told that what is composed is wrong: {problems:?}");
            check_composed(composed);
            true
        }
        Err(Refusal::InterfaceMismatch { .. }) => false,
        Err(refusal) => {
            assert!(!is_sound, "an author is not told of: {refusal}");
            false
        }
    }
}

/// Checks that a composed component is one, and imports of the contract only what hosts give engines and plugins.
fn check_composed(composed: Vec<u8>) {
    let composed = Package::parse(seeds::greedy_manifest(), composed);
    let problems = composed.map(|composed| component_problems(&composed, false));
    let is_document = |problem: &Problem| problem.what.contains("`fanlight:plugin/source@");
    let is_right = matches!(&problems, Ok(Ok(problems)) if problems.iter().all(is_document));
    assert!(is_right, "the composed component is invalid, or imports more than the document's bytes: {problems:?}");
}

/// Compiles a schema, the first line, and checks a text, the others, against it.
pub fn schema(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some((schema, value)) = text.split_once('\n') else { return };
    let Ok(parsed) = serde_json::from_str::<serde_json::Value>(schema) else { return };
    let Ok(compiled) = Schema::compile(&parsed) else { return };
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(value).is_ok();
    assert!(is_json || compiled.check(value).is_err(), "what is not JSON fits no schema");
}

/// Checks the parameters of a job, the text after the first line, as the server does for the model that the first line
/// names. Those that it accepts must be parameters that the model reads: a job that is charged does not fail by them.
pub fn parameters(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some((model, parameters)) = text.split_once('\n') else { return };
    match model {
        "content-extractor" => check_parameters::<ContentExtractor>(parameters),
        "page-text" => check_parameters::<PageTextModel>(parameters),
        "similar-symbols" => check_parameters::<SimilarSymbols>(parameters),
        // All detectors have the same parameters: none.
        _ => check_parameters::<DoorDetector>(parameters),
    }
}

fn check_parameters<M: Model>(text: &str) {
    let Ok(named) = serde_json::from_str::<serde_json::Value>(text) else { return };
    let schema = jsonschema::validator_for(&parameters::schema::<M::Parameters>());
    assert!(schema.is_ok(), "the schema of {} is valid", M::description().name);
    if !named.is_object() || !schema.is_ok_and(|schema| schema.is_valid(&named)) {
        return;
    }
    // The plugin gets the text of the value, not the text of the request.
    let read = parameters::read::<M::Parameters>(&named.to_string());
    let name = M::description().name;
    assert!(read.is_ok(), "{name} reads the parameters that its schema accepts: {named}, {:?}", read.err());
}

/// Pixels of a picture's side, at most. Letters of 10 pixels make a few words.
const LONGEST_SIDE: usize = 160;
/// A picture's header: width, height, layout.
const PICTURE_HEADER: usize = 3;
/// The value of a byte that stands for something that is not a number in the output of a network.
const NOT_A_NUMBER: u8 = 254;

/// Reads the words of a picture with networks that see anything in it. Words have text, a place, an angle and a confidence.
pub fn ocr(bytes: &[u8]) {
    let words = words(bytes);
    for pair in words.windows(2) {
        assert!(pair[0].line <= pair[1].line, "lines are numbered in the order of words: {words:?}");
    }
    for word in &words {
        let bbox = [word.bbox.x1, word.bbox.y1, word.bbox.x2, word.bbox.y2];
        assert!(bbox.iter().all(|number| number.is_finite()), "a word is somewhere: {word:?}");
        assert!(word.bbox.x1 <= word.bbox.x2 && word.bbox.y1 <= word.bbox.y2, "its box is upright: {word:?}");
        assert!((0.0..360.0).contains(&word.angle), "it has a direction: {word:?}");
        assert!((0.0..=1.0).contains(&word.confidence), "it has a confidence: {word:?}");
        assert!(!word.text.is_empty() && !word.text.contains(' '), "it has a text: {word:?}");
    }
}

/// Returns the words of a picture: the first bytes are width, height and layout, then come the pixels, and the rest is what
/// the networks say. None if it is refused.
pub fn words(bytes: &[u8]) -> Vec<ReadWord> {
    let Some((&[width, height, layout], rest)) = bytes.split_first_chunk::<PICTURE_HEADER>() else {
        return Vec::new();
    };
    let side = |byte: u8| 1 + usize::from(byte) % LONGEST_SIDE;
    let (width, height) = (side(width), side(height));
    let mut grey = rest.get(..width * height).unwrap_or(rest).to_vec();
    let said = rest.get(grey.len()..).unwrap_or_default();
    grey.resize(width * height, u8::MAX);
    let picture = GreyImage { width, height, grey };
    let layout = if layout % 2 == 0 { Layout::Scattered } else { Layout::Line };
    ocr_engine::read(&picture, layout, "", &Scripted(said)).unwrap_or_default()
}

/// Networks whose outputs are these bytes, again and again.
struct Scripted<'a>(&'a [u8]);

impl Scripted<'_> {
    /// Returns so many likelihoods.
    fn likelihoods(&self, count: usize) -> impl Iterator<Item = f32> {
        let bytes = self.0.iter().cycle().map(|byte| match *byte {
            NOT_A_NUMBER => f32::NAN,
            byte => f32::from(byte) / 255.0,
        });
        bytes.chain(std::iter::repeat(0.0)).take(count)
    }
}

impl Networks for Scripted<'_> {
    /// Sees text where the picture is dark, and more or less of it where the bytes say so.
    fn detect(&self, picture: Tensor) -> Result<Tensor, NnError> {
        let likelihoods = self.likelihoods(picture.values.len());
        let values =
            picture.values.iter().zip(likelihoods).map(|(brightness, said)| (1.0 - brightness).max(said / 2.0));
        Ok(Tensor { values: values.collect(), ..picture })
    }

    /// Shows at each step the characters that a byte selects.
    fn recognize(&self, lines: Tensor) -> Result<Likelihoods, NnError> {
        let &[count, _, _, width] = lines.shape.as_slice() else {
            return Err(NnError::Failed("lines have four dimensions".to_owned()));
        };
        let steps = width / 8;
        Ok(Likelihoods {
            latin: self.characters(count, steps, LATIN.classes()),
            cyrillic: self.characters(count, steps, CYRILLIC.classes()),
            han: self.likeliest(count, steps),
        })
    }
}

impl Scripted<'_> {
    /// Shows one of so many classes at each step of each line.
    fn characters(&self, lines: u32, steps: u32, classes: usize) -> Tensor {
        let steps_of_all = (lines * steps) as usize;
        let mut values = vec![0.0; steps_of_all * classes];
        let shown = self.likelihoods(2 * steps_of_all).collect::<Vec<_>>();
        for (step, pair) in values.chunks_exact_mut(classes).zip(shown.chunks_exact(2)) {
            step[(pair[0] * 255.0) as usize % classes] = pair[1];
        }
        Tensor::new(&[lines, steps, classes as u32], values)
    }

    /// Tells a class of the head for Chinese and Japanese characters, or none that there is, at each step of each line.
    fn likeliest(&self, lines: u32, steps: u32) -> Tensor {
        let shown = self.likelihoods(2 * (lines * steps) as usize).collect::<Vec<_>>();
        let values = shown.chunks_exact(2).flat_map(|pair| [(pair[0] * 1.1 * HAN.classes() as f32).floor(), pair[1]]);
        Tensor::new(&[lines, steps, 2], values.collect())
    }
}
