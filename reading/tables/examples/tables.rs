//! Prints the tables of a page, read natively: `tables FILE.pdf PAGE`.

use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: tables FILE.pdf PAGE")?;
    let number: u32 = arguments.next().map_or(Ok(1), |page| page.parse())?;
    let document = pdf_engine::Document::open(std::fs::read(path)?).map_err(|error| format!("{error:?}"))?;
    let page = document.page(number).map_err(|error| format!("{error:?}"))?;
    let started = Instant::now();
    let (paths, text) = (page.paths(), page.text());
    let read = started.elapsed();
    let started = Instant::now();
    let grids = fanlight_tables::find(&paths, &text, &page.geometry());
    println!("{} paths, {} ops; read {read:?}, found {:?}", paths.lengths.len(), paths.ops.len(), started.elapsed());
    for grid in &grids {
        println!("\n== {} x {}, {:?}", grid.width(), grid.height(), grid.bbox);
        let Some(table) = grid.table() else { continue };
        println!("{:?} {:?} {:?}\n{:?}", table.title, table.ruling, table.bbox, table.headers);
        for row in &table.rows {
            println!("{row:?}");
        }
        println!("groups {:?}", table.groups);
    }
    Ok(())
}
