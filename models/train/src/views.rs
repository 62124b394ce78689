//! Writes the boxes of sheets that `view-classifier` learns from: `NAME.bin`, for each candidate the ink of a square around it,
//! 160 by 160 bytes; `NAME.csv`, a line each, with the box, its place and the classes that it may have; and
//! `NAME.pages.csv`, the labelled views of each page.
//!
//! Pages are labelled ones (`--pages FILE`, a line of JSON each) or synthetic sheets. A share of them is scanned.

mod output;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use drafting::elevation::{self, RegionKind, Style};
use drafting::scan::{self, Print, Scanner};
use drafting::{plan, schedule};
use fanlight_contract::page::Readable as _;
use fanlight_contract::{Orientation, PixelFormat, Rect, RenderOptions};
use fanlight_geometry::{Frame, RectExt as _};
use fanlight_sheet::views::candidates::candidates;
use fanlight_sheet::views::image::{LENGTH, SheetImage};
use fanlight_sheet::views::network_input::{CLASSES, STORED, STORED_MARGIN, ViewClass, ink, place, square_around};
use fanlight_sheet::views::words::Titles;
use native::NativePage;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde::Deserialize;

/// Writes the boxes of sheets.
#[derive(Parser)]
struct Arguments {
    /// Writes OUT.bin, OUT.csv and OUT.pages.csv.
    #[arg(long)]
    out: PathBuf,
    /// A file of labelled pages: a line of JSON for each, with `pdf`, `page`, `id`, `office`, `complete` and `views`.
    #[arg(long)]
    pages: Option<PathBuf>,
    /// Number of synthetic sheets.
    #[arg(long, default_value_t = 0)]
    sheets: u64,
    /// The first synthetic sheet's seed.
    #[arg(long, default_value_t = 90_000)]
    seed: u64,
    /// Percentage of sheets that are scanned.
    #[arg(long, default_value_t = 0)]
    scans: u32,
}

/// A labelled page.
#[derive(Deserialize)]
struct LabelledPage {
    id: String,
    office: String,
    pdf: PathBuf,
    page: u32,
    /// Whether all views of the page are labelled.
    complete: bool,
    views: Vec<LabelledView>,
}

/// A labelled view of a page: the classes that it may have, none if it counts neither way, and its box in user space.
#[derive(Deserialize)]
struct LabelledView {
    classes: Vec<String>,
    bbox: [f32; 4],
}

/// Least intersection over union of a candidate with the view that it is taken for.
const IS_VIEW: f32 = 0.65;
/// Greatest intersection over union with a view of a candidate that is no view. What is between counts neither way.
const IS_NONE: f32 = 0.45;

/// Sets the chances of scanning apart from those of drawing.
const SCAN_SEED: u64 = 0x5ca9;

/// A rendered sheet with its labels.
struct Sheet {
    name: String,
    office: String,
    pixels: Vec<u8>,
    width: usize,
    height: usize,
    frame: Frame,
    /// The titles in the frame.
    titles: Titles,
    /// Boxes in pixels with the classes that they may have as bits; no bits if they count neither way.
    views: Vec<(u32, Rect)>,
    /// The classes of what is no labelled view.
    elsewhere: u32,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let create = |extension| output::create(&arguments.out, extension);
    let (mut pixels, mut lines, mut pages) = (create("bin")?, create("csv")?, create("pages.csv")?);
    writeln!(lines, "page,office,classes,overlap,below,above,inside,sheet,x1,y1,x2,y2,p0,p1,p2,p3,p4,p5,p6,p7")?;
    writeln!(pages, "page,office,view,classes,x1,y1,x2,y2,width,height")?;
    let mut write = |sheet: &Sheet| write_sheet(sheet, &mut pixels, &mut lines, &mut pages);
    if let Some(file) = &arguments.pages {
        for (line, seed) in std::fs::read_to_string(file)?.lines().zip(arguments.seed..) {
            let page: LabelledPage = serde_json::from_str(line)?;
            let sheet = labelled(&page).with_context(|| page.id.clone())?;
            write(&scanned_by_chance(sheet, arguments.scans, seed))?;
        }
    }
    for seed in arguments.seed..arguments.seed + arguments.sheets {
        write(&scanned_by_chance(synthetic(seed)?, arguments.scans, seed))?;
    }
    Ok(())
}

