//! How large the building is on paper: from the sheet's own notes, and from what the network finds at each scale.

use fanlight_contract::{Geometry, PageText, Rect};
use fanlight_plugin::page::{Layout, Readable, upright};
use fanlight_sheet::scale::Note;

use crate::detector::sheet;

/// Ratios that are tried where notes tell nothing that fits: 1:20 to 1:226, each so near to the next that the network, which
/// was trained with scales that are off by a quarter, works between them.
pub(crate) const TRIED: [f32; 8] = [20.0, 28.3, 40.0, 56.6, 80.0, 113.1, 160.0, 226.3];
/// Plans are drawn at these ratios.
const PLANS: std::ops::RangeInclusive<f32> = 10.0..=500.0;
/// Two ratios this near to each other are one.
const SAME: f32 = 1.06;
/// Ratios that are looked at of a sheet's notes; details have many.
const MOST_NOTED: usize = 4;

/// Points of paper for an inch of the building at a ratio.
pub(crate) fn points_per_inch(ratio: f32) -> f32 {
    fanlight_sheet::scale::Scale { ratio }.points_per_inch()
}

/// The ratios of plans that a text's notes tell, the commonest first.
fn noted(text: &PageText, geometry: &Geometry) -> Vec<f32> {
    let page = fanlight_text::Page::read(text, geometry);
    let lines = page.lines.iter().chain(page.turned.iter().flat_map(|turned| &turned.lines));
    let notes = lines.flat_map(|line| line.phrases(1.0)).filter_map(|phrase| Note::find(&phrase.text()));
    let mut ratios: Vec<(f32, usize)> = Vec::new();
    for ratio in notes.filter_map(|note| note.scale).map(|scale| scale.ratio).filter(|ratio| PLANS.contains(ratio)) {
        match ratios.iter_mut().find(|(other, _)| is_same(*other, ratio)) {
            Some((_, count)) => *count += 1,
            None => ratios.push((ratio, 1)),
        }
    }
    ratios.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    ratios.into_iter().map(|(ratio, _)| ratio).take(MOST_NOTED).collect()
}

pub(crate) fn is_same(a: f32, b: f32) -> bool {
    (a / b).max(b / a) <= SAME
}

/// Shares of the page at its right and lower edges in which title blocks and plans' titles stand.
const RIGHT: f32 = 0.24;
const LOWER: f32 = 0.3;
/// Pixels of one picture that is read: what OCR takes some seconds for.
const MOST_READ: f32 = 5e6;
/// Pixels an inch at most and at least: small print has capitals 1/16 in high.
const FINEST: f32 = 250.0;
const COARSEST: f32 = 90.0;
/// Points of an inch.
const INCH: f32 = 72.0;

/// The ratios that a sheet's notes tell, by its text or, where that tells none, by OCR of where titles stand.
pub(crate) fn of_notes(page: &impl Readable) -> Vec<f32> {
    let geometry = page.geometry();
    let told = noted(&page.text(), &geometry);
    if !told.is_empty() {
        return told;
    }
    let frame = fanlight_geometry::Frame::new(geometry.crop_box, geometry.rotation as f32);
    let (wide, high) = (frame.width, frame.height);
    let strips = [
        Rect { x1: 0.0, y1: high * (1.0 - LOWER), x2: wide, y2: high },
        Rect { x1: wide * (1.0 - RIGHT), y1: 0.0, x2: wide, y2: high },
    ];
    for strip in strips {
        let told = read(page, &geometry, frame.to_user_space(strip));
        if !told.is_empty() {
            return told;
        }
    }
    Vec::new()
}

/// The ratios that are read in a part of a page.
fn read(page: &impl Readable, geometry: &Geometry, part: Rect) -> Vec<f32> {
    let inches = sheet::area(part) / (INCH * INCH);
    let dpi = (MOST_READ / inches.max(0.01)).sqrt().min(FINEST);
    if dpi < COARSEST {
        return Vec::new();
    }
    // Without OCR the scale is told by the symbols.
    let picture = page.render(&upright(Some(part), dpi));
    let words = picture.and_then(|picture| page.recognize(&picture, Layout::Sparse, &[]));
    // The part by itself is a page.
    let geometry = Geometry { media_box: part, crop_box: part, ..*geometry };
    words.map_or_else(Vec::new, |words| noted(&fanlight_raster::page_text(&words, &geometry, dpi), &geometry))
}

