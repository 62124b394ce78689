//! Writes tiles with what is on them: `NAME.bin`, 256 x 256 bytes of ink each, `NAME.csv`, a line each, and
//! `NAME.boxes.csv`, a line for each symbol of a tile.
//!
//! Sheets are drafted, rendered by the engine that serves, most of them put through a scanner, and cut by the code that
//! serves. Most tiles are about at the scale that the network is for; on some everything is far too large or too small, and
//! nothing is to be found: by that the network tells which scale a sheet is drawn at. A part of the sheets are elevations
//! and schedules, on which there is nothing to be found either.

mod page;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use drafting::plan::{self, Style, Truth};
use drafting::scan::{self, Print, Scanner};
use drafting::{elevation, schedule};
use fanlight_detection::detector::{CLASSES, input_for_tile, pixels_per_point, position, whiten};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use page::{class_of_door, class_of_fixture, render};

/// Cuts tiles for training and testing.
#[derive(Parser)]
struct Arguments {
    /// What to write: OUT.bin, OUT.csv and OUT.boxes.csv.
    #[arg(long)]
    out: PathBuf,
    /// How many sheets to draft.
    #[arg(long, default_value_t = 100)]
    sheets: u64,
    /// The first sheet's number.
    #[arg(long, default_value_t = 1000)]
    seed: u64,
    /// The named offices instead of mixtures of habits: the offices that training never sees.
    #[arg(long)]
    named: bool,
    /// How many tiles of a sheet.
    #[arg(long, default_value_t = 32)]
    tiles: u32,
}

type Box4 = [f32; 4];
type Point = (f32, f32);

/// Pixels along a side of a tile.
const SIDE: usize = 256;
/// Pixels of a sheet's picture at most.
const MOST_PIXELS: f32 = 14e6;
/// What stands in place of a class where a symbol may be or not.
const UNCLEAR: i32 = -1;
/// Symbols are to be found where they are drawn at this many times the network's scale, and may be found at that many.
const FOUND: std::ops::RangeInclusive<f32> = 0.74..=1.36;
const UNCLEAR_SIZES: std::ops::RangeInclusive<f32> = 0.5..=2.0;

/// A symbol whose box holds less ink than this, in the mean of its cells, was lost in the scanner.
const LOST: f32 = 0.025;

/// A symbol of a sheet: its box in user space, the points of paper that an inch of the building takes there.
struct Symbol {
    bbox: Box4,
    /// Of [`CLASSES`], or [`UNCLEAR`].
    class: i32,
    points_per_inch: f32,
}

