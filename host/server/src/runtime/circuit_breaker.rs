//! Sets a model aside that fails again and again, and tries it again later: the circuit breaker pattern.
//!
//! Closed, its jobs run. After some failures in a row it opens: its jobs wait, and new ones are refused. After a pause it
//! is half open: one job tries the model. Success closes the breaker. Another failure opens it for twice as long.
//!
//! Only the plugin's own failures count: a trap, a limit, a result that does not fit. Each process counts for itself.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The longest pause between two tries. An operator who replaces a broken plugin need not wait for it: another version
/// has a breaker of its own.
const LONGEST_PAUSE: Duration = Duration::from_hours(1);

/// When models are set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FailurePolicy {
    /// Failures in a row after which a model is set aside. 0 for never.
    pub(crate) failures: u32,
    /// The first pause.
    pub(crate) pause: Duration,
}

/// How an attempt at a job ended, as far as its model is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The model did its work. That includes a document which it can't work on.
    Worked,
    /// The model failed by itself.
    Failed,
    /// The model was not tried: the attempt was cancelled, or another job's result was reused.
    NotTried,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Closed { failures: u32 },
    Open { until: Instant, pause: Duration },
    HalfOpen { pause: Duration },
}

/// The circuit breakers of all models, by version (`NAME-vVERSION`).
#[derive(Debug)]
pub(crate) struct CircuitBreakers {
    policy: FailurePolicy,
    /// Models without an entry are closed and have not failed.
    states: Mutex<HashMap<String, State>>,
}

impl CircuitBreakers {
    /// Creates breakers that are all closed.
    pub(crate) fn new(policy: FailurePolicy) -> Self {
        Self { policy, states: Mutex::default() }
    }

    /// Returns whether a job of this model may begin now.
    pub(crate) fn may_begin(&self, model_version: &str, now: Instant) -> bool {
        match self.states().get(model_version) {
            None | Some(State::Closed { .. }) => true,
            Some(State::Open { until, .. }) => *until <= now,
            Some(State::HalfOpen { .. }) => false,
        }
    }

    /// Returns whether any model is set aside.
    pub(crate) fn any_set_aside(&self) -> bool {
        self.states().values().any(|state| !matches!(state, State::Closed { .. }))
    }

    /// Returns whether a model is set aside, or is being tried again after it was.
    pub(crate) fn is_set_aside(&self, model_version: &str) -> bool {
        matches!(self.states().get(model_version), Some(State::Open { .. } | State::HalfOpen { .. }))
    }

    /// Returns how long no job of a model may begin. None if one may, or is trying the model.
    pub(crate) fn pause_left(&self, model_version: &str, now: Instant) -> Option<Duration> {
        match self.states().get(model_version)? {
            State::Open { until, .. } if *until > now => Some(*until - now),
            _ => None,
        }
    }

    /// Notes that a job of this model begins. If it was set aside, no other one begins until this one has ended.
    pub(crate) fn begin(&self, model_version: &str) {
        let mut states = self.states();
        if let Some(state) = states.get_mut(model_version)
            && let State::Open { pause, .. } = *state
        {
            *state = State::HalfOpen { pause };
        }
    }

    /// Notes how a job of this model ended. Returns the pause if the model is set aside by that.
    pub(crate) fn end(&self, model_version: &str, verdict: Verdict, now: Instant) -> Option<Duration> {
        let mut states = self.states();
        let before = states.get(model_version).copied().unwrap_or(State::Closed { failures: 0 });
        let after = match (verdict, before) {
            (Verdict::Worked, _) => State::Closed { failures: 0 },
            (Verdict::NotTried, State::HalfOpen { pause }) => State::Open { until: now, pause },
            (Verdict::NotTried, other) => other,
            (Verdict::Failed, State::Closed { failures }) if self.is_too_often(failures + 1) => {
                State::Open { until: now + self.policy.pause, pause: self.policy.pause }
            }
            (Verdict::Failed, State::Closed { failures }) => State::Closed { failures: failures + 1 },
            (Verdict::Failed, State::HalfOpen { pause }) => {
                let pause = (pause * 2).min(LONGEST_PAUSE);
                State::Open { until: now + pause, pause }
            }
            // Jobs that began before the model was set aside.
            (Verdict::Failed, open @ State::Open { .. }) => open,
        };
        let was_open = matches!(before, State::Open { .. });
        match after {
            State::Closed { failures: 0 } => states.remove(model_version),
            other => states.insert(model_version.to_owned(), other),
        };
        match after {
            State::Open { pause, .. } if verdict == Verdict::Failed && !was_open => Some(pause),
            _ => None,
        }
    }

