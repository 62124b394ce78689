use pdf_engine::vocabulary::{PageText, TextRun};

use crate::file::{HELVETICA, LETTER, PLACEMENTS, close, one_page, page_of, stream, with_catalog};

fn text(resources: &str, content: &str, more: &[String]) -> PageText {
    page_of(one_page(LETTER, resources, content, more)).text()
}

fn only_run(resources: &str, content: &str, more: &[String]) -> TextRun {
    let text = text(resources, content, more);
    let [run] = text.runs.as_slice() else { panic!("{content}: {:?}", text.runs) };
    run.clone()
}

#[test]
fn text_is_in_user_space_on_every_page() {
    for placement in PLACEMENTS {
        let file = one_page(placement, HELVETICA, "BT /F 12 Tf 100 60 Td (AB) Tj ET", &[]);
        let text = page_of(file).text();
        let run = &text.runs[0];
        assert_eq!((run.x, run.y, run.size, run.angle), (100.0, 60.0, 12.0, 0.0), "{placement}");
        // Helvetica's A and B are 667 thousandths wide.
        assert!(close(run.bbox.x1, 100.0) && close(run.bbox.x2, 100.0 + 2.0 * 0.667 * 12.0), "{placement}: {run:?}");
        assert!(run.bbox.y1 < 60.0 && run.bbox.y1 > 55.0 && run.bbox.y2 > 66.0 && run.bbox.y2 < 72.0, "{run:?}");
    }
}

#[test]
fn size_and_angle_include_all_transformations() {
    for (content, size, angle) in [
        ("BT /F 10 Tf 1 0 0 1 50 50 Tm (A) Tj ET", 10.0, 0.0),
        ("BT /F 1 Tf 10 0 0 10 50 50 Tm (A) Tj ET", 10.0, 0.0),
        ("2 0 0 2 0 0 cm BT /F 5 Tf 50 50 Td (A) Tj ET", 10.0, 0.0),
        ("BT /F 10 Tf 0 1 -1 0 50 50 Tm (A) Tj ET", 10.0, 90.0),
        ("BT /F 10 Tf -1 0 0 -1 50 50 Tm (A) Tj ET", 10.0, 180.0),
        ("BT /F 10 Tf 0 -1 1 0 50 50 Tm (A) Tj ET", 10.0, 270.0),
        ("BT /F 10 Tf 0.7071068 0.7071068 -0.7071068 0.7071068 50 50 Tm (A) Tj ET", 10.0, 45.0),
        // Drawn in a flipped space, and flipped back.
        ("1 0 0 -1 0 792 cm BT /F 10 Tf 1 0 0 -1 50 50 Tm (A) Tj ET", 10.0, 0.0),
        // Condensed and slanted text: neither changes the height of the em.
        ("BT /F 10 Tf 50 Tz 50 50 Td (A) Tj ET", 10.0, 0.0),
        ("BT /F 10 Tf 1 0 0.3 1 50 50 Tm (A) Tj ET", 10.0, 0.0),
        // A negative size runs to the left and is upside down.
        ("BT /F -10 Tf 50 50 Td (A) Tj ET", 10.0, 180.0),
    ] {
        let run = only_run(HELVETICA, content, &[]);
        assert!(close(run.size, size) && close(run.angle, angle), "{content}: size {} angle {}", run.size, run.angle);
        assert!(run.advances[0] > 0.0, "{content}: {:?}", run.advances);
    }
}

#[test]
fn advances_include_spacing() {
    // Widths of Helvetica: A 667, space 278.
    for (content, expected) in [
        ("BT /F 10 Tf (AA) Tj ET", vec![6.67, 6.67]),
        ("BT /F 10 Tf 2 Tc (AA) Tj ET", vec![8.67, 6.67]),
        ("BT /F 10 Tf 3 Tw (A A) Tj ET", vec![6.67, 5.78, 6.67]),
        ("BT /F 10 Tf [(A) -500 (A) 100 (A)] TJ ET", vec![11.67, 5.67, 6.67]),
        ("BT /F 10 Tf 50 Tz 2 Tc [(A) -500 (A)] TJ ET", vec![(6.67 + 2.0 + 5.0) / 2.0, 3.335]),
        ("2 0 0 2 0 0 cm BT /F 10 Tf 0 1 -1 0 0 0 Tm (AA) Tj ET", vec![13.34, 13.34]),
        ("BT /F -10 Tf (AA) Tj ET", vec![6.67, 6.67]),
    ] {
        let run = only_run(HELVETICA, content, &[]);
        assert_eq!(run.advances.len(), expected.len(), "{content}");
        let same = run.advances.iter().zip(&expected).all(|(a, b)| close(*a, *b));
        assert!(same, "{content}: {:?}", run.advances);
    }
}

