//! Reads lines of text with the network `text-recognizer`.

use std::rc::Rc;

use fanlight_contract::nn::{NnError, Tensor};
use fanlight_raster::{GreyImage, OrientedBox};

use crate::Networks;
use crate::alphabet::{CYRILLIC, HAN, LATIN};
use crate::ctc::{self, ReadCharacter};
use crate::script::{self, Readings, Script, mean_confidence};
use crate::words::{LineWord, split};

/// Height of a line in the network's input, in pixels.
const HEIGHT: usize = 48;
/// Pixels across in the input for one step of the output.
const STEP: usize = 8;
/// Widest line that is read at once, in pixels of the input. A longer one is read in parts.
const WIDEST: usize = 2400;
/// Most pixels across of all lines that are read in one run, so that its memory is bounded.
const BATCH_WIDTH: usize = 4800;
/// Brightness of what is added to the shorter lines of a run, of 1: the zero of the network's own scale.
const PADDING: f32 = 0.5;
/// A box that is this many times as high as wide is a column that is read upwards or downwards. As in
/// `get_rotate_crop_image` of the network's authors.
const COLUMN: f32 = 1.5;
/// A line with a lower mean confidence is noise. As `text_score` of the
/// reference implementation.
const MIN_CONFIDENCE: f32 = 0.5;

/// A picture whose lines have a lower mean confidence may stand on its head. The pictures of `models/eval/tests/ocr` reach
/// 0.99 upright and 0.77 upside down.
const WELL_READ: f32 = 0.9;
/// Lines that are read from the other side, too, to tell whether their picture stands on its head.
const SAMPLE: usize = 12;
/// Fewest lines that tell whether their picture stands on its head.
const FEWEST_LINES: usize = 3;

/// A line that was read.
#[derive(Clone, Debug)]
pub(crate) struct ReadLine {
    /// Its box, with the direction in which it is read.
    pub(crate) area: OrientedBox,
    /// Its words in order; at least one.
    pub(crate) words: Vec<LineWord>,
}

/// One way to read a box.
struct Candidate {
    /// The number of the box.
    number: usize,
    /// The box with the direction in which it is read.
    area: OrientedBox,
    /// The line as the network sees it.
    crop: Rc<GreyImage>,
}

/// Reads the text in some boxes of a picture. Boxes that hold none have no line.
///
/// # Errors
///
/// The network cannot be used or fails.
pub(crate) fn read_lines(
    picture: &GreyImage,
    boxes: &[OrientedBox],
    characters: &str,
    networks: &dyn Networks,
) -> Result<Vec<ReadLine>, NnError> {
    let expected = Expected {
        latin: LATIN.expected_classes(characters),
        cyrillic: CYRILLIC.expected_classes(characters),
        all: characters.is_empty(),
    };
    let lines = Lines { picture, expected, networks };
    let boxes: Vec<OrientedBox> = boxes.iter().flat_map(parts).collect();
    let upright = lines.read(&boxes, directions)?;
    let is_upside_down = confidence_in(&upright) < WELL_READ && lines.stand_on_their_heads(&boxes, &upright)?;
    let read = if is_upside_down { lines.read(&boxes, other_directions)? } else { upright };
    let script = script::of_picture(read.iter().flatten().map(|line| &line.readings));
    Ok(read.into_iter().flatten().filter_map(|line| line.words_in(script)).collect())
}

/// A line as it was read, before the script of its picture is known.
#[derive(Clone, Debug)]
struct SureLine {
    /// The mean confidence of its characters, from 0 to 1.
    confidence: f32,
    area: OrientedBox,
    crop: Rc<GreyImage>,
    readings: Readings,
}

impl SureLine {
    fn new(candidate: &Candidate, readings: Readings) -> Self {
        let confidence = mean_confidence(readings.by_head_of(readings.sure_script()));
        Self { confidence, area: candidate.area, crop: Rc::clone(&candidate.crop), readings }
    }

    /// Returns the line's words in a picture of a script; `None` if it has none, or they are noise.
    fn words_in(self, picture: Script) -> Option<ReadLine> {
        let script = self.readings.script_in(picture);
        let read = self.readings.by_head_of(script);
        if mean_confidence(read) < MIN_CONFIDENCE {
            return None;
        }
        let mut words = split(read, &self.crop, &self.area);
        if script == Script::Cyrillic {
            for word in &mut words {
                word.text = script::in_one_case(&script::in_one_script(&word.text));
            }
        }
        (!words.is_empty()).then_some(ReadLine { area: self.area, words })
    }
}

