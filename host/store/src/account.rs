//! Accounts and their API keys.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use sqlx::any::AnyRow;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::Store;
use crate::database::{Columns, LookedUpRow};
use crate::direct::Version;
use crate::error::StoreError;
use crate::listing::{ListPage, ListRequest, Listed};
use crate::sealing;
use crate::tier::Tier;

/// The beginning of every secret.
const SECRET_PREFIX: &str = "fl_";

/// The beginning of every webhook secret, as Standard Webhooks prescribes it.
pub(crate) const WEBHOOK_SECRET_PREFIX: &str = "whsec_";

/// Random bytes of a secret, printed as two hex digits each.
const SECRET_BYTES: usize = 32;

/// Length of the visible prefix of a secret: `fl_` and 8 digits.
const VISIBLE_PREFIX: usize = SECRET_PREFIX.len() + 8;

/// Maximum length of a key's name, in characters.
const MAX_NAME_CHARS: usize = 100;

/// A key's last use is written at most this often, so that a request that reads does not write as a rule.
const LAST_USED_RESOLUTION: Duration = Duration::from_mins(1);

/// An owner of documents, jobs and keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The account's id.
    pub id: Uuid,
    /// The account's name: unique among operators' accounts, only a label where there is an identity.
    pub name: String,
    /// The highest tier that the account's keys act with.
    pub plan: Tier,
    /// When the account was created.
    pub created_at: DateTime<Utc>,
    /// The person whose account it is; absent for accounts that operators created.
    pub identity: Option<Identity>,
}

/// A person as an OpenID Connect provider identifies them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider's issuer identifier.
    pub issuer: String,
    /// The person's identifier, unique within the provider.
    pub subject: String,
}

/// An API key without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// The key's id.
    pub id: Uuid,
    /// The account that the key acts for.
    pub account_id: Uuid,
    /// The name that its owner gave it.
    pub name: String,
    /// The visible prefix of the secret: `fl_` and its first 8 hex digits.
    pub prefix: String,
    /// The tier that the key was created with. It acts with the account's plan where that is lower.
    pub tier: Tier,
    /// When the key was created.
    pub created_at: DateTime<Utc>,
    /// When the key was last used, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    /// From then on the key is refused; it does not expire when absent.
    pub expires_at: Option<DateTime<Utc>>,
}

/// The settings of a new key.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// The key's name: 1 to 100 printable characters, at least one of them no space.
    pub name: String,
    /// The key's tier, at most the account's plan.
    pub tier: Tier,
    /// From then on the key is refused; it does not expire when absent.
    pub expires_at: Option<DateTime<Utc>>,
}

/// A key's secret. The database keeps only its SHA-256. `Debug` does not show it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Returns the secret: `fl_` and 64 hex digits.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn random() -> Self {
        let bytes: [u8; SECRET_BYTES] = rand::random();
        Self(format!("{SECRET_PREFIX}{}", hex::encode(bytes)))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The secret that signs a key's messages to webhooks, as in Standard Webhooks: `whsec_` and base64. The database keeps
/// it sealed ([`crate::sealing`]). `Debug` does not show it.
#[derive(Clone)]
pub struct WebhookSecret(String);

impl WebhookSecret {
    /// Returns the secret.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Wraps a secret that the database holds, already opened.
    pub(crate) fn from_stored(text: String) -> Self {
        Self(text)
    }

    fn random() -> Self {
        let bytes: [u8; SECRET_BYTES] = rand::random();
        Self(format!("{WEBHOOK_SECRET_PREFIX}{}", BASE64_STANDARD.encode(bytes)))
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

/// A key that was just created, with its secrets, which are not shown again.
#[derive(Debug, Clone)]
pub struct CreatedKey {
    /// The key.
    pub key: ApiKey,
    /// The key's secret.
    pub secret: Secret,
    /// The secret that signs its messages to webhooks.
    pub webhook_secret: WebhookSecret,
}

/// The sender of a request: the account, the key and the tier that the key acts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub account_id: Uuid,
    /// The key.
    pub key_id: Uuid,
    /// The key's tier, or the account's plan where that is lower.
    pub tier: Tier,
}

/// A key with the prefix of a presented secret. Its secret may be another one.
#[derive(Debug)]
pub(crate) struct Candidate {
    caller: Caller,
    secret_sha256: String,
    last_used_at: Option<DateTime<Utc>>,
    expires_at: Option<DateTime<Utc>>,
}

/// The columns of [`read_account`].
macro_rules! account_columns {
    () => {
        "id, name, plan, created_at, issuer, subject"
    };
}
pub(crate) use account_columns;

/// The columns of [`read_key`].
macro_rules! key_columns {
    () => {
        "id, account_id, name, prefix, tier, created_at, last_used_at, expires_at"
    };
}

impl Store {
    /// Returns the operators' account of this name, and creates it with `plan` if there is none. An existing account
    /// keeps its plan.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn account_named(&self, name: &str, plan: Tier) -> Result<Account, StoreError> {
        let now = self.clock.now();
        sqlx::query(
            "INSERT INTO accounts (id, name, plan, created_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (name) WHERE issuer IS NULL DO NOTHING",
        )
        .bind(self.new_id(now).to_string())
        .bind(name)
        .bind(plan.as_str())
        .bind(now.timestamp_micros())
        .execute(self.database.writer())
        .await?;
        self.operators_account(name).await
    }

