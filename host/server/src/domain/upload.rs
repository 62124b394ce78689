//! Uploads: a stream of bytes becomes a document, or leaves nothing behind.

use std::time::Duration;

use bytes::Bytes;
use fanlight_sandbox::OpenError;
use fanlight_store::failpoint::{self, Failpoint};
use fanlight_store::{Caller, Document, NewDocument, PendingBlob, StoreError, Upload};
use futures_util::{Stream, StreamExt};
use thiserror::Error;

use crate::domain::idempotency::fingerprint;
use crate::domain::inspection::{self, InspectionError};
use crate::domain::service::Service;

/// Maximum duration of a request: enough for an upload of 200 MB over a slow connection.
pub(crate) const LONGEST_REQUEST: Duration = Duration::from_mins(30);
/// Number of bytes at the start of a file that must contain the header of a PDF.
const HEADER_WITHIN: usize = 1024;
/// The name of a file that was uploaded without one.
const UNNAMED: &str = "document.pdf";
/// Maximum length of a file name in characters.
const NAME_LENGTH: usize = 255;

/// Why an upload is refused. Nothing of it is kept.
#[derive(Debug, Error)]
pub(crate) enum UploadError {
    /// The content is not a PDF.
    #[error("the upload is not a PDF")]
    NotAPdf,
    /// The file has more bytes than the tier allows.
    #[error("the upload has more than {limit} bytes")]
    TooLarge {
        /// Maximum bytes of the tier.
        limit: u64,
    },
    /// The PDF engine cannot open the file, or could not be asked.
    #[error(transparent)]
    Inspection(InspectionError),
    /// The request body broke off, or is not valid HTTP.
    #[error("the upload's body can't be read: {0}")]
    Body(String),
    /// The body is not a form with a file.
    #[error("the upload is not a form with a part `file`: {0}")]
    Form(String),
    /// No bytes arrived for too long.
    #[error("the upload was idle for too long")]
    TooSlow,
    /// The database or the storage of files failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for UploadError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::TooLarge { limit } => Self::TooLarge { limit },
            other => Self::Store(other),
        }
    }
}

/// A stored file that has not been inspected yet. It is deleted if it is dropped.
#[derive(Debug)]
pub(crate) struct Received {
    blob: PendingBlob,
    filename: String,
}

impl Received {
    /// Returns a digest that is equal for uploads of the same file under the same name.
    pub(crate) fn fingerprint(&self) -> String {
        fingerprint(&[self.blob.sha256().as_bytes(), self.filename.as_bytes()])
    }
}

impl From<InspectionError> for UploadError {
    fn from(error: InspectionError) -> Self {
        match error {
            InspectionError::Unreadable(OpenError::NotAPdf) => Self::NotAPdf,
            other => Self::Inspection(other),
        }
    }
}

/// Stores a file of at most `limit` bytes, in bounded memory.
///
/// `filename` is the name that the client gave; `bytes` ends with the file.
///
/// # Errors
///
/// [`UploadError`] if the file is too large or not a PDF, or the stream or the storage fails.
pub(crate) async fn receive(
    service: &Service,
    limit: u64,
    filename: Option<&str>,
    bytes: impl Stream<Item = Result<Bytes, UploadError>> + Unpin,
) -> Result<Received, UploadError> {
    let mut upload = service.store.begin_upload(&service.blobs, limit).await?;
    if let Err(error) = fill(&mut upload, bytes).await {
        service.store.abandon_upload(upload).await?;
        return Err(error);
    }
    let blob = upload.finish().await?;
    failpoint::reach(Failpoint::UploadWritten);
    Ok(Received { blob, filename: clean_name(filename) })
}

/// Inspects a stored file and creates its document.
///
/// # Errors
///
/// [`UploadError`] if the PDF engine cannot open the file. The file is then deleted.
pub(crate) async fn admit(service: &Service, caller: &Caller, received: Received) -> Result<Document, UploadError> {
    let Received { blob, filename } = received;
    let inspection = match inspection::inspect_upload(service, caller.account_id, &blob).await {
        Ok(inspection) => inspection,
        Err(error) => {
            service.store.discard_upload(blob).await?;
            return Err(error.into());
        }
    };
    failpoint::reach(Failpoint::UploadInspected);
    let new = NewDocument { filename, page_count: inspection.page_count, encrypted: inspection.encrypted };
    Ok(service.store.add_document(caller, new, blob).await?)
}

