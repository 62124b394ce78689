//! Writes whole sheets with their labels: `NAME.bin`, for each sheet the input of view segmentation and the class of each cell
//! of its output, a byte each; and `NAME.csv`, a line each.
//!
//! Synthetic sheets are rendered by the engine that serves, most of them scanned, and shrunk by the code that serves. Plans and
//! schedules are labelled only where they are; the rest of their sheets is known not to be an interior elevation.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Parser;
use drafting::elevation::{self, RegionKind, Style};
use drafting::scan::{self, Print, Scanner};
use drafting::{plan, schedule};
use fanlight_contract::{Orientation, PixelFormat, Rect, RenderOptions};
use fanlight_geometry::Frame;
use fanlight_sheet::view_segmentation::{CLASSES, COLUMNS, Class, HEIGHT, ROWS, SheetImage, WIDTH};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Writes sheets for training and testing.
#[derive(Parser)]
struct Arguments {
    /// Writes OUT.bin and OUT.csv.
    #[arg(long)]
    out: PathBuf,
    /// Number of sheets to generate.
    #[arg(long, default_value_t = 100)]
    sheets: u64,
    /// The first sheet's seed.
    #[arg(long, default_value_t = 50_000)]
    seed: u64,
    /// Uses the named styles of elevations, which training never sees, instead of mixed sheets.
    #[arg(long)]
    named: bool,
    /// Percentage of sheets that are scanned.
    #[arg(long, default_value_t = 70)]
    scans: u32,
}

/// Label of cells that are known only not to be an interior elevation.
const NOT_INTERIOR: u8 = 254;
/// Most pixels of a rendered sheet.
const MAX_PIXELS: f32 = 18e6;
/// Percentage of black-and-white scans whose lines are darkened first: coarse scans would lose all thin lines.
const DARKENED: u32 = 70;
/// Factor by which such lines are darkened.
const DARKER: u8 = 3;

/// A sheet with its labels.
struct Sheet {
    name: String,
    pdf: Vec<u8>,
    /// Class of the cells outside all regions.
    elsewhere: u8,
    /// Boxes in user space with their classes, from back to front.
    regions: Vec<(Class, [f32; 4])>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let create = |extension: &str| File::create(arguments.out.with_extension(extension)).map(BufWriter::new);
    let context = |path: &Path| format!("cannot write {}", path.display());
    let mut pixels = create("bin").with_context(|| context(&arguments.out))?;
    let mut lines = create("csv").with_context(|| context(&arguments.out))?;
    writeln!(lines, "sheet,scanner,dpi")?;
    for seed in arguments.seed..arguments.seed + arguments.sheets {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let sheet = if arguments.named { named(seed) } else { mixture(seed, &mut random) };
        let scanner = (random.random_range(0..100) < arguments.scans)
            .then(|| Scanner::ALL[random.random_range(0..Scanner::ALL.len())]);
        let (bytes, dpi) = drawn(&sheet, scanner.map(|(_, scanner)| scanner), seed, &mut random)?;
        pixels.write_all(&bytes)?;
        writeln!(lines, "{},{},{dpi:.0}", sheet.name, scanner.map_or("none", |(name, _)| name))?;
    }
    pixels.flush()?;
    lines.flush()?;
    println!("{} sheets", arguments.sheets);
    Ok(())
}

fn named(seed: u64) -> Sheet {
    let styles = elevation::styles();
    let (name, style) = &styles[seed as usize % styles.len()];
    elevations(format!("{name}-{seed}"), style, seed)
}

/// Generates a sheet: three of four show interior elevations among other things, the rest plans or schedules.
fn mixture(seed: u64, random: &mut Xoshiro256PlusPlus) -> Sheet {
    match random.random_range(0..100) {
        0..62 => elevations(format!("furnished-{seed}"), &Style::furnished(seed), seed),
        62..75 => elevations(format!("mixture-{seed}"), &Style::random(seed), seed),
        75..90 => {
            let drafted = plan::generate(&plan::Style::random(seed), seed);
            let regions = drafted.truth.views.iter().map(|view| (Class::OtherView, view.bbox)).collect();
            Sheet { name: format!("plan-{seed}"), pdf: drafted.pdf, elsewhere: NOT_INTERIOR, regions }
        }
        _ => {
            let styles = schedule::styles();
            let (name, style) = &styles[seed as usize % styles.len()];
            let drafted = schedule::generate(style, seed);
            let regions = drafted.truth.tables.iter().map(|table| (Class::Table, table.bbox)).collect();
            Sheet { name: format!("schedules-{name}-{seed}"), pdf: drafted.pdf, elsewhere: NOT_INTERIOR, regions }
        }
    }
}

