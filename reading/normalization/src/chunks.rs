//! Splits a long section into chunks, so that no prompt is longer than a model reads well.

use std::ops::Range;

use crate::Section;

/// Maximum size of a chunk: some 5,000 tokens of English. Most sections are one chunk.
pub(crate) const MAX_CHUNK_BYTES: usize = 16 * 1024;

/// Returns the chunks of a section as byte ranges, in order: as many whole articles each as fit. An article that is itself too
/// long is split at the ends of lines. Chunks without text are left out.
pub(crate) fn split(section: &Section) -> Vec<Range<usize>> {
    let text = section.text;
    let starts = section.articles.iter().map(|(start, _)| *start);
    let mut borders: Vec<usize> = starts.filter(|start| text.is_char_boundary(*start)).collect();
    borders.push(text.len());
    borders.sort_unstable();

    let mut chunks = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let limit = start + MAX_CHUNK_BYTES;
        let article = borders.iter().copied().rfind(|border| *border > start && *border <= limit);
        let end = article.unwrap_or_else(|| end_of_line(text, start, limit));
        chunks.push(start..end);
        start = end;
    }
    chunks.retain(|chunk| text.get(chunk.clone()).is_some_and(|text| !text.trim().is_empty()));
    chunks
}

/// Returns where to split before `limit`: after the last line, else after the last word, else after a character.
fn end_of_line(text: &str, start: usize, limit: usize) -> usize {
    let limit = text.floor_char_boundary(limit);
    let head = text.get(start..limit).unwrap_or_default();
    let line = head.rfind('\n').map(|at| at + 1);
    let word = || head.rfind(' ').map(|at| at + 1);
    line.or_else(word).map_or(limit, |length| start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sizes of the chunks of articles of these sizes, made of lines of 10 bytes.
    fn chunk_sizes(articles: &[usize]) -> Vec<usize> {
        let text = "A. A line\n".repeat(articles.iter().sum::<usize>() / 10);
        let mut start = 0;
        let mut marks = Vec::new();
        for length in articles {
            marks.push((start, "1.1"));
            start += length;
        }
        let chunks = split(&Section { text: &text, articles: marks, lines: Vec::new() });
        let joined: String = chunks.iter().map(|chunk| &text[chunk.clone()]).collect();
        assert_eq!(joined, text, "nothing is lost or repeated");
        chunks.into_iter().map(|chunk| chunk.len()).collect()
    }

    #[test]
    fn chunks_end_where_articles_do() {
        let cases: [(&[usize], &[usize]); 5] = [
            (&[1000, 2000, 3000], &[6000]),
            (&[10_000, 6_000, 9_000, 500], &[16_000, 9_500]),
            (&[16_380, 16_380], &[16_380, 16_380]),
            (&[1000, 40_000, 1000], &[1000, 16_380, 16_380, 8_240]),
            (&[], &[]),
        ];
        for (articles, expected) in cases {
            assert_eq!(chunk_sizes(articles), expected, "{articles:?}");
        }
    }

    #[test]
    fn an_endless_line_is_split_between_words_or_characters() {
        let words = "word ".repeat(MAX_CHUNK_BYTES);
        let letters = "ü".repeat(MAX_CHUNK_BYTES);
        for text in [&words, &letters] {
            let section = Section { text, ..Section::default() };
            let chunks = split(&section);
            assert!(chunks.iter().all(|chunk| chunk.len() <= MAX_CHUNK_BYTES));
            let joined: String = chunks.into_iter().map(|chunk| &text[chunk]).collect();
            assert_eq!(&joined, text);
        }
    }

    #[test]
    fn positions_off_a_character_boundary_are_ignored() {
        let section = Section { text: "über alles", articles: vec![(1, "a"), (99, "b")], lines: Vec::new() };
        assert_eq!(split(&section), [Range { start: 0, end: 11 }]);
    }
}
