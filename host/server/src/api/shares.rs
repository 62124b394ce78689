//! `/v1/jobs/{job_id}/shares` and `/v1/shared`: links that show one job, read-only, to people without a key.

use std::sync::Arc;
use std::time::Duration;

use fanlight_store::{Document, Job, NewShare, Share};
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Object, OpenApi};
use uuid::Uuid;

use crate::api::authentication::Authenticated;
use crate::api::error::ApiError;
use crate::api::json::JsonBody;
use crate::api::pages::{self, PageFile, PageList, Png};
use crate::api::review::ResultText;
use crate::domain::service::Service;
use crate::domain::{job, review};
use crate::views::values::Time;

/// Days that a link is valid if the request names none.
const DAYS: u32 = 7;
/// The length of a day.
const DAY: Duration = Duration::from_hours(24);

/// Operations on links to jobs.
pub(super) struct Shares;

/// Properties of a new link.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct ShareRequest {
    /// Days that the link is valid; 7 if absent. It ends earlier if the job is deleted.
    #[oai(nullable, validator(minimum(value = "1"), maximum(value = "365")))]
    days: Option<u32>,
}

/// A link to a job.
#[derive(Debug, Object)]
#[oai(rename = "Share")]
struct ShareObject {
    /// ID of the link.
    id: Uuid,
    /// Job that it shows.
    job_id: Uuid,
    /// Time of creation.
    created_at: Time,
    /// Time from which it shows nothing.
    expires_at: Time,
}

impl ShareObject {
    fn new(share: &Share) -> Self {
        Self {
            id: share.id,
            job_id: share.job_id,
            created_at: Time(share.created_at),
            expires_at: Time(share.expires_at),
        }
    }
}

/// A new link with its token, which is never shown again.
#[derive(Debug, Object)]
#[oai(rename = "CreatedShare")]
struct CreatedShareObject {
    /// The link without its token.
    #[oai(flatten)]
    share: ShareObject,
    /// Token for `/v1/shared/{token}`: 64 hex digits.
    token: String,
    /// Address of the console that shows the job to whoever opens it.
    url: String,
}

impl CreatedShareObject {
    fn new(created: &NewShare, service: &Service) -> Self {
        let token = created.token.reveal().to_owned();
        // Browsers do not send what follows `#`, so that the token is in no log on the way.
        let url = format!("{}/#/shared/{token}", service.base_url);
        Self { share: ShareObject::new(&created.share), token, url }
    }
}

/// The valid links to a job.
#[derive(Debug, Object)]
struct ShareList {
    /// The links, newest first.
    shares: Vec<ShareObject>,
}

/// A job as a link shows it.
#[derive(Debug, Object)]
struct SharedJob {
    /// Job ID.
    job_id: Uuid,
    /// Model of the job.
    model: String,
    /// Version of the model.
    model_version: String,
    /// Name of the document's file.
    filename: String,
    /// Number of pages of the document.
    page_count: u32,
    /// Time from which the link shows nothing.
    expires_at: Time,
}

#[derive(ApiResponse)]
enum Created {
    /// The link has been made.
    #[oai(status = 201)]
    Share(Json<CreatedShareObject>, #[oai(header = "Cache-Control")] String),
}

#[derive(ApiResponse)]
enum Revoked {
    /// The link has been revoked.
    #[oai(status = 204)]
    Revoked,
}

#[OpenApi]
impl Shares {
    /// Make a link that shows a complete job to people without a key
    ///
    /// The link shows the result as reviewed and the pages of the document, and changes nothing. Whoever has it can open
    /// it, until it expires or is revoked.
    #[oai(path = "/v1/jobs/:job_id/shares", method = "post", operation_id = "create_share")]
    async fn create(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
        body: JsonBody<ShareRequest>,
    ) -> Result<Created, ApiError> {
        let lifetime = DAY * body.0.days.unwrap_or(DAYS);
        let created = service.store.create_share(caller.0.account_id, job_id.0, lifetime).await?;
        Ok(Created::Share(Json(CreatedShareObject::new(&created, &service)), "no-store".to_owned()))
    }

    /// List the valid links to a job
    #[oai(path = "/v1/jobs/:job_id/shares", method = "get", operation_id = "list_shares")]
    async fn list(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
    ) -> Result<Json<ShareList>, ApiError> {
        let shares = service.store.shares(caller.0.account_id, job_id.0).await?;
        Ok(Json(ShareList { shares: shares.iter().map(ShareObject::new).collect() }))
    }

