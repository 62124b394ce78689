//! From a page to its symbols: tiles at the plan's scale, peaks of the network's maps, non-maximum suppression.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;
use fanlight_plugin::page::Readable;
use fanlight_raster::image_resolution;
use fanlight_sheet::scale::{Scale, is_same_ratio};

use crate::classifier_input::Class;
use crate::detector::maps::{self, Peak};
use crate::detector::raster::{RenderedArea, bands};
use crate::detector::scale::{self, ScaleTrial, TRIED_RATIOS};
use crate::detector::tile::{SIDE, pixels_per_point};
use crate::placed_raster::INCH;
use crate::symbols::Scales;

/// A detected symbol.
#[derive(Clone, Copy, Debug)]
pub struct Detection {
    /// What it is. A sliding door's class stands for folding and other doors as well.
    pub class: Class,
    /// Its bounding box in user space of the unrotated page, in points.
    pub bbox: Rect,
    /// Probability, from 0 to 1, that it is a door if its class is one, otherwise that it is a fixture.
    pub confidence: f32,
}

/// Ratios that are tried on a page that is drawn with lines and whose scale is unknown: neither doors nor notes state it, so it
/// is seldom a plan.
const TRIED_ON_LINES: [f32; 4] = [40.0, 70.0, 120.0, 200.0];
/// Most known ratios of a page that are searched.
const MAX_KNOWN: usize = 3;
/// Detections below this confidence are dropped.
const MIN_CONFIDENCE: f32 = 0.05;
/// A tile owns a symbol whose centre is at least this many pixels from its edge, so that 1.2 m around it are visible. Tiles
/// overlap by twice as much.
const MARGIN: usize = 48;
/// Most tiles of a page and ratio: half a minute on a slow core.
const MAX_TILES: usize = 500;
/// Tiles that are sampled to try a ratio.
const SAMPLED_TILES: usize = 10;
/// Detections above this confidence speak for a ratio.
const SURE: f32 = 0.75;
/// Detections from this confidence to [`SURE`] speak against a ratio.
const UNSURE: f32 = 0.1;
/// Pixels of the rendered page per pixel of a tile: lines keep their greys if pixels are a little finer than cells.
const OVERSAMPLING: f32 = 1.5;
/// A tile whose mean darkness is below this is empty.
const MIN_INK: f32 = 0.003;
/// Two boxes are of the same symbol from this intersection over union on.
const SAME_IOU: f32 = 0.35;
/// Two boxes are of the same symbol if the more confident one covers this share of the other.
const SAME_COVERED: f32 = 0.7;
/// Boxes thinner than this, in pixels of a tile, are padded before they are compared: a sliding door's overlap would depend
/// on its thickness alone.
const THIN: f32 = 10.0;
/// Padding of thin boxes on each side, in pixels of a tile.
const THIN_PADDING: f32 = 3.0;

/// Detects the symbols in the scanned `area` of a page, the most confident first.
///
/// `run` returns the network's output for a tile of [`SIDE`] by [`SIDE`] cells; once it returns `None`, no further tile is
/// searched.
pub fn detect(page: &impl Readable, area: Rect, run: impl FnMut(Vec<f32>) -> Option<Vec<f32>>) -> Vec<Detection> {
    let resolution = image_resolution(&page.images(), area);
    let Some(overview) = RenderedArea::render(page, area, resolution) else { return Vec::new() };
    let mut search = Search { page, area, resolution, overview, run };
    let ratios = search.ratios(&scale::noted_ratios(page), &TRIED_RATIOS);
    search.detect_at_all(&ratios)
}

/// Detects the symbols of a page that is drawn with lines, the most confident first.
///
/// `scales` are those of its plans, by its doors and notes. Without any, a few are tried. `run` is that of [`detect`].
pub fn detect_on_lines(
    page: &impl Readable,
    scales: &Scales,
    run: impl FnMut(Vec<f32>) -> Option<Vec<f32>>,
) -> Vec<Detection> {
    let area = page.geometry().crop_box;
    let known = known_ratios(scales);
    // Finer than the known ratios need: fixtures of real plans fall from F1 0.847 to 0.835 with 1.5 pixels a cell.
    let finest = known.iter().chain(&TRIED_ON_LINES).copied().fold(0.0, f32::max);
    let resolution = OVERSAMPLING * pixels_per_point(Scale { ratio: finest }.points_per_inch());
    let Some(overview) = RenderedArea::render(page, area, resolution) else { return Vec::new() };
    let mut search = Search { page, area, resolution: f32::INFINITY, overview, run };
    let ratios = if known.is_empty() { search.ratios(&[], &TRIED_ON_LINES) } else { known };
    search.detect_at_all(&ratios)
}

