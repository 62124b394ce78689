//! Accounts share the workers: whose job is claimed next, and how many jobs are ahead of another.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use fanlight_store::{
    Caller, Claim, Document, Job, JobFilter, JobStatus, ListRequest, StoreError, Submission, Tier, UNWANTED_AFTER,
};
use tokio::time::timeout;
use uuid::Uuid;

use crate::world::{World, complete, on_both_databases, submission, versions};

on_both_databases!(
    single_job_is_next_beside_500_of_another_account,
    first_single_job_is_claimed_second_at_the_latest,
    accounts_get_equal_shares_of_the_claims,
    batch_is_claimed_one_job_at_a_turn,
    submitting_jobs_one_by_one_gains_no_advantage,
    new_accounts_are_served_in_order_of_arrival,
    abandoned_job_is_claimed_before_queued_ones,
    job_without_a_worker_does_not_hold_up_others,
    jobs_ahead_equals_the_claims_that_come_first,
    account_is_marked_while_it_has_queued_jobs,
    sweep_repairs_marks_of_an_earlier_version,
    concurrent_workers_and_clients_lose_no_job,
    concurrent_claims_share_by_account,
);

/// Concurrent work that takes longer than this is taken for a deadlock.
const DEADLOCK: Duration = Duration::from_mins(2);

impl World {
    async fn account(&self, name: &str) -> (Caller, Document) {
        let caller = self.caller(name, Tier::Enterprise).await;
        let document = self.document(&caller, name).await;
        (caller, document)
    }

    /// Queues this many jobs of an account, in batches.
    async fn queue(&self, (caller, document): &(Caller, Document), jobs: usize) -> Vec<Job> {
        let mut queued = Vec::new();
        for start in (0..jobs).step_by(100) {
            let submissions = vec![submission(document); (jobs - start).min(100)];
            queued.extend(self.store.submit_batch(caller, &submissions).await.unwrap().jobs);
        }
        queued
    }

    async fn claimed(&self) -> Claim {
        self.claim().await.expect("a job is queued")
    }

    /// Claims jobs, and returns the names of their accounts in order.
    async fn served(&self, claims: usize, names: &HashMap<Uuid, &'static str>) -> String {
        let mut served = String::new();
        for _ in 0..claims {
            served += names[&self.claimed().await.job.account_id];
        }
        served
    }

    async fn finish(&self, claim: &Claim) {
        self.store.finish(&claim.lease, &complete(), Duration::from_secs(1)).await.unwrap();
    }

    /// Fails if an account is marked without queued jobs, or has queued jobs and no mark.
    async fn check_marks(&self, when: &str) {
        let wrong = "SELECT COUNT(*) FROM accounts
             LEFT JOIN queue_accounts ON queue_accounts.account_id = accounts.id
             WHERE (waiting_since IS NOT NULL)
                   <> EXISTS (SELECT 1 FROM jobs WHERE jobs.account_id = accounts.id AND status = 'queued')";
        assert_eq!(self.number(wrong).await, 0, "{when}");
    }
}

