//! Points between two steps of the service's work, at which a test ends the process as a crash would.
//!
//! Only a build with the feature `failpoints` has them: there the environment variable [`VARIABLE`] names the point at
//! which the process ends at once, with nothing cleaned up. In every other build [`reach`] does nothing.

/// The environment variable that names the point at which the process ends. It is no key of the configuration, whose
/// variables begin with `FANLIGHT_`.
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
            /// Every point, in the order in which a document, its job and their end pass them.
            pub const ALL: &[Self] = &[$(Self::$point),+];

            /// The name that [`VARIABLE`] takes.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$point => $name,)+
                }
            }
        }
    };
}

failpoints! {
    /// An upload has its row, and none of its bytes yet.
    UploadBegun = "upload-begun",
    /// The bytes of an upload are a blob, which nobody has inspected.
    UploadWritten = "upload-written",
    /// An upload is inspected, and has no document.
    UploadInspected = "upload-inspected",
    /// The document's row is written, and not committed.
    DocumentAdded = "document-added",
    /// The document is committed, and its client not answered.
    DocumentCommitted = "document-committed",
    /// A job is queued and charged, and not committed.
    JobCharged = "job-charged",
    /// A job is committed, and its client not answered.
    JobQueued = "job-queued",
    /// A worker's claim of a job is written, and not committed.
    JobTaken = "job-taken",
    /// A worker's claim of a job is committed.
    JobClaimed = "job-claimed",
    /// The file of a job's document is open.
    DocumentOpened = "document-opened",
    /// The sandbox has run the task, and its result is in memory alone.
    TaskRun = "task-run",
    /// The job's end is written with its delivery, and not committed.
    JobEnded = "job-ended",
    /// The job's end is committed.
    JobFinished = "job-finished",
    /// A worker's claim of a delivery is written, and not committed.
    DeliveryTaken = "delivery-taken",
    /// A worker's claim of a delivery is committed.
    DeliveryClaimed = "delivery-claimed",
    /// The receiver has answered, and nothing is written of it.
    DeliveryAttempted = "delivery-attempted",
    /// How the attempt ended is written, and not committed.
    DeliveryLogged = "delivery-logged",
    /// How the attempt ended is committed.
    DeliveryEnded = "delivery-ended",
    /// A host has begun to sweep what has expired.
    SweepBegun = "sweep-begun",
    /// The blob of an expired document is deleted, and its row is not.
    DocumentBlobDeleted = "document-blob-deleted",
    /// The row of an expired document is deleted.
    DocumentDeleted = "document-deleted",
    /// Expired rows of one kind are deleted.
    RowsDeleted = "rows-deleted",
    /// The bytes of an abandoned upload are deleted, and its row is not.
    UploadBlobDeleted = "upload-blob-deleted",
    /// The row of an abandoned upload is deleted.
    UploadForgotten = "upload-forgotten",
}

/// Ends the process here if the environment names this point: only in a build with the feature `failpoints`.
#[cfg(feature = "failpoints")]
pub fn reach(point: Failpoint) {
    if std::env::var(VARIABLE).is_ok_and(|named| named == point.as_str()) {
        eprintln!("{}", announcement(point));
        std::process::abort();
    }
}

/// Does nothing: this build has no failpoints.
#[cfg(not(feature = "failpoints"))]
#[inline]
pub const fn reach(_point: Failpoint) {}

/// What the process prints on standard error when it ends at a point.
pub fn announcement(point: Failpoint) -> String {
    format!("the process ends at the failpoint {}", point.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failpoint_has_a_name_of_its_own() {
        let mut names: Vec<&str> = Failpoint::ALL.iter().map(|point| point.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Failpoint::ALL.len());
    }
}
