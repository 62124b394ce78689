-- Accounts share the workers: the account that was served longest ago is served next. See `src/schedule.rs`.
CREATE TABLE queue_accounts (
    account_id     TEXT   NOT NULL PRIMARY KEY REFERENCES accounts (id),
    -- The number of the last claim that served the account, counted over all accounts; 0 before the first.
    last_served    BIGINT NOT NULL,
    -- Since when the account has queued jobs; NULL while it has none.
    waiting_since  BIGINT
);
CREATE INDEX queue_accounts_waiting ON queue_accounts (last_served, waiting_since, account_id)
    WHERE waiting_since IS NOT NULL;
CREATE INDEX queue_accounts_served ON queue_accounts (last_served);

INSERT INTO queue_accounts (account_id, last_served, waiting_since)
    SELECT account_id, 0, MIN(queued_at) FROM jobs WHERE status = 'queued' GROUP BY account_id;

-- No index leads through the queue of all accounts any more: a planner might prefer it to one account's own queue.
DROP INDEX jobs_open;
DROP INDEX jobs_queued;
-- An account's oldest queued job, and how many it has queued.
CREATE INDEX jobs_queued ON jobs (account_id, status, queued_at, id, model_version) WHERE status = 'queued';
-- The jobs at work, to find those whose worker died.
CREATE INDEX jobs_processing ON jobs (status, queued_at, id) WHERE status = 'processing';
-- Whether a document is still needed.
CREATE INDEX jobs_open ON jobs (document_id) WHERE status IN ('queued', 'processing');
