//! What every part of the server needs to report failures: error chains for the log, and the error codes of jobs.

use std::iter::successors;

/// The error code of a job whose document cannot be read. The job is not refunded.
pub(crate) const PDF_CORRUPT: &str = "PDF_CORRUPT";
/// The message that clients read with [`PDF_CORRUPT`].
pub(crate) const PDF_CORRUPT_MESSAGE: &str = "The PDF can't be read.";
/// The error code of a job whose document is intact, but not one that the model can work on. The job is not refunded.
pub(crate) const UNSUPPORTED_DOCUMENT: &str = "UNSUPPORTED_DOCUMENT";
/// The message that clients read with [`UNSUPPORTED_DOCUMENT`].
pub(crate) const UNSUPPORTED_DOCUMENT_MESSAGE: &str = "The model can't work on this document.";

/// Returns the messages of an error and of all its sources on one line, separated by colons.
pub(crate) fn error_chain(error: &dyn std::error::Error) -> String {
    let chain = successors(Some(error), |error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    use anyhow::Context;

    #[test]
    fn an_error_chain_names_every_source() {
        let disk: anyhow::Result<()> = Err(io::Error::other("the disk is full").into());
        let error = disk.context("can't write the result").unwrap_err();
        assert_eq!(error_chain(error.as_ref()), "can't write the result: the disk is full");
    }
}
