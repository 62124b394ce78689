//! Every office of the drafting crate, read back and compared with the exact truth.

mod native;
mod scoring;

use drafting::scan::{Print, Scanner, scan as bound};
use drafting::schedule::{Family, Lettering, Office, draft, offices};
use native::NativeSheet;
use schedule_extractor::Sheet as _;
use scoring::Score;

/// What every office's cells must reach.
const BAR: f64 = 0.95;
/// What text drawn as outlines must reach.
const OUTLINED_BAR: f64 = 0.9;
/// What a CAD program's stroke font must reach.
const STROKES_BAR: f64 = 0.8;
/// What sheets lettered by hand must reach.
const BY_HAND_BAR: f64 = 0.7;
/// What scans must reach.
const SCANNED_BAR: f64 = 0.8;

fn score(office: &Office, seed: u64) -> Result<Score, String> {
    let drafted = draft(office, seed);
    let found = schedule_extractor::read(&NativeSheet::open(drafted.pdf, 1, false)?);
    Ok(Score::of(&found.schedules, &drafted.truth))
}

#[test]
fn every_offices_schedules_are_read() -> Result<(), String> {
    let mut below = Vec::new();
    for (name, office) in offices() {
        for seed in 1..=2 {
            let score = score(&office, seed)?;
            let all = score.tables == score.all_tables && score.extra == 0 && score.typed == score.tables;
            if score.f1() < BAR || !all {
                below.push(format!("{name}, seed {seed}: {score}"));
            }
        }
    }
    assert!(below.is_empty(), "below {BAR}:\n{}", below.join("\n"));
    Ok(())
}

/// Pixels an inch that offices scan at.
const SCANNED_AT: f32 = 200.0;

fn scan(pdf: Vec<u8>, scanner: &Scanner) -> Result<Vec<u8>, String> {
    let sheet = NativeSheet::open(pdf, 1, false)?;
    let raster = sheet.render(None, SCANNED_AT).ok_or("no picture")?;
    let (width, height) = (raster.width as usize, raster.height as usize);
    Ok(bound(&[Print { width, height, grey: raster.bytes().to_vec(), dpi: SCANNED_AT }], scanner, 1))
}

/// Text drawn as outlines, upright and on turned pages; and sheets on paper, from a flatbed and from a feeder.
#[test]
fn sheets_without_a_text_layer_are_read_by_ocr() -> Result<(), String> {
    let plain = Office { tables: 1, size: 9.0, family: Family::Libertinus, ..Office::default() };
    let outlined =
        |rotate: u16| draft(&Office { lettering: Lettering::Outlines, rotate, turned_heads: rotate == 90, ..plain }, 3);
    let strokes = |rotate: u16| draft(&Office { lettering: Lettering::Strokes, rotate, ..plain }, 3);
    let printed = draft(&Office { size: 11.0, ..plain }, 3);
    let by_hand = draft(&Office { lettering: Lettering::Hand, size: 12.0, content: 2, ..plain }, 3);
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
        let found = schedule_extractor::read(&NativeSheet::open(pdf.clone(), 1, true)?);
        let score = Score::of(&found.schedules, &truth);
        println!("{name}: {score}");
        let by_ocr = found.rasterized && found.schedules.iter().all(|schedule| schedule.metadata.ocr_fallback);
        if score.f1() < bar || score.extra > 0 || !by_ocr {
            below.push(format!("{name}, {bar}: {score}"));
        }
        let without = schedule_extractor::read(&NativeSheet::open(pdf, 1, false)?);
        assert!(without.schedules.is_empty() && !without.rasterized, "{name} without OCR");
    }
    assert!(below.is_empty(), "below:\n{}", below.join("\n"));
    Ok(())
}
