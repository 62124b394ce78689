use pdf_engine::vocabulary::Rect;

use crate::file::{one_page, page_of, pdf};

#[test]
fn boxes_and_rotation_are_those_of_the_file() {
    let a4 = [0.0, 0.0, 595.27, 841.89];
    let cases = [
        ("/MediaBox [0 0 600 400]", [0.0, 0.0, 600.0, 400.0], [0.0, 0.0, 600.0, 400.0], 0),
        ("/MediaBox [600 400 0 0]", [0.0, 0.0, 600.0, 400.0], [0.0, 0.0, 600.0, 400.0], 0),
        ("/MediaBox [-100 -50 500 350] /Rotate 90", [-100.0, -50.0, 500.0, 350.0], [-100.0, -50.0, 500.0, 350.0], 90),
        ("/MediaBox [0 0 600 400] /CropBox [50 20 500 300]", [0.0, 0.0, 600.0, 400.0], [50.0, 20.0, 500.0, 300.0], 0),
        ("/MediaBox [0 0 600 400] /CropBox [50 20 900 900]", [0.0, 0.0, 600.0, 400.0], [50.0, 20.0, 600.0, 400.0], 0),
        ("/MediaBox [0 0 600 400] /CropBox [700 700 900 900]", [0.0, 0.0, 600.0, 400.0], [0.0, 0.0, 600.0, 400.0], 0),
        ("/MediaBox [0 0 600 400] /Rotate -90", [0.0, 0.0, 600.0, 400.0], [0.0, 0.0, 600.0, 400.0], 270),
        ("/MediaBox [0 0 600 400] /Rotate 540", [0.0, 0.0, 600.0, 400.0], [0.0, 0.0, 600.0, 400.0], 180),
        ("/MediaBox [0 0 600 400] /Rotate 45", [0.0, 0.0, 600.0, 400.0], [0.0, 0.0, 600.0, 400.0], 0),
        ("", a4, a4, 0),
        ("/MediaBox [0 0 0 0]", a4, a4, 0),
    ];
    for (entries, media, crop, rotation) in cases {
        let geometry = page_of(one_page(entries, "", "", &[])).geometry();
        assert_box(geometry.media_box, media, entries);
        assert_box(geometry.crop_box, crop, entries);
        assert_eq!(geometry.rotation, rotation, "{entries}");
        assert_eq!(geometry.user_unit, 1.0, "{entries}");
    }
}

#[test]
fn boxes_and_rotation_are_inherited_from_the_page_tree() {
    let file = pdf(&[
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [10 20 310 220] /Rotate 180 >>",
        "<< /Type /Pages /Parent 2 0 R /Kids [4 0 R] /Count 1 /CropBox [20 30 300 200] >>",
        "<< /Type /Page /Parent 3 0 R >>",
    ]);
    let geometry = page_of(file).geometry();
    assert_box(geometry.media_box, [10.0, 20.0, 310.0, 220.0], "media box");
    assert_box(geometry.crop_box, [20.0, 30.0, 300.0, 200.0], "crop box");
    assert_eq!(geometry.rotation, 180);
}

#[test]
fn a_user_unit_is_reported_and_not_applied() {
    let geometry = page_of(one_page("/MediaBox [0 0 600 400] /UserUnit 2.5", "", "", &[])).geometry();
    assert_eq!(geometry.user_unit, 2.5);
    assert_box(geometry.media_box, [0.0, 0.0, 600.0, 400.0], "media box");
}

fn assert_box(rect: Rect, [x1, y1, x2, y2]: [f32; 4], what: &str) {
    let off = [rect.x1 - x1, rect.y1 - y1, rect.x2 - x2, rect.y2 - y2];
    assert!(off.iter().all(|off| off.abs() < 0.02), "{what}: {rect:?}");
}
