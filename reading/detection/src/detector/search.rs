//! From a page to its symbols: tiles at the plan's scale, the network's peaks, and of each symbol one box.

use crate::classifier_input::Class;
use fanlight_contract::Rect;
use fanlight_plugin::page::Readable;

use crate::detector::maps::{self, Peak};
use crate::detector::scale::{self, TRIED, Tried};
use crate::detector::sheet::{Part, bands, common, fineness};
use crate::detector::tile::{SIDE, cut, pixels_per_point};

/// A symbol that the network sees.
#[derive(Clone, Copy, Debug)]
pub struct Find {
    /// What it is; a sliding door's class stands for folding and other doors as well.
    pub class: Class,
    /// Around it, in user space of the unrotated page.
    pub bbox: Rect,
    /// How likely it is a door, or a fixture, where its class is one: from 0 to 1.
    pub confidence: f32,
}

/// Less likely finds are not listed.
const LEAST: f32 = 0.05;
/// A symbol is a tile's own where its middle is this many pixels from the tile's edge at least: 1.2 m of what is around it
/// are seen. Tiles overlap by twice as much.
const MARGIN: usize = 48;
/// Tiles of a page at most: what takes half a minute on a slow core.
const MOST_TILES: usize = 500;
/// Tiles that are looked at to tell whether a ratio is the sheet's.
const SAMPLED: usize = 10;
/// What is likelier than this tells a sheet's scale, and what is likelier than that but not so likely speaks against it.
const SURE: f32 = 0.75;
const UNSURE: f32 = 0.1;
/// Pixels of the picture for one of the tile: lines keep their greys where pixels are a little finer than cells.
const FINER: f32 = 1.5;
/// A tile with less ink than this, in its cells' mean, is empty.
const EMPTY: f32 = 0.003;
/// Two boxes of one kind of thing that overlap by this much, or of which one lies in the other by this much, are of one
/// symbol.
const SAME: f32 = 0.35;
const WITHIN: f32 = 0.7;
/// A thin box, as a sliding door's, is compared with these pixels more on each side, as its width would decide.
const THIN: f32 = 10.0;
const WIDER: f32 = 3.0;

/// The symbols in a part of a page that is a picture, the likeliest first. `run` gives the network's values for a tile; from
/// where it gives none on, nothing more is found.
pub(crate) fn find(
    page: &impl Readable,
    pictured: Rect,
    mut run: impl FnMut(Vec<f32>) -> Option<Vec<f32>>,
) -> Vec<Find> {
    let fine = fineness(&page.images(), pictured);
    let Some(overview) = Part::render(page, pictured, fine) else { return Vec::new() };
    let mut finds = Vec::new();
    for ratio in ratios(page, &overview, pictured, &mut run) {
        let scale = pixels_per_point(scale::points_per_inch(ratio));
        let of_ratio = sweep(page, &overview, pictured, (scale, fine), &mut run);
        finds.extend(of_ratio.into_iter().map(|find| (find, scale)));
    }
    one_each(finds)
}

/// The ratios of the sheet's plans, the main one first.
fn ratios(
    page: &impl Readable,
    overview: &Part,
    pictured: Rect,
    run: &mut impl FnMut(Vec<f32>) -> Option<Vec<f32>>,
) -> Vec<f32> {
    let noted = scale::of_notes(page);
    let others = TRIED.into_iter().filter(|ratio| !noted.iter().any(|noted| scale::is_same(*noted, *ratio)));
    let all: Vec<(f32, bool)> =
        noted.iter().map(|ratio| (*ratio, true)).chain(others.map(|ratio| (ratio, false))).collect();
    let tried: Vec<Tried> = all
        .into_iter()
        .map(|(ratio, is_noted)| {
            let [found, unsure] = found_at(ratio, overview, pictured, run);
            Tried { ratio, is_noted, found, unsure }
        })
        .collect();
    scale::chosen(&tried)
}

