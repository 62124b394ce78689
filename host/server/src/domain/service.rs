//! What the parts of a running server share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use fanlight_identity::Provider;
use fanlight_inference::Processor;
use fanlight_sandbox::{Annotator, Package};
use fanlight_store::{Blobs, Store, StoreOptions};
use fanlight_webhooks::Sender;
use tokio::sync::{Notify, OnceCell};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::configuration::Prices;
use crate::configuration::{ANNOTATOR, Configuration};
use crate::domain::estimate::Estimates;
use crate::domain::links::{Grant, Links, Purpose};
use crate::domain::permits::Permits;
use crate::domain::seal::Seal;
use crate::runtime::guests::Guests;
use crate::runtime::inference;
use crate::runtime::metrics::Metrics;
use crate::runtime::models::Models;
use crate::runtime::ocr;

/// The file of the links' secret in the data folder.
const LINK_SECRET: &str = "links.secret";
/// The folder of the uploaded files in the data folder, where they are in no bucket.
const BLOBS: &str = "blobs";
/// The folder in the data folder where files of a bucket lie while they are read.
const SPOOL: &str = "spool";

/// A running server: its data, its models and its signals.
pub(crate) struct Service {
    /// Documents, jobs, keys and credits.
    pub(crate) store: Store,
    /// The uploaded files.
    pub(crate) blobs: Blobs,
    /// Where plugins run.
    pub(crate) guests: Guests,
    /// How long jobs will take.
    pub(crate) estimates: Estimates,
    /// Permits for inspecting uploads and reading documents, shared fairly by account.
    pub(crate) permits: Permits,
    /// What can be run.
    pub(crate) models: Models,
    /// The annotator's package, and what became of it; empty until it is loaded.
    annotator: (Option<PathBuf>, OnceCell<Option<Annotator>>),
    /// What it costs.
    pub(crate) prices: Prices,
    /// What runs the networks of plugins.
    pub(crate) processor: Processor,
    /// Whose tokens say who manages keys, where one is configured.
    pub(crate) identity: Option<Provider>,
    /// Signs links to files.
    pub(crate) links: Links,
    /// Seals the answers that are kept for repetitions.
    pub(crate) answers: Seal,
    /// Posts to webhooks.
    pub(crate) webhooks: Sender,
    /// What clients put before `/v1`, without a slash at its end.
    pub(crate) base_url: String,
    /// Wakes the worker of this process: a job was queued.
    pub(crate) queued: Notify,
    /// Wakes who waits for a job: one of this process has become final.
    pub(crate) finished: Notify,
    /// Wakes who delivers: a delivery of this process has become due.
    pub(crate) deliverable: Notify,
    /// What this process has counted.
    pub(crate) metrics: Metrics,
    /// Ends waiting and working.
    pub(crate) stopping: CancellationToken,
}

impl Service {
    /// Opens the data and loads the models. `base_url` is what the configuration's is when it names none.
    pub(crate) async fn open(configuration: &Configuration, base_url: String) -> anyhow::Result<Arc<Self>> {
        let inference = inference::open(configuration).await?;
        let processor = inference.processor().clone();
        let settings = configuration.sandbox(inference)?;
        let opening = Guests::open(settings, ocr::reader(configuration));
        let (guests, store) = tokio::try_join!(opening, open_store(configuration))?;
        let data = configuration.data_folder()?;
        let blobs = match &configuration.s3 {
            Some(settings) => {
                let opening = Blobs::in_bucket(settings, &data.join(SPOOL)).await;
                opening.context("can't write to the bucket of `[s3]`, which uploaded files are kept in")?
            }
            None => Blobs::in_folder(&data.join(BLOBS))?,
        };
        let links = open_links(configuration)?;
        let identity = configuration.identity().map(Provider::new).transpose()?;
        let models = Models::load(&guests, configuration).await?;
        let annotator = configuration.plugins_folder()?.join(ANNOTATOR);
        let annotator = annotator.is_dir().then_some(annotator);
        let base_url = configuration.base_url.clone().unwrap_or(base_url);
        Ok(Arc::new(Self {
            store,
            blobs,
            guests,
            estimates: Estimates::new(configuration.workers()),
            permits: Permits::new(configuration.workers()),
            models,
            annotator: (annotator, OnceCell::new()),
            prices: configuration.prices.clone(),
            answers: Seal::of_answers(&links),
            identity,
            processor,
            links,
            webhooks: Sender::new(configuration.webhooks.sender_options()?)?,
            base_url: base_url.trim_end_matches('/').to_owned(),
            queued: Notify::new(),
            finished: Notify::new(),
            deliverable: Notify::new(),
            metrics: Metrics::new()?,
            stopping: CancellationToken::new(),
        }))
    }

    /// What draws boxes into documents; None if it is not installed or broken. Waits until it is loaded.
    pub(crate) async fn annotator(&self) -> Option<Annotator> {
        let (folder, loaded) = &self.annotator;
        let folder = folder.as_deref()?;
        loaded.get_or_init(|| load_annotator(&self.guests, folder)).await.clone()
    }

    /// Compiles what is installed and came without machine code, one after the other: first the PDF engine, which
    /// every document and model needs, then the models, those that somebody waits for before the others.
    ///
    /// Fails if the PDF engine can't be compiled.
    pub(crate) async fn compile(&self) -> anyhow::Result<()> {
        self.guests.prepare().await?;
        self.models.compile(&self.guests, &self.queued).await;
        self.annotator().await;
        self.guests.all_compiled();
        Ok(())
    }

    /// Returns whether clients reach this server over https, by its own TLS or by that of a proxy.
    pub(crate) fn is_https(&self) -> bool {
        self.base_url.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
    }

    /// A link to the uploaded file of a document, good for so long from now.
    pub(crate) fn link_to_source(&self, account: Uuid, document: Uuid, good_for: std::time::Duration) -> String {
        let grant = Grant { purpose: Purpose::Source, account, document };
        let token = self.links.sign(grant, self.store.now() + good_for);
        format!("{}/v1/files/{token}", self.base_url)
    }
}

/// Reads the secret of links, of which the keys of seals are derived: the configured one, else that of the data folder.
fn open_links(configuration: &Configuration) -> anyhow::Result<Links> {
    match &configuration.link_secret {
        Some(secret) => Links::from_hex(secret),
        None => Links::from_file(&configuration.data_folder()?.join(LINK_SECRET)),
    }
}

/// Opens the database as the configuration has it. Commands seal with the same key as the server.
pub(crate) async fn open_store(configuration: &Configuration) -> anyhow::Result<Store> {
    let sealing = Arc::new(Seal::of_webhook_secrets(&open_links(configuration)?));
    let mut options = StoreOptions::new(configuration.database()?, sealing);
    options.tiers = configuration.tiers.clone();
    options.lease = std::time::Duration::from_secs(u64::from(configuration.lease_seconds));
    options.webhook_retries = configuration.webhooks.retries();
    options.keys_per_account = configuration.keys_per_account;
    Ok(Store::open(options).await?)
}

/// Loads the annotator. One that is broken is left out with a warning, as a broken model is.
async fn load_annotator(guests: &Guests, folder: &Path) -> Option<Annotator> {
    let loaded = match Package::read(folder) {
        Ok(package) => guests.load_annotator(package).await,
        Err(error) => Err(error.into()),
    };
    if let Err(error) = &loaded {
        tracing::warn!(plugin = ANNOTATOR, reason = format!("{error:#}"), "a plugin is left out");
    }
    loaded.ok()
}
