//! A semaphore whose permits are shared fairly by account.
//!
//! A permit that becomes free goes to the waiting account that holds the fewest permits, and among these to the one
//! that was served longest ago. The requests of one account are served in the order in which they came. That is max-min
//! fairness over the permits, and with one permit round robin over the accounts that wait: an account that floods the
//! semaphore delays another one's single request by about the rest of one permit's time.
//!
//! How many requests of an account may wait is bounded, and so is how long each of them waits. A request that is
//! dropped while it waits, even at the moment at which it is served, leaves nothing behind.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

/// How many permits there are, and how many an account may have or wait for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    /// Permits of all accounts; at least one.
    pub(crate) permits: usize,
    /// Most permits that one account holds at a time; at least one.
    pub(crate) held_by_account: usize,
    /// Most requests of one account that wait at a time.
    pub(crate) waiting_of_account: usize,
}

/// Why there is no permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum NoPermit {
    /// As many requests of the account wait already as may.
    #[error("too many requests of the account wait already")]
    QueueFull,
    /// No permit became free for the request in time.
    #[error("the request waited too long for a permit")]
    TimedOut,
}

/// A semaphore whose permits are shared fairly by account.
#[derive(Debug)]
pub(crate) struct FairSemaphore {
    shares: Shares,
    state: Mutex<State>,
}

/// A right to one unit of what the semaphore guards, until it is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    semaphore: Arc<FairSemaphore>,
    account: Uuid,
}

/// Where a free permit and a waiting request that may have it are never there at the same time.
#[derive(Debug)]
struct State {
    free: usize,
    /// How many permits were given so far: the clock of `last_served`.
    served: u64,
    /// How many requests have waited so far.
    tickets: u64,
    accounts: HashMap<Uuid, Account>,
}

/// What is known of an account that holds permits, waits, or was served while others waited.
#[derive(Debug, Default)]
struct Account {
    held: usize,
    /// The number of the permit that it was given last; 0 before the first.
    last_served: u64,
    waiting: VecDeque<Waiting>,
}

/// A request that waits.
#[derive(Debug)]
struct Waiting {
    ticket: u64,
    serve: oneshot::Sender<()>,
}

/// A request's place in the queue. Dropped, it leaves the queue, or gives back the permit that it was served.
#[derive(Debug)]
struct Place {
    /// None once the permit is taken.
    semaphore: Option<Arc<FairSemaphore>>,
    account: Uuid,
    ticket: u64,
}

impl FairSemaphore {
    /// Makes a semaphore with all permits free.
    pub(crate) fn new(shares: Shares) -> Arc<Self> {
        let shares = Shares {
            permits: shares.permits.max(1),
            held_by_account: shares.held_by_account.max(1),
            waiting_of_account: shares.waiting_of_account,
        };
        let state = State { free: shares.permits, served: 0, tickets: 0, accounts: HashMap::new() };
        Arc::new(Self { shares, state: Mutex::new(state) })
    }

    /// Waits for a permit of the account's until the deadline.
    ///
    /// # Errors
    ///
    /// [`NoPermit::QueueFull`] at once; [`NoPermit::TimedOut`] at the deadline.
    pub(crate) async fn acquire(self: &Arc<Self>, account: Uuid, deadline: Instant) -> Result<Permit, NoPermit> {
        let (place, served) = self.enter(account)?;
        match timeout_at(deadline, served).await {
            Ok(Ok(())) => place.into_permit().ok_or(NoPermit::TimedOut),
            _ => Err(NoPermit::TimedOut),
        }
    }

