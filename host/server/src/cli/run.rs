//! `fanlight run`: runs a model on a file, without a server or database.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;
use serde_json::{Map, Value};
use tokio::runtime::Builder;

use crate::cli::local_file::{LocalFile, digest, parse_pages, print_warnings};
use crate::cli::output::{print_bytes, print_json};
use crate::configuration::Configuration;
use crate::domain::catalog::{CONTENT_EXTRACTOR, TOC_PARSER};
use crate::domain::sections::{Contents, Section, SectionsError, Selection};
use crate::domain::tables;
use crate::runtime::logging;
use crate::runtime::models::{self, Models};

/// What the command line asks for.
#[derive(Debug)]
pub(super) struct Request {
    /// Name of the model.
    pub(super) model: String,
    /// Path of the document.
    pub(super) file: PathBuf,
    /// Pages to analyze, such as `1,4-6`; none for all.
    pub(super) pages: Option<String>,
    /// Parameters, the text of a JSON object.
    pub(super) parameters: Option<String>,
    /// The form of the printed result.
    pub(super) format: OutputFormat,
    /// Sections for content-extractor, which are looked up in the table of contents.
    pub(super) sections: Option<String>,
}

/// The form in which a result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum OutputFormat {
    /// The whole result.
    #[default]
    Json,
    /// Its schedules as CSV.
    Csv,
    /// Its schedules as an XLSX workbook.
    Xlsx,
}

/// Runs the model and prints its result as the API returns it.
///
/// # Errors
///
/// One sentence that says what is wrong.
pub(super) fn run(configuration: &Configuration, request: &Request) -> anyhow::Result<()> {
    logging::start(&configuration.log, "warn")?;
    models::ensure_installed(&request.model, configuration)?;
    let pages = request.pages.as_deref().map(parse_pages).transpose()?;
    let parameters = parse_parameters(request.parameters.as_deref())?;
    let sections = request.sections.as_deref().map(parse_sections).transpose()?;
    if sections.is_some() {
        ensure!(request.model == CONTENT_EXTRACTOR, "--sections is for {CONTENT_EXTRACTOR}, not for {}", request.model);
        models::ensure_installed(TOC_PARSER, configuration)?;
    }
    let sha256 = digest(&request.file)?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let input = Input { pages, parameters, sections, sha256 };
    let result = runtime.block_on(analyze(configuration, request, input))?;
    match request.format {
        OutputFormat::Json => print_json(&result),
        OutputFormat::Csv => print_bytes(&tables::csv(&result.to_string())?),
        OutputFormat::Xlsx => print_bytes(&tables::xlsx(&result.to_string())?),
    }
}

/// The parsed request, and the digest of the document.
struct Input {
    pages: Option<Vec<RangeInclusive<u32>>>,
    parameters: Value,
    sections: Option<SectionChoice>,
    sha256: [u8; 32],
}

/// Runs the model, after toc-parser if sections are to be looked up.
async fn analyze(configuration: &Configuration, request: &Request, input: Input) -> anyhow::Result<Value> {
    let (file, model) = LocalFile::open(&request.file, &input.sha256, &request.model, configuration).await?;
    let mut parameters = input.parameters;
    if let Some(sections) = input.sections {
        let contents = Models::load_one(TOC_PARSER, &file.guests, configuration).await?;
        let contents = file.run(&contents, None, &Value::Object(Map::new())).await;
        let contents =
            contents.with_context(|| format!("can't read the table of contents of {}", request.file.display()))?;
        print_warnings(&contents.warnings);
        let chosen = sections.resolve(&serde_json::from_str(&contents.json)?)?;
        if let Some(parameters) = parameters.as_object_mut() {
            parameters.insert("sections".to_owned(), serde_json::to_value(chosen)?);
        }
    }
    let pages = input.pages.map(|ranges| file.pages(&ranges)).transpose()?;
    let answer = file.run(&model, pages.as_deref(), &parameters).await?;
    print_warnings(&answer.warnings);
    Ok(serde_json::from_str(&answer.json)?)
}

/// Parses `--parameters`, which defaults to an empty object.
pub(in crate::cli) fn parse_parameters(text: Option<&str>) -> anyhow::Result<Value> {
    let parameters: Value = serde_json::from_str(text.unwrap_or("{}")).context("the parameters are not JSON")?;
    if !parameters.is_object() {
        bail!("the parameters are not a JSON object");
    }
    Ok(parameters)
}

/// The value of `--sections`.
#[derive(Debug)]
enum SectionChoice {
    /// Every section in the table of contents.
    All,
    /// The sections with these codes, which the table of contents need not list.
    Codes(Selection),
}

impl SectionChoice {
    /// Returns the selected sections.
    fn resolve(&self, contents: &Contents) -> Result<Vec<Section>, SectionsError> {
        match self {
            Self::All => contents.all(),
            Self::Codes(selection) => selection.resolve(contents),
        }
    }
}

/// Parses `--sections`: `all`, or codes such as `081113,09 91 00`.
fn parse_sections(text: &str) -> Result<SectionChoice, SectionsError> {
    if text.trim().eq_ignore_ascii_case("all") {
        return Ok(SectionChoice::All);
    }
    let codes: Vec<String> = text.split(',').map(str::to_owned).collect();
    Selection::parse(&codes, &[]).map(SectionChoice::Codes)
}
