//! Where the network `room-segmenter` sees the floors of rooms on the picture of a page.
//!
//! The page is cut into tiles at one scale of the building. The network says for each cell of a tile whether it shows the
//! floor of a room, the edge of one, or neither.

use fanlight_contract::Rect;
use fanlight_detection::classifier_input::softmax;
use fanlight_detection::detector::{self, RenderedArea, SIDE, pixels_per_point};
use fanlight_plugin::page::Readable;

/// Pixels of the network's input per metre of the building, as in training (`models/train/room_segmenter.py`).
const PIXELS_PER_METRE: f32 = 25.0;
/// Side of an output's cell in pixels of the input.
const STRIDE: usize = 2;
/// Cells of an output along each side.
const CELLS: usize = SIDE / STRIDE;
/// Cells at each edge of a tile that another tile shows better, so that 2.6 m around a cell are visible.
const MARGIN: usize = 32;
/// Pixels of the rendered page per pixel of a tile: lines keep their greys if pixels are a little finer than cells.
const OVERSAMPLING: f32 = 1.5;
/// A tile whose mean ink is below this is empty.
const MIN_INK: f32 = 0.003;
/// Most tiles of a page, a bound on time: a sheet of 48 by 36 inches at 1:240 shows 293 by 219 metres.
const MAX_TILES: usize = 300;
/// The highest value of a probability.
const CERTAIN: f32 = 255.0;

/// What the network sees at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    /// Probability that it is the floor of a room.
    pub(crate) floor: f32,
    /// Probability that it is the edge of a room.
    pub(crate) edge: f32,
}

/// What the network sees at each place of a page, at one scale.
#[derive(Debug)]
pub struct FloorMap {
    /// In user space.
    area: Rect,
    /// Side of a cell, in points.
    cell: f32,
    wide: usize,
    high: usize,
    /// Probabilities that a cell is the floor of a room, from 0 to 255, in rows from the top.
    floor: Vec<u8>,
    /// Probabilities that a cell is the edge of a room.
    edge: Vec<u8>,
}

impl FloorMap {
    /// Looks at a page with `points_per_inch` points of paper per inch of the building.
    ///
    /// `run` returns the network's output for a tile. Returns `None` if `run` does, if the page cannot be rendered, or if the
    /// building would be too large for a plan.
    pub fn read(
        page: &impl Readable,
        points_per_inch: f32,
        mut run: impl FnMut(Vec<f32>) -> Option<Vec<f32>>,
    ) -> Option<Self> {
        let area = page.geometry().crop_box;
        let scale = pixels_per_point(points_per_inch) * PIXELS_PER_METRE / detector::PIXELS_PER_METRE;
        let cell = STRIDE as f32 / scale;
        let count = |length: f32| (length / cell).ceil().max(1.0) as usize;
        let (wide, high) = (count(area.x2 - area.x1), count(area.y2 - area.y1));
        let step = CELLS - 2 * MARGIN;
        if wide.div_ceil(step).saturating_mul(high.div_ceil(step)) > MAX_TILES {
            return None;
        }
        let rendered = RenderedArea::render(page, area, OVERSAMPLING * scale)?;
        let mut map = Self { area, cell, wide, high, floor: vec![0; wide * high], edge: vec![0; wide * high] };
        for row in (0..high).step_by(step) {
            for column in (0..wide).step_by(step) {
                let left = area.x1 + (column as f32 - MARGIN as f32) * cell;
                let top = area.y2 - (row as f32 - MARGIN as f32) * cell;
                let input = rendered.raster().ink((left, top), scale, SIDE);
                if input.iter().sum::<f32>() < MIN_INK * (SIDE * SIDE) as f32 {
                    continue;
                }
                map.take(&run(input)?, column, row, step);
            }
        }
        Some(map)
    }

    /// Takes the cells that a tile shows best: `step` by `step` from `column` and `row` on.
    fn take(&mut self, outputs: &[f32], column: usize, row: usize, step: usize) {
        for y in row..(row + step).min(self.high) {
            for x in column..(column + step).min(self.wide) {
                let at = (y - row + MARGIN) * CELLS + x - column + MARGIN;
                let logit = |class: usize| outputs.get(class * CELLS * CELLS + at).copied().unwrap_or(f32::MIN);
                let [_, floor, edge] = softmax([logit(0), logit(1), logit(2)]);
                self.floor[y * self.wide + x] = (floor * CERTAIN).round() as u8;
                self.edge[y * self.wide + x] = (edge * CERTAIN).round() as u8;
            }
        }
    }