fn elevations(name: String, style: &Style, seed: u64) -> Sheet {
    let drafted = elevation::generate(style, seed);
    let class = |kind: RegionKind| match kind {
        RegionKind::Plan
        | RegionKind::ExteriorElevation
        | RegionKind::Section
        | RegionKind::Detail
        | RegionKind::OpeningTypes => Class::OtherView,
        RegionKind::Title => Class::Title,
        RegionKind::Notes => Class::Notes,
        RegionKind::Table => Class::Table,
    };
    let others = drafted.truth.regions.iter().map(|region| (class(region.kind), region.bbox));
    let mut regions: Vec<(Class, [f32; 4])> = others.collect();
    regions.extend(drafted.truth.elevations.iter().map(|own| (Class::Interior, own.bbox)));
    // Titles and notes are in front of views.
    regions.sort_by_key(|(class, _)| matches!(class, Class::Title | Class::Notes));
    Sheet { name, pdf: drafted.pdf, elsewhere: place(Class::Nothing), regions }
}

fn place(class: Class) -> u8 {
    CLASSES.iter().position(|known| *known == class).unwrap_or_default() as u8
}

/// Returns the sheet's ink followed by its cells' classes, and the resolution in pixels per inch.
fn drawn(
    sheet: &Sheet,
    scanner: Option<Scanner>,
    seed: u64,
    random: &mut Xoshiro256PlusPlus,
) -> Result<(Vec<u8>, f32)> {
    let document = pdf_engine::Document::open(sheet.pdf.clone()).map_err(|error| anyhow!("{error:?}"))?;
    let page = document.page(1).map_err(|error| anyhow!("{error:?}"))?;
    let geometry = page.geometry();
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    let finest = (MAX_PIXELS / (frame.width * frame.height)).sqrt() * 72.0;
    let least = if scanner.is_some_and(|scanner| scanner.one_bit) { 130.0_f32 } else { 75.0 }.min(finest);
    let dpi = random.random_range(least..=finest.min(200.0).max(least + 1.0));
    let options = RenderOptions { dpi, region: None, format: PixelFormat::Grey, orientation: Orientation::Displayed };
    let raster = page.render(&options).map_err(|error| anyhow!("{error:?}"))?;
    let (width, height) = (raster.width as usize, raster.height as usize);
    let mut print = Print { width, height, grey: raster.bytes().to_vec(), dpi };
    if let Some(scanner) = scanner {
        if scanner.one_bit && random.random_range(0..100) < DARKENED {
            print.grey.iter_mut().for_each(|grey| *grey = 255 - (255 - *grey).saturating_mul(DARKER));
        }
        // Training itself skews sheets together with their labels.
        print = scan::copied(&print, &Scanner { skew: 0.0, ..scanner }, seed);
    }
    let picture = SheetImage { pixels: &print.grey, width, height };
    let mut bytes: Vec<u8> = picture.network_input().iter().map(|ink| (ink * 255.0).round() as u8).collect();
    debug_assert_eq!(bytes.len(), WIDTH * HEIGHT);

    let cells = picture.scale() * dpi / 72.0 / fanlight_sheet::view_segmentation::CELL as f32;
    let mut classes = vec![sheet.elsewhere; COLUMNS * ROWS];
    for (class, [x1, y1, x2, y2]) in &sheet.regions {
        let bbox = frame.place_box(Rect { x1: *x1, y1: *y1, x2: *x2, y2: *y2 });
        let (left, right) = ((bbox.x1 * cells).max(0.0) as usize, (bbox.x2 * cells).max(0.0) as usize);
        let (top, bottom) = ((bbox.y1 * cells).max(0.0) as usize, (bbox.y2 * cells).max(0.0) as usize);
        for row in top..=bottom.min(ROWS - 1) {
            for column in left..=right.min(COLUMNS - 1) {
                classes[row * COLUMNS + column] = place(*class);
            }
        }
    }
    bytes.extend(classes);
    Ok((bytes, dpi))
}
