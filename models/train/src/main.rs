//! Writes classifier inputs with their labels: `NAME.bin`, 64 x 64 bytes each, and `NAME.csv`, a line each.
//!
//! Synthetic sheets are rendered by the engine that serves, some of them scanned, and resampled by the code that serves. Around
//! each symbol some boxes are drawn as a detector might propose them. Inputs of the class "nothing" are things that look
//! like symbols, false candidates of the lines, parts of symbols, and random places on the plan. Labelled real pages
//! ([`real_crops`]) are cut in the same way.

mod output;
mod page;
mod real_crops;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use drafting::plan::{self, Catalogue, Style, Truth};
use drafting::scan::{self, Print, Scanner};
use fanlight_detection::classifier_input::{CLASSES, Class, input_for_box};
use fanlight_detection::placed_raster::PlacedRaster;
use fanlight_detection::symbols::{Fixture, Plan};
use native::{NativePage, Readable as _};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use output::create;
use page::render;

/// Writes classifier inputs for training and testing.
#[derive(Parser)]
struct Arguments {
    /// Writes OUT.bin and OUT.csv.
    #[arg(long)]
    out: PathBuf,
    /// Number of sheets to generate.
    #[arg(long, default_value_t = 100)]
    sheets: u64,
    /// The first sheet's seed.
    #[arg(long, default_value_t = 1000)]
    seed: u64,
    /// Uses the named styles, which training never sees, instead of mixed ones.
    #[arg(long)]
    named: bool,
    /// Percentage of sheets that are scanned.
    #[arg(long, default_value_t = 30)]
    scans: u32,
    /// Uses forms of the common catalogue only; otherwise every other pair of sheets has the rarer one.
    #[arg(long)]
    common: bool,
    /// How often each symbol of a real page is written, at another resolution and with another box each time; 0 writes each
    /// once with the label's box.
    #[arg(long, default_value_t = 0)]
    draws: u32,
    /// Label files of real pages, each with its PDF: LABEL.json=FILE.pdf. They are written instead of synthetic sheets.
    pages: Vec<String>,
}

type Box4 = [f32; 4];

/// A box with its label.
struct Labelled {
    bbox: Box4,
    class: Class,
    kind: String,
}

struct Output {
    pixels: BufWriter<File>,
    lines: BufWriter<File>,
    count: usize,
}

/// A rendered sheet.
struct Sheet<'a> {
    name: &'a str,
    scale: f32,
    scanned: bool,
    raster: PlacedRaster<'a>,
}

impl Output {
    fn new(out: &std::path::Path) -> Result<Self> {
        let mut lines = create(out, "csv")?;
        writeln!(lines, "class,kind,sheet,points_per_inch,scanned,pixels_a_side")?;
        Ok(Self { pixels: create(out, "bin")?, lines, count: 0 })
    }