/// Returns the mean confidence of some lines. Noise has 0.
fn confidence_in(lines: &[Option<SureLine>]) -> f32 {
    let read = lines.iter().flatten().map(|line| line.confidence).filter(|confidence| *confidence >= MIN_CONFIDENCE);
    read.sum::<f32>() / lines.len().max(1) as f32
}

/// Which classes of each head may be read.
struct Expected {
    latin: Vec<bool>,
    cyrillic: Vec<bool>,
    /// Whether all characters may be read. If not, the head for Chinese and Japanese characters reads none: it tells only the
    /// likeliest.
    all: bool,
}

/// The lines of a picture and what reads them.
struct Lines<'a> {
    picture: &'a GreyImage,
    expected: Expected,
    networks: &'a dyn Networks,
}

impl Lines<'_> {
    /// Reads each box in each of its directions and returns the surest reading of each box.
    fn read(
        &self,
        boxes: &[OrientedBox],
        directions: fn(&OrientedBox) -> Vec<OrientedBox>,
    ) -> Result<Vec<Option<SureLine>>, NnError> {
        let mut candidates: Vec<Candidate> = boxes
            .iter()
            .enumerate()
            .flat_map(|(number, found)| directions(found).into_iter().map(move |area| (number, area)))
            .map(|(number, area)| Candidate { number, area, crop: Rc::new(self.picture.crop(&area, HEIGHT)) })
            .collect();
        candidates.sort_by_key(|candidate| candidate.crop.width);
        let mut best: Vec<Option<SureLine>> = vec![None; boxes.len()];
        for batch in batches(&candidates) {
            for (candidate, readings) in batch.iter().zip(run(batch, &self.expected, self.networks)?) {
                let line = SureLine::new(candidate, readings);
                let before = &mut best[candidate.number];
                let is_surer = before.as_ref().is_none_or(|other| other.confidence < line.confidence);
                if is_surer {
                    *before = Some(line);
                }
            }
        }
        Ok(best)
    }

    /// Returns whether the longest boxes are read more surely from the picture's other side than in `upright`, which has the
    /// reading of each box.
    fn stand_on_their_heads(&self, boxes: &[OrientedBox], upright: &[Option<SureLine>]) -> Result<bool, NnError> {
        if boxes.len() < FEWEST_LINES {
            return Ok(false);
        }
        let mut longest: Vec<(&OrientedBox, &Option<SureLine>)> = boxes.iter().zip(upright).collect();
        longest.sort_by(|(a, _), (b, _)| b.length.total_cmp(&a.length));
        longest.truncate(SAMPLE);
        let (boxes, upright): (Vec<OrientedBox>, Vec<Option<SureLine>>) =
            longest.into_iter().map(|(area, read)| (*area, read.clone())).unzip();
        let upside_down = self.read(&boxes, other_directions)?;
        Ok(confidence_in(&upside_down) > confidence_in(&upright))
    }
}

/// Divides a box into equal parts that are not too long to be read at once.
fn parts(found: &OrientedBox) -> Vec<OrientedBox> {
    let (long, short) = (found.length.max(found.thickness), found.length.min(found.thickness));
    let most = (WIDEST as f32 / HEIGHT as f32) * short.max(1.0);
    let count = (long / most).ceil().max(1.0) as usize;
    let turned = if is_column(found) { found.turned(1) } else { *found };
    let step = long / count as f32;
    let part = |number: usize| turned.part(number as f32 * step, (number + 1) as f32 * step);
    let parts = (0..count).map(part);
    if is_column(found) { parts.map(|part| part.turned(3)).collect() } else { parts.collect() }
}

fn is_column(found: &OrientedBox) -> bool {
    found.thickness >= COLUMN * found.length
}

/// Returns a box with each direction in which it may be read on an upright picture.
fn directions(found: &OrientedBox) -> Vec<OrientedBox> {
    if is_column(found) { vec![found.turned(3), found.turned(1)] } else { vec![*found] }
}

/// Returns a box with each direction in which it may be read on a picture that stands on its head.
fn other_directions(found: &OrientedBox) -> Vec<OrientedBox> {
    directions(found).iter().map(|upright| upright.turned(2)).collect()
}

/// Divides lines, the narrowest first, into runs.
fn batches(candidates: &[Candidate]) -> Vec<&[Candidate]> {
    let mut batches = Vec::new();
    let mut rest = candidates;
    while !rest.is_empty() {
        let fits = |count: &usize| *count * rest[*count - 1].crop.width <= BATCH_WIDTH;
        let count = (1..=rest.len()).take_while(fits).last().unwrap_or(1);
        let (batch, after) = rest.split_at(count);
        batches.push(batch);
        rest = after;
    }
    batches
}

