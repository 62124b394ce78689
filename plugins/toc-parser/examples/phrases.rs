//! Shows how the layout reads a page: `phrases FILE.pdf PAGE`.

use std::error::Error;

use toc_parser::{Leaf, Manual};

#[path = "../tests/native/mod.rs"]
mod native;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: phrases FILE.pdf PAGE")?;
    let number = arguments.next().ok_or("usage: phrases FILE.pdf PAGE")?.parse()?;
    let leaf = native::NativeManual::open(std::fs::read(path)?)?.leaf(number)?;
    let page = fanlight_layout::Page::read(&leaf.text(), &leaf.geometry());
    for line in &page.lines {
        let phrases = line.phrases(1.0);
        let parts = phrases.iter().map(|phrase| {
            let leader = if phrase.after_leader { "…" } else { "" };
            format!("{leader}[{:.0}-{:.0} {}]", phrase.bbox.x1, phrase.bbox.x2, phrase.text())
        });
        println!("{:6.1} {}", line.baseline, parts.collect::<Vec<_>>().join(" "));
    }
    let paths = leaf.paths();
    println!(
        "{} paths, first coordinates {:?}, styles {:?}",
        paths.lengths.len(),
        paths.coordinates.chunks(4).take(40).collect::<Vec<_>>(),
        paths.styles
    );
    Ok(())
}
