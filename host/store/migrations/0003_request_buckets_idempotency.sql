-- A key's token bucket: the time at which it is full again says how full it is now.
CREATE TABLE request_buckets (
    key_id   TEXT   NOT NULL PRIMARY KEY REFERENCES api_keys (id),
    full_at  BIGINT NOT NULL
);

-- Requests that carry an idempotency key. Without an answer the request still runs, until its lease ends. The answer is
-- sealed: it may hold a secret that is shown once.
CREATE TABLE idempotent_requests (
    account_id       TEXT   NOT NULL REFERENCES accounts (id),
    operation        TEXT   NOT NULL,
    idempotency_key  TEXT   NOT NULL,
    fingerprint      TEXT   NOT NULL,
    attempt          TEXT   NOT NULL,
    lease_until      BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL,
    answer           TEXT,
    PRIMARY KEY (account_id, operation, idempotency_key)
);
CREATE INDEX idempotent_requests_expiry ON idempotent_requests (expires_at);
