//! The median.

/// Returns the median of values, the upper one of an even count; `None` for no values.
///
/// Sorts by the total order of IEEE 754, so that a value that is not a number does no harm.
pub fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_unstable_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
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
}
