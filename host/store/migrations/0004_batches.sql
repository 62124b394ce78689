-- Jobs that were submitted together. They expire with it.
CREATE TABLE batches (
    id            TEXT   NOT NULL PRIMARY KEY,
    account_id    TEXT   NOT NULL REFERENCES accounts (id),
    submitted_at  BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL
);
CREATE INDEX batches_expiry ON batches (expires_at);

ALTER TABLE jobs ADD COLUMN batch_id TEXT;
CREATE INDEX jobs_batch ON jobs (batch_id, id) WHERE batch_id IS NOT NULL;
