//! Synthetic sheets of every style preset, read and compared with their exact truth.

mod score;

use anyhow::{Context as _, Result, bail};
use drafting::scan::{Print, Scanner, scan as bound};
use drafting::schedule::{Family, Lettering, Style, generate, styles};
use fanlight_contract::{
    Font, Geometry, ImagePlacement, Orientation, PagePaths, PageText, Raster, Rect, RenderOptions, TextRun,
};
use fanlight_plugin::page::{Layout, Readable};
use fanlight_raster::ReadWord;
use native::{NativePage, prints};
use schedule_extractor::{Found, QualityIssue};
use score::Score;

/// The least F1 of cells for every style preset.
const BAR: f64 = 0.95;
/// The same for text drawn as outlines.
const OUTLINED_BAR: f64 = 0.9;
/// The same for text in a CAD program's stroke font.
const STROKES_BAR: f64 = 0.8;
/// The same for sheets lettered by hand.
const BY_HAND_BAR: f64 = 0.7;
/// The same for scans.
const SCANNED_BAR: f64 = 0.8;

/// Reads a page without progress reports.
fn read(page: &dyn Readable) -> Found {
    schedule_extractor::read(1, page, &|_, _| {})
}

fn score(style: &Style, seed: u64) -> Result<Score> {
    let drafted = generate(style, seed);
    let found = read(&NativePage::open(drafted.pdf, 1)?);
    Ok(Score::new(&found.schedules, &drafted.truth))
}

#[test]
fn schedules_of_every_style_preset_are_read() -> Result<()> {
    let mut below = Vec::new();
    for (name, style) in styles() {
        for seed in 1..=2 {
            let score = score(&style, seed)?;
            let all = score.tables == score.all_tables && score.extra == 0 && score.typed == score.tables;
            if score.f1() < BAR || !all {
                below.push(format!("{name}, seed {seed}: {score}"));
            }
        }
    }
    assert!(below.is_empty(), "below {BAR}:\n{}", below.join("\n"));
    Ok(())
}

/// The resolution of the scans in dpi.
const SCANNED_AT: f32 = 200.0;

fn scan(pdf: Vec<u8>, scanner: &Scanner) -> Result<Vec<u8>> {
    Ok(bound(&prints(pdf, [1], SCANNED_AT, Orientation::Displayed)?, scanner, 1))
}

/// A sheet whose fonts draw correct glyphs for wrong characters.
struct WrongText {
    page: NativePage,
    told: fn(&str) -> String,
}

impl Readable for WrongText {
    fn geometry(&self) -> Geometry {
        self.page.geometry()
    }

    fn text(&self) -> PageText {
        let mut text = self.page.text();
        for run in &mut text.runs {
            let (mut lengths, mut told, mut start) = (Vec::new(), String::new(), 0);
            for &length in &run.lengths {
                let own = (self.told)(run.text.get(start..start + usize::from(length)).unwrap_or_default());
                start += usize::from(length);
                lengths.push(own.len() as u8);
                told.push_str(&own);
            }
            (run.text, run.lengths) = (told, lengths);
        }
        text
    }

    fn paths(&self) -> PagePaths {
        self.page.paths()
    }

    fn images(&self) -> Vec<ImagePlacement> {
        self.page.images()
    }

    fn render(&self, options: &RenderOptions) -> Option<Raster> {
        self.page.render(options)
    }

    fn recognize(&self, picture: &Raster, layout: Layout, languages: &[&str]) -> Option<Vec<ReadWord>> {
        self.page.recognize(picture, layout, languages)
    }
}

/// Shifted characters, as if a font's codes were characters, and dropped characters.
#[test]
fn a_wrong_text_layer_is_replaced_by_the_pixels() -> Result<()> {
    let shifted: fn(&str) -> String =
        |glyph| glyph.chars().map(|c| char::from_u32(c as u32 + 7).unwrap_or(c)).collect();
    let dropped: fn(&str) -> String =
        |glyph| if glyph.contains(['A', 'E', 'R', '0', '2']) { String::new() } else { glyph.to_owned() };
    let style = Style { tables: 1, size: 9.0, family: Family::Libertinus, ..Style::default() };
    for (what, told) in [("shifted", shifted), ("dropped", dropped)] {
        let drafted = generate(&style, 3);
        let sheet = WrongText { page: NativePage::open(drafted.pdf, 1)?.with_ocr(), told };
        let found = read(&sheet);
        let score = Score::new(&found.schedules, &drafted.truth);
        println!("{what}: {score}");
        assert!(score.f1() >= OUTLINED_BAR, "{what}: {score}");
        let metadata = &found.schedules[0].metadata;
        assert!(metadata.pdf_quality_issues.contains(&QualityIssue::TextContradicted), "{what}: {metadata:?}");
        assert!(found.rasterized && metadata.ocr_fallback, "{what}: {metadata:?}");
    }
    Ok(())
}

/// An image of 100 megapixels.
#[test]
fn a_huge_image_without_a_table_has_no_schedules() -> Result<()> {
    let (width, height) = (10_000, 10_000);
    let mut grey = vec![255; width * height];
    // Hatched, so that every part has foreground.
    for (index, pixel) in grey.iter_mut().enumerate() {
        if (index % width + index / width) % 40 < 3 {
            *pixel = 60;
        }
    }
    let print = Print { width, height, grey, dpi: 400.0 };
    let pdf = bound(&[print], &Scanner { skew: 0.0, ..Scanner::ALL[0].1 }, 1);
    let found = read(&NativePage::open(pdf, 1)?.with_ocr());
    assert!(found.schedules.is_empty() && !found.rasterized);
    Ok(())
}

