//! Scores page spans and requirements against the labels of a corpus: `sections CORPUS LABEL...`.
//!
//! `LABEL` is the name of a file in the corpus's `labels/`. A result is right if it is on the
//! labelled page and holds the labelled words, apart from case, quotes, dashes and white space. All
//! references and manufacturers in the result must be labelled, except organisations without a
//! number.

use std::error::Error;
use std::path::Path;

use content_extractor::{Extraction, Parameters, Provider, Requirement, Wanted};
use eval::extract_sections;
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let corpus = arguments.next().ok_or("usage: sections CORPUS LABEL...")?;
    let corpus = Path::new(&corpus);
    for name in arguments {
        let label: Value = serde_json::from_slice(&std::fs::read(corpus.join("labels").join(format!("{name}.json")))?)?;
        let file = label["pdf"].as_str().ok_or("the label names no PDF")?;
        let pdf = std::fs::read(corpus.join("pdf").join(file))?;
        let bodies = ["body_sections", "sections"].iter().find_map(|key| label[*key].as_array()).ok_or("no bodies")?;
        let wanted = bodies.iter().map(|section| Wanted {
            section_code: text(section, "section_code").to_owned(),
            section_title: text(section, "section_title").to_owned(),
            division_code: String::new(),
        });
        let parameters = Parameters { source_job_id: None, sections: wanted.collect(), provider: Provider::default() };
        let found = extract_sections(pdf, &parameters)?;
        println!("{name}");
        score_pages(bodies, &found);
        for requirements in label["requirements"].as_array().into_iter().flatten() {
            score_requirements(requirements, &found);
        }
    }
    Ok(())
}

fn score_pages(bodies: &[Value], found: &Extraction) {
    let mut right = 0;
    for (body, section) in bodies.iter().zip(&found.sections) {
        let wanted = (body["start_page"].as_u64(), body["end_page"].as_u64());
        let span = (section.page_start.map(u64::from), section.page_end.map(u64::from));
        if wanted == span {
            right += 1;
        } else {
            println!("  {} on {span:?}, labelled {wanted:?}", section.section_code);
        }
    }
    println!("  pages: {right} of {} right", bodies.len());
}

fn score_requirements(label: &Value, found: &Extraction) {
    let code = text(label, "section_code");
    let Some(section) = found.sections.iter().find(|section| section.section_code == code) else { return };
    let arrays = &section.requirements;
    let kinds: [(&str, &[Requirement], bool); 5] = [
        ("submittals", &arrays.submittals, false),
        ("standards", &arrays.references, true),
        ("manufacturers", &arrays.manufacturers, true),
        ("warranties", &arrays.warranties, false),
        ("testing", &arrays.testing, false),
    ];
    for (kind, items, exact) in kinds {
        let labels = label[kind].as_array().map(Vec::as_slice).unwrap_or_default();
        if !label[kind].is_array() {
            continue;
        }
        let missing: Vec<&Value> = labels.iter().filter(|label| !items.iter().any(|item| fits(item, label))).collect();
        let extra: Vec<&Requirement> =
            items.iter().filter(|item| exact && !labels.iter().any(|label| fits(item, label))).collect();
        let recall = 1.0 - missing.len() as f64 / labels.len().max(1) as f64;
        let precision = 1.0 - extra.len() as f64 / items.len().max(1) as f64;
        println!(
            "  {code} {kind}: recall {recall:.3} of {}, precision {precision:.3} of {}",
            labels.len(),
            items.len()
        );
        for label in missing {
            println!("    - {label}");
        }
        for item in extra {
            println!("    + {} {:?} ({})", item.page, item.text, item.article);
        }
    }
}

fn fits(item: &Requirement, label: &Value) -> bool {
    let words = fold(&item.text);
    let printed = ["text", "as_printed", "standard"].iter().map(|key| fold(text(label, key)));
    let same_page = label["page"].as_u64() == Some(u64::from(item.page));
    same_page && printed.filter(|text| !text.is_empty()).any(|text| words.contains(&text))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Returns only the upper-case letters and figures.
fn fold(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect()
}
