//! `fanlight openapi`: the description of the REST API, made without a server.

use std::io::{self, Write};

use anyhow::Context;

use crate::api::{self, Uploads};

/// Where a server listens that is started with no configuration.
pub(super) const SERVER: &str = "http://127.0.0.1:8080";

/// Prints the document of a server at this address.
pub(super) fn print(server: &str, uploads: Uploads) -> anyhow::Result<()> {
    let document = api::document(server, uploads);
    let mut stdout = io::stdout().lock();
    serde_json::to_writer_pretty(&mut stdout, &document)?;
    writeln!(stdout).context("can't write the document")
}
