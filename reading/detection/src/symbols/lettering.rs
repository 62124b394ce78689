//! The places of a page's words, to distinguish a tag from the symbol it tags.

use fanlight_contract::PageText;

use crate::symbols::places::Grid;
use crate::symbols::plan::extent;
use crate::symbols::plane::Extent;

/// A side of the cells that words are kept by, in points.
const CELL: f32 = 24.0;
/// Words of one cell that are looked at.
const MOST_IN_CELL: u32 = 40;
/// Words fill an outline where they take this share of its longer and of its shorter side. A fixture's own mark is smaller.
const FILLED: [f32; 2] = [0.36, 0.2];
/// Words of an outline begin and end no farther beyond it than this share of its size.
const BEYOND: f32 = 0.1;
/// A tag's words stand in its middle, to within this share of its size.
const OFF_MIDDLE: f32 = 0.12;

/// The words of a page by where their middles lie.
#[derive(Debug)]
pub(crate) struct Lettering(Grid<Extent>);

impl Lettering {
    pub(crate) fn new(text: &PageText) -> Self {
        let mut words = Grid::new(CELL, MOST_IN_CELL);
        for run in text.runs.iter().filter(|run| run.visible && run.text.chars().any(char::is_alphanumeric)) {
            let extent = extent(&run.bbox);
            words.add(extent.middle(), extent);
        }
        Self(words)
    }

    /// Whether words are in an outline's middle and fill much of it, as in a tag or a reference to another sheet.
    pub(crate) fn fills(&self, outline: Extent) -> bool {
        let beyond = BEYOND * outline.long();
        let (room, middle) = (outline.grown(beyond), outline.grown(-0.25 * outline.width().min(outline.height())));
        let own = self.0.near(outline).filter(|word| room.holds_all(word) && middle.holds(word.middle()));
        let words = own.copied().fold(Extent::EMPTY, Extent::joined);
        let [long, short] = FILLED;
        let centred = outline.middle().to(words.middle()) <= OFF_MIDDLE * outline.long();
        let along = (words.width() / outline.width().max(0.01), words.height() / outline.height().max(0.01));
        centred && along.0.max(along.1) >= long && along.0.min(along.1) >= short
    }
}
