//! Malicious and damaged files. Each is read completely: nothing panics, and everything ends.

use std::fmt::Write as _;

use pdf_engine::Document;
use pdf_engine::vocabulary::{Orientation, PixelFormat, RenderOptions};
use text_fixture::promises::{check_paths, check_raster, check_text};

use crate::file::{HELVETICA, LETTER, one_page, page_of, pdf, stream};

fn read_whole(name: &str, file: Vec<u8>) {
    let Ok(document) = Document::open(file) else { return };
    document.outline();
    document.metadata();
    for number in 1..=document.page_count() {
        let page = document.page(number).unwrap();
        check_text(name, &page.text());
        check_paths(name, &page.paths());
        page.images();
        let options =
            RenderOptions { dpi: 20.0, region: None, format: PixelFormat::Grey, orientation: Orientation::Displayed };
        // Too large a page is refused, which is right.
        if let Ok(raster) = page.render(&options) {
            check_raster(name, &raster);
        }
    }
}

#[test]
fn damaged_content_is_read_to_its_end() {
    let huge = "9".repeat(60);
    let cases = [
        (
            "numbers beyond all measure",
            format!("{huge} 0 0 {huge} {huge} {huge} cm 1 1 m {huge} -{huge} l S BT /F {huge} Tf ({huge}) Tj ET"),
        ),
        (
            "numbers that multiply beyond all measure",
            format!("{} 1 1 m 9 9 l S BT /F 9 Tf (A) Tj ET", "1000000 0 0 1000000 0 0 cm ".repeat(70)),
        ),
        ("a space without area", "0 0 0 0 5 5 cm 1 w 0 0 m 9 9 l S 0 0 9 9 re f BT /F 9 Tf (A) Tj ET".to_owned()),
        ("a flat space", "1 0 0 0 5 5 cm [1 2] 0 d 0 0 m 9 9 l S BT /F 9 Tf (A) Tj ET".to_owned()),
        ("text without size", "BT /F 0 Tf (A) Tj 0 0 0 0 0 0 Tm (A) Tj 0 Tz /F 9 Tf (A) Tj ET".to_owned()),
        ("states that are never restored", "q ".repeat(200_000)),
        ("states that were never saved", format!("{} 0 0 m 9 9 l S", "Q ".repeat(1000))),
        ("marks that are never ended", format!("{} EMC 0 0 m 9 9 l S", "/Span BMC ".repeat(50_000))),
        ("arrays in arrays", format!("{} TJ 0 0 m 9 9 l S", "[".repeat(50_000))),
        ("dictionaries in dictionaries", format!("/Span {} BDC 0 0 m 9 9 l S", "<< /A ".repeat(50_000))),
        ("strange dashes", "[0 0 0] 0 d 0 0 m 9 9 l S [-1 2] 0 d 0 0 m 9 9 l S [0.001] 5 d 0 0 m 99 99 l S".to_owned()),
        ("a long dashed line", "[0.01 0.01] 0 d 0 0 m 600 700 l S".to_owned()),
        ("operands missing", "cm l c re Tf Tj TJ gs Do sc scn BDC d 1 2 m 3 l S".to_owned()),
        ("operands of the wrong kind", "(a) w /N 5 Tf [1] Tj (x) TJ /A /B m << >> gs 1 Do".to_owned()),
        (
            "names that lead to nothing",
            "/X Do /G gs /C cs 1 sc /P scn /OC /M BDC EMC BT /Z 9 Tf (A) Tj ET /S sh".to_owned(),
        ),
        ("an inline image without an end", "BI /W 10 /H 10 /BPC 8 /CS /G ID abc".to_owned()),
        ("rubbish", "\u{1}\u{2}%%(((<<>>]]{}{}".repeat(100)),
    ];
    for (name, content) in cases {
        read_whole(name, one_page(LETTER, HELVETICA, &content, &[]));
    }
}

#[test]
fn a_million_segments_are_read() {
    let mut content = "0 0 m ".to_owned();
    for index in 0..1_000_000 {
        write!(content, "{} {} l ", index % 600, index % 700).unwrap();
    }
    content.push('S');
    let paths = page_of(one_page(LETTER, "", &content, &[])).paths();
    assert_eq!(paths.lengths, [1_000_001]);
    check_paths("a million segments", &paths);
}

