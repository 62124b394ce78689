-- What people say of a job's result: one review a job, beside the result, which stays as it is. `version` counts the
-- changes from 1. A review goes with its job. `reviewer` is the name that the key had.
CREATE TABLE reviews (
    job_id       TEXT   NOT NULL PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    account_id   TEXT   NOT NULL,
    version      BIGINT NOT NULL,
    key_id       TEXT   NOT NULL,
    reviewer     TEXT   NOT NULL,
    reviewed_at  BIGINT NOT NULL,
    changes      TEXT   NOT NULL
);
