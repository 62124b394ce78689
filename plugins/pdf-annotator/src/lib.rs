//! The annotator: adds boxes to a PDF as annotations, so that results open in a reviewer's own
//! viewer, and lays text over scanned pages, so that a search finds their words.
//!
//! It writes an incremental update, which is appended to the file: the file's own bytes stay as
//! they are, and with them all signatures. Compiled to WebAssembly, it is the component of the
//! world `pdf-annotator`, since lopdf parses files here that anybody may have uploaded. Compiled
//! natively, it is a library with the same functions.

mod annotation;
mod bindings;
#[cfg(target_family = "wasm")]
mod component;
mod glyphless_font;
mod text_layer;

use std::collections::BTreeMap;
use std::io::{self, Write};

use lopdf::{Document, IncrementalDocument, LoadOptions, Object, ObjectId};

pub use bindings::exports::fanlight::plugin::annotate::{AnnotateError, Mark, PlacedWord, TextLine};
use text_layer::Codes;

/// The most bytes that one object stream or cross-reference stream may inflate to.
const MOST_INFLATED: usize = 128 << 20;

impl From<lopdf::Error> for AnnotateError {
    fn from(error: lopdf::Error) -> Self {
        Self::Corrupt(error.to_string())
    }
}

/// Returns the bytes that draw the marks when they are appended to `file`; none without marks.
///
/// # Errors
///
/// See [`AnnotateError`]. A file whose cross-references a reader would have to guess cannot be updated: the update would depend on entries that do not exist.
pub fn update(file: Vec<u8>, marks: &[Mark]) -> Result<Vec<u8>, AnnotateError> {
    if marks.is_empty() {
        return Ok(Vec::new());
    }
    let length = file.len();
    let mut document = open(file)?;
    for (page, marks) in by_page(document.get_prev_documents(), marks, |mark| mark.page) {
        let annotations = marks.into_iter().map(|mark| annotation::add(&mut document.new_document, page, mark));
        let annotations: Vec<Object> = annotations.map(Object::Reference).collect();
        append(&mut document, page, annotations)?;
    }
    appended(&mut document, length)
}

/// Returns the bytes that place the lines as text that is not painted when they are appended to `file`; none without lines.
///
/// # Errors
///
/// As [`update`].
pub fn add_text(file: Vec<u8>, lines: &[TextLine]) -> Result<Vec<u8>, AnnotateError> {
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let length = file.len();
    let mut document = open(file)?;
    let codes = Codes::new(lines);
    let font = codes.add_font(&mut document);
    for (page, lines) in by_page(document.get_prev_documents(), lines, |line| line.page) {
        text_layer::add(&mut document, page, &lines, &codes, font)?;
    }
    appended(&mut document, length)
}

/// Opens a file for an update.
fn open(file: Vec<u8>) -> Result<IncrementalDocument, AnnotateError> {
    if !file.starts_with(b"%PDF-") {
        return Err(AnnotateError::Corrupt("something stands before the file's header".to_owned()));
    }
    let options = LoadOptions { max_decompressed_size: Some(MOST_INFLATED), ..LoadOptions::default() };
    let document = Document::load_mem_with_options(&file, options)?;
    if document.is_encrypted() || document.was_encrypted() {
        return Err(AnnotateError::Encrypted);
    }
    if document.xref_recovery.is_some() {
        return Err(AnnotateError::Corrupt("its cross-references are damaged".to_owned()));
    }
    Ok(IncrementalDocument::create_from(file, document))
}

/// Returns what a document's update appends to its file of `length` bytes.
fn appended(document: &mut IncrementalDocument, length: usize) -> Result<Vec<u8>, AnnotateError> {
    let mut rest = Tail { skipped: length, rest: Vec::new() };
    document.save_to(&mut rest).map_err(|error| AnnotateError::Corrupt(error.to_string()))?;
    Ok(rest.rest)
}

/// Groups items by page. Pages that the document does not have are left out.
fn by_page<'a, T>(document: &Document, items: &'a [T], page_of: fn(&T) -> u32) -> BTreeMap<ObjectId, Vec<&'a T>> {
    let pages = document.get_pages();
    let mut by_page: BTreeMap<ObjectId, Vec<&T>> = BTreeMap::new();
    for item in items {
        if let Some(page) = pages.get(&page_of(item)) {
            by_page.entry(*page).or_default().push(item);
        }
    }
    by_page
}

/// Appends annotations to those of the page, in whichever object they are.
fn append(document: &mut IncrementalDocument, page: ObjectId, annotations: Vec<Object>) -> Result<(), AnnotateError> {
    let old = document.get_prev_documents();
    let kept = old.get_dictionary(page)?.get(b"Annots").cloned().unwrap_or(Object::Null);
    if let Object::Reference(list) = kept
        && let Ok(Object::Array(mut all)) = old.get_object(list).cloned()
    {
        all.extend(annotations);
        document.new_document.set_object(list, Object::Array(all));
        return Ok(());
    }
    let mut all = kept.as_array().cloned().unwrap_or_default();
    all.extend(annotations);
    document.opt_clone_object_to_new_document(page)?;
    document.new_document.get_object_mut(page)?.as_dict_mut()?.set("Annots", all);
    Ok(())
}

/// Keeps what is written after a number of bytes.
struct Tail {
    skipped: usize,
    rest: Vec<u8>,
}

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let skipped = self.skipped.min(bytes.len());
        self.skipped -= skipped;
        self.rest.extend_from_slice(&bytes[skipped..]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
