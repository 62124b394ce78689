//! Fuses what the network says of a box with what titles say: a log-linear model.

use crate::views::network_input::{CLASSES, ViewClass};
use crate::views::words::NamedClasses;

/// The weights of the log-linear model. `models/train/view_fusion.py` fits them on offices that the network has not learnt from.
struct Weights {
    /// Of the network's logits.
    network: f32,
    /// Of a class that titles name: below, above, inside, the sheet's.
    named: [f32; 4],
    /// Of each other class but "none", likewise.
    unnamed: [f32; 4],
    /// Of "none".
    none: f32,
}

/// Fitted on 2026-12-01; see models/view-classifier/card.md.
const WEIGHTS: Weights = Weights {
    network: 0.736,
    named: [1.824, 0.751, 0.342, 0.267],
    unnamed: [0.030, -0.749, 0.287, -0.563],
    none: 1.607,
};

/// Returns the log-odds of [`CLASSES`], up to a constant, from the network's logits and the named classes.
pub fn scores(logits: &[f32; CLASSES.len()], named: &NamedClasses) -> [f32; CLASSES.len()] {
    std::array::from_fn(|index| {
        let mut score = WEIGHTS.network * logits[index];
        if CLASSES[index] == ViewClass::None {
            return score + WEIGHTS.none;
        }
        for (place, set) in named.sets().into_iter().enumerate().filter(|(_, set)| !set.is_empty()) {
            score += if set.has(index) { WEIGHTS.named[place] } else { WEIGHTS.unnamed[place] };
        }
        score
    })
}

/// Returns the probabilities of log-odds (softmax).
pub fn probabilities(scores: &[f32; CLASSES.len()]) -> [f32; CLASSES.len()] {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers = scores.map(|score| (score - highest).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::words::ClassSet;

    #[test]
    fn a_title_makes_its_class_likelier() {
        let logits = [0.0; CLASSES.len()];
        let silent = probabilities(&scores(&logits, &NamedClasses::default()));
        let named = NamedClasses { below: ClassSet::new(&[ViewClass::Plan]), ..NamedClasses::default() };
        let said = probabilities(&scores(&logits, &named));
        assert!(said[1] > silent[1] && said[2] < silent[2], "{said:?}");
        assert!((said.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
}