    /// Puts a request into the queue and serves whoever can be served.
    fn enter(self: &Arc<Self>, account: Uuid) -> Result<(Place, oneshot::Receiver<()>), NoPermit> {
        let mut state = self.lock();
        let waiting = state.accounts.get(&account).map_or(0, |account| account.waiting.len());
        // Without another request before it, a request that can be served at once doesn't wait.
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

    /// Takes a permit back.
    fn release(&self, account: Uuid) {
        let mut state = self.lock();
        state.free += 1;
        if let Some(account) = state.accounts.get_mut(&account) {
            account.held -= 1;
        }
        state.serve(self.shares);
        state.forget();
    }

    /// Takes a request out of the queue, or takes its permit back where it was served meanwhile.
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
    fn can_serve(&self, account: Uuid, shares: Shares) -> bool {
        self.free > 0 && self.accounts.get(&account).is_none_or(|account| account.held < shares.held_by_account)
    }

    /// Gives out the free permits, each to the account that comes next.
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
            // A request that is just being dropped has the permit all the same: its place gives it back.
            let _ = request.serve.send(());
        }
    }

    /// Forgets idle accounts that would come before all that wait anyway, as accounts that are new do.
    fn forget(&mut self) {
        let waiting = self.accounts.values().filter(|account| !account.waiting.is_empty());
        let longest_ago = waiting.map(|account| account.last_served).min().unwrap_or(u64::MAX);
        self.accounts
            .retain(|_, account| account.held > 0 || !account.waiting.is_empty() || account.last_served > longest_ago);
    }
}

impl Place {
    /// Turns the place of a request that was served into its permit.
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

    /// Far enough away for every test.
    fn later() -> Instant {
        Instant::now() + Duration::from_mins(5)
    }

    type Request = Pin<Box<dyn Future<Output = Result<Permit, NoPermit>> + Send>>;

    /// Requests in the order in which they came, and who was served.
    struct Requests {
        semaphore: Arc<FairSemaphore>,
        waiting: Vec<(Uuid, Request)>,
        held: Vec<(Uuid, Permit)>,
        served: Vec<Uuid>,
    }

    impl Requests {
        fn of(semaphore: &Arc<FairSemaphore>) -> Self {
            Self { semaphore: semaphore.clone(), waiting: Vec::new(), held: Vec::new(), served: Vec::new() }
        }

        async fn come(&mut self, account: Uuid, requests: usize) {
            for _ in 0..requests {
                let semaphore = self.semaphore.clone();
                let request: Request = Box::pin(async move { semaphore.acquire(account, later()).await });
                self.waiting.push((account, request));
                self.look().await;
            }
        }

        /// Collects the permits that were given.
        async fn look(&mut self) {
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

        /// Gives back the oldest permit.
        async fn end_one(&mut self) {
            drop(self.held.remove(0));
            self.look().await;
        }
    }

    fn is_empty(semaphore: &FairSemaphore) -> bool {
        let state = semaphore.lock();
        state.free == semaphore.shares.permits && state.accounts.is_empty()
    }

    #[tokio::test]
    async fn a_single_request_is_served_next_beside_a_flood() {
        for permits in [1, 3] {
            let mut requests = Requests::of(&semaphore(permits));
            requests.come(A, 50).await;
            for _ in 0..3 {
                requests.come(B, 1).await;
                requests.end_one().await;
                assert_eq!(requests.served.last(), Some(&B), "{permits} permits");
                // The one request of the other account ends before its next one comes.
                let own = requests.held.iter().position(|(account, _)| *account == B).unwrap();
                drop(requests.held.remove(own));
                requests.look().await;
            }
        }
    }

    #[tokio::test]
    async fn accounts_that_wait_are_served_in_turn() {
        let mut requests = Requests::of(&semaphore(1));
        requests.come(A, 5).await;
        requests.come(B, 3).await;
        requests.come(C, 1).await;
        for _ in 0..8 {
            requests.end_one().await;
        }
        assert_eq!(requests.served, [A, B, C, A, B, A, B, A, A]);
    }

