-- What narrows a list of jobs leads to its page, however many jobs the account has.
CREATE INDEX jobs_account_status ON jobs (account_id, status, id);
CREATE INDEX jobs_account_model ON jobs (account_id, model, id);
CREATE INDEX jobs_account_document ON jobs (account_id, document_id, id);

-- A queued job's place is counted without reading a job.
CREATE INDEX jobs_queued ON jobs (queued_at, id, account_id, status) WHERE status = 'queued';
