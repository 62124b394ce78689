-- What a key's messages to webhooks are signed with, kept as it is, since signing needs it. Keys made before this
-- have none.
ALTER TABLE api_keys ADD COLUMN webhook_secret TEXT;

-- When a receiver first took the finished job.
ALTER TABLE jobs ADD COLUMN webhook_delivered_at BIGINT;

-- A finished job on its way to its webhook: the first is made by the transaction that ends the job, further ones by
-- replays. They go with their job. `key_id` is the key whose secret signs.
CREATE TABLE webhook_deliveries (
    id               TEXT   NOT NULL PRIMARY KEY,
    job_id           TEXT   NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    account_id       TEXT   NOT NULL,
    key_id           TEXT   NOT NULL,
    status           TEXT   NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    created_at       BIGINT NOT NULL,
    attempt          BIGINT NOT NULL,
    next_attempt_at  BIGINT,
    lease_until      BIGINT
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at, id) WHERE status = 'pending';
CREATE UNIQUE INDEX webhook_deliveries_pending ON webhook_deliveries (job_id) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_job ON webhook_deliveries (job_id, id);

-- The log: one row an attempt, made when it begins. Without a duration it is under way, or its worker died.
CREATE TABLE webhook_attempts (
    delivery_id  TEXT   NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
    number       BIGINT NOT NULL,
    started_at   BIGINT NOT NULL,
    duration_ms  BIGINT,
    status_code  BIGINT,
    error        TEXT,
    PRIMARY KEY (delivery_id, number)
);
