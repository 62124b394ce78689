//! Scanned pages: ink as lines, titles by OCR, views by segmentation. Either of the last two may be missing; without both
//! nothing is detected.

use fanlight_contract::{Geometry, Rect};
use fanlight_geometry::Frame;
use fanlight_geometry::Segment;
use fanlight_plugin::page::{Readable, upright};
use fanlight_sheet::view_segmentation::{Class, SegmentationMap, SheetImage};

use crate::lettering::{self, Row};
use crate::picture::Scan;
use crate::segmentation::Segmentation;
use fanlight_sheet::parts::Phrases;

/// Most pixels of a rendered scan, and its highest resolution in pixels per inch: more show no more of a view.
const MOST_PIXELS: f32 = 28e6;
const FINEST: f32 = 200.0;
/// Least size of titles, as a multiple of the common line height.
const PROMINENT: f32 = 1.2;
/// Side of the cells that index letters, in points.
const LOOK_UP: f32 = 2.0;

/// Detects the interior elevations of a scan and returns their boxes in user space, from the top left as displayed.
///
/// The time grows with the rendered pixels, at most [`MOST_PIXELS`].
pub(crate) fn detect(
    page: &impl Readable,
    geometry: &Geometry,
    segment: impl FnOnce(Vec<f32>) -> Option<Vec<f32>>,
) -> Vec<Rect> {
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    if !crate::is_sound(&frame) {
        return Vec::new();
    }
    let unit = if geometry.user_unit.is_finite() && geometry.user_unit > 0.0 { geometry.user_unit } else { 1.0 };
    let square_inches = frame.width * frame.height * (unit / 72.0).powi(2);
    let dpi = FINEST.min((MOST_PIXELS / square_inches).sqrt()).max(1.0);
    let Some(raster) = page.render(&upright(None, dpi)) else { return Vec::new() };
    let scan = Scan::new(&raster, 72.0 / (dpi * unit));
    drop(raster);

    let segmentation = segmentation(&scan, segment);
    let rows: Vec<Row> = lettering::rows(&scan).into_iter().filter(Row::is_text).collect();
    let prominent = PROMINENT * lettering::common_height(&rows);
    let told = rows.iter().filter(|row| {
        let telling = |segmentation| row.tall() as f32 >= prominent || is_telling(row.bbox(scan.scale), segmentation);
        segmentation.as_ref().is_none_or(telling)
    });
    let phrases = Phrases::from(lettering::read(page, &scan, told.collect()));
    if segmentation.is_none() && phrases.all.is_empty() {
        return Vec::new();
    }
    let mut segments = scan.segments();
    if segmentation.is_none() {
        without_letters(&mut segments, &rows, scan.scale, &frame);
    }
    let found = crate::interior(segments, &phrases, &frame, segmentation.as_ref());
    found.into_iter().map(|bbox| frame.to_user_space(scan.as_scanned(bbox))).collect()
}

/// Segments the sheet, if there is the network.
fn segmentation(scan: &Scan, segment: impl FnOnce(Vec<f32>) -> Option<Vec<f32>>) -> Option<Segmentation> {
    let fanlight_raster::GreyImage { width, height, ref grey } = scan.picture;
    let picture = SheetImage { pixels: grey, width, height };
    let map = SegmentationMap::from_output(&segment(picture.network_input())?, &picture)?;
    Some(Segmentation::new(map, scan.scale))
}

/// Whether a line of letters belongs to a title or to the title block.
fn is_telling(line: Rect, segmentation: &Segmentation) -> bool {
    let y = f32::midpoint(line.y1, line.y2);
    let along = [0.1, 0.5, 0.9].map(|share| line.x1 + share * (line.x2 - line.x1));
    along.iter().any(|x| matches!(segmentation.class_at(*x, y), Class::Title | Class::Table))
}

/// Removes line segments where letters are.
fn without_letters(segments: &mut Vec<Segment>, rows: &[Row], scale: f32, frame: &Frame) {
    let wide = (frame.width / LOOK_UP) as usize + 1;
    let mut lettered = vec![false; wide * ((frame.height / LOOK_UP) as usize + 1)];
    let place = |value: f32| (value / LOOK_UP).max(0.0) as usize;
    for bbox in rows.iter().map(|row| row.bbox(scale)) {
        for row in place(bbox.y1)..=place(bbox.y2) {
            for column in place(bbox.x1)..=place(bbox.x2).min(wide - 1) {
                if let Some(cell) = lettered.get_mut(row * wide + column) {
                    *cell = true;
                }
            }
        }
    }
    let is_lettered = |(x, y): (f32, f32)| lettered.get(place(y) * wide + place(x)).copied().unwrap_or_default();
    segments.retain(|segment| !(is_lettered(segment.from) && is_lettered(segment.to)));
}
