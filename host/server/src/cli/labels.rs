//! `fanlight labels export`: what people have said of results, as a labelled corpus a model.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use fanlight_store::{Account, Blobs, Document, Job, PresentedResult, Review, Store, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::cli::accounts::account_id;
use crate::cli::output::{print, tell};
use crate::cli::{format_time, with_store};
use crate::configuration::Configuration;
use crate::domain::labels::{self, LabelForm, LabelledPages};
use crate::domain::service::open_blobs;
use crate::views::review::Changes;

/// Writes a folder for each reviewed model, and prints how many pages each has.
///
/// # Errors
///
/// Fails if the folder is not empty, cannot be written, or no page has been reviewed as a whole.
pub(super) fn export(configuration: &Configuration, out: &Path, account: Option<&str>) -> anyhow::Result<()> {
    with_store(configuration, async |store| {
        let blobs = open_blobs(configuration).await?;
        let only = match account {
            Some(account) => Some(account_id(store, account).await?),
            None => None,
        };
        let accounts = store.accounts().await?.into_iter().filter(|one| only.is_none_or(|id| id == one.id));
        let mut corpora = Corpora::in_folder(out)?;
        for account in accounts {
            for job_id in store.reviewed_jobs(account.id).await? {
                if let Some(reviewed) = ReviewedJob::read(store, &account, job_id).await? {
                    corpora.add(&blobs, &reviewed).await?;
                }
            }
        }
        corpora.report()
    })
}

/// A job that somebody has reviewed, with what its label files say.
struct ReviewedJob<'a> {
    account: &'a Account,
    document: Document,
    job: Job,
    review: Review,
    form: LabelForm,
    labelled: LabelledPages,
}

impl<'a> ReviewedJob<'a> {
    /// Reads a reviewed job. `None` if its model's results do not become labels, or it has been deleted meanwhile.
    async fn read(store: &Store, account: &'a Account, job_id: Uuid) -> anyhow::Result<Option<Self>> {
        let Some(mut job) = still_there(store.job(account.id, job_id).await)? else { return Ok(None) };
        let Some(form) = labels::form_of(&job.model) else { return Ok(None) };
        let Some(review) = still_there(store.review(account.id, job_id).await)?.flatten() else { return Ok(None) };
        let Some(document) = still_there(store.document(account.id, job.document_id).await)? else { return Ok(None) };
        let stored = job.result.take().unwrap_or_default();
        let result = match store.presented_result(account.id, job.id).await? {
            PresentedResult::AsStored => stored,
            PresentedResult::Text(presented) => presented,
            PresentedResult::Unknown => {
                // Its model may hide parts of what is stored, and no model runs here.
                tell(format_args!("left out: job {job_id} ended before results were stored as clients read them"));
                return Ok(None);
            }
        };
        let changes: Changes = serde_json::from_str(&review.changes)?;
        let labelled = labels::from_review(form, &changes, &result)
            .with_context(|| format!("can't read the review of job {job_id}"))?;
        Ok(Some(Self { account, document, job, review, form, labelled }))
    }

    /// Returns the content of a label file: what it is about, and the labels of the page.
    fn label_file(&self, name: &str, labels: &Map<String, Value>) -> Map<String, Value> {
        let about = [
            ("id", name.to_owned()),
            ("pdf", pdf_name(&self.document)),
            ("sha256", self.document.sha256.clone()),
            ("office", self.account.name.clone()),
            ("model", self.form.model.to_owned()),
            ("model_version", self.job.model_version.clone()),
            ("job_id", self.job.id.to_string()),
            ("reviewed_at", format_time(self.review.reviewed_at)),
        ];
        let about = about.into_iter().map(|(field, text)| (field.to_owned(), text.into()));
        about.chain(labels.clone()).collect()
    }
}

/// Returns what the store has. `None` for a job or a document that has expired or was deleted meanwhile.
fn still_there<T>(found: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(StoreError::JobNotFound | StoreError::DocumentNotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

fn pdf_name(document: &Document) -> String {
    format!("{}.pdf", document.id)
}

/// The folders that are written: one corpus a model, since a label file lists what one model finds.
struct Corpora {
    folder: PathBuf,
    /// Names of the label files of each model. A page that was reviewed in two jobs has the later labels.
    written: BTreeMap<&'static str, BTreeSet<String>>,
    unfinished: usize,
}

impl Corpora {
    fn in_folder(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("can't make the folder {}", folder.display()))?;
        if fs::read_dir(folder)?.next().is_some() {
            bail!("{} is not empty: name a new folder, so that old labels don't mix with new ones", folder.display());
        }
        Ok(Self { folder: folder.to_owned(), written: BTreeMap::new(), unfinished: 0 })
    }

    /// Writes the label files of a reviewed job, and its document beside them.
    async fn add(&mut self, blobs: &Blobs, reviewed: &ReviewedJob<'_>) -> anyhow::Result<()> {
        for page in &reviewed.labelled.unfinished {
            self.unfinished += 1;
            tell(format_args!(
                "left out: page {page} of {} has items of {} that nobody has judged (job {})",
                reviewed.document.filename, reviewed.form.model, reviewed.job.id
            ));
        }
        if reviewed.labelled.pages.is_empty() {
            return Ok(());
        }
        let corpus = self.folder.join(reviewed.form.model);
        let (label_folder, pdf_folder) = (corpus.join("labels"), corpus.join("pdf"));
        fs::create_dir_all(&label_folder)?;
        fs::create_dir_all(&pdf_folder)?;
        let pdf = pdf_folder.join(pdf_name(&reviewed.document));
        if !pdf.exists() {
            let mut from = blobs.open(&reviewed.document.blob, reviewed.document.size_bytes).await?;
            io::copy(&mut from, &mut File::create(&pdf)?)?;
        }
        let names = self.written.entry(reviewed.form.model).or_default();
        for (page, labels) in &reviewed.labelled.pages {
            let name = format!("{}-p{page}", reviewed.document.id);
            let text = serde_json::to_string_pretty(&reviewed.label_file(&name, labels))?;
            fs::write(label_folder.join(format!("{name}.json")), text + "\n")?;
            names.insert(name);
        }
        Ok(())
    }

    /// Prints how many pages were written of each model.
    fn report(&self) -> anyhow::Result<()> {
        if self.written.is_empty() {
            let half = if self.unfinished > 0 { ": judge every item of a page" } else { "" };
            bail!("no page has been reviewed as a whole{half}");
        }
        for (model, names) in &self.written {
            print(&format!("{model}\t{} pages\t{}\n", names.len(), self.folder.join(model).display()))?;
        }
        Ok(())
    }
}