fn write_sheet(sheet: &Sheet, pixels: &mut impl Write, lines: &mut impl Write, pages: &mut impl Write) -> Result<()> {
    let Sheet { name, office, width, height, .. } = sheet;
    let image = SheetImage::new(&sheet.pixels, *width, *height).context("the sheet has no pixels")?;
    for (index, (classes, Rect { x1, y1, x2, y2 })) in sheet.views.iter().enumerate() {
        writeln!(pages, "{name},{office},{index},{classes},{x1},{y1},{x2},{y2},{width},{height}")?;
    }
    let (proposed, scale) = (candidates(&image), *width as f32 / sheet.frame.width);
    // Views that no candidate meets are learnt from as well.
    let missed = sheet.views.iter().filter(|(_, view)| proposed.iter().all(|bbox| bbox.iou(view) < IS_VIEW));
    for bbox in proposed.iter().copied().chain(missed.map(|(_, bbox)| *bbox)) {
        let best = sheet.views.iter().max_by(|a, b| a.1.iou(&bbox).total_cmp(&b.1.iou(&bbox)));
        let (overlap, own) = best.map_or((0.0, 0), |(classes, view)| (view.iou(&bbox), *classes));
        let classes = if overlap >= IS_VIEW {
            own
        } else if overlap >= IS_NONE {
            0
        } else {
            sheet.elsewhere
        };
        let values = ink(&image, square_around(bbox, STORED_MARGIN), STORED);
        pixels.write_all(&values.iter().map(|ink| (ink * 255.0).round() as u8).collect::<Vec<u8>>())?;
        let Rect { x1, y1, x2, y2 } = bbox;
        let place = place(&image, bbox).map(|value| format!("{value:.4}")).join(",");
        let framed = Rect { x1: x1 / scale, y1: y1 / scale, x2: x2 / scale, y2: y2 / scale };
        let named = sheet.titles.named_for(framed).sets().map(|set| set.bits().to_string()).join(",");
        writeln!(lines, "{name},{office},{classes},{overlap:.3},{named},{x1},{y1},{x2},{y2},{place}")?;
    }
    Ok(())
}

/// Returns classes as bits in the order of [`CLASSES`].
fn bits(classes: &[ViewClass]) -> u32 {
    CLASSES.iter().enumerate().filter(|(_, class)| classes.contains(class)).map(|(index, _)| 1 << index).sum()
}

fn labelled(page: &LabelledPage) -> Result<Sheet> {
    let bytes = std::fs::read(&page.pdf).with_context(|| format!("cannot read {}", page.pdf.display()))?;
    let Rendered { pixels, width, height, frame, titles } = rendered(bytes, page.page)?;
    let mut views = Vec::new();
    for LabelledView { classes, bbox: [x1, y1, x2, y2] } in &page.views {
        let named: Vec<ViewClass> =
            CLASSES.into_iter().filter(|class| classes.iter().any(|name| *name == format!("{class:?}"))).collect();
        views.push((bits(&named), in_pixels([*x1, *y1, *x2, *y2], &frame, width)));
    }
    let elsewhere = if page.complete { bits(&[ViewClass::None]) } else { 0 };
    Ok(Sheet {
        name: page.id.clone(),
        office: page.office.clone(),
        pixels,
        width,
        height,
        frame,
        titles,
        views,
        elsewhere,
    })
}

/// Returns a box of user space in pixels of a page's picture.
fn in_pixels([x1, y1, x2, y2]: [f32; 4], frame: &Frame, width: usize) -> Rect {
    let scale = width as f32 / frame.width;
    let framed = frame.place_box(Rect { x1: x1.min(x2), y1: y1.min(y2), x2: x1.max(x2), y2: y1.max(y2) });
    Rect { x1: framed.x1 * scale, y1: framed.y1 * scale, x2: framed.x2 * scale, y2: framed.y2 * scale }
}

/// A page as views are looked for.
struct Rendered {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
    frame: Frame,
    titles: Titles,
}

