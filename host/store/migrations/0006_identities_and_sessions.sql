-- An account is an operator's, told by its name, or an identity's of the OpenID Connect provider, told by issuer and
-- subject; an identity's name is only a label.
ALTER TABLE accounts ADD COLUMN issuer TEXT;
ALTER TABLE accounts ADD COLUMN subject TEXT;
DROP INDEX accounts_name;
CREATE UNIQUE INDEX accounts_name ON accounts (name) WHERE issuer IS NULL;
CREATE UNIQUE INDEX accounts_identity ON accounts (issuer, subject) WHERE issuer IS NOT NULL;

-- Of tokens the database keeps the SHA-256 alone.
CREATE TABLE sign_in_links (
    token_sha256  TEXT   NOT NULL PRIMARY KEY,
    account_id    TEXT   NOT NULL REFERENCES accounts (id),
    expires_at    BIGINT NOT NULL
);

CREATE TABLE sessions (
    token_sha256  TEXT   NOT NULL PRIMARY KEY,
    account_id    TEXT   NOT NULL REFERENCES accounts (id),
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL
);
