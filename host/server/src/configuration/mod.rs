//! The configuration that the operator sets. Its defaults are in `fanlight.toml`, which documents every key.

mod price;
mod retention;

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use fanlight_archive::PublicKey;
use fanlight_inference::{Choice, Inference};
use fanlight_language::Client;
use fanlight_sandbox::{Compilation, Grant, Limits, Settings};
use fanlight_store::{Location, S3Settings, Tiers};
use fanlight_webhooks::{AllowedHost, SenderOptions};
use figment::providers::{Env, Format, Serialized, Toml};
use figment::{Figment, Source};
use serde::{Deserialize, Deserializer};
use url::Url;

pub(crate) use self::price::{Prices, Unit};
pub(crate) use self::retention::Retention;

/// The documented defaults, as `fanlight config` prints them.
pub(crate) const DEFAULTS: &str = include_str!("../../fanlight.toml");

/// Prefix of environment variables that set keys.
const ENVIRONMENT: &str = "FANLIGHT_";

/// One request every 60 microseconds: the store keeps times in microseconds.
const MOST_REQUESTS_PER_MINUTE: u32 = 1_000_000;

/// Minimum memory for request bodies. One account may use half of it, which must be enough for an upload
/// (`UPLOAD_BYTES` in `api/body_budget.rs`).
pub(crate) const LEAST_BODIES_MEGABYTES: u32 = 24;

/// Maximum retention: a hundred years.
const LONGEST_RETENTION_DAYS: u32 = 36_500;

/// Maximum time limit of a webhook attempt.
const LONGEST_WEBHOOK_SECONDS: u32 = 60;

/// The begin of a key of `[grants]` that names the digest of a package.
const GRANT_TO_DIGEST: &str = "sha256:";

/// The name of the PDF engine's package.
pub(crate) const PDF_ENGINE: &str = "pdf-engine";

/// The folder with machine code in the plugins' folder. Its name starts with a dot, so that it is not a package.
const MACHINE_CODE: &str = ".machine-code";

/// The name of the annotator's package.
pub(crate) const ANNOTATOR: &str = "pdf-annotator";

/// The folder of the OCR engine's package among the plugins.
pub(crate) const OCR_ENGINE: &str = "ocr-engine";

/// The configuration. `fanlight.toml` documents each key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Configuration {
    /// The folder of the database and all files.
    pub(crate) data: Option<PathBuf>,
    /// The address that the API listens on.
    pub(crate) listen: SocketAddr,
    /// The address that clients put before `/v1`.
    pub(crate) base_url: Option<String>,
    /// The proxies that may speak plain HTTP to an address other than a loopback one.
    pub(crate) trusted_proxies: Vec<IpAddr>,
    /// The certificate for TLS, if the API is served over it.
    pub(crate) tls: Option<Tls>,
    /// The address of health checks and metrics.
    pub(crate) admin: Option<SocketAddr>,
    /// The path of an SQLite file, or a PostgreSQL URL.
    pub(crate) database: Option<String>,
    /// The bucket of the uploaded files, if they are in one.
    pub(crate) s3: Option<S3Settings>,
    /// The OpenID Connect provider whose tokens may manage keys.
    pub(crate) identity: Option<Identity>,
    /// Maximum keys of an account that are neither revoked nor expired.
    pub(crate) keys_per_account: u32,
    /// The secret that signs links, 64 hex digits.
    pub(crate) link_secret: Option<String>,
    /// The folder of the plugins.
    pub(crate) plugins: Option<PathBuf>,
    /// The folder of the networks that plugins run.
    pub(crate) models: Option<PathBuf>,
    /// The processor that runs networks.
    pub(crate) inference: Choice,
    /// The folder of compiled plugins.
    pub(crate) cache: Option<PathBuf>,
    /// The roles of this process.
    #[serde(deserialize_with = "list_or_words")]
    pub(crate) roles: Vec<Role>,
    /// Maximum guests that run at once.
    pub(crate) workers: Option<usize>,
    /// Seconds after which a job of a worker that sends no heartbeat is released.
    pub(crate) lease_seconds: u32,
    /// When models that fail are set aside.
    pub(crate) failures: Failures,
    /// Granted capabilities, by plugin.
    pub(crate) grants: BTreeMap<String, Vec<Grant>>,
    /// Trusted publishers' public keys, by a name of the operator's choice.
    pub(crate) publishers: BTreeMap<String, PublicKey>,
    /// Whether installed packages must be signed by a trusted publisher.
    pub(crate) require_signatures: bool,
    /// The OCR engine behind the capability `ocr`.
    pub(crate) ocr: Ocr,
    /// The provider of a language model.
    pub(crate) language: fanlight_language::Settings,
    /// Prices of jobs, by model.
    pub(crate) prices: Prices,
    /// Upper limits for every plugin.
    pub(crate) limits: Limits,
    /// Filter and format of the log.
    pub(crate) log: Log,
    /// Timeouts and limits of connections.
    pub(crate) http: Http,
    /// When expired data is deleted.
    pub(crate) retention: Retention,
    /// How finished jobs are posted to webhooks.
    pub(crate) webhooks: Webhooks,
    /// Limits of each tier.
    pub(crate) tiers: Tiers,
}