/// Returns the ratios of plans whose scales are known. Of several possible ones the middle one is taken: the network was
/// trained with scales that are off by a quarter.
fn known_ratios(scales: &Scales) -> Vec<f32> {
    let known = match scales {
        Scales::All(scales) => scales.as_slice(),
        Scales::OneOf(scales) => scales.get(scales.len() / 2..).and_then(|rest| rest.get(..1)).unwrap_or_default(),
    };
    known.iter().take(MAX_KNOWN).map(|points_per_inch| INCH / points_per_inch).collect()
}

/// The search of one page.
struct Search<'a, P, F> {
    page: &'a P,
    /// The scanned part of the page, in user space.
    area: Rect,
    /// Resolution of the scan, in pixels per point.
    resolution: f32,
    /// All of `area`, possibly below the scan's resolution.
    overview: RenderedArea,
    /// The network.
    run: F,
}

impl<P: Readable, F: FnMut(Vec<f32>) -> Option<Vec<f32>>> Search<'_, P, F> {
    /// Returns the ratios of the sheet's plans, the main one first. `noted` and other `tried` ratios are tried.
    fn ratios(&mut self, noted: &[f32], tried: &[f32]) -> Vec<f32> {
        let others = tried.iter().copied().filter(|ratio| !noted.iter().any(|own| is_same_ratio(*own, *ratio)));
        let ratios = noted.iter().map(|ratio| (*ratio, true)).chain(others.map(|ratio| (ratio, false)));
        let trials: Vec<ScaleTrial> = ratios.map(|(ratio, is_noted)| self.try_ratio(ratio, is_noted)).collect();
        scale::choose(&trials)
    }

    /// Tries a ratio on a sample of tiles.
    ///
    /// The trial sums lengths and not counts: letters that look like small doors should not outweigh doors.
    fn try_ratio(&mut self, ratio: f32, is_noted: bool) -> ScaleTrial {
        let scale = pixels_per_point(Scale { ratio }.points_per_inch());
        let mut tiles: Vec<(Rect, f32)> = tiles(self.area, scale)
            .into_iter()
            .map(|tile| (tile, ink(&self.overview, tile)))
            .filter(|(_, ink)| *ink >= MIN_INK)
            .collect();
        let all = tiles.len();
        // Plans are neither the emptiest nor the darkest tiles; the sample is spread over the rest by darkness.
        tiles.sort_by(|a, b| b.1.total_cmp(&a.1));
        tiles.truncate((all * 4).div_ceil(5));
        let step = tiles.len().div_ceil(SAMPLED_TILES).max(1);
        let sampled: Vec<Rect> = tiles.iter().step_by(step).map(|(tile, _)| *tile).collect();
        let (mut sure, mut unsure) = (0.0, 0.0);
        for tile in &sampled {
            let input = self.overview.raster().ink((tile.x1, tile.y2), scale, SIDE);
            let Some(values) = (self.run)(input) else {
                return ScaleTrial { ratio, is_noted, sure: 0.0, unsure: 0.0 };
            };
            let peaks = maps::peaks(&values, UNSURE);
            let detections = peaks.iter().map(|peak| (detection_from_peak(peak, *tile, scale), scale)).collect();
            for Detection { bbox, confidence, .. } in non_maximum_suppression(detections) {
                let length = (bbox.x2 - bbox.x1).max(bbox.y2 - bbox.y1);
                *(if confidence <= SURE { &mut unsure } else { &mut sure }) += length;
            }
        }
        let [sure, unsure] = [sure, unsure].map(|length| length * all as f32 / sampled.len().max(1) as f32);
        ScaleTrial { ratio, is_noted, sure, unsure }
    }

    /// Detects all symbols at each of these ratios, the most confident first.
    fn detect_at_all(&mut self, ratios: &[f32]) -> Vec<Detection> {
        let mut detections = Vec::new();
        for ratio in ratios {
            let scale = pixels_per_point(Scale { ratio: *ratio }.points_per_inch());
            detections.extend(self.detect_at(scale).into_iter().map(|detection| (detection, scale)));
        }
        non_maximum_suppression(detections)
    }

    /// Detects all symbols at a scale in pixels of a tile per point.
    fn detect_at(&mut self, scale: f32) -> Vec<Detection> {
        let mut detections = Vec::new();
        let mut tiles_left = MAX_TILES;
        let wanted = (OVERSAMPLING * scale).min(self.resolution);
        for band in bands(self.area, wanted, 2.0 * MARGIN as f32 / scale) {
            let rendered;
            let part = if self.overview.shows(band, 0.9 * wanted) {
                &self.overview
            } else {
                let Some(of_band) = RenderedArea::render(self.page, band, wanted) else { continue };
                rendered = of_band;
                &rendered
            };
            for tile in tiles(band, scale) {
                if ink(part, tile) < MIN_INK {
                    continue;
                }
                if tiles_left == 0 {
                    return detections;
                }
                tiles_left -= 1;
                let input = part.raster().ink((tile.x1, tile.y2), scale, SIDE);
                let Some(values) = (self.run)(input) else { return detections };
                let peaks = maps::peaks(&values, MIN_CONFIDENCE);
                let own = peaks.iter().filter(|peak| is_own(peak, tile, band));
                detections.extend(own.map(|peak| detection_from_peak(peak, tile, scale)));
            }
        }
        detections
    }
}

