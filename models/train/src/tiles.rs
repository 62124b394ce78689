//! Writes tiles with their labels: `NAME.bin`, 256 x 256 bytes of ink each, `NAME.csv`, a line each, and `NAME.boxes.csv`, a
//! line for each symbol on a tile.
//!
//! Synthetic sheets are rendered by the engine that serves, most of them scanned, and resampled by the code that serves. Most
//! tiles are near the network's scale. On some the scale is far too large or too small and nothing is to be detected, so that
//! detections reveal a sheet's scale. Some sheets are elevations and schedules, without symbols.

mod output;
mod page;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use drafting::plan::{self, Style, Truth};
use drafting::scan::{self, Print, Scanner};
use drafting::{elevation, schedule};
use fanlight_detection::detector::{CLASSES, pixels_per_point, position, whiten};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use page::{class_of_door, class_of_fixture, render};

/// Writes tiles for training and testing.
#[derive(Parser)]
struct Arguments {
    /// Writes OUT.bin, OUT.csv and OUT.boxes.csv.
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
    /// Tiles per sheet.
    #[arg(long, default_value_t = 32)]
    tiles: u32,
}

type Box4 = [f32; 4];
type Point = (f32, f32);

/// Side of a tile, in pixels.
const SIDE: usize = 256;
/// Most pixels of a rendered sheet.
const MAX_PIXELS: f32 = 14e6;
/// The class of a box that counts neither way.
const UNCERTAIN: i32 = -1;
/// Symbols are labelled if they are drawn at this multiple of the network's scale.
const LABELLED_SCALES: std::ops::RangeInclusive<f32> = 0.74..=1.36;
/// Symbols count neither way at other multiples in this range, and are no symbols beyond it.
const UNCERTAIN_SCALES: std::ops::RangeInclusive<f32> = 0.5..=2.0;

/// A symbol whose mean ink is below this was lost by the scanner.
const MIN_INK: f32 = 0.025;

/// A symbol of a sheet: its box in user space, and the points of paper per inch of the building there.
struct Symbol {
    bbox: Box4,
    /// Index in [`CLASSES`], or [`UNCERTAIN`].
    class: i32,
    points_per_inch: f32,
}

/// A sheet before it is rendered.
struct Sheet {
    name: String,
    pdf: Vec<u8>,
    /// Width and height of the page, in points.
    size: Point,
    symbols: Vec<Symbol>,
    /// Places of tiles besides symbols: plans, and things that look like symbols.
    places: Vec<Box4>,
    /// Points of paper per inch of the building in most of the sheet.
    points_per_inch: f32,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let create = |extension| output::create(&arguments.out, extension);
    let (mut pixels, mut lines, mut boxes) = (create("bin")?, create("csv")?, create("boxes.csv")?);
    writeln!(lines, "sheet,page,size")?;
    writeln!(boxes, "tile,class,x1,y1,x2,y2")?;
    let mut count = 0;
    for seed in arguments.seed..arguments.seed + arguments.sheets {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let sheet = synthetic(seed, arguments.named, &mut random);
        let tiles = tiles_of(sheet, seed, &arguments, &mut random)?;
        for tile in tiles {
            pixels.write_all(&tile.ink)?;
            writeln!(lines, "{},{},{:.3}", tile.sheet, tile.page, tile.size)?;
            for (class, [x1, y1, x2, y2]) in tile.boxes {
                writeln!(boxes, "{count},{class},{x1:.2},{y1:.2},{x2:.2},{y2:.2}")?;
            }
            count += 1;
        }
    }
    pixels.flush()?;
    lines.flush()?;
    boxes.flush()?;
    println!("{count} tiles");
    Ok(())
}

/// Generates a sheet: a plan or, among mixed styles, sometimes elevations or schedules.
fn synthetic(seed: u64, named: bool, random: &mut Xoshiro256PlusPlus) -> Sheet {
    let plans = plan::styles();
    if named {
        let (name, style) = &plans[seed as usize % plans.len()];
        return plan_sheet(name, &Style { catalogue: page::catalogue(seed), ..style.clone() }, seed);
    }
    match random.random_range(0..100) {
        0..8 => {
            let pdf = elevation::generate(&elevation::Style::random(seed), seed).pdf;
            without_symbols("elevations", pdf, random)
        }
        8..13 => {
            let styles = schedule::styles();
            let pdf = schedule::generate(&styles[seed as usize % styles.len()].1, seed).pdf;
            without_symbols("schedules", pdf, random)
        }
        _ => plan_sheet("mixture", &Style { catalogue: page::catalogue(seed), ..Style::mixed(seed) }, seed),
    }
}