    fn is_too_often(&self, failures: u32) -> bool {
        self.policy.failures != 0 && failures >= self.policy.failures
    }

    fn states(&self) -> MutexGuard<'_, HashMap<String, State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "counter-v1.0.0";
    const PAUSE: Duration = Duration::from_secs(30);

    fn breakers() -> CircuitBreakers {
        CircuitBreakers::new(FailurePolicy { failures: 3, pause: PAUSE })
    }

    /// Lets a model fail in jobs that begin at once.
    fn fail(breakers: &CircuitBreakers, times: u32, now: Instant) -> Option<Duration> {
        (0..times).map(|_| breakers.end(MODEL, Verdict::Failed, now)).last().flatten()
    }

    #[test]
    fn a_model_is_set_aside_after_failures_in_a_row_and_no_other_one_is() {
        let (breakers, now) = (breakers(), Instant::now());
        assert_eq!(fail(&breakers, 2, now), None);
        breakers.end(MODEL, Verdict::Worked, now);
        assert_eq!(fail(&breakers, 2, now), None);
        assert!(breakers.may_begin(MODEL, now) && !breakers.any_set_aside());
        assert_eq!(fail(&breakers, 1, now), Some(PAUSE));
        assert!(!breakers.may_begin(MODEL, now) && breakers.may_begin("other-v1.0.0", now));
        assert_eq!(breakers.pause_left(MODEL, now + Duration::from_secs(10)), Some(Duration::from_secs(20)));
        assert_eq!(breakers.pause_left(MODEL, now + PAUSE), None);
        assert!(breakers.is_set_aside(MODEL));
    }

    #[test]
    fn one_job_tries_the_model_after_the_pause() {
        let (breakers, now) = (breakers(), Instant::now());
        fail(&breakers, 3, now);
        let later = now + PAUSE;
        assert!(breakers.may_begin(MODEL, later));
        breakers.begin(MODEL);
        assert!(!breakers.may_begin(MODEL, later));
        breakers.end(MODEL, Verdict::Worked, later);
        assert!(breakers.may_begin(MODEL, later) && !breakers.any_set_aside());
    }

    #[test]
    fn each_failed_try_doubles_the_pause_up_to_an_hour() {
        let (breakers, mut now) = (breakers(), Instant::now());
        fail(&breakers, 3, now);
        let mut pauses = Vec::new();
        for _ in 0..8 {
            now += LONGEST_PAUSE;
            breakers.begin(MODEL);
            pauses.extend(breakers.end(MODEL, Verdict::Failed, now).map(|pause| pause.as_secs()));
        }
        assert_eq!(pauses, [60, 120, 240, 480, 960, 1920, 3600, 3600]);
    }

    #[test]
    fn a_try_that_was_cancelled_decides_nothing() {
        let (breakers, now) = (breakers(), Instant::now());
        fail(&breakers, 3, now);
        let later = now + PAUSE;
        breakers.begin(MODEL);
        assert_eq!(breakers.end(MODEL, Verdict::NotTried, later), None);
        assert!(breakers.may_begin(MODEL, later) && breakers.any_set_aside());
    }

    #[test]
    fn no_model_is_set_aside_where_the_policy_is_off() {
        let breakers = CircuitBreakers::new(FailurePolicy { failures: 0, pause: PAUSE });
        let now = Instant::now();
        assert_eq!(fail(&breakers, 100, now), None);
        assert!(breakers.may_begin(MODEL, now));
    }
}