/// When models that fail by themselves are set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Failures {
    /// Failures in a row after which a model is set aside; 0 for never.
    pub(crate) in_a_row: u32,
    /// Seconds until it is first tried again.
    pub(crate) pause_seconds: u32,
}

/// How finished jobs are posted to the URLs in their submissions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Webhooks {
    /// Hosts whose addresses need not be public.
    pub(crate) allowed_hosts: Vec<String>,
    /// A file of further certificate authorities for those hosts.
    pub(crate) ca_file: Option<PathBuf>,
    /// Seconds to wait before each further attempt.
    pub(crate) retry_seconds: Vec<u32>,
    /// Maximum seconds of an attempt.
    pub(crate) timeout_seconds: u32,
}

/// Timeouts and limits of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Http {
    /// Maximum seconds from the first byte of a request to the end of its head.
    pub(crate) head_seconds: u32,
    /// Maximum seconds between two chunks of a body.
    pub(crate) pause_seconds: u32,
    /// Maximum seconds of a whole body, except an upload's.
    pub(crate) body_seconds: u32,
    /// Maximum connections at once.
    pub(crate) connections: u32,
    /// Maximum memory for request bodies, in megabytes of 1,000,000 bytes.
    pub(crate) bodies_megabytes: u32,
}

impl Http {
    /// Returns the maximum memory for request bodies, in bytes.
    pub(crate) fn body_bytes(&self) -> u64 {
        u64::from(self.bodies_megabytes) * 1_000_000
    }
}

/// A role of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// Answers API requests.
    Api,
    /// Runs jobs.
    Worker,
}

/// A certificate and its key, as PEM files.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tls {
    /// The certificate, followed by the intermediate certificates.
    pub(crate) certificate: PathBuf,
    /// The private key of the certificate.
    pub(crate) key: PathBuf,
}

/// An OpenID Connect provider.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Identity {
    /// The issuer identifier.
    pub(crate) issuer: String,
    /// The audience that tokens must have.
    pub(crate) audience: String,
    /// As which client the provider knows this server, for signing in at a browser.
    #[serde(default)]
    pub(crate) client_id: Option<String>,
    /// The client's secret, if it has one.
    #[serde(default)]
    pub(crate) client_secret: Option<String>,
}

/// Filter and format of the log.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Log {
    /// Directives of tracing's `EnvFilter`.
    pub(crate) filter: Option<String>,
    /// Format of a line.
    pub(crate) format: LogFormat,
}

/// Format of a line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    /// Text for people.
    Text,
    /// One JSON object per line.
    Json,
}

/// The keys that flags of a command set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags {
    /// `--config`
    pub(crate) config: Option<PathBuf>,
    /// `--data`
    pub(crate) data: Option<PathBuf>,
    /// `--listen`
    pub(crate) listen: Option<String>,
    /// `--role`
    pub(crate) role: Option<String>,
    /// `--inference`
    pub(crate) inference: Option<String>,
}

