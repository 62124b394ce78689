use pdf_engine::vocabulary::{PagePaths, PathStyle};

use crate::file::{LETTER, PLACEMENTS, one_page, page_of, stream, with_catalog};

fn paths(resources: &str, content: &str, more: &[String]) -> PagePaths {
    page_of(one_page(LETTER, resources, content, more)).paths()
}

fn only_style(resources: &str, content: &str, more: &[String]) -> PathStyle {
    let paths = paths(resources, content, more);
    let [style] = paths.styles.as_slice() else { panic!("{content}: {:?}", paths.styles) };
    style.clone()
}

#[test]
fn columns_have_all_painted_paths_in_drawing_order() {
    let content = "10 20 m 30 40 l S 1 2 3 4 re f 0 0 m 1 1 2 2 3 3 c 4 4 5 5 v 6 6 7 7 y h B 9 9 m 8 8 l n";
    let paths = paths("", content, &[]);
    assert_eq!(paths.ops, [0, 1, 0, 1, 1, 1, 3, 0, 2, 2, 2, 3]);
    assert_eq!(paths.lengths, [2, 5, 5]);
    assert_eq!(paths.coordinates[..4], [10.0, 20.0, 30.0, 40.0]);
    assert_eq!(paths.coordinates[4..12], [1.0, 2.0, 4.0, 2.0, 4.0, 6.0, 1.0, 6.0]);
    let curves = [0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0, 4.0, 4.0, 5.0, 5.0, 6.0, 6.0, 7.0, 7.0, 7.0, 7.0];
    assert_eq!(paths.coordinates[12..], curves);
    assert_eq!(paths.style_of, [0, 1, 2]);
    let painted: Vec<_> = paths.styles.iter().map(|style| (style.stroke.is_some(), style.fill.is_some())).collect();
    assert_eq!(painted, [(true, false), (false, true), (true, true)]);
}

#[test]
fn paths_are_in_user_space_on_every_page() {
    for placement in PLACEMENTS {
        let paths = page_of(one_page(placement, "", "2 0 0 2 10 20 cm 50 30 m 60 40 l S", &[])).paths();
        assert_eq!(paths.coordinates, [110.0, 80.0, 130.0, 100.0], "{placement}");
    }
}

#[test]
fn a_style_includes_the_transformation() {
    let resources = "/ExtGState << /G << /CA 0.5 /ca 0.25 /LW 7 /D [[4 2] 0] >> >>";
    let line = "0 0 m 9 9 l S";
    let square = "0 0 9 9 re f";
    for (content, expected) in [
        (format!("1 0 0 RG 2 w {line}"), style(Some(0xFF_00_00), None, 1.0, 2.0, &[])),
        (format!("0.5 0 0 0.5 0 0 cm 2 w [6 3] 0 d {line}"), style(Some(0), None, 1.0, 1.0, &[3.0, 1.5])),
        (format!("0 3 -3 0 0 0 cm 0 w {line}"), style(Some(0), None, 1.0, 0.0, &[])),
        (format!("4 0 0 1 0 0 cm 3 w {line}"), style(Some(0), None, 1.0, 6.0, &[])),
        (format!("/G gs {line}"), style(Some(0), None, 0.5, 7.0, &[4.0, 2.0])),
        (format!("/G gs 0 1 0 rg {square}"), style(None, Some(0x00_FF_00), 0.25, 0.0, &[])),
        (format!("[0 0] 0 d {line}"), style(Some(0), None, 1.0, 1.0, &[])),
        (format!("q 5 w 1 0 0 RG Q {line}"), style(Some(0), None, 1.0, 1.0, &[])),
        // A style is listed once however often it recurs, and rounding creates no new one.
        (format!("{line} 1 g {line} 1.000001 w {line}"), style(Some(0), None, 1.0, 1.0, &[])),
    ] {
        assert_eq!(format!("{:?}", only_style(resources, &content, &[])), format!("{expected:?}"), "{content}");
    }
}

fn style(stroke: Option<u32>, fill: Option<u32>, opacity: f32, width: f32, dash: &[f32]) -> PathStyle {
    PathStyle { stroke, fill, opacity, width, dash: dash.to_vec(), layer: None }
}

#[test]
fn patterns_and_shadings_are_their_mean_colour() {
    let function = "<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>";
    let axial = format!("<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 100 0] /Function {function} >>");
    let upright = axial.replace("100 0", "0 100");
    let radial = axial.replace("/ShadingType 2", "/ShadingType 3").replace("[0 0 100 0]", "[0 0 0 0 0 100]");
    let resources = format!(
        "/Pattern << /A << /PatternType 2 /Shading {axial} >> /U << /PatternType 2 /Shading {upright} >> \
         /R << /PatternType 2 /Shading {radial} >> /T 5 0 R /H 6 0 R >> \
         /ColorSpace << /Uncoloured [/Pattern /DeviceRGB] >>"
    );
    let cell = "/PatternType 1 /TilingType 1 /BBox [0 0 10 10] /XStep 10 /YStep 10 /Resources << >>";
    let more = [
        stream(&format!("{cell} /PaintType 1"), "1 0 0 rg 0 0 5 5 re f 0 1 0 rg 5 5 5 5 re f"),
        stream(&format!("{cell} /PaintType 2"), "0 0 m 10 10 l S"),
    ];
    let mean = |set: &str| only_style(&resources, &format!("{set} 0 0 50 50 re f"), &more).fill.unwrap();
    for half in ["/Pattern cs /A scn", "/Pattern cs /U scn"] {
        let [red, green, blue] = [16, 8, 0].map(|shift| mean(half) >> shift & 0xFF);
        assert!(red.abs_diff(128) < 10 && green == 0 && blue.abs_diff(128) < 10, "{half}: {red} {green} {blue}");
    }
    // More of the outer colour: the circumference of a ring increases with its radius.
    let blue = mean("/Pattern cs /R scn") & 0xFF;
    assert!(blue.abs_diff(170) < 10, "{blue}");
    assert_eq!(mean("/Pattern cs /T scn"), 0x80_80_00);
    assert_eq!(mean("/Uncoloured cs 0 0 1 /H scn"), 0x00_00_FF);
}

