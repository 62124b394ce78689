//! Score fusion: one confidence from a detector's and the classifier's.

/// Coefficients of a logistic regression over two log-odds: the detector's confidence and the classifier's likelihood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FusionCoefficients {
    /// The intercept.
    pub bias: f32,
    /// Coefficient of the detector's log-odds.
    pub detector: f32,
    /// Coefficient of the classifier's log-odds.
    pub classifier: f32,
}

/// A detector's confidence is clamped to this and to one minus this.
const MAX_DETECTOR_CONFIDENCE: f32 = 0.999;
/// The classifier's likelihood is clamped to this and to one minus this: drawings of offices that it has not seen mislead
/// it. On drafted sheets values from 0.9 to 0.98 score alike.
const MAX_CLASSIFIER_LIKELIHOOD: f32 = 0.95;

impl FusionCoefficients {
    /// Fuses both scores into one probability, from 0 to 1.
    pub fn fuse(&self, confidence: f32, likelihood: f32) -> f32 {
        let sum = self.bias
            + self.detector * detector_log_odds(confidence)
            + self.classifier * classifier_log_odds(likelihood);
        logistic(sum)
    }
}

/// Returns the probability, from 0 to 1, with these log-odds (logistic function).
pub(crate) fn logistic(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Returns the clamped log-odds of a detector's confidence.
pub fn detector_log_odds(confidence: f32) -> f32 {
    clamped_log_odds(confidence, MAX_DETECTOR_CONFIDENCE)
}

/// Returns the clamped log-odds of the classifier's likelihood.
pub fn classifier_log_odds(likelihood: f32) -> f32 {
    clamped_log_odds(likelihood, MAX_CLASSIFIER_LIKELIHOOD)
}

/// Returns the logit of a probability clamped to `most` and `1 - most`; NaN counts as 0.5.
fn clamped_log_odds(probability: f32, most: f32) -> f32 {
    let probability = if probability.is_nan() { 0.5 } else { probability.clamp(1.0 - most, most) };
    (probability / (1.0 - probability)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_scores_count_and_are_clamped() {
        let even = FusionCoefficients { bias: 0.0, detector: 1.0, classifier: 1.0 };
        let cases = [
            (0.5, 0.5, 0.5),
            (0.9, 0.5, 0.9),
            (0.5, 0.2, 0.2),
            (0.9, 0.1, 0.5),
            (0.95, 0.0, 0.5),
            (f32::NAN, 0.7, 0.7),
        ];
        for (confidence, likelihood, expected) in cases {
            let fused = even.fuse(confidence, likelihood);
            assert!((fused - expected).abs() < 1e-4, "{confidence} {likelihood}: {fused}");
        }
        let doubtful = FusionCoefficients { bias: -1.0, detector: 0.5, classifier: 2.0 };
        assert!(doubtful.fuse(0.6, 0.6) < doubtful.fuse(0.6, 0.9));
        assert!(doubtful.fuse(0.6, 0.6) < doubtful.fuse(0.9, 0.6));
    }
}
