//! Medians.

/// Returns the median of values, the upper one of an even count; `None` for no values.
///
/// Sorts by the total order of IEEE 754, so that a value that is not a number does no harm.
pub fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_unstable_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Returns the median of weighted values, each with its weight: the least value up to which lies more than half of the weight. `None`
/// without any weight.
pub fn weighted_median(mut values: Vec<(f32, f32)>) -> Option<f32> {
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let half = 0.5 * values.iter().map(|(_, weight)| weight).sum::<f32>();
    let mut passed = 0.0;
    values.into_iter().find_map(|(value, weight)| {
        passed += weight;
        (passed > half).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_upper_of_the_two_middle_values() {
        for (values, expected) in
            [(vec![], None), (vec![3.0], Some(3.0)), (vec![2.0, 1.0], Some(2.0)), (vec![9.0, 1.0, 4.0], Some(4.0))]
        {
            assert_eq!(median(values), expected);
        }
    }

    #[test]
    fn a_heavy_value_is_the_weighted_median() {
        assert_eq!(weighted_median(vec![(3.0, 1.0), (1.0, 5.0), (2.0, 1.0)]), Some(1.0));
        assert_eq!(weighted_median(vec![(3.0, 1.0), (1.0, 1.0), (2.0, 1.0)]), Some(2.0));
        assert_eq!(weighted_median(vec![]), None);
    }
}
