//! Reads sections of a PDF natively and prints them: `read FILE.pdf CODE[,CODE...] [text]`, or the lines of its pages:
//! `read FILE.pdf leaves`.

use std::error::Error;

use content_extractor::{Parameters, Provider, Wanted};

#[path = "../tests/native/mod.rs"]
mod native;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, codes, rest @ ..] = arguments.as_slice() else { return Err("usage: read FILE.pdf CODES [text]".into()) };
    if codes == "leaves" {
        println!("{}", serde_json::to_string_pretty(&native::leaves(std::fs::read(path)?)?)?);
        return Ok(());
    }
    let wanted = |code: &str| Wanted { section_code: code.to_owned(), ..Wanted::default() };
    let parameters = Parameters {
        source_job_id: None,
        sections: codes.split(',').map(wanted).collect(),
        provider: Provider::default(),
    };
    let found = native::extract(std::fs::read(path)?, &parameters)?;
    if rest.is_empty() {
        println!("{}", serde_json::to_string_pretty(&found)?);
    } else {
        found.sections.iter().for_each(|section| println!("{}\n", section.text));
    }
    Ok(())
}
