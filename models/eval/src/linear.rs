//! Linear equations.

/// Solves linear equations by Gaussian elimination. The matrix is positive definite, so no pivot is zero.
pub(crate) fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for pivot in 0..N {
        let (line, value) = (matrix[pivot], right[pivot]);
        for row in pivot + 1..N {
            let share = matrix[row][pivot] / line[pivot];
            for (own, above) in matrix[row].iter_mut().zip(line) {
                *own -= share * above;
            }
            right[row] -= share * value;
        }
    }
    for pivot in (0..N).rev() {
        let known: f64 = (pivot + 1..N).map(|column| matrix[pivot][column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        let solved = solve([[4.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 2.0]], [7.5, 7.0, 6.5]);
        for (value, expected) in solved.into_iter().zip([1.0, 2.0, 3.0]) {
            assert!((value - expected).abs() < 1e-9, "{solved:?}");
        }
    }
}