impl Configuration {
    /// Loads the configuration from defaults, file, environment and flags. Later sources override earlier ones.
    ///
    /// # Errors
    ///
    /// One sentence that names the key and the source that are not valid.
    pub(crate) fn load(flags: &Flags) -> anyhow::Result<Self> {
        let mut figment = Figment::from(Toml::string(DEFAULTS));
        if let Some(file) = &flags.config {
            if !file.is_file() {
                bail!("there is no configuration file {}", file.display());
            }
            figment = figment.merge(Toml::file_exact(file));
        }
        figment = figment.merge(Env::prefixed(ENVIRONMENT).split("__"));
        if let Some(data) = &flags.data {
            figment = figment.merge(Serialized::default("data", data));
        }
        if let Some(listen) = &flags.listen {
            figment = figment.merge(Serialized::default("listen", listen));
        }
        if let Some(role) = &flags.role {
            figment = figment.merge(Serialized::default("roles", role));
        }
        if let Some(inference) = &flags.inference {
            figment = figment.merge(Serialized::default("inference", inference));
        }
        let configuration: Self = figment.extract().map_err(|error| anyhow::anyhow!("{}", one_sentence(&error)))?;
        configuration.check()?;
        Ok(configuration)
    }

    /// Checks what the types of the keys do not.
    fn check(&self) -> anyhow::Result<()> {
        if self.roles.is_empty() {
            bail!("the configuration names no role: give `api`, `worker` or both");
        }
        if self.workers == Some(0) {
            bail!("`workers` must be at least 1");
        }
        if self.lease_seconds < 3 {
            bail!("`lease_seconds` must be at least 3");
        }
        if self.failures.pause_seconds == 0 {
            bail!("`pause_seconds` of failures must be at least 1");
        }
        let Http { head_seconds, pause_seconds, body_seconds, connections, .. } = self.http;
        if [head_seconds, pause_seconds, body_seconds, connections].contains(&0) {
            bail!("`head_seconds`, `pause_seconds`, `body_seconds` and `connections` must be at least 1");
        }
        if self.http.bodies_megabytes < LEAST_BODIES_MEGABYTES {
            bail!("`bodies_megabytes` must be at least {LEAST_BODIES_MEGABYTES}");
        }
        if self.retention.sweep_seconds == 0 {
            bail!("`sweep_seconds` must be at least 1");
        }
        self.language.endpoint()?;
        let tiers = [&self.tiers.free, &self.tiers.developer, &self.tiers.pro, &self.tiers.enterprise];
        if tiers.iter().any(|tier| !(1..=MOST_REQUESTS_PER_MINUTE).contains(&tier.requests_per_minute)) {
            bail!("`requests_per_minute` must be at least 1 and at most {MOST_REQUESTS_PER_MINUTE}");
        }
        let retentions = tiers.iter().flat_map(|tier| [tier.document_retention_days, tier.job_retention_days]);
        if retentions.max().is_some_and(|days| days > LONGEST_RETENTION_DAYS) {
            bail!("`document_retention_days` and `job_retention_days` must be at most {LONGEST_RETENTION_DAYS}");
        }
        for host in &self.webhooks.allowed_hosts {
            host.parse::<AllowedHost>().context("`allowed_hosts` is not valid")?;
        }
        if !(1..=LONGEST_WEBHOOK_SECONDS).contains(&self.webhooks.timeout_seconds) {
            bail!("`timeout_seconds` of webhooks must be from 1 to {LONGEST_WEBHOOK_SECONDS}");
        }
        if self.base_url.as_ref().is_some_and(|url| !Url::parse(url).is_ok_and(|url| is_web_address(&url))) {
            bail!("`base_url` must be an http or https address without a query");
        }
        if self.roles.contains(&Role::Api) && !self.listen.ip().is_loopback() {
            if self.tls.is_none() && self.trusted_proxies.is_empty() {
                bail!(
                    "{} is not a loopback address, and secrets must not cross a network in plain HTTP: give a \
                     certificate and its key in `tls`, or put a proxy that ends TLS before this server and name it \
                     in `trusted_proxies`, or listen on 127.0.0.1",
                    self.listen
                );
            }
            if self.base_url.is_none() {
                bail!(
                    "{} is not a loopback address, so `base_url` must say under which address clients find this server",
                    self.listen
                );
            }
        }
        Ok(())
    }

