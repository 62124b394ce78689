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

/// No finder is surer than this.
const SUREST: f32 = 0.999;
/// The judge is not believed to be surer than this, either way: drawings of other offices than it has seen mislead it. On
/// drafted sheets 0.9 to 0.98 score alike.
const SUREST_OF_PICTURE: f32 = 0.95;

impl Weights {
    /// How likely it is what both were asked about, from 0 to 1.
    pub fn weigh(&self, confidence: f32, likelihood: f32) -> f32 {
        let sum = self.bias + self.finder * log_odds(confidence) + self.judge * picture_odds(likelihood);
        1.0 / (1.0 + (-sum).exp())
    }
}

/// The log-odds of a finder's confidence, as they are weighed.
pub fn log_odds(confidence: f32) -> f32 {
    bounded_log_odds(confidence, SUREST)
}

/// The log-odds of the judge's likelihood, as they are weighed.
pub fn picture_odds(likelihood: f32) -> f32 {
    bounded_log_odds(likelihood, SUREST_OF_PICTURE)
}

/// The logarithm of a probability over its opposite's; what is no number is even.
fn bounded_log_odds(probability: f32, surest: f32) -> f32 {
    let probability = if probability.is_nan() { 0.5 } else { probability.clamp(1.0 - surest, surest) };
    (probability / (1.0 - probability)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_count_and_neither_is_beyond_doubt() {
        let even = Weights { bias: 0.0, finder: 1.0, judge: 1.0 };
        let cases = [
            (0.5, 0.5, 0.5),
            (0.9, 0.5, 0.9),
            (0.5, 0.2, 0.2),
            (0.9, 0.1, 0.5),
            (0.95, 0.0, 0.5),
            (f32::NAN, 0.7, 0.7),
        ];
        for (confidence, likelihood, expected) in cases {
            let weighed = even.weigh(confidence, likelihood);
            assert!((weighed - expected).abs() < 1e-4, "{confidence} {likelihood}: {weighed}");
        }
        let doubtful = Weights { bias: -1.0, finder: 0.5, judge: 2.0 };
        assert!(doubtful.weigh(0.6, 0.6) < doubtful.weigh(0.6, 0.9));
        assert!(doubtful.weigh(0.6, 0.6) < doubtful.weigh(0.9, 0.6));
    }
}
