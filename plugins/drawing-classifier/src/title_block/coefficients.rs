//! The coefficients of the regressions that choose a sheet's number and title.

/// What the coefficients of numbers weight.
pub const NUMBER_FEATURES: [&str; 30] = [
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
    "from OCR on a sheet with text",
    "three short numbers",
];

/// What the coefficients of titles weight.
pub const TITLE_FEATURES: [&str; 48] = [
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
    "from OCR on a sheet with text",
    "the sheet's drawings have titles",
    "logarithm of how many titles of drawings",
    "one of the titles of drawings",
    "the same, times the logarithm of how many",
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
        -2.192, -0.369, -0.526, 1.251, -0.716, 1.051, -1.786, 0.977, 0.477, -1.822, 0.000, -0.587, -0.773, 2.791,
        2.091, 1.743, 0.351, 0.981, -0.494, 0.404, -0.796, 0.082, -1.394, 0.632, 1.057, 2.594, -0.012, -0.446, -0.548,
        0.002,
    ],
    title: [
        -4.021, 2.665, -0.337, 0.444, -0.825, -0.798, 1.734, 1.016, 1.311, -0.469, 3.228, 0.304, -2.110, -1.747,
        -0.145, -1.632, -0.590, -1.602, 1.071, 0.198, -2.143, -0.852, 0.441, 0.962, 0.861, 0.035, 0.549, 0.652, -0.212,
        -0.820, -2.037, -0.843, -1.099, -0.276, 0.574, 0.911, -0.094, 1.301, -0.417, 1.210, 1.132, 0.396, -1.715,
        -0.643, 0.440, -1.273, 0.820, -1.207,
    ],
};

/// Returns the sum of features weighted by coefficients.
pub(super) fn weighted<const N: usize>(features: &[f32; N], coefficients: &[f32; N]) -> f32 {
    features.iter().zip(coefficients).map(|(feature, coefficient)| feature * coefficient).sum()
}