    fn add(&mut self, sheet: &Sheet<'_>, bbox: Box4, class: Class, kind: &str) -> Result<()> {
        let crop = input_for_box(&sheet.raster, bbox);
        let bytes: Vec<u8> = crop.iter().map(|ink| (ink * 255.0).round() as u8).collect();
        self.pixels.write_all(&bytes)?;
        let index = CLASSES.iter().position(|known| *known == class).unwrap_or_default();
        let long = (bbox[2] - bbox[0]).max(bbox[3] - bbox[1]) * sheet.raster.scale;
        let Sheet { name, scale, scanned, .. } = sheet;
        writeln!(self.lines, "{index},{kind},{name},{scale},{},{long:.0}", u8::from(*scanned))?;
        self.count += 1;
        Ok(())
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let mut output = Output::new(&arguments.out)?;
    for page in &arguments.pages {
        real_crops::write(page, arguments.draws, &mut output)?;
    }
    if arguments.pages.is_empty() {
        for seed in arguments.seed..arguments.seed + arguments.sheets {
            synthetic_sheet(seed, &arguments, &mut output)?;
        }
    }
    output.pixels.flush()?;
    output.lines.flush()?;
    println!("{} crops", output.count);
    Ok(())
}

/// Square points in a square inch.
const SQUARE_INCH: f32 = 72.0 * 72.0;
/// Most pixels of a rendered sheet, as when serving.
const MAX_PIXELS: f32 = 20e6;
/// Greatest resolution of a sheet, in dpi.
const MAX_DPI: f32 = 220.0;
/// Least resolution of a sheet, in dpi.
const MIN_DPI: f32 = 60.0;
/// Width of a narrow door in the building, in inches, and on the coarsest sheet, in pixels.
const NARROW_DOOR: f32 = 30.0;
const NARROW_DOOR_PIXELS: f32 = 24.0;

/// Returns a random resolution in dpi at which narrow doors are legible and the sheet has no more pixels than when serving.
fn resolution(style: &Style, random: &mut Xoshiro256PlusPlus) -> f32 {
    let square_inches = style.sheet.0 * style.sheet.1 / SQUARE_INCH;
    let finest = (MAX_PIXELS / square_inches).sqrt().min(MAX_DPI);
    let narrow_door = NARROW_DOOR * style.scale.points_per_inch;
    let coarsest = (NARROW_DOOR_PIXELS / narrow_door * 72.0).clamp(MIN_DPI, finest);
    random.random_range(coarsest..=finest.max(coarsest + 1.0))
}

/// Writes the inputs of a synthetic sheet.
fn synthetic_sheet(seed: u64, arguments: &Arguments, output: &mut Output) -> Result<()> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let named = plan::styles();
    let (name, style) = if arguments.named {
        let (name, style) = &named[seed as usize % named.len()];
        (*name, style.clone())
    } else {
        ("mixture", Style::mixed(seed))
    };
    let catalogue = if arguments.common { Catalogue::Common } else { page::catalogue(seed) };
    let style = Style { catalogue, ..style };
    let drafted = plan::generate(&style, seed);
    let proposed = proposed(&NativePage::open(drafted.pdf.clone(), 1)?);
    let dpi = resolution(&style, &mut random);
    let scanned = random.random_range(0..100) < arguments.scans;
    let mut pixels = render(drafted.pdf, 1, dpi)?;
    if scanned {
        let (_, scanner) = Scanner::ALL[random.random_range(0..Scanner::ALL.len())];
        let scanner = Scanner { skew: 0.0, ..scanner };
        let print = Print { width: pixels.width, height: pixels.height, grey: pixels.grey, dpi };
        pixels = render(scan::scan(&[print], &scanner, seed), 1, dpi)?;
    }
    let truth = drafted.truth;
    let name = format!("{name}-{seed}");
    // A scan is upright in its file, so its raster is in the sheet's user space too.
    let raster = pixels.raster(truth.media_box[3], dpi);
    let sheet = Sheet { name: &name, scale: style.scale.points_per_inch, scanned, raster };
    let unclear = truth.uncertain.iter().chain(&truth.ignore_regions).map(|thing| thing.bbox).collect();
    let mut crops = Crops { sheet, symbols: symbols(&truth), unclear, random, output };
    crops.add_symbols()?;
    crops.add_things(&truth)?;
    crops.add_proposed(proposed)?;
    crops.add_anywhere(&truth)
}

/// Returns the symbols of a sheet with their classes.
fn symbols(truth: &Truth) -> Vec<Labelled> {
    let doors = truth.doors.iter().map(|door| Labelled {
        bbox: door.bbox,
        class: page::class_of_door(door.kind),
        kind: format!("{:?}", door.kind),
    });
    let fixtures = truth.fixtures.iter().map(|fixture| Labelled {
        bbox: fixture.bbox,
        class: page::class_of_fixture(fixture.kind),
        kind: fixture.form.to_owned(),
    });
    doors.chain(fixtures).collect()
}