/// Returns the tiles of an area, in user space, from its upper left on. Neighbours overlap by twice [`MARGIN`].
fn tiles(area: Rect, scale: f32) -> Vec<Rect> {
    let (side, step) = (SIDE as f32 / scale, (SIDE - 2 * MARGIN) as f32 / scale);
    let [columns, rows] = [area.x2 - area.x1, area.y2 - area.y1].map(|length| {
        ((length * scale - 2.0 * MARGIN as f32) / (SIDE - 2 * MARGIN) as f32).ceil().clamp(1.0, 200.0) as usize
    });
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column as f32 * step, row as f32 * step)));
    places
        .map(|(right, down)| {
            let (x1, y2) = (area.x1 + right, area.y2 - down);
            Rect { x1, y1: y2 - side, x2: x1 + side, y2 }
        })
        .collect()
}

/// Returns whether a tile owns a peak: the peak is away from all edges beyond which the area has another tile.
fn is_own(peak: &Peak, tile: Rect, area: Rect) -> bool {
    let margin = MARGIN as f32;
    let far = SIDE as f32 - margin;
    (tile.x1 <= area.x1 || peak.x >= margin)
        && (tile.x2 >= area.x2 || peak.x < far)
        && (tile.y2 >= area.y2 || peak.y >= margin)
        && (tile.y1 <= area.y1 || peak.y < far)
}

/// Converts a peak from pixels of its tile to user space.
fn detection_from_peak(peak: &Peak, tile: Rect, scale: f32) -> Detection {
    let (x, y) = (tile.x1 + peak.x / scale, tile.y2 - peak.y / scale);
    let (across, up) = (peak.width / scale / 2.0, peak.height / scale / 2.0);
    let bbox = Rect { x1: x - across, y1: y - up, x2: x + across, y2: y + up };
    Detection { class: peak.class, bbox, confidence: peak.confidence }
}

/// Returns the mean darkness of a tile, from 0 to 1, of every eighth pixel each way.
fn ink(part: &RenderedArea, tile: Rect) -> f32 {
    const STEP: usize = 8;
    let raster = part.raster();
    let within = |value: f32, count: usize| (value.max(0.0) as usize).min(count);
    let columns = within((tile.x1 - raster.left) * raster.scale, raster.width)
        ..within((tile.x2 - raster.left) * raster.scale, raster.width);
    let rows = within((raster.top - tile.y2) * raster.scale, raster.height)
        ..within((raster.top - tile.y1) * raster.scale, raster.height);
    let (mut dark, mut all) = (0_u64, 0_u64);
    for row in rows.step_by(STEP) {
        let line = raster.pixels.get(row * raster.width..(row + 1) * raster.width).unwrap_or_default();
        for grey in line.get(columns.clone()).unwrap_or_default().iter().step_by(STEP) {
            dark += u64::from(255 - grey);
            all += 1;
        }
    }
    dark as f32 / 255.0 / all.max(1) as f32
}

