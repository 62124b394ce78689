//! The trait for models that read one page at a time.

use fanlight_contract::Rect;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::model::{Description, Failure, Granularity, Model, Request};
use crate::{identifier, job, pdf};

/// A model that lists what it finds on each page, one page at a time.
///
/// An author gives the parameters, the item and [`PageModel::analyze_page`]. Every `PageModel` is a [`Model`], which
/// supplies the rest:
///
/// - the schemas of parameters, partial result and result;
/// - shards: the host analyzes runs of pages in parallel ([`Granularity::Page`]);
/// - progress, reported before each page;
/// - the partial result of a shard, which is the list of its items in page order;
/// - the join of all shards into [`PageItems`], and from that the result.
///
/// One value of the type is made for each shard. What the pages of a shard share is a field of it, such as a network
/// that is loaded when a page first needs it.
///
/// ```
/// use fanlight_plugin::{BoundingBox, Failure, JobPage, NoParameters, PageItems, PageModel};
///
/// /// Finds the exit signs of floor plans by their lettering.
/// #[derive(Default)]
/// struct ExitSignDetector;
///
/// #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// struct ExitSign {
///     id: String,
///     page: u32,
///     bbox: BoundingBox,
/// }
///
/// impl PageModel for ExitSignDetector {
///     type Parameters = NoParameters;
///     type Item = ExitSign;
///     type Outcome = PageItems<ExitSign>;
///
///     const NAME: &'static str = "exit-sign-detector";
///     const VERSION: &'static str = "0.1.0";
///     const SUMMARY: &'static str = "Finds the exit signs of floor plans.";
///
///     fn analyze_page(&self, page: &JobPage<'_>, _: &NoParameters) -> Result<Vec<ExitSign>, Failure> {
///         let text = page.content.text();
///         let signs = text.runs.iter().filter(|run| run.text.trim() == "EXIT");
///         let items = signs.map(|run| ExitSign {
///             id: page.identifier("exit", run.bbox),
///             page: page.number,
///             bbox: run.bbox.into(),
///         });
///         Ok(items.collect())
///     }
/// }
///
/// fanlight_plugin::export_model!(ExitSignDetector);
/// # fn main() {}
/// ```
pub trait PageModel: Default {
    /// The model's own part of a submission; [`NoParameters`] if it has none.
    type Parameters: DeserializeOwned + JsonSchema;
    /// What is found on a page.
    type Item: Serialize + DeserializeOwned + JsonSchema;
    /// The result: what is stored, and after [`PageModel::present`] what clients read.
    ///
    /// [`PageItems`] does where clients need no other names for its fields. Must serialize as an object.
    type Outcome: From<PageItems<Self::Item>> + Serialize + DeserializeOwned + JsonSchema;

    /// As [`Description::name`].
    const NAME: &'static str;
    /// As [`Description::version`].
    const VERSION: &'static str;
    /// As [`Description::summary`].
    const SUMMARY: &'static str;
    /// As [`Description::max_pages`].
    const MAX_PAGES: Option<u32> = None;
    /// As [`Model::PRESENTS`].
    const PRESENTS: bool = false;

    /// Returns what is found on one page, in the order in which clients read it.
    ///
    /// # Errors
    ///
    /// A [`Failure`] fails the whole job. A page that holds nothing is an empty list.
    fn analyze_page(&self, page: &JobPage<'_>, parameters: &Self::Parameters) -> Result<Vec<Self::Item>, Failure>;

    /// Returns the message that clients read while page `number` (1-based) is analyzed, after `done` of the shard's
    /// `total` pages. It must hold no text of the document.
    ///
    /// ```
    /// # use fanlight_plugin::{Failure, JobPage, NoParameters, PageItems, PageModel};
    /// # #[derive(Default)]
    /// # struct Doors;
    /// # impl PageModel for Doors {
    /// #     type Parameters = NoParameters;
    /// #     type Item = u32;
    /// #     type Outcome = PageItems<u32>;
    /// #     const NAME: &'static str = "doors";
    /// #     const VERSION: &'static str = "0.1.0";
    /// #     const SUMMARY: &'static str = "Detects doors.";
    /// #     fn analyze_page(&self, _: &JobPage<'_>, _: &NoParameters) -> Result<Vec<u32>, Failure> {
    /// #         Ok(vec![])
    /// #     }
    /// // In the `impl PageModel for Doors`:
    /// fn progress_message(number: u32, done: u32, total: u32) -> String {
    ///     format!("Looking for doors on page {number}, {} of {total}", done + 1)
    /// }
    /// # }
    /// assert_eq!(Doors::progress_message(7, 2, 5), "Looking for doors on page 7, 3 of 5");
    /// ```
    fn progress_message(number: u32, _done: u32, _total: u32) -> String {
        format!("Analyzing page {number}")
    }

    /// As [`Model::present`], whose example shows one.
    ///
    /// # Errors
    ///
    /// A [`Failure`] if the stored result cannot be shown.
    fn present(stored: Self::Outcome) -> Result<Self::Outcome, Failure> {
        Ok(stored)
    }
}

/// One page of a job, as [`PageModel::analyze_page`] is given it.
///
/// ```no_run
/// use fanlight_plugin::{BoundingBox, JobPage};
///
/// /// Returns id and box of each image of a page.
/// fn images(page: &JobPage<'_>) -> Vec<(String, BoundingBox)> {
///     eprintln!("page {}", page.number);
///     let images = page.content.images();
///     images.iter().map(|image| (page.identifier("image", image.bbox), image.bbox.into())).collect()
/// }
/// ```
#[derive(Debug)]
pub struct JobPage<'a> {
    /// The page's number, 1-based.
    pub number: u32,
    /// The page itself: geometry, text, paths, images and rasters.
    pub content: pdf::Page,
    document_sha256: &'a str,
}