/// Has the network read some lines at once.
fn run(batch: &[Candidate], expected: &Expected, networks: &dyn Networks) -> Result<Vec<Readings>, NnError> {
    let widest = batch.iter().map(|candidate| candidate.crop.width).max().unwrap_or(1);
    let width = widest.next_multiple_of(STEP);
    let mut pixels = vec![PADDING; batch.len() * HEIGHT * width];
    for (candidate, line) in batch.iter().zip(pixels.chunks_exact_mut(HEIGHT * width)) {
        for (row, seen) in line.chunks_exact_mut(width).zip(candidate.crop.grey.chunks_exact(candidate.crop.width)) {
            for (pixel, seen) in row.iter_mut().zip(seen) {
                *pixel = f32::from(*seen) / 255.0;
            }
        }
    }
    let said = networks.recognize(Tensor::new(&[batch.len() as u32, 1, HEIGHT as u32, width as u32], pixels))?;
    let latin = of_each_line(&said.latin, batch.len(), LATIN.classes())?;
    let cyrillic = of_each_line(&said.cyrillic, batch.len(), CYRILLIC.classes())?;
    let han = of_each_line(&said.han, batch.len(), 2)?;
    let lines = batch.iter().zip(latin).zip(cyrillic.zip(han)).map(|((candidate, latin), (cyrillic, han))| {
        let share = candidate.crop.width as f32 / width as f32;
        let han = if expected.all { ctc::decode_likeliest(han, &HAN) } else { Vec::new() };
        Readings {
            latin: within(ctc::decode(latin, &LATIN, &expected.latin), share),
            cyrillic: within(ctc::decode(cyrillic, &CYRILLIC, &expected.cyrillic), share),
            han: within(han, share),
        }
    });
    Ok(lines.collect())
}

/// Returns what a head of the network says of each of some lines: so many values a step.
fn of_each_line(said: &Tensor, lines: usize, values: usize) -> Result<impl Iterator<Item = &[f32]>, NnError> {
    let of_line = match said.shape[..] {
        [count, steps, size] if count as usize == lines && size as usize == values && steps > 0 => {
            steps as usize * values
        }
        _ => 0,
    };
    if of_line == 0 || said.values.len() != lines * of_line {
        return Err(NnError::Failed(format!("the network's output has the shape {:?}", said.shape)));
    }
    Ok(said.values.chunks_exact(of_line))
}

/// Returns the characters of a line that takes a share of the width that the network saw. What stands in the padding is
/// nothing, and places count from the line's own width.
fn within(mut read: Vec<ReadCharacter>, share: f32) -> Vec<ReadCharacter> {
    read.retain(|read| read.place <= share);
    for read in &mut read {
        read.place /= share;
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_contract::Rect;

    fn upright(x1: f32, y1: f32, x2: f32, y2: f32) -> OrientedBox {
        OrientedBox::upright(Rect { x1, y1, x2, y2 })
    }

    fn candidate(width: usize) -> Candidate {
        let crop = Rc::new(GreyImage { width, height: HEIGHT, grey: vec![255; width * HEIGHT] });
        Candidate { number: 0, area: upright(0.0, 0.0, width as f32, HEIGHT as f32), crop }
    }

    #[test]
    fn a_column_is_read_in_both_directions() {
        let column = upright(0.0, 0.0, 10.0, 60.0);
        let angles: Vec<f32> = directions(&column).iter().map(|area| area.angle.to_degrees().round()).collect();
        assert_eq!(angles, [270.0, 90.0]);
        assert_eq!(directions(&upright(0.0, 0.0, 60.0, 10.0)).len(), 1);
        assert_eq!(directions(&upright(0.0, 0.0, 10.0, 12.0)).len(), 1, "a letter is no column");
    }

    #[test]
    fn a_long_line_is_read_in_parts() {
        let line = upright(0.0, 0.0, 1200.0, 10.0);
        let parts = parts(&line);
        assert_eq!(parts.len(), 3);
        assert_eq!(parts[1].center, (600.0, 5.0));
        let column = upright(0.0, 0.0, 10.0, 1200.0);
        let bounds = super::parts(&column)[0].bounds();
        assert!((bounds.x2 - 10.0).abs() < 0.01 && (bounds.y2 - 400.0).abs() < 0.01, "{bounds:?}");
    }

    #[test]
    fn a_run_is_at_most_so_wide() {
        let widths = [100, 100, 1000, 1600, 2000, 2400, 9000];
        let candidates: Vec<Candidate> = widths.into_iter().map(candidate).collect();
        let counts: Vec<usize> = batches(&candidates).iter().map(|batch| batch.len()).collect();
        assert_eq!(counts, [3, 2, 1, 1]);
    }
}
