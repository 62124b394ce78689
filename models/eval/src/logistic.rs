//! Logistic regression over two log-odds, with a ridge penalty.

use fanlight_detection::classifier::{FusionCoefficients, classifier_log_odds, detector_log_odds};

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

/// The coefficients that the ridge pulls towards: bias, detector, classifier.
const PRIOR: Row = [0.0, 1.0, 0.5];
/// Strength of the ridge, about that of ten candidates.
const RIDGE: f64 = 10.0;
/// Most Newton steps, and most halvings of a step.
const STEPS: i32 = 30;

/// Fits coefficients by maximum likelihood with Newton's method. Each step is halved until it lowers the cost.
pub fn fit(scores: impl IntoIterator<Item = LabelledScores>) -> FusionCoefficients {
    let rows: Vec<(Row, bool)> = scores
        .into_iter()
        .map(|one| {
            (
                [1.0, f64::from(detector_log_odds(one.confidence)), f64::from(classifier_log_odds(one.likelihood))],
                one.is_true,
            )
        })
        .collect();
    let mut coefficients = PRIOR;
    for _ in 0..STEPS {
        let step = newton_step(&rows, coefficients);
        let before = cost(&rows, coefficients);
        let shares = (0..STEPS).map(|halved| 0.5_f64.powi(halved));
        let steps = shares.map(|share| [0, 1, 2].map(|place| coefficients[place] - share * step[place]));
        let Some(better) = steps.into_iter().find(|stepped| cost(&rows, *stepped) < before) else { break };
        coefficients = better;
    }
    let [bias, detector, classifier] = coefficients.map(|coefficient| coefficient as f32);
    FusionCoefficients { bias, detector, classifier }
}

/// The features of a candidate: 1, the detector's log-odds, the classifier's log-odds.
type Row = [f64; 3];

/// Returns the fused log-odds of a candidate.
fn fused_log_odds(row: &Row, coefficients: Row) -> f64 {
    row.iter().zip(coefficients).map(|(value, coefficient)| value * coefficient).sum()
}

/// Returns the negative log-likelihood of the labels plus the ridge penalty.
fn cost(rows: &[(Row, bool)], coefficients: Row) -> f64 {
    let ridge: f64 =
        coefficients.iter().zip(PRIOR).map(|(coefficient, prior)| RIDGE * (coefficient - prior).powi(2) / 2.0).sum();
    let off = |(row, is_true): &(Row, bool)| {
        let log_odds = fused_log_odds(row, coefficients);
        let against = if *is_true { -log_odds } else { log_odds };
        // ln(1 + e^against), without overflow of e^against.
        against.max(0.0) + (-against.abs()).exp().ln_1p()
    };
    ridge + rows.iter().map(off).sum::<f64>()
}

/// Returns the inverse of the cost's Hessian times its gradient.
fn newton_step(rows: &[(Row, bool)], coefficients: Row) -> Row {
    let mut gradient = [0, 1, 2].map(|place| RIDGE * (coefficients[place] - PRIOR[place]));
    let mut hessian = [[RIDGE, 0.0, 0.0], [0.0, RIDGE, 0.0], [0.0, 0.0, RIDGE]];
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

/// Solves three linear equations by Cramer's rule.
fn solve(matrix: [[f64; 3]; 3], right: [f64; 3]) -> [f64; 3] {
    let determinant = |m: &[[f64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let whole = determinant(&matrix);
    [0, 1, 2].map(|column| {
        let mut replaced = matrix;
        for (row, value) in replaced.iter_mut().zip(right) {
            row[column] = value;
        }
        determinant(&replaced) / whole
    })
}