    /// Returns the operators' account of this name.
    ///
    /// # Errors
    ///
    /// [`StoreError::AccountNotFound`]
    pub async fn operators_account(&self, name: &str) -> Result<Account, StoreError> {
        let row =
            sqlx::query(concat!("SELECT ", account_columns!(), " FROM accounts WHERE name = $1 AND issuer IS NULL"))
                .bind(name)
                .fetch_optional(self.database.writer())
                .await?
                .ok_or(StoreError::AccountNotFound)?;
        read_account(&row)
    }

    /// Returns the account of an identity. The first time it is created, with the plan `free` and the name `label`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn account_of(&self, identity: &Identity, label: &str) -> Result<Account, StoreError> {
        if let Some(known) = self.known_account_of(identity).await? {
            return Ok(known);
        }
        let now = self.clock.now();
        sqlx::query(
            "INSERT INTO accounts (id, name, plan, created_at, issuer, subject) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (issuer, subject) WHERE issuer IS NOT NULL DO NOTHING",
        )
        .bind(self.new_id(now).to_string())
        .bind(label)
        .bind(Tier::Free.as_str())
        .bind(now.timestamp_micros())
        .bind(&*identity.issuer)
        .bind(&*identity.subject)
        .execute(self.database.writer())
        .await?;
        self.known_account_of(identity).await?.ok_or(StoreError::AccountNotFound)
    }

    async fn known_account_of(&self, identity: &Identity) -> Result<Option<Account>, StoreError> {
        let row =
            sqlx::query(concat!("SELECT ", account_columns!(), " FROM accounts WHERE issuer = $1 AND subject = $2"))
                .bind(&*identity.issuer)
                .bind(&*identity.subject)
                .fetch_optional(&self.database.reader)
                .await?;
        row.as_ref().map(read_account).transpose()
    }

    /// Returns every account, oldest first. For operators.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        let rows = sqlx::query(concat!("SELECT ", account_columns!(), " FROM accounts ORDER BY id"))
            .fetch_all(&self.database.reader)
            .await?;
        rows.iter().map(read_account).collect()
    }

    /// Changes an account's plan. Keys with a higher tier act with the new plan from the next request on.
    ///
    /// # Errors
    ///
    /// [`StoreError::AccountNotFound`]
    pub async fn set_plan(&self, account_id: Uuid, plan: Tier) -> Result<(), StoreError> {
        let changed = sqlx::query("UPDATE accounts SET plan = $1 WHERE id = $2")
            .bind(plan.as_str())
            .bind(account_id.to_string())
            .execute(self.database.writer())
            .await?;
        if changed.rows_affected() == 0 {
            return Err(StoreError::AccountNotFound);
        }
        Ok(())
    }

    /// Creates a key.
    ///
    /// # Errors
    ///
    /// [`StoreError::AccountNotFound`], [`StoreError::TierAbovePlan`], [`StoreError::InvalidKeyName`],
    /// [`StoreError::ExpiryPassed`], [`StoreError::TooManyKeys`], or [`StoreError::NotSealed`].
    pub async fn create_key(&self, account_id: Uuid, new: NewKey) -> Result<CreatedKey, StoreError> {
        let now = self.clock.now();
        if !is_valid_name(&new.name) {
            return Err(StoreError::InvalidKeyName);
        }
        if new.expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Err(StoreError::ExpiryPassed);
        }
        let mut transaction = self.database.write().await?;
        // An update that changes nothing locks the account's row, so that keys created at once are counted one by one.
        let account =
            sqlx::query(concat!("UPDATE accounts SET plan = plan WHERE id = $1 RETURNING ", account_columns!()))
                .bind(account_id.to_string())
                .fetch_optional(&mut *transaction)
                .await?
                .ok_or(StoreError::AccountNotFound)?;
        let plan = read_account(&account)?.plan;
        if new.tier > plan {
            return Err(StoreError::TierAbovePlan { tier: new.tier, plan });
        }
        let live = sqlx::query(
            "SELECT COUNT(*) AS live FROM api_keys
             WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
        )
        .bind(account_id.to_string())
        .bind(now.timestamp_micros())
        .fetch_one(&mut *transaction)
        .await?;
        if live.count("live")? >= u64::from(self.keys_per_account) {
            return Err(StoreError::TooManyKeys { limit: self.keys_per_account });
        }

        let (secret, webhook_secret) = (Secret::random(), WebhookSecret::random());
        let key = ApiKey {
            id: self.new_id(now),
            account_id,
            name: new.name,
            prefix: visible_prefix(secret.reveal()).ok_or(StoreError::InvalidKey)?.to_owned(),
            tier: new.tier,
            created_at: now,
            last_used_at: None,
            expires_at: new.expires_at,
        };
        sqlx::query(
            "INSERT INTO api_keys (id, account_id, name, prefix, secret_sha256, tier, created_at, expires_at, webhook_secret)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(key.id.to_string())
        .bind(account_id.to_string())
        .bind(&*key.name)
        .bind(&*key.prefix)
        .bind(digest(secret.reveal()))
        .bind(key.tier.as_str())
        .bind(now.timestamp_micros())
        .bind(key.expires_at.map(|time| time.timestamp_micros()))
        .bind(sealing::seal(&*self.sealing, key.id, &webhook_secret)?)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(CreatedKey { key, secret, webhook_secret })
    }

    /// Returns the account's keys that are not revoked, oldest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn keys(&self, account_id: Uuid) -> Result<Vec<ApiKey>, StoreError> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            key_columns!(),
            " FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL ORDER BY id"
        ))
        .bind(account_id.to_string())
        .fetch_all(&self.database.reader)
        .await?;
        rows.iter().map(read_key).collect()
    }

    /// Returns a page of the account's keys that are not revoked, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidListRequest`]
    pub async fn list_keys(&self, account_id: Uuid, request: &ListRequest) -> Result<Listed<ApiKey>, StoreError> {
        let page = ListPage::new(request, "keys", account_id, &[])?;
        let rows = sqlx::query(concat!(
            "SELECT ",
            key_columns!(),
            " FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL AND id < $2 ORDER BY id DESC LIMIT $3"
        ))
        .bind(account_id.to_string())
        .bind(page.before())
        .bind(page.rows())
        .fetch_all(&self.database.reader)
        .await?;
        let keys: Vec<ApiKey> = rows.iter().map(read_key).collect::<Result<_, _>>()?;
        Ok(page.into_listed(keys, |key| key.id))
    }

    /// Returns a key of the account.
    ///
    /// # Errors
    ///
    /// [`StoreError::KeyNotFound`], also when it is revoked or belongs to another account.
    pub async fn key(&self, account_id: Uuid, key_id: Uuid) -> Result<ApiKey, StoreError> {
        let row = sqlx::query(concat!(
            "SELECT ",
            key_columns!(),
            " FROM api_keys WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL"
        ))
        .bind(key_id.to_string())
        .bind(account_id.to_string())
        .fetch_optional(&self.database.reader)
        .await?
        .ok_or(StoreError::KeyNotFound)?;
        read_key(&row)
    }

    /// Returns the keys of every account that are not revoked, oldest first. For operators.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn all_keys(&self) -> Result<Vec<(Account, ApiKey)>, StoreError> {
        let mut keys = Vec::new();
        for account in self.accounts().await? {
            keys.extend(self.keys(account.id).await?.into_iter().map(|key| (account.clone(), key)));
        }
        keys.sort_by_key(|(_, key)| key.id);
        Ok(keys)
    }

    /// Revokes a key. This can't be undone.
    ///
    /// # Errors
    ///
    /// [`StoreError::KeyNotFound`], also when it is revoked already or belongs to another account.
    pub async fn revoke_key(&self, account_id: Uuid, key_id: Uuid) -> Result<(), StoreError> {
        let revoked =
            sqlx::query("UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND account_id = $3 AND revoked_at IS NULL")
                .bind(self.clock.now().timestamp_micros())
                .bind(key_id.to_string())
                .bind(account_id.to_string())
                .execute(self.database.writer())
                .await?;
        if revoked.rows_affected() == 0 {
            return Err(StoreError::KeyNotFound);
        }
        Ok(())
    }

    /// Returns whose secret this is, and notes the key's use. Candidates are found by the visible prefix. Their digests
    /// are compared in constant time, so that the timing of an answer reveals nothing of a stored digest.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidKey`] unless it is the secret of a key that is neither revoked nor expired.
    pub async fn authenticate(&self, secret: &str) -> Result<Caller, StoreError> {
        let prefix = visible_prefix(secret).ok_or(StoreError::InvalidKey)?;
        let now = self.clock.now();
        let version = self.database.version();
        let candidates = match self.candidates.get(version, &prefix.to_owned()) {
            Some(candidates) => candidates,
            None => self.look_up_candidates(prefix, version).await?,
        };

        let presented = digest(secret);
        let key = candidates.iter().find(|key| key.has_digest(&presented)).ok_or(StoreError::InvalidKey)?;
        if key.expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Err(StoreError::InvalidKey);
        }
        self.note_use(key.caller.key_id, key.last_used_at, now).await;
        Ok(key.caller)
    }

    /// Reads and caches the keys with this visible prefix that are not revoked. Expired keys are among them.
    async fn look_up_candidates(&self, prefix: &str, version: Option<Version>) -> Result<Arc<[Candidate]>, StoreError> {
        let statement = "SELECT k.id, k.account_id, k.tier, k.secret_sha256, k.last_used_at, k.expires_at, a.plan
             FROM api_keys k JOIN accounts a ON a.id = k.account_id
             WHERE k.prefix = $1 AND k.revoked_at IS NULL";
        let found = self.database.look_up(statement, &[prefix], read_candidate).await?;
        let candidates: Arc<[Candidate]> = found.into();
        // Unknown prefixes are not cached: anybody can send any number of them.
        if !candidates.is_empty() {
            let bytes = candidates.len() * (size_of::<Candidate>() + SECRET_BYTES * 2);
            self.candidates.insert(version, prefix.to_owned(), candidates.clone(), bytes);
        }
        Ok(candidates)
    }

    /// Writes a key's last use, unless a use within the last minute is written already. A failure is only logged: it must
    /// not fail the request.
    async fn note_use(&self, key_id: Uuid, noted: Option<DateTime<Utc>>, now: DateTime<Utc>) {
        if noted.is_some_and(|noted| now < noted + LAST_USED_RESOLUTION) {
            return;
        }
        let written = sqlx::query("UPDATE api_keys SET last_used_at = $1 WHERE id = $2")
            .bind(now.timestamp_micros())
            .bind(key_id.to_string())
            .execute(self.database.writer())
            .await;
        if let Err(error) = written {
            tracing::warn!(key = %key_id, %error, "could not write a key's last use");
        }
    }
}

