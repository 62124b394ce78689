//! Reads the outline ("bookmarks") and the metadata of a document.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, String as PdfString};
use hayro::hayro_syntax::xref::XRef;

use crate::text_string::text_string;
use crate::{Metadata, OutlineItem};

/// The most items of an outline that are read.
const MAX_ITEMS: usize = 100_000;

/// The most levels of an outline that are read.
const MAX_LEVELS: usize = 64;

/// The most named destinations that are read.
const MAX_DESTINATIONS: usize = 500_000;

pub(crate) fn metadata(pdf: &Pdf) -> Metadata {
    let metadata = pdf.metadata();
    Metadata {
        title: entry(metadata.title.as_deref()),
        author: entry(metadata.author.as_deref()),
        subject: entry(metadata.subject.as_deref()),
        keywords: entry(metadata.keywords.as_deref()),
        creator: entry(metadata.creator.as_deref()),
        producer: entry(metadata.producer.as_deref()),
    }
}

/// Returns the text of an entry of the metadata without white space around it; `None` if no text is left.
fn entry(bytes: Option<&[u8]>) -> Option<String> {
    let text = text_string(bytes?);
    let text = text.trim_matches(|char: char| char == '\0' || char.is_whitespace());
    (!text.is_empty()).then(|| text.to_owned())
}

/// Reads the outline. Stops at items that were read before, and at the limits of depth and length.
pub(crate) fn outline(pdf: &Pdf) -> Vec<OutlineItem> {
    let xref = pdf.xref();
    let Some(catalog) = xref.get::<Dict<'_>>(xref.root_id()) else { return vec![] };
    let Some(outlines) = catalog.get::<Dict<'_>>(b"Outlines") else { return vec![] };
    let destinations = Destinations::new(pdf, &catalog);

    let mut items = vec![];
    let mut seen = HashSet::new();
    let mut open: Vec<Dict<'_>> = vec![];
    let mut next = outlines.get::<Dict<'_>>(b"First");
    loop {
        let fresh = next.take().filter(|item| item.obj_id().is_none_or(|id| seen.insert(id)));
        if let Some(item) = fresh {
            if items.len() == MAX_ITEMS {
                break;
            }
            let title = item.get::<PdfString<'_>>(b"Title").map(|title| text_string(title.as_bytes()));
            let title = title.unwrap_or_default().trim_matches('\0').to_owned();
            items.push(OutlineItem { title, level: open.len() as u32, page: destinations.page_of_item(&item) });
            next = if open.len() + 1 < MAX_LEVELS { item.get(b"First") } else { None };
            open.push(item);
        } else if let Some(item) = open.pop() {
            next = item.get(b"Next");
        } else {
            break;
        }
    }
    items
}

/// Resolves destinations to page numbers.
struct Destinations<'a> {
    xref: &'a XRef,
    page_count: usize,
    number_of: HashMap<ObjectIdentifier, u32>,
    /// The catalog's `/Dests`, where PDF 1.1 stores them.
    old: Option<Dict<'a>>,
    names: Option<Dict<'a>>,
    /// The entries of the name tree, read when the first is needed.
    named: OnceCell<HashMap<Vec<u8>, Object<'a>>>,
}

impl<'a> Destinations<'a> {
    fn new(pdf: &'a Pdf, catalog: &Dict<'a>) -> Self {
        let pages = pdf.pages();
        let numbers = pages.iter().zip(1..).filter_map(|(page, number)| Some((page.raw().obj_id()?, number)));
        Self {
            xref: pdf.xref(),
            page_count: pages.len(),
            number_of: numbers.collect(),
            old: catalog.get(b"Dests"),
            names: catalog.get::<Dict<'_>>(b"Names").and_then(|names| names.get(b"Dests")),
            named: OnceCell::new(),
        }
    }

    /// Returns the page of an item: its `/Dest`, or the action `/A` if that goes to a page of this
    /// document.
    fn page_of_item(&self, item: &Dict<'a>) -> Option<u32> {
        if let Some(destination) = item.get::<Object<'_>>(b"Dest") {
            return self.page(destination);
        }
        let action = item.get::<Dict<'_>>(b"A")?;
        let goes = action.get::<Name<'_>>(b"S").as_deref() == Some(b"GoTo");
        if goes { self.page(action.get::<Object<'_>>(b"D")?) } else { None }
    }

    fn page(&self, destination: Object<'a>) -> Option<u32> {
        match destination {
            Object::Name(name) => self.page_of_named(&name),
            Object::String(name) => self.page_of_named(name.as_bytes()),
            explicit => self.page_of_explicit(explicit),
        }
    }

    /// Returns the page of an explicit destination: an array, or a dictionary with one. Its first
    /// element is the page, or a page index if a producer used the form for other documents' pages.
    fn page_of_explicit(&self, destination: Object<'a>) -> Option<u32> {
        let explicit = match destination {
            Object::Array(explicit) => explicit,
            Object::Dict(holder) => holder.get::<Array<'_>>(b"D")?,
            _ => return None,
        };
        match explicit.raw_iter().next()? {
            MaybeRef::Ref(page) => self.number_of.get(&page.into()).copied(),
            MaybeRef::NotRef(Object::Number(index)) => {
                let index = usize::try_from(index.as_i64()).ok()?;
                (index < self.page_count).then_some(index as u32 + 1)
            }
            MaybeRef::NotRef(_) => None,
        }
    }

    /// Returns the page of a named destination. A name stands for an explicit destination or a
    /// dictionary with one, never for another name.
    fn page_of_named(&self, name: &[u8]) -> Option<u32> {
        let old = self.old.as_ref().and_then(|old| old.get::<Object<'_>>(name));
        let destination = old.or_else(|| {
            let named = self.named.get_or_init(|| name_tree(self.names.clone(), self.xref));
            named.get(name).cloned()
        });
        self.page_of_explicit(destination?)
    }
}

/// Returns all entries of a name tree (ISO 32000-2, 7.9.6); none without a root.
fn name_tree<'a>(root: Option<Dict<'a>>, xref: &'a XRef) -> HashMap<Vec<u8>, Object<'a>> {
    let mut entries = HashMap::new();
    let mut seen = HashSet::new();
    let mut open = Vec::from_iter(root);
    while let Some(node) = open.pop() {
        if let Some(names) = node.get::<Array<'_>>(b"Names") {
            let mut names = names.iter::<Object<'_>>();
            while let (Some(name), Some(destination)) = (names.next(), names.next()) {
                if entries.len() == MAX_DESTINATIONS {
                    return entries;
                }
                if let Object::String(name) = name {
                    entries.insert(name.as_bytes().to_vec(), destination);
                }
            }
        }
        for kid in node.get::<Array<'_>>(b"Kids").iter().flat_map(Array::raw_iter) {
            let kid = match kid {
                MaybeRef::Ref(kid) if seen.insert(kid) => xref.get::<Dict<'_>>(kid.into()),
                MaybeRef::NotRef(Object::Dict(kid)) => Some(kid),
                _ => None,
            };
            open.extend(kid);
        }
    }
    entries
}