/// Keeps the most confident detection of each symbol, whichever tiles and scales they are from.
///
/// Each detection comes with its scale, in pixels of a tile per point.
fn non_maximum_suppression(mut detections: Vec<(Detection, f32)>) -> Vec<Detection> {
    detections.sort_by(|a, b| b.0.confidence.total_cmp(&a.0.confidence));
    let kept = fanlight_geometry::non_maximum_suppression(detections, |(likelier, _), (detection, scale)| {
        is_same(likelier, detection, *scale)
    });
    kept.into_iter().map(|(detection, _)| detection).collect()
}

/// Returns whether two detections are of the same symbol. A door and a fixture never are.
fn is_same(likelier: &Detection, detection: &Detection, scale: f32) -> bool {
    if likelier.class.is_door() != detection.class.is_door() {
        return false;
    }
    let thin = |b: Rect| (b.x2 - b.x1).min(b.y2 - b.y1) * scale < THIN;
    let by = if thin(likelier.bbox) || thin(detection.bbox) { THIN_PADDING / scale } else { 0.0 };
    let (a, b) = (likelier.bbox.expanded(by, by), detection.bbox.expanded(by, by));
    let both = a.overlap(&b).map_or(0.0, |both| both.signed_area());
    let (own, other) = (b.signed_area(), a.signed_area());
    both >= SAME_IOU * (own + other - both) || both >= SAME_COVERED * own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detector::maps::tests::maps_with;

    const AREA: Rect = Rect { x1: 100.0, y1: 50.0, x2: 1100.0, y2: 850.0 };

    #[test]
    fn every_place_has_one_tile_that_owns_it() {
        for scale in [0.3, 1.0, 2.4] {
            let tiles = tiles(AREA, scale);
            for (x, y) in [(101.0, 51.0), (1099.0, 849.0), (616.0, 434.0), (515.9, 400.0), (300.0, 700.0)] {
                let peak = |tile: &Rect| Peak {
                    class: Class::Sink,
                    confidence: 0.9,
                    x: (x - tile.x1) * scale,
                    y: (tile.y2 - y) * scale,
                    width: 9.0,
                    height: 9.0,
                };
                let on = |tile: &&Rect| x >= tile.x1 && x < tile.x2 && y > tile.y1 && y <= tile.y2;
                let own = tiles.iter().filter(on).filter(|tile| is_own(&peak(tile), **tile, AREA)).count();
                assert_eq!(own, 1, "{scale}: {x} {y}");
            }
        }
    }

    fn at(class: Class, x: f32, wide: f32, high: f32, confidence: f32) -> Detection {
        Detection { class, bbox: Rect { x1: x, y1: 0.0, x2: x + wide, y2: high }, confidence }
    }

    #[test]
    fn a_symbol_on_two_tiles_is_detected_once() {
        let cases = [
            ("the same", at(Class::SwingingDoor, 1.0, 36.0, 36.0, 0.8), 1),
            ("a leaf of a pair", at(Class::SwingingDoor, 0.0, 34.0, 36.0, 0.5), 1),
            ("another door", at(Class::SwingingDoor, 80.0, 36.0, 36.0, 0.8), 2),
            ("a basin in a door's swing", at(Class::Lavatory, 5.0, 30.0, 30.0, 0.8), 2),
        ];
        for (what, other, count) in cases {
            let door = at(Class::DoubleDoor, 0.0, 40.0, 36.0, 0.9);
            let detections = non_maximum_suppression(vec![(other, 1.0), (door, 1.0)]);
            assert_eq!(detections.len(), count, "{what}");
            assert_eq!(detections[0].class, Class::DoubleDoor, "{what}");
        }
        let panels = [0.0, 2.0].map(|x| (at(Class::SlidingDoor, x, 60.0, 2.0, 0.9), 1.0));
        assert_eq!(non_maximum_suppression(panels.to_vec()).len(), 1);
    }

    #[test]
    fn peaks_are_converted_to_user_space() {
        let peaks = maps::peaks(&maps_with(2, (10, 20), 3.0), 0.5);
        let tile = Rect { x1: 100.0, y1: 244.0, x2: 356.0, y2: 500.0 };
        let Detection { class, bbox, .. } = detection_from_peak(&peaks[0], tile, 2.0);
        assert_eq!(class, Class::SlidingDoor);
        for (side, expected) in [(bbox.x1, 112.5), (bbox.x2, 130.5), (bbox.y1, 458.0), (bbox.y2, 462.0)] {
            assert!((side - expected).abs() < 1e-3, "{bbox:?}");
        }
    }
}
