//! Conditional logit: one of several options, or none of them, is chosen by weighted features (`McFadden` 1974). Fitted by maximum
//! likelihood with a ridge penalty, by Newton's method.

use crate::linear::solve;

/// Most Newton steps, and most halvings of a step.
const STEPS: i32 = 30;
/// A step that lowers the cost by less than this share of it is the last.
const LEAST_GAIN: f64 = 1e-6;

/// The options of which one or none is right. None of them has a score of 0.
#[derive(Clone, Debug)]
pub(crate) struct Choice<const N: usize> {
    /// What the coefficients weight, for each option.
    pub(crate) options: Vec<[f64; N]>,
    /// The right one, or `None` if none of them is.
    pub(crate) right: Option<usize>,
    /// How much the choice counts.
    pub(crate) weight: f64,
}

/// Fits coefficients, beginning at `start`; the ridge, as strong as so many choices, pulls towards `prior`. Each step is halved
/// until it lowers the cost.
pub(crate) fn fit_choices<const N: usize>(
    choices: &[&Choice<N>],
    start: [f64; N],
    prior: [f64; N],
    ridge: f64,
) -> [f64; N] {
    let mut coefficients = start;
    let mut before = cost(choices, &coefficients, &prior, ridge);
    for _ in 0..STEPS {
        let step = newton_step(choices, &coefficients, &prior, ridge);
        let shares = (0..STEPS).map(|halved| 0.5_f64.powi(halved));
        let mut steps = shares.map(|share| std::array::from_fn(|place| coefficients[place] - share * step[place]));
        let Some((better, after)) = steps.find_map(|stepped| {
            let after = cost(choices, &stepped, &prior, ridge);
            (after < before).then_some((stepped, after))
        }) else {
            break;
        };
        let gain = before - after;
        (coefficients, before) = (better, after);
        if gain < LEAST_GAIN * after {
            break;
        }
    }
    coefficients
}

fn score<const N: usize>(features: &[f64; N], coefficients: &[f64; N]) -> f64 {
    features.iter().zip(coefficients).map(|(value, coefficient)| value * coefficient).sum()
}

/// Returns the probability of each option, and the logarithm of that of the right choice.
fn probabilities<const N: usize>(choice: &Choice<N>, coefficients: &[f64; N]) -> (Vec<f64>, f64) {
    let scores: Vec<f64> = choice.options.iter().map(|features| score(features, coefficients)).collect();
    let most = scores.iter().copied().fold(0.0, f64::max);
    let sum: f64 = (-most).exp() + scores.iter().map(|score| (score - most).exp()).sum::<f64>();
    let right = choice.right.and_then(|at| scores.get(at)).copied().unwrap_or(0.0);
    (scores.iter().map(|score| (score - most).exp() / sum).collect(), right - most - sum.ln())
}

/// Returns the negative log-likelihood plus the ridge penalty.
fn cost<const N: usize>(choices: &[&Choice<N>], coefficients: &[f64; N], prior: &[f64; N], ridge: f64) -> f64 {
    let apart: f64 = coefficients.iter().zip(prior).map(|(own, prior)| (own - prior).powi(2)).sum();
    let off = |choice: &&Choice<N>| -choice.weight * probabilities(choice, coefficients).1;
    ridge * apart / 2.0 + choices.iter().map(off).sum::<f64>()
}

/// Returns the inverse of the cost's Hessian times its gradient.
fn newton_step<const N: usize>(
    choices: &[&Choice<N>],
    coefficients: &[f64; N],
    prior: &[f64; N],
    ridge: f64,
) -> [f64; N] {
    let mut gradient: [f64; N] = std::array::from_fn(|place| ridge * (coefficients[place] - prior[place]));
    let mut hessian = [[0.0; N]; N];
    for (place, line) in hessian.iter_mut().enumerate() {
        line[place] = ridge;
    }
    for choice in choices {
        let (likely, _) = probabilities(choice, coefficients);
        let mut mean = [0.0; N];
        for (features, likely) in choice.options.iter().zip(&likely) {
            for (place, value) in features.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                let part = likely * value;
                mean[place] += part;
                for (other, factor) in features.iter().enumerate() {
                    hessian[place][other] += choice.weight * part * factor;
                }
            }
        }
        let right = choice.right.and_then(|at| choice.options.get(at));
        for place in 0..N {
            gradient[place] += choice.weight * (mean[place] - right.map_or(0.0, |features| features[place]));
            for other in 0..N {
                hessian[place][other] -= choice.weight * mean[place] * mean[other];
            }
        }
    }
    solve(hessian, gradient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feature_of_the_right_options_gets_the_largest_coefficient() {
        let choice = |at: usize| {
            let option = |own: usize| [1.0, f64::from(u8::from(own == at % 4)), (own as f64 - 1.5) * 0.1];
            Choice { options: (0..3).map(option).collect(), right: (at % 4 < 3).then_some(at % 4), weight: 1.0 }
        };
        let choices: Vec<Choice<3>> = (0..40).map(choice).collect();
        let fitted = fit_choices(&choices.iter().collect::<Vec<_>>(), [0.0; 3], [0.0; 3], 0.1);
        assert!(fitted[1] > 3.0 && fitted[0] < 0.0 && fitted[2].abs() < 1.0, "{fitted:?}");
    }

    #[test]
    fn equations_are_solved() {
        let solved = solve([[4.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 2.0]], [7.5, 7.0, 6.5]);
        for (value, expected) in solved.into_iter().zip([1.0, 2.0, 3.0]) {
            assert!((value - expected).abs() < 1e-9, "{solved:?}");
        }
    }
}
