//! Project manuals: a cover, contents and section pages in one style, with the ground truth about
//! them.

mod body;
mod book;
mod contents;
mod front;
pub(crate) mod masterformat;
pub(crate) mod project;
mod random;
mod sheet;
mod style;
mod truth;
mod wording;

use std::ops::Range;

use book::{Book, Section as Planned, Standing};
use sheet::Subject;
pub use style::{
    Arrangement, Articles, Band, BodyHeading, Bookmarks, ContentsTitle, Continuation, Dates, DivisionBreak,
    DivisionHeading, DivisionZero, Extras, Family, HeadingSetting, Language, Leader, LeaderRun, Marks, NotUsed,
    Numbering, PageNumber, Paper, Prefix, Rules, Separator, Style, Suffix, TextUnit, TitleCase, UnusedDivision,
    VolumeContents, Wrapping, WritingOrder, styles,
};
pub use truth::{Body, Bookmark, Division, Section, Source, Truth};
use wording::wording;

use crate::chance::Chance;
use crate::pdf::{Document, OutlineEntry, Page, Producer};

/// A synthetic manual.
#[derive(Clone, Debug)]
pub struct Manual {
    /// The PDF file.
    pub pdf: Vec<u8>,
    /// Its ground truth.
    pub truth: Truth,
}

/// Generates a manual. The same style and seed give the same bytes.
pub fn generate(style: &Style, seed: u64) -> Manual {
    let mut chance = Chance::new(seed);
    let mut book = Book::invent(style, &mut chance);
    let front = front::pages(&book.project, style, &mut chance);
    book.bind(style, pages_before_sections(&book, style, front.len()));
    let starts = first_pages(&book, style, front.len());
    let mut binder = Binder::new(&book, style);
    for page in front {
        binder.pages.push(page);
    }
    for (index, volume) in volumes(&book, style).into_iter().enumerate() {
        if index > 0 {
            binder.cover(index + 1);
        }
        binder.contents(volume.clone(), index + 1, &starts);
        binder.bodies(volume, index + 1, &mut chance);
    }
    binder.finish(seed)
}

/// Returns the divisions of each table of contents.
fn volumes(book: &Book, style: &Style) -> Vec<Range<usize>> {
    if style.volume_contents == VolumeContents::Together {
        return std::iter::once(0..book.divisions.len()).collect();
    }
    let mut ends = book.volume_starts.iter().skip(1).copied().collect::<Vec<_>>();
    ends.push(book.divisions.len());
    book.volume_starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// Returns the number of pages of a volume's contents.
fn contents_length(book: &Book, style: &Style, volume: Range<usize>) -> usize {
    if style.contents == ContentsTitle::NoContents {
        return 0;
    }
    // Page numbers are in a column of fixed width, so that they do not move lines.
    contents::set(book, style, volume, &|_, _| 1).pages.len()
}

/// Returns all pages that belong to no section: front, covers of further volumes, contents.
fn pages_before_sections(book: &Book, style: &Style, front: usize) -> usize {
    let volumes = volumes(book, style);
    let covers = volumes.len() - 1;
    front + covers + volumes.into_iter().map(|volume| contents_length(book, style, volume)).sum::<usize>()
}

/// Returns the first page of each section, as if every listed section were bound.
fn first_pages(book: &Book, style: &Style, front: usize) -> Vec<Vec<usize>> {
    let mut next = front + 1;
    let mut starts: Vec<Vec<usize>> = book.divisions.iter().map(|division| vec![0; division.sections.len()]).collect();
    for (index, volume) in volumes(book, style).into_iter().enumerate() {
        if index > 0 {
            next += 1;
        }
        next += contents_length(book, style, volume.clone());
        for division in volume {
            for (at, section) in book.divisions[division].sections.iter().enumerate() {
                starts[division][at] = next;
                next += if section.standing == Standing::Unused { 0 } else { section.pages as usize };
            }
        }
    }
    starts
}

/// Assembles the pages of a manual and records its truth.
struct Binder<'a> {
    book: &'a Book,
    style: &'a Style,
    pages: Vec<Page>,
    toc_pages: Vec<usize>,
    /// The division, section and page of each line of the contents.
    listed: Vec<(usize, usize, usize)>,
    bodies: Vec<(usize, usize, Body)>,
}

impl<'a> Binder<'a> {
    fn new(book: &'a Book, style: &'a Style) -> Self {
        Self { book, style, pages: Vec::new(), toc_pages: Vec::new(), listed: Vec::new(), bodies: Vec::new() }
    }

    fn cover(&mut self, volume: usize) {
        let volumes = self.book.volume_starts.len();
        self.pages.push(front::cover(&self.book.project, self.style, Some((volume, volumes))));
    }

    fn contents(&mut self, divisions: Range<usize>, volume: usize, starts: &[Vec<usize>]) {
        if self.style.contents == ContentsTitle::NoContents {
            return;
        }
        let page_of = |division: usize, at: usize| starts[division][at];
        let set = contents::set(self.book, self.style, divisions, &page_of);
        let offset = self.pages.len() + 1;
        let count = set.pages.len();
        self.listed.extend(set.lines.into_iter().map(|(division, at, page)| (division, at, offset + page)));
        let short = match self.style.contents {
            ContentsTitle::NumberedSection => contents::own_number(self.style),
            _ => "TOC".to_owned(),
        };
        for (index, mut page) in set.pages.into_iter().enumerate() {
            let title = wording(self.style.language).contents;
            let subject = Subject { title, short: &short, page: index + 1, pages: count, volume };
            sheet::running(&mut page, self.style, &self.book.project, &subject);
            self.pages.push(page);
            self.toc_pages.push(offset + index);
        }
    }