fn without_symbols(name: &str, pdf: Vec<u8>, random: &mut Xoshiro256PlusPlus) -> Sheet {
    let size = pdf_engine::Document::open(pdf.clone()).ok().and_then(|document| document.page(1).ok());
    let media = size.map(|page| page.geometry().media_box);
    let size = media.map_or((612.0, 792.0), |media| (media.x2 - media.x1, media.y2 - media.y1));
    let points_per_inch = plan::SCALES[random.random_range(0..plan::SCALES.len())].points_per_inch;
    Sheet {
        name: name.to_owned(),
        pdf,
        size,
        symbols: Vec::new(),
        places: vec![[size.0 * 0.04, size.1 * 0.04, size.0 * 0.96, size.1 * 0.96]],
        points_per_inch,
    }
}

fn plan_sheet(name: &str, style: &Style, seed: u64) -> Sheet {
    let plan::SyntheticSheet { pdf, truth } = plan::generate(style, seed);
    let main = truth.views.first().map_or(style.scale.points_per_inch, |view| view.points_per_inch);
    let mut symbols = symbols(&truth, main);
    let uncertain = truth.uncertain.iter().chain(truth.ignore_regions.iter().filter(|region| region.kind != "notes"));
    symbols.extend(uncertain.map(|thing| Symbol { bbox: thing.bbox, class: UNCERTAIN, points_per_inch: main }));
    let mut places: Vec<Box4> = truth.views.iter().map(|view| view.bbox).collect();
    places.extend(truth.things.iter().chain(&truth.openings).map(|thing| thing.bbox));
    let [_, _, right, top] = truth.media_box;
    Sheet { name: format!("{name}-{seed}"), pdf, size: (right, top), symbols, places, points_per_inch: main }
}

/// Returns the doors and fixtures of a sheet. The scale is that of the view that holds the symbol, or `main`.
fn symbols(truth: &Truth, main: f32) -> Vec<Symbol> {
    let doors = truth.doors.iter().map(|door| (door.bbox, class_of_door(door.kind)));
    let fixtures = truth.fixtures.iter().map(|fixture| (fixture.bbox, class_of_fixture(fixture.kind)));
    let all = doors.chain(fixtures).map(|(bbox, class)| {
        let class = position(class).and_then(|place| i32::try_from(place).ok()).unwrap_or(UNCERTAIN);
        let view = truth.views.iter().rev().find(|view| holds(view.bbox, middle(bbox)));
        Symbol { bbox, class, points_per_inch: view.map_or(main, |view| view.points_per_inch) }
    });
    all.collect()
}

/// A tile with its boxes, in pixels from its upper left corner.
struct Tile {
    ink: Vec<u8>,
    boxes: Vec<(i32, Box4)>,
    sheet: String,
    page: &'static str,
    /// The scale of the sheet's main plan on the tile, as a multiple of the network's.
    size: f32,
}

fn tiles_of(sheet: Sheet, seed: u64, arguments: &Arguments, random: &mut Xoshiro256PlusPlus) -> Result<Vec<Tile>> {
    let Sheet { name, pdf, size, mut symbols, places, points_per_inch } = sheet;
    let scale = pixels_per_point(points_per_inch);
    // The resolution is one that offices scan at, within the limit on pixels.
    let finest = (MAX_PIXELS / (size.0 * size.1)).sqrt();
    let dpi = 72.0 * (scale * random.random_range(1.0..2.6)).clamp(0.9, finest.max(0.91));
    let scanners: Vec<_> = Scanner::ALL.into_iter().chain(Scanner::WORN).collect();
    let choice = random.random_range(0..scanners.len() + scanners.len() / 2);
    // Over some rounds of the named styles each style has several scanners, and each scanner several styles.
    let round = seed as usize / plan::styles().len();
    let choice = if arguments.named { (seed as usize + round) % (scanners.len() + 1) } else { choice };
    let scanner = scanners.get(choice);

    let mut pixels = render(pdf, 1, dpi)?;
    if let Some((_, scanner)) = scanner {
        let print = Print { width: pixels.width, height: pixels.height, grey: pixels.grey, dpi };
        pixels = render(scan::scan(&[print], scanner, seed), 1, dpi)?;
        let turn = scanner.turn(seed);
        for symbol in &mut symbols {
            symbol.bbox = rotated(symbol.bbox, size, turn);
        }
    }
    whiten(&mut pixels.grey);
    let raster = pixels.raster(size.1, dpi);

    let by_class: Vec<Vec<&Symbol>> = (0..)
        .take(CLASSES.len())
        .map(|class| symbols.iter().filter(|symbol| symbol.class == class).collect())
        .filter(|members: &Vec<_>| !members.is_empty())
        .collect();
    let mut tiles = Vec::new();
    for _ in 0..arguments.tiles {
        let at_symbol = !by_class.is_empty() && random.random_range(0..100) < 62;
        let (mut at, mut own) = (None, points_per_inch);
        if at_symbol {
            // Rare classes are as frequent as common ones.
            let members = &by_class[random.random_range(0..by_class.len())];
            let symbol = members[random.random_range(0..members.len())];
            (at, own) = (Some(middle(symbol.bbox)), symbol.points_per_inch);
        } else if !places.is_empty() && random.random_range(0..100) < 80 {
            at = Some(anywhere(places[random.random_range(0..places.len())], random));
        }
        let (x, y) = at.unwrap_or_else(|| anywhere([0.0, 0.0, size.0, size.1], random));
        let times = if arguments.named {
            1.0
        } else if random.random_range(0..100) < 82 {
            2.0_f32.powf(random.random_range(-0.36..0.36))
        } else {
            2.0_f32.powf(random.random_range(-2.0..2.0))
        };
        let scale = pixels_per_point(own) * times;
        let half = SIDE as f32 / 2.0 / scale;
        let off = half * 0.7;
        let left = x - half + random.random_range(-off..off);
        let top = y + half + random.random_range(-off..off);
        let ink = raster.ink((left, top), scale, SIDE);
        // A few empty tiles are enough.
        if ink.iter().sum::<f32>() < 0.004 * (SIDE * SIDE) as f32 && random.random_range(0..100) < 90 {
            continue;
        }
        let mut boxes = boxes_on(&symbols, (left, top), scale);
        for (class, bbox) in &mut boxes {
            if ink_in(&ink, *bbox) < MIN_INK {
                *class = UNCERTAIN;
            }
        }
        tiles.push(Tile {
            ink: ink.into_iter().map(|ink| (ink * 255.0).round() as u8).collect(),
            boxes,
            sheet: name.clone(),
            page: scanner.map_or("clean", |(name, _)| name),
            size: times,
        });
    }
    Ok(tiles)
}