    /// Returns the default of `base_url` for a server that listens on this address.
    pub(crate) fn own_address(&self, listening: SocketAddr) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{listening}")
    }

    /// Returns the data folder, and creates it if it is missing.
    ///
    /// # Errors
    ///
    /// Fails if no data folder is configured, or it cannot be created.
    pub(crate) fn data_folder(&self) -> anyhow::Result<&Path> {
        let Some(folder) = &self.data else {
            bail!("no data folder is configured: give one with --data DIR");
        };
        create_private(folder).with_context(|| format!("can't create the data folder {}", folder.display()))?;
        Ok(folder)
    }

    /// Returns whether other users of this machine can read the data folder, which may have existed before.
    #[cfg(unix)]
    pub(crate) fn data_is_open(&self) -> anyhow::Result<bool> {
        use std::os::unix::fs::PermissionsExt;
        let folder = self.data_folder()?;
        let metadata = folder.metadata().with_context(|| format!("can't read {}", folder.display()))?;
        Ok(metadata.permissions().mode() & 0o077 != 0)
    }

    /// Returns false: access of other users cannot be checked on this platform.
    #[cfg(not(unix))]
    pub(crate) fn data_is_open(&self) -> anyhow::Result<bool> {
        self.data_folder().map(|_| false)
    }

    /// Returns the location of the database.
    pub(crate) fn database(&self) -> anyhow::Result<Location> {
        let folder = self.data_folder()?;
        let location = self.database.as_deref().map(str::parse).transpose()?;
        Ok(location.unwrap_or_else(|| Location::Sqlite(folder.join("fanlight.sqlite"))))
    }

    /// Returns the folder of the plugins.
    pub(crate) fn plugins_folder(&self) -> anyhow::Result<PathBuf> {
        if let Some(folder) = &self.plugins {
            return Ok(folder.clone());
        }
        let program = std::env::current_exe().context("can't determine the path of this program")?;
        Ok(program.with_file_name("plugins"))
    }

    /// Returns the folder of the networks that plugins run.
    pub(crate) fn models_folder(&self) -> anyhow::Result<PathBuf> {
        if let Some(folder) = &self.models {
            return Ok(folder.clone());
        }
        let program = std::env::current_exe().context("can't determine the path of this program")?;
        Ok(program.with_file_name("models"))
    }

    /// Returns the folder of the machine code that comes with the plugins.
    pub(crate) fn machine_code_folder(&self) -> anyhow::Result<PathBuf> {
        Ok(self.plugins_folder()?.join(MACHINE_CODE))
    }

    /// Returns the maximum number of guests that run at once: the configured one, else the number of cores.
    pub(crate) fn workers(&self) -> usize {
        self.workers.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }

    /// Returns the folder of the builtin OCR engine; `None` if another engine is configured, or it is not installed.
    ///
    /// # Errors
    ///
    /// Fails if the folder of plugins cannot be determined.
    pub(crate) fn ocr_engine(&self) -> anyhow::Result<Option<PathBuf>> {
        if self.ocr.engine != OcrEngine::Builtin {
            return Ok(None);
        }
        Ok(Some(self.plugins_folder()?.join(OCR_ENGINE)).filter(|folder| folder.is_dir()))
    }

    /// Returns the settings of the sandbox.
    ///
    /// # Errors
    ///
    /// Fails if no PDF engine is installed, or a folder cannot be determined.
    pub(crate) fn sandbox(&self, inference: Arc<Inference>) -> anyhow::Result<Settings> {
        let cache = match &self.cache {
            Some(folder) => folder.clone(),
            None => {
                dirs::cache_dir().context("this user has no cache folder: configure one as `cache`")?.join("fanlight")
            }
        };
        let pdf_engine = self.plugins_folder()?.join(PDF_ENGINE);
        if !pdf_engine.is_dir() {
            bail!("no PDF engine is installed: there is no folder {}", pdf_engine.display());
        }
        let ocr_engine = self.ocr_engine()?;
        let language = Client::open(self.language.clone())?;
        Ok(Settings {
            pdf_engine,
            ocr_engine,
            cache,
            machine_code: Some(self.machine_code_folder()?),
            parallel: self.workers(),
            ceiling: self.limits,
            compilation: Compilation::ForJobs,
            language,
            inference: Some(inference),
        })
    }

    /// Returns the OpenID Connect provider, if one is configured.
    pub(crate) fn identity(&self) -> Option<fanlight_identity::Settings> {
        let Identity { issuer, audience, client_id, client_secret } = self.identity.clone()?;
        let client = client_id.map(|id| fanlight_identity::Client { id, secret: client_secret });
        Some(fanlight_identity::Settings { issuer, audience, client })
    }

    /// Returns what a plugin is granted: by its name, by publisher and name if a trusted publisher has signed it, and by the
    /// digest of its package.
    pub(crate) fn granted(&self, plugin: &str, publisher: Option<&str>, digest: &str) -> BTreeSet<Grant> {
        let published = publisher.map(|publisher| format!("{publisher}/{plugin}"));
        let keys = [Some(plugin.to_owned()), published, Some(format!("{GRANT_TO_DIGEST}{digest}"))];
        let granted = keys.iter().flatten().filter_map(|key| self.grants.get(key));
        granted.flatten().cloned().collect()
    }

    /// Returns whether a grant names the digest of a package.
    pub(crate) fn grants_to_digests(&self) -> bool {
        self.grants.keys().any(|key| key.starts_with(GRANT_TO_DIGEST))
    }

    /// Returns the name of the publisher with this key, if it is trusted.
    pub(crate) fn publisher(&self, key: PublicKey) -> Option<&str> {
        self.publishers.iter().find(|(_, known)| **known == key).map(|(name, _)| name.as_str())
    }
}

