//! Whether the renderer can draw a page.

use fanlight_contract::PagePaths;
use fanlight_geometry::{Frame, Segment, segments};

/// Greatest length of all lines of a page together, in pixels of the image. The renderer keeps some six bytes for each pixel
/// of a line until it has drawn all, and fails beyond two gigabytes.
const MAX_DRAWN: f32 = 40.0e6;

/// Returns whether the lines of a page are short enough together to be rendered at a resolution, in pixels per point.
pub fn can_be_rendered(paths: &PagePaths, frame: &Frame, pixels_per_point: f32) -> bool {
    let drawn: f32 = segments(paths, frame).iter().map(Segment::length).sum();
    drawn * pixels_per_point <= MAX_DRAWN
}

#[cfg(test)]
mod tests {
    use fanlight_contract::{PathStyle, Rect};

    use super::*;

    #[test]
    fn a_page_of_very_long_lines_cannot_be_rendered() {
        let sheet = Rect { x1: 0.0, y1: 0.0, x2: 1000.0, y2: 1000.0 };
        let style = PathStyle { stroke: Some(0), fill: None, opacity: 1.0, width: 1.0, dash: vec![], layer: None };
        let count = 1000;
        let paths = PagePaths {
            ops: [0, 1].repeat(count),
            coordinates: [0.0, 500.0, 1000.0, 500.0].repeat(count),
            lengths: vec![2; count],
            style_of: vec![0; count],
            styles: vec![style],
            layers: vec![],
        };
        let frame = Frame::new(sheet, 0.0);
        assert!(can_be_rendered(&paths, &frame, 4.0));
        assert!(!can_be_rendered(&paths, &frame, 50.0));
    }
}
