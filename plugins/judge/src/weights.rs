//! One confidence of a finder's and the judge's.

/// How much a finder's confidence and the judge's likelihood count: a logistic regression over their log-odds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// What counts for all.
    pub bias: f32,
    /// Of the log-odds of the finder's confidence.
    pub finder: f32,
    /// Of the log-odds of the judge's likelihood.
    pub judge: f32,
}

/// Neither a finder nor the judge is surer than this.
const SUREST: f32 = 0.999;

impl Weights {
    /// How likely it is what both were asked about, from 0 to 1.
    pub fn weigh(&self, confidence: f32, likelihood: f32) -> f32 {
        let sum = self.bias + self.finder * log_odds(confidence) + self.judge * log_odds(likelihood);
        1.0 / (1.0 + (-sum).exp())
    }
}

/// The logarithm of a probability over its opposite's; what is no number is even.
pub fn log_odds(probability: f32) -> f32 {
    let probability = if probability.is_nan() { 0.5 } else { probability.clamp(1.0 - SUREST, SUREST) };
    (probability / (1.0 - probability)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_count_and_neither_is_beyond_doubt() {
        let even = Weights { bias: 0.0, finder: 1.0, judge: 1.0 };
        let cases =
            [(0.5, 0.5, 0.5), (0.9, 0.5, 0.9), (0.5, 0.2, 0.2), (0.9, 0.1, 0.5), (1.0, 0.0, 0.5), (f32::NAN, 0.7, 0.7)];
        for (confidence, likelihood, expected) in cases {
            let weighed = even.weigh(confidence, likelihood);
            assert!((weighed - expected).abs() < 1e-4, "{confidence} {likelihood}: {weighed}");
        }
        let doubtful = Weights { bias: -1.0, finder: 0.5, judge: 2.0 };
        assert!(doubtful.weigh(0.6, 0.6) < doubtful.weigh(0.6, 0.9));
        assert!(doubtful.weigh(0.6, 0.6) < doubtful.weigh(0.9, 0.6));
    }
}
