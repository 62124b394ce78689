//! Measures `door-detector` as users run it: on a sheet as dense as real drawings, and on sets of sheets.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use drafting::plan::{generate, styles};
use lopdf::{Document, Object, ObjectId, Stream, dictionary};

use crate::report::Report;
use crate::runs::{Run, timed, typical};
use crate::sets::{repeated, save};
use crate::sheet;

/// Path segments of a dense sheet of 48 by 36 in.
const SEGMENTS: usize = 310_000;
/// Maximum seconds for the doors of the dense sheet.
const SECONDS: f64 = 3.0;
/// Maximum share of that time for host and sandbox: what an empty page takes.
const HOST_SHARE: f64 = 0.1;
/// Maximum megabytes of memory.
const MEGABYTES: f64 = 700.0;
/// The style preset of the plan.
const STYLE: &str = "renovation";
/// Sheets in each set.
const SETS: [usize; 3] = [1, 10, 100];
/// Maximum ratio of the cost of a sheet in the longest set to one in the set before it.
const GROWTH: f64 = 1.25;

/// Measures the model on dense sheets and on sets.
pub(crate) fn measure(release: &Path, folder: &Path, rounds: usize, report: &mut Report) -> Result<()> {
    let fanlight = release.join(format!("fanlight{}", std::env::consts::EXE_SUFFIX));
    let doors = |pdf: &Path| timed(Command::new(&fanlight).args(["run", "door-detector"]).arg(pdf));
    let plan = plan()?;
    heavy_sheets(&doors, &plan, folder, rounds, report)?;
    sets(&doors, &plan, folder, rounds, report)
}

/// A synthetic floor plan.
fn plan() -> Result<Document> {
    let (_, style) = styles().into_iter().find(|(name, _)| *name == STYLE).context("no such style")?;
    Ok(Document::load_mem(&generate(&style, 1).pdf)?)
}

fn heavy_sheets(
    doors: &impl Fn(&Path) -> Result<Run>,
    plan: &Document,
    folder: &Path,
    rounds: usize,
    report: &mut Report,
) -> Result<()> {
    let empty = sheet::write(folder, "empty 48x36 in sheet", sheet::ARCH_E, 0)?;
    let host = typical(rounds, || doors(&empty.path))?.seconds;
    report.note("doors of an empty sheet", format!("{host:.2} s"));

    let strokes = sheet::write(folder, "heavy 48x36 in sheet", sheet::ARCH_E, SEGMENTS)?;
    for (what, path) in [("strokes", strokes.path), ("plans", crowded(plan, folder)?)] {
        let Run { seconds, megabytes } = typical(rounds, || doors(&path))?;
        report.below(format!("doors of a sheet of {SEGMENTS} segments, {what}"), seconds, SECONDS, "s");
        report.below("  its memory", megabytes, MEGABYTES, "MB");
        report.below("  an empty sheet / it", host / seconds, HOST_SHARE, "x");
    }
    Ok(())
}

fn sets(
    doors: &impl Fn(&Path) -> Result<Run>,
    plan: &Document,
    folder: &Path,
    rounds: usize,
    report: &mut Report,
) -> Result<()> {
    let mut a_sheet = Vec::new();
    for sheets in SETS {
        let path = repeated(plan, sheets, folder.join(format!("set-of-{sheets}.pdf")))?;
        let Run { seconds, megabytes } = typical(rounds, || doors(&path))?;
        report.note(format!("doors of a set of {sheets}"), format!("{seconds:.2} s"));
        report.below("  its memory", megabytes, MEGABYTES, "MB");
        a_sheet.push(seconds / sheets as f64);
    }
    if let [.., before, longest] = a_sheet.as_slice() {
        report.below("a sheet of the longest set / one of the set before", longest / before, GROWTH, "x");
    }
    Ok(())
}

/// Returns the only page of a synthetic plan.
fn page_of(plan: &Document) -> Result<ObjectId> {
    plan.get_pages().into_values().next().context("the plan has no page")
}

/// Returns a sheet of 48 by 36 in with the plan four times. Tiles under the lower two bring it to [`SEGMENTS`].
fn crowded(plan: &Document, folder: &Path) -> Result<PathBuf> {
    let mut sheet = plan.clone();
    let page = page_of(&sheet)?;
    let content = sheet.get_page_content(page);
    let dictionary = sheet.get_dictionary(page)?;
    let own_size = media_box(&sheet, page)?;
    let resources = dictionary.get(b"Resources")?.clone();
    let (width, height) = sheet::ARCH_E;
    let scale = (width / (2.0 * own_size.0)).min(height / (2.0 * own_size.1));
    let drawn = 4 * segments(&content)?;
    let mut crowd = tiles((width, height / 2.0), SEGMENTS.saturating_sub(drawn)).into_bytes();
    for (column, row) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let (x, y) = (column * width / 2.0, row * height / 2.0);
        crowd.extend(format!("q {scale} 0 0 {scale} {x} {y} cm\n").into_bytes());
        crowd.extend(&content);
        crowd.extend(b"\nQ\n");
    }
    let mut stream = Stream::new(dictionary! {}, crowd);
    stream.compress()?;
    let contents = sheet.add_object(stream);
    let page = sheet.get_dictionary_mut(page)?;
    page.set("Contents", contents);
    page.set("Resources", resources);
    page.set("Rotate", 0);
    page.set("MediaBox", vec![0.into(), 0.into(), Object::Real(width), Object::Real(height)]);
    page.remove(b"CropBox");
    save(sheet, folder.join("crowded.pdf"))
}

/// Draws about this many lines around square tiles, each side a separate line, from a sheet's lower left corner on.
fn tiles((width, height): (f32, f32), lines: usize) -> String {
    let side = (2.0 * width * height / lines as f32).sqrt();
    let (columns, rows) = ((width / side) as usize, (height / side) as usize);
    let mut drawn = "q 0.6 G 0.12 w\n".to_owned();
    for (column, row) in (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))) {
        let (x, y) = (column as f32 * side, row as f32 * side);
        let (right, top) = (x + side, y + side);
        let _ = writeln!(drawn, "{x:.2} {top:.2} m {x:.2} {y:.2} l S {x:.2} {y:.2} m {right:.2} {y:.2} l S");
    }
    drawn.push_str("Q\n");
    drawn
}

/// Returns width and height of a page in points.
fn media_box(document: &Document, page: ObjectId) -> Result<(f32, f32)> {
    let corners = document.get_dictionary(page)?.get(b"MediaBox")?.as_array()?;
    let corners: Vec<f32> = corners.iter().filter_map(|corner| corner.as_float().ok()).collect();
    let [left, bottom, right, top] = corners[..] else { anyhow::bail!("a media box of {} numbers", corners.len()) };
    Ok((right - left, top - bottom))
}

/// Counts the lines, curves and sides of boxes that a page's content draws.
fn segments(content: &[u8]) -> Result<usize> {
    let content = lopdf::content::Content::decode(content)?;
    let drawn = content.operations.iter().map(|operation| match operation.operator.as_str() {
        "l" | "c" | "v" | "y" => 1,
        "re" => 4,
        _ => 0,
    });
    let drawn: usize = drawn.sum();
    ensure!(drawn > 0, "the plan draws nothing");
    Ok(drawn)
}
