//! Puts the lines of a picture in reading order.

use fanlight_contract::{ReadWord, Rect};

use crate::recognition::ReadLine;

/// Lines whose boxes overlap in height by more than this share of the lower one's height stand side by side.
const SAME_ROW: f32 = 0.5;
/// A line stands on its head if its direction's cosine is below this: it is turned by 120 degrees or more.
const ON_ITS_HEAD: f32 = -0.5;

/// Sorts lines from top to bottom, and those that stand side by side from left to right. Where most lines stand on their
/// heads the order is the reverse.
pub(crate) fn sort(lines: &mut [ReadLine]) {
    lines.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    let mut start = 0;
    while start < lines.len() {
        let first = lines[start].area.bounds();
        let rest = lines[start..].iter();
        let count = rest.take_while(|line| stand_side_by_side(&first, &line.area.bounds())).count().max(1);
        lines[start..start + count].sort_by(|a, b| a.area.bounds().x1.total_cmp(&b.area.bounds().x1));
        start += count;
    }
    let upside_down = lines.iter().filter(|line| line.area.angle.cos() < ON_ITS_HEAD).count();
    if upside_down * 2 > lines.len() {
        lines.reverse();
    }
}

/// Returns the words of all lines, numbered by line.
pub(crate) fn numbered(lines: &[ReadLine]) -> Vec<ReadWord> {
    let words = (0..).zip(lines).flat_map(|(number, line)| {
        line.words.iter().map(move |word| ReadWord {
            text: word.text.clone(),
            bbox: word.area.bounds(),
            confidence: word.confidence,
            angle: (-word.area.angle.to_degrees()).rem_euclid(360.0),
            line: number,
        })
    });
    words.collect()
}

/// Returns the y of a line's middle.
fn middle(line: &ReadLine) -> f32 {
    line.area.center.1
}

fn stand_side_by_side(a: &Rect, b: &Rect) -> bool {
    let overlap = a.y2.min(b.y2) - a.y1.max(b.y1);
    overlap > SAME_ROW * (a.y2 - a.y1).min(b.y2 - b.y1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::LineWord;
    use fanlight_raster::OrientedBox;

    fn line(text: &str, x: f32, y: f32) -> ReadLine {
        let area = OrientedBox::upright(Rect { x1: x, y1: y, x2: x + 50.0, y2: y + 10.0 });
        ReadLine { area, words: vec![LineWord { text: text.to_owned(), area, confidence: 1.0 }] }
    }

    #[test]
    fn lines_side_by_side_are_read_from_the_left() {
        let mut lines = vec![line("C", 0.0, 40.0), line("B", 100.0, 9.0), line("A", 0.0, 12.0), line("D", 60.0, 44.0)];
        sort(&mut lines);
        let words = numbered(&lines);
        assert_eq!(words.iter().map(|word| word.text.as_str()).collect::<String>(), "ABCD");
        assert_eq!(words.iter().map(|word| word.line).collect::<Vec<_>>(), [0, 1, 2, 3]);
    }

    #[test]
    fn an_upward_line_has_an_angle_of_90_degrees() {
        let mut upward = line("A", 0.0, 0.0);
        upward.words[0].area = upward.words[0].area.turned(3);
        assert!((numbered(&[upward])[0].angle - 90.0).abs() < 0.01);
    }
}
