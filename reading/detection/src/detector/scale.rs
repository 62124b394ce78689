//! The scale of a scanned sheet: from its notes, and from what the network detects at each scale.

use fanlight_contract::{Geometry, Rect};
use fanlight_plugin::page::{Layout, Readable, finest_dpi};
use fanlight_raster::read_part;
use fanlight_sheet::scale::plan_ratios;

/// Ratios that are tried besides the noted ones: 1:20 to 1:226. The network was trained with scales that are off by a
/// quarter, so it works between neighbouring ratios.
pub(crate) const TRIED_RATIOS: [f32; 8] = [20.0, 28.3, 40.0, 56.6, 80.0, 113.1, 160.0, 226.3];

/// Share of the page, at its right edge, that holds title blocks and the titles of plans.
const RIGHT_STRIP: f32 = 0.24;
/// The same share at its lower edge.
const LOWER_STRIP: f32 = 0.3;
/// Most pixels of a strip for OCR, which takes some seconds for it.
const MAX_OCR_PIXELS: f32 = 5e6;
/// Highest resolution for OCR, in pixels per inch: small print has capitals 1/16 in high.
const MAX_OCR_DPI: f32 = 250.0;
/// Lowest resolution for OCR, in pixels per inch.
const MIN_OCR_DPI: f32 = 90.0;

/// Returns the ratios that a sheet's notes state: in its text or, if that has none, in the strips that hold titles, by OCR.
pub(crate) fn noted_ratios(page: &impl Readable) -> Vec<f32> {
    let geometry = page.geometry();
    let noted = plan_ratios(&page.text(), &geometry);
    if !noted.is_empty() {
        return noted;
    }
    let frame = fanlight_geometry::Frame::new(geometry.crop_box, geometry.rotation as f32);
    let (wide, high) = (frame.width, frame.height);
    let strips = [
        Rect { x1: 0.0, y1: high * (1.0 - LOWER_STRIP), x2: wide, y2: high },
        Rect { x1: wide * (1.0 - RIGHT_STRIP), y1: 0.0, x2: wide, y2: high },
    ];
    let mut by_ocr = strips.into_iter().map(|strip| ratios_by_ocr(page, &geometry, frame.to_user_space(strip)));
    by_ocr.find(|noted| !noted.is_empty()).unwrap_or_default()
}

/// Returns the ratios that OCR reads in a part of a page.
fn ratios_by_ocr(page: &impl Readable, geometry: &Geometry, part: Rect) -> Vec<f32> {
    let dpi = finest_dpi(part, geometry, MAX_OCR_PIXELS, MAX_OCR_DPI);
    if dpi < MIN_OCR_DPI {
        return Vec::new();
    }
    // Without OCR there are no notes, and the symbols alone decide the scale.
    let text = read_part(page, part, dpi, Layout::Sparse);
    let geometry = Geometry { media_box: part, crop_box: part, ..*geometry };
    text.map_or_else(Vec::new, |text| plan_ratios(&text, &geometry))
}

/// What the network detects on a sample of a sheet at a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScaleTrial {
    pub(crate) ratio: f32,
    /// Whether the sheet's notes state the ratio.
    pub(crate) is_noted: bool,
    /// Summed lengths, in points, of what is detected with certainty.
    pub(crate) sure: f32,
    /// Summed lengths, in points, of what is detected without certainty.
    pub(crate) unsure: f32,
}

/// Least ratio of sure to unsure lengths at the ratio of a plan. Measured on scans of synthetic plans, a worn fax among them,
/// it is 0.3 to 0.9; letters, tables and hatches have 0.02 to 0.18.
const MIN_SURE: f32 = 0.2;

impl ScaleTrial {
    /// Returns whether the detections are those of a plan and not by chance.
    fn is_credible(&self) -> bool {
        self.sure > 0.0 && self.sure >= MIN_SURE * self.unsure
    }
}

/// A noted ratio is taken if at least this share of the best ratio's sure length is detected at it.
const MIN_NOTED: f32 = 0.5;
/// A further noted ratio, for example of an enlarged plan, is taken if at least this share is detected at it.
const MIN_FURTHER: f32 = 0.15;
/// Symbols of ratios that differ by less than this factor are detected at either.
const DISTINCT_RATIO: f32 = 1.3;

/// Chooses the ratios of a sheet's plans, the main one first. There are none if no trial is credible.
pub(crate) fn choose(trials: &[ScaleTrial]) -> Vec<f32> {
    let credible = || trials.iter().filter(|one| one.is_credible());
    let Some(best) = surest(credible()) else { return Vec::new() };
    let noted = surest(credible().filter(|trial| trial.is_noted && trial.sure >= MIN_NOTED * best.sure));
    let main = noted.unwrap_or(best);
    let mut ratios = vec![main.ratio];
    for trial in credible().filter(|trial| trial.is_noted && trial.sure >= MIN_FURTHER * best.sure) {
        if ratios.iter().all(|ratio| (ratio / trial.ratio).max(trial.ratio / ratio) >= DISTINCT_RATIO) {
            ratios.push(trial.ratio);
        }
    }
    ratios
}

/// Returns the trial with the largest sure length.
fn surest<'a>(trials: impl Iterator<Item = &'a ScaleTrial>) -> Option<ScaleTrial> {
    trials.copied().max_by(|a, b| a.sure.total_cmp(&b.sure))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(ratio: f32, is_noted: bool, sure: f32) -> ScaleTrial {
        ScaleTrial { ratio, is_noted, sure, unsure: 4.0 }
    }

    #[test]
    fn notes_are_believed_if_symbols_agree() {
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
        for (what, trials, expected) in cases {
            assert_eq!(choose(&trials), expected, "{what}");
        }
    }

    #[test]
    fn tried_ratios_are_within_the_trained_tolerance() {
        for pair in TRIED_RATIOS.windows(2) {
            assert!(pair[1] / pair[0] < 1.25 * 1.25, "{pair:?}");
        }
    }
}
