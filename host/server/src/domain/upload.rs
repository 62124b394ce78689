//! Uploads: from a stream of bytes to a document, or to nothing at all.

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
/// A PDF's header starts within so many bytes.
const HEADER_WITHIN: usize = 1024;
/// The name of a file that came without one.
const UNNAMED: &str = "document.pdf";
/// Characters of a file's name that are kept.
const NAME_LENGTH: usize = 255;

/// Why an upload is not a document. Nothing of it is left.
#[derive(Debug, Error)]
pub(crate) enum UploadError {
    /// Not a PDF by its content.
    #[error("the upload is not a PDF")]
    NotAPdf,
    /// More bytes than the tier allows.
    #[error("the upload has more than {limit} bytes")]
    TooLarge {
        /// Bytes that the tier allows.
        limit: u64,
    },
    /// The PDF engine has no good word for it, or none at all.
    #[error(transparent)]
    Inspection(InspectionError),
    /// The request's body broke off, or isn't valid HTTP.
    #[error("the upload's body can't be read: {0}")]
    Body(String),
    /// The body isn't a form with a file in it.
    #[error("the upload is no form with a part `file`: {0}")]
    Form(String),
    /// No bytes came for too long.
    #[error("the upload stood still for too long")]
    TooSlow,
    /// The service's own failure.
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

/// A file that is stored and not looked into yet. Dropped, it is deleted.
#[derive(Debug)]
pub(crate) struct Received {
    blob: PendingBlob,
    filename: String,
}

impl Received {
    /// A digest that another upload of the same file under the same name has too.
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

/// Takes a file of at most `limit` bytes in. Memory stays bounded whatever its size.
///
/// `filename` is as the client gave it; `bytes` ends with the file.
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

/// Makes a document of a file that can be opened.
pub(crate) async fn admit(service: &Service, caller: &Caller, received: Received) -> Result<Document, UploadError> {
    let Received { blob, filename } = received;
    let inspection = match inspection::of_upload(service, caller.account_id, &blob).await {
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

/// Writes the stream into the upload. What is not a PDF is known from its first bytes and goes no further.
async fn fill(
    upload: &mut Upload,
    mut bytes: impl Stream<Item = Result<Bytes, UploadError>> + Unpin,
) -> Result<(), UploadError> {
    let mut head = Head::default();
    while let Some(chunk) = bytes.next().await {
        let chunk = chunk?;
        if head.look(&chunk) == Verdict::NotAPdf {
            return Err(UploadError::NotAPdf);
        }
        upload.write(&chunk).await?;
    }
    if head.verdict() == Verdict::APdf { Ok(()) } else { Err(UploadError::NotAPdf) }
}

/// What the first bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Too few bytes yet.
    Open,
    /// They have a PDF's header.
    APdf,
    /// They have none.
    NotAPdf,
}

/// Looks for a PDF's header in a file's first bytes, however they come.
#[derive(Debug, Default)]
pub(crate) struct Head {
    bytes: Vec<u8>,
    found: bool,
}

impl Head {
    /// Takes the file's next bytes.
    pub(crate) fn look(&mut self, chunk: &[u8]) -> Verdict {
        if !self.found && self.bytes.len() < HEADER_WITHIN {
            let missing = HEADER_WITHIN - self.bytes.len();
            self.bytes.extend_from_slice(chunk.get(..missing).unwrap_or(chunk));
            self.found = self.bytes.windows(4).any(|window| window == b"%PDF");
        }
        self.verdict()
    }

    /// What is known by now.
    pub(crate) fn verdict(&self) -> Verdict {
        match (self.found, self.bytes.len() < HEADER_WITHIN) {
            (true, _) => Verdict::APdf,
            (false, true) => Verdict::Open,
            (false, false) => Verdict::NotAPdf,
        }
    }
}

/// The last part of whatever path the client gave, without control characters.
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
    fn a_header_is_found_wherever_the_chunks_are_cut() {
        let late = [vec![b' '; 1020], b"%PDF".to_vec()].concat();
        let too_late = [vec![b' '; 1021], b"%PDF-1.7".to_vec()].concat();
        let cases: [(&[u8], Verdict); 6] = [
            (b"%PDF-1.7\n", Verdict::APdf),
            (b"junk\n%PDF-1.4", Verdict::APdf),
            (&late, Verdict::APdf),
            (&too_late, Verdict::NotAPdf),
            (b"", Verdict::Open),
            (b"PK\x03\x04", Verdict::Open),
        ];
        for (bytes, expected) in cases {
            for length in [1, 3, 1000, 5000] {
                let mut head = Head::default();
                for chunk in bytes.chunks(length) {
                    head.look(chunk);
                }
                assert_eq!(head.verdict(), expected, "{} bytes in chunks of {length}", bytes.len());
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
