//! Submissions to content-extractor: codes are resolved to sections by a finished table of contents.

use fanlight_store::{Caller, JobStatus};
use serde_json::json;
use uuid::Uuid;

use crate::domain::catalog::{CONTENT_EXTRACTOR, TOC_PARSER};
use crate::domain::sections::{Contents, Selection};
use crate::domain::service::Service;
use crate::domain::submission::{SubmissionError, UncheckedSubmission};

/// The value of content-extractor's parameter `provider` that has a language model extract the requirements.
const LANGUAGE_MODEL: &str = "openai";

/// A submission of sections to extract, before its codes are resolved to an [`UncheckedSubmission`].
#[derive(Clone, Debug)]
pub(crate) struct SectionsRequest {
    /// The finished toc-parser job whose result is the table of contents.
    pub(crate) source: Uuid,
    /// Section codes as clients write them.
    pub(crate) section_codes: Vec<String>,
    /// Division codes as clients write them.
    pub(crate) division_codes: Vec<String>,
    /// The URL to which the finished job is posted.
    pub(crate) webhook_url: Option<String>,
    /// Whether the stored result of an equal submission may be reused.
    pub(crate) reuse: bool,
}

impl SectionsRequest {
    /// Resolves the codes and returns the submission, for the document that the table of contents is of.
    ///
    /// # Errors
    ///
    /// [`SubmissionError`] if the source job is of another model, is not complete or holds no table of contents, or if
    /// the codes are invalid or select no section.
    pub(crate) async fn resolve(
        self,
        service: &Service,
        caller: &Caller,
    ) -> Result<UncheckedSubmission, SubmissionError> {
        let selection = Selection::parse(&self.section_codes, &self.division_codes)?;
        let source = service.store.job(caller.account_id, self.source).await?;
        if source.model != TOC_PARSER {
            return Err(SubmissionError::Invalid(format!("the job is of {}, not of {TOC_PARSER}", source.model)));
        }
        let (JobStatus::Complete, Some(result)) = (source.status, &source.result) else {
            return Err(SubmissionError::SourceNotComplete(source.status));
        };
        let contents: Contents = serde_json::from_str(result).map_err(|_| SubmissionError::NoContents)?;
        let sections = selection.resolve(&contents)?;
        let mut parameters = json!({ "source_job_id": source.id, "sections": sections });
        // By granting the capability, the operator has chosen the language model.
        let model = service.models.described(CONTENT_EXTRACTOR).await;
        if model.is_ok_and(|model| model.may_ask_a_language_model()) {
            parameters["provider"] = json!(LANGUAGE_MODEL);
        }
        Ok(UncheckedSubmission {
            model: CONTENT_EXTRACTOR.to_owned(),
            document: source.document_id,
            pages: None,
            parameters,
            webhook_url: self.webhook_url,
            reuse: self.reuse,
        })
    }
}
