//! Detection on pages that are drawn with lines: what the lines propose and what the network detects on the picture of the
//! page, fused.
//!
//! Lines give exact boxes, but rules know only the forms that they were made for. The network looks at any form. Each
//! symbol has up to three scores: the confidence by lines, the confidence of the detector network, and the likelihood of
//! the classifier. [`EvidenceCoefficients`] combine them.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use crate::classifier::{classifier_log_odds, detector_log_odds, logistic};
use crate::detector::Detection;

/// The scores of one symbol, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The confidence by lines, if lines propose the symbol.
    pub lines: Option<f32>,
    /// The confidence of the detector network, if it detects the symbol.
    pub network: Option<f32>,
    /// The likelihood of the classifier, if the symbol is classified.
    pub classifier: Option<f32>,
}

/// Number of features of [`Evidence::features`].
pub const FEATURES: usize = 6;

/// Coefficients of a logistic regression over [`Evidence::features`], in their order.
pub type EvidenceCoefficients = [f32; FEATURES];

impl Evidence {
    /// Returns the features of the regression: 1, the log-odds by lines or 0, whether lines do not propose the symbol, the
    /// log-odds of the network or 0, whether the network does not detect it, the log-odds of the classifier or 0.
    pub fn features(&self) -> [f32; FEATURES] {
        let missing = |score: Option<f32>| f32::from(u8::from(score.is_none()));
        [
            1.0,
            self.lines.map_or(0.0, detector_log_odds),
            missing(self.lines),
            self.network.map_or(0.0, detector_log_odds),
            missing(self.network),
            self.classifier.map_or(0.0, classifier_log_odds),
        ]
    }

    /// Returns the probability, from 0 to 1, that the symbol is one.
    pub fn fused(&self, coefficients: &EvidenceCoefficients) -> f32 {
        let sum: f32 =
            self.features().iter().zip(coefficients).map(|(feature, coefficient)| feature * coefficient).sum();
        logistic(sum)
    }
}

/// A symbol that lines propose, or the network detects, or both.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// Its bounding box in user space, in points: that of the lines if they propose it.
    pub bbox: Rect,
    /// Its index among the candidates by lines.
    pub candidate: Option<usize>,
    /// Its index among the detections of the network.
    pub detection: Option<usize>,
}

/// A candidate and a detection are of the same symbol from this intersection over union on. Half of it would join a basin
/// and its counter.
pub const SAME_IOU: f32 = 0.4;
/// Boxes thinner than this, in points, are padded before they are compared: a sliding door's overlap would depend on its
/// thickness alone.
const THIN: f32 = 12.0;
/// Padding of thin boxes on each side, in points.
const THIN_PADDING: f32 = 4.0;

/// Pairs candidates by lines with detections of the network.
///
/// Each candidate is a symbol, with the detection that overlaps it most. A detection that overlaps no candidate is a symbol
/// of its own.
pub fn pair(candidates: &[Rect], detections: &[Detection]) -> Vec<Symbol> {
    let mut is_paired = vec![false; detections.len()];
    let mut symbols = Vec::with_capacity(candidates.len());
    for (index, bbox) in candidates.iter().enumerate() {
        let overlaps = detections.iter().enumerate().map(|(at, detection)| (at, overlap(*bbox, detection.bbox)));
        let best = overlaps.filter(|(_, overlap)| *overlap >= SAME_IOU).max_by(|a, b| a.1.total_cmp(&b.1));
        let detection = best.map(|(at, _)| at);
        if let Some(paired) = detection.and_then(|at| is_paired.get_mut(at)) {
            *paired = true;
        }
        symbols.push(Symbol { bbox: *bbox, candidate: Some(index), detection });
    }
    let alone = detections.iter().zip(is_paired).enumerate().filter(|(_, (_, is_paired))| !is_paired);
    symbols.extend(alone.map(|(at, (detection, _))| Symbol {
        bbox: detection.bbox,
        candidate: None,
        detection: Some(at),
    }));
    symbols
}

/// A symbol with what its equal copies on the page say of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shared {
    /// The symbol's confidence, shared with its copies.
    pub confidence: f32,
    /// Index of the most confident of its copies, itself if it has none.
    pub likeliest: usize,
}

/// How far a copy's log-odds move to those of the most confident copy: a share from 0 to 1. This and the next are those of a grid
/// that gain on open pages and on pages for measuring only: the rows "copies share" of `models/eval/history.csv`.
const SHARE: f32 = 0.7;
/// What each doubling of the number of copies takes from the log-odds: of many copies the most confident one is likelier to be so by
/// chance, and furniture is repeated as well.
const DOUBLING: f32 = 0.4;
/// Copies share evidence if one of them has at least this confidence.
const MIN_SHARED: f32 = 0.5;
/// How many copies share evidence. More are a pattern, and would take long to pair with symbols.
const COPIES: std::ops::RangeInclusive<usize> = 2..=1_000;

