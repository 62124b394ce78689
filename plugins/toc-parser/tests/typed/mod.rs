//! Manuals typed as plain text, one string a page: each character in a cell of its own, each word a run.

use std::convert::Infallible;

use fanlight_vocabulary::{Font, Geometry, PagePaths, PageText, Rect, TextRun};
use toc_parser::{Bookmark, Leaf, Manual};

const SIZE: f32 = 10.0;
const ADVANCE: f32 = 6.0;
const LEADING: f32 = 12.0;
const SHEET: Rect = Rect { x1: 0.0, y1: 0.0, x2: 720.0, y2: 792.0 };

/// A manual of typed pages.
pub(crate) struct Typed {
    pub(crate) pages: Vec<&'static str>,
    pub(crate) bookmarks: Vec<&'static str>,
}

/// One of its pages.
pub(crate) struct TypedPage(&'static str);

impl Manual for Typed {
    type Error = Infallible;
    type Leaf = TypedPage;

    fn leaf(&self, number: u32) -> Result<TypedPage, Infallible> {
        Ok(TypedPage(self.pages.get(number as usize - 1).copied().unwrap_or_default()))
    }

    fn bookmarks(&self) -> Vec<Bookmark> {
        self.bookmarks.iter().map(|title| Bookmark { title: (*title).to_owned(), level: 0 }).collect()
    }
}

impl Leaf for TypedPage {
    fn geometry(&self) -> Geometry {
        Geometry { media_box: SHEET, crop_box: SHEET, rotation: 0, user_unit: 1.0 }
    }

    fn text(&self) -> PageText {
        let fonts = vec![Font { name: "Typewriter".to_owned(), bold: false, italic: false }];
        let mut runs = Vec::new();
        for (row, line) in self.0.lines().enumerate() {
            let y = 740.0 - row as f32 * LEADING;
            let characters: Vec<char> = line.chars().collect();
            let mut at = 0;
            for word in characters.split(|c| *c == ' ') {
                if !word.is_empty() {
                    runs.push(run(&word.iter().collect::<String>(), 50.0 + at as f32 * ADVANCE, y));
                }
                at += word.len() + 1;
            }
        }
        PageText { fonts, runs }
    }

    fn paths(&self) -> PagePaths {
        PagePaths {
            ops: vec![],
            coordinates: vec![],
            lengths: vec![],
            style_of: vec![],
            styles: vec![],
            layers: vec![],
        }
    }
}

fn run(text: &str, x: f32, y: f32) -> TextRun {
    let count = text.chars().count();
    TextRun {
        text: text.to_owned(),
        lengths: text.chars().map(|c| c.len_utf8() as u8).collect(),
        advances: vec![ADVANCE; count],
        codes: text.chars().map(u32::from).collect(),
        x,
        y,
        size: SIZE,
        angle: 0.0,
        bbox: Rect { x1: x, y1: y - 2.0, x2: x + ADVANCE * count as f32, y2: y + 8.0 },
        font: 0,
        color: 0,
        visible: true,
    }
}