    /// Returns what the network sees at a place in user space: nothing off the page.
    pub(crate) fn at(&self, place: (f32, f32)) -> Seen {
        let Some(at) = self.index(place) else { return Seen::default() };
        Seen { floor: f32::from(self.floor[at]) / CERTAIN, edge: f32::from(self.edge[at]) / CERTAIN }
    }

    /// Returns the index of a place's cell, if the page shows it.
    fn index(&self, (x, y): (f32, f32)) -> Option<usize> {
        let (column, row) = ((x - self.area.x1) / self.cell, (self.area.y2 - y) / self.cell);
        let inside = column >= 0.0 && row >= 0.0 && column < self.wide as f32 && row < self.high as f32;
        inside.then(|| row as usize * self.wide + column as usize)
    }
}

#[cfg(test)]
mod tests {
    use pdf_engine::Document;
    use text_fixture::file;

    use super::*;

    /// A page of 30 by 20 metres at 1:100 with a black square of 10 metres in its lower left corner.
    struct Square(pdf_engine::Page);

    impl Square {
        fn open() -> Self {
            let document = Document::open(file("0 0 850 567", 0, "0 0 283 283 re f")).unwrap();
            Self(document.page(1).unwrap())
        }
    }

    impl Readable for Square {
        fn geometry(&self) -> fanlight_contract::Geometry {
            self.0.geometry()
        }
        fn text(&self) -> fanlight_contract::PageText {
            self.0.text()
        }
        fn paths(&self) -> fanlight_contract::PagePaths {
            self.0.paths()
        }
        fn images(&self) -> Vec<fanlight_contract::ImagePlacement> {
            self.0.images()
        }
        fn render(&self, options: &fanlight_contract::RenderOptions) -> Option<fanlight_contract::Raster> {
            self.0.render(options).ok()
        }
        fn recognize(
            &self,
            _: &fanlight_contract::Raster,
            _: fanlight_plugin::page::Layout,
            _: &[&str],
        ) -> Option<Vec<fanlight_contract::ReadWord>> {
            None
        }
    }

    /// Points of paper per inch of the building at 1:100.
    const POINTS_PER_INCH: f32 = 0.72;

    /// A network for which ink is the floor of a room and paper its edge.
    #[expect(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "the signature that `read` wants")]
    fn ink_is_floor(tile: Vec<f32>) -> Option<Vec<f32>> {
        let mut outputs = vec![-20.0; 4 * CELLS * CELLS];
        for at in 0..CELLS * CELLS {
            let (row, column) = (at / CELLS, at % CELLS);
            let ink = tile[row * STRIDE * SIDE + column * STRIDE];
            outputs[if ink > 0.5 { 1 } else { 2 } * CELLS * CELLS + at] = 20.0;
        }
        Some(outputs)
    }

    #[test]
    fn cells_of_all_tiles_are_at_their_places_on_the_page() {
        let map = FloorMap::read(&Square::open(), POINTS_PER_INCH, ink_is_floor).unwrap();
        for (place, is_floor) in [((3.0, 3.0), true), ((270.0, 270.0), true), ((296.0, 100.0), false)] {
            let seen = if is_floor { map.at(place).floor } else { map.at(place).edge };
            assert!(seen > 0.99, "{place:?}");
        }
        // The network is not asked for a tile without ink.
        assert_eq!(map.at((840.0, 560.0)), Seen::default());
        assert_eq!([(-5.0, 5.0), (5.0, 600.0)].map(|place| map.at(place)), [Seen::default(); 2]);
    }

    #[test]
    fn nothing_is_seen_without_a_network_or_of_a_town() {
        assert!(FloorMap::read(&Square::open(), POINTS_PER_INCH, |_| None).is_none());
        assert!(FloorMap::read(&Square::open(), POINTS_PER_INCH / 50.0, ink_is_floor).is_none());
    }
}
