//! Estimates how many seconds a job will take, from the duration of recent jobs, the jobs that are claimed before it
//! and the number of workers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fanlight_store::{CompletedRun, Store, StoreError};
use uuid::Uuid;

use crate::runtime::models::Models;

/// Assumed time for one page of a model without history.
const DEFAULT_PAGE_TIME: Duration = Duration::from_millis(50);
/// Weight of [`DEFAULT_PAGE_TIME`] in the average, as a number of pages.
const DEFAULT_PAGES: u64 = 20;
/// Assumed time of a job beyond its pages: claiming it, opening its document and writing its result.
const JOB_OVERHEAD: Duration = Duration::from_millis(250);
/// Maximum jobs ahead that an estimate counts.
const MAX_AHEAD: u32 = 1000;
/// How long the history of jobs is cached.
const CACHE_TIME: Duration = Duration::from_secs(10);

/// Estimates durations from a history that is read from the database at most once in [`CACHE_TIME`].
pub(crate) struct Estimates {
    /// Concurrent jobs of this process. The workers of other hosts are unknown.
    workers: u64,
    history: Mutex<Option<CachedHistory>>,
}

impl Estimates {
    /// Creates estimates for this number of workers.
    pub(crate) fn new(workers: usize) -> Self {
        Self { workers: workers.max(1) as u64, history: Mutex::new(None) }
    }

    /// Returns the estimated seconds until a job of `pages` pages would be done if the account queued it now; at least
    /// 1.
    pub(crate) async fn seconds(
        &self,
        store: &Store,
        models: &Models,
        account_id: Uuid,
        model: &str,
        pages: u64,
    ) -> Result<u64, StoreError> {
        let ahead = store.jobs_ahead_of_next(account_id, MAX_AHEAD).await?;
        let history = match self.cached() {
            Some(history) => history,
            None => self.update(&store.recent_runs().await?, models),
        };
        Ok(whole_seconds(history.time_until_done(model, pages, ahead, self.workers)))
    }

    /// Returns the history, unless it is too old.
    fn cached(&self) -> Option<Arc<History>> {
        let cached = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        cached.as_ref().filter(|cached| cached.read_at.elapsed() < CACHE_TIME).map(|cached| cached.history.clone())
    }

    /// Replaces the history by that of these jobs.
    fn update(&self, recent: &[CompletedRun], models: &Models) -> Arc<History> {
        let jobs = recent.iter().map(|ran| FinishedJob {
            model: &ran.model,
            pages: pages_analyzed(ran, models),
            took: ran.took,
        });
        let history = Arc::new(History::from_jobs(jobs));
        let cached = CachedHistory { read_at: Instant::now(), history: history.clone() };
        *self.history.lock().unwrap_or_else(PoisonError::into_inner) = Some(cached);
        history
    }
}

/// Returns the number of pages that a job analyzed; 0 if its model is not installed.
fn pages_analyzed(ran: &CompletedRun, models: &Models) -> u64 {
    match models.get(&ran.model) {
        Some(model) => model.description().pages(ran.page_count, ran.pages.as_deref()).len() as u64,
        None => 0,
    }
}

/// A history and when it was read.
struct CachedHistory {
    read_at: Instant,
    history: Arc<History>,
}

/// A job that has finished.
struct FinishedJob<'a> {
    model: &'a str,
    pages: u64,
    took: Duration,
}

/// The durations of finished jobs.
#[derive(Debug, Default, PartialEq, Eq)]
struct History {
    /// The pages of each model.
    pages: BTreeMap<String, Total>,
    /// The jobs of all models.
    jobs: Total,
}

/// A number of pages or jobs, and the time that they took together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Total {
    time: Duration,
    count: u64,
}

impl Total {
    fn add(&mut self, time: Duration, count: u64) {
        self.time = self.time.saturating_add(time);
        self.count += count;
    }
}

