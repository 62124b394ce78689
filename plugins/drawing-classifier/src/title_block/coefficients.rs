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
        -2.300, -0.499, -0.472, 1.323, -0.775, 0.908, -1.781, 1.081, 0.468, -1.823, 0.000, -0.587, -0.723, 2.648,
        2.162, 1.701, 0.299, 1.105, -0.521, 0.712, -0.819, -0.251, -1.369, 0.651, 1.007, 2.533, -0.012, -0.555, -0.806,
        0.002,
    ],
    title: [
        -3.713, 2.481, 0.807, 0.409, -0.838, -0.778, 1.867, 1.032, 1.081, -0.489, 3.403, 0.306, -2.067, -1.723, -0.336,
        -1.563, -0.513, -1.561, 1.094, 0.266, -2.157, -0.832, 0.378, 0.867, 0.756, -0.100, 0.527, 0.539, -0.182,
        -0.801, -2.073, -0.843, -1.308, -0.242, 0.546, 0.806, -0.087, 1.137, -0.743, 1.209, 1.171, 0.408, -1.687,
        -1.108, 0.236, -1.292, 0.874, -1.240,
    ],
};

/// Returns the sum of features weighted by coefficients.
pub(super) fn weighted<const N: usize>(features: &[f32; N], coefficients: &[f32; N]) -> f32 {
    features.iter().zip(coefficients).map(|(feature, coefficient)| feature * coefficient).sum()
}
