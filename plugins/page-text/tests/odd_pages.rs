//! Pages that no person wrote: each is read in bounded time.

use std::cell::Cell;
use std::time::{Duration, Instant};

use fanlight_contract::{Geometry, ImagePlacement, PagePaths, PageText, Raster, ReadWord, Rect, RenderOptions};
use fanlight_plugin::page::{Layout, Readable};
use page_text::{Parameters, Source, UseOcr, read};
use text_fixture::{file, odd};

/// Generous: a machine that tests in parallel needs a tenth of this.
const BOUND: Duration = Duration::from_secs(30);

/// A page of the engine with an OCR that reads one word in each picture.
struct Page {
    page: pdf_engine::Page,
    pictures: Cell<usize>,
}

impl Page {
    fn open(file: Vec<u8>) -> Result<Self, String> {
        let document = pdf_engine::Document::open(file).map_err(|error| format!("{error:?}"))?;
        let page = document.page(1).map_err(|error| format!("{error:?}"))?;
        Ok(Self { page, pictures: Cell::new(0) })
    }
}

impl Readable for Page {
    fn geometry(&self) -> Geometry {
        self.page.geometry()
    }

    fn text(&self) -> PageText {
        self.page.text()
    }

    fn paths(&self) -> PagePaths {
        self.page.paths()
    }

    fn images(&self) -> Vec<ImagePlacement> {
        self.page.images()
    }

    fn render(&self, options: &RenderOptions) -> Option<Raster> {
        self.page.render(options).ok()
    }

    fn recognize(&self, picture: &Raster, _: Layout, _: &[&str]) -> Option<Vec<ReadWord>> {
        self.pictures.set(self.pictures.get() + 1);
        let (width, height) = (picture.width as f32, picture.height as f32);
        let bbox = Rect { x1: 0.0, y1: 0.9 * height, x2: 0.5 * width, y2: height };
        Some(vec![ReadWord { text: "READ".to_owned(), bbox, confidence: 0.8, angle: 0.0, line: 0 }])
    }
}

const WORDS: Parameters = Parameters { ocr: UseOcr::Auto, words: true };

#[test]
fn odd_pages_are_read_in_bounded_time() -> Result<(), String> {
    let titles = ["1:50", "KITCHEN ELEVATION", "SCALE: 1/4\\\" = 1'-0\\\"", "NORTH"];
    for (what, file) in odd::blank().into_iter().chain(odd::pictured()).chain(odd::crowded(titles)) {
        let page = Page::open(file)?;
        let started = Instant::now();
        let lines = read(&page, WORDS);
        assert!(started.elapsed() < BOUND, "{what}: {:?}", started.elapsed());
        for line in lines {
            let numbers = [line.bbox.x1, line.bbox.y1, line.bbox.x2, line.bbox.y2, line.size, line.angle];
            assert!(numbers.iter().all(|number| number.is_finite()), "{what}: {line:?}");
        }
    }
    Ok(())
}

#[test]
fn only_pages_without_text_of_their_own_are_recognized() -> Result<(), String> {
    let letter = "0 0 612 792";
    let typed = "BT /F 12 Tf 72 700 Td (Provide doors of the sizes shown.) Tj ET ";
    let long = typed.repeat(4);
    let drawn = "72 700 m 500 700 l S ";
    let stamp = "BT /F 12 Tf 72 700 Td (RECEIVED) Tj ET ";
    let picture = "q 612 0 0 792 0 0 cm BI /W 2 /H 2 /CS /G /BPC 8 ID \x10\x20\x30\x40 EI Q ";
    let cases = [
        ("nothing", String::new(), 0),
        ("text", typed.to_owned(), 0),
        ("text on a picture", format!("{picture}{long}"), 0),
        ("lines alone", drawn.to_owned(), 1),
        ("a picture", picture.to_owned(), 1),
        ("a picture with a stamp", format!("{picture}{stamp}"), 1),
        ("a stamp alone", stamp.to_owned(), 0),
    ];
    for (what, content, expected) in cases {
        let page = Page::open(file(letter, 0, &content))?;
        let lines = read(&page, WORDS);
        assert_eq!(page.pictures.get(), expected, "{what}");
        let recognized = lines.iter().filter(|line| line.source == Source::Ocr).count();
        assert_eq!(recognized, expected, "{what}: {lines:?}");
        let stamped = lines.iter().any(|line| line.text == "RECEIVED" && line.source == Source::TextLayer);
        assert_eq!(stamped, content.contains("RECEIVED"), "{what}: {lines:?}");
    }
    Ok(())
}

#[test]
fn a_recognized_word_returns_to_its_place_on_a_turned_page() -> Result<(), String> {
    // As displayed, the word lies along the lower edge, from the left corner to the middle.
    let expected = [
        (0, [0.0, 0.0, 300.0, 80.0], 0.0),
        (90, [540.0, 0.0, 600.0, 400.0], 90.0),
        (180, [300.0, 720.0, 600.0, 800.0], 180.0),
        (270, [0.0, 400.0, 60.0, 800.0], 270.0),
    ];
    for (rotation, bbox, angle) in expected {
        let page = Page::open(file("0 0 600 800", rotation, "72 700 m 500 700 l S"))?;
        let lines = read(&page, WORDS);
        let [line] = &lines[..] else { return Err(format!("{lines:?}")) };
        let off = [line.bbox.x1, line.bbox.y1, line.bbox.x2, line.bbox.y2].into_iter().zip(bbox);
        assert!(off.clone().all(|(a, b)| (a - b).abs() < 1.0), "{rotation}: {line:?}");
        assert_eq!((line.angle, line.confidence), (angle, Some(0.8)), "{rotation}");
    }
    Ok(())
}

#[test]
fn without_a_wish_a_text_layer_is_not_read_again() -> Result<(), String> {
    let content = "BT /F 12 Tf 72 700 Td (Provide doors of the sizes shown.) Tj ET";
    for (ocr, expected) in [(UseOcr::Auto, "Provide doors of the sizes shown."), (UseOcr::Always, "READ")] {
        let page = Page::open(file("0 0 612 792", 0, content))?;
        let lines = read(&page, Parameters { ocr, words: false });
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, [expected]);
        assert!(lines.iter().all(|line| line.words.is_none()));
    }
    let scan = Page::open(file("0 0 612 792", 0, "72 700 m 500 700 l S"))?;
    assert!(read(&scan, Parameters { ocr: UseOcr::Never, words: false }).is_empty());
    Ok(())
}