impl Candidate {
    /// Compares the digest of its secret in constant time.
    fn has_digest(&self, presented: &str) -> bool {
        self.secret_sha256.as_bytes().ct_eq(presented.as_bytes()).into()
    }
}

/// Returns whether a key may have this name: see [`NewKey::name`].
fn is_valid_name(name: &str) -> bool {
    let printable = !name.trim().is_empty() && !name.contains(char::is_control);
    printable && name.chars().count() <= MAX_NAME_CHARS
}

/// Returns the visible prefix of a secret, or `None` if it is malformed.
fn visible_prefix(secret: &str) -> Option<&str> {
    let digits = secret.strip_prefix(SECRET_PREFIX)?;
    let well_formed = digits.len() == 2 * SECRET_BYTES && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !well_formed {
        return None;
    }
    secret.get(..VISIBLE_PREFIX)
}

/// Returns what the database keeps of a secret: its SHA-256 in hex digits.
pub(crate) fn digest(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

/// Reads an account from a row with `account_columns!()`.
pub(crate) fn read_account(row: &AnyRow) -> Result<Account, StoreError> {
    let identity = match (row.optional_text("issuer")?, row.optional_text("subject")?) {
        (Some(issuer), Some(subject)) => Some(Identity { issuer, subject }),
        _ => None,
    };
    Ok(Account {
        identity,
        id: row.id("id")?,
        name: row.text("name")?,
        plan: row.word("plan", "tier")?,
        created_at: row.time("created_at")?,
    })
}

fn read_candidate(row: &LookedUpRow<'_>) -> Result<Candidate, StoreError> {
    let (tier, plan): (Tier, Tier) = (row.word("tier", "tier")?, row.word("plan", "tier")?);
    let caller = Caller { account_id: row.id("account_id")?, key_id: row.id("id")?, tier: tier.min(plan) };
    Ok(Candidate {
        caller,
        secret_sha256: row.text("secret_sha256")?,
        last_used_at: row.optional_time("last_used_at")?,
        expires_at: row.optional_time("expires_at")?,
    })
}

fn read_key(row: &AnyRow) -> Result<ApiKey, StoreError> {
    Ok(ApiKey {
        id: row.id("id")?,
        account_id: row.id("account_id")?,
        name: row.text("name")?,
        prefix: row.text("prefix")?,
        tier: row.word("tier", "tier")?,
        created_at: row.time("created_at")?,
        last_used_at: row.optional_time("last_used_at")?,
        expires_at: row.optional_time("expires_at")?,
    })
}
