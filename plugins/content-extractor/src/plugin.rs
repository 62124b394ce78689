//! The model that the host runs. It reads pages in shards, and sections from the leaves of all of
//! them.

use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job, language, pdf};

use crate::{Extraction, Leaf, Parameters};

/// Reads the bodies of a project manual's sections.
pub struct ContentExtractor;

impl Model for ContentExtractor {
    type Parameters = Parameters;
    type Partial = Vec<Leaf>;
    type Outcome = Extraction;

    fn description() -> Description {
        Description {
            name: "content-extractor",
            version: fanlight_plugin::version!(),
            summary: "Reads the text and the requirements of a project manual's sections.",
            granularity: Granularity::Page,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Vec<Leaf>, Failure> {
        let document = pdf::Document::open()?;
        let total = request.pages.len();
        let mut leaves = Vec::with_capacity(total);
        for (index, &number) in request.pages.iter().enumerate() {
            job::progress(index as u32, total as u32, &format!("Reading page {} of {total}", index + 1));
            let page = document.page(number)?;
            let read = fanlight_raster::read_text(&page);
            leaves.push(Leaf::from_text(number, &read, &page.geometry()));
        }
        Ok(leaves)
    }

    fn conclude(request: &Request<Parameters>, partials: Vec<Vec<Leaf>>) -> Result<Extraction, Failure> {
        let leaves = partials.into_iter().flatten().collect();
        Ok(crate::extract_asking(&request.parameters, leaves, language::complete))
    }
}

fanlight_plugin::export_model!(ContentExtractor);
