//! What holds for every page that the PDF engine reads, whatever is in the file.
#![expect(clippy::missing_panics_doc, reason = "a panic is the report")]

use fanlight_contract::{PagePaths, PageText, Raster};

/// The points that each step of a path has, in the order of the steps' codes: move, line, curve, close.
const POINTS: [usize; 4] = [1, 1, 3, 0];

/// Checks that text is somewhere and that glyphs make up its runs. `name` is the case, for the report.
pub fn check_text(name: &str, text: &PageText) {
    for run in &text.runs {
        let lengths: usize = run.lengths.iter().map(|length| usize::from(*length)).sum();
        assert_eq!(lengths, run.text.len(), "{name}: glyphs make up the text of a run");
        let numbers = [run.x, run.y, run.size, run.bbox.x1, run.bbox.y1, run.bbox.x2, run.bbox.y2];
        let is_somewhere = numbers.iter().all(|number| number.is_finite()) && (0.0..360.0).contains(&run.angle);
        assert!(is_somewhere, "{name}: a run of text is somewhere: {run:?}");
    }
}

/// Checks that the columns of paths agree with each other. `name` is the case, for the report.
pub fn check_paths(name: &str, paths: &PagePaths) {
    assert_eq!(paths.lengths.iter().sum::<u32>() as usize, paths.ops.len(), "{name}: paths make up all steps");
    assert_eq!(paths.lengths.len(), paths.style_of.len(), "{name}: each path has a style");
    let points: usize = paths.ops.iter().map(|op| POINTS[usize::from(*op)]).sum();
    assert_eq!(points * 2, paths.coordinates.len(), "{name}: steps have their points");
    assert!(paths.coordinates.iter().all(|number| number.is_finite()), "{name}: points are somewhere");
    let are_styles = paths.style_of.iter().all(|style| (*style as usize) < paths.styles.len());
    assert!(are_styles, "{name}: styles are known");
}

/// Checks that a picture has pixels. `name` is the case, for the report.
pub fn check_raster(name: &str, raster: &Raster) {
    let pixels = raster.width as usize * raster.height as usize;
    assert_eq!(raster.words.is_empty(), pixels == 0, "{name}: a picture has pixels");
}
