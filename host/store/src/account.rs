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
use crate::database::{Columns, Found};
use crate::direct::Version;
use crate::error::StoreError;
use crate::listing::{ListRequest, Listed, Part};
use crate::sealing;
use crate::tier::Tier;

/// What every secret starts with.
const SECRET_PREFIX: &str = "fl_";

/// What every webhook secret starts with.
pub(crate) const WEBHOOK_SECRET_PREFIX: &str = "whsec_";

/// Random bytes of a secret, printed as twice as many hex digits.
const SECRET_BYTES: usize = 32;

/// Length of the part that stays visible: `fl_` and 8 digits.
const VISIBLE_PREFIX: usize = SECRET_PREFIX.len() + 8;

/// The longest name of a key, in characters.
const LONGEST_NAME: usize = 100;

/// A key's last use is written at most this often, so that reading requests stay reads.
const LAST_USED_RESOLUTION: Duration = Duration::from_mins(1);

/// Who owns documents, jobs and keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: Uuid,
    /// Its name: unique among the operators' accounts, a label where there is an identity.
    pub name: String,
    /// The highest tier that its keys may have.
    pub plan: Tier,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Whose it is; absent for the accounts that operators made.
    pub identity: Option<Identity>,
}

/// Somebody as an OpenID Connect provider tells them from everybody else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider.
    pub issuer: String,
    /// Who it is, unique within the provider.
    pub subject: String,
}

/// An API key without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Its id.
    pub id: Uuid,
    /// The account it acts for.
    pub account_id: Uuid,
    /// What its owner calls it.
    pub name: String,
    /// `fl_` and the first 8 hex digits of the secret.
    pub prefix: String,
    /// Its tier as created; it acts with the account's plan when that is lower.
    pub tier: Tier,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    /// From when on it is refused.
    pub expires_at: Option<DateTime<Utc>>,
}

/// What a new key is to be.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// What its owner calls it: 1 to 100 printable characters, and not only spaces.
    pub name: String,
    /// At most the account's plan.
    pub tier: Tier,
    /// From when on it is refused; never, when absent.
    pub expires_at: Option<DateTime<Utc>>,
}

/// A key's secret, which exists only here: the database keeps its SHA-256. It does not print itself in logs.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// The secret itself: `fl_` and 64 hex digits.
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

/// What a key's messages to webhooks are signed with, as Standard Webhooks has it: `whsec_` and base64. The database
/// keeps it sealed ([`crate::sealing`]). It does not print itself in logs.
#[derive(Clone)]
pub struct WebhookSecret(String);

impl WebhookSecret {
    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub(crate) fn stored(text: String) -> Self {
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

/// A key just made, with the only sight of its secrets.
#[derive(Debug, Clone)]
pub struct CreatedKey {
    /// The key.
    pub key: ApiKey,
    /// Its secret.
    pub secret: Secret,
    /// What its messages to webhooks are signed with.
    pub webhook_secret: WebhookSecret,
}

/// Who makes a request: the account and the tier that its key acts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub account_id: Uuid,
    /// The key.
    pub key_id: Uuid,
    /// The key's tier, or the account's plan where that is lower.
    pub tier: Tier,
}

/// A key whose secret may be the one that was presented.
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
    /// The operators' account of that name, made with `plan` when there is none. The plan of one that exists is left as it is.
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

    /// The operators' account of that name.
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

    /// The account of that identity, made with the plan `free` and the name `label` at its first sight.
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