/// Lets equal copies of one symbol share their evidence: a symbol that is repeated on a sheet is one question.
///
/// `symbols` are boxes with their confidence. `copies` returns the places that are drawn like a box, itself among them. It is
/// called for the most confident symbol of each group.
pub fn shared_among_copies(symbols: &[(Rect, f32)], copies: impl Fn(Rect) -> Vec<Rect>) -> Vec<Shared> {
    let alone = symbols.iter().enumerate();
    let mut shared: Vec<Shared> =
        alone.map(|(index, (_, confidence))| Shared { confidence: *confidence, likeliest: index }).collect();
    let mut is_shared = vec![false; symbols.len()];
    let mut order: Vec<usize> = (0..symbols.len()).filter(|index| symbols[*index].1 >= MIN_SHARED).collect();
    order.sort_by(|a, b| symbols[*b].1.total_cmp(&symbols[*a].1));
    for likeliest in order {
        if is_shared[likeliest] {
            continue;
        }
        let places = copies(symbols[likeliest].0);
        if !COPIES.contains(&places.len()) {
            continue;
        }
        let highest = detector_log_odds(symbols[likeliest].1);
        let chance = DOUBLING * (places.len() as f32).log2();
        for (index, (bbox, confidence)) in symbols.iter().enumerate() {
            if is_shared[index] || !places.iter().any(|place| place.iou(bbox) >= COPY_IOU) {
                continue;
            }
            let own = detector_log_odds(*confidence);
            let log_odds = own + SHARE * (highest - own) - chance;
            shared[index] = Shared { confidence: logistic(log_odds), likeliest };
            is_shared[index] = true;
        }
    }
    shared
}

/// A symbol lies at the place of a copy from this intersection over union on, as labels are matched.
const COPY_IOU: f32 = 0.5;

/// Returns the intersection over union of two boxes. Thin boxes are padded first.
pub fn overlap(a: Rect, b: Rect) -> f32 {
    let is_thin = |bbox: Rect| (bbox.x2 - bbox.x1).min(bbox.y2 - bbox.y1) < THIN;
    let padding = if is_thin(a) || is_thin(b) { THIN_PADDING } else { 0.0 };
    a.expanded(padding, padding).iou(&b.expanded(padding, padding))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classifier_input::Class;

    fn square(x: f32, side: f32) -> Rect {
        Rect { x1: x, y1: 0.0, x2: x + side, y2: side }
    }

    fn detection(bbox: Rect) -> Detection {
        Detection { class: Class::Lavatory, bbox, confidence: 0.9 }
    }

    #[test]
    fn a_candidate_takes_the_detection_that_overlaps_it_most() {
        let detections = [detection(square(6.0, 20.0)), detection(square(1.0, 20.0)), detection(square(90.0, 20.0))];
        let symbols = pair(&[square(0.0, 20.0), square(50.0, 20.0)], &detections);
        let pairs: Vec<(Option<usize>, Option<usize>)> =
            symbols.iter().map(|symbol| (symbol.candidate, symbol.detection)).collect();
        assert_eq!(pairs, [(Some(0), Some(1)), (Some(1), None), (None, Some(0)), (None, Some(2))]);
        assert_eq!((symbols[0].bbox.x1, symbols[0].bbox.x2), (0.0, 20.0));
    }

    /// Shares evidence where boxes of 20 points are copies of one another.
    fn shared(symbols: &[(Rect, f32)]) -> Vec<Shared> {
        let is_square = |bbox: &Rect| bbox.x2 - bbox.x1 == 20.0;
        let squares: Vec<Rect> = symbols.iter().map(|(bbox, _)| *bbox).filter(is_square).collect();
        shared_among_copies(symbols, |bbox| if is_square(&bbox) { squares.clone() } else { vec![bbox] })
    }

    #[test]
    fn a_doubtful_copy_of_a_likely_symbol_gains() {
        let found = shared(&[(square(0.0, 20.0), 0.3), (square(50.0, 20.0), 0.95), (square(100.0, 30.0), 0.3)]);
        assert!(found[0].confidence > 0.5 && found[0].likeliest == 1, "{found:?}");
        assert!(found[1].confidence < 0.95 && found[1].likeliest == 1, "{found:?}");
        assert_eq!(found[2], Shared { confidence: 0.3, likeliest: 2 });
    }

    #[test]
    fn copies_without_a_likely_one_keep_their_confidence() {
        let found = shared(&[(square(0.0, 20.0), 0.4), (square(50.0, 20.0), 0.3)]);
        assert_eq!(found.iter().map(|own| own.confidence).collect::<Vec<_>>(), [0.4, 0.3]);
    }

    #[test]
    fn the_more_copies_the_less_the_likeliest_says() {
        let among = |count: u16| {
            let symbols = (0..count).map(|at| (square(50.0 * f32::from(at), 20.0), if at == 0 { 0.8 } else { 0.3 }));
            shared(&symbols.collect::<Vec<_>>())[1].confidence
        };
        assert!(among(2) > among(4) && among(4) > among(64), "{} {}", among(2), among(64));
    }

    #[test]
    fn thin_boxes_are_the_same_if_they_are_a_point_apart() {
        let panel = Rect { x1: 0.0, y1: 0.0, x2: 60.0, y2: 2.0 };
        let below = Rect { y1: -2.0, y2: 0.0, ..panel };
        assert_eq!(pair(&[panel], &[detection(below)]).len(), 1);
    }

    #[test]
    fn missing_scores_have_coefficients_of_their_own() {
        let coefficients = [0.0, 1.0, -2.0, 1.0, -3.0, 0.5];
        let fused = |evidence: Evidence| evidence.fused(&coefficients);
        let both = Evidence { lines: Some(0.8), network: Some(0.8), classifier: None };
        let lines = Evidence { network: None, ..both };
        let network = Evidence { lines: None, ..both };
        assert!(fused(both) > fused(network) && fused(network) > fused(lines), "{}", fused(lines));
        let classified = Evidence { classifier: Some(0.9), ..both };
        assert!(fused(classified) > fused(both));
        assert_eq!(fused(Evidence { lines: Some(0.5), network: Some(0.5), classifier: Some(0.5) }), 0.5);
    }
}
