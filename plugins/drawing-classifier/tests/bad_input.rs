//! Pages that no draughtsman drew: each has a clear answer, in bounded time.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use drawing_classifier::{Classification, DocumentType, DrawingType, Origin, Sheet, classify};
use fanlight_typewriter::file;

fn classified(pdf: Vec<u8>) -> Classification {
    let document = pdf_engine::Document::open(pdf).map_err(|error| format!("{error:?}"));
    let sheets: Vec<Sheet> = document
        .iter()
        .flat_map(|document| {
            (1..=document.page_count()).filter_map(|number| Some((number, document.page(number).ok()?)))
        })
        .map(|(number, page)| Sheet::read(number, &page.text(), &page.geometry(), Origin::Text))
        .collect();
    classify(&sheets)
}

#[test]
fn what_says_nothing_is_blank() {
    for (what, file) in [
        ("an empty page", file("0 0 612 792", 0, "")),
        ("a page of one point", file("0 0 1 1", 90, "BT /F 12 Tf (A) Tj ET")),
        ("text without size", file("0 0 612 792", 0, "BT /F 0 Tf 100 100 Td (SHEET A-101) Tj ET")),
    ] {
        let found = classified(file);
        assert_eq!(found.page_count, 1, "{what}");
        let page = &found.pages[0];
        assert_eq!(
            (page.document_type, page.drawing_type),
            (DocumentType::Blank, DrawingType::Other),
            "{what}: {page:?}"
        );
        assert_eq!((&page.drawing_number, &page.title), (&None, &None), "{what}");
        assert_eq!(found.by_drawing_type.get(&DrawingType::Other), Some(&1), "{what}");
    }
}

#[test]
fn a_title_block_is_read_on_a_mirrored_page_and_a_turned_one() {
    let block = "BT /F 6 Tf 1 0 0 1 1000 130 Tm (SHEET TITLE) Tj ET BT /F 14 Tf 1 0 0 1 1000 110 Tm (ROOF PLAN) Tj ET \
                 BT /F 6 Tf 1 0 0 1 1000 70 Tm (SHEET NO.) Tj ET BT /F 30 Tf 1 0 0 1 1000 36 Tm (A-105) Tj ET";
    let upright = classified(file("0 0 1224 792", 0, block));
    assert_eq!(upright.pages[0].drawing_number.as_deref(), Some("A-105"));
    assert_eq!(upright.pages[0].title.as_deref(), Some("ROOF PLAN"));
    assert_eq!(upright.pages[0].drawing_type, DrawingType::RoofPlan);
    // Upside down for the viewer: what is read is the text, whichever way it stands.
    let turned = classified(file("0 0 1224 792", 180, block));
    assert_eq!(turned.pages[0].title.as_deref(), Some("ROOF PLAN"));
    // Mirrored, the text runs to the left; the sheet is still one.
    let mirrored = classified(file("0 0 1224 792", 0, &format!("q -1 0 0 1 1224 0 cm {block} Q")));
    assert_eq!(mirrored.pages[0].document_type, DocumentType::Drawing);
    assert_eq!(mirrored.pages[0].drawing_type, DrawingType::RoofPlan, "{:?}", mirrored.pages[0]);
}

#[test]
fn a_sheet_strewn_with_numbers_and_titles_takes_bounded_time() {
    let mut content = String::new();
    for at in 0..30_000_u32 {
        let (x, y) = (at % 200 * 12, at / 200 * 11);
        let text = ["A-101", "FLOOR PLAN", "1:50", "SHEET NO."][(at % 4) as usize];
        let _ = write!(content, "BT /F 3 Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET ");
    }
    let started = Instant::now();
    let found = classified(file("0 0 2448 1684", 0, &content));
    assert_eq!(found.pages[0].document_type, DocumentType::Drawing);
    assert!(found.pages[0].description.starts_with("Floor plan"), "{:?}", found.pages[0]);
    // Generous: a machine that tests in parallel reads it in a tenth of this.
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn no_pages_are_no_pages() {
    assert_eq!(classify(&[]), Classification::default());
}
