use crate::file::{LETTER, PLACEMENTS, close, one_page, page_of, stream};

fn image() -> String {
    let entries = "/Type /XObject /Subtype /Image /Width 4 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray";
    stream(entries, "01234567")
}

#[test]
fn an_image_is_placed_in_user_space() {
    let resources = "/XObject << /I 5 0 R >>";
    for placement in PLACEMENTS {
        let file = one_page(placement, resources, "q 40 0 0 20 100 60 cm /I Do Q", &[image()]);
        let images = page_of(file).images();
        let [image] = images.as_slice() else { panic!("{placement}: {images:?}") };
        let bbox = [image.bbox.x1, image.bbox.y1, image.bbox.x2, image.bbox.y2];
        assert_eq!(bbox, [100.0, 60.0, 140.0, 80.0], "{placement}");
        assert_eq!(image.matrix, (40.0, 0.0, 0.0, 20.0, 100.0, 60.0), "{placement}");
        assert_eq!((image.width, image.height, image.stencil), (4, 2, false), "{placement}");
    }
}

#[test]
fn a_turned_image_keeps_its_matrix() {
    let content = "q 0 40 -20 0 100 60 cm /I Do Q";
    let images = page_of(one_page(LETTER, "/XObject << /I 5 0 R >>", content, &[image()])).images();
    assert_eq!(images[0].matrix, (0.0, 40.0, -20.0, 0.0, 100.0, 60.0));
    assert!(close(images[0].bbox.x1, 80.0) && close(images[0].bbox.y2, 100.0), "{:?}", images[0]);
}

#[test]
fn inline_images_stencils_and_images_in_forms_are_reported() {
    let content = "q 8 0 0 8 10 10 cm BI /W 2 /H 2 /IM true /BPC 1 ID \x01\x01 EI Q q 2 0 0 2 50 50 cm /X Do Q";
    let form = stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Resources << /XObject << /I 5 0 R >> >>",
        "q 10 0 0 5 1 2 cm /I Do Q",
    );
    let images = page_of(one_page(LETTER, "/XObject << /X 6 0 R >>", content, &[image(), form])).images();
    let told: Vec<_> = images.iter().map(|image| (image.matrix, image.width, image.stencil)).collect();
    assert_eq!(told, [((8.0, 0.0, 0.0, 8.0, 10.0, 10.0), 2, true), ((20.0, 0.0, 0.0, 10.0, 52.0, 54.0), 4, false)]);
}

#[test]
fn images_in_hidden_layers_are_left_out() {
    let catalog = "/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>";
    let resources = "/XObject << /I 5 0 R >> /Properties << /P 6 0 R >>";
    let group = "<< /Type /OCG /Name (Furniture) >>".to_owned();
    let content = "/OC /P BDC q 9 0 0 9 0 0 cm /I Do Q EMC q 7 0 0 7 0 0 cm /I Do Q";
    let file = crate::file::with_catalog(catalog, LETTER, resources, content, &[image(), group]);
    let images = page_of(file).images();
    assert_eq!(images.len(), 1);
    assert_eq!(images[0].matrix.0, 7.0);
}