impl Webhooks {
    /// Returns the options of the sender.
    ///
    /// # Errors
    ///
    /// Fails if a host is not valid, or the file of certificate authorities cannot be read.
    pub(crate) fn sender_options(&self) -> anyhow::Result<SenderOptions> {
        Ok(SenderOptions {
            allowed_hosts: self.allowed_hosts.iter().map(|host| host.parse()).collect::<Result<_, _>>()?,
            authorities: self.ca_file.as_deref().map(read_file).transpose()?,
            time_limit: self.time_limit(),
        })
    }

    /// Returns the maximum time of an attempt.
    pub(crate) fn time_limit(&self) -> Duration {
        Duration::from_secs(u64::from(self.timeout_seconds))
    }

    /// Returns the waits before each further attempt.
    pub(crate) fn retries(&self) -> Vec<Duration> {
        self.retry_seconds.iter().map(|seconds| Duration::from_secs(u64::from(*seconds))).collect()
    }
}

/// What reads text from pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OcrEngine {
    /// The sandboxed engine on the host's networks.
    Builtin,
    /// The program Tesseract.
    Tesseract,
}

/// The OCR engine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ocr {
    /// Which engine reads. The other settings are Tesseract's.
    pub(crate) engine: OcrEngine,
    /// The Tesseract program: a name that is looked up in `PATH`, or a path.
    pub(crate) program: PathBuf,
    /// The folder of language data, if it is not the program's default.
    pub(crate) tessdata: Option<PathBuf>,
    /// Maximum seconds for one picture.
    pub(crate) seconds: u32,
    /// Maximum memory of one run, in megabytes (2^20 bytes).
    pub(crate) memory_mb: u32,
}

/// Returns whether a URL is an http or https one without a query.
fn is_web_address(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.query().is_none()
}

fn read_file(file: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(file).with_context(|| format!("can't read {}", file.display()))
}

/// Returns a sentence that says what is wrong, with which key, and where it was set.
fn one_sentence(error: &figment::Error) -> String {
    let key = if error.path.is_empty() { String::new() } else { format!(" for `{}`", error.path.join(".")) };
    let place = error.metadata.as_ref().map_or_else(String::new, |metadata| match &metadata.source {
        Some(Source::Code(_)) => " in the command's flags".to_owned(),
        Some(source) => format!(" in {source}"),
        None => format!(" in {}", metadata.name),
    });
    format!("the configuration is not valid: {}{key}{place}", error.kind)
}

/// Reads roles from a list, or from one text with commas, as flags and environment variables have it.
fn list_or_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Role>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Words {
        Text(String),
        List(Vec<String>),
    }
    let words = match Words::deserialize(deserializer)? {
        Words::Text(text) => text.split(',').map(|word| word.trim().to_owned()).collect(),
        Words::List(words) => words,
    };
    words.iter().map(|word| parse_role(word).map_err(serde::de::Error::custom)).collect()
}