    #[tokio::test]
    async fn an_account_that_asks_again_each_time_gets_only_its_share() {
        let mut requests = Requests::of(&semaphore(1));
        requests.come(A, 20).await;
        requests.come(B, 20).await;
        for _ in 0..12 {
            if !requests.waiting.iter().any(|(account, _)| *account == C) {
                requests.come(C, 1).await;
            }
            requests.end_one().await;
        }
        let mut shares = BTreeMap::new();
        for account in &requests.served[1..] {
            *shares.entry(*account).or_insert(0) += 1;
        }
        assert_eq!(shares, BTreeMap::from([(A, 4), (B, 4), (C, 4)]));
    }

    #[tokio::test]
    async fn whoever_holds_fewer_permits_comes_first() {
        let mut requests = Requests::of(&semaphore(2));
        requests.come(A, 1).await;
        requests.come(B, 1).await;
        requests.come(A, 2).await;
        requests.come(B, 2).await;
        // A's permit stays, B's ends: B was served last, and holds fewer.
        drop(requests.held.remove(1));
        requests.look().await;
        assert_eq!(requests.served, [A, B, B]);
    }

    #[tokio::test]
    async fn an_account_holds_no_more_permits_than_its_share() {
        let shares = Shares { permits: 3, held_by_account: 2, waiting_of_account: 1 };
        let semaphore = FairSemaphore::new(shares);
        let mut requests = Requests::of(&semaphore);
        requests.come(A, 3).await;
        assert_eq!(requests.served, [A, A]);
        assert_eq!(semaphore.acquire(A, later()).await.unwrap_err(), NoPermit::QueueFull);
        requests.come(B, 1).await;
        assert_eq!(requests.served, [A, A, B], "the free permit is another account's");
        drop(requests.held.pop());
        requests.look().await;
        assert_eq!(requests.served, [A, A, B], "and is not the first one's");
        requests.end_one().await;
        assert_eq!(requests.served, [A, A, B, A]);
    }

    #[tokio::test]
    async fn only_so_many_requests_of_an_account_wait() {
        let semaphore = FairSemaphore::new(Shares { permits: 1, held_by_account: 1, waiting_of_account: 2 });
        let mut requests = Requests::of(&semaphore);
        requests.come(A, 3).await;
        assert_eq!(semaphore.acquire(A, later()).await.unwrap_err(), NoPermit::QueueFull);
        requests.come(B, 2).await;
        requests.waiting.clear();
        requests.come(A, 2).await;
        assert_eq!(semaphore.acquire(A, later()).await.unwrap_err(), NoPermit::QueueFull, "its queue was emptied once");
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
    async fn a_request_that_is_dropped_while_it_waits_leaves_the_queue() {
        let semaphore = semaphore(1);
        let mut requests = Requests::of(&semaphore);
        requests.come(A, 1).await;
        requests.come(B, 1).await;
        requests.come(C, 1).await;
        drop(requests.waiting.remove(0));
        requests.end_one().await;
        assert_eq!(requests.served, [A, C]);
        requests.held.clear();
        assert!(is_empty(&semaphore), "{semaphore:?}");
    }

    #[tokio::test]
    async fn a_request_that_is_dropped_once_served_gives_its_permit_back() {
        let semaphore = semaphore(1);
        let mut requests = Requests::of(&semaphore);
        requests.come(A, 1).await;
        requests.come(B, 1).await;
        requests.come(C, 1).await;
        // B is served, and is dropped before it hears of it.
        drop(requests.held.remove(0));
        drop(requests.waiting.remove(0));
        requests.look().await;
        assert_eq!(requests.served, [A, C]);
        requests.held.clear();
        assert!(is_empty(&semaphore), "{semaphore:?}");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn requests_that_come_and_go_at_once_lose_no_permit() {
        let semaphore = semaphore(2);
        let tasks: Vec<_> = (0..60_u64)
            .map(|index| {
                let semaphore = semaphore.clone();
                tokio::spawn(async move {
                    // Every third request gives up within the time that it waits.
                    let patience = Duration::from_millis(if index % 3 == 0 { index % 7 } else { 60_000 });
                    let account = Uuid::from_u128(u128::from(index % 4));
                    let permit = semaphore.acquire(account, Instant::now() + patience).await;
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
