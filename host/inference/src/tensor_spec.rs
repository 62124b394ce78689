//! The inputs and outputs of a model, and the check of a run's inputs.

use std::fmt;

use thiserror::Error;

use crate::tensor::Tensor;

/// The specification of an input or output: a name, and a shape of 32-bit floats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorSpec {
    name: String,
    shape: Shape,
}

/// The size of each dimension; `None` where the model takes any size.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shape(Vec<Option<usize>>);

impl TensorSpec {
    pub(crate) fn new(name: String, shape: Vec<Option<usize>>) -> Self {
        Self { name, shape: Shape(shape) }
    }

    /// Returns the name of the input or output.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the size of each dimension; `None` where the model takes any size.
    pub fn shape(&self) -> &[Option<usize>] {
        &self.shape.0
    }

    /// Creates a tensor of this shape from calls of `value`. Returns `None` if the model leaves a size open.
    pub(crate) fn filled(&self, mut value: impl FnMut() -> f32) -> Option<Tensor> {
        let shape: Vec<usize> = self.shape().iter().copied().collect::<Option<_>>()?;
        let values = (0..shape.iter().product()).map(|_| value()).collect();
        Tensor::new(shape, values).ok()
    }
}

/// Writes `[1, 3, ?, ?]`, with a question mark for a size that is open.
impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> =
            self.0.iter().map(|size| size.map_or_else(|| "?".to_owned(), |size| size.to_string())).collect();
        write!(formatter, "[{}]", sizes.join(", "))
    }
}

/// Why the inputs of a run are rejected. Each message is one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidInput {
    /// The model has no such input.
    #[error("the model has no input `{name}`; it takes {takes}")]
    Unknown {
        /// The given name.
        name: String,
        /// The model's inputs.
        takes: String,
    },
    /// An input is missing.
    #[error("the input `{0}` is missing")]
    Missing(String),
    /// An input is given more than once.
    #[error("the input `{0}` is given twice")]
    Twice(String),
    /// An input has another shape than the model takes.
    #[error("the input `{name}` has the shape {given:?}, the model takes {wanted}")]
    Shape {
        /// The input.
        name: String,
        /// The given shape.
        given: Vec<usize>,
        /// The shape that the model takes.
        wanted: String,
    },
    /// An input of open size exceeds the limit on values.
    #[error("the input `{name}` has {values} values, more than {VALUES} that are run at a time")]
    TooLarge {
        /// The input.
        name: String,
        /// Number of values of the input.
        values: usize,
    },
}

/// Most values of an input of open size: sixteen tiles of 512 x 512. Intermediate values are a multiple of the input
/// that the model's author chose for the sizes he had in mind.
const VALUES: usize = 1 << 22;

/// Checks the inputs and returns them in the order of `specs`.
///
/// # Errors
///
/// [`InvalidInput`] for the first input that does not match.
pub(crate) fn arrange(specs: &[TensorSpec], inputs: Vec<(String, Tensor)>) -> Result<Vec<Tensor>, InvalidInput> {
    let mut arranged: Vec<Option<Tensor>> = vec![None; specs.len()];
    for (name, tensor) in inputs {
        let place = specs.iter().zip(&mut arranged).find(|(spec, _)| spec.name == name);
        let Some((spec, place)) = place else {
            let takes: Vec<String> = specs.iter().map(|spec| format!("`{}`", spec.name)).collect();
            return Err(InvalidInput::Unknown { name, takes: takes.join(", ") });
        };
        check(spec, &tensor)?;
        if place.replace(tensor).is_some() {
            return Err(InvalidInput::Twice(name));
        }
    }
    let named = specs.iter().zip(arranged);
    named.map(|(spec, tensor)| tensor.ok_or_else(|| InvalidInput::Missing(spec.name.clone()))).collect()
}

/// Checks one input's shape and size.
fn check(spec: &TensorSpec, tensor: &Tensor) -> Result<(), InvalidInput> {
    let given = tensor.shape();
    let wanted = spec.shape();
    let fits = given.len() == wanted.len()
        && given.iter().zip(wanted).all(|(given, wanted)| wanted.map_or(*given > 0, |wanted| wanted == *given));
    let name = spec.name.clone();
    if !fits {
        return Err(InvalidInput::Shape { name, given: given.to_vec(), wanted: spec.shape.to_string() });
    }
    let values = tensor.values().len();
    if wanted.contains(&None) && values > VALUES {
        return Err(InvalidInput::TooLarge { name, values });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names and shapes.
    type Inputs<'a> = &'a [(&'a str, &'a [usize])];

    fn tensor(shape: &[usize]) -> Tensor {
        Tensor::new(shape.to_vec(), vec![0.0; shape.iter().product()]).unwrap()
    }

    #[test]
    fn inputs_are_matched_by_name_and_checked_by_shape() {
        let specs = [
            TensorSpec::new("image".to_owned(), vec![None, Some(3)]),
            TensorSpec::new("scale".to_owned(), vec![Some(1)]),
        ];
        let arranged = |inputs: Inputs| {
            let inputs = inputs.iter().map(|(name, shape)| ((*name).to_owned(), tensor(shape))).collect();
            arrange(&specs, inputs).map_err(|misfit| misfit.to_string())
        };
        assert_eq!(arranged(&[("scale", &[1]), ("image", &[5, 3])]).unwrap(), [tensor(&[5, 3]), tensor(&[1])]);
        let cases: [(Inputs, &str); 7] = [
            (&[("image", &[5, 3])], "the input `scale` is missing"),
            (&[("picture", &[5, 3])], "the model has no input `picture`; it takes `image`, `scale`"),
            (&[("scale", &[1]), ("scale", &[1])], "the input `scale` is given twice"),
            (&[("image", &[5, 4])], "the input `image` has the shape [5, 4], the model takes [?, 3]"),
            (&[("image", &[3])], "the input `image` has the shape [3], the model takes [?, 3]"),
            (&[("image", &[0, 3])], "the input `image` has the shape [0, 3], the model takes [?, 3]"),
            (
                &[("image", &[1 << 21, 3])],
                "the input `image` has 6291456 values, more than 4194304 that are run at a time",
            ),
        ];
        for (inputs, expected) in cases {
            assert_eq!(arranged(inputs).unwrap_err(), expected);
        }
    }
}
