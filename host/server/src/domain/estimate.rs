//! In how many seconds a job is likely done: from how long jobs took lately, how many are claimed before it, and how
//! many workers there are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fanlight_store::{CompletedRun, Store, StoreError};
use uuid::Uuid;

use crate::runtime::models::Models;

/// How long a page is taken to be before anything is known of a model.
const PAGE: Duration = Duration::from_millis(50);
/// How many pages of a model outweigh that.
const PAGES: u64 = 20;
/// How long a job is taken to be, beyond its pages: it is claimed, its document is opened, its result is written.
const BEGINNING: Duration = Duration::from_millis(250);
/// As many jobs ahead as an estimate counts at most.
const MOST_AHEAD: u32 = 1000;
/// How long what is known of the jobs that took place is good for.
const FRESH: Duration = Duration::from_secs(10);

/// Makes estimates, and looks at the database for them now and then.
pub(crate) struct Estimates {
    /// Jobs that run at a time. What other hosts add is not known here.
    workers: u64,
    known: Mutex<Option<(Instant, Arc<Pace>)>>,
}

impl Estimates {
    /// Estimates for so many workers.
    pub(crate) fn new(workers: usize) -> Self {
        Self { workers: workers.max(1) as u64, known: Mutex::new(None) }
    }

    /// In how many seconds a job of a model over so many pages would likely be done if the account queued it now; at
    /// least 1.
    pub(crate) async fn seconds(
        &self,
        store: &Store,
        models: &Models,
        account_id: Uuid,
        model: &str,
        pages: u64,
    ) -> Result<u64, StoreError> {
        let ahead = store.jobs_ahead_of_next(account_id, MOST_AHEAD).await?;
        let pace = match self.known() {
            Some(pace) => pace,
            None => self.learn(&store.recent_runs().await?, models),
        };
        Ok(in_seconds(pace.until_done(model, pages, ahead, self.workers)))
    }

    fn known(&self) -> Option<Arc<Pace>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(at, _)| at.elapsed() < FRESH).map(|(_, pace)| pace.clone())
    }

    fn learn(&self, lately: &[CompletedRun], models: &Models) -> Arc<Pace> {
        let pages = |ran: &CompletedRun| match models.get(&ran.model) {
            Some(model) => model.description().pages(ran.page_count, ran.pages.as_deref()).len() as u64,
            None => 0,
        };
        let pace = Arc::new(Pace::of(lately.iter().map(|ran| (ran.model.as_str(), pages(ran), ran.took))));
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), pace.clone()));
        pace
    }
}

/// How fast jobs are.
#[derive(Debug, Default, PartialEq, Eq)]
struct Pace {
    /// What the pages of each model took, and how many they were.
    models: BTreeMap<String, (Duration, u64)>,
    /// What jobs of all models took, and how many they were.
    jobs: (Duration, u32),
}

impl Pace {
    /// Of jobs of a model over so many pages, and the time that each took.
    fn of<'a>(jobs: impl Iterator<Item = (&'a str, u64, Duration)>) -> Self {
        let mut pace = Self::default();
        for (model, pages, took) in jobs {
            let (time, count) = pace.models.entry(model.to_owned()).or_default();
            *time = time.saturating_add(took.saturating_sub(BEGINNING));
            *count += pages;
            pace.jobs.0 = pace.jobs.0.saturating_add(took);
            pace.jobs.1 += 1;
        }
        pace
    }

    /// What a page of a model takes: what is assumed, the less of it the more is known.
    fn page(&self, model: &str) -> Duration {
        let (time, pages) = self.models.get(model).copied().unwrap_or_default();
        time.saturating_add(PAGE * PAGES as u32).div_f64((pages + PAGES) as f64)
    }

    /// What a job takes that nothing is known of but that it waits. The assumption weighs as much as one job.
    fn job(&self) -> Duration {
        let (time, count) = self.jobs;
        time.saturating_add(BEGINNING + PAGE * PAGES as u32) / (count + 1)
    }

    /// The time until a job is done: its own, and its workers' for those that wait before it.
    fn until_done(&self, model: &str, pages: u64, ahead: u64, workers: u64) -> Duration {
        let own = BEGINNING.as_secs_f64() + self.page(model).as_secs_f64() * pages as f64;
        let waiting = self.job().as_secs_f64() * ahead as f64 / workers as f64;
        Duration::try_from_secs_f64(own + waiting).unwrap_or(Duration::MAX)
    }
}

/// Whole seconds, rounded up: never 0.
fn in_seconds(time: Duration) -> u64 {
    time.as_secs_f64().ceil().max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(pace: &Pace, pages: u64, ahead: u64, workers: u64) -> u64 {
        in_seconds(pace.until_done("toc-parser", pages, ahead, workers))
    }

    fn measured(jobs: usize, pages: u64, milliseconds: u64) -> Pace {
        Pace::of(std::iter::repeat_n(("toc-parser", pages, Duration::from_millis(milliseconds)), jobs))
    }

    #[test]
    fn without_a_history_a_page_is_a_twentieth_of_a_second() {
        let nothing = Pace::default();
        let estimates = [(1, 0), (40, 0), (400, 0), (40, 8)].map(|(pages, ahead)| seconds(&nothing, pages, ahead, 2));
        assert_eq!(estimates, [1, 3, 21, 8]);
    }

    #[test]
    fn an_estimate_follows_what_was_measured() {
        let cases = [(measured(50, 40, 1_250), 2), (measured(50, 40, 8_250), 9), (measured(50, 40, 80_250), 80)];
        for (pace, expected) in cases {
            assert_eq!(seconds(&pace, 40, 0, 2), expected, "{pace:?}");
        }
    }

    #[test]
    fn one_odd_job_does_not_decide() {
        let pace = measured(1, 1, 20_250);
        assert_eq!(seconds(&pace, 1, 0, 2), 2, "and not 20");
    }

    #[test]
    fn jobs_ahead_are_shared_by_the_workers() {
        let pace = measured(100, 40, 10_250);
        let alone = seconds(&pace, 40, 0, 1);
        let estimates = [1, 2, 5].map(|workers| seconds(&pace, 40, 10, workers) - alone);
        assert_eq!(estimates, [101, 51, 20]);
    }

    #[test]
    fn what_other_models_take_counts_for_those_that_wait_alone() {
        let slow = std::iter::repeat_n(("door-detector", 10, Duration::from_mins(1)), 100);
        let fast = std::iter::repeat_n(("toc-parser", 40, Duration::from_millis(450)), 100);
        let pace = Pace::of(slow.chain(fast));
        assert_eq!(seconds(&pace, 40, 0, 1), 1);
        assert!(seconds(&pace, 40, 10, 1) > 250);
    }

    #[test]
    fn the_longest_queue_has_an_estimate() {
        assert!(seconds(&Pace::default(), u64::MAX, u64::MAX, 1) > 1_000_000);
    }
}