/// Text drawn as outlines, on upright and turned pages, and scans from a flatbed and a feeder.
#[test]
fn sheets_without_a_text_layer_are_read_by_ocr() -> Result<()> {
    let plain = Style { tables: 1, size: 9.0, family: Family::Libertinus, ..Style::default() };
    let outlined = |rotate: u16| {
        generate(&Style { lettering: Lettering::Outlines, rotate, turned_heads: rotate == 90, ..plain }, 3)
    };
    let strokes = |rotate: u16| generate(&Style { lettering: Lettering::Strokes, rotate, ..plain }, 3);
    let printed = generate(&Style { size: 11.0, ..plain }, 3);
    let by_hand = generate(&Style { lettering: Lettering::Hand, size: 12.0, content: 2, ..plain }, 3);
    let cases = [
        ("outlined", outlined(0).pdf, outlined(0).truth, OUTLINED_BAR),
        ("outlined, rotated by 90", outlined(90).pdf, outlined(90).truth, OUTLINED_BAR),
        ("stroke font", strokes(0).pdf, strokes(0).truth, STROKES_BAR),
        ("stroke font, rotated by 270", strokes(270).pdf, strokes(270).truth, STROKES_BAR),
        ("flatbed", scan(printed.pdf.clone(), &Scanner::ALL[0].1)?, printed.truth.clone(), SCANNED_BAR),
        ("feeder", scan(printed.pdf, &Scanner::ALL[1].1)?, printed.truth, SCANNED_BAR),
        ("by hand", scan(by_hand.pdf, &Scanner::ALL[1].1)?, by_hand.truth, BY_HAND_BAR),
    ];
    let mut below = Vec::new();
    for (name, pdf, truth, bar) in cases {
        let found = read(&NativePage::open(pdf.clone(), 1)?.with_ocr());
        let score = Score::new(&found.schedules, &truth);
        println!("{name}: {score}");
        let by_ocr = found.rasterized && found.schedules.iter().all(|schedule| schedule.metadata.ocr_fallback);
        if score.f1() < bar || score.extra > 0 || !by_ocr {
            below.push(format!("{name}, {bar}: {score}"));
        }
        let without = read(&NativePage::open(pdf, 1)?);
        let [schedule] = without.schedules.as_slice() else { bail!("{name} without OCR: {without:?}") };
        let said = schedule.metadata.pdf_quality_issues.contains(&QualityIssue::OcrUnavailable);
        let blank = schedule.rows.iter().flat_map(|row| &row.0).all(|(_, text)| text.is_empty());
        assert!(said && blank && !schedule.metadata.ocr_fallback, "{name} without OCR: {schedule:?}");
        assert!(schedule.rows.len() >= truth.tables[0].rows.len() && !without.rasterized, "{name} without OCR");
    }
    assert!(below.is_empty(), "below:\n{}", below.join("\n"));
    Ok(())
}

/// An image of a sheet below a strip of text, like an old drawing in a new title block.
struct PastedImage {
    page: NativePage,
    picture: ImagePlacement,
}

impl Readable for PastedImage {
    fn geometry(&self) -> Geometry {
        self.page.geometry()
    }

    fn text(&self) -> PageText {
        let text =
            "THIS SHEET SHOWS THE BUILDING AS IT WAS SURVEYED BEFORE THE WORKS BEGAN, AND IS FOR REFERENCE ONLY.";
        let top = self.page.geometry().crop_box.y2;
        let bbox = Rect { x1: 60.0, y1: top - 22.0, x2: 660.0, y2: top - 12.0 };
        let glyphs = text.len();
        let run = TextRun {
            text: text.to_owned(),
            lengths: vec![1; glyphs],
            advances: vec![6.0; glyphs],
            codes: text.bytes().map(u32::from).collect(),
            x: bbox.x1,
            y: bbox.y1,
            size: 10.0,
            angle: 0.0,
            bbox,
            font: 0,
            color: 0,
            visible: true,
        };
        let font = Font { name: String::new(), bold: false, italic: false };
        PageText { fonts: vec![font], runs: vec![run] }
    }

    fn paths(&self) -> PagePaths {
        self.page.paths()
    }

    fn images(&self) -> Vec<ImagePlacement> {
        vec![self.picture]
    }

    fn render(&self, options: &RenderOptions) -> Option<Raster> {
        self.page.render(options)
    }

    fn recognize(&self, picture: &Raster, layout: Layout, languages: &[&str]) -> Option<Vec<ReadWord>> {
        self.page.recognize(picture, layout, languages)
    }
}

#[test]
fn a_table_that_is_an_image_on_a_sheet_is_read() -> Result<()> {
    let style = Style { tables: 1, size: 11.0, content: 3, family: Family::Libertinus, ..Style::default() };
    let drafted = generate(&style, 3);
    let page = NativePage::open(scan(drafted.pdf, &Scanner::ALL[0].1)?, 1)?.with_ocr();
    let picture = page.images().first().copied().context("no picture")?;
    let bbox = Rect { y2: picture.bbox.y2 - 30.0, ..picture.bbox };
    let found = read(&PastedImage { page, picture: ImagePlacement { bbox, ..picture } });
    let score = Score::new(&found.schedules, &drafted.truth);
    assert!(score.f1() >= SCANNED_BAR && score.extra == 0, "{score}");
    assert!(found.rasterized && found.schedules.iter().all(|schedule| schedule.metadata.ocr_fallback));
    Ok(())
}