/// What the network finds on a sample of a sheet at a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tried {
    pub(crate) ratio: f32,
    /// Whether the sheet's notes tell it.
    pub(crate) is_noted: bool,
    /// How much is surely found, and how much may be something; see `search`.
    pub(crate) found: f32,
    pub(crate) unsure: f32,
}

/// At a plan's own ratio the network is sure of much of what it sees: of at least this share of what it is unsure of. On drafted
/// plans' scans that share is 0.3 to 0.9, a worn fax among them; letters, tables and hatches give 0.02 to 0.18.
const SURE_OF_PLAN: f32 = 0.2;

impl Tried {
    /// Whether what is found is a plan's, and not what chance looks like one.
    fn is_credible(&self) -> bool {
        self.found > 0.0 && self.found >= SURE_OF_PLAN * self.unsure
    }
}

/// A noted ratio is believed where at least this share of what the best ratio finds is found at it.
const BELIEVED: f32 = 0.5;
/// A further plan of the sheet, enlarged, say, has another noted ratio at which at least this share is found.
const FURTHER: f32 = 0.15;
/// From this factor on, another ratio's symbols are not found as well.
const OTHER: f32 = 1.3;

/// The ratios of a sheet's plans, the main one first. None where what is found at each is no plan's.
pub(crate) fn chosen(tried: &[Tried]) -> Vec<f32> {
    let credible = || tried.iter().filter(|one| one.is_credible());
    let most = |those: &mut dyn Iterator<Item = &Tried>| those.copied().max_by(|a, b| a.found.total_cmp(&b.found));
    let Some(best) = most(&mut credible()) else { return Vec::new() };
    let noted = most(&mut credible().filter(|one| one.is_noted && one.found >= BELIEVED * best.found));
    let main = noted.unwrap_or(best);
    let mut ratios = vec![main.ratio];
    for one in credible().filter(|one| one.is_noted && one.found >= FURTHER * best.found) {
        if ratios.iter().all(|ratio| (ratio / one.ratio).max(one.ratio / ratio) >= OTHER) {
            ratios.push(one.ratio);
        }
    }
    ratios
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(ratio: f32, is_noted: bool, found: f32) -> Tried {
        Tried { ratio, is_noted, found, unsure: 4.0 }
    }

    #[test]
    fn notes_are_believed_where_symbols_agree() {
        let cases = [
            ("no notes", vec![tried(56.0, false, 9.0), tried(80.0, false, 2.0)], vec![56.0]),
            ("a note that agrees", vec![tried(56.0, false, 9.0), tried(50.0, true, 8.0)], vec![50.0]),
            ("printed at half its size", vec![tried(96.0, false, 9.0), tried(48.0, true, 1.0)], vec![96.0]),
            (
                "a plan and an enlarged one",
                vec![tried(100.0, true, 9.0), tried(50.0, true, 3.0), tried(5.0, true, 0.0)],
                vec![100.0, 50.0],
            ),
            ("a note of nothing but doubts", vec![tried(56.0, false, 0.5), tried(50.0, true, 0.6)], vec![]),
            ("nothing anywhere", vec![tried(56.0, false, 0.0), tried(50.0, true, 0.0)], vec![]),
            ("nothing tried", vec![], vec![]),
        ];
        for (what, tried, expected) in cases {
            assert_eq!(chosen(&tried), expected, "{what}");
        }
    }

    #[test]
    fn ratios_between_those_tried_are_near_to_one() {
        for pair in TRIED.windows(2) {
            assert!(pair[1] / pair[0] < 1.25 * 1.25, "{pair:?}");
        }
    }
}
