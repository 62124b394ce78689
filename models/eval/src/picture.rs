//! Pages and the network without a host: the engine by itself, rten by itself.

use crate::NativeJudge;
use anyhow::Result;
use drafting::scan::{Scanner, scan};
use fanlight_contract::{Orientation, Rect};
use fanlight_detection::classifier_input::Answer;
use fanlight_detection::detector::{Find, SIDE, pictured};
use fanlight_plugin::page::Readable as _;
use native::{NativeNetwork, NativePage, prints};

/// The network `symbols-finder`.
pub struct NativeFinder(NativeNetwork);

impl NativeFinder {
    /// Opens the project's own.
    ///
    /// # Errors
    ///
    /// Where its file is missing, or the engine can't run it.
    pub fn open() -> Result<Self> {
        NativeNetwork::open("symbols-finder").map(Self)
    }

    /// Its maps for a tile.
    ///
    /// # Errors
    ///
    /// Where the tile is of another size.
    pub fn maps(&self, tile: &[f32]) -> Result<Vec<f32>> {
        self.0.run(&[1, 1, SIDE, SIDE], tile)
    }
}

/// What the finder alone finds on a page that is a picture; nothing on others.
pub fn found(pdf: Vec<u8>, number: u32, finder: &NativeFinder) -> Result<Vec<Find>> {
    let page = NativePage::open(pdf, number)?;
    let Some(part) = pictured(page.paths().ops.len(), &page.geometry(), || page.images()) else {
        return Ok(Vec::new());
    };
    Ok(fanlight_detection::detector::find(&page, part, |tile| finder.maps(&tile).ok()))
}

/// What the judge says of each find of a page.
pub fn answers(pdf: Vec<u8>, number: u32, finds: &[Find], judge: &NativeJudge) -> Result<Vec<Option<Answer>>> {
    let page = NativePage::open(pdf, number)?;
    let boxes: Vec<Rect> = finds.iter().map(|find| find.bbox).collect();
    Ok(judge.answers(&page, &boxes))
}

/// A drafted sheet, scanned at a resolution that offices use.
pub fn scanned(pdf: &[u8], scanner: &Scanner, dpi: f32, seed: u64) -> Result<Vec<u8>> {
    Ok(scan(&prints(pdf.to_vec(), [1], dpi, Orientation::UserSpace)?, scanner, seed))
}
