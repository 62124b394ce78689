//! The permits for questions to the PDF engine.
//!
//! Uploads and reads have permits of their own, so that neither waits for the other. Each kind is shared fairly by
//! account ([`FairSemaphore`]). Pictures in flight have permits too, which bound the memory that pictures take.

use std::sync::Arc;

use crate::runtime::fair_semaphore::{FairSemaphore, Shares};

/// Most questions of one account that wait for a permit of one kind: the documents of a whole batch may be uploaded at
/// once.
const WAITING_OF_ACCOUNT: usize = fanlight_store::Batch::MAX_JOBS;
/// Most pictures that are drawn, encoded or sent at a time. A picture has at most some 60 MB, so these have 1 GB at the
/// very most; a drawing's PNG file has a few MB.
const PICTURES: usize = 16;
/// Most of these pictures that are one account's, so that clients who read slowly leave room for others.
const PICTURES_OF_ACCOUNT: usize = 4;

/// The permits for questions.
pub(crate) struct Permits {
    pub(super) uploads: Arc<FairSemaphore>,
    pub(super) reads: Arc<FairSemaphore>,
    pub(super) pictures: Arc<FairSemaphore>,
}

impl Permits {
    /// Makes permits for as many questions of each kind as the sandbox answers at once.
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