/// How much of a sheet is surely found at a ratio, and how much may be something, by a sample of its tiles: the lengths of what
/// is found, on paper. Letters that look like small doors don't outweigh doors so.
fn found_at(
    ratio: f32,
    overview: &Part,
    pictured: Rect,
    run: &mut impl FnMut(Vec<f32>) -> Option<Vec<f32>>,
) -> [f32; 2] {
    let scale = pixels_per_point(scale::points_per_inch(ratio));
    let mut tiles: Vec<(Rect, f32)> = tiles(pictured, scale)
        .into_iter()
        .map(|tile| (tile, ink(overview, tile)))
        .filter(|(_, ink)| *ink >= EMPTY)
        .collect();
    let all = tiles.len();
    // Plans are where there is neither little nor most to see; of those, tiles from all over the sheet.
    tiles.sort_by(|a, b| b.1.total_cmp(&a.1));
    tiles.truncate((all * 4).div_ceil(5));
    let step = tiles.len().div_ceil(SAMPLED).max(1);
    let sampled: Vec<Rect> = tiles.iter().step_by(step).map(|(tile, _)| *tile).collect();
    let mut lengths = [0.0; 2];
    for tile in &sampled {
        let Some(values) = run(cut(&overview.picture(), (tile.x1, tile.y2), scale, SIDE)) else { return [0.0; 2] };
        let peaks = maps::peaks(&values, UNSURE);
        let finds = one_each(peaks.iter().map(|peak| (find_of(peak, *tile, scale), scale)).collect());
        for Find { bbox, confidence, .. } in finds {
            let length = (bbox.x2 - bbox.x1).max(bbox.y2 - bbox.y1);
            lengths[usize::from(confidence <= SURE)] += length;
        }
    }
    lengths.map(|length| length * all as f32 / sampled.len().max(1) as f32)
}

/// All that is found at a scale, in pixels of a tile for a point.
fn sweep(
    page: &impl Readable,
    overview: &Part,
    pictured: Rect,
    (scale, fine): (f32, f32),
    run: &mut impl FnMut(Vec<f32>) -> Option<Vec<f32>>,
) -> Vec<Find> {
    let mut finds = Vec::new();
    let mut left = MOST_TILES;
    let wanted = (FINER * scale).min(fine);
    for band in bands(pictured, wanted, 2.0 * MARGIN as f32 / scale) {
        let own;
        let part = if overview.shows(band, 0.9 * wanted) {
            overview
        } else {
            let Some(rendered) = Part::render(page, band, wanted) else { continue };
            own = rendered;
            &own
        };
        for tile in tiles(band, scale) {
            if ink(part, tile) < EMPTY {
                continue;
            }
            if left == 0 {
                return finds;
            }
            left -= 1;
            let Some(values) = run(cut(&part.picture(), (tile.x1, tile.y2), scale, SIDE)) else { return finds };
            let peaks = maps::peaks(&values, LEAST);
            finds.extend(peaks.iter().filter(|peak| is_own(peak, tile, band)).map(|peak| find_of(peak, tile, scale)));
        }
    }
    finds
}

/// The tiles of an area, in user space, from its upper left on; each overlaps its neighbours by twice the margin.
fn tiles(area: Rect, scale: f32) -> Vec<Rect> {
    let (side, step) = (SIDE as f32 / scale, (SIDE - 2 * MARGIN) as f32 / scale);
    let count =
        |length: f32| (((length * scale - 2.0 * MARGIN as f32) / (SIDE - 2 * MARGIN) as f32).ceil()).clamp(1.0, 200.0);
    let (columns, rows) = (count(area.x2 - area.x1) as usize, count(area.y2 - area.y1) as usize);
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column as f32 * step, row as f32 * step)));
    places
        .map(|(right, down)| {
            let (x1, y2) = (area.x1 + right, area.y2 - down);
            Rect { x1, y1: y2 - side, x2: x1 + side, y2 }
        })
        .collect()
}

/// Whether a tile is the one that a peak is looked for in: it is not at an edge beyond which there is another tile.
fn is_own(peak: &Peak, tile: Rect, area: Rect) -> bool {
    let margin = MARGIN as f32;
    let far = SIDE as f32 - margin;
    (tile.x1 <= area.x1 || peak.x >= margin)
        && (tile.x2 >= area.x2 || peak.x < far)
        && (tile.y2 >= area.y2 || peak.y >= margin)
        && (tile.y1 <= area.y1 || peak.y < far)
}

fn find_of(peak: &Peak, tile: Rect, scale: f32) -> Find {
    let (x, y) = (tile.x1 + peak.x / scale, tile.y2 - peak.y / scale);
    let (across, up) = (peak.wide / scale / 2.0, peak.high / scale / 2.0);
    let bbox = Rect { x1: x - across, y1: y - up, x2: x + across, y2: y + up };
    Find { class: peak.class, bbox, confidence: peak.confidence }
}

/// The mean ink of a tile, by every eighth pixel of it each way.
fn ink(part: &Part, tile: Rect) -> f32 {
    const EACH: usize = 8;
    let picture = part.picture();
    let within = |value: f32, count: usize| (value.max(0.0) as usize).min(count);
    let columns = within((tile.x1 - picture.left) * picture.scale, picture.width)
        ..within((tile.x2 - picture.left) * picture.scale, picture.width);
    let rows = within((picture.top - tile.y2) * picture.scale, picture.height)
        ..within((picture.top - tile.y1) * picture.scale, picture.height);
    let (mut dark, mut all) = (0_u64, 0_u64);
    for row in rows.step_by(EACH) {
        let line = picture.pixels.get(row * picture.width..(row + 1) * picture.width).unwrap_or_default();
        for grey in line.get(columns.clone()).unwrap_or_default().iter().step_by(EACH) {
            dark += u64::from(255 - grey);
            all += 1;
        }
    }
    dark as f32 / 255.0 / all.max(1) as f32
}