#[test]
fn each_showing_operator_is_one_run() {
    let content = "BT /F 10 Tf 12 TL 72 700 Td (one) Tj ( two) Tj T* (three) Tj (four) ' 1 2 (five) \" ET";
    let text = text(HELVETICA, content, &[]);
    let told: Vec<_> = text.runs.iter().map(|run| (run.text.as_str(), run.y)).collect();
    assert_eq!(told, [("one", 700.0), (" two", 700.0), ("three", 688.0), ("four", 676.0), ("five", 664.0)]);
    let end_of_one = 72.0 + text.runs[0].advances.iter().sum::<f32>();
    assert!(close(text.runs[1].x, end_of_one), "{} {end_of_one}", text.runs[1].x);
    assert_eq!(text.fonts.len(), 1);
}

#[test]
fn the_meaning_of_a_code_has_several_sources() {
    let to_unicode = stream(
        "",
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange \
         3 beginbfchar <01> <006600660069> <02> <D83DDE00> <03> <FFFD> endbfchar endcmap end end",
    );
    let font =
        |entries: &str| format!("/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica {entries} >> >>");
    let names = "/Encoding << /Differences [1 /fi /uni20AC /f_f_l /Lcommaaccent /nothing] >>";
    for (entries, codes, expected, lengths) in [
        ("/ToUnicode 5 0 R", "0102", "ffi\u{1F600}", vec![3, 4]),
        // A code mapped to nothing, and one that is not mapped: the latter is the encoding's
        // character.
        ("/ToUnicode 5 0 R", "0341", "\u{FFFD}A", vec![3, 1]),
        (names, "01020304", "fi\u{20AC}ffl\u{13B}", vec![2, 3, 3, 2]),
        (names, "05", "\u{FFFD}", vec![3]),
        ("/Encoding /WinAnsiEncoding", "96A941", "\u{2013}\u{A9}A", vec![3, 2, 1]),
        ("/Encoding /MacRomanEncoding", "D0A941", "\u{2013}\u{A9}A", vec![3, 2, 1]),
        // WinAnsi's unused codes are bullets.
        ("/Encoding /WinAnsiEncoding", "7F", "\u{2022}", vec![3]),
        // The standard encoding of a font without any: a ligature is reported as its letters.
        ("", "41AE", "Afi", vec![1, 2]),
    ] {
        let content = format!("BT /F 10 Tf <{codes}> Tj ET");
        let run = only_run(&font(entries), &content, std::slice::from_ref(&to_unicode));
        assert_eq!(run.text, expected, "{entries} {codes}");
        assert_eq!(run.lengths, lengths, "{entries} {codes}");
        let code = |index: usize| u32::from_str_radix(&codes[2 * index..2 * index + 2], 16).unwrap();
        assert_eq!(run.codes, (0..codes.len() / 2).map(code).collect::<Vec<_>>(), "{entries}");
    }
}

/// A composite font without an embedded program, with two-byte codes.
fn composite(encoding: &str, descendant: &str) -> String {
    format!(
        "/Font << /F << /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Arial-BoldItalicMT /Encoding /{encoding} \
         /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Arial-BoldItalicMT \
         /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> {descendant} >>] >> >>"
    )
}

#[test]
fn unexplained_two_byte_codes_are_reported() {
    let run = only_run(&composite("Identity-H", "/DW 500 /W [65 [700]]"), "BT /F 10 Tf <00410042> Tj ET", &[]);
    assert_eq!(run.codes, [0x41, 0x42]);
    assert_eq!(run.lengths, [3, 3]);
    assert_eq!(run.text, "\u{FFFD}\u{FFFD}");
    assert!(close(run.advances[0], 7.0) && close(run.advances[1], 5.0), "{:?}", run.advances);
}

