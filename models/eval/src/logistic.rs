//! Logistic regression over the scores of a candidate, with a ridge penalty.

use fanlight_detection::classifier::{FusionCoefficients, classifier_log_odds, detector_log_odds};
use fanlight_detection::evidence::{Evidence, EvidenceCoefficients, FEATURES};
use room_detector::{FEATURES as ROOM_FEATURES, RoomEvidence};

use crate::linear::solve;

/// The scores of a candidate, each from 0 to 1, with its label.
#[derive(Clone, Copy, Debug)]
pub struct LabelledScores {
    /// The detector's confidence.
    pub confidence: f32,
    /// The classifier's likelihood.
    pub likelihood: f32,
    /// Whether the candidate is a symbol of the group.
    pub is_true: bool,
}

/// The evidence for a symbol, with its label.
#[derive(Clone, Copy, Debug)]
pub struct EvidenceExample {
    /// The scores.
    pub evidence: Evidence,
    /// Whether it is a symbol of the group.
    pub is_true: bool,
}

/// The coefficients that the ridge pulls towards: bias, detector, classifier.
const PRIOR: [f64; 3] = [0.0, 1.0, 0.5];
/// The coefficients that the ridge pulls towards, in the order of [`Evidence::features`]: a symbol that only one of lines and
/// network claims is less likely.
const EVIDENCE_PRIOR: [f64; FEATURES] = [0.0, 0.7, -1.0, 0.7, -1.0, 0.3];
/// Strength of the ridge for two scores, about that of ten candidates.
const RIDGE: f64 = 10.0;
/// Strength of the ridge for evidence. On 51 open pages, each office with the coefficients of the others, doors reach F1 0.827
/// and fixtures 0.630; with 10 they reach 0.818 and 0.619.
const EVIDENCE_RIDGE: f64 = 40.0;
/// Strength of the ridge for rooms. Of 0.3, 1, 3 and 10, 10 does best on open pages, each office left out.
const ROOM_RIDGE: f64 = 10.0;
/// Most Newton steps, and most halvings of a step.
const STEPS: i32 = 30;

/// The coefficients that a ridge pulls towards, and how strongly.
struct Prior<const N: usize> {
    coefficients: [f64; N],
    ridge: f64,
}

/// Fits the coefficients of two scores by maximum likelihood.
pub fn fit(scores: impl IntoIterator<Item = LabelledScores>) -> FusionCoefficients {
    let rows: Vec<([f64; 3], bool)> = scores
        .into_iter()
        .map(|one| {
            (
                [1.0, f64::from(detector_log_odds(one.confidence)), f64::from(classifier_log_odds(one.likelihood))],
                one.is_true,
            )
        })
        .collect();
    let [bias, detector, classifier] =
        fit_rows(&rows, &Prior { coefficients: PRIOR, ridge: RIDGE }).map(|coefficient| coefficient as f32);
    FusionCoefficients { bias, detector, classifier }
}

/// Fits the coefficients of evidence by maximum likelihood.
pub fn fit_evidence(examples: &[EvidenceExample]) -> EvidenceCoefficients {
    let rows: Vec<([f64; FEATURES], bool)> =
        examples.iter().map(|one| (one.evidence.features().map(f64::from), one.is_true)).collect();
    fit_rows(&rows, &Prior { coefficients: EVIDENCE_PRIOR, ridge: EVIDENCE_RIDGE })
        .map(|coefficient| coefficient as f32)
}

/// Fits the coefficients of the likelihood of rooms by maximum likelihood, from regions and whether each is a room.
///
/// The ridge sees features with a mean of zero and a deviation of one each, but for the constant.
pub fn fit_rooms(examples: &[(RoomEvidence, bool)]) -> [f32; ROOM_FEATURES] {
    let rows: Vec<[f64; ROOM_FEATURES]> =
        examples.iter().map(|(evidence, _)| evidence.features().map(f64::from)).collect();
    let count = rows.len().max(1) as f64;
    let mut means: [f64; ROOM_FEATURES] =
        std::array::from_fn(|place| rows.iter().map(|row| row[place]).sum::<f64>() / count);
    let mut deviations: [f64; ROOM_FEATURES] = std::array::from_fn(|place| {
        (rows.iter().map(|row| (row[place] - means[place]).powi(2)).sum::<f64>() / count).sqrt().max(f64::MIN_POSITIVE)
    });
    // The constant stays as it is.
    (means[0], deviations[0]) = (0.0, 1.0);
    let scaled = rows.iter().zip(examples).map(|(row, (_, is_room))| {
        (std::array::from_fn(|place| (row[place] - means[place]) / deviations[place]), *is_room)
    });
    let prior = Prior { coefficients: [0.0; ROOM_FEATURES], ridge: ROOM_RIDGE };
    let fitted = fit_rows(&scaled.collect::<Vec<_>>(), &prior);
    let mut coefficients: [f64; ROOM_FEATURES] = std::array::from_fn(|place| fitted[place] / deviations[place]);
    coefficients[0] -= coefficients.iter().zip(means).map(|(coefficient, mean)| coefficient * mean).sum::<f64>();
    coefficients.map(|coefficient| coefficient as f32)
}

