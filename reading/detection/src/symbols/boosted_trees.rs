//! Gradient-boosted decision trees (Friedman 2001), fitted by `models/train/outline_trees.py`.

use crate::classifier_input::softmax;

/// An ensemble of trees for several classes. A class's score is a sum over its trees.
pub(crate) struct BoostedTrees {
    /// The scores without any tree, one for each class.
    baselines: Vec<f32>,
    /// The trees of the first class, of the second, and so on, again and again.
    trees: Vec<Vec<Node>>,
}

/// A node of a tree. The node after it is the child for features up to the threshold.
struct Node {
    /// Index of the feature that is compared, or [`LEAF`].
    feature: u8,
    /// How many nodes further the child for features above the threshold is.
    above: u8,
    /// The threshold, or a leaf's score.
    value: f32,
}

/// Marks a leaf in place of a feature.
const LEAF: u8 = u8::MAX;
/// Bytes of a node: feature, child, value.
const NODE_BYTES: usize = 6;

impl BoostedTrees {
    /// Reads trees from a file of `models/train/outline_trees.py`: the number of classes in a byte, their baselines, then for each
    /// tree the number of its nodes in a byte and the nodes. Numbers are little-endian. What is cut off is left out.
    pub(crate) fn read(file: &[u8]) -> Self {
        let (classes, rest) = file.split_first().unwrap_or((&0, &[]));
        let (baselines, mut rest) = rest.split_at_checked(4 * usize::from(*classes)).unwrap_or_default();
        let baselines = baselines.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let mut trees = Vec::new();
        while let Some((count, after)) = rest.split_first() {
            let Some((nodes, after)) = after.split_at_checked(NODE_BYTES * usize::from(*count)) else { break };
            trees.push(nodes.as_chunks().0.iter().copied().map(Node::read).collect());
            rest = after;
        }
        Self { baselines, trees }
    }

    /// Returns how many features the trees ask for.
    #[cfg(test)]
    pub(crate) fn feature_count(&self) -> usize {
        let asked = self.trees.iter().flatten().map(|node| node.feature).filter(|feature| *feature != LEAF);
        asked.max().map_or(0, |last| usize::from(last) + 1)
    }

    /// Returns the probability of each class, by the softmax of their scores.
    pub(crate) fn probabilities(&self, features: &[f32]) -> Vec<f32> {
        let mut scores = self.baselines.clone();
        let classes = scores.len().max(1);
        for (index, tree) in self.trees.iter().enumerate() {
            if let (Some(score), Some(leaf)) = (scores.get_mut(index % classes), leaf(tree, features)) {
                *score += leaf;
            }
        }
        softmax(scores)
    }
}

impl Node {
    fn read(bytes: [u8; NODE_BYTES]) -> Self {
        let [feature, above, value @ ..] = bytes;
        Self { feature, above, value: f32::from_le_bytes(value) }
    }
}

/// Returns the score of the leaf that the features lead to.
fn leaf(tree: &[Node], features: &[f32]) -> Option<f32> {
    let mut index = 0;
    loop {
        let node = tree.get(index)?;
        if node.feature == LEAF {
            return Some(node.value);
        }
        let is_above = *features.get(usize::from(node.feature))? > node.value;
        index += if is_above { usize::from(node.above).max(1) } else { 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(feature: u8, above: u8, value: f32) -> Vec<u8> {
        [vec![feature, above], value.to_le_bytes().to_vec()].concat()
    }

    /// Two classes: the first with a tree that asks whether the second feature is above 0.5, the second with a single leaf.
    fn file() -> Vec<u8> {
        let baselines = [2_u8].into_iter().chain(0.0_f32.to_le_bytes()).chain(0.0_f32.to_le_bytes()).collect();
        let first = [vec![3], node(1, 2, 0.5), node(LEAF, 0, -1.0), node(LEAF, 0, 1.0)].concat();
        let second = [vec![1], node(LEAF, 0, 0.25)].concat();
        [baselines, first, second].concat()
    }

    #[test]
    fn features_lead_to_a_leaf_of_each_class() {
        let trees = BoostedTrees::read(&file());
        for (feature, first) in [(0.5, -1.0_f32), (0.6, 1.0)] {
            let odds = (first - 0.25).exp();
            let probabilities = trees.probabilities(&[9.0, feature]);
            assert!((probabilities[0] - odds / (1.0 + odds)).abs() < 1e-6, "{feature}: {probabilities:?}");
            assert!((probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn a_tree_that_is_cut_off_is_left_out() {
        let file = file();
        let trees = BoostedTrees::read(&file[..file.len() - 1]);
        assert_eq!(trees.trees.len(), 1);
        assert!(BoostedTrees::read(&[]).probabilities(&[]).is_empty());
    }
}