#[test]
fn vertical_writing_goes_down_along_its_baseline() {
    let font = composite("Identity-V", "/DW 1000 /DW2 [880 -1000]");
    let run = only_run(&font, "BT /F 10 Tf 100 500 Td <00410042> Tj ET", &[]);
    assert_eq!((run.x, run.y, run.angle, run.size), (100.0, 500.0, 270.0, 10.0));
    assert!(close(run.advances[0], 10.0) && close(run.advances[1], 10.0), "{:?}", run.advances);
    let bbox = [run.bbox.x1, run.bbox.y1, run.bbox.x2, run.bbox.y2];
    assert_eq!(bbox, [95.0, 480.0, 105.0, 500.0]);
}

#[test]
fn fonts_are_named_without_their_subset_tag() {
    let told = |base: &str| {
        let font = format!("/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /{base} >> >>");
        let font = text(&font, "BT /F 10 Tf (A) Tj ET", &[]).fonts.remove(0);
        (font.name, font.bold, font.italic)
    };
    assert_eq!(told("ABCDEF+Times-Bold"), ("Times-Bold".to_owned(), true, false));
    assert_eq!(told("Helvetica-Oblique"), ("Helvetica-Oblique".to_owned(), false, true));
    assert_eq!(told("Not+Atag"), ("Not+Atag".to_owned(), false, false));
    let composite = text(&composite("Identity-H", ""), "BT /F 10 Tf <0041> Tj ET", &[]).fonts.remove(0);
    assert_eq!((composite.name.as_str(), composite.bold, composite.italic), ("Arial-BoldItalicMT", true, true));
}

#[test]
fn type_3_fonts_are_read_by_their_glyph_names() {
    let font = "/Font << /F << /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] \
                /CharProcs << /A 5 0 R /odd 5 0 R >> /Encoding << /Differences [65 /A /odd] >> \
                /FirstChar 65 /LastChar 66 /Widths [800 600] >> >>";
    let glyph = stream("", "800 0 0 0 750 750 d1 0 0 750 750 re f");
    let run = only_run(font, "BT /F 10 Tf (AB) Tj ET", &[glyph]);
    assert_eq!(run.text, "A\u{FFFD}");
    assert_eq!(run.codes, [65, 66]);
    assert!(close(run.advances[0], 8.0) && close(run.advances[1], 6.0), "{:?}", run.advances);
    assert!(close(run.bbox.y2, 10.0), "{:?}", run.bbox);
}

#[test]
fn unpainted_text_is_marked_invisible() {
    for (mode, visible) in [(0, true), (1, true), (2, true), (3, false), (4, true), (7, false)] {
        let run = only_run(HELVETICA, &format!("BT /F 10 Tf {mode} Tr (A) Tj ET"), &[]);
        assert_eq!(run.visible, visible, "mode {mode}");
    }
}

#[test]
fn text_carries_its_fill_colour() {
    let separation = "/ColorSpace << /S [/Separation /Spot /DeviceRGB << /FunctionType 2 /Domain [0 1] \
                      /C0 [1 1 1] /C1 [1 0 0] /N 1 >>] >>";
    let resources = format!("{HELVETICA} {separation}");
    for (set, color) in [
        ("", 0x00_00_00),
        ("0.5 g", 0x80_80_80),
        ("1 0.5 0 rg", 0xFF_80_00),
        ("0 0 0 0 k", 0xFF_FF_FF),
        ("/S cs 1 sc", 0xFF_00_00),
        ("/DeviceRGB cs 0 0 1 sc", 0x00_00_FF),
        ("1 0 0 RG", 0x00_00_00),
    ] {
        let run = only_run(&resources, &format!("{set} BT /F 10 Tf (A) Tj ET"), &[]);
        assert_eq!(run.color, color, "{set}: {:06X}", run.color);
    }
}

