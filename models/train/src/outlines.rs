//! Measures the outlines of plans that may be fixtures, for `outline_trees.py`.
//!
//! Each line of the input is a page: its file, its number, and points of paper per metre of the building, apart by tabs. Each line of
//! the output is an outline: the number of its page in the input, its box in user space, 1 if it is a part of a larger outline, and
//! its features.

use std::fs;
use std::io::{self, BufRead as _, BufWriter, Write as _};

use anyhow::{Context, Result, bail};
use fanlight_contract::Rect;
use fanlight_detection::symbols::Plan;
use native::{NativePage, Readable as _};

const INCHES_PER_METRE: f32 = 39.37;

fn main() -> Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    for (index, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        let [file, number, points_per_metre] = *line.split('\t').collect::<Vec<_>>() else {
            bail!("{line} is no page")
        };
        let bytes = fs::read(file).with_context(|| format!("cannot read {file}"))?;
        let page = NativePage::open(bytes, number.parse()?)?;
        let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
        let scale = points_per_metre.parse::<f32>()? / INCHES_PER_METRE;
        for outline in Plan::read(&paths, &text, &geometry).fixture_outlines(scale) {
            let Rect { x1, y1, x2, y2 } = outline.bbox;
            write!(output, "{index} {x1} {y1} {x2} {y2} {}", u8::from(outline.is_part))?;
            for feature in outline.features {
                write!(output, " {feature}")?;
            }
            writeln!(output)?;
        }
    }
    output.flush().context("cannot write")
}
