//! Points between two steps of the service's work, at which a test ends the process as a crash would.
//!
//! They exist only in a build with the feature `failpoints`. There the environment variable [`VARIABLE`] names the point
//! at which the process aborts, without any cleanup. In every other build [`reach`] does nothing.

/// The environment variable that names the point at which the process aborts. It does not begin with `FANLIGHT_`, as the
/// variables of the configuration do.
pub const VARIABLE: &str = "FAILPOINT_FANLIGHT";

/// Declares the points once, with the names by which tests ask for them.
macro_rules! failpoints {
    ($($(#[doc = $doc:literal])+ $point:ident = $name:literal,)+) => {
        /// A point between two steps.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Failpoint {
            $($(#[doc = $doc])+ $point,)+
        }

        impl Failpoint {
            /// Every point, in the order in which a document and its job pass them.
            pub const ALL: &[Self] = &[$(Self::$point),+];

            /// Returns the point's name, a value of [`VARIABLE`].
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$point => $name,)+
                }
            }
        }
    };
}

failpoints! {
    /// An upload has its row, and none of its bytes are written yet.
    UploadBegun = "upload-begun",
    /// The blob of an upload is written, but not inspected.
    UploadWritten = "upload-written",
    /// An upload is inspected, but has no document.
    UploadInspected = "upload-inspected",
    /// The document's row is written, but not committed.
    DocumentAdded = "document-added",
    /// The document is committed, but its client is not answered.
    DocumentCommitted = "document-committed",
    /// A job is queued and charged, but not committed.
    JobCharged = "job-charged",
    /// A job is committed, but its client is not answered.
    JobQueued = "job-queued",
    /// A worker's claim of a job is written, but not committed.
    JobTaken = "job-taken",
    /// A worker's claim of a job is committed.
    JobClaimed = "job-claimed",
    /// The file of a job's document is open.
    DocumentOpened = "document-opened",
    /// The sandbox has run the task, and its result exists only in memory.
    TaskRun = "task-run",
    /// The job's end and its delivery are written, but not committed.
    JobEnded = "job-ended",
    /// The job's end is committed.
    JobFinished = "job-finished",
    /// A worker's claim of a delivery is written, but not committed.
    DeliveryTaken = "delivery-taken",
    /// A worker's claim of a delivery is committed.
    DeliveryClaimed = "delivery-claimed",
    /// The receiver has answered, but nothing of it is written.
    DeliveryAttempted = "delivery-attempted",
    /// The end of the attempt is written, but not committed.
    DeliveryLogged = "delivery-logged",
    /// The end of the attempt is committed.
    DeliveryEnded = "delivery-ended",
    /// A host has begun to sweep what has expired.
    SweepBegun = "sweep-begun",
    /// The blob of an expired document is deleted, but not its row.
    DocumentBlobDeleted = "document-blob-deleted",
    /// The row of an expired document is deleted.
    DocumentDeleted = "document-deleted",
    /// Expired rows of one table are deleted.
    RowsDeleted = "rows-deleted",
    /// The bytes of an abandoned upload are deleted, but not its row.
    UploadBlobDeleted = "upload-blob-deleted",
    /// The row of an abandoned upload is deleted.
    UploadForgotten = "upload-forgotten",
}

/// Aborts the process if the environment names this point. Only in a build with the feature `failpoints`.
#[cfg(feature = "failpoints")]
pub fn reach(point: Failpoint) {
    if std::env::var(VARIABLE).is_ok_and(|named| named == point.as_str()) {
        eprintln!("{}", announcement(point));
        std::process::abort();
    }
}

/// Does nothing, because this build has no failpoints.
#[cfg(not(feature = "failpoints"))]
#[inline]
pub const fn reach(_point: Failpoint) {}

/// Returns what the process prints on standard error when it aborts at a point.
pub fn announcement(point: Failpoint) -> String {
    format!("the process ends at the failpoint {}", point.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failpoint_has_a_unique_name() {
        let mut names: Vec<&str> = Failpoint::ALL.iter().map(|point| point.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Failpoint::ALL.len());
    }
}