/// Writes the stream to the upload. A file that is not a PDF is refused after its first bytes.
async fn fill(
    upload: &mut Upload,
    mut bytes: impl Stream<Item = Result<Bytes, UploadError>> + Unpin,
) -> Result<(), UploadError> {
    let mut header = HeaderSearch::default();
    while let Some(chunk) = bytes.next().await {
        let chunk = chunk?;
        if header.push(&chunk) == Header::Missing {
            return Err(UploadError::NotAPdf);
        }
        upload.write(&chunk).await?;
    }
    if header.state() == Header::Found { Ok(()) } else { Err(UploadError::NotAPdf) }
}

/// Whether the header of a PDF has been found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Header {
    /// More bytes are needed.
    Undecided,
    /// The file has the header of a PDF.
    Found,
    /// The file has no such header.
    Missing,
}

/// Searches the start of a file for the header of a PDF, however the bytes are split into chunks.
#[derive(Debug, Default)]
pub(crate) struct HeaderSearch {
    bytes: Vec<u8>,
    found: bool,
}

impl HeaderSearch {
    /// Adds the next bytes of the file.
    pub(crate) fn push(&mut self, chunk: &[u8]) -> Header {
        if !self.found && self.bytes.len() < HEADER_WITHIN {
            let missing = HEADER_WITHIN - self.bytes.len();
            self.bytes.extend_from_slice(chunk.get(..missing).unwrap_or(chunk));
            self.found = self.bytes.windows(4).any(|window| window == b"%PDF");
        }
        self.state()
    }

    /// Returns what is known so far.
    pub(crate) fn state(&self) -> Header {
        match (self.found, self.bytes.len() < HEADER_WITHIN) {
            (true, _) => Header::Found,
            (false, true) => Header::Undecided,
            (false, false) => Header::Missing,
        }
    }
}

/// Returns the last part of the path that the client gave, without control characters.
fn clean_name(given: Option<&str>) -> String {
    let given = given.unwrap_or_default();
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last.chars().filter(|c| !c.is_control()).take(NAME_LENGTH).collect();
    let name = kept.trim();
    if name.is_empty() { UNNAMED.to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_found_however_the_file_is_chunked() {
        let late = [vec![b' '; 1020], b"%PDF".to_vec()].concat();
        let too_late = [vec![b' '; 1021], b"%PDF-1.7".to_vec()].concat();
        let cases: [(&[u8], Header); 6] = [
            (b"%PDF-1.7\n", Header::Found),
            (b"junk\n%PDF-1.4", Header::Found),
            (&late, Header::Found),
            (&too_late, Header::Missing),
            (b"", Header::Undecided),
            (b"PK\x03\x04", Header::Undecided),
        ];
        for (bytes, expected) in cases {
            for length in [1, 3, 1000, 5000] {
                let mut header = HeaderSearch::default();
                for chunk in bytes.chunks(length) {
                    header.push(chunk);
                }
                assert_eq!(header.state(), expected, "{} bytes in chunks of {length}", bytes.len());
            }
        }
    }

    #[test]
    fn a_name_is_kept_without_its_path() {
        let cases = [
            (Some("manual.pdf"), "manual.pdf"),
            (Some("C:\\jobs\\manual.pdf"), "manual.pdf"),
            (Some("../../etc/passwd"), "passwd"),
            (Some("a\r\nb\0.pdf"), "ab.pdf"),
            (Some("Bauplan Süd.pdf"), "Bauplan Süd.pdf"),
            (Some(" / "), "document.pdf"),
            (Some(""), "document.pdf"),
            (None, "document.pdf"),
        ];
        for (given, expected) in cases {
            assert_eq!(clean_name(given), expected, "{given:?}");
        }
        assert_eq!(clean_name(Some(&"ü".repeat(300))).chars().count(), 255);
    }
}
