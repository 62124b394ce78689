//! Permits for calls to the PDF engine that clients wait for.
//!
//! Uploads and reads have separate permits, so that neither waits for the other. Each kind is shared fairly by account
//! ([`FairSemaphore`]). A picture also needs a permit from before it is rendered until its last byte is sent, which
//! bounds the memory that pictures use.

use std::sync::Arc;

use crate::runtime::fair_semaphore::{FairSemaphore, Shares};

/// Maximum waiting calls of one account for one kind of permit: the documents of a whole batch may be uploaded at once.
const WAITING_OF_ACCOUNT: usize = fanlight_store::Batch::MAX_JOBS;
/// Maximum pictures that are rendered, encoded or sent at once. A picture has at most 60 MB, so they have 1 GB at most;
/// a drawing's PNG file has a few MB.
const PICTURES: usize = 16;
/// Maximum of these pictures for one account, so that clients who read slowly leave room for others.
const PICTURES_OF_ACCOUNT: usize = 4;

/// The permits of one server.
pub(crate) struct Permits {
    pub(super) uploads: Arc<FairSemaphore>,
    pub(super) reads: Arc<FairSemaphore>,
    pub(super) pictures: Arc<FairSemaphore>,
}

impl Permits {
    /// Creates `parallel` permits for uploads and as many for reads: the calls that the sandbox runs at once.
    pub(crate) fn new(parallel: usize) -> Self {
        let shares = Shares { permits: parallel, held_by_account: parallel, waiting_of_account: WAITING_OF_ACCOUNT };
        let pictures = Shares { permits: PICTURES, held_by_account: PICTURES_OF_ACCOUNT, ..shares };
        Self {
            uploads: FairSemaphore::new(shares),
            reads: FairSemaphore::new(shares),
            pictures: FairSemaphore::new(pictures),
        }
    }
}