#[test]
fn objects_that_refer_to_themselves_end() {
    let form = |names: &str, content: &str| {
        let resources = format!("/Resources << /XObject << {names} >> >>");
        stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 99 99] {resources}"), content)
    };
    let drawn = "0 0 m 9 9 l S /A Do";
    let descendant = "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [5 0 R] >>";
    let glyph = "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /CharProcs << /A 6 0 R >> \
                 /Encoding << /Differences [65 /A] >> /FirstChar 65 /LastChar 65 /Widths [9] \
                 /Resources << /Font << /F 5 0 R >> >> >>";
    let pattern = stream(
        "/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 \
         /Resources << /Pattern << /P 5 0 R >> >>",
        "/Pattern cs /P scn 0 0 9 9 re f",
    );
    let cases = [
        ("a form in itself", one_page(LETTER, "/XObject << /A 5 0 R >>", "/A Do", &[form("/A 5 0 R", drawn)])),
        (
            "two forms in each other",
            one_page(LETTER, "/XObject << /A 5 0 R >>", "/A Do", &[form("/A 6 0 R", drawn), form("/A 5 0 R", drawn)]),
        ),
        (
            "a page tree that leads back",
            pdf(&[
                "<< /Type /Catalog /Pages 2 0 R >>",
                "<< /Type /Pages /Kids [2 0 R 3 0 R 4 0 R 4 0 R] /Count 9 >>",
                "<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 3 0 R] /Count 5 >>",
                "<< /Type /Page /Parent 2 0 R >>",
            ]),
        ),
        (
            "a page whose content is the page",
            pdf(&[
                "<< /Type /Catalog /Pages 2 0 R >>",
                "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                "<< /Type /Page /Parent 2 0 R /Contents [3 0 R [3 0 R]] /Annots [3 0 R] /Resources 3 0 R >>",
            ]),
        ),
        ("references in a ring", pdf(&["<< /Type /Catalog /Pages 2 0 R >>", "3 0 R", "2 0 R"])),
        (
            "a font that is its own descendant",
            one_page(LETTER, "/Font << /F 5 0 R >>", "BT /F 9 Tf <00410042> Tj ET", &[descendant.to_owned()]),
        ),
        (
            "a glyph that shows itself",
            one_page(
                LETTER,
                "/Font << /F 5 0 R >>",
                "BT /F 9 Tf (A) Tj ET",
                &[glyph.to_owned(), stream("", "9 0 0 0 9 9 d1 BT /F 1 Tf (A) Tj ET")],
            ),
        ),
        (
            "a pattern painted with itself",
            one_page(LETTER, "/Pattern << /P 5 0 R >>", "/Pattern cs /P scn 0 0 99 99 re f", &[pattern]),
        ),
    ];
    for (name, file) in cases {
        read_whole(name, file);
    }
}

#[test]
fn forms_that_multiply_end() {
    // Each form places the next one ten times: 10^12 lines if all were drawn. The renderer of hayro
    // has no such limit; there the host's deadline applies.
    let entries = |next: usize| {
        format!("/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Resources << /XObject << /A {next} 0 R >> >>")
    };
    let mut forms: Vec<String> = (6..18).map(|next| stream(&entries(next), "/A Do ".repeat(10))).collect();
    forms.push(stream(&entries(99), "0 0 m 9 9 l S"));
    let page = page_of(one_page(LETTER, "/XObject << /A 5 0 R >>", "/A Do", &forms));
    assert!(page.text().runs.is_empty());
    assert!(page.images().is_empty());
}

#[test]
fn pages_and_images_of_absurd_size_are_read() {
    let one_pixel = "/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray";
    for (name, page, image) in [
        ("a page as large as numbers get", "/MediaBox [0 0 1e38 1e38]", one_pixel),
        ("a page of three million points", "/MediaBox [0 0 3000000 3000000]", one_pixel),
        ("a page of digits", "/MediaBox [0 0 99999999999999999999999999999999999999999999999 9]", one_pixel),
        ("a page as thin as a hair", "/MediaBox [0 0 0.0001 792]", one_pixel),
        (
            "an image larger than its data",
            LETTER,
            "/Width 5000 /Height 5000 /BitsPerComponent 8 /ColorSpace /DeviceRGB",
        ),
        ("an image of no size", LETTER, "/Width 0 /Height 0 /BitsPerComponent 8 /ColorSpace /DeviceGray"),
        ("an image of negative size", LETTER, "/Width -5 /Height -5 /BitsPerComponent 8 /ColorSpace /DeviceGray"),
        ("an image in an unknown filter", LETTER, "/Width 5 /Height 5 /Filter /Unknown"),
        ("an image that is no JPEG", LETTER, "/Width 5 /Height 5 /Filter /DCTDecode"),
        (
            "an image with odd samples",
            LETTER,
            "/Width 5 /Height 5 /BitsPerComponent 77 /ColorSpace [/Indexed /DeviceRGB 999 (a)]",
        ),
    ] {
        let image = stream(&format!("/Type /XObject /Subtype /Image {image}"), "0123");
        read_whole(name, one_page(page, "/XObject << /I 5 0 R >>", "q 100 0 0 100 0 0 cm /I Do Q", &[image]));
    }
}