impl JobPage<'_> {
    /// Returns the stable identifier of an item of this page: [`crate::identifier`] with `bbox` in points of user space.
    pub fn identifier(&self, prefix: &str, bbox: Rect) -> String {
        identifier(prefix, self.document_sha256, self.number, bbox)
    }
}

/// The items of all pages of a job: the result of a [`PageModel`], or what its result is made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PageItems<I> {
    /// In page order.
    pub items: Vec<I>,
    /// Number of `items`.
    pub items_found: usize,
    /// Number of pages that were analyzed.
    pub pages_analyzed: usize,
}

/// The parameters of a model that has none: a JSON object without members.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Parameters", description = "None: the document and its pages are all that it takes.")]
pub struct NoParameters {}

impl<M: PageModel> Model for M {
    type Parameters = M::Parameters;
    type Partial = Vec<M::Item>;
    type Outcome = M::Outcome;

    const PRESENTS: bool = M::PRESENTS;

    fn description() -> Description {
        Description {
            name: M::NAME,
            version: M::VERSION,
            summary: M::SUMMARY,
            granularity: Granularity::Page,
            max_pages: M::MAX_PAGES,
        }
    }

    fn analyze(request: &Request<M::Parameters>) -> Result<Vec<M::Item>, Failure> {
        let document = pdf::Document::open()?;
        let model = M::default();
        let total = request.pages.len() as u32;
        let mut items = Vec::new();
        for (done, &number) in (0..).zip(&request.pages) {
            job::progress(done, total, &M::progress_message(number, done, total));
            let content = document.page(number)?;
            let page = JobPage { number, content, document_sha256: &request.document_sha256 };
            items.extend(model.analyze_page(&page, &request.parameters)?);
        }
        Ok(items)
    }

    fn conclude(request: &Request<M::Parameters>, partials: Vec<Vec<M::Item>>) -> Result<M::Outcome, Failure> {
        let items: Vec<M::Item> = partials.into_iter().flatten().collect();
        Ok(PageItems { items_found: items.len(), items, pages_analyzed: request.pages.len() }.into())
    }

    fn present(stored: M::Outcome) -> Result<M::Outcome, Failure> {
        <M as PageModel>::present(stored)
    }
}

#[cfg(test)]
mod tests {
    use schemars::schema_for;

    use super::*;

    #[derive(Default)]
    struct Counter;

    impl PageModel for Counter {
        type Parameters = NoParameters;
        type Item = u32;
        type Outcome = PageItems<u32>;

        const NAME: &'static str = "counter";
        const VERSION: &'static str = "1.0.0";
        const SUMMARY: &'static str = "Lists page numbers.";

        fn analyze_page(&self, page: &JobPage<'_>, _: &NoParameters) -> Result<Vec<u32>, Failure> {
            Ok(vec![page.number])
        }
    }

    #[test]
    fn shards_are_joined_in_page_order() {
        let request =
            Request { parameters: NoParameters {}, pages: vec![1, 2, 5], document_sha256: "9f86d081".to_owned() };
        let outcome = Counter::conclude(&request, vec![vec![1, 2], vec![], vec![5]]).unwrap();
        assert_eq!(outcome, PageItems { items: vec![1, 2, 5], items_found: 3, pages_analyzed: 3 });
    }

    #[test]
    fn a_page_model_is_cut_up_by_page() {
        let description = Counter::description();
        assert_eq!((description.name, description.granularity), ("counter", Granularity::Page));
        assert_eq!(schema_for!(<Counter as Model>::Partial), schema_for!(Vec<u32>));
    }

    #[test]
    fn no_parameters_refuse_every_member() {
        assert!(serde_json::from_str::<NoParameters>("{}").is_ok());
        assert!(serde_json::from_str::<NoParameters>(r#"{"pages": 1}"#).is_err());
        let schema = schema_for!(NoParameters);
        assert_eq!(schema.get("additionalProperties"), Some(&false.into()));
    }
}
