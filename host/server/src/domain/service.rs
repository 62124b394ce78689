//! The state that all parts of a running server share.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use fanlight_identity::Provider;
use fanlight_inference::Processor;
use fanlight_sandbox::{Annotator, Package};
use fanlight_store::{Blobs, Store, StoreOptions};
use fanlight_webhooks::Sender;
use tokio::sync::{Notify, OnceCell};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::configuration::{ANNOTATOR, Configuration, Failures, Prices};
use crate::domain::cards::Cards;
use crate::domain::estimate::Estimates;
use crate::domain::links::{Grant, Links, Purpose};
use crate::domain::permits::Permits;
use crate::domain::seal::Seal;
use crate::domain::tiles::Tiles;
use crate::runtime::circuit_breaker::{CircuitBreakers, FailurePolicy};
use crate::runtime::guests::Guests;
use crate::runtime::inference;
use crate::runtime::metrics::Metrics;
use crate::runtime::models::Models;
use crate::runtime::ocr;

/// Time between two looks at the plugins' folder. A look reads the folder and two times for each plugin.
const PLUGINS_INTERVAL: Duration = Duration::from_secs(2);

/// The file of the link secret in the data folder.
const LINK_SECRET: &str = "links.secret";
/// The folder of the uploaded files in the data folder, if no bucket is configured.
const BLOBS: &str = "blobs";
/// The folder in the data folder for local copies of a bucket's files while they are read.
const SPOOL: &str = "spool";

/// A running server: its data, its models and its signals.
pub(crate) struct Service {
    /// Documents, jobs, keys and credits.
    pub(crate) store: Store,
    /// The uploaded files.
    pub(crate) blobs: Blobs,
    /// The sandbox that plugins run in.
    pub(crate) guests: Guests,
    /// Estimates of how long jobs will take.
    pub(crate) estimates: Estimates,
    /// Permits for calls to the PDF engine that clients wait for.
    pub(crate) permits: Permits,
    /// Tiles of pages that were drawn lately.
    pub(crate) tiles: Tiles,
    /// The installed models.
    pub(crate) models: Models,
    /// What models and networks say of themselves.
    pub(crate) cards: Cards,
    /// Sets models aside that fail again and again.
    pub(crate) breakers: CircuitBreakers,
    /// The folder of the annotator's package, if it is installed.
    annotator_folder: Option<PathBuf>,
    /// The annotator, once it is loaded; none if it is broken.
    annotator: OnceCell<Option<Annotator>>,
    /// Prices of the models.
    pub(crate) prices: Prices,
    /// The processor that runs the networks of plugins.
    pub(crate) processor: Processor,
    /// The OpenID Connect provider whose tokens may manage keys, if one is configured.
    pub(crate) identity: Option<Provider>,
    /// Signs links to files.
    pub(crate) links: Links,
    /// Seals idempotent answers.
    pub(crate) answers: Seal,
    /// Seals what a browser keeps while somebody signs in at the identity provider.
    pub(crate) sign_ins: Seal,
    /// Posts to webhooks.
    pub(crate) webhooks: Sender,
    /// The address that clients put before `/v1`, without a slash at its end.
    pub(crate) base_url: String,
    /// Notified when a job is queued: wakes the worker of this process.
    pub(crate) queued: Notify,
    /// Notified when a job of this process is final: wakes requests that wait for it.
    pub(crate) finished: Notify,
    /// Notified when a delivery of this process is due: wakes the delivery loop.
    pub(crate) deliverable: Notify,
    /// The counters of this process.
    pub(crate) metrics: Metrics,
    /// Cancelled when the server stops.
    pub(crate) stopping: CancellationToken,
}

