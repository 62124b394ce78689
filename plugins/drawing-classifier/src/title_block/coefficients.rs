//! The coefficients of the regressions that choose a sheet's number and title.

/// What the coefficients of numbers weight.
pub const NUMBER_FEATURES: [&str; 28] = [
    "bias",
    "likeness of the form",
    "one number",
    "a number of a total",
    "two numbers",
    "a code of several parts",
    "the name of a paper size",
    "labelled as number",
    "one number or letters, labelled as number",
    "labelled as something else",
    "labelled as title",
    "another text is labelled as number",
    "size by the largest",
    "logarithm of size by the median",
    "nearness to the corner, from half of the diagonal",
    "nearness to the corner, from an eighth of the diagonal",
    "in the right band",
    "in the bottom band",
    "turned",
    "the largest number",
    "logarithm of how many numbers look alike",
    "the sheet repeats it",
    "logarithm of how many alike are in its row and column",
    "other sheets have other texts there",
    "other sheets have their number there",
    "near a label of a number",
    "near a label of a title",
    "near another label",
];

/// What the coefficients of titles weight.
pub const TITLE_FEATURES: [&str; 43] = [
    "bias",
    "labelled as title",
    "labelled as number",
    "labelled as date or scale",
    "labelled as project",
    "labelled as something else",
    "names content",
    "names a drawing",
    "names content without a label",
    "size by the largest",
    "logarithm of size by the median",
    "also the title of a drawing",
    "above a scale",
    "names notes without a label",
    "an item of notes",
    "many words",
    "a scale or a date",
    "a telephone number or an address",
    "the sheet has a number",
    "in the number's strip",
    "distance from the number",
    "distance from the edge of a sheet without a number",
    "in the right band",
    "in the bottom band",
    "in the top band",
    "share of digits",
    "logarithm of its words",
    "in capitals",
    "turned",
    "ends with punctuation",
    "a part of a block",
    "names a firm",
    "another text is labelled as title",
    "the largest that names content",
    "logarithm of how many name content",
    "other sheets have other texts there",
    "other sheets have the same text there",
    "other sheets have their title there",
    "near a label of a number",
    "near a label of a title",
    "near another label",
    "logarithm of how many headings are set like it",
    "the same, if it names content",
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
        -2.582, 0.012, -0.490, 1.163, -0.778, 0.285, -1.814, 0.903, 0.510, -1.926, 0.000, -0.514, -0.703, 2.524, 2.119,
        1.384, 0.404, 1.136, -0.410, 0.626, -0.591, -0.258, -1.601, 1.397, 0.411, 2.538, -0.005, -0.395,
    ],
    title: [
        -4.094, 2.836, -0.066, 0.507, -0.766, -0.855, 1.608, 1.045, 1.376, -0.379, 3.118, 0.806, -1.877, -1.535,
        -0.243, -1.545, -0.951, -1.563, 0.781, 0.121, -2.174, -0.556, 0.527, 1.056, 1.134, -1.094, 0.419, 0.628,
        -0.160, -0.862, -1.991, -0.947, -1.097, -0.040, -0.126, 1.359, -0.059, 1.741, -0.287, 0.955, 1.269, -0.168,
        -1.183,
    ],
};

/// Returns the sum of features weighted by coefficients.
pub(super) fn weighted<const N: usize>(features: &[f32; N], coefficients: &[f32; N]) -> f32 {
    features.iter().zip(coefficients).map(|(feature, coefficient)| feature * coefficient).sum()
}
