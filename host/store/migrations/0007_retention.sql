-- Work that one host does at a time, and who does it until when.
CREATE TABLE watches (
    name   TEXT   NOT NULL PRIMARY KEY,
    owner  TEXT   NOT NULL,
    until  BIGINT NOT NULL
);

-- Whether another document still needs a blob.
CREATE INDEX documents_blob ON documents (blob_key);
