//! `/v1/jobs/{job_id}/tables.csv` and `/v1/jobs/{job_id}/tables.xlsx`

use std::marker::PhantomData;
use std::path::Path as FilePath;
use std::sync::Arc;

use fanlight_store::StoreError;
use poem::web::Data;
use poem::{IntoResponse, Response};
use poem_openapi::param::Path;
use poem_openapi::registry::{MetaResponses, Registry};
use poem_openapi::{ApiResponse, OpenApi};
use uuid::Uuid;

use crate::api::authentication::Authenticated;
use crate::api::error::{ApiError, Code};
use crate::api::files::{file_response, private_file};
use crate::api::jobs::complete_job;
use crate::domain::job;
use crate::domain::review;
use crate::domain::service::Service;
use crate::domain::tables::{self, TablesError};

/// Operations that return schedules as files for spreadsheet programs.
pub(super) struct Tables;

#[OpenApi]
impl Tables {
    /// Get the schedules of a complete job as CSV
    ///
    /// UTF-8, the schedules one below the other: the title, the headers, the rows, and an empty line between two schedules.
    /// A cell that a spreadsheet program would run as a formula begins with an apostrophe.
    #[oai(path = "/v1/jobs/:job_id/tables.csv", method = "get", operation_id = "get_tables_csv")]
    async fn csv(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
    ) -> Result<TablesFile<Csv>, ApiError> {
        TablesFile::of_job(&service, &caller, job_id.0).await
    }

    /// Get the schedules of a complete job as an XLSX workbook
    ///
    /// A worksheet for each schedule, named after its title. The first row has the title, the second the headers. All cells
    /// are texts as printed.
    #[oai(path = "/v1/jobs/:job_id/tables.xlsx", method = "get", operation_id = "get_tables_xlsx")]
    async fn xlsx(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
    ) -> Result<TablesFile<Xlsx>, ApiError> {
        TablesFile::of_job(&service, &caller, job_id.0).await
    }
}

/// A format of spreadsheet programs.
trait Format {
    /// The media type, as registered with IANA.
    const MEDIA_TYPE: &'static str;
    /// What the header of an answer adds to it.
    const PARAMETERS: &'static str;
    /// The extension of a file's name.
    const EXTENSION: &'static str;

    /// Writes the schedules of a result, the text of a JSON object.
    fn write(result: &str) -> Result<Vec<u8>, TablesError>;
}

enum Csv {}

impl Format for Csv {
    const MEDIA_TYPE: &'static str = "text/csv";
    const PARAMETERS: &'static str = "; charset=utf-8";
    const EXTENSION: &'static str = "csv";

    fn write(result: &str) -> Result<Vec<u8>, TablesError> {
        tables::csv(result)
    }
}

enum Xlsx {}

impl Format for Xlsx {
    const MEDIA_TYPE: &'static str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    const PARAMETERS: &'static str = "";
    const EXTENSION: &'static str = "xlsx";

    fn write(result: &str) -> Result<Vec<u8>, TablesError> {
        tables::xlsx(result)
    }
}

/// The answer with the schedules of a job in some format.
struct TablesFile<F> {
    response: Response,
    format: PhantomData<F>,
}

impl<F: Format> TablesFile<F> {
    /// Writes the schedules of a complete job.
    async fn of_job(service: &Service, caller: &Authenticated, job_id: Uuid) -> Result<Self, ApiError> {
        let mut job = complete_job(service, caller.0.account_id, job_id).await?;
        let stem = match service.store.document(job.account_id, job.document_id).await {
            Ok(document) => FilePath::new(&document.filename).with_extension("").to_string_lossy().into_owned(),
            // A job outlives its document.
            Err(StoreError::DocumentNotFound) => job_id.to_string(),
            Err(error) => return Err(error.into()),
        };
        let result = job::take_result(service, &mut job).await?.unwrap_or_default();
        let result = review::reviewed(service, &job, result).await?;
        // A large result takes long to write.
        let written = tokio::task::spawn_blocking(move || F::write(&result)).await;
        let bytes = written.map_err(|error| ApiError::new(Code::InternalError, error))??;

        let content_type = [F::MEDIA_TYPE, F::PARAMETERS].concat();
        let filename = format!("{stem} schedules.{}", F::EXTENSION);
        let response = private_file(&content_type, &filename).body(bytes);
        Ok(Self { response, format: PhantomData })
    }
}

impl<F: Send> IntoResponse for TablesFile<F> {
    fn into_response(self) -> Response {
        self.response
    }
}

impl<F: Format> ApiResponse for TablesFile<F> {
    fn meta() -> MetaResponses {
        MetaResponses { responses: vec![file_response(200, "The file", F::MEDIA_TYPE)] }
    }

    fn register(_registry: &mut Registry) {}
}

impl From<TablesError> for ApiError {
    fn from(error: TablesError) -> Self {
        Self::new(Code::NoTables, error)
    }
}
