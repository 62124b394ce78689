//! Writes the file: page tree, content streams, outline.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::fonts::Font;
use super::{Document, Face, Mark, Page, Producer, Segment, Stroke, TextUnit, WritingOrder, fonts};

/// Assigns object numbers.
pub(super) struct Ids(i32);

impl Ids {
    pub(super) fn next(&mut self) -> Ref {
        self.0 += 1;
        Ref::new(self.0)
    }
}

/// Level 4 of 10 writes a manual of 1,000 pages in a fraction of a second and is still small.
pub(super) fn deflate(data: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(data, 4)
}

pub(super) fn document(document: &Document, producer: &Producer) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let mut ids = Ids(0);
    let (catalog, tree, info) = (ids.next(), ids.next(), ids.next());
    let pages: Vec<Ref> = document.pages.iter().map(|_| ids.next()).collect();
    let fonts = fonts::write(document, producer, &mut ids, &mut pdf);
    for (page, id) in document.pages.iter().zip(&pages) {
        write_page(page, *id, tree, producer, &fonts, &mut ids, &mut pdf);
    }
    pdf.pages(tree).kids(pages.iter().copied()).count(number(pages.len()));
    let outline = (!document.outline.is_empty()).then(|| write_outline(document, &pages, &mut ids, &mut pdf));
    pdf.document_info(info).title(TextStr(&document.title));
    let mut root = pdf.catalog(catalog);
    root.pages(tree);
    if let Some(outline) = outline {
        root.outlines(outline);
    }
    root.finish();
    pdf.finish()
}

fn write_page(
    page: &Page,
    id: Ref,
    tree: Ref,
    producer: &Producer,
    fonts: &BTreeMap<Face, Font>,
    ids: &mut Ids,
    pdf: &mut Pdf,
) {
    let stream = ids.next();
    let (left, bottom) = producer.origin;
    let (w, h) = (page.width, page.height);
    // The media box is unrotated in user space, so that a quarter turn swaps its sides.
    let (media_width, media_height) = if page.rotate % 180 == 90 { (h, w) } else { (w, h) };
    let upright = match page.rotate {
        90 => [0.0, 1.0, -1.0, 0.0, h + left, bottom],
        180 => [-1.0, 0.0, 0.0, -1.0, w + left, h + bottom],
        270 => [0.0, -1.0, 1.0, 0.0, left, w + bottom],
        _ => [1.0, 0.0, 0.0, 1.0, left, bottom],
    };
    let mut content = Content::new();
    if upright != [1.0, 0.0, 0.0, 1.0, 0.0, 0.0] {
        content.transform(upright);
    }
    for mark in in_order(&page.marks, producer.order) {
        write_mark(mark, producer.unit, fonts, &mut content);
    }
    let packed = deflate(content.finish().as_slice());
    pdf.stream(stream, &packed).filter(Filter::FlateDecode);
    let mut object = pdf.page(id);
    object.parent(tree).contents(stream);
    object.media_box(Rect::new(left, bottom, left + media_width, bottom + media_height));
    if page.rotate != 0 {
        object.rotate(i32::from(page.rotate));
    }
    let mut resources = object.resources();
    let mut listed = resources.fonts();
    for font in fonts.values() {
        listed.pair(Name(font.resource.as_bytes()), font.id);
    }
}

fn in_order(marks: &[Mark], order: WritingOrder) -> Vec<&Mark> {
    let mut sorted: Vec<&Mark> = marks.iter().collect();
    // Fills are painted first in any order: they are behind the text.
    let layer = |mark: &Mark| u8::from(!matches!(mark, Mark::Fill { .. }));
    sorted.sort_by(|a, b| {
        let ((ax, ay), (bx, by)) = (start(a), start(b));
        layer(a).cmp(&layer(b)).then(match order {
            WritingOrder::Reading => Ordering::Equal,
            WritingOrder::ByFont => face(b).cmp(&face(a)),
            WritingOrder::BottomUp => ay.total_cmp(&by),
            WritingOrder::ByColumn => ax.total_cmp(&bx).then(by.total_cmp(&ay)),
        })
    });
    sorted
}

