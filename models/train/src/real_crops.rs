//! Classifier inputs of labelled real pages: their symbols, what the lines propose wrongly, and other places with ink.

use std::fs;

use anyhow::{Context, Result, bail};
use fanlight_contract::{Orientation, PixelFormat, RenderOptions};
use fanlight_detection::classifier_input::Class;
use fanlight_detection::placed_raster::PlacedRaster;
use native::{NativePage, Readable as _};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde::Deserialize;

use crate::{Box4, Output, Sheet, jittered, overlap, proposed, thin};

/// Resolution in dpi of boxes that are written once.
const MEASURED_DPI: f32 = 150.0;
/// Least resolution of boxes that are drawn, in pixels per inch.
const LEAST_DPI: f32 = 100.0;
/// Highest resolution of boxes that are drawn, in pixels per inch.
const HIGHEST_DPI: f32 = 220.0;
/// By how much of its longer side a drawn box of a symbol moves at most.
const JITTER: f32 = 0.07;
/// Most pixels of a rendered page.
const MOST_PIXELS: f32 = 20e6;
/// Most false candidates of the lines that one draw takes from a page.
const MOST_PROPOSED: usize = 120;
/// Most other boxes that one draw takes from a page.
const OTHERS: usize = 80;
/// Least side of the other boxes, in points.
const LEAST_SIDE: f32 = 8.0;
/// Longest side of the other boxes, in points.
const LONGEST_SIDE: f32 = 70.0;
/// A box that overlaps a symbol by this share or more is not of the class "nothing".
const APART: f32 = 0.25;

/// The part of a label file that is read.
#[derive(Deserialize)]
struct Labels {
    office: Option<String>,
    page: u32,
    #[serde(default)]
    doors: Vec<Label>,
    #[serde(default)]
    fixtures: Vec<Label>,
}

#[derive(Deserialize)]
struct Label {
    bbox: Box4,
    kind: String,
    #[serde(default)]
    uncertain: bool,
}

/// A labelled page with what its lines propose wrongly.
struct LabelledPage<'a> {
    labels: &'a Labels,
    office: &'a str,
    page: NativePage,
    wrong: Vec<Box4>,
}

/// Writes the inputs of a page, given as `LABEL.json=FILE.pdf`.
///
/// With `draws` of 0 each symbol is written once, with the label's box, for measuring. Otherwise it is written that many
/// times, each time at another resolution and with another box, as a detector might propose it. The office stands for the
/// sheet's name.
pub(crate) fn write(page: &str, draws: u32, output: &mut Output) -> Result<()> {
    let Some((file, pdf)) = page.split_once('=') else { bail!("{page} is not LABEL.json=FILE.pdf") };
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
    let labels: Labels = serde_json::from_str(&text).with_context(|| format!("{file} has no labels of symbols"))?;
    let bytes = fs::read(pdf).with_context(|| format!("cannot read {pdf}"))?;
    let page = NativePage::open(bytes, labels.page)?;
    let wrong: Vec<Box4> = proposed(&page).into_iter().filter(|bbox| labels.is_free(*bbox)).collect();
    let office = labels.office.as_deref().unwrap_or(file);
    println!("{office}: {} symbols, {} proposed wrongly", labels.doors.len() + labels.fixtures.len(), wrong.len());
    let page = LabelledPage { labels: &labels, office, page, wrong };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    if draws == 0 {
        return page.write(MEASURED_DPI, 0.0, &mut random, output);
    }
    for _ in 0..draws {
        let dpi = random.random_range(LEAST_DPI..HIGHEST_DPI);
        page.write(dpi, JITTER, &mut random, output)?;
    }
    Ok(())
}

impl Labels {
    /// Returns whether a box is apart from all symbols, certain or not.
    fn is_free(&self, bbox: Box4) -> bool {
        self.doors.iter().chain(&self.fixtures).all(|symbol| overlap(bbox, symbol.bbox) < APART)
    }

    /// Returns the certain symbols with their classes.
    fn certain(&self) -> impl Iterator<Item = (&Label, Class)> {
        let doors = self.doors.iter().map(|door| (door, class_of(&door.kind, true)));
        let fixtures = self.fixtures.iter().map(|fixture| (fixture, class_of(&fixture.kind, false)));
        doors.chain(fixtures).filter(|(label, _)| !label.uncertain)
    }
}

impl LabelledPage<'_> {
    /// Writes each symbol once, with what the lines propose wrongly and other places. Boxes of symbols move by up to `jitter`
    /// of their longer side.
    fn write(&self, dpi: f32, jitter: f32, random: &mut Xoshiro256PlusPlus, output: &mut Output) -> Result<()> {
        let shown = self.page.geometry().crop_box;
        let (wide, high) = (shown.x2 - shown.x1, shown.y2 - shown.y1);
        let dpi = dpi.min(72.0 * (MOST_PIXELS / (wide * high)).sqrt());
        let options =
            RenderOptions { dpi, region: Some(shown), format: PixelFormat::Grey, orientation: Orientation::UserSpace };
        let rendered = self.page.render(&options).with_context(|| format!("{}: cannot be rendered", self.office))?;
        let raster = PlacedRaster::of_region(&rendered, shown, dpi);
        let sheet = Sheet { name: self.office, scale: 0.0, scanned: false, raster };
        for (symbol, class) in self.labels.certain() {
            output.add(&sheet, jittered(symbol.bbox, jitter, random), class, &symbol.kind)?;
        }
        let mut chosen = self.wrong.clone();
        thin(&mut chosen, MOST_PROPOSED, random);
        for bbox in chosen {
            output.add(&sheet, jittered(bbox, jitter / 2.0, random), Class::Nothing, "proposed")?;
        }
        for _ in 0..OTHERS {
            let side = random.random_range(LEAST_SIDE..LONGEST_SIDE);
            if wide <= side || high <= side {
                continue;
            }
            let (x, y) = (random.random_range(0.0..wide - side), random.random_range(0.0..high - side));
            let bbox = [shown.x1 + x, shown.y1 + y, shown.x1 + x + side, shown.y1 + y + side];
            if self.labels.is_free(bbox) {
                output.add(&sheet, bbox, Class::Nothing, "anywhere")?;
            }
        }
        Ok(())
    }
}

/// Returns the class of a label's kind.
fn class_of(kind: &str, is_door: bool) -> Class {
    match kind {
        "single" | "stall" => Class::SwingingDoor,
        "double" => Class::DoubleDoor,
        "sliding" | "pocket" | "overhead" | "surface" => Class::SlidingDoor,
        _ if is_door => Class::OtherDoor,
        "wc" => Class::WaterCloset,
        "squat_wc" => Class::SquatPan,
        "urinal" => Class::Urinal,
        "lavatory" => Class::Lavatory,
        "sink" => Class::Sink,
        "bathtub" => Class::Bathtub,
        "shower" => Class::Shower,
        _ => Class::OtherFixture,
    }
}