    /// Revoke a link to a job
    #[oai(path = "/v1/jobs/:job_id/shares/:share_id", method = "delete", operation_id = "revoke_share")]
    async fn revoke(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
        share_id: Path<Uuid>,
    ) -> Result<Revoked, ApiError> {
        service.store.revoke_share(caller.0.account_id, job_id.0, share_id.0).await?;
        Ok(Revoked::Revoked)
    }

    /// Get the job that a link shows
    ///
    /// Needs no key.
    #[oai(path = "/v1/shared/:token", method = "get", operation_id = "get_shared_job")]
    async fn shared(&self, service: Data<&Arc<Service>>, token: Path<String>) -> Result<Json<SharedJob>, ApiError> {
        let (job, expires_at) = service.store.shared_job(&token.0).await?;
        let document = document(&service, &job).await?;
        Ok(Json(SharedJob {
            job_id: job.id,
            model: job.model,
            model_version: job.model_version,
            filename: document.filename,
            page_count: document.page_count,
            expires_at: Time(expires_at),
        }))
    }

    /// Get the result that a link shows, as reviewed
    ///
    /// Needs no key.
    #[oai(path = "/v1/shared/:token/result", method = "get", operation_id = "get_shared_result")]
    async fn result(&self, service: Data<&Arc<Service>>, token: Path<String>) -> Result<ResultText, ApiError> {
        let (mut job, _) = service.store.shared_job(&token.0).await?;
        let result = job::take_result(&service, &mut job).await?.unwrap_or_default();
        Ok(ResultText(review::reviewed(&service, &job, result).await?))
    }

    /// Get the size and rotation of the pages that a link shows
    ///
    /// Needs no key.
    #[oai(path = "/v1/shared/:token/pages", method = "get", operation_id = "list_shared_pages")]
    async fn pages(
        &self,
        service: Data<&Arc<Service>>,
        token: Path<String>,
        /// Number of the first page to return; 1 if absent.
        #[oai(validator(minimum(value = "1")))]
        first: Query<Option<u32>>,
        /// Maximum number of pages to return; 100 if absent.
        #[oai(validator(minimum(value = "1"), maximum(value = "1000")))]
        limit: Query<Option<u32>>,
    ) -> Result<Json<PageList>, ApiError> {
        let (job, _) = service.store.shared_job(&token.0).await?;
        pages::list(&service, &document(&service, &job).await?, first.0, limit.0).await
    }

    /// Get an image of a page that a link shows
    ///
    /// Needs no key. As the image of a document's page.
    #[oai(path = "/v1/shared/:token/pages/:page_file", method = "get", operation_id = "get_shared_page_picture")]
    async fn picture(
        &self,
        service: Data<&Arc<Service>>,
        token: Path<String>,
        /// Page number and `.png`: `3.png` is the image of page 3.
        page_file: Path<PageFile>,
        /// Resolution in dots per inch; 100 if absent. An inch is 72 points.
        #[oai(validator(minimum(value = "72"), maximum(value = "200")))]
        dpi: Query<Option<u32>>,
    ) -> Result<Png, ApiError> {
        let (job, _) = service.store.shared_job(&token.0).await?;
        pages::picture(&service, &document(&service, &job).await?, page_file.0, dpi.0).await
    }

    /// Get a tile of a page that a link shows
    ///
    /// Needs no key. As the tile of a document's page.
    #[oai(
        path = "/v1/shared/:token/tiles/:page/:zoom/:column/:row_file",
        method = "get",
        operation_id = "get_shared_page_tile"
    )]
    async fn tile(
        &self,
        service: Data<&Arc<Service>>,
        token: Path<String>,
        /// Number of the page.
        page: Path<u32>,
        /// Zoom level, 0 to 3.
        zoom: Path<u32>,
        /// Number of tiles to the left of it.
        column: Path<u32>,
        /// Number of tiles above it and `.png`: `0.png` is in the top row.
        row_file: Path<PageFile>,
    ) -> Result<Png, ApiError> {
        let (job, _) = service.store.shared_job(&token.0).await?;
        let place = pages::tile_place(page.0, zoom.0, column.0, row_file.0)?;
        pages::tile(&service, &document(&service, &job).await?, place).await
    }
}

/// Returns the document of a job.
async fn document(service: &Service, job: &Job) -> Result<Document, ApiError> {
    Ok(service.store.document(job.account_id, job.document_id).await?)
}
