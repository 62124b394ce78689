//! The page frame of a manual, and the properties of a line of text.

use super::project::Project;
use super::style::{Band, Paper, Style};
use super::wording::wording;
use crate::pdf::{self, Face, Page};

/// The area between header and footer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) left: f32,
    pub(crate) right: f32,
    pub(crate) top: f32,
    pub(crate) bottom: f32,
}

impl Paper {
    fn size(self) -> (f32, f32) {
        match self {
            Paper::Letter => (612.0, 792.0),
            Paper::Legal => (612.0, 1008.0),
            Paper::A4 => (595.0, 842.0),
            Paper::LetterLandscape => (792.0, 612.0),
            Paper::Tabloid => (1224.0, 792.0),
        }
    }
}

/// Returns the page frame of a style.
pub(crate) fn frame(style: &Style) -> Frame {
    let (width, height) = style.paper.size();
    let side = if style.columns > 1 { 50.0 } else { 68.0 };
    Frame { left: side, right: width - side, top: height - 82.0, bottom: 74.0 }
}

/// Creates pages.
pub(crate) struct Sheet;

impl Sheet {
    /// Returns an empty page.
    pub(crate) fn blank(style: &Style) -> Page {
        let (width, height) = style.paper.size();
        Page { width, height, rotate: style.rotate, marks: Vec::new() }
    }
}

/// What a header and a footer say about their page.
pub(crate) struct Subject<'a> {
    /// What the page belongs to: a section's title or the contents.
    pub(crate) title: &'a str,
    /// What precedes the page number: a section number or `TOC`.
    pub(crate) short: &'a str,
    /// The page within the subject, from 1.
    pub(crate) page: usize,
    /// The number of the subject's pages.
    pub(crate) pages: usize,
    /// The volume, from 1.
    pub(crate) volume: usize,
}

/// Draws header and footer.
pub(crate) fn running(page: &mut Page, style: &Style, project: &Project, subject: &Subject) {
    let frame = frame(style);
    let (top, bottom) = (frame.top + 34.0, frame.bottom - 34.0);
    if style.border > 0 {
        let (left, right, low, high) = (frame.left - 16.0, frame.right + 16.0, bottom - 14.0, top + 18.0);
        let corners = [(left, low), (right, low), (right, high), (left, high), (left, low)];
        for side in corners.windows(2) {
            page.stroke(side[0], side[1], 1.0);
        }
    }
    band(page, style, project, subject, style.header, top, frame);
    band(page, style, project, subject, style.footer, bottom, frame);
}

fn band(page: &mut Page, style: &Style, project: &Project, subject: &Subject, kind: Band, y: f32, frame: Frame) {
    let words = wording(style.language);
    let face = Face::new(style.family, false);
    let size = f32::from(style.size.min(10)) - 1.0;
    let numbered = format!("{} {}", words.project_number, project.number);
    let (left, middle, right) = match kind {
        Band::None => return,
        Band::Project => (project.name.clone(), String::new(), subject.title.to_uppercase()),
        Band::NumberAndDate => (numbered, project.date.clone(), project.phase.to_owned()),
        Band::SubjectPage => {
            (project.owner.clone(), subject.title.to_owned(), format!("{} - {}", subject.short, subject.page))
        }
        Band::PageOf => {
            let count = format!("{} {} {} {}", words.page, subject.page, words.of, subject.pages);
            (project.date.clone(), String::new(), format!("{}   {count}", subject.short))
        }
        Band::Address => (project.architect.clone(), String::new(), project.address.clone()),
        Band::Volume => {
            (format!("{} {}", words.volume, subject.volume), project.date.clone(), subject.page.to_string())
        }
    };
    page.text(frame.left, y, face, size, &left);
    // The centre is shortened on narrow paper.
    let half = (frame.right - frame.left) / 2.0;
    let crowded = face.width(&middle, size) / 2.0 + face.width(&left, size).max(face.width(&right, size)) + 10.0 > half;
    if !crowded {
        page.text_centred(f32::midpoint(frame.left, frame.right), y, face, size, &middle);
    }
    page.text_right(frame.right, y, face, size, &right);
}

/// Face, size and whether small letters are small capitals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ink {
    pub(crate) face: Face,
    pub(crate) size: f32,
    pub(crate) small_capitals: bool,
}

/// The ratio of the size of small capitals to that of large ones.
const SMALL: f32 = 0.8;

impl Ink {
    /// Splits a text into pieces of one size each.
    fn pieces(self, text: &str) -> Vec<(f32, String)> {
        if !self.small_capitals {
            return vec![(self.size, text.to_owned())];
        }
        let mut pieces: Vec<(f32, String)> = Vec::new();
        for character in text.chars() {
            let size = if character.is_lowercase() { self.size * SMALL } else { self.size };
            let shown = character.to_uppercase();
            match pieces.last_mut() {
                Some((last, piece)) if *last == size || character == ' ' => piece.extend(shown),
                _ => pieces.push((size, shown.collect())),
            }
        }
        pieces
    }

    pub(crate) fn width(self, text: &str) -> f32 {
        self.pieces(text).iter().map(|(size, piece)| self.face.width(piece, *size)).sum()
    }

    pub(crate) fn draw(self, page: &mut Page, x: f32, y: f32, text: &str) {
        let mut at = x;
        for (size, piece) in self.pieces(text) {
            page.text(at, y, self.face, size, &piece);
            at += self.face.width(&piece, size);
        }
    }

    pub(crate) fn draw_centred(self, page: &mut Page, middle: f32, y: f32, text: &str) {
        self.draw(page, middle - self.width(text) / 2.0, y, text);
    }

    /// Breaks a text into lines of at most `first` and then `width` points.
    pub(crate) fn wrap(self, text: &str, first: f32, width: f32) -> Vec<String> {
        // Small capitals are measured as capitals of the full size, so that lines break a little
        // early, as typed ones do.
        let shown = if self.small_capitals { text.to_uppercase() } else { text.to_owned() };
        let lines = pdf::wrap(&shown, self.face, self.size, first, width);
        if !self.small_capitals {
            return lines;
        }
        let mut rest = text.chars();
        lines
            .iter()
            .map(|line| {
                let own: String = rest.by_ref().take(line.chars().count()).collect();
                rest.next();
                own
            })
            .collect()
    }
}