impl Service {
    /// Opens the data and loads the models. `base_url` is used if the configuration has none.
    ///
    /// # Errors
    ///
    /// Fails if the database, the files, the sandbox or the plugins' folder cannot be opened.
    pub(crate) async fn open(configuration: &Configuration, base_url: String) -> anyhow::Result<Arc<Self>> {
        let inference = inference::open(configuration).await?;
        let processor = inference.processor().clone();
        let settings = configuration.sandbox(inference)?;
        let opening = Guests::open(settings, ocr::reader(configuration));
        let (guests, store) = tokio::try_join!(opening, open_store(configuration))?;
        let blobs = open_blobs(configuration).await?;
        let links = open_links(configuration)?;
        let identity = configuration.identity().map(Provider::new).transpose()?;
        let models = Models::load(&guests, configuration).await?;
        let annotator_folder = configuration.plugins_folder()?.join(ANNOTATOR);
        let annotator_folder = annotator_folder.is_dir().then_some(annotator_folder);
        let base_url = configuration.base_url.clone().unwrap_or(base_url);
        Ok(Arc::new(Self {
            store,
            blobs,
            guests,
            estimates: Estimates::new(configuration.workers()),
            permits: Permits::new(configuration.workers()),
            tiles: Tiles::new(),
            models,
            cards: Cards::new(configuration)?,
            breakers: CircuitBreakers::new(failure_policy(configuration.failures)),
            annotator_folder,
            annotator: OnceCell::new(),
            prices: configuration.prices.clone(),
            answers: Seal::for_answers(&links),
            sign_ins: Seal::for_sign_ins(&links),
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

    /// Returns the annotator, once it is loaded. None if it is not installed or is broken.
    pub(crate) async fn annotator(&self) -> Option<Annotator> {
        let folder = self.annotator_folder.as_deref()?;
        self.annotator.get_or_init(|| load_annotator(&self.guests, folder)).await.clone()
    }

    /// Compiles the installed plugins that have no machine code, one after the other: first the PDF engine, which every
    /// document and model needs, then the models. Models that a request waits for come first.
    ///
    /// # Errors
    ///
    /// Fails if the PDF engine cannot be compiled. A broken model is only logged.
    pub(crate) async fn compile(&self) -> anyhow::Result<()> {
        self.guests.prepare().await?;
        self.models.compile(&self.guests, &self.queued).await;
        self.annotator().await;
        self.guests.all_compiled();
        Ok(())
    }

    /// Takes what is installed, upgraded or removed in the plugins' folder, until the service stops.
    pub(crate) async fn watch_plugins(&self, configuration: &Configuration) {
        loop {
            tokio::select! {
                () = self.stopping.cancelled() => return,
                () = sleep(PLUGINS_INTERVAL) => {}
            }
            match self.models.refresh(&self.guests, configuration).await {
                Ok(false) => {}
                Ok(true) => {
                    self.models.compile(&self.guests, &self.queued).await;
                    self.queued.notify_one();
                }
                Err(error) => tracing::warn!(reason = format!("{error:#}"), "can't look for new plugins"),
            }
        }
    }

    /// Returns whether clients reach this server over https, by its own TLS or by that of a proxy.
    pub(crate) fn is_https(&self) -> bool {
        self.base_url.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
    }

    /// Returns a signed link to the uploaded file of a document, valid for `lifetime` from now.
    pub(crate) fn link_to_source(&self, account: Uuid, document: Uuid, lifetime: Duration) -> String {
        let grant = Grant { purpose: Purpose::Source, account, document };
        let token = self.links.sign(grant, self.store.now() + lifetime);
        format!("{}/v1/files/{token}", self.base_url)
    }
}

/// Returns when models are set aside.
fn failure_policy(failures: Failures) -> FailurePolicy {
    let Failures { in_a_row, pause_seconds } = failures;
    FailurePolicy { failures: in_a_row, pause: Duration::from_secs(pause_seconds.into()) }
}

/// Reads the link secret, from which the keys of seals are derived: the configured one, else that of the data folder.
fn open_links(configuration: &Configuration) -> anyhow::Result<Links> {
    match &configuration.link_secret {
        Some(secret) => Links::from_hex(secret),
        None => Links::from_file(&configuration.data_folder()?.join(LINK_SECRET)),
    }
}

/// Opens the configured database. Commands and servers seal webhook secrets with the same key.
pub(crate) async fn open_store(configuration: &Configuration) -> anyhow::Result<Store> {
    let sealing = Arc::new(Seal::for_webhook_secrets(&open_links(configuration)?));
    let mut options = StoreOptions::new(configuration.database()?, sealing);
    options.tiers = configuration.tiers.clone();
    options.lease = Duration::from_secs(u64::from(configuration.lease_seconds));
    options.webhook_retries = configuration.webhooks.retries();
    options.keys_per_account = configuration.keys_per_account;
    Ok(Store::open(options).await?)
}

/// Opens the uploaded files: those of the configured bucket, else those of the data folder.
pub(crate) async fn open_blobs(configuration: &Configuration) -> anyhow::Result<Blobs> {
    let data = configuration.data_folder()?;
    match &configuration.s3 {
        Some(settings) => {
            let opening = Blobs::in_bucket(settings, &data.join(SPOOL)).await;
            opening.context("can't write to the bucket of `[s3]`")
        }
        None => Ok(Blobs::in_folder(&data.join(BLOBS))?),
    }
}

/// Loads the annotator. A broken one is skipped with a warning, as a broken model is.
async fn load_annotator(guests: &Guests, folder: &Path) -> Option<Annotator> {
    let loaded = match Package::read(folder) {
        Ok(package) => guests.load_annotator(package).await,
        Err(error) => Err(error.into()),
    };
    if let Err(error) = &loaded {
        tracing::warn!(plugin = ANNOTATOR, reason = format!("{error:#}"), "skipped a plugin");
    }
    loaded.ok()
}
