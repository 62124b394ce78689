//! The capability `ocr`: passes a guest's pictures to the host's OCR reader.

use fanlight_ocr::{Expected, Layout, OcrError, Picture, Pixels, Reader};
use wasmtime::Result;

use crate::bindings::composed::fanlight::plugin::{ocr, types};
use crate::guest::{Guest, reason};
use crate::warning::Warning;

impl types::Host for Guest {}

impl ocr::Host for Guest {
    async fn recognize(
        &mut self,
        image: types::Raster,
        options: ocr::Options,
    ) -> Result<Result<Vec<ocr::Word>, ocr::OcrError>> {
        let Some(reader) = self.ocr.clone() else {
            self.warnings.note(Warning::OcrUnavailable);
            return Ok(Err(ocr::OcrError::Unavailable("this host has no OCR engine".to_owned())));
        };
        self.count_host_call(image.words.len() * size_of::<u64>());
        // The program's answer is bounded and small beside the picture, so it is not charged.
        let read = read(&reader, image, options).await;
        if let Err(error) = &read {
            tracing::warn!(%error, "can't read a picture");
            if let Some(warning) = Warning::from_ocr_error(error) {
                self.warnings.note(warning);
            }
        }
        Ok(match read {
            Ok(words) => Ok(words.into_iter().map(word).collect()),
            Err(OcrError::Unavailable(detail)) => Err(ocr::OcrError::Unavailable(reason(&detail))),
            Err(OcrError::BadPicture(detail)) => Err(ocr::OcrError::BadRequest(reason(&detail))),
            Err(error @ OcrError::Failed(_)) => Err(ocr::OcrError::Failed(reason(&error.to_string()))),
        })
    }
}

/// Reads the words of a picture.
async fn read(
    reader: &Reader,
    image: types::Raster,
    options: ocr::Options,
) -> Result<Vec<fanlight_ocr::Word>, OcrError> {
    let pixels = match image.format {
        types::PixelFormat::Grey => Pixels::Grey,
        types::PixelFormat::Rgb => Pixels::Rgb,
    };
    // In place, because a copy would double the host's memory while the picture waits for a permit.
    let mut words = image.words;
    for word in &mut words {
        *word = word.to_le();
    }
    let mut bytes: &[u8] = bytemuck::cast_slice(&words);
    // The last word is padded with zeros that are not pixels. `Picture` reports any other mismatch of the size.
    let size = u64::from(image.width) * u64::from(image.height) * pixels.bytes();
    if size.div_ceil(8) == words.len() as u64 {
        bytes = &bytes[..size as usize];
    }
    let expected = Expected {
        layout: match options.layout {
            ocr::Layout::Page => Layout::Page,
            ocr::Layout::Block => Layout::Block,
            ocr::Layout::Line => Layout::Line,
            ocr::Layout::Word => Layout::Word,
            ocr::Layout::Sparse => Layout::Sparse,
        },
        languages: options.languages,
        characters: options.characters,
    };
    let picture = Picture { width: image.width, height: image.height, pixels, bytes };
    reader.read(&picture, &expected).await
}

/// Converts a word to the contract's type.
fn word(word: fanlight_ocr::Word) -> ocr::Word {
    let [x1, y1, x2, y2] = word.bbox.map(|edge| edge as f32);
    ocr::Word {
        text: word.text,
        bbox: types::Rect { x1, y1, x2, y2 },
        confidence: word.confidence,
        angle: 0.0,
        line: word.line,
    }
}
