//! `fanlight openapi`: prints the OpenAPI document without a server.

use std::io::{self, Write};

use anyhow::Context;

use crate::api::{self, Uploads};

/// The address of a server with the default configuration.
pub(super) const SERVER: &str = "http://127.0.0.1:8080";

/// Prints the OpenAPI document of a server at this address.
pub(super) fn print(server: &str, uploads: Uploads) -> anyhow::Result<()> {
    let document = api::document(server, uploads);
    let mut stdout = io::stdout().lock();
    serde_json::to_writer_pretty(&mut stdout, &document)?;
    writeln!(stdout).context("can't write the document")
}
