//! Writes the seeds of all targets into folders of their names, which libFuzzer starts from:
//!
//! ```sh
//! cargo run --release -p fanlight-fuzz --example write-seeds -- fuzz/corpus
//! ```

use std::fs;
use std::io::{Error, Result};
use std::path::PathBuf;

use fanlight_fuzz::seeds;

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| Error::other("name a folder"))?;
    let all = [
        ("document", seeds::documents()),
        ("annotations", seeds::documents()),
        ("package", seeds::packages()?),
        ("manifest", seeds::manifests()),
        ("component", seeds::components()),
        ("interfaces", seeds::edits()),
        ("schema", seeds::schemas()),
        ("parameters", seeds::parameters()),
        ("ocr", seeds::pictures()),
    ];
    for (target, seeds) in all {
        let corpus = folder.join(target);
        fs::create_dir_all(&corpus)?;
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(corpus.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
