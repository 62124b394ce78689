//! The values that models take and return.

use thiserror::Error;

/// A tensor of 32-bit floats in row-major order: the last dimension varies fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    shape: Vec<usize>,
    values: Vec<f32>,
}

/// The error of a shape whose size is not the number of values.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the shape {shape:?} does not hold {values} values")]
pub struct SizeMismatch {
    /// The size of each dimension.
    pub shape: Vec<usize>,
    /// The number of values.
    pub values: usize,
}

impl Tensor {
    /// Creates a tensor of this shape. A shape without dimensions holds one value.
    ///
    /// # Errors
    ///
    /// [`SizeMismatch`] if the product of `shape` is not the number of values.
    pub fn new(shape: Vec<usize>, values: Vec<f32>) -> Result<Self, SizeMismatch> {
        let size = shape.iter().try_fold(1, |size: usize, dimension| size.checked_mul(*dimension));
        if size == Some(values.len()) {
            Ok(Self { shape, values })
        } else {
            Err(SizeMismatch { shape, values: values.len() })
        }
    }

    /// Returns the size of each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the values in row-major order.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Returns the shape and the values.
    pub fn into_parts(self) -> (Vec<usize>, Vec<f32>) {
        (self.shape, self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_holds_the_product_of_its_dimensions() {
        assert!(Tensor::new(vec![2, 3], vec![0.0; 6]).is_ok());
        assert!(Tensor::new(vec![], vec![0.0]).is_ok());
        assert!(Tensor::new(vec![0, 7], vec![]).is_ok());
        let error = Tensor::new(vec![2, 3], vec![0.0; 5]).unwrap_err().to_string();
        assert_eq!(error, "the shape [2, 3] does not hold 5 values");
        assert!(Tensor::new(vec![usize::MAX, 2], vec![0.0; 5]).is_err(), "no product that wraps around");
    }
}
