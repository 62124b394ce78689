//! Non-maximum suppression: of several detections of one thing, the best is kept.

/// Returns the candidates that no better candidate suppresses, in their order (greedy non-maximum suppression).
///
/// `candidates` come best first. `suppresses(kept, candidate)` says whether both are of the same thing. At most
/// candidates times kept candidates are compared.
pub fn non_maximum_suppression<T>(
    candidates: impl IntoIterator<Item = T>,
    suppresses: impl Fn(&T, &T) -> bool,
) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for candidate in candidates {
        if !kept.iter().any(|better| suppresses(better, &candidate)) {
            kept.push(candidate);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_kept_candidates_suppress_others() {
        // 3 is suppressed by 1, so it does not suppress 5.
        let near = |a: &i32, b: &i32| (a - b).abs() <= 2;
        assert_eq!(non_maximum_suppression([1, 3, 5, 6, 20], near), [1, 5, 20]);
        assert!(non_maximum_suppression(Vec::<i32>::new(), near).is_empty());
    }
}