/// Most symbols of a class and most openings that are taken from a sheet, which repeats them.
const MAX_OF_CLASS: usize = 14;
/// Most things that are taken from a sheet.
const MAX_THINGS: usize = 45;
/// Most false candidates that are taken from a sheet.
const MAX_PROPOSED: usize = 50;
/// Boxes that are drawn around each symbol.
const BOXES_OF_SYMBOL: usize = 2;
/// Random places that are tried on each view.
const PLACES_OF_VIEW: usize = 40;
/// Percentage of symbols that have a box beside them.
const BESIDE_PERCENT: u32 = 60;
/// Shares of its size by which the box of a symbol, a thing and a candidate is moved and stretched.
const SYMBOL_JITTER: f32 = 0.07;
const THING_JITTER: f32 = 0.1;
const PROPOSED_JITTER: f32 = 0.03;
/// Intersection over union with each symbol below which a box shows nothing, and below which a candidate misses.
const NOTHING: f32 = 0.25;
const MISSED: f32 = 0.4;
/// Intersection over union from which a box shows what is unclear.
const UNCLEAR: f32 = 0.1;

/// The crops of one sheet while they are written.
struct Crops<'a> {
    sheet: Sheet<'a>,
    symbols: Vec<Labelled>,
    /// Boxes in which neither symbols nor other things are learnt from.
    unclear: Vec<Box4>,
    random: Xoshiro256PlusPlus,
    output: &'a mut Output,
}

impl Crops<'_> {
    /// Adds some symbols of each class, and places beside them.
    fn add_symbols(&mut self) -> Result<()> {
        let mut chosen: Vec<(Box4, Class, String)> = Vec::new();
        for class in CLASSES {
            let own = self.symbols.iter().filter(|symbol| symbol.class == class);
            let mut own: Vec<_> = own.map(|symbol| (symbol.bbox, class, symbol.kind.clone())).collect();
            thin(&mut own, MAX_OF_CLASS, &mut self.random);
            chosen.extend(own);
        }
        for (bbox, class, kind) in chosen {
            for _ in 0..BOXES_OF_SYMBOL {
                let bbox = jittered(bbox, SYMBOL_JITTER, &mut self.random);
                self.output.add(&self.sheet, bbox, class, &kind)?;
            }
            let beside = beside(bbox, &mut self.random);
            if self.is_nothing(beside, NOTHING) && self.random.random_range(0..100) < BESIDE_PERCENT {
                self.output.add(&self.sheet, beside, Class::Nothing, "beside")?;
            }
        }
        Ok(())
    }

    /// Adds some things that are no symbols, and openings without doors.
    fn add_things(&mut self, truth: &Truth) -> Result<()> {
        let mut things: Vec<_> = truth.things.iter().collect();
        thin(&mut things, MAX_THINGS, &mut self.random);
        let mut openings: Vec<_> = truth.openings.iter().collect();
        thin(&mut openings, MAX_OF_CLASS, &mut self.random);
        for thing in things.into_iter().chain(openings) {
            let bbox = jittered(thing.bbox, THING_JITTER, &mut self.random);
            if self.is_nothing(bbox, NOTHING) {
                self.output.add(&self.sheet, bbox, Class::Nothing, &thing.kind)?;
            }
        }
        Ok(())
    }

    /// Adds false candidates of the lines, and those that miss their symbol: the network will classify such boxes.
    fn add_proposed(&mut self, mut proposed: Vec<Box4>) -> Result<()> {
        proposed.retain(|bbox| self.is_nothing(*bbox, MISSED));
        thin(&mut proposed, MAX_PROPOSED, &mut self.random);
        for bbox in proposed {
            let bbox = jittered(bbox, PROPOSED_JITTER, &mut self.random);
            self.output.add(&self.sheet, bbox, Class::Nothing, "proposed")?;
        }
        Ok(())
    }

    /// Adds random boxes of a symbol's size on the views.
    fn add_anywhere(&mut self, truth: &Truth) -> Result<()> {
        for view in &truth.views {
            for _ in 0..PLACES_OF_VIEW {
                let [x1, y1, x2, y2] = view.bbox;
                let random = &mut self.random;
                let wide = random.random_range(12.0..90.0) * view.points_per_inch;
                let high = wide * random.random_range(0.4..1.0);
                let (wide, high) = if random.random_range(0..2) == 0 { (wide, high) } else { (high, wide) };
                if x2 - x1 < wide + 2.0 || y2 - y1 < high + 2.0 {
                    continue;
                }
                let (x, y) = (random.random_range(x1..x2 - wide), random.random_range(y1..y2 - high));
                let bbox = [x, y, x + wide, y + high];
                if self.is_nothing(bbox, NOTHING) {
                    self.output.add(&self.sheet, bbox, Class::Nothing, "anywhere")?;
                }
            }
        }
        Ok(())
    }

    /// Returns whether a box is of the class "nothing": it overlaps each symbol by less than `share`, and is apart from what
    /// is unclear.
    fn is_nothing(&self, bbox: Box4, share: f32) -> bool {
        self.symbols.iter().all(|symbol| overlap(bbox, symbol.bbox) < share)
            && self.unclear.iter().all(|unclear| overlap(bbox, *unclear) < UNCLEAR && !within(bbox, *unclear))
    }
}