impl History {
    /// Sums the durations of jobs.
    fn from_jobs<'a>(jobs: impl Iterator<Item = FinishedJob<'a>>) -> Self {
        let mut history = Self::default();
        for job in jobs {
            let pages = history.pages.entry(job.model.to_owned()).or_default();
            pages.add(job.took.saturating_sub(JOB_OVERHEAD), job.pages);
            history.jobs.add(job.took, 1);
        }
        history
    }

    /// Returns the mean time for one page of a model. The assumed time counts as [`DEFAULT_PAGES`] pages.
    fn page_time(&self, model: &str) -> Duration {
        let Total { time, count: pages } = self.pages.get(model).copied().unwrap_or_default();
        time.saturating_add(DEFAULT_PAGE_TIME * DEFAULT_PAGES as u32).div_f64((pages + DEFAULT_PAGES) as f64)
    }

    /// Returns the mean time for a job of any model. The assumed time counts as one job.
    fn job_time(&self) -> Duration {
        let Total { time, count } = self.jobs;
        time.saturating_add(JOB_OVERHEAD + DEFAULT_PAGE_TIME * DEFAULT_PAGES as u32)
            / u32::try_from(count + 1).unwrap_or(u32::MAX)
    }

    /// Returns the time until a job is done: its own time, and that of the `ahead` jobs before it shared by the
    /// workers.
    fn time_until_done(&self, model: &str, pages: u64, ahead: u64, workers: u64) -> Duration {
        let own = JOB_OVERHEAD.as_secs_f64() + self.page_time(model).as_secs_f64() * pages as f64;
        let waiting = self.job_time().as_secs_f64() * ahead as f64 / workers as f64;
        Duration::try_from_secs_f64(own + waiting).unwrap_or(Duration::MAX)
    }
}

/// Rounds up to whole seconds, at least 1.
fn whole_seconds(time: Duration) -> u64 {
    time.as_secs_f64().ceil().max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(history: &History, pages: u64, ahead: u64, workers: u64) -> u64 {
        whole_seconds(history.time_until_done("toc-parser", pages, ahead, workers))
    }

    fn jobs(model: &str, count: usize, pages: u64, took: Duration) -> impl Iterator<Item = FinishedJob<'_>> {
        (0..count).map(move |_| FinishedJob { model, pages, took })
    }

    fn measured(count: usize, pages: u64, milliseconds: u64) -> History {
        History::from_jobs(jobs("toc-parser", count, pages, Duration::from_millis(milliseconds)))
    }

    #[test]
    fn without_a_history_a_page_is_a_twentieth_of_a_second() {
        let empty = History::default();
        let estimates = [(1, 0), (40, 0), (400, 0), (40, 8)].map(|(pages, ahead)| seconds(&empty, pages, ahead, 2));
        assert_eq!(estimates, [1, 3, 21, 8]);
    }

    #[test]
    fn an_estimate_follows_measured_durations() {
        let cases = [(measured(50, 40, 1_250), 2), (measured(50, 40, 8_250), 9), (measured(50, 40, 80_250), 80)];
        for (history, expected) in cases {
            assert_eq!(seconds(&history, 40, 0, 2), expected, "{history:?}");
        }
    }

    #[test]
    fn one_slow_job_barely_changes_the_estimate() {
        let history = measured(1, 1, 20_250);
        assert_eq!(seconds(&history, 1, 0, 2), 2, "and not 20");
    }

    #[test]
    fn jobs_ahead_are_shared_by_the_workers() {
        let history = measured(100, 40, 10_250);
        let alone = seconds(&history, 40, 0, 1);
        let estimates = [1, 2, 5].map(|workers| seconds(&history, 40, 10, workers) - alone);
        assert_eq!(estimates, [101, 51, 20]);
    }

    #[test]
    fn other_models_count_only_for_jobs_ahead() {
        let slow = jobs("door-detector", 100, 10, Duration::from_mins(1));
        let fast = jobs("toc-parser", 100, 40, Duration::from_millis(450));
        let history = History::from_jobs(slow.chain(fast));
        assert_eq!(seconds(&history, 40, 0, 1), 1);
        assert!(seconds(&history, 40, 10, 1) > 250);
    }

    #[test]
    fn the_longest_queue_has_an_estimate() {
        assert!(seconds(&History::default(), u64::MAX, u64::MAX, 1) > 1_000_000);
    }
}