    fn bodies(&mut self, divisions: Range<usize>, volume: usize, chance: &mut Chance) {
        for index in divisions {
            for (at, section) in self.book.divisions[index].sections.iter().enumerate() {
                if section.has_body {
                    self.body(index, at, section, volume, chance);
                }
            }
        }
    }

    fn body(&mut self, division: usize, at: usize, section: &Planned, volume: usize, chance: &mut Chance) {
        let set = body::set(self.book, section, self.style, chance);
        let start_page = self.pages.len() + 1;
        let pages = set.len();
        for (index, mut page) in set.into_iter().enumerate() {
            let subject =
                Subject { title: &section.title, short: &section.printed_code, page: index + 1, pages, volume };
            sheet::running(&mut page, self.style, &self.book.project, &subject);
            self.pages.push(page);
        }
        let body = Body { section_code: section.code.clone(), start_page, end_page: self.pages.len() };
        self.bodies.push((division, at, body));
    }

    fn bookmarks(&self) -> Vec<Bookmark> {
        if self.style.bookmarks == Bookmarks::None {
            return Vec::new();
        }
        let words = wording(self.style.language);
        let mut bookmarks = Vec::new();
        if let (true, Some(page)) = (self.style.front_pages > 0, self.toc_pages.first()) {
            bookmarks.push(Bookmark { title: words.manual.to_owned(), page: 1, level: 0 });
            bookmarks.push(Bookmark { title: words.contents.to_owned(), page: *page, level: 0 });
        }
        let mut open = None;
        let with_divisions = self.style.bookmarks == Bookmarks::Divisions;
        for (index, at, body) in &self.bodies {
            let division = &self.book.divisions[*index];
            if with_divisions && open != Some(index) {
                let (name, title) = contents::division_heading(self.style, &division.code, &division.title);
                let name = if name.is_empty() { division.code.clone() } else { name };
                let title = self.style.division_case.print(&title);
                let separator = self.style.division_separator.text();
                bookmarks.push(Bookmark {
                    title: format!("{name}{separator}{title}"),
                    page: body.start_page,
                    level: 0,
                });
                open = Some(index);
            }
            let section = &division.sections[*at];
            let title = self.style.title_case.print(&section.title);
            bookmarks.push(Bookmark {
                title: format!("{}{}{title}", section.printed_code, self.style.separator.text()),
                page: body.start_page,
                level: usize::from(with_divisions),
            });
        }
        bookmarks
    }

    /// Returns the divisions that can be read, each with the sections in `lines` and their pages.
    fn divisions(&self, lines: &[(usize, usize, usize)], source: Source) -> Vec<Division> {
        let headed = match source {
            Source::Contents => self.style.division_heading != DivisionHeading::Absent,
            Source::Bookmarks => self.style.bookmarks == Bookmarks::Divisions,
            Source::Headings => false,
        };
        let mut divisions = Vec::new();
        for (index, division) in self.book.divisions.iter().enumerate() {
            let sections: Vec<Section> = lines
                .iter()
                .filter(|(of, _, _)| *of == index)
                .map(|(_, at, page)| self.section(&division.sections[*at], *page, source))
                .collect();
            let unused = division.unused && source == Source::Contents && headed;
            if sections.is_empty() && !unused {
                continue;
            }
            let title = if headed { self.style.division_case.print(&division.title) } else { String::new() };
            divisions.push(Division {
                division_code: division.code.clone(),
                division_title: title,
                not_used: unused,
                sections,
            });
        }
        divisions
    }

    fn section(&self, section: &Planned, page: usize, source: Source) -> Section {
        let title = match source {
            Source::Headings => section.title.to_uppercase(),
            Source::Contents | Source::Bookmarks => self.style.title_case.print(&section.title),
        };
        Section {
            section_code: section.code.clone(),
            section_title: title,
            printed_code: section.printed_code.clone(),
            not_used: section.standing == Standing::Unused,
            struck: section.standing == Standing::Struck,
            page,
        }
    }

    fn finish(self, seed: u64) -> Manual {
        let bookmarks = self.bookmarks();
        let (source, lines) = if self.style.contents == ContentsTitle::NoContents {
            let lines = self.bodies.iter().map(|(index, at, body)| (*index, *at, body.start_page)).collect();
            (if bookmarks.is_empty() { Source::Headings } else { Source::Bookmarks }, lines)
        } else {
            (Source::Contents, self.listed.clone())
        };
        let divisions = self.divisions(&lines, source);
        let origin = f32::from(self.style.origin);
        let producer = Producer {
            unit: self.style.text_unit,
            order: self.style.writing_order,
            embed_standard_fonts: self.style.embed_fonts > 0,
            unicode: self.style.unicode > 0,
            origin: (origin, origin),
        };
        let truth = Truth {
            style: self.style.clone(),
            seed,
            pages: self.pages.len(),
            source,
            toc_pages: self.toc_pages,
            divisions,
            bodies: self.bodies.into_iter().map(|(_, _, body)| body).collect(),
            bookmarks,
        };
        let outline = truth
            .bookmarks
            .iter()
            .map(|bookmark| OutlineEntry { title: bookmark.title.clone(), page: bookmark.page, level: bookmark.level })
            .collect();
        let document = Document { title: self.book.project.name.clone(), pages: self.pages, outline };
        Manual { pdf: document.to_pdf(&producer), truth }
    }
}
