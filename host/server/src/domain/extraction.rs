//! Submissions to content-extractor: a finished table of contents and codes in it become the sections to read.

use fanlight_store::{Caller, JobStatus};
use serde_json::json;
use uuid::Uuid;

use crate::domain::catalog::{CONTENT_EXTRACTOR, TOC_PARSER};
use crate::domain::sections::{Asked, Contents};
use crate::domain::service::Service;
use crate::domain::submission::{SubmissionError, Wanted};

/// The value of content-extractor's parameter `provider` that has a language model pick out the requirements.
const LANGUAGE_MODEL: &str = "openai";

/// What a client wants extracted.
#[derive(Clone, Debug)]
pub(crate) struct WantedSections {
    /// A finished job of toc-parser.
    pub(crate) source: Uuid,
    /// Sections, as people write their codes.
    pub(crate) section_codes: Vec<String>,
    /// Divisions, as people write their codes.
    pub(crate) division_codes: Vec<String>,
    /// Where to post the job once it is done.
    pub(crate) webhook_url: Option<String>,
    /// Whether a stored result of an equal submission will do.
    pub(crate) reuse: bool,
}

impl WantedSections {
    /// The submission that this is: on the document of the table of contents, which is read as it is stored.
    pub(crate) async fn resolve(self, service: &Service, caller: &Caller) -> Result<Wanted, SubmissionError> {
        let asked = Asked::read(&self.section_codes, &self.division_codes)?;
        let source = service.store.job(caller.account_id, self.source).await?;
        if source.model != TOC_PARSER {
            return Err(SubmissionError::Invalid(format!("the job is one of {}, not of {TOC_PARSER}", source.model)));
        }
        let (JobStatus::Complete, Some(result)) = (source.status, &source.result) else {
            return Err(SubmissionError::SourceNotComplete(source.status));
        };
        let contents: Contents = serde_json::from_str(result).map_err(|_| SubmissionError::NoContents)?;
        let sections = asked.resolve(&contents)?;
        let mut parameters = json!({ "source_job_id": source.id, "sections": sections });
        // The operator's wish is in the grant: a model that may ask a language model does.
        let model = service.models.described(CONTENT_EXTRACTOR).await;
        if model.is_ok_and(|model| model.may_ask_a_language_model()) {
            parameters["provider"] = json!(LANGUAGE_MODEL);
        }
        Ok(Wanted {
            model: CONTENT_EXTRACTOR.to_owned(),
            document: source.document_id,
            pages: None,
            parameters,
            webhook_url: self.webhook_url,
            reuse: self.reuse,
        })
    }
}
