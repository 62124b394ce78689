//! Draws the picture of the README: a schedule of a synthetic sheet, and the JSON that is read from
//! it. `cargo run --release -p schedule-extractor --example picture > docs/schedule.svg`.

use std::error::Error;
use std::fmt::Write as _;

use drafting::schedule::{Style, generate};
use fanlight_contract::{PagePaths, Rect, TextRun};
use native::{NativePage, Readable as _};
use schedule_extractor::{Row, Schedule};

/// White space around the table and between the two halves, in points.
const MARGIN: f32 = 14.0;
/// Width of the JSON, size of its letters and distance of its lines, in points.
const JSON: (f32, f32, f32) = (230.0, 7.2, 9.6);
/// The number of rows in the JSON.
const ROWS: usize = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let style = Style { tables: 1, rows: 9, content: 1, ..Style::default() };
    let sheet = NativePage::open(generate(&style, 4).pdf, 1)?;
    let mut schedule =
        schedule_extractor::read(1, &sheet, &|_, _| {}).schedules.into_iter().next().ok_or("no schedule was read")?;
    let count = schedule.rows.len();
    schedule.rows.truncate(ROWS);
    let [x1, y1, x2, y2] = schedule.bounding_box.map(|value| value as f32);
    let table = Rect { x1, y1, x2, y2 };
    let lines = lines(&schedule, count)?;

    let tall = (y2 - y1).max(lines.len() as f32 * JSON.2) + 2.0 * MARGIN;
    let wide = x2 - x1 + 3.0 * MARGIN + JSON.0;
    println!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide:.0} {tall:.0}\">");
    println!("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
    println!("<path d=\"{}\" fill=\"none\" stroke=\"black\" stroke-width=\"0.5\"/>", rules(&sheet.paths(), table));
    for run in sheet.text().runs.iter().filter(|run| within(table, run.x, run.y)) {
        println!("{}", text(run, table));
    }
    let left = x2 - x1 + 2.0 * MARGIN;
    println!("<g font-family=\"monospace\" font-size=\"{}\" fill=\"#24476b\" xml:space=\"preserve\">", JSON.1);
    for (number, line) in lines.iter().enumerate() {
        let y = MARGIN + JSON.2 * (number as f32 + 0.8);
        println!("<text x=\"{left:.1}\" y=\"{y:.1}\">{}</text>", escaped(line));
    }
    println!("</g>\n</svg>");
    Ok(())
}

/// Returns the schedule as lines of JSON, shortened to what the picture has room for.
fn lines(schedule: &Schedule, count: usize) -> Result<Vec<String>, serde_json::Error> {
    let mut lines = vec!["{".to_owned()];
    lines.push(format!("  \"schedule_type\": {},", serde_json::to_string(&schedule.schedule_type)?));
    lines.push(format!("  \"title\": {},", serde_json::to_string(&schedule.title)?));
    lines.push(format!("  \"confidence\": {},", schedule.confidence));
    lines.push(format!("  \"bounding_box\": {},", serde_json::to_string(&schedule.bounding_box)?));
    lines.push("  \"rows\": [".to_owned());
    for Row(cells) in &schedule.rows {
        lines.push("    {".to_owned());
        for (head, cell) in cells {
            lines.push(format!("      {}: {},", serde_json::to_string(head)?, serde_json::to_string(cell)?));
        }
        if let Some(last) = lines.last_mut() {
            last.pop();
        }
        lines.push("    },".to_owned());
    }
    lines.push(format!("    … {} more", count - schedule.rows.len()));
    lines.push("  ]".to_owned());
    lines.push("}".to_owned());
    Ok(lines)
}

fn within(table: Rect, x: f32, y: f32) -> bool {
    x >= table.x1 - 1.0 && x <= table.x2 + 1.0 && y >= table.y1 - 1.0 && y <= table.y2 + 1.0
}

/// Converts a point of the page to the picture.
fn place(table: Rect, x: f32, y: f32) -> (f32, f32) {
    (x - table.x1 + MARGIN, table.y2 - y + MARGIN)
}

/// Returns the straight strokes of a table as SVG.
fn rules(paths: &PagePaths, table: Rect) -> String {
    let mut outline = String::new();
    let mut points = paths.coordinates.chunks_exact(2).map(|point| (point[0], point[1]));
    for &op in &paths.ops {
        let count = [1, 1, 3].get(usize::from(op)).copied().unwrap_or(0);
        if let Some((x, y)) = points.by_ref().take(count).last()
            && within(table, x, y)
        {
            let (px, py) = place(table, x, y);
            let _ = write!(outline, "{}{px:.1} {py:.1}", if op == 0 { "M" } else { "L" });
        }
    }
    outline
}

fn text(run: &TextRun, table: Rect) -> String {
    let (x, y) = place(table, run.x, run.y);
    let wide = run.bbox.x2 - run.bbox.x1;
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{:.1}\" \
         textLength=\"{wide:.1}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>",
        run.size,
        escaped(&run.text)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
