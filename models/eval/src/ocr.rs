//! How well OCR reads pages whose text layer is the truth.

use std::collections::BTreeMap;

use fanlight_contract::{PageText, ReadWord};
use fanlight_plugin::page::Readable;

/// Least size of a type that counts, in points.
const LEAST_SIZE: f32 = 4.0;

/// Returns the visible words of a page's text layer, with case and accents.
pub fn words_of_layer(page: &dyn Readable) -> Vec<String> {
    let PageText { fonts, runs } = page.text();
    let runs = runs.into_iter().filter(|run| run.visible && run.size >= LEAST_SIZE).collect();
    let text = fanlight_text::Page::read(&PageText { fonts, runs }, &page.geometry());
    let turned = text.turned.iter().flat_map(|turned| &turned.lines);
    let words = text.lines.iter().chain(turned).flat_map(|line| &line.words);
    words.filter(|word| !word.leader).flat_map(|word| plain(&word.text)).collect()
}

/// Returns the words of a text with typographic marks replaced by the plain ones that look alike.
fn plain(text: &str) -> Vec<String> {
    let replaced = text.chars().map(|c| match c {
        '’' | '‘' | '′' | '`' | '´' => '\'',
        '“' | '”' | '″' => '"',
        '–' | '—' | '−' => '-',
        other => other,
    });
    replaced.collect::<String>().split_whitespace().map(str::to_owned).collect()
}

/// The words of a page, compared as a bag.
pub struct Accuracy {
    /// Words that both have.
    pub right: usize,
    /// Words of the text layer that were not read.
    pub missed: Vec<String>,
    /// Words that were read and are not in the text layer.
    pub wrong: Vec<String>,
}

impl Accuracy {
    /// Compares recognized words with those of the text layer, whatever their places.
    pub fn of_words(truth: &[String], read: &[ReadWord]) -> Self {
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for word in truth {
            *left.entry(word).or_default() += 1;
        }
        let (mut right, mut wrong) = (0, Vec::new());
        for word in read.iter().flat_map(|word| plain(&word.text)) {
            match left.get_mut(word.as_str()).filter(|count| **count > 0) {
                Some(count) => {
                    *count -= 1;
                    right += 1;
                }
                None => wrong.push(word),
            }
        }
        let missed = left.into_iter().flat_map(|(word, count)| std::iter::repeat_n(word.to_owned(), count)).collect();
        Self { right, missed, wrong }
    }

    /// Returns the share of the text layer's words that were read; 1 if it has none.
    pub fn recall(&self) -> f32 {
        share(self.right, self.missed.len())
    }

    /// Returns the share of read words that the text layer has; 1 if none was read.
    pub fn precision(&self) -> f32 {
        share(self.right, self.wrong.len())
    }
}

fn share(right: usize, other: usize) -> f32 {
    if right + other == 0 { 1.0 } else { right as f32 / (right + other) as f32 }
}
