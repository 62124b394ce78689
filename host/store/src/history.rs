//! How long recent jobs took, for estimates.

use std::time::Duration;

use crate::Store;
use crate::database::Columns;
use crate::error::StoreError;
use crate::job::parse_pages;

/// Number of the newest jobs, of all accounts and in any state, that [`Store::recent_runs`] looks at.
pub const RECENT_JOBS: u32 = 500;

/// A job that a worker has completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletedRun {
    /// The model's name.
    pub model: String,
    /// The pages asked for, 1-based as submitted; all, when absent.
    pub pages: Option<Vec<u32>>,
    /// Number of pages of its document.
    pub page_count: u32,
    /// How long its last attempt took.
    pub took: Duration,
}

impl Store {
    /// Returns those of the newest [`RECENT_JOBS`] jobs that a worker has completed and whose documents still exist. Jobs
    /// that reused a stored result are left out, because they did not run.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn recent_runs(&self) -> Result<Vec<CompletedRun>, StoreError> {
        let rows = sqlx::query(
            "SELECT recent.model, recent.pages, recent.processing_time_ms, documents.page_count
             FROM (SELECT document_id, model, pages, processing_time_ms, status, cached_from FROM jobs
                   ORDER BY id DESC LIMIT $1) recent
             JOIN documents ON documents.id = recent.document_id
             WHERE recent.status = 'complete' AND recent.cached_from IS NULL
             AND recent.processing_time_ms IS NOT NULL",
        )
        .bind(i64::from(RECENT_JOBS))
        .fetch_all(&self.database.reader)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(CompletedRun {
                    model: row.text("model")?,
                    pages: row.optional_text("pages")?.map(parse_pages).transpose()?,
                    page_count: u32::try_from(row.count("page_count")?).unwrap_or(u32::MAX),
                    took: Duration::from_millis(row.count("processing_time_ms")?),
                })
            })
            .collect()
    }
}