fn rendered(pdf: Vec<u8>, number: u32) -> Result<Rendered> {
    let page = NativePage::open(pdf, number)?.with_ocr();
    let geometry = page.geometry();
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    // The engine renders at 1 to 1200 pixels an inch.
    let dpi = (72.0 * LENGTH / (frame.width.max(frame.height) * geometry.user_unit)).clamp(1.0, 1200.0);
    let options = RenderOptions { dpi, region: None, format: PixelFormat::Grey, orientation: Orientation::Displayed };
    let raster = page.render(&options).context("the page cannot be rendered")?;
    Ok(Rendered {
        pixels: raster.bytes().to_vec(),
        width: raster.width as usize,
        height: raster.height as usize,
        titles: Titles::read(&page),
        frame,
    })
}

/// A synthetic sheet before it is rendered.
struct Drafted {
    pdf: Vec<u8>,
    /// Boxes in user space with the classes that they may have.
    boxes: Vec<(u32, [f32; 4])>,
    /// The classes of what is none of them.
    elsewhere: u32,
}

/// Generates a sheet: three of four show interior elevations among other things, the rest plans or schedules.
fn synthetic(seed: u64) -> Result<Sheet> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let not_interior: Vec<ViewClass> =
        CLASSES.into_iter().filter(|class| *class != ViewClass::InteriorElevation).collect();
    let kind = random.random_range(0..100);
    let Drafted { pdf, boxes, elsewhere } = if kind < 75 {
        let style = if kind < 55 { Style::furnished(seed) } else { Style::random(seed) };
        let drafted = elevation::generate(&style, seed);
        let others = drafted.truth.regions.iter().map(|region| (bits(classes(region.kind)), region.bbox));
        let own = drafted.truth.elevations.iter().map(|own| (bits(&[ViewClass::InteriorElevation]), own.bbox));
        Drafted { pdf: drafted.pdf, boxes: others.chain(own).collect(), elsewhere: bits(&[ViewClass::None]) }
    } else if kind < 90 {
        let drafted = plan::generate(&plan::Style::random(seed), seed);
        let boxes = drafted.truth.views.iter().map(|view| (bits(&[ViewClass::Plan]), view.bbox)).collect();
        Drafted { pdf: drafted.pdf, boxes, elsewhere: bits(&not_interior) }
    } else {
        let styles = schedule::styles();
        let drafted = schedule::generate(&styles[seed as usize % styles.len()].1, seed);
        let boxes = drafted.truth.tables.iter().map(|table| (bits(&[ViewClass::Schedule]), table.bbox)).collect();
        Drafted { pdf: drafted.pdf, boxes, elsewhere: bits(&not_interior) }
    };
    let Rendered { pixels, width, height, frame, titles } = rendered(pdf, 1)?;
    let views = boxes.into_iter().map(|(classes, bbox)| (classes, in_pixels(bbox, &frame, width))).collect();
    let name = format!("synthetic-{seed}");
    Ok(Sheet { office: name.clone(), name, pixels, width, height, frame, titles, views, elsewhere })
}

/// Scans a sheet with this percentage as its chance.
fn scanned_by_chance(sheet: Sheet, percentage: u32, seed: u64) -> Sheet {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ SCAN_SEED);
    if random.random_range(0..100) >= percentage {
        return sheet;
    }
    let (_, scanner) = Scanner::ALL[random.random_range(0..Scanner::ALL.len())];
    let Sheet { width, height, .. } = sheet;
    let print = Print { width, height, grey: sheet.pixels, dpi: 72.0 * width as f32 / sheet.frame.width };
    // A sheet that is skewed would leave its labels behind; black and white at this resolution would lose all lines.
    let pixels = scan::copied(&print, &Scanner { skew: 0.0, one_bit: false, ..scanner }, seed).grey;
    Sheet { pixels, ..sheet }
}

/// Returns the classes that a region may have.
fn classes(kind: RegionKind) -> &'static [ViewClass] {
    match kind {
        RegionKind::Plan => &[ViewClass::Plan],
        RegionKind::ExteriorElevation => &[ViewClass::ExteriorElevation],
        RegionKind::Section => &[ViewClass::Section],
        RegionKind::Detail => &[ViewClass::Detail],
        RegionKind::OpeningTypes => &[ViewClass::OpeningTypes],
        RegionKind::Title => &[ViewClass::None],
        RegionKind::Notes => &[ViewClass::Notes, ViewClass::Legend],
        RegionKind::Table => &[ViewClass::Schedule, ViewClass::Legend, ViewClass::TitleBlock],
    }
}
