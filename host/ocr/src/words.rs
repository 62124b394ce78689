//! Parses the program's answer: tab-separated rows, of which those of level 5 are words.

use serde::Deserialize;

use crate::OcrError;

/// The level of a word's row; pages, blocks, paragraphs and lines have lower levels.
const WORD: u8 = 5;

/// A recognized word.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// The recognized text.
    pub text: String,
    /// Left, top, right and bottom edge in pixels of the picture, y down.
    pub bbox: [u32; 4],
    /// From 0 to 1.
    pub confidence: f32,
    /// The line's number, from 0 in reading order. Words of one line share it.
    pub line: u32,
}

#[derive(Deserialize)]
struct Row {
    level: u8,
    block_num: u32,
    par_num: u32,
    line_num: u32,
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    conf: f32,
    text: String,
}

/// The program's numbering of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LineKey {
    block: u32,
    paragraph: u32,
    line: u32,
}

/// Returns the words in the order of the answer.
///
/// # Errors
///
/// [`OcrError::Failed`] if the answer is not a table of words.
pub(crate) fn parse(answer: &str) -> Result<Vec<Word>, OcrError> {
    // Quotation marks in texts have no special meaning.
    let mut rows =
        csv::ReaderBuilder::new().delimiter(b'\t').quoting(false).flexible(true).from_reader(answer.as_bytes());
    let not_a_table = |error: csv::Error| OcrError::Failed(format!("its answer is no table: {error}"));
    if !rows.headers().map_err(not_a_table)?.iter().any(|column| column == "text") {
        return Err(OcrError::Failed("its answer is no table of words".to_owned()));
    }
    let mut words = Vec::new();
    let mut lines: Vec<LineKey> = Vec::new();
    for row in rows.deserialize::<Row>() {
        let row = row.map_err(not_a_table)?;
        let text = row.text.trim();
        if row.level != WORD || text.is_empty() {
            continue;
        }
        let line = LineKey { block: row.block_num, paragraph: row.par_num, line: row.line_num };
        if lines.last() != Some(&line) {
            lines.push(line);
        }
        words.push(Word {
            text: text.to_owned(),
            bbox: [row.left, row.top, row.left.saturating_add(row.width), row.top.saturating_add(row.height)],
            confidence: (row.conf / 100.0).clamp(0.0, 1.0),
            line: lines.len() as u32 - 1,
        });
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str =
        "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n";

    #[test]
    fn words_of_one_line_share_a_number_and_blanks_are_skipped() {
        let rows = "1\t1\t0\t0\t0\t0\t0\t0\t900\t200\t-1\t\n\
                    5\t1\t1\t1\t1\t1\t10\t20\t30\t8\t96.5\tROOM\n\
                    5\t1\t1\t1\t1\t2\t50\t20\t10\t8\t91\t\"A\"\n\
                    5\t1\t1\t1\t2\t1\t10\t40\t30\t8\t-1\t \n\
                    5\t1\t2\t1\t1\t1\t10\t60\t30\t8\t40\tx\n";
        let words = parse(&format!("{HEAD}{rows}")).unwrap();
        let read: Vec<(&str, u32)> = words.iter().map(|word| (word.text.as_str(), word.line)).collect();
        assert_eq!(read, [("ROOM", 0), ("\"A\"", 0), ("x", 1)]);
        assert_eq!(words[0].bbox, [10, 20, 40, 28]);
        assert!((words[0].confidence - 0.965).abs() < 1e-6);
    }

    #[test]
    fn an_answer_without_a_table_is_a_failure() {
        assert!(parse("level\tconf\n5\tx\n").is_err());
        assert_eq!(parse(HEAD).unwrap(), []);
    }
}
