//! Prints the lines and phrases of pages: `phrases FILE.pdf [PAGE]`.

use std::error::Error;

use eval::NativeManual;

use toc_parser::{Manual, ManualPage};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let manual = NativeManual::open(std::fs::read(arguments.next().ok_or("usage: phrases FILE.pdf [PAGE]")?)?)?;
    let pages = match arguments.next() {
        Some(page) => vec![page.parse()?],
        None => manual.first_pages(40),
    };
    for number in pages {
        println!("page {number}");
        let leaf = manual.page(number)?;
        for line in fanlight_text::Page::read(&leaf.text(), &leaf.geometry()).lines {
            let phrases = line.phrases(1.0);
            let parts = phrases.iter().map(|phrase| {
                let leader = if phrase.after_leader { "…" } else { "" };
                format!("{leader}[{:.0}-{:.0} {}]", phrase.bbox.x1, phrase.bbox.x2, phrase.text())
            });
            println!("{:6.1} {}", line.baseline, parts.collect::<Vec<_>>().join(" "));
        }
    }
    Ok(())
}
