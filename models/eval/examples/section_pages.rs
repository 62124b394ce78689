//! Reads sections of a PDF without a host and prints them: `section_pages FILE.pdf CODE[,CODE...] [text]`, or the lines of its pages:
//! `section_pages FILE.pdf leaves`.

use std::error::Error;

use content_extractor::{Parameters, Provider, Wanted};
use eval::{extract_sections, read_leaves};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, codes, rest @ ..] = arguments.as_slice() else {
        return Err("usage: section_pages FILE.pdf CODES [text]".into());
    };
    if codes == "leaves" {
        println!("{}", serde_json::to_string_pretty(&read_leaves(std::fs::read(path)?)?)?);
        return Ok(());
    }
    let wanted = |code: &str| Wanted { section_code: code.to_owned(), ..Wanted::default() };
    let parameters = Parameters {
        source_job_id: None,
        sections: codes.split(',').map(wanted).collect(),
        provider: Provider::default(),
    };
    let found = extract_sections(std::fs::read(path)?, &parameters)?;
    if rest.is_empty() {
        println!("{}", serde_json::to_string_pretty(&found)?);
    } else {
        found.sections.iter().for_each(|section| println!("{}\n", section.text));
    }
    Ok(())
}
