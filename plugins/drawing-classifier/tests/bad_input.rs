//! Pages that no real set has. Each has a defined result in bounded time.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use drawing_classifier::{Classification, DocumentType, DrawingType, Origin, Sheet, classify, sheet};
use native::NativePage;
use text_fixture::{file, odd};

/// Generous: on a machine that runs tests in parallel, a tenth of this suffices.
const BOUND: Duration = Duration::from_mins(1);

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
fn pages_without_text_are_blank() {
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
    // Displayed upside down: the text is read, whatever its direction.
    let turned = classified(file("0 0 1224 792", 180, block));
    assert_eq!(turned.pages[0].title.as_deref(), Some("ROOF PLAN"));
    // Mirrored text runs to the left. The sheet is still classified.
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
    // Generous: on a machine that runs tests in parallel, a tenth of this suffices.
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn odd_pages_are_classified_without_a_number() {
    for (what, file) in odd::blank() {
        let found = classified(file);
        assert_eq!(found.page_count, 1, "{what}");
        assert_eq!(found.pages[0].drawing_number, None, "{what}: {:?}", found.pages[0]);
    }
    for (what, file) in odd::crowded(["1:50", "KITCHEN", "SCALE: 1/4\\\" = 1'-0\\\"", "NORTH"]) {
        let started = Instant::now();
        let found = classified(file);
        assert_eq!(found.page_count, 1, "{what}");
        assert!(started.elapsed() < BOUND, "{what}: {:?}", started.elapsed());
    }
}

#[test]
fn images_without_text_are_pictures() {
    for (what, file) in odd::pictured() {
        let started = Instant::now();
        let pages: Vec<Sheet> = NativePage::open(file, 1).iter().map(|page| sheet(1, page)).collect();
        let found = classify(&pages);
        let page = &found.pages[0];
        assert_eq!((&page.drawing_number, &page.title), (&None, &None), "{what}: {page:?}");
        assert_eq!(page.drawing_type, DrawingType::Other, "{what}: {page:?}");
        assert!(started.elapsed() < BOUND, "{what}: {:?}", started.elapsed());
    }
}

/// A title block as a viewer shows it, in Hebrew and in Arabic: the letters that are read last come
/// first.
#[test]
fn right_to_left_titles_keep_their_reading_order() {
    for (shown, read, kind) in [
        ("עקרק תמוק תינכת", "תכנית קומת קרקע", DrawingType::FloorPlan),
        ("ןינב יכתח", "חתכי בנין", DrawingType::BuildingSections),
        ("ﻲﺿرﻷا ﻖﺑﺎﻄﻟا ﻂﻘﺴﻣ", "مسقط الطابق الأرضي", DrawingType::FloorPlan),
        ("ﺕﺎﻬﺟﺍﻮﻟﺍ", "الواجهات", DrawingType::ExteriorElevations),
    ] {
        let text = text_fixture::text(&block(shown));
        let geometry = text_fixture::geometry();
        let found = classify(&[Sheet::read(1, &text, &geometry, Origin::Text)]);
        assert_eq!(found.pages[0].title.as_deref(), Some(read));
        assert_eq!(found.pages[0].drawing_number.as_deref(), Some("A-101"), "{read}");
        assert_eq!(found.pages[0].drawing_type, kind, "{read}");
    }
}

/// A page with a title block at its bottom.
fn block(title: &str) -> String {
    let right = " ".repeat(70);
    format!("{}{right}SHEET TITLE\n{right}{title}\n\n{right}SHEET NO.\n{right}A-101\n", "\n".repeat(50))
}

#[test]
fn an_empty_document_has_no_pages() {
    assert_eq!(classify(&[]), Classification::default());
}
