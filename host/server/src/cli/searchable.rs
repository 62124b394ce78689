//! `fanlight searchable`: writes a copy of a file in which a search finds the words of its pictures.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use fanlight_sandbox::{AnnotateError, Package, PlacedWord, TextLine};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tempfile::Builder as TemporaryFiles;
use tokio::runtime::Builder;

use crate::cli::local_file::{LocalFile, digest, parse_pages, print_warnings};
use crate::cli::output::print;
use crate::cli::text::{PAGES_AT_A_TIME, Page, Reader, UseOcr};
use crate::configuration::{ANNOTATOR, Configuration};
use crate::domain::catalog::PAGE_TEXT;
use crate::runtime::logging;
use crate::runtime::models;

/// Bytes of the file that are copied at a time.
const CHUNK: usize = 1024 * 1024;

/// What the command line asks for.
#[derive(Debug)]
pub(super) struct Request {
    /// Path of the document.
    pub(super) file: PathBuf,
    /// Path of the copy.
    pub(super) out: PathBuf,
    /// Pages to read, such as `1,4-6`; none for all.
    pub(super) pages: Option<String>,
    /// Which pages are read by OCR.
    pub(super) ocr: UseOcr,
}

/// Writes the copy and says what is new in it.
///
/// # Errors
///
/// One sentence that says what is wrong. There is no copy then.
pub(super) fn run(configuration: &Configuration, request: &Request) -> anyhow::Result<()> {
    logging::start(&configuration.log, "warn")?;
    models::ensure_installed(PAGE_TEXT, configuration)?;
    let annotator = configuration.plugins_folder()?.join(ANNOTATOR);
    ensure!(annotator.is_dir(), "no {ANNOTATOR} is installed, which writes the text into the copy");
    let pages = request.pages.as_deref().map(parse_pages).transpose()?;
    let sha256 = digest(&request.file)?;
    let folder = folder_of_copy(request)?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let layer = runtime.block_on(layer(configuration, request, pages.as_deref(), &sha256))?;
    write(&request.file, &sha256, &layer.update, &folder, &request.out)?;
    print(&format!("{}: {}\n", request.out.display(), layer.summary()))
}

/// Returns the folder of the copy, which must not replace the file that it is made from.
fn folder_of_copy(request: &Request) -> anyhow::Result<PathBuf> {
    let out = &request.out;
    let shown = out.display();
    ensure!(!out.is_dir(), "{shown} is a folder: name the file to write");
    let is_input = fs::canonicalize(out).is_ok_and(|out| fs::canonicalize(&request.file).is_ok_and(|file| file == out));
    ensure!(!is_input, "{shown} is the file to read: name another one to write");
    let folder = match out.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    ensure!(folder.is_dir(), "can't write {shown}: the folder {} does not exist", folder.display());
    Ok(folder)
}

/// The text layer of a copy.
struct Layer {
    /// The bytes that are appended to the file.
    update: Vec<u8>,
    /// The pages that get text.
    pages: BTreeSet<u32>,
    /// How many pages were read.
    pages_read: usize,
    /// How many words they get.
    words: usize,
}

impl Layer {
    /// Returns a sentence on what is new in the copy.
    fn summary(&self) -> String {
        match self.pages.len() {
            0 => "a plain copy, since no page needs text".to_owned(),
            1 => format!("{} words on 1 of {} pages", self.words, self.pages_read),
            pages => format!("{} words on {pages} of {} pages", self.words, self.pages_read),
        }
    }
}

/// Reads the pages and makes the text layer of those that OCR has read.
async fn layer(
    configuration: &Configuration,
    request: &Request,
    pages: Option<&[RangeInclusive<u32>]>,
    sha256: &[u8; 32],
) -> anyhow::Result<Layer> {
    let (file, model) = LocalFile::open(&request.file, sha256, PAGE_TEXT, configuration).await?;
    let pages = pages.map_or_else(|| Ok(file.all_pages()), |ranges| file.pages(ranges))?;
    let shown = request.file.display();
    let mut reader = Reader { file: &file, model: &model, ocr: request.ocr, words: true, warnings: BTreeSet::new() };
    let mut lines = Vec::new();
    for pages in pages.chunks(PAGES_AT_A_TIME) {
        let mut recognized = recognized(reader.read(pages).await?);
        if request.ocr == UseOcr::Always {
            let mut own = Reader { ocr: UseOcr::Never, warnings: BTreeSet::new(), ..reader };
            drop_known(&mut recognized, &KnownWords::new(&own.read(pages).await?));
        }
        lines.extend(recognized);
    }
    print_warnings(&reader.warnings);
    ensure!(!lines.is_empty() || reader.warnings.is_empty(), "no page of {shown} could be read by OCR");
    let mut layer = Layer {
        update: Vec::new(),
        pages: lines.iter().map(|line| line.page).collect(),
        pages_read: pages.len(),
        words: lines.iter().map(|line| line.words.len()).sum(),
    };
    if lines.is_empty() {
        return Ok(layer);
    }
    let package = Package::read(&configuration.plugins_folder()?.join(ANNOTATOR))?;
    let annotator = file.guests.load_annotator(package).await?;
    let added = file.guests.add_text(annotator, file.document.clone(), lines).await;
    layer.update = added.map_err(|error| match error {
        AnnotateError::Encrypted => anyhow::anyhow!("{shown} is encrypted, so no text can be added to it"),
        AnnotateError::Corrupt(detail) => {
            anyhow::anyhow!("{shown} is damaged, so no text can be added to it: {detail}")
        }
        AnnotateError::Annotator(detail) => anyhow::anyhow!("{ANNOTATOR} failed on {shown}: {detail}"),
    })?;
    Ok(layer)
}