    /// Every account, oldest first: for operators.
    pub async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        let rows = sqlx::query(concat!("SELECT ", account_columns!(), " FROM accounts ORDER BY id"))
            .fetch_all(&self.database.reader)
            .await?;
        rows.iter().map(read_account).collect()
    }

    /// Changes an account's plan. Keys above it act with the new plan from the next request on.
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

    /// Makes a key.
    ///
    /// # Errors
    ///
    /// [`StoreError::AccountNotFound`], [`StoreError::TierAbovePlan`], [`StoreError::InvalidKeyName`],
    /// [`StoreError::ExpiryPassed`], [`StoreError::TooManyKeys`], or [`StoreError::NotSealed`].
    pub async fn create_key(&self, account_id: Uuid, new: NewKey) -> Result<CreatedKey, StoreError> {
        let now = self.clock.now();
        let printable = !new.name.trim().is_empty() && !new.name.contains(char::is_control);
        if !printable || new.name.chars().count() > LONGEST_NAME {
            return Err(StoreError::InvalidKeyName);
        }
        if new.expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Err(StoreError::ExpiryPassed);
        }
        let mut transaction = self.database.write().await?;
        // Changing nothing locks the account's row, so that keys made at the same time are counted one by one.
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

    /// The account's keys that are not revoked, oldest first.
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

    /// The account's keys that are not revoked, a page at a time and newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidListRequest`]
    pub async fn list_keys(&self, account_id: Uuid, request: &ListRequest) -> Result<Listed<ApiKey>, StoreError> {
        let part = Part::of(request, "keys", account_id, &[])?;
        let rows = sqlx::query(concat!(
            "SELECT ",
            key_columns!(),
            " FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL AND id < $2 ORDER BY id DESC LIMIT $3"
        ))
        .bind(account_id.to_string())
        .bind(part.before())
        .bind(part.rows())
        .fetch_all(&self.database.reader)
        .await?;
        let keys: Vec<ApiKey> = rows.iter().map(read_key).collect::<Result<_, _>>()?;
        Ok(part.listed(keys, |key| key.id))
    }

    /// A key of the account that is not revoked.
    ///
    /// # Errors
    ///
    /// [`StoreError::KeyNotFound`]
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

    /// Every account's keys that are not revoked, oldest first: for operators.
    pub async fn all_keys(&self) -> Result<Vec<(Account, ApiKey)>, StoreError> {
        let mut keys = Vec::new();
        for account in self.accounts().await? {
            keys.extend(self.keys(account.id).await?.into_iter().map(|key| (account.clone(), key)));
        }
        keys.sort_by_key(|(_, key)| key.id);
        Ok(keys)
    }

    /// Revokes a key for good.
    ///
    /// # Errors
    ///
    /// [`StoreError::KeyNotFound`] for a key of another account and for one already revoked.
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

    /// Who presents this secret. Candidates are found by the visible prefix and told apart by their digests in
    /// constant time, so that an answer's timing says nothing about a stored digest.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidKey`] for anything but the secret of a key that is neither revoked nor expired.
    pub async fn authenticate(&self, secret: &str) -> Result<Caller, StoreError> {
        let prefix = visible_prefix(secret).ok_or(StoreError::InvalidKey)?;
        let now = self.clock.now();
        let version = self.database.version();
        let candidates = match self.candidates.recall(version, &prefix.to_owned()) {
            Some(candidates) => candidates,
            None => self.look_up_candidates(prefix, version).await?,
        };

        let presented = digest(secret);
        let is_presented = |key: &&Candidate| bool::from(key.secret_sha256.as_bytes().ct_eq(presented.as_bytes()));
        let key = candidates.iter().find(is_presented).ok_or(StoreError::InvalidKey)?;
        if key.expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Err(StoreError::InvalidKey);
        }
        self.note_use(key.caller.key_id, key.last_used_at, now).await;
        Ok(key.caller)
    }

    /// The keys with that visible prefix that are not revoked, expired or not, from the database. They are remembered.
    async fn look_up_candidates(&self, prefix: &str, version: Option<Version>) -> Result<Arc<[Candidate]>, StoreError> {
        let statement = "SELECT k.id, k.account_id, k.tier, k.secret_sha256, k.last_used_at, k.expires_at, a.plan
             FROM api_keys k JOIN accounts a ON a.id = k.account_id
             WHERE k.prefix = $1 AND k.revoked_at IS NULL";
        let found = self.database.find(statement, &[prefix], read_candidate).await?;
        let candidates: Arc<[Candidate]> = found.into();
        // Prefixes that no key has are as many as anybody likes to try.
        if !candidates.is_empty() {
            let bytes = candidates.len() * (size_of::<Candidate>() + SECRET_BYTES * 2);
            self.candidates.keep(version, prefix.to_owned(), candidates.clone(), bytes);
        }
        Ok(candidates)
    }

    /// Best effort: a request does not fail because its key's last use could not be noted.
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
            tracing::warn!(key = %key_id, %error, "could not note a key's use");
        }
    }
}

/// The part of a well-formed secret that is kept in the clear.
fn visible_prefix(secret: &str) -> Option<&str> {
    let digits = secret.strip_prefix(SECRET_PREFIX)?;
    let well_formed = digits.len() == 2 * SECRET_BYTES && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !well_formed {
        return None;
    }
    secret.get(..VISIBLE_PREFIX)
}

/// What the database keeps of a secret.
pub(crate) fn digest(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

/// Reads a row of `account_columns!()`.
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

fn read_candidate(row: &Found<'_>) -> Result<Candidate, StoreError> {
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
