//! Record of results, not committed: reads `FILE PAGE OCR` lines.
use std::io::BufRead as _;
use std::time::Instant;

use fanlight_plugin::page::Readable as _;
use native::NativePage;

fn main() {
    let mut spent = (0.0, 0.0);
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("line");
        let parts: Vec<&str> = line.split_whitespace().collect();
        let [file, number, ocr] = parts[..] else { continue };
        println!("#### {file} {number} {ocr}");
        let bytes = std::fs::read(file).expect("file");
        let Ok(page) = NativePage::open(bytes, number.parse().expect("number")) else { continue };
        let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
        let started = Instant::now();
        let grids = fanlight_tables::find(&paths, &text, &geometry);
        spent.0 += started.elapsed().as_secs_f64();
        for grid in grids {
            println!("== {:?} {:?} {:?}", grid.frame, grid.bbox, grid.ruling);
            println!("{:?}\n{:?}", grid.columns, grid.rows);
            for cell in &grid.cells {
                println!("{cell:?}");
            }
            println!("above {:?}\nbelow {:?}", grid.above, grid.below);
            if let Some(table) = grid.table() {
                println!("{:?} {:?} {:?} {} {}", table.bbox, table.title, table.ruling, table.closed, table.filled);
                println!("{:?}\n{:?}", table.headers, table.rows);
            }
        }
        if ocr == "image" {
            let options = fanlight_plugin::page::upright(Some(geometry.crop_box), 100.0);
            let image = page.render(&options).map(|raster| fanlight_raster::GreyImage::from_raster(&raster));
            if let Some(image) = image {
                let (grids, skew) = fanlight_tables::find_in_image(&image, 100.0, &geometry);
                println!("-- image {skew}");
                for grid in grids {
                    println!("{:?} {:?} {:?}\n{:?}", grid.bbox, grid.columns, grid.rows, grid.cells);
                }
            }
        }
        let page = if ocr == "ocr" { page.with_ocr() } else { page };
        let started = Instant::now();
        let found = schedule_extractor::read(&page, &|_, _| {});
        spent.1 += started.elapsed().as_secs_f64();
        println!("{} {}", found.rasterized, serde_json::to_string(&found.schedules).expect("json"));
    }
    eprintln!("find {:.3} s, read {:.3} s", spent.0, spent.1);
}
