//! A semaphore whose permits are shared fairly by account.
//!
//! A free permit goes to the waiting account that holds the fewest permits, and among these to the one that was served
//! longest ago. Requests of one account are served first in, first out. This is max-min fairness over the permits; with
//! one permit it is round robin over the waiting accounts. An account that floods the semaphore delays a single request
//! of another account by about the time that one permit is held.
//!
//! The number of waiting requests of an account is bounded, and so is the time that each waits. A request that is
//! dropped while it waits, even at the moment when it is served, leaves nothing behind.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

/// The number of permits, and how many of them an account may hold or wait for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    /// Permits in total; at least 1.
    pub(crate) permits: usize,
    /// Maximum permits that one account holds at once; at least 1.
    pub(crate) held_by_account: usize,
    /// Maximum requests of one account that wait at once.
    pub(crate) waiting_of_account: usize,
}

/// Why no permit was granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum NoPermit {
    /// The account has reached its maximum of waiting requests.
    #[error("too many requests of the account are waiting")]
    QueueFull,
    /// No permit became free before the deadline.
    #[error("the request waited too long for a permit")]
    TimedOut,
}

/// A semaphore whose permits are shared fairly by account.
#[derive(Debug)]
pub(crate) struct FairSemaphore {
    shares: Shares,
    state: Mutex<State>,
}

/// A permit, which is released when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    semaphore: Arc<FairSemaphore>,
    account: Uuid,
}

/// The state of a semaphore. Invariant: no permit is free while a request waits that may have it.
#[derive(Debug)]
struct State {
    free: usize,
    /// Number of permits granted so far: the clock of `last_served`.
    served: u64,
    /// Number of requests queued so far.
    tickets: u64,
    accounts: HashMap<Uuid, Account>,
}

/// An account that holds permits, waits, or was served while others waited.
#[derive(Debug, Default)]
struct Account {
    held: usize,
    /// Number of the permit that it was granted last; 0 before the first.
    last_served: u64,
    waiting: VecDeque<Waiting>,
}

/// A waiting request.
#[derive(Debug)]
struct Waiting {
    ticket: u64,
    serve: oneshot::Sender<()>,
}

/// A request's place in the queue. When it is dropped, the request leaves the queue, or releases the permit that it was
/// granted.
#[derive(Debug)]
struct Place {
    /// None once the permit has been taken.
    semaphore: Option<Arc<FairSemaphore>>,
    account: Uuid,
    ticket: u64,
}

impl FairSemaphore {
    /// Creates a semaphore with all permits free.
    pub(crate) fn new(shares: Shares) -> Arc<Self> {
        let shares = Shares {
            permits: shares.permits.max(1),
            held_by_account: shares.held_by_account.max(1),
            waiting_of_account: shares.waiting_of_account,
        };
        let state = State { free: shares.permits, served: 0, tickets: 0, accounts: HashMap::new() };
        Arc::new(Self { shares, state: Mutex::new(state) })
    }

    /// Waits for a permit for the account until the deadline.
    ///
    /// # Errors
    ///
    /// [`NoPermit::QueueFull`] immediately; [`NoPermit::TimedOut`] at the deadline.
    pub(crate) async fn acquire(self: &Arc<Self>, account: Uuid, deadline: Instant) -> Result<Permit, NoPermit> {
        let (place, served) = self.enter(account)?;
        match timeout_at(deadline, served).await {
            Ok(Ok(())) => place.into_permit().ok_or(NoPermit::TimedOut),
            _ => Err(NoPermit::TimedOut),
        }
    }

