//! How long jobs took lately: what estimates are made of.

use std::time::Duration;

use crate::Store;
use crate::database::Columns;
use crate::error::StoreError;
use crate::job::parse_pages;

/// How many of the newest jobs, of all accounts and whatever became of them, are looked at.
pub const LATELY: u32 = 500;

/// A job that a worker ran to its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The model.
    pub model: String,
    /// The pages asked for, 1-based as submitted; all, when absent.
    pub pages: Option<Vec<u32>>,
    /// Pages of its document.
    pub page_count: u32,
    /// How long it took.
    pub took: Duration,
}

impl Store {
    /// Of the newest [`LATELY`] jobs those that a worker ran to their result, as far as their documents are still
    /// there. A job that reused a stored result did not run.
    pub async fn ran_lately(&self) -> Result<Vec<Ran>, StoreError> {
        let rows = sqlx::query(
            "SELECT recent.model, recent.pages, recent.processing_time_ms, documents.page_count
             FROM (SELECT document_id, model, pages, processing_time_ms, status, cached_from FROM jobs
                   ORDER BY id DESC LIMIT $1) recent
             JOIN documents ON documents.id = recent.document_id
             WHERE recent.status = 'complete' AND recent.cached_from IS NULL
             AND recent.processing_time_ms IS NOT NULL",
        )
        .bind(i64::from(LATELY))
        .fetch_all(&self.database.reader)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Ran {
                    model: row.text("model")?,
                    pages: row.optional_text("pages")?.map(parse_pages).transpose()?,
                    page_count: u32::try_from(row.count("page_count")?).unwrap_or(u32::MAX),
                    took: Duration::from_millis(row.count("processing_time_ms")?),
                })
            })
            .collect()
    }
}