fn names(accounts: &[(&'static str, &(Caller, Document))]) -> HashMap<Uuid, &'static str> {
    accounts.iter().map(|(name, (caller, _))| (caller.account_id, *name)).collect()
}

async fn single_job_is_next_beside_500_of_another_account(world: World) {
    let (busy, other) = (world.account("busy").await, world.account("other").await);
    world.queue(&busy, 500).await;
    for _ in 0..3 {
        let running = world.claimed().await;
        assert_eq!(running.job.account_id, busy.0.account_id);
        let single = world.queue(&other, 1).await.remove(0);
        assert_eq!(world.store.jobs_ahead(&single).await.unwrap(), 0);
        world.finish(&running).await;

        let next = world.claimed().await;

        assert_eq!(next.job.id, single.id);
        world.finish(&next).await;
    }
}

async fn first_single_job_is_claimed_second_at_the_latest(world: World) {
    let (busy, other) = (world.account("busy").await, world.account("other").await);
    world.queue(&busy, 500).await;
    let single = world.queue(&other, 1).await.remove(0);
    assert_eq!(world.store.jobs_ahead(&single).await.unwrap(), 1);

    let claimed = [world.claimed().await.job.id, world.claimed().await.job.id];

    assert!(claimed.contains(&single.id));
}

async fn accounts_get_equal_shares_of_the_claims(world: World) {
    let (a, b, c) = (world.account("a").await, world.account("b").await, world.account("c").await);
    for (account, jobs) in [(&a, 40), (&b, 10), (&c, 3)] {
        world.queue(account, jobs).await;
        world.clock.advance(Duration::from_secs(1));
    }
    let names = names(&[("a", &a), ("b", &b), ("c", &c)]);

    assert_eq!(world.served(9, &names).await, "abcabcabc");
    assert_eq!(world.served(6, &names).await, "ababab", "account c has no jobs left");
    world.queue(&c, 2).await;
    assert_eq!(world.served(6, &names).await, "cabcab");
    assert_eq!(world.served(6, &names).await, "ababaa", "account b has no jobs left");
}

async fn batch_is_claimed_one_job_at_a_turn(world: World) {
    let (office, other) = (world.account("office").await, world.account("other").await);
    let batch = world.queue(&office, 100).await;
    let singles = world.queue(&other, 5).await;
    let mut expected = Vec::new();
    for (of_batch, single) in batch.iter().zip(&singles) {
        expected.extend([of_batch.id, single.id]);
    }
    expected.extend(batch[5..8].iter().map(|job| job.id));

    let mut claimed = Vec::new();
    for _ in 0..expected.len() {
        claimed.push(world.claimed().await.job.id);
    }

    assert_eq!(claimed, expected);
}

/// The account queues its one job again before each claim, so that it always looks new.
async fn submitting_jobs_one_by_one_gains_no_advantage(world: World) {
    let (a, b, quick) = (world.account("a").await, world.account("b").await, world.account("q").await);
    world.queue(&a, 20).await;
    world.queue(&b, 20).await;
    let names = names(&[("a", &a), ("b", &b), ("q", &quick)]);
    let mut served = String::new();
    for _ in 0..12 {
        let queued =
            format!("SELECT COUNT(*) FROM jobs WHERE account_id = '{}' AND status = 'queued'", quick.0.account_id);
        if world.number(&queued).await == 0 {
            world.queue(&quick, 1).await;
        }
        let claim = world.claimed().await;
        served += names[&claim.job.account_id];
        world.finish(&claim).await;
    }

    for account in ["a", "b", "q"] {
        assert_eq!(served.matches(account).count(), 4, "{served}");
    }
}

async fn new_accounts_are_served_in_order_of_arrival(world: World) {
    let busy = world.account("busy").await;
    world.queue(&busy, 10).await;
    world.claimed().await;
    let mut expected = Vec::new();
    // They queue their jobs in another order than that of their ids.
    let accounts = [world.account("a").await, world.account("b").await, world.account("c").await];
    for account in [&accounts[2], &accounts[0], &accounts[1]] {
        expected.push(world.queue(account, 2).await[0].id);
        world.clock.advance(Duration::from_secs(1));
    }

    let mut claimed = Vec::new();
    for _ in 0..3 {
        claimed.push(world.claimed().await.job.id);
    }

    assert_eq!(claimed, expected);
}

async fn abandoned_job_is_claimed_before_queued_ones(world: World) {
    let (unlucky, other) = (world.account("unlucky").await, world.account("other").await);
    let job = world.queue(&unlucky, 2).await.remove(0);
    let died = world.claimed().await;
    assert_eq!(died.job.id, job.id);
    world.queue(&other, 2).await;
    world.let_the_lease_end();

    let again = world.claimed().await;

    assert_eq!((again.job.id, again.lease.attempt), (job.id, 2));
    let names = names(&[("u", &unlucky), ("o", &other)]);
    assert_eq!(world.served(3, &names).await, "ouo", "a second attempt is not a turn of its account");
}

async fn job_without_a_worker_does_not_hold_up_others(world: World) {
    let (stuck, other) = (world.account("stuck").await, world.account("other").await);
    let unknown = Submission { model_version: "toc-parser-v9.0.0".to_owned(), ..submission(&stuck.1) };
    world.store.submit_batch(&stuck.0, &[unknown.clone(), unknown, submission(&stuck.1)]).await.unwrap();
    world.queue(&other, 2).await;
    let names = names(&[("s", &stuck), ("o", &other)]);
    assert_eq!(world.served(3, &names).await, "soo", "a worker has the model of the third job");
    assert!(world.claim().await.is_none());
    world.check_marks("while two jobs wait for a worker that has their model").await;

    world.clock.advance(UNWANTED_AFTER);
    let fresh = world.queue(&other, 1).await.remove(0);
    assert!(world.store.claim("worker", &[]).await.unwrap().is_none(), "it gives jobs up, and claims none");
    world.check_marks("after the unwanted jobs were given up").await;
    assert_eq!(world.store.job(other.0.account_id, fresh.id).await.unwrap().status, JobStatus::Queued);
}

async fn jobs_ahead_equals_the_claims_that_come_first(world: World) {
    let mut accounts = Vec::new();
    for (name, jobs) in [("a", 7), ("b", 1), ("c", 4), ("d", 12), ("e", 2)] {
        let account = world.account(name).await;
        world.queue(&account, jobs).await;
        world.clock.advance(Duration::from_secs(1));
        accounts.push(account);
    }
    for _ in 0..4 {
        world.claimed().await;
    }
    // One account comes back, one is new, and one cancels a job.
    world.queue(&accounts[1], 3).await;
    accounts.push(world.account("f").await);
    world.queue(&accounts[5], 2).await;
    let jobs =
        world.store.jobs(accounts[3].0.account_id, &JobFilter::default(), &ListRequest::default()).await.unwrap();
    let cancelled = jobs.items.iter().find(|job| job.status == JobStatus::Queued).unwrap();
    world.store.cancel(accounts[3].0.account_id, cancelled.id).await.unwrap();

    let mut expected = HashMap::new();
    for (caller, _) in &accounts {
        let next = world.store.jobs_ahead_of_next(caller.account_id, 1000).await.unwrap();
        let jobs =
            world.store.jobs(caller.account_id, &JobFilter::default(), &ListRequest::default()).await.unwrap().items;
        let each = world.store.jobs_ahead_of_each(caller.account_id, &jobs).await.unwrap();
        for job in jobs.iter().filter(|job| job.status == JobStatus::Queued) {
            let ahead = world.store.jobs_ahead(job).await.unwrap();
            assert_eq!(each[&job.id], ahead);
            assert!(next > ahead, "a further job comes after the account's others");
            expected.insert(job.id, ahead);
        }
    }
    let last = &accounts[2];
    let next = world.store.jobs_ahead_of_next(last.0.account_id, 1000).await.unwrap();
    assert_eq!(world.store.jobs_ahead_of_next(last.0.account_id, 3).await.unwrap(), 3, "no more than was asked for");
    let added = world.queue(last, 1).await.remove(0);
    assert_eq!(world.store.jobs_ahead(&added).await.unwrap(), next);

    let mut claimed = Vec::new();
    while let Some(claim) = world.claim().await {
        claimed.push(claim.job.id);
    }

    assert_eq!(claimed.len(), expected.len() + 1);
    // The job that was added comes before others, so the expectations are compared without it.
    claimed.retain(|id| *id != added.id);
    for (place, id) in claimed.iter().enumerate() {
        assert_eq!(expected[id], place as u64);
    }
}

async fn account_is_marked_while_it_has_queued_jobs(world: World) {
    let office = world.account("office").await;
    let (caller, document) = &office;
    world.check_marks("at first").await;

    world.queue(&office, 2).await;
    world.check_marks("with queued jobs").await;
    world.claimed().await;
    world.check_marks("with one of them left").await;
    world.claimed().await;
    world.check_marks("when the last is claimed").await;

    let single = world.submit(caller, document).await.unwrap();
    world.check_marks("when it comes back").await;
    world.store.cancel(caller.account_id, single.id).await.unwrap();
    world.check_marks("when its only job is cancelled").await;

    let batch = world.store.submit_batch(caller, &vec![submission(document); 3]).await.unwrap();
    world.store.cancel_batch(caller.account_id, batch.id).await.unwrap();
    world.check_marks("when its batch is cancelled").await;

    world.queue(&office, 2).await;
    world.store.delete_document(caller.account_id, document.id).await.unwrap();
    world.check_marks("when its document is deleted").await;

    let other = world.document(caller, "another").await;
    let broken = world.submit(caller, &other).await.unwrap();
    world.change(&format!("UPDATE jobs SET pages = '1,x' WHERE id = '{}'", broken.id)).await;
    assert!(world.claim().await.is_none());
    world.check_marks("when its only job is given up").await;
}

async fn sweep_repairs_marks_of_an_earlier_version(world: World) {
    let (unmarked, emptied) = (world.account("unmarked").await, world.account("emptied").await);
    let job = world.queue(&unmarked, 1).await.remove(0);
    world.change("DELETE FROM queue_accounts").await;
    world.queue(&emptied, 1).await;
    world.change(&format!("UPDATE jobs SET status = 'cancelled' WHERE account_id = '{}'", emptied.0.account_id)).await;
    assert!(world.claim().await.is_none(), "the account isn't known to wait");

    world.store.sweep(&world.blobs, "host", Duration::ZERO).await.unwrap().expect("nobody else sweeps");

    world.check_marks("after the sweep").await;
    assert_eq!(world.claimed().await.job.id, job.id);
}

/// All that locks rows of the queue runs at once, on two hosts. A deadlock would be an error on PostgreSQL.
async fn concurrent_workers_and_clients_lose_no_job(world: World) {
    const JOBS: usize = 24;
    let hosts = [world.store.clone(), world.another_host().await];
    let mut tasks = Vec::new();
    let mut accounts = Vec::new();
    for (index, name) in ["a", "b", "c"].into_iter().enumerate() {
        let (caller, document) = world.account(name).await;
        let doomed = world.document(&caller, "doomed").await;
        accounts.push(caller);
        let host = hosts[index % 2].clone();
        tasks.push(tokio::spawn(async move {
            let mut made = Vec::new();
            for round in 0..JOBS {
                // A batch over both documents, so that it holds one while it wants the other.
                let batch = [submission(&document), submission(&doomed), submission(&document)];
                match host.submit_batch(&caller, &batch).await {
                    Ok(batch) => made.extend(batch.jobs),
                    Err(error) => {
                        assert!(matches!(error, StoreError::DocumentNotFound), "{error:?}");
                        made.push(host.submit(&caller, &submission(&document)).await.unwrap());
                    }
                }
                if round % 3 == 0 {
                    let job = &made[made.len() - 1];
                    let cancelled = host.cancel(caller.account_id, job.id).await;
                    assert!(matches!(cancelled, Ok(_) | Err(StoreError::NotCancellable)), "{cancelled:?}");
                }
                if round == JOBS / 2 {
                    host.delete_document(caller.account_id, doomed.id).await.unwrap();
                }
            }
            made.into_iter().map(|job| job.id).collect::<Vec<_>>()
        }));
    }
    let (done, watching) = tokio::sync::watch::channel(false);
    let workers: Vec<_> = (0..4)
        .map(|index| {
            let (host, watching) = (hosts[index % 2].clone(), watching.clone());
            tokio::spawn(async move {
                let mut claimed = Vec::new();
                loop {
                    let last_round = *watching.borrow();
                    while let Some(claim) = host.claim(&format!("worker {index}"), &versions()).await.unwrap() {
                        host.finish(&claim.lease, &complete(), Duration::from_secs(1)).await.unwrap();
                        claimed.push(claim.job.id);
                    }
                    if last_round {
                        return claimed;
                    }
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();

    let (mut made, mut claimed) = (HashSet::new(), Vec::new());
    for task in tasks {
        made.extend(timeout(DEADLOCK, task).await.expect("no deadlock").unwrap());
    }
    done.send(true).unwrap();
    for worker in workers {
        claimed.extend(timeout(DEADLOCK, worker).await.expect("no deadlock").unwrap());
    }
    while let Some(claim) = world.claim().await {
        claimed.push(claim.job.id);
        world.finish(&claim).await;
    }

    let once: HashSet<Uuid> = claimed.iter().copied().collect();
    assert_eq!(once.len(), claimed.len(), "no job is claimed twice");
    assert!(once.is_subset(&made));
    assert_eq!(world.number("SELECT COUNT(*) FROM jobs WHERE status IN ('queued', 'processing')").await, 0);
    let complete = world.number("SELECT COUNT(*) FROM jobs WHERE status = 'complete'").await;
    assert_eq!(usize::try_from(complete), Ok(claimed.len()));
    for caller in &accounts {
        let charged =
            format!("SELECT COALESCE(SUM(credits_charged), 0) FROM jobs WHERE account_id = '{}'", caller.account_id);
        let charged = world.number(&format!("SELECT CAST(({charged}) AS BIGINT)")).await;
        assert_eq!(world.store.credits_used(caller).await.unwrap(), u64::try_from(charged).unwrap());
    }
    world.check_marks("in the end").await;
}

/// Between two claims for an account, a worker serves each other account at most twice: once by a claim that began before
/// the first of the two, and once because it saw that account before this one in the order of service.
async fn concurrent_claims_share_by_account(world: World) {
    const WORKERS: usize = 4;
    const CLAIMS: usize = 15;
    let accounts = [world.account("a").await, world.account("b").await, world.account("c").await];
    for account in &accounts {
        world.queue(account, WORKERS * CLAIMS).await;
    }
    let hosts = [world.store.clone(), world.another_host().await];
    let workers: Vec<_> = (0..WORKERS)
        .map(|index| {
            let host = hosts[index % 2].clone();
            tokio::spawn(async move {
                let mut served = Vec::new();
                for _ in 0..CLAIMS {
                    let claim = host.claim(&format!("worker {index}"), &versions()).await.unwrap().unwrap();
                    served.push((claim.job.account_id, claim.job.id));
                }
                served
            })
        })
        .collect();

    let mut served = Vec::new();
    for worker in workers {
        served.extend(timeout(DEADLOCK, worker).await.expect("no deadlock").unwrap());
    }

    assert_eq!(served.iter().map(|(_, job)| job).collect::<HashSet<_>>().len(), WORKERS * CLAIMS);
    for (caller, _) in &accounts {
        let share = served.iter().filter(|(account, _)| *account == caller.account_id).count();
        let between = 2 * WORKERS * (accounts.len() - 1);
        assert!(served.len() - share <= between * (share + 1), "{share} of {}", served.len());
    }
}