/// Of the finds of one symbol the likeliest, whichever tiles they are from; each comes with its scale.
fn one_each(mut finds: Vec<(Find, f32)>) -> Vec<Find> {
    finds.sort_by(|a, b| b.0.confidence.total_cmp(&a.0.confidence));
    let mut kept: Vec<Find> = Vec::new();
    for (find, scale) in finds {
        if !kept.iter().any(|other| is_same(other, &find, scale)) {
            kept.push(find);
        }
    }
    kept
}

/// Whether two finds are of one symbol. A door and a fixture never are.
fn is_same(likelier: &Find, find: &Find, scale: f32) -> bool {
    if likelier.class.is_door() != find.class.is_door() {
        return false;
    }
    let thin = |b: Rect| (b.x2 - b.x1).min(b.y2 - b.y1) * scale < THIN;
    let by = if thin(likelier.bbox) || thin(find.bbox) { WIDER / scale } else { 0.0 };
    let grown = |b: Rect| Rect { x1: b.x1 - by, y1: b.y1 - by, x2: b.x2 + by, y2: b.y2 + by };
    let (a, b) = (grown(likelier.bbox), grown(find.bbox));
    let both = common(a, b).map_or(0.0, crate::detector::sheet::area);
    let (own, other) = (crate::detector::sheet::area(b), crate::detector::sheet::area(a));
    both >= SAME * (own + other - both) || both >= WITHIN * own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detector::maps::tests::maps_with;

    const AREA: Rect = Rect { x1: 100.0, y1: 50.0, x2: 1100.0, y2: 850.0 };

    #[test]
    fn every_place_is_one_tile_s_own() {
        for scale in [0.3, 1.0, 2.4] {
            let tiles = tiles(AREA, scale);
            for (x, y) in [(101.0, 51.0), (1099.0, 849.0), (616.0, 434.0), (515.9, 400.0), (300.0, 700.0)] {
                let peak = |tile: &Rect| Peak {
                    class: Class::Sink,
                    confidence: 0.9,
                    x: (x - tile.x1) * scale,
                    y: (tile.y2 - y) * scale,
                    wide: 9.0,
                    high: 9.0,
                };
                let on = |tile: &&Rect| x >= tile.x1 && x < tile.x2 && y > tile.y1 && y <= tile.y2;
                let own = tiles.iter().filter(on).filter(|tile| is_own(&peak(tile), **tile, AREA)).count();
                assert_eq!(own, 1, "{scale}: {x} {y}");
            }
        }
    }

    fn at(class: Class, x: f32, wide: f32, high: f32, confidence: f32) -> Find {
        Find { class, bbox: Rect { x1: x, y1: 0.0, x2: x + wide, y2: high }, confidence }
    }

    #[test]
    fn a_symbol_that_two_tiles_see_is_one() {
        let cases = [
            ("the same", at(Class::SwingingDoor, 1.0, 36.0, 36.0, 0.8), 1),
            ("a leaf of a pair", at(Class::SwingingDoor, 0.0, 34.0, 36.0, 0.5), 1),
            ("another door", at(Class::SwingingDoor, 80.0, 36.0, 36.0, 0.8), 2),
            ("a basin in a door's swing", at(Class::Lavatory, 5.0, 30.0, 30.0, 0.8), 2),
        ];
        for (what, other, count) in cases {
            let door = at(Class::DoubleDoor, 0.0, 40.0, 36.0, 0.9);
            let finds = one_each(vec![(other, 1.0), (door, 1.0)]);
            assert_eq!(finds.len(), count, "{what}");
            assert_eq!(finds[0].class, Class::DoubleDoor, "{what}");
        }
        let panels = [0.0, 2.0].map(|x| (at(Class::SlidingDoor, x, 60.0, 2.0, 0.9), 1.0));
        assert_eq!(one_each(panels.to_vec()).len(), 1);
    }

    #[test]
    fn a_peak_lies_where_its_tile_does() {
        let peaks = maps::peaks(&maps_with(2, (10, 20), 3.0), 0.5);
        let tile = Rect { x1: 100.0, y1: 244.0, x2: 356.0, y2: 500.0 };
        let Find { class, bbox, .. } = find_of(&peaks[0], tile, 2.0);
        assert_eq!(class, Class::SlidingDoor);
        for (side, expected) in [(bbox.x1, 112.5), (bbox.x2, 130.5), (bbox.y1, 458.0), (bbox.y2, 462.0)] {
            assert!((side - expected).abs() < 1e-3, "{bbox:?}");
        }
    }
}
