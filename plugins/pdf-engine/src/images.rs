//! Reads where images are placed. Their samples are not decoded: a caller who needs pixels renders
//! the region.

use fanlight_contract::{ImagePlacement, Rect};
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::kurbo::Rect as Area;

use crate::content::{Caches, Collector, Placed, walk};

/// Reads the placements of a page's images in drawing order. Also returns how many bytes of content
/// it read.
pub(crate) fn read<'a>(page: &'a PdfPage<'a>, caches: &Caches<'a>) -> (Vec<ImagePlacement>, usize) {
    let mut placements = Placements(vec![]);
    let read = walk(page, caches, &mut placements);
    (placements.0, read)
}

struct Placements(Vec<ImagePlacement>);

impl Collector<'_> for Placements {
    const IMAGES: bool = true;

    fn place(&mut self, placed: &Placed) {
        let unit_square = Area::new(0.0, 0.0, 1.0, 1.0);
        let bounds = placed.matrix.transform_rect_bbox(unit_square);
        let bbox = Rect { x1: bounds.x0 as f32, y1: bounds.y0 as f32, x2: bounds.x1 as f32, y2: bounds.y1 as f32 };
        let [a, b, c, d, e, f] = placed.matrix.as_coeffs().map(|coefficient| coefficient as f32);
        let numbers = [bbox.x1, bbox.y1, bbox.x2, bbox.y2, a, b, c, d, e, f];
        if !numbers.iter().all(|number| number.is_finite()) {
            return;
        }
        let Placed { width, height, stencil, .. } = *placed;
        self.0.push(ImagePlacement { bbox, matrix: (a, b, c, d, e, f), width, height, stencil });
    }
}
