-- One set of statements for SQLite and PostgreSQL: TEXT for ids, digests and JSON, BIGINT for counts, for 0 or 1, and
-- for times in microseconds since 1970 UTC.

CREATE TABLE accounts (
    id          TEXT   NOT NULL PRIMARY KEY,
    name        TEXT   NOT NULL,
    plan        TEXT   NOT NULL CHECK (plan IN ('free', 'developer', 'pro', 'enterprise')),
    created_at  BIGINT NOT NULL
);
CREATE UNIQUE INDEX accounts_name ON accounts (name);

CREATE TABLE api_keys (
    id             TEXT   NOT NULL PRIMARY KEY,
    account_id     TEXT   NOT NULL REFERENCES accounts (id),
    name           TEXT   NOT NULL,
    prefix         TEXT   NOT NULL,
    secret_sha256  TEXT   NOT NULL,
    tier           TEXT   NOT NULL CHECK (tier IN ('free', 'developer', 'pro', 'enterprise')),
    created_at     BIGINT NOT NULL,
    last_used_at   BIGINT,
    expires_at     BIGINT,
    revoked_at     BIGINT
);
CREATE INDEX api_keys_prefix ON api_keys (prefix);
CREATE INDEX api_keys_account ON api_keys (account_id, id);

CREATE TABLE documents (
    id           TEXT   NOT NULL PRIMARY KEY,
    account_id   TEXT   NOT NULL REFERENCES accounts (id),
    tier         TEXT   NOT NULL CHECK (tier IN ('free', 'developer', 'pro', 'enterprise')),
    filename     TEXT   NOT NULL,
    size_bytes   BIGINT NOT NULL,
    sha256       TEXT   NOT NULL,
    page_count   BIGINT NOT NULL,
    encrypted    BIGINT NOT NULL,
    blob_key     TEXT   NOT NULL,
    uploaded_at  BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX documents_account ON documents (account_id, id);
CREATE INDEX documents_expiry ON documents (expires_at);

-- A job outlives its document and its key, so it holds their ids without a constraint. The columns that may be long
-- stand last: SQLite reads a row from the left.
CREATE TABLE jobs (
    id                     TEXT   NOT NULL PRIMARY KEY,
    account_id             TEXT   NOT NULL REFERENCES accounts (id),
    key_id                 TEXT   NOT NULL,
    tier                   TEXT   NOT NULL CHECK (tier IN ('free', 'developer', 'pro', 'enterprise')),
    document_id            TEXT   NOT NULL,
    document_sha256        TEXT   NOT NULL,
    model                  TEXT   NOT NULL,
    model_version          TEXT   NOT NULL,
    status                 TEXT   NOT NULL CHECK (status IN ('queued', 'processing', 'complete', 'failed', 'cancelled')),
    credits_charged        BIGINT NOT NULL,
    reuse                  BIGINT NOT NULL,
    cached_from            TEXT,
    queued_at              BIGINT NOT NULL,
    processing_started_at  BIGINT,
    completed_at           BIGINT,
    processing_time_ms     BIGINT,
    expires_at             BIGINT NOT NULL,
    attempt                BIGINT NOT NULL,
    lease_owner            TEXT,
    lease_until            BIGINT,
    error_code             TEXT,
    error_message          TEXT,
    webhook_url            TEXT,
    progress               TEXT,
    pages                  TEXT,
    parameters             TEXT   NOT NULL,
    result                 TEXT
);
CREATE INDEX jobs_open ON jobs (queued_at, id) WHERE status IN ('queued', 'processing');
CREATE INDEX jobs_account ON jobs (account_id, id);
CREATE INDEX jobs_stored_result ON jobs (account_id, document_sha256, model_version, id) WHERE status = 'complete';
CREATE INDEX jobs_expiry ON jobs (expires_at);

-- One row a charge or refund; a refund's credits are negative. A job has at most one of each.
CREATE TABLE credit_ledger (
    id          TEXT   NOT NULL PRIMARY KEY,
    account_id  TEXT   NOT NULL REFERENCES accounts (id),
    key_id      TEXT   NOT NULL,
    job_id      TEXT   NOT NULL,
    model       TEXT   NOT NULL,
    kind        TEXT   NOT NULL CHECK (kind IN ('charge', 'refund')),
    credits     BIGINT NOT NULL,
    period      TEXT   NOT NULL,
    created_at  BIGINT NOT NULL
);
CREATE UNIQUE INDEX credit_ledger_job ON credit_ledger (job_id, kind);
CREATE INDEX credit_ledger_usage ON credit_ledger (account_id, period, model);

-- The ledger summed: what an account has used in a period, a month like 2026-11 or its lifetime on the free tier.
CREATE TABLE credits_used (
    account_id  TEXT   NOT NULL REFERENCES accounts (id),
    period      TEXT   NOT NULL,
    credits     BIGINT NOT NULL,
    PRIMARY KEY (account_id, period)
);
