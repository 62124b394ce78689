//! `fanlight openapi`: prints the OpenAPI document without a server.

use crate::api::{self, Uploads};
use crate::cli::output::print_json;

/// The address of a server with the default configuration.
pub(super) const SERVER: &str = "http://127.0.0.1:8080";

/// Prints the OpenAPI document of a server at this address.
pub(super) fn print(server: &str, uploads: Uploads) -> anyhow::Result<()> {
    print_json(&api::document(server, uploads))
}