/// Returns a box of a symbol's size that misses the symbol.
fn beside([x1, y1, x2, y2]: Box4, random: &mut Xoshiro256PlusPlus) -> Box4 {
    let (wide, high) = ((x2 - x1).max(3.0), (y2 - y1).max(3.0));
    let dx = wide * random.random_range(0.6..1.2) * if random.random_range(0..2) == 0 { 1.0 } else { -1.0 };
    let dy = high * random.random_range(-1.0..1.0);
    [x1 + dx, y1 + dy, x2 + dx, y2 + dy]
}

/// Returns the boxes of the door and fixture candidates that a page's lines propose.
fn proposed(page: &NativePage) -> Vec<Box4> {
    let plan = Plan::read(&page.paths(), &page.text(), &page.geometry());
    let doors = plan.doors().into_iter().map(|door| door.bbox);
    let fixtures = plan.fixture_candidates(&plan.scales()).into_iter().filter(Fixture::is_possible);
    doors.chain(fixtures.map(|fixture| fixture.bbox)).map(|bbox| [bbox.x1, bbox.y1, bbox.x2, bbox.y2]).collect()
}

/// Removes random elements from a list until it has at most `most`.
fn thin<T>(list: &mut Vec<T>, most: usize, random: &mut Xoshiro256PlusPlus) {
    while list.len() > most {
        list.swap_remove(random.random_range(0..list.len()));
    }
}

/// Moves and stretches a box by up to a share of its size, as a detector might propose it.
fn jittered([x1, y1, x2, y2]: Box4, share: f32, random: &mut Xoshiro256PlusPlus) -> Box4 {
    let long = (x2 - x1).max(y2 - y1);
    let mut by = |side: f32| side + long * random.random_range(-share..=share);
    [by(x1), by(y1), by(x2), by(y2)]
}

/// Returns the intersection over union.
fn overlap(a: Box4, b: Box4) -> f32 {
    let area = |[x1, y1, x2, y2]: Box4| (x2 - x1).max(0.0) * (y2 - y1).max(0.0);
    let both = area([a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]);
    both / (area(a) + area(b) - both).max(1e-6)
}

/// Returns whether the centre of a box is in another.
fn within(a: Box4, b: Box4) -> bool {
    let (x, y) = (f32::midpoint(a[0], a[2]), f32::midpoint(a[1], a[3]));
    (b[0]..b[2]).contains(&x) && (b[1]..b[3]).contains(&y)
}