/// Fits coefficients by maximum likelihood with Newton's method. Each step is halved until it lowers the cost.
fn fit_rows<const N: usize>(rows: &[([f64; N], bool)], prior: &Prior<N>) -> [f64; N] {
    let mut coefficients = prior.coefficients;
    for _ in 0..STEPS {
        let step = newton_step(rows, coefficients, prior);
        let before = cost(rows, coefficients, prior);
        let shares = (0..STEPS).map(|halved| 0.5_f64.powi(halved));
        let steps = shares.map(|share| std::array::from_fn(|place| coefficients[place] - share * step[place]));
        let Some(better) = steps.into_iter().find(|stepped| cost(rows, *stepped, prior) < before) else { break };
        coefficients = better;
    }
    coefficients
}

/// Returns the fused log-odds of a candidate.
fn fused_log_odds<const N: usize>(row: &[f64; N], coefficients: [f64; N]) -> f64 {
    row.iter().zip(coefficients).map(|(value, coefficient)| value * coefficient).sum()
}

/// Returns the negative log-likelihood of the labels plus the ridge penalty.
fn cost<const N: usize>(rows: &[([f64; N], bool)], coefficients: [f64; N], prior: &Prior<N>) -> f64 {
    let ridge: f64 = coefficients.iter().zip(prior.coefficients).map(|(own, prior)| (own - prior).powi(2)).sum::<f64>()
        * prior.ridge
        / 2.0;
    ridge + rows.iter().map(|(row, is_true)| loss(fused_log_odds(row, coefficients), *is_true)).sum::<f64>()
}

/// Returns the negative log-likelihood of a label.
fn loss(log_odds: f64, is_true: bool) -> f64 {
    let against = if is_true { -log_odds } else { log_odds };
    // ln(1 + e^against), without overflow of e^against.
    against.max(0.0) + (-against.abs()).exp().ln_1p()
}

/// Returns the inverse of the cost's Hessian times its gradient.
fn newton_step<const N: usize>(rows: &[([f64; N], bool)], coefficients: [f64; N], prior: &Prior<N>) -> [f64; N] {
    let mut gradient: [f64; N] =
        std::array::from_fn(|place| prior.ridge * (coefficients[place] - prior.coefficients[place]));
    let mut hessian = [[0.0; N]; N];
    for (place, line) in hessian.iter_mut().enumerate() {
        line[place] = prior.ridge;
    }
    for (row, is_true) in rows {
        let likely = 1.0 / (1.0 + (-fused_log_odds(row, coefficients)).exp());
        let off = likely - f64::from(u8::from(*is_true));
        for (place, value) in row.iter().enumerate() {
            gradient[place] += off * value;
            for (other, factor) in row.iter().enumerate() {
                hessian[place][other] += likely * (1.0 - likely) * value * factor;
            }
        }
    }
    solve(hessian, gradient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_that_decides_gets_the_largest_coefficient() {
        let example = |lines: f32, network: f32, is_true: bool| EvidenceExample {
            evidence: Evidence { lines: Some(lines), network: Some(network), classifier: None },
            is_true,
        };
        let examples: Vec<EvidenceExample> = (0..400)
            .map(|at| {
                let is_true = at % 2 == 0;
                example(if at % 3 == 0 { 0.8 } else { 0.3 }, if is_true { 0.7 } else { 0.4 }, is_true)
            })
            .collect();
        let coefficients = fit_evidence(&examples);
        assert!(coefficients[3] > 2.0 * coefficients[1].abs(), "{coefficients:?}");
    }
}
