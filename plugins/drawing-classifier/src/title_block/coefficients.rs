//! The coefficients of the regressions that choose a sheet's number and title.

/// What the coefficients of numbers weight.
pub const NUMBER_FEATURES: [&str; 20] = [
    "bias",
    "likeness of the form",
    "two numbers",
    "a code of several parts",
    "the name of a paper size",
    "labelled as number",
    "one number or letters, labelled as number",
    "labelled as something else",
    "another text is labelled as number",
    "logarithm of size by the median",
    "nearness to the corner, from half of the diagonal",
    "nearness to the corner, from an eighth of the diagonal",
    "turned",
    "the largest number",
    "logarithm of how many numbers look alike",
    "logarithm of how many alike are in its row and column",
    "other sheets have other texts there",
    "other sheets have their number there",
    "near a label of a number",
    "from OCR on a sheet with text",
];

/// What the coefficients of titles weight.
pub const TITLE_FEATURES: [&str; 32] = [
    "bias",
    "labelled as title",
    "labelled as something else",
    "names content",
    "names a drawing",
    "logarithm of size by the median",
    "above a scale",
    "names notes without a label",
    "an item of notes",
    "many words",
    "a telephone number or an address",
    "distance from the number",
    "in the bottom band",
    "in the top band",
    "logarithm of its words",
    "a part of a block",
    "names a firm",
    "the largest that names content",
    "other sheets have other texts there",
    "other sheets have the same text there",
    "other sheets have their title there",
    "near a label of a number",
    "the same, if it names content",
    "from OCR on a sheet with text",
    "one of the titles of drawings",
    "the same, times the logarithm of how many",
    "the largest text, away from the edges",
    "the title of a single drawing, in place of one",
    "nothing on the sheet names content or is labelled as title",
    "above a scale, times the logarithm of how many drawings have titles",
    "logarithm of size by the median, if it names no content",
    "has a year",
];

/// The coefficients of both regressions.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficients {
    /// Those of [`NUMBER_FEATURES`].
    pub number: [f32; NUMBER_FEATURES.len()],
    /// Those of [`TITLE_FEATURES`].
    pub title: [f32; TITLE_FEATURES.len()],
}

/// Fitted by `cargo run --release -p eval --bin fit-sheet-entries`, which writes this file's last lines.
pub const COEFFICIENTS: Coefficients = Coefficients {
    number: [
        -3.800, 0.799, 0.462, 1.054, -1.642, 1.494, 0.435, -0.178, -0.587, 2.636, 2.274, 2.579, -0.890, 0.497, -0.831,
        -0.407, 1.579, 1.169, 3.481, -1.183,
    ],
    title: [
        -3.413, 4.482, -0.665, 2.489, 1.412, 3.355, -1.866, -1.787, -0.251, -2.091, -1.261, -2.752, 0.976, 1.128,
        0.690, -1.988, -1.155, -0.110, 0.836, -0.372, 0.980, -0.218, -1.375, -1.357, 0.587, -1.467, -1.246, 1.130,
        -1.447, -1.180, -0.867, 0.256,
    ],
};

/// Returns the sum of features weighted by coefficients.
pub(super) fn weighted<const N: usize>(features: &[f32; N], coefficients: &[f32; N]) -> f32 {
    features.iter().zip(coefficients).map(|(feature, coefficient)| feature * coefficient).sum()
}