#[test]
fn text_in_forms_is_in_user_space_of_the_page() {
    let entries = format!(
        "/Type /XObject /Subtype /Form /BBox [0 0 500 500] /Matrix [1 0 0 1 100 0] /Resources << {HELVETICA} >>"
    );
    let form = stream(&entries, "BT /F 10 Tf 5 5 Td (inside) Tj ET");
    let text = text("/XObject << /X 5 0 R >>", "q 2 0 0 2 10 20 cm /X Do Q", &[form]);
    let run = &text.runs[0];
    assert_eq!((run.text.as_str(), run.x, run.y, run.size), ("inside", 220.0, 30.0, 20.0));
}

#[test]
fn text_in_hidden_layers_is_left_out() {
    let catalog = "/OCProperties << /OCGs [5 0 R 6 0 R] /D << /OFF [6 0 R] >> >>";
    let resources = format!(
        "{HELVETICA} /Properties << /On 5 0 R /Off 6 0 R /All << /Type /OCMD /OCGs [5 0 R 6 0 R] /P /AllOn >> \
         /Any << /Type /OCMD /OCGs [5 0 R 6 0 R] >> >> /XObject << /X 7 0 R >>"
    );
    let content = "BT /F 10 Tf /OC /On BDC (on ) Tj /OC /Off BDC (off ) Tj /Span BMC (in off ) Tj EMC EMC EMC \
                   /OC /All BDC (all ) Tj EMC /OC /Any BDC (any ) Tj EMC (free) Tj ET /X Do";
    let more = [
        "<< /Type /OCG /Name (Shown) >>".to_owned(),
        "<< /Type /OCG /Name (Hidden) >>".to_owned(),
        stream("/Type /XObject /Subtype /Form /BBox [0 0 500 500] /OC 6 0 R", "BT /F 10 Tf (form) Tj ET"),
    ];
    let text = page_of(with_catalog(catalog, LETTER, &resources, content, &more)).text();
    let told: String = text.runs.iter().map(|run| run.text.as_str()).collect();
    assert_eq!(told, "on any free");
    // Hidden text still moves the pen.
    let hidden = text.runs[1].x - text.runs[0].advances.iter().sum::<f32>();
    assert!(hidden > 40.0, "{hidden}");
}

#[test]
fn appearances_of_annotations_are_read_at_their_place() {
    let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << {HELVETICA} >>");
    let appearance = stream(&entries, "BT /F 10 Tf 10 5 Td (note) Tj ET");
    let annotation =
        |flags: u32| format!("<< /Subtype /FreeText /Rect [200 300 400 340] /F {flags} /AP << /N 5 0 R >> >>");
    for (flags, told) in [(0, 1), (4, 1), (2, 0), (32, 0)] {
        let entries = format!("{LETTER} /Annots [{}]", annotation(flags));
        let text = page_of(one_page(&entries, "", "", std::slice::from_ref(&appearance))).text();
        assert_eq!(text.runs.len(), told, "flags {flags}");
        if let Some(run) = text.runs.first() {
            assert_eq!((run.x, run.y, run.size), (220.0, 310.0, 20.0));
        }
    }
}

#[test]
fn text_painted_outside_the_clip_is_left_out() {
    let shown = "BT /F 10 Tf 500 350 Td (plan) Tj ET";
    for (content, told) in [
        (format!("0 0 5 5 re W n {shown}"), 0),
        (format!("490 340 500 30 re W n {shown}"), 1),
        (format!("500 340 m 540 340 l 500 380 l W n {shown}"), 1),
        (format!("600 340 m 600 400 l 480 400 l W n {shown}"), 0),
        (format!("q 0 0 5 5 re W n Q {shown}"), 1),
        // OCR's layer is not painted, so no clip hides it.
        (format!("0 0 5 5 re W n 3 Tr {shown}"), 1),
        // Outside the crop box only.
        (shown.to_owned(), 1),
    ] {
        let entries = "/MediaBox [0 0 600 400] /CropBox [0 0 100 100]";
        let page = page_of(one_page(entries, HELVETICA, &content, &[]));
        assert_eq!(page.text().runs.len(), told, "{content}");
        // Paths and text are read in the same pass.
        let page = page_of(one_page(entries, HELVETICA, &content, &[]));
        page.paths();
        assert_eq!(page.text().runs.len(), told, "{content}");
    }
}
