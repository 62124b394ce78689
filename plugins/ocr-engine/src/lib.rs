//! The OCR engine: reads the words of a picture, with two networks that the host runs.
//!
//! Compiled to WebAssembly, it is the component of the world `ocr-engine` in the project's `wit/`. The host composes it with
//! each plugin that is granted `ocr`, so that pictures never leave the sandbox. Compiled natively, it is a library with the
//! same functions for tests and measurements.
//!
//! [`read`] works in these steps:
//!
//! 1. `detection` reduces the picture to the resolution at which letters are detected best, has the network
//!    `text-detector` mark text in it tile by tile, and makes a box at any angle of each line (differentiable
//!    binarization, Liao et al. 2020).
//! 2. `recognition` crops each line from the picture at its full resolution and has the network `text-recognizer` read it.
//!    Upright columns are read in both directions, and the surer reading counts.
//! 3. `ctc` decodes what the network returns (connectionist temporal classification, Graves et al. 2006).
//! 4. `script` tells in which script the picture's lines are: the network has a head for Latin letters, one for Cyrillic ones, and
//!    one for Chinese and Japanese characters.
//! 5. `words` splits a line into words and finds the box of each by the blanks between them.
//! 6. `order` numbers the lines in reading order.

mod alphabet;
#[cfg(target_family = "wasm")]
mod component;
mod ctc;
mod detection;
mod order;
mod recognition;
mod script;
mod words;

use fanlight_contract::nn::{NnError, Tensor};
use fanlight_contract::{ReadWord, Rect};
use fanlight_raster::{GreyImage, OrientedBox};
use thiserror::Error;

pub use alphabet::{Alphabet, CYRILLIC, HAN, LATIN};
pub use detection::{text_boxes, text_boxes_at};

/// Most pixels of a picture: a sheet of 36 x 48 in at 200 dpi.
const MOST_PIXELS: usize = 72_000_000;
/// Longest side of a picture in pixels.
const LONGEST_SIDE: usize = 32_767;
/// Most expected characters.
const MOST_CHARACTERS: usize = 512;

/// The networks behind the engine.
pub trait Networks {
    /// Runs `text-detector`: a picture of 1 x 1 x height x width, 0 black to 1 white, sides multiples of 32. Returns as many
    /// values: how likely each pixel belongs to text, from 0 to 1.
    ///
    /// # Errors
    ///
    /// The network cannot be used or fails.
    fn detect(&self, picture: Tensor) -> Result<Tensor, NnError>;

    /// Runs `text-recognizer`: lines of n x 1 x 48 x width, 0 black to 1 white.
    ///
    /// # Errors
    ///
    /// The network cannot be used or fails.
    fn recognize(&self, lines: Tensor) -> Result<Likelihoods, NnError>;
}

/// What the three heads of `text-recognizer` say of n lines: how likely each step, an eighth of the width, shows a class, from 0
/// to 1. Class 0 is the blank.
#[derive(Clone, Debug)]
pub struct Likelihoods {
    /// The likelihood of each class of [`LATIN`], n x steps x classes.
    pub latin: Tensor,
    /// The likelihood of each class of [`CYRILLIC`], n x steps x classes.
    pub cyrillic: Tensor,
    /// The likeliest class of [`HAN`] and its likelihood, n x steps x 2.
    pub han: Tensor,
}

/// The layout of a picture's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Text anywhere.
    Scattered,
    /// One line, which fills the picture.
    Line,
}

/// Why a picture was not read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The picture's size does not match its pixels or exceeds a limit, or there are too many expected characters.
    #[error("{0}")]
    BadRequest(String),
    /// A network cannot be used or failed.
    #[error(transparent)]
    Network(#[from] NnError),
}

/// Returns the words of a picture in reading order, with boxes in its pixels; none if it has none.
///
/// `characters` are the only ones to expect; empty means all.
///
/// # Errors
///
/// [`ReadError::BadRequest`] for a picture or characters beyond the limits, [`ReadError::Network`] if a network fails.
pub fn read(
    picture: &GreyImage,
    layout: Layout,
    characters: &str,
    networks: &dyn Networks,
) -> Result<Vec<ReadWord>, ReadError> {
    check(picture, characters)?;
    let boxes = match layout {
        Layout::Scattered => text_boxes(picture, networks)?,
        Layout::Line => vec![OrientedBox::upright(whole(picture))],
    };
    let mut lines = recognition::read_lines(picture, &boxes, characters, networks)?;
    order::sort(&mut lines);
    Ok(order::numbered(&lines))
}

/// Checks a request against the limits.
fn check(picture: &GreyImage, characters: &str) -> Result<(), ReadError> {
    let GreyImage { width, height, ref grey } = *picture;
    let pixels = width.saturating_mul(height);
    if pixels == 0 || pixels > MOST_PIXELS || width.max(height) > LONGEST_SIDE {
        return Err(ReadError::BadRequest(format!("a picture of {width}x{height} pixels cannot be read")));
    }
    if grey.len() != pixels {
        return Err(ReadError::BadRequest(format!("{} bytes for {width}x{height} pixels", grey.len())));
    }
    if characters.chars().count() > MOST_CHARACTERS {
        return Err(ReadError::BadRequest(format!("more than {MOST_CHARACTERS} characters are expected")));
    }
    Ok(())
}

/// Returns the box around a whole picture.
fn whole(picture: &GreyImage) -> Rect {
    Rect { x1: 0.0, y1: 0.0, x2: picture.width as f32, y2: picture.height as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Networks that see nothing.
    struct Blind;

    impl Networks for Blind {
        fn detect(&self, picture: Tensor) -> Result<Tensor, NnError> {
            Ok(Tensor { values: vec![0.0; picture.values.len()], ..picture })
        }

        fn recognize(&self, _: Tensor) -> Result<Likelihoods, NnError> {
            Err(NnError::Failed("there is nothing to read".to_owned()))
        }
    }

    fn blank(width: usize, height: usize) -> GreyImage {
        GreyImage { width, height, grey: vec![255; width * height] }
    }

    #[test]
    fn a_picture_without_text_has_no_words() {
        assert!(read(&blank(100, 60), Layout::Scattered, "", &Blind).unwrap().is_empty());
        assert!(read(&blank(1, 1), Layout::Scattered, "", &Blind).unwrap().is_empty());
    }

    #[test]
    fn requests_beyond_the_limits_are_refused() {
        let cases = [
            (blank(0, 10), String::new()),
            (blank(LONGEST_SIDE + 1, 1), String::new()),
            (GreyImage { width: 30_000, height: 30_000, grey: vec![] }, String::new()),
            (GreyImage { width: 10, height: 10, grey: vec![0; 99] }, String::new()),
            (blank(10, 10), "a".repeat(MOST_CHARACTERS + 1)),
        ];
        for (picture, characters) in cases {
            let refused = read(&picture, Layout::Scattered, &characters, &Blind);
            assert!(matches!(refused, Err(ReadError::BadRequest(_))), "{}x{}", picture.width, picture.height);
        }
    }
}