/// Returns the role with this name, or a sentence that lists the roles.
fn parse_role(word: &str) -> Result<Role, String> {
    match word {
        "api" => Ok(Role::Api),
        "worker" => Ok(Role::Worker),
        other => Err(format!("{other:?} is not a role: one of api, worker")),
    }
}

/// Creates a folder that only this user can read.
#[cfg(unix)]
fn create_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Creates a folder, with the platform's default access.
#[cfg(not(unix))]
fn create_private(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use fanlight_store::WEBHOOK_RETRIES;

    use super::price::Price;
    use super::*;

    fn from_file(text: &str) -> anyhow::Result<Configuration> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("fanlight.toml");
        std::fs::write(&file, text)?;
        Configuration::load(&Flags { config: Some(file), ..Flags::default() })
    }

    #[test]
    fn grants_are_to_a_name_a_publisher_or_a_digest() {
        let key = "3b".repeat(32);
        let text = format!(
            "[publishers]\nacme = '{key}'\n[grants]\ncounter = ['ocr']\n\"acme/counter\" = ['nn:a']\n\"sha256:12\" = ['nn:b']\n"
        );
        let configuration = from_file(&text).unwrap();
        let model = |name: &str| Grant::Model(name.to_owned());
        let cases = [
            (None, "", vec![Grant::Ocr]),
            (Some("acme"), "", vec![Grant::Ocr, model("a")]),
            (Some("other"), "12", vec![Grant::Ocr, model("b")]),
        ];
        for (publisher, digest, expected) in cases {
            assert_eq!(configuration.granted("counter", publisher, digest), expected.into_iter().collect());
        }
        assert_eq!(configuration.publisher(key.parse().unwrap()), Some("acme"));
        assert!(configuration.grants_to_digests());
        let error = from_file("[publishers]\nacme = '12'").unwrap_err().to_string();
        assert!(error.contains("a public key is 64 hex digits"), "{error}");
    }

    #[test]
    fn documented_defaults_match_the_code() {
        let configuration = from_file("").unwrap();
        assert_eq!(configuration.tiers, Tiers::default());
        // A package that names no limits gets less than the operator lets others ask for.
        assert_eq!(configuration.limits, Limits { seconds: 1800, ..Limits::default() });
        assert_eq!(configuration.language, fanlight_language::Settings::default());
        assert_eq!(configuration.roles, [Role::Api, Role::Worker]);
        assert_eq!(configuration.webhooks.retries(), WEBHOOK_RETRIES);
    }

    #[test]
    fn every_key_is_documented() {
        let error = from_file("nonsense = 1").unwrap_err().to_string();
        let in_language = from_file("[language]\nnonsense = 1").unwrap_err().to_string();
        let in_bucket = from_file("[s3]\nnonsense = 1").unwrap_err().to_string();
        let in_http = from_file("[http]\nnonsense = 1").unwrap_err().to_string();
        let error = format!("{error} {in_language} {in_bucket} {in_http}");
        let is_key = |word: &&str| *word != "nonsense" && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        let keys: Vec<&str> = error.split('`').filter(is_key).filter(|word| !word.is_empty()).collect();
        assert!(keys.len() >= 15, "{error}");
        for key in keys {
            let documented = DEFAULTS.lines().any(|line| {
                let line = line.trim_start_matches("# ");
                line.starts_with(&format!("{key} = "))
                    || line.starts_with(&format!("[{key}"))
                    || line.ends_with(&format!(".{key}]"))
            });
            assert!(documented, "`{key}` is not in fanlight.toml");
        }
    }

    #[test]
    fn an_error_names_the_key_in_one_sentence() {
        let cases = [
            ("colour = 'red'", "unknown field: found `colour`"),
            ("[limits]\nmemory = 5", "unknown field: found `memory`"),
            ("lease_seconds = 'long'", "for `lease_seconds`"),
            ("lease_seconds = 1", "`lease_seconds` must be at least 3"),
            ("roles = ['api', 'cook']", "\"cook\" is not a role"),
            ("roles = []", "names no role"),
            ("[tiers.free]\njob_retention_days = 4000000000", "must be at most 36500"),
            ("[prices.door-detector]\ncredits = -1", "for `prices.door-detector.credits`"),
            ("[prices.acme]\ncredits = 1", "missing field `per`"),
            ("[tiers.pro]\nrequests_per_minute = 0", "`requests_per_minute` must be at least 1"),
            ("[http]\nhead_seconds = 0", "must be at least 1"),
            ("[http]\nconnections = 0", "must be at least 1"),
            ("[http]\nbodies_megabytes = 23", "`bodies_megabytes` must be at least 24"),
            ("[http]\nconnection = 5", "unknown field: found `connection`"),
            ("[retention]\nsweep_seconds = 0", "`sweep_seconds` must be at least 1"),
            ("[webhooks]\nallowed_hosts = ['https://hooks.internal']", "`allowed_hosts` is not valid"),
            ("[webhooks]\ntimeout_seconds = 0", "must be from 1 to 60"),
            ("inference = 'tpu'", "for `inference`"),
            ("workers = 0", "`workers` must be at least 1"),
            ("[language]\nbase_url = 'https://api.example.com/v1'", "`model` is missing"),
            (
                "[language]\nbase_url = 'http://api.example.com/v1'\nmodel = 'small'\napi_key = 'secret'",
                "`api_key` needs a `base_url` with https",
            ),
            ("[language]\nprovider = 'openai'", "unknown field: found `provider`"),
            ("[s3]\nprefix = 'documents'", "missing field `bucket`"),
            ("base_url = 'ftp://example.com'", "`base_url` must be an http or https address"),
            ("listen = '0.0.0.0:80'", "0.0.0.0:80 is not a loopback address"),
            ("listen = '0.0.0.0:80'\ntrusted_proxies = ['10.0.0.1']", "`base_url` must say under which address"),
            (
                "listen = '0.0.0.0:80'\ntls = { certificate = 'c', key = 'k' }",
                "`base_url` must say under which address",
            ),
            ("tls = { certificate = 'c' }", "missing field `key`"),
            ("[grants]\ntoc-parser = ['nn']", "`nn` is nothing that can be granted"),
        ];
        for (text, expected) in cases {
            let error = from_file(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn an_error_in_a_flag_says_so() {
        let flags = Flags { listen: Some("here".to_owned()), ..Flags::default() };
        let error = Configuration::load(&flags).unwrap_err().to_string();
        assert!(error.ends_with("for `listen` in the command's flags"), "{error}");
    }

    #[test]
    fn a_flag_overrides_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("fanlight.toml");
        std::fs::write(&file, "listen = '127.0.0.1:1'\nlease_seconds = 9\nroles = ['api']").unwrap();
        let flags = Flags {
            config: Some(file),
            listen: Some("127.0.0.1:2".to_owned()),
            role: Some("worker, api".to_owned()),
            ..Flags::default()
        };
        let configuration = Configuration::load(&flags).unwrap();
        assert_eq!(configuration.listen.port(), 2);
        assert_eq!(configuration.roles, [Role::Worker, Role::Api]);
        assert_eq!(configuration.lease_seconds, 9);
    }

    #[test]
    fn a_configured_price_leaves_other_prices_unchanged() {
        let configuration =
            from_file("[prices]\nacme = { credits = 7, per = 'page' }\ndoor-detector.credits = 5").unwrap();
        let per_page = |credits| Price { credits, per: Unit::Page };
        assert_eq!(configuration.prices.price("acme"), per_page(7));
        assert_eq!(configuration.prices.price("door-detector"), per_page(5));
        assert_eq!(configuration.prices.price("room-detector"), per_page(2));
    }

    #[test]
    fn a_plugin_gets_the_grants_under_its_name() {
        let configuration = from_file("[grants]\nschedule-extractor = ['ocr', 'nn:tables']").unwrap();
        assert_eq!(
            configuration.granted("schedule-extractor", None, ""),
            [Grant::Ocr, Grant::Model("tables".to_owned())].into()
        );
        assert_eq!(configuration.granted("similar-symbols", None, ""), [].into());
    }
}
