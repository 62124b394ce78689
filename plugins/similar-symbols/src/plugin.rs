//! The model that the host runs: compares the lines of pages with those of a box.

use fanlight_contract::PageError;
use fanlight_detection::repeats::{DrawnLines, Repeat, Symbol};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, hundredth, identifier, job, pdf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::result::{Parameters, Problem, Sheet, SimilarSymbol, Symbols};
use crate::search::symbol_in;

/// Finds the places that are drawn like a box.
pub struct SimilarSymbols;

/// What a run of pages gives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Partial {
    /// The places, in page order.
    symbols: Vec<SimilarSymbol>,
    /// Why nothing could be searched for.
    problem: Option<Problem>,
}

impl Model for SimilarSymbols {
    type Parameters = Parameters;
    type Partial = Partial;
    type Outcome = Symbols;

    fn description() -> Description {
        Description {
            name: "similar-symbols",
            version: fanlight_plugin::version!(),
            summary: "Finds every place of drawing sheets that is drawn like a given box, also turned and mirrored.",
            granularity: Granularity::Page,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Partial, Failure> {
        let document = pdf::Document::open()?;
        let symbol = match given_symbol(&document, &request.parameters)? {
            Ok(symbol) => symbol,
            Err(problem) => return Ok(Partial { symbols: Vec::new(), problem: Some(problem) }),
        };
        let total = request.pages.len() as u32;
        let mut symbols = Vec::new();
        for (done, &number) in (0..).zip(&request.pages) {
            job::progress(done, total, &format!("Searching page {number}"));
            let page = document.page(number)?;
            let found = DrawnLines::read(&page.paths(), &page.geometry()).copies(&symbol);
            symbols.extend(found.iter().map(|own| item(own, number, &request.document_sha256)));
        }
        Ok(Partial { symbols, problem: None })
    }

    fn conclude(request: &Request<Parameters>, partials: Vec<Partial>) -> Result<Symbols, Failure> {
        let problem = partials.iter().find_map(|partial| partial.problem);
        let symbols: Vec<SimilarSymbol> = partials.into_iter().flat_map(|partial| partial.symbols).collect();
        let on_one_page = symbols.chunk_by(|a, b| a.page == b.page);
        let sheets = on_one_page.filter_map(|own| Some(Sheet { page: own.first()?.page, count: own.len() }));
        Ok(Symbols {
            sheets: sheets.collect(),
            symbols_found: symbols.len(),
            symbols,
            pages_analyzed: request.pages.len(),
            problem,
        })
    }
}

/// Returns the symbol that the parameters name, or why there is none.
fn given_symbol(document: &pdf::Document, parameters: &Parameters) -> Result<Result<Symbol, Problem>, Failure> {
    let page = match document.page(parameters.page) {
        Ok(page) => page,
        Err(PageError::OutOfRange) => return Ok(Err(Problem::PageMissing)),
        Err(error) => return Err(error.into()),
    };
    let geometry = page.geometry();
    let lines = DrawnLines::read(&page.paths(), &geometry);
    Ok(symbol_in(&lines, geometry.crop_box, parameters.bbox))
}

/// Returns what clients read of a place.
fn item(repeat: &Repeat, page: u32, document_sha256: &str) -> SimilarSymbol {
    SimilarSymbol {
        id: identifier("sym", document_sha256, page, repeat.bbox),
        page,
        bbox: repeat.bbox.into(),
        turn: hundredth(repeat.turn) % 360.0,
        mirrored: repeat.mirrored,
        score: hundredth(repeat.score),
    }
}

fanlight_plugin::export_model!(SimilarSymbols);

#[cfg(test)]
mod tests {
    use fanlight_plugin::BoundingBox;

    use super::*;

    fn request(pages: Vec<u32>) -> Request<Parameters> {
        let bbox = BoundingBox { x1: 0.0, y1: 0.0, x2: 20.0, y2: 20.0 };
        Request { parameters: Parameters { page: 1, bbox }, pages, document_sha256: "9f86d081".to_owned() }
    }

    fn on_page(page: u32) -> SimilarSymbol {
        let bbox = BoundingBox { x1: 0.0, y1: 0.0, x2: 20.0, y2: 20.0 };
        SimilarSymbol { id: format!("sym_{page}"), page, bbox, turn: 0.0, mirrored: false, score: 1.0 }
    }

    #[test]
    fn each_page_with_symbols_is_counted() -> Result<(), Failure> {
        let first = Partial { symbols: vec![on_page(1), on_page(1)], problem: None };
        let last = Partial { symbols: vec![on_page(5)], problem: None };
        let outcome = SimilarSymbols::conclude(&request(vec![1, 2, 5]), vec![first, Partial::default(), last])?;
        assert_eq!(outcome.sheets, [Sheet { page: 1, count: 2 }, Sheet { page: 5, count: 1 }]);
        assert_eq!((outcome.symbols_found, outcome.pages_analyzed, outcome.problem), (3, 3, None));
        Ok(())
    }

    #[test]
    fn a_problem_of_one_run_is_told() -> Result<(), Failure> {
        let partial = Partial { symbols: Vec::new(), problem: Some(Problem::NoDrawing) };
        let outcome = SimilarSymbols::conclude(&request(vec![1]), vec![partial.clone(), partial])?;
        assert_eq!((outcome.problem, outcome.symbols.len()), (Some(Problem::NoDrawing), 0));
        Ok(())
    }
}