/// Returns the point at which a mark begins.
fn start(mark: &Mark) -> (f32, f32) {
    match mark {
        Mark::Text { x, y, .. } | Mark::Upward { x, y, .. } | Mark::Fill { x, y, .. } => (*x, *y),
        Mark::Stroke { from, .. } => *from,
        Mark::Shape { outline, .. } | Mark::Drawn { outline, .. } => match outline.first() {
            Some(Segment::Move(x, y)) => (*x, *y),
            _ => (0.0, 0.0),
        },
    }
}

/// Returns the face of a text; `None` for other marks.
fn face(mark: &Mark) -> Option<Face> {
    match mark {
        Mark::Text { face, .. } | Mark::Upward { face, .. } => Some(*face),
        _ => None,
    }
}

fn write_mark(mark: &Mark, unit: TextUnit, fonts: &BTreeMap<Face, Font>, content: &mut Content) {
    match mark {
        Mark::Text { x, y, face, size, text } => {
            if let Some(font) = fonts.get(face) {
                content.begin_text().set_font(Name(font.resource.as_bytes()), *size);
                write_text((*x, *y), *face, *size, text, unit, font, content);
                content.end_text();
            }
        }
        Mark::Upward { x, y, face, size, text } => {
            if let Some(font) = fonts.get(face) {
                // The text is written upright about the origin of a turned coordinate system.
                content.save_state().transform([0.0, 1.0, -1.0, 0.0, round(*x), round(*y)]);
                content.begin_text().set_font(Name(font.resource.as_bytes()), *size);
                write_text((0.0, 0.0), *face, *size, text, unit, font, content);
                content.end_text().restore_state();
            }
        }
        Mark::Stroke { from, to, width, dash } => {
            content.save_state().set_line_width(*width);
            if let Some((on, off)) = dash {
                content.set_dash_pattern([*on, *off], 0.0);
            }
            content.move_to(from.0, from.1).line_to(to.0, to.1).stroke().restore_state();
        }
        Mark::Fill { x, y, width, height, grey } => {
            content.save_state().set_fill_gray(*grey);
            content.rect(*x, *y, *width, *height).fill_nonzero().restore_state();
        }
        Mark::Shape { outline, width } => {
            content.save_state();
            trace(outline, content);
            match width {
                Some(width) => content.set_line_width(*width).stroke(),
                None => content.fill_nonzero(),
            };
            content.restore_state();
        }
        Mark::Drawn { outline, fill, stroke } => {
            content.save_state();
            if let Some([red, green, blue]) = *fill {
                content.set_fill_rgb(red, green, blue);
            }
            if let Some(Stroke { width, colour: [red, green, blue], dash }) = *stroke {
                content.set_line_width(width).set_stroke_rgb(red, green, blue);
                if let Some((on, off)) = dash {
                    content.set_dash_pattern([on, off], 0.0);
                }
            }
            trace(outline, content);
            match (fill, stroke) {
                (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
                (Some(_), None) => content.fill_nonzero(),
                _ => content.stroke(),
            };
            content.restore_state();
        }
    }
}

fn trace(outline: &[Segment], content: &mut Content) {
    for segment in outline {
        match *segment {
            Segment::Move(x, y) => content.move_to(round(x), round(y)),
            Segment::Line(x, y) => content.line_to(round(x), round(y)),
            Segment::Curve([(ax, ay), (bx, by), (x, y)]) => {
                content.cubic_to(round(ax), round(ay), round(bx), round(by), round(x), round(y))
            }
            Segment::Close => content.close_path(),
        };
    }
}

fn write_text(at: (f32, f32), face: Face, size: f32, text: &str, unit: TextUnit, font: &Font, content: &mut Content) {
    let encode = |piece: &str| face.encode(piece, &font.subset);
    match unit {
        TextUnit::Line => {
            place_text(at, content);
            content.show(Str(&encode(text)));
        }
        TextUnit::Word | TextUnit::WordAndSpace => {
            let mut x = at.0;
            for word in text.split_inclusive(' ') {
                let shown = if unit == TextUnit::Word { word.trim_end() } else { word };
                if !shown.is_empty() {
                    place_text((x, at.1), content);
                    content.show(Str(&encode(shown)));
                }
                x += face.width(word, size);
            }
        }
        TextUnit::Glyph => {
            let mut x = at.0;
            for character in text.chars() {
                if character != ' ' {
                    place_text((x, at.1), content);
                    content.show(Str(&encode(character.encode_utf8(&mut [0; 4]))));
                }
                x += face.advance(character) * size / 1000.0;
            }
        }
        TextUnit::Kerned | TextUnit::KernedOffsets => {
            place_text(at, content);
            let mut shown = content.show_positioned();
            let mut items = shown.items();
            let mut piece = String::new();
            let mut characters = text.chars().peekable();
            while let Some(character) = characters.next() {
                let offset_space = unit == TextUnit::KernedOffsets && character == ' ';
                if !offset_space {
                    piece.push(character);
                }
                let adjustment = if offset_space {
                    -face.advance(' ')
                } else {
                    characters.peek().map_or(0.0, |&next| kerning(character, next))
                };
                if adjustment != 0.0 {
                    if !piece.is_empty() {
                        items.show(Str(&encode(&piece)));
                        piece.clear();
                    }
                    items.adjust(adjustment);
                }
            }
            if !piece.is_empty() {
                items.show(Str(&encode(&piece)));
            }
        }
    }
}

/// Begins the text that follows at a point.
fn place_text((x, y): (f32, f32), content: &mut Content) {
    content.set_text_matrix([1.0, 0.0, 0.0, 1.0, round(x), round(y)]);
}

/// Returns the kerning of a pair in thousandths of the size, for pairs that usual kerning tables
/// have.
fn kerning(left: char, right: char) -> f32 {
    match (left, right) {
        ('A', 'V' | 'W' | 'Y' | 'T') | ('V' | 'W' | 'Y' | 'T', 'A') => 74.0,
        ('L', 'T' | 'V' | 'Y') | ('P', 'A') | ('T' | 'V' | 'Y', 'a' | 'e' | 'o') => 55.0,
        ('r', 'a' | 'e' | 'o') => 18.0,
        ('1', '1') => 37.0,
        ('f', 'f' | 'i') | ('w', 'o' | 'a') => 10.0,
        _ => 0.0,
    }
}

/// Converts a count to PDF's integers.
fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// Rounds to a hundredth of a point, finer than any printer.
fn round(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}

fn write_outline(document: &Document, pages: &[Ref], ids: &mut Ids, pdf: &mut Pdf) -> Ref {
    let root = ids.next();
    let entries = &document.outline;
    let refs: Vec<Ref> = entries.iter().map(|_| ids.next()).collect();
    let parent_of = |index: usize| entries[..index].iter().rposition(|entry| entry.level < entries[index].level);
    let parents: Vec<Option<usize>> = (0..entries.len()).map(parent_of).collect();
    let mut children: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for (index, parent) in parents.iter().enumerate() {
        children.entry(*parent).or_default().push(index);
    }
    for (parent, list) in &children {
        for (at, &index) in list.iter().enumerate() {
            let entry = &entries[index];
            let mut item = pdf.outline_item(refs[index]);
            item.title(TextStr(&entry.title)).parent(parent.map_or(root, |p| refs[p]));
            if at > 0 {
                item.prev(refs[list[at - 1]]);
            }
            if let Some(&next) = list.get(at + 1) {
                item.next(refs[next]);
            }
            if let Some(own) = children.get(&Some(index)) {
                item.first(refs[own[0]]).last(refs[own[own.len() - 1]]).count(number(own.len()));
            }
            if let Some(&page) = pages.get(entry.page.saturating_sub(1)) {
                item.dest().page(page).xyz(0.0, 792.0, None);
            }
        }
    }
    let top = children.get(&None).cloned().unwrap_or_default();
    let mut outline = pdf.outline(root);
    if let (Some(&first), Some(&last)) = (top.first(), top.last()) {
        outline.first(refs[first]).last(refs[last]).count(number(entries.len()));
    }
    root
}
