//! The annotator: draws boxes into a PDF as annotations, so that results open in a reviewer's own viewer.
//!
//! It writes an incremental update, what is appended to the file: the file's own bytes stay as they are, and with them
//! whatever vouches for them. Built for WebAssembly it is the component of the world `pdf-annotator`, since lopdf reads
//! here what anybody may have uploaded; built natively it is a plain library with the same function.

mod annotation;
#[cfg(target_family = "wasm")]
mod component;

use std::collections::BTreeMap;
use std::io::{self, Write};

use fanlight_contract::Rect;
use lopdf::{Document, IncrementalDocument, LoadOptions, Object, ObjectId};

/// The most bytes that one object stream or cross-reference stream may inflate to.
const MOST_INFLATED: usize = 128 << 20;

/// A box to draw.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The page, 1-based. One that the document doesn't have is passed over.
    pub page: u32,
    /// In user space of the unrotated page; its corners in any order.
    pub bbox: Rect,
    /// What a viewer shows as the annotation's title.
    pub title: String,
    /// What a viewer shows as its text.
    pub contents: String,
    /// 0xRRGGBB
    pub color: u32,
}

/// Why a document can't be annotated. Texts are for logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnnotateError {
    /// Its structure can't be followed as it stands.
    Corrupt(String),
    /// It is encrypted, if only with an empty password.
    Encrypted,
}

impl From<lopdf::Error> for AnnotateError {
    fn from(error: lopdf::Error) -> Self {
        Self::Corrupt(error.to_string())
    }
}

/// The bytes that, appended to `file`, draw the marks. None without marks.
///
/// # Errors
///
/// See [`AnnotateError`]. A file whose cross-references a reader would have to guess can't be updated: the update
/// would rest on what is not there.
pub fn update(file: Vec<u8>, marks: &[Mark]) -> Result<Vec<u8>, AnnotateError> {
    if marks.is_empty() {
        return Ok(Vec::new());
    }
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

    let length = file.len();
    let mut document = IncrementalDocument::create_from(file, document);
    for (page, marks) in by_page(document.get_prev_documents(), marks) {
        let annotations = marks.into_iter().map(|mark| annotation::add(&mut document.new_document, page, mark));
        let annotations: Vec<Object> = annotations.map(Object::Reference).collect();
        append(&mut document, page, annotations)?;
    }
    let mut rest = After { skipped: length, rest: Vec::new() };
    document.save_to(&mut rest).map_err(|error| AnnotateError::Corrupt(error.to_string()))?;
    Ok(rest.rest)
}

/// The marks of each page that the document has.
fn by_page<'a>(document: &Document, marks: &'a [Mark]) -> BTreeMap<ObjectId, Vec<&'a Mark>> {
    let pages = document.get_pages();
    let mut by_page: BTreeMap<ObjectId, Vec<&Mark>> = BTreeMap::new();
    for mark in marks {
        if let Some(page) = pages.get(&mark.page) {
            by_page.entry(*page).or_default().push(mark);
        }
    }
    by_page
}

/// Puts annotations behind those that the page has, wherever it keeps them.
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
    let mut all = match kept {
        Object::Array(all) => all,
        _ => Vec::new(),
    };
    all.extend(annotations);
    document.opt_clone_object_to_new_document(page)?;
    document.new_document.get_object_mut(page)?.as_dict_mut()?.set("Annots", all);
    Ok(())
}

/// Takes what is written after so many bytes.
struct After {
    skipped: usize,
    rest: Vec<u8>,
}

impl Write for After {
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