    /// Queues a request and grants the free permits.
    fn enter(self: &Arc<Self>, account: Uuid) -> Result<(Place, oneshot::Receiver<()>), NoPermit> {
        let mut state = self.lock();
        let waiting = state.accounts.get(&account).map_or(0, |account| account.waiting.len());
        // A request that is served immediately does not count as waiting.
        let served_at_once = waiting == 0 && state.can_serve(account, self.shares);
        if !served_at_once && waiting >= self.shares.waiting_of_account {
            return Err(NoPermit::QueueFull);
        }
        state.tickets += 1;
        let ticket = state.tickets;
        let (serve, served) = oneshot::channel();
        state.accounts.entry(account).or_default().waiting.push_back(Waiting { ticket, serve });
        state.serve(self.shares);
        drop(state);
        Ok((Place { semaphore: Some(self.clone()), account, ticket }, served))
    }

    /// Releases a permit and grants it to the next request.
    fn release(&self, account: Uuid) {
        let mut state = self.lock();
        state.free += 1;
        if let Some(account) = state.accounts.get_mut(&account) {
            account.held -= 1;
        }
        state.serve(self.shares);
        state.forget();
    }

    /// Removes a request from the queue, or releases its permit if it has been served meanwhile.
    fn leave(&self, account: Uuid, ticket: u64) {
        let mut state = self.lock();
        let waiting = state.accounts.get_mut(&account).map(|account| &mut account.waiting);
        let waited = waiting.is_some_and(|waiting| {
            let before = waiting.len();
            waiting.retain(|waiting| waiting.ticket != ticket);
            waiting.len() < before
        });
        if waited {
            state.forget();
            return;
        }
        drop(state);
        self.release(account);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns whether a request of the account could be served now.
    fn can_serve(&self, account: Uuid, shares: Shares) -> bool {
        self.free > 0 && self.accounts.get(&account).is_none_or(|account| account.held < shares.held_by_account)
    }

    /// Grants the free permits, each to the account that comes next.
    fn serve(&mut self, shares: Shares) {
        while self.free > 0 {
            let next = self
                .accounts
                .values_mut()
                .filter(|account| account.held < shares.held_by_account)
                .filter_map(|account| {
                    let first = account.waiting.front()?.ticket;
                    Some(((account.held, account.last_served, first), account))
                })
                .min_by_key(|(order, _)| *order);
            let Some((_, account)) = next else {
                return;
            };
            let Some(request) = account.waiting.pop_front() else {
                return;
            };
            self.free -= 1;
            self.served += 1;
            account.held += 1;
            account.last_served = self.served;
            // If the request is being dropped, its `Place` releases the permit.
            let _ = request.serve.send(());
        }
    }

    /// Forgets idle accounts that were served before every waiting account: they come first anyway, as new accounts do.
    fn forget(&mut self) {
        let waiting = self.accounts.values().filter(|account| !account.waiting.is_empty());
        let longest_ago = waiting.map(|account| account.last_served).min().unwrap_or(u64::MAX);
        self.accounts
            .retain(|_, account| account.held > 0 || !account.waiting.is_empty() || account.last_served > longest_ago);
    }
}

impl Place {
    /// Turns the place of a served request into its permit.
    fn into_permit(mut self) -> Option<Permit> {
        Some(Permit { semaphore: self.semaphore.take()?, account: self.account })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(semaphore) = self.semaphore.take() {
            semaphore.leave(self.account, self.ticket);
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.semaphore.release(self.account);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::future::Future;
    use std::pin::Pin;
    use std::task::Poll;
    use std::time::Duration;

    use futures_util::poll;

    use super::*;

    const A: Uuid = Uuid::from_u128(1);
    const B: Uuid = Uuid::from_u128(2);
    const C: Uuid = Uuid::from_u128(3);

    fn semaphore(permits: usize) -> Arc<FairSemaphore> {
        FairSemaphore::new(Shares { permits, held_by_account: permits, waiting_of_account: 100 })
    }

    /// Returns a deadline that no test reaches.
    fn later() -> Instant {
        Instant::now() + Duration::from_mins(5)
    }

    type Request = Pin<Box<dyn Future<Output = Result<Permit, NoPermit>> + Send>>;

    /// Requests in the order in which they arrived, and the accounts that were served.
    struct Requests {
        semaphore: Arc<FairSemaphore>,
        waiting: Vec<(Uuid, Request)>,
        held: Vec<(Uuid, Permit)>,
        served: Vec<Uuid>,
    }

    impl Requests {
        fn new(semaphore: &Arc<FairSemaphore>) -> Self {
            Self { semaphore: semaphore.clone(), waiting: Vec::new(), held: Vec::new(), served: Vec::new() }
        }

        async fn arrive(&mut self, account: Uuid, requests: usize) {
            for _ in 0..requests {
                let semaphore = self.semaphore.clone();
                let request: Request = Box::pin(async move { semaphore.acquire(account, later()).await });
                self.waiting.push((account, request));
                self.collect().await;
            }
        }

        /// Collects the granted permits.
        async fn collect(&mut self) {
            let mut waiting = Vec::new();
            for (account, mut request) in std::mem::take(&mut self.waiting) {
                match poll!(&mut request) {
                    Poll::Ready(permit) => {
                        self.held.push((account, permit.unwrap()));
                        self.served.push(account);
                    }
                    Poll::Pending => waiting.push((account, request)),
                }
            }
            self.waiting = waiting;
        }

        /// Releases the oldest permit.
        async fn release_one(&mut self) {
            drop(self.held.remove(0));
            self.collect().await;
        }
    }

    fn is_empty(semaphore: &FairSemaphore) -> bool {
        let state = semaphore.lock();
        state.free == semaphore.shares.permits && state.accounts.is_empty()
    }

    #[tokio::test]
    async fn a_single_request_is_served_next_during_a_flood() {
        for permits in [1, 3] {
            let mut requests = Requests::new(&semaphore(permits));
            requests.arrive(A, 50).await;
            for _ in 0..3 {
                requests.arrive(B, 1).await;
                requests.release_one().await;
                assert_eq!(requests.served.last(), Some(&B), "{permits} permits");
                // The single request ends before the account's next one arrives.
                let own = requests.held.iter().position(|(account, _)| *account == B).unwrap();
                drop(requests.held.remove(own));
                requests.collect().await;
            }
        }
    }

    #[tokio::test]
    async fn accounts_that_wait_are_served_in_turn() {
        let mut requests = Requests::new(&semaphore(1));
        requests.arrive(A, 5).await;
        requests.arrive(B, 3).await;
        requests.arrive(C, 1).await;
        for _ in 0..8 {
            requests.release_one().await;
        }
        assert_eq!(requests.served, [A, B, C, A, B, A, B, A, A]);
    }

    #[tokio::test]
    async fn repeated_requests_gain_an_account_no_more_permits() {
        let mut requests = Requests::new(&semaphore(1));
        requests.arrive(A, 20).await;
        requests.arrive(B, 20).await;
        for _ in 0..12 {
            if !requests.waiting.iter().any(|(account, _)| *account == C) {
                requests.arrive(C, 1).await;
            }
            requests.release_one().await;
        }
        let mut shares = BTreeMap::new();
        for account in &requests.served[1..] {
            *shares.entry(*account).or_insert(0) += 1;
        }
        assert_eq!(shares, BTreeMap::from([(A, 4), (B, 4), (C, 4)]));
    }

    #[tokio::test]
    async fn the_account_with_fewer_permits_comes_first() {
        let mut requests = Requests::new(&semaphore(2));
        requests.arrive(A, 1).await;
        requests.arrive(B, 1).await;
        requests.arrive(A, 2).await;
        requests.arrive(B, 2).await;
        // A's permit stays, B's ends: B was served last, and holds fewer.
        drop(requests.held.remove(1));
        requests.collect().await;
        assert_eq!(requests.served, [A, B, B]);
    }

    #[tokio::test]
    async fn an_account_holds_at_most_its_share() {
        let shares = Shares { permits: 3, held_by_account: 2, waiting_of_account: 1 };
        let semaphore = FairSemaphore::new(shares);
        let mut requests = Requests::new(&semaphore);
        requests.arrive(A, 3).await;
        assert_eq!(requests.served, [A, A]);
        assert_eq!(semaphore.acquire(A, later()).await.unwrap_err(), NoPermit::QueueFull);
        requests.arrive(B, 1).await;
        assert_eq!(requests.served, [A, A, B], "the free permit goes to another account");
        drop(requests.held.pop());
        requests.collect().await;
        assert_eq!(requests.served, [A, A, B], "and not to the first account");
        requests.release_one().await;
        assert_eq!(requests.served, [A, A, B, A]);
    }

    #[tokio::test]
    async fn the_queue_of_an_account_is_bounded() {
        let semaphore = FairSemaphore::new(Shares { permits: 1, held_by_account: 1, waiting_of_account: 2 });
        let mut requests = Requests::new(&semaphore);
        requests.arrive(A, 3).await;
        assert_eq!(semaphore.acquire(A, later()).await.unwrap_err(), NoPermit::QueueFull);
        requests.arrive(B, 2).await;
        requests.waiting.clear();
        requests.arrive(A, 2).await;
        assert_eq!(semaphore.acquire(A, later()).await.unwrap_err(), NoPermit::QueueFull, "its queue is full again");
    }

    #[tokio::test]
    async fn a_request_waits_until_its_deadline() {
        let semaphore = semaphore(1);
        let held = semaphore.acquire(A, later()).await.unwrap();
        let deadline = Instant::now() + Duration::from_millis(30);

        let refused = semaphore.acquire(B, deadline).await;

        assert_eq!(refused.unwrap_err(), NoPermit::TimedOut);
        assert!(Instant::now() >= deadline);
        drop(held);
        assert!(is_empty(&semaphore), "{semaphore:?}");
    }

    #[tokio::test]
    async fn a_dropped_request_leaves_the_queue() {
        let semaphore = semaphore(1);
        let mut requests = Requests::new(&semaphore);
        requests.arrive(A, 1).await;
        requests.arrive(B, 1).await;
        requests.arrive(C, 1).await;
        drop(requests.waiting.remove(0));
        requests.release_one().await;
        assert_eq!(requests.served, [A, C]);
        requests.held.clear();
        assert!(is_empty(&semaphore), "{semaphore:?}");
    }

    #[tokio::test]
    async fn a_request_dropped_after_being_served_releases_its_permit() {
        let semaphore = semaphore(1);
        let mut requests = Requests::new(&semaphore);
        requests.arrive(A, 1).await;
        requests.arrive(B, 1).await;
        requests.arrive(C, 1).await;
        // B is served, but dropped before it takes its permit.
        drop(requests.held.remove(0));
        drop(requests.waiting.remove(0));
        requests.collect().await;
        assert_eq!(requests.served, [A, C]);
        requests.held.clear();
        assert!(is_empty(&semaphore), "{semaphore:?}");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn concurrent_requests_lose_no_permit() {
        let semaphore = semaphore(2);
        let tasks: Vec<_> = (0..60_u64)
            .map(|index| {
                let semaphore = semaphore.clone();
                tokio::spawn(async move {
                    // Every third request reaches its deadline while it waits.
                    let wait = Duration::from_millis(if index % 3 == 0 { index % 7 } else { 60_000 });
                    let account = Uuid::from_u128(u128::from(index % 4));
                    let permit = semaphore.acquire(account, Instant::now() + wait).await;
                    tokio::task::yield_now().await;
                    permit.is_ok()
                })
            })
            .collect();
        let mut served = 0;
        for task in tasks {
            served += usize::from(task.await.unwrap());
        }
        assert!(served >= 40, "{served}");
        assert!(is_empty(&semaphore), "{semaphore:?}");
    }
}
