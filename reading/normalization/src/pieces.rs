//! A long section in pieces, so that no prompt is longer than a model reads well.

use std::ops::Range;

use crate::Section;

/// The longest piece: some 5,000 tokens of English. Most sections are one piece.
pub(crate) const PIECE_BYTES: usize = 16 * 1024;

/// The pieces of a section, in order: as many whole articles each as fit. An article that is itself too long is cut at
/// the ends of lines. Pieces without any text are left out.
pub(crate) fn cut(section: &Section) -> Vec<Range<usize>> {
    let text = section.text;
    let starts = section.articles.iter().map(|(start, _)| *start);
    let mut borders: Vec<usize> = starts.filter(|start| text.is_char_boundary(*start)).collect();
    borders.push(text.len());
    borders.sort_unstable();

    let mut pieces = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let limit = start + PIECE_BYTES;
        let article = borders.iter().copied().rfind(|border| *border > start && *border <= limit);
        let end = article.unwrap_or_else(|| end_of_line(text, start, limit));
        pieces.push(start..end);
        start = end;
    }
    pieces.retain(|piece| text.get(piece.clone()).is_some_and(|text| !text.trim().is_empty()));
    pieces
}

/// Where to cut before `limit`: after the last line, else after the last word, else wherever a character ends.
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

    /// Articles of so many bytes each, of lines of 10 bytes.
    fn pieces_of(articles: &[usize]) -> Vec<usize> {
        let text = "A. A line\n".repeat(articles.iter().sum::<usize>() / 10);
        let mut start = 0;
        let mut marks = Vec::new();
        for length in articles {
            marks.push((start, "1.1"));
            start += length;
        }
        let pieces = cut(&Section { text: &text, articles: marks, pages: Vec::new() });
        let joined: String = pieces.iter().map(|piece| &text[piece.clone()]).collect();
        assert_eq!(joined, text, "nothing is lost and nothing is said twice");
        pieces.into_iter().map(|piece| piece.len()).collect()
    }

    #[test]
    fn pieces_end_where_articles_do() {
        let cases: [(&[usize], &[usize]); 5] = [
            (&[1000, 2000, 3000], &[6000]),
            (&[10_000, 6_000, 9_000, 500], &[16_000, 9_500]),
            (&[16_380, 16_380], &[16_380, 16_380]),
            (&[1000, 40_000, 1000], &[1000, 16_380, 16_380, 8_240]),
            (&[], &[]),
        ];
        for (articles, expected) in cases {
            assert_eq!(pieces_of(articles), expected, "{articles:?}");
        }
    }

    #[test]
    fn a_line_without_end_is_cut_between_words_else_between_characters() {
        let words = "word ".repeat(PIECE_BYTES);
        let letters = "ü".repeat(PIECE_BYTES);
        for text in [&words, &letters] {
            let section = Section { text, ..Section::default() };
            let pieces = cut(&section);
            assert!(pieces.iter().all(|piece| piece.len() <= PIECE_BYTES));
            let joined: String = pieces.into_iter().map(|piece| &text[piece]).collect();
            assert_eq!(&joined, text);
        }
    }

    #[test]
    fn places_that_are_none_are_passed_over() {
        let section = Section { text: "über alles", articles: vec![(1, "a"), (99, "b")], pages: Vec::new() };
        assert_eq!(cut(&section), [Range { start: 0, end: 11 }]);
    }
}