/// A sheet before it is cut.
struct Sheet {
    name: String,
    pdf: Vec<u8>,
    /// Width and height of the page.
    size: Point,
    symbols: Vec<Symbol>,
    /// Where tiles are cut besides at symbols: plans, and what looks like symbols.
    places: Vec<Box4>,
    /// Points of paper for an inch of the building in most of it.
    points_per_inch: f32,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let create = |extension: &str| {
        let path = arguments.out.with_extension(extension);
        File::create(&path).map(BufWriter::new).with_context(|| format!("cannot write {}", path.display()))
    };
    let (mut pixels, mut lines, mut boxes) = (create("bin")?, create("csv")?, create("boxes.csv")?);
    writeln!(lines, "sheet,page,size")?;
    writeln!(boxes, "tile,class,x1,y1,x2,y2")?;
    let mut count = 0;
    for seed in arguments.seed..arguments.seed + arguments.sheets {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let sheet = drafted(seed, arguments.named, &mut random);
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

/// A plan; every so often of a mixture of offices something else.
fn drafted(seed: u64, named: bool, random: &mut Xoshiro256PlusPlus) -> Sheet {
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
    let scale_at = |bbox: Box4| {
        let (x, y) = middle(bbox);
        let held = truth.views.iter().rev().find(|view| holds(view.bbox, (x, y)));
        held.map_or(main, |view| view.points_per_inch)
    };
    let mut symbols = symbols(&truth, scale_at);
    let unclear = truth.uncertain.iter().chain(truth.ignore_regions.iter().filter(|region| region.kind != "notes"));
    symbols.extend(unclear.map(|thing| Symbol { bbox: thing.bbox, class: UNCLEAR, points_per_inch: main }));
    let mut places: Vec<Box4> = truth.views.iter().map(|view| view.bbox).collect();
    places.extend(truth.things.iter().chain(&truth.openings).map(|thing| thing.bbox));
    let [_, _, right, top] = truth.media_box;
    Sheet { name: format!("{name}-{seed}"), pdf, size: (right, top), symbols, places, points_per_inch: main }
}

fn symbols(truth: &Truth, scale_at: impl Fn(Box4) -> f32) -> Vec<Symbol> {
    let doors = truth.doors.iter().map(|door| (door.bbox, class_of_door(door.kind)));
    let fixtures = truth.fixtures.iter().map(|fixture| (fixture.bbox, class_of_fixture(fixture.kind)));
    let all = doors.chain(fixtures);
    all.map(|(bbox, class)| Symbol {
        bbox,
        class: position(class).and_then(|place| i32::try_from(place).ok()).unwrap_or(UNCLEAR),
        points_per_inch: scale_at(bbox),
    })
    .collect()
}

/// A tile with what is on it, boxes in its pixels, rows from the top.
struct Tile {
    ink: Vec<u8>,
    boxes: Vec<(i32, Box4)>,
    sheet: String,
    page: &'static str,
    /// How many times the network's scale the sheet's main plan has on it.
    size: f32,
}

fn tiles_of(sheet: Sheet, seed: u64, arguments: &Arguments, random: &mut Xoshiro256PlusPlus) -> Result<Vec<Tile>> {
    let Sheet { name, pdf, size, mut symbols, places, points_per_inch } = sheet;
    let scale = pixels_per_point(points_per_inch);
    // As fine as offices scan, and no finer than is worth the time.
    let finest = (MOST_PIXELS / (size.0 * size.1)).sqrt();
    let dpi = 72.0 * (scale * random.random_range(1.0..2.6)).clamp(0.9, finest.max(0.91));
    let scanners: Vec<_> = Scanner::ALL.into_iter().chain(Scanner::WORN).collect();
    let choice = random.random_range(0..scanners.len() + scanners.len() / 2);
    // Over some rounds of the named offices each has several scanners, and each scanner several offices.
    let round = seed as usize / plan::styles().len();
    let choice = if arguments.named { (seed as usize + round) % (scanners.len() + 1) } else { choice };
    let scanner = scanners.get(choice);

    let mut pixels = render(pdf, 1, dpi)?;
    if let Some((_, scanner)) = scanner {
        let print = Print { width: pixels.width, height: pixels.height, grey: pixels.grey, dpi };
        pixels = render(scan::scan(&[print], scanner, seed), 1, dpi)?;
        let turn = scanner.turn(seed);
        for symbol in &mut symbols {
            symbol.bbox = turned(symbol.bbox, size, turn);
        }
    }
    whiten(&mut pixels.grey);
    let picture = pixels.picture(size.1, dpi);

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
            // Rare kinds as often as common ones; of a kind, any.
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
        let ink = input_for_tile(&picture, (left, top), scale, SIDE);
        // Of what is empty a little is enough.
        if ink.iter().sum::<f32>() < 0.004 * (SIDE * SIDE) as f32 && random.random_range(0..100) < 90 {
            continue;
        }
        let mut boxes = boxes_on(&symbols, (left, top), scale);
        for (class, bbox) in &mut boxes {
            if ink_in(&ink, *bbox) < LOST {
                *class = UNCLEAR;
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

/// The symbols on a tile: those far too large or too small are not told.
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
        if symbol.class == UNCLEAR {
            boxes.push((UNCLEAR, on));
        } else if FOUND.contains(&times) {
            boxes.push((symbol.class, on));
        } else if UNCLEAR_SIZES.contains(&times) {
            boxes.push((UNCLEAR, on));
        }
    }
    boxes
}

/// The mean of a tile's cells in the middle of a box, as far as it lies on the tile; 1 where nothing of it does.
fn ink_in(ink: &[f32], [x1, y1, x2, y2]: Box4) -> f32 {
    let inner = |low: f32, high: f32| {
        let by = 0.1 * (high - low);
        let cell = |at: f32| (at.max(0.0) as usize).min(SIDE);
        cell(low + by)..cell(high - by + 1.0)
    };
    let (columns, rows) = (inner(x1, x2), inner(y1, y2));
    let cells: Vec<f32> =
        rows.flat_map(|row| columns.clone().map(move |column| row * SIDE + column)).map(|at| ink[at]).collect();
    if cells.is_empty() { 1.0 } else { cells.iter().sum::<f32>() / cells.len() as f32 }
}

/// The box around a box that is turned counterclockwise about the page's middle.
fn turned(bbox: Box4, (wide, high): Point, degrees: f32) -> Box4 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (x, y) = middle(bbox);
    let (dx, dy) = (x - wide / 2.0, y - high / 2.0);
    let (x, y) = (wide / 2.0 + dx * cos - dy * sin, high / 2.0 + dx * sin + dy * cos);
    // So little that the box itself stays as it is.
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
