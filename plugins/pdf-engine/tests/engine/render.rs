use pdf_engine::Page;
use pdf_engine::vocabulary::{Orientation, PageError, PixelFormat, Raster, Rect, RenderOptions};

use crate::file::{HELVETICA, LETTER, PLACEMENTS, one_page, page_of};

/// A black mark of 4 by 4 points with its lower left corner at (100, 60), and a grey one at (300,
/// 200).
const MARKS: &str = "100 60 4 4 re f 0.5 g 300 200 4 4 re f";

fn options(dpi: f32) -> RenderOptions {
    RenderOptions { dpi, region: None, format: PixelFormat::Grey, orientation: Orientation::UserSpace }
}

fn grey(raster: &Raster, x: f32, y: f32) -> u8 {
    assert!(x >= 0.0 && y >= 0.0 && x < raster.width as f32 && y < raster.height as f32, "({x}, {y}) is no pixel");
    raster.bytes()[y as usize * raster.width as usize + x as usize]
}

/// Returns where a point of user space is in a rendering of `region`, in pixels, turned clockwise
/// by `rotation`.
fn pixel(region: Rect, rotation: u32, dpi: f32, x: f32, y: f32) -> (f32, f32) {
    let scale = dpi / 72.0;
    let (left, right) = ((x - region.x1) * scale, (region.x2 - x) * scale);
    let (above, below) = ((region.y2 - y) * scale, (y - region.y1) * scale);
    match rotation {
        // The page's left edge is at the top, then its bottom edge, then its right edge.
        90 => (below, left),
        180 => (right, below),
        270 => (above, right),
        _ => (left, above),
    }
}

/// Checks that the marks are where user space says, with paper around them.
fn assert_marks(page: &Page, options: &RenderOptions, region: Rect, rotation: u32, what: &str) {
    let raster = page.render(options).unwrap();
    let scale = options.dpi / 72.0;
    let (width, height) = ((region.x2 - region.x1) * scale, (region.y2 - region.y1) * scale);
    let size = if rotation.is_multiple_of(180) { (width, height) } else { (height, width) };
    assert_eq!((raster.width, raster.height), (size.0.round() as u32, size.1.round() as u32), "{what}");
    assert_eq!(raster.bytes().len(), (raster.width * raster.height) as usize, "{what}");
    for (x, y, expected) in [
        (102.0, 62.0, 0),
        (102.0, 57.0, 255),
        (102.0, 67.0, 255),
        (97.0, 62.0, 255),
        (107.0, 62.0, 255),
        (302.0, 202.0, 128),
        (302.0, 207.0, 255),
        (297.0, 202.0, 255),
    ] {
        let (column, row) = pixel(region, rotation, options.dpi, x, y);
        let found = grey(&raster, column, row);
        assert!(found.abs_diff(expected) <= 2, "{what}: {found} instead of {expected} at ({x}, {y})");
    }
}

#[test]
fn a_mark_is_on_its_pixel_on_every_page() {
    for placement in PLACEMENTS {
        let page = page_of(one_page(placement, "", MARKS, &[]));
        let geometry = page.geometry();
        for dpi in [72.0, 144.0] {
            assert_marks(&page, &options(dpi), geometry.crop_box, 0, &format!("{placement} as user space lies"));
            let displayed = RenderOptions { orientation: Orientation::Displayed, ..options(dpi) };
            let rotation = geometry.rotation;
            assert_marks(&page, &displayed, geometry.crop_box, rotation, &format!("{placement} as displayed"));
        }
    }
}

#[test]
fn a_region_is_a_part_of_the_page() {
    let region = Rect { x1: 90.0, y1: 50.0, x2: 320.0, y2: 220.0 };
    for placement in PLACEMENTS {
        let page = page_of(one_page(placement, "", MARKS, &[]));
        let of_region = RenderOptions { region: Some(region), ..options(144.0) };
        assert_marks(&page, &of_region, region, 0, &format!("{placement} as user space lies"));
        let displayed = RenderOptions { orientation: Orientation::Displayed, ..of_region };
        let rotation = page.geometry().rotation;
        assert_marks(&page, &displayed, region, rotation, &format!("{placement} as displayed"));
    }
}

#[test]
fn the_area_outside_the_crop_box_is_white() {
    let page = page_of(one_page("/MediaBox [0 0 600 400] /CropBox [0 0 300 400]", "", "0 0 600 400 re f", &[]));
    let region = Rect { x1: 250.0, y1: 0.0, x2: 350.0, y2: 10.0 };
    let raster = page.render(&RenderOptions { region: Some(region), ..options(72.0) }).unwrap();
    assert_eq!((grey(&raster, 40.0, 5.0), grey(&raster, 60.0, 5.0)), (0, 255));
}

#[test]
fn rgb_has_three_bytes_per_pixel() {
    let page = page_of(one_page("/MediaBox [0 0 4 2]", "", "1 0 0 rg 0 0 1 2 re f 0 0 1 rg 3 0 1 2 re f", &[]));
    let raster = page.render(&RenderOptions { format: PixelFormat::Rgb, ..options(72.0) }).unwrap();
    let (red, white, blue) = ([255, 0, 0], [255; 3], [0, 0, 255]);
    assert_eq!(raster.bytes(), [red, white, white, blue].concat().repeat(2));
}

#[test]
fn text_without_an_embedded_font_is_drawn() {
    let page = page_of(one_page("/MediaBox [0 0 100 20]", HELVETICA, "BT /F 12 Tf 5 5 Td (DIVISION) Tj ET", &[]));
    let raster = page.render(&options(72.0)).unwrap();
    let ink = raster.bytes().iter().filter(|&&grey| grey < 128).count();
    assert!(ink > 100, "{ink} dark pixels");
}

#[test]
fn sizes_round_up_to_whole_pixels() {
    let page = page_of(one_page(LETTER, "", "", &[]));
    for (width, dpi, pixels) in
        [(72.0, 100.0, 100), (36.0, 150.0, 75), (10.0, 72.0, 10), (10.1, 72.0, 11), (0.001, 72.0, 1)]
    {
        let region = Rect { x1: 0.0, y1: 0.0, x2: width, y2: 5.0 };
        let raster = page.render(&RenderOptions { region: Some(region), ..options(dpi) }).unwrap();
        assert_eq!(raster.width, pixels, "{width} points at {dpi} dpi");
    }
}

#[test]
fn a_raster_without_pixels_or_with_too_many_is_refused() {
    let page = page_of(one_page("/MediaBox [0 0 7200 7200]", "", "", &[]));
    let region = |x1, y1, x2, y2| Some(Rect { x1, y1, x2, y2 });
    for (name, options) in [
        ("no dpi", options(0.0)),
        ("a dpi that is no number", options(f32::NAN)),
        ("a high dpi", options(1201.0)),
        ("81 million pixels", options(90.0)),
        ("a side too long", RenderOptions { region: region(0.0, 0.0, 7200.0, 1.0), ..options(700.0) }),
        ("an empty region", RenderOptions { region: region(5.0, 5.0, 5.0, 9.0), ..options(72.0) }),
        ("a region the wrong way round", RenderOptions { region: region(9.0, 9.0, 5.0, 5.0), ..options(72.0) }),
        ("a region that is none", RenderOptions { region: region(f32::NAN, 0.0, 5.0, 5.0), ..options(72.0) }),
        ("an endless region", RenderOptions { region: region(0.0, 0.0, f32::INFINITY, 5.0), ..options(72.0) }),
    ] {
        assert!(matches!(page.render(&options), Err(PageError::BadRequest(_))), "{name}");
    }
}