/// A line of page-text's result, as far as it is used.
#[derive(Deserialize)]
struct ReadLine {
    source: Source,
    angle: f32,
    size: f32,
    words: Vec<ReadWord>,
}

/// Where a line's text comes from.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Source {
    TextLayer,
    Ocr,
}

/// A word of a line: its left end on the baseline in user space, and its length, in points.
#[derive(Deserialize)]
struct ReadWord {
    text: String,
    x: f32,
    y: f32,
    width: f32,
}

/// Returns the lines that OCR has read, as the annotator takes them.
fn recognized(pages: Vec<Page<ReadLine>>) -> Vec<TextLine> {
    let mut lines = Vec::new();
    for page in pages {
        let read = page.lines.into_iter().filter(|line| line.source == Source::Ocr);
        lines.extend(read.map(|line| TextLine {
            page: page.number,
            angle: line.angle,
            size: line.size,
            words: line.words.into_iter().map(placed).collect(),
        }));
    }
    lines
}

fn placed(word: ReadWord) -> PlacedWord {
    let ReadWord { text, x, y, width } = word;
    PlacedWord { text, x, y, width }
}

/// The words of text layers.
#[derive(Default)]
struct KnownWords(HashMap<(u32, String), Vec<(f32, f32)>>);

impl KnownWords {
    fn new(pages: &[Page<ReadLine>]) -> Self {
        let mut known = Self::default();
        for page in pages {
            for word in page.lines.iter().flat_map(|line| &line.words) {
                known.0.entry((page.number, letters(&word.text))).or_default().push((word.x, word.y));
            }
        }
        known
    }

    /// Returns whether a page has a word with the same letters at most an em of `size` from a place.
    fn has(&self, page: u32, word: &PlacedWord, size: f32) -> bool {
        let same = self.0.get(&(page, letters(&word.text)));
        same.is_some_and(|places| places.iter().any(|(x, y)| (x - word.x).hypot(y - word.y) <= size))
    }
}

/// Returns the letters and digits of a word in lower case, which OCR and a text layer agree on sooner than on punctuation.
fn letters(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Drops words that the page's own text has at the same place, so that a search does not find them twice.
fn drop_known(lines: &mut Vec<TextLine>, known: &KnownWords) {
    for line in &mut *lines {
        line.words.retain(|word| !known.has(line.page, word, line.size));
    }
    lines.retain(|line| !line.words.is_empty());
}

/// Writes the copy, the file and the update after it, whole: a reader of `out` sees the old file, or the new one complete.
fn write(file: &Path, sha256: &[u8; 32], update: &[u8], folder: &Path, out: &Path) -> anyhow::Result<()> {
    let failed = || format!("can't write {}", out.display());
    let mut copy =
        TemporaryFiles::new().prefix(".fanlight-").suffix(".pdf").tempfile_in(folder).with_context(failed)?;
    let read = copy_into(file, copy.as_file_mut()).with_context(failed)?;
    ensure!(read == *sha256, "{} has changed while it was read", file.display());
    copy.write_all(update).and_then(|()| copy.as_file().sync_all()).with_context(failed)?;
    share(copy.as_file(), file).with_context(failed)?;
    copy.persist(out).map_err(|error| error.error).with_context(failed)?;
    Ok(())
}

/// Copies a file and returns its SHA-256.
fn copy_into(path: &Path, copy: &mut File) -> std::io::Result<[u8; 32]> {
    let mut file = File::open(path)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = file.read(&mut buffer)?;
        let Some(chunk) = buffer.get(..read).filter(|chunk| !chunk.is_empty()) else {
            return Ok(digest.finalize().into());
        };
        digest.update(chunk);
        copy.write_all(chunk)?;
    }
}

/// Gives the copy the permissions of the file. Until then only its owner may read it.
fn share(copy: &File, file: &Path) -> std::io::Result<()> {
    copy.set_permissions(fs::metadata(file)?.permissions())
}