#[test]
fn layers_come_from_marked_content_and_from_forms() {
    let catalog = "/OCProperties << /OCGs [5 0 R 6 0 R 7 0 R] /D << /OFF [7 0 R] >> >>";
    let resources = "/Properties << /W 5 0 R /D 6 0 R /H 7 0 R /M << /Type /OCMD /OCGs [6 0 R 5 0 R] >> >> \
                     /XObject << /X 8 0 R >>";
    let line = "0 0 m 9 9 l S";
    let content = format!(
        "{line} /OC /W BDC {line} /Span BMC {line} EMC /OC /D BDC {line} EMC /X Do EMC /X Do \
         /OC /H BDC {line} /X Do EMC /OC /M BDC {line} EMC"
    );
    let more = [
        "<< /Type /OCG /Name (A-WALL) >>".to_owned(),
        "<< /Type /OCG /Name <FEFF0054006F0072> >>".to_owned(),
        "<< /Type /OCG /Name (Hidden) >>".to_owned(),
        stream("/Type /XObject /Subtype /Form /BBox [0 0 500 500] /OC 6 0 R", line),
    ];
    let paths = page_of(with_catalog(catalog, LETTER, resources, &content, &more)).paths();
    let layer = |style: &u32| {
        let layer = paths.styles[*style as usize].layer?;
        Some(paths.layers[layer as usize].as_str())
    };
    let layers: Vec<_> = paths.style_of.iter().map(layer).collect();
    let (wall, door) = (Some("A-WALL"), Some("Tor"));
    assert_eq!(layers, [None, wall, wall, door, door, door, door]);
    assert_eq!(paths.layers, ["A-WALL", "Tor"]);
}

#[test]
fn forms_are_drawn_each_time_they_are_placed() {
    let entries = "/Type /XObject /Subtype /Form /BBox [0 0 99 99]";
    let inner = stream(entries, "0 0 m 1 0 l S");
    let outer = stream(
        &format!("{entries} /Matrix [1 0 0 1 1 0] /Resources << /XObject << /I 5 0 R >> >>"),
        "/I Do q 1 0 0 1 0 10 cm /I Do Q",
    );
    let paths = paths("/XObject << /O 6 0 R >>", "/O Do 2 0 0 2 0 0 cm /O Do", &[inner, outer]);
    let starts: Vec<_> = paths.coordinates.chunks(4).map(|line| (line[0], line[1])).collect();
    assert_eq!(starts, [(1.0, 0.0), (1.0, 10.0), (2.0, 0.0), (2.0, 20.0)]);
}

#[test]
fn the_opacity_of_a_group_applies_to_its_paths() {
    let entries = "/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Group << /S /Transparency >>";
    let form = stream(entries, "/G gs 0 0 9 9 re f");
    let resources = "/XObject << /X 5 0 R >> /ExtGState << /G << /ca 0.5 >> >>";
    assert_eq!(only_style(resources, "/G gs /X Do", &[form]).opacity, 0.25);
}

#[test]
fn paths_outside_the_clip_are_left_out() {
    for (content, told) in [
        ("100 100 50 50 re W n 0 0 m 10 10 l S", 0),
        ("100 100 50 50 re W n 0 0 m 110 110 l S", 1),
        ("100 100 50 50 re W n 120 120 m 130 130 l S", 1),
        // A wide line reaches in.
        ("100 100 50 50 re W n 30 w 90 0 m 90 200 l S", 1),
        ("q 100 100 50 50 re W n Q 0 0 m 10 10 l S", 1),
        ("100 100 50 50 re W n 200 200 50 50 re W n 0 0 m 90 90 l S", 0),
        // A triangle whose box holds the line.
        ("0 0 m 100 0 l 0 100 l W n 80 80 m 90 90 l S", 0),
        ("0 0 m 100 0 l 0 100 l W n 10 10 m 90 90 l S", 1),
        // Further from the paper than the paper's own size.
        ("5000 5000 m 5010 5010 l S", 0),
        ("-100 0 m -90 0 l S", 1),
    ] {
        assert_eq!(paths("", content, &[]).lengths.len(), told, "{content}");
    }
}

#[test]
fn unpainted_paths_are_left_out() {
    for content in ["S", "f", "10 10 m S", "10 10 l S", "1 1 m 2 2 l n", "/Pattern cs /Missing scn 0 0 9 9 re f"] {
        let paths = paths("", content, &[]);
        assert!(paths.ops.is_empty() && paths.styles.is_empty(), "{content}: {:?}", paths.ops);
    }
}
