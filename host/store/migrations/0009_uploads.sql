-- Uploads on their way, so that what a killed host left of one can be found, wherever its bytes are.
CREATE TABLE uploads (
    blob_key      TEXT   NOT NULL PRIMARY KEY,
    -- What the store of blobs knows the unfinished upload by, where that isn't the blob's key.
    multipart_id  TEXT,
    started_at    BIGINT NOT NULL
);
CREATE INDEX uploads_started ON uploads (started_at, blob_key);
