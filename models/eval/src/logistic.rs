//! Logistic regression over two log-odds.

use fanlight_detection::classifier::{FusionCoefficients, classifier_log_odds, detector_log_odds};

/// What a detector and the classifier say of a candidate, each from 0 to 1, and whether it is what they were asked about.
#[derive(Clone, Copy, Debug)]
pub struct LabelledScores {
    /// The detector's confidence.
    pub confidence: f32,
    /// The classifier's likelihood.
    pub likelihood: f32,
    /// What is so.
    pub is_true: bool,
}

/// What coefficients are where there is nothing to fit them on, and how strongly they are held there: like ten candidates would.
const PRIOR: Row = [0.0, 1.0, 0.5];
const RIDGE: f64 = 10.0;
const STEPS: i32 = 30;

/// The coefficients under which what was found is likeliest, by Newton's method; each step is halved until it betters them.
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
    let [bias, detector, classifier] = coefficients.map(|weight| weight as f32);
    FusionCoefficients { bias, detector, classifier }
}

/// A candidate's one, the detector's log-odds, and the classifier's.
type Row = [f64; 3];

/// What the detector and the classifier say of a candidate together, in log-odds.
fn sum(row: &Row, coefficients: Row) -> f64 {
    row.iter().zip(coefficients).map(|(value, weight)| value * weight).sum()
}

/// The logarithm of how unlikely what was found is, and the ridge.
fn cost(rows: &[(Row, bool)], coefficients: Row) -> f64 {
    let ridge: f64 = coefficients.iter().zip(PRIOR).map(|(weight, prior)| RIDGE * (weight - prior).powi(2) / 2.0).sum();
    let off = |(row, is_true): &(Row, bool)| {
        let against = if *is_true { -sum(row, coefficients) } else { sum(row, coefficients) };
        // ln(1 + e^against), where e^against may be beyond all numbers.
        against.max(0.0) + (-against.abs()).exp().ln_1p()
    };
    ridge + rows.iter().map(off).sum::<f64>()
}

fn newton_step(rows: &[(Row, bool)], coefficients: Row) -> Row {
    let mut gradient = [0, 1, 2].map(|place| RIDGE * (coefficients[place] - PRIOR[place]));
    let mut curvature = [[RIDGE, 0.0, 0.0], [0.0, RIDGE, 0.0], [0.0, 0.0, RIDGE]];
    for (row, is_true) in rows {
        let likely = 1.0 / (1.0 + (-sum(row, coefficients)).exp());
        let off = likely - f64::from(u8::from(*is_true));
        for (place, value) in row.iter().enumerate() {
            gradient[place] += off * value;
            for (other, factor) in row.iter().enumerate() {
                curvature[place][other] += likely * (1.0 - likely) * value * factor;
            }
        }
    }
    solved(curvature, gradient)
}

/// The solution of three linear equations, by Cramer's rule.
fn solved(matrix: [[f64; 3]; 3], right: [f64; 3]) -> [f64; 3] {
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