/// Returns the symbols on a tile, without those far too large or too small.
fn boxes_on(symbols: &[Symbol], (left, top): Point, scale: f32) -> Vec<(i32, Box4)> {
    let side = SIDE as f32;
    let mut boxes = Vec::new();
    for symbol in symbols {
        let [x1, y1, x2, y2] = symbol.bbox;
        let on = [(x1 - left) * scale, (top - y2) * scale, (x2 - left) * scale, (top - y1) * scale];
        if on[2] <= 0.0 || on[3] <= 0.0 || on[0] >= side || on[1] >= side {
            continue;
        }
        let times = scale / pixels_per_point(symbol.points_per_inch);
        if symbol.class == UNCERTAIN {
            boxes.push((UNCERTAIN, on));
        } else if LABELLED_SCALES.contains(&times) {
            boxes.push((symbol.class, on));
        } else if UNCERTAIN_SCALES.contains(&times) {
            boxes.push((UNCERTAIN, on));
        }
    }
    boxes
}

/// Returns the mean ink in the middle of a box, or 1 if the box is off the tile.
fn ink_in(ink: &[f32], [x1, y1, x2, y2]: Box4) -> f32 {
    let [columns, rows] = [(x1, x2), (y1, y2)].map(|(low, high)| {
        let by = 0.1 * (high - low);
        let cell = |at: f32| (at.max(0.0) as usize).min(SIDE);
        cell(low + by)..cell(high - by + 1.0)
    });
    let cells: Vec<f32> =
        rows.flat_map(|row| columns.clone().map(move |column| row * SIDE + column)).map(|at| ink[at]).collect();
    if cells.is_empty() { 1.0 } else { cells.iter().sum::<f32>() / cells.len() as f32 }
}

/// Moves a box as the page rotates counterclockwise about its centre.
fn rotated(bbox: Box4, (wide, high): Point, degrees: f32) -> Box4 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (x, y) = middle(bbox);
    let (dx, dy) = (x - wide / 2.0, y - high / 2.0);
    let (x, y) = (wide / 2.0 + dx * cos - dy * sin, high / 2.0 + dx * sin + dy * cos);
    // The skew is so small that the box keeps its shape.
    let (half_wide, half_high) = ((bbox[2] - bbox[0]) / 2.0, (bbox[3] - bbox[1]) / 2.0);
    [x - half_wide, y - half_high, x + half_wide, y + half_high]
}

fn middle([x1, y1, x2, y2]: Box4) -> Point {
    (f32::midpoint(x1, x2), f32::midpoint(y1, y2))
}

fn holds([x1, y1, x2, y2]: Box4, (x, y): Point) -> bool {
    (x1..=x2).contains(&x) && (y1..=y2).contains(&y)
}

fn anywhere([x1, y1, x2, y2]: Box4, random: &mut Xoshiro256PlusPlus) -> Point {
    (random.random_range(x1..x2.max(x1 + 1.0)), random.random_range(y1..y2.max(y1 + 1.0)))
}
