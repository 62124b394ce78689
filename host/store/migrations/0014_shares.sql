-- Links that show one job to people without a key, until they expire or are revoked. Of tokens the database keeps the
-- SHA-256 alone. A link goes with its job.
CREATE TABLE shares (
    id            TEXT   NOT NULL PRIMARY KEY,
    token_sha256  TEXT   NOT NULL UNIQUE,
    account_id    TEXT   NOT NULL,
    job_id        TEXT   NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL
);
CREATE INDEX shares_of_job ON shares (job_id);
