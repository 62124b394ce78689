//! One guest: the store that it lives in, and how its calls end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fanlight_language::Session;
use fanlight_ocr::Reader;
use thiserror::Error;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use wasmtime::component::{Resource, ResourceTable};
use wasmtime::{Engine, Store, Trap, UpdateDeadline};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use crate::document::Document;
use crate::limits::{Limits, MemoryLimiter};
use crate::log::GuestLog;
use crate::nn::Networks;
use crate::warning::Warnings;

/// How far a task is. `message` is the plugin's own, or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Pages done, over all shards.
    pub done: u32,
    /// Pages of the task.
    pub total: u32,
    /// What the plugin is at, for people.
    pub message: String,
}

/// Why a task has no result. Texts are for the operator's log, not for clients; a plugin's own are cut to a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// The plugin says that the document can't be read.
    #[error("the document can't be read: {0}")]
    PdfCorrupt(String),
    /// The plugin says that the document is nothing it can work on.
    #[error("the document is not one for this model: {0}")]
    Unsupported(String),
    /// The plugin says that it failed.
    #[error("the plugin failed: {0}")]
    Internal(String),
    /// The plugin trapped: a panic, an overflown stack, an illegal access.
    #[error("the plugin crashed: {0}")]
    Crashed(String),
    /// The plugin asked for more memory than it may have, and crashed over it.
    #[error("the plugin needs more than {0} MB of memory")]
    Memory(u32),
    /// A call took too long.
    #[error("the plugin took more than {0} seconds")]
    Deadline(u32),
    /// The plugin printed too much.
    #[error("the plugin printed more than {0} bytes")]
    Flooded(u32),
    /// A result is larger than it may be.
    #[error("the plugin's result has {size} bytes, more than {limit}")]
    ResultTooLarge {
        /// Bytes of the result.
        size: usize,
        /// Bytes that it may have.
        limit: u32,
    },
    /// A partial result isn't JSON, or a result isn't a JSON object.
    #[error("the plugin's {what} is not JSON as it must be: {detail}")]
    NotJson {
        /// Which of its texts.
        what: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// A partial result or a result breaks the schema that the plugin declares for it. Nothing here is text of the
    /// document: names that the schema does not have are `*`.
    #[error("the plugin's {what} does not fit its schema: at `{path}` it needs {expected}")]
    SchemaViolation {
        /// Which of its texts.
        what: &'static str,
        /// JSON Pointer to the value; empty for the whole text.
        path: String,
        /// What the schema expects there.
        expected: String,
    },
    /// A text is so long, and its schema so wide, that the check would take too long.
    #[error("the plugin's {what} takes too long to check against its schema")]
    TooMuchToCheck {
        /// Which of its texts.
        what: &'static str,
    },
    /// The caller cancelled the task.
    #[error("the task was cancelled")]
    Cancelled,
}

/// Bytes of a guest's own words that are kept.
const WORDS: usize = 500;

/// A guest's own words as part of a line: cut, and without control characters, which could forge lines of a log.
pub(crate) fn words(text: &str, most: usize) -> String {
    let kept = &text[..text.floor_char_boundary(most)];
    kept.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// As [`words`], of the length that a reason may have.
pub(crate) fn reason(text: &str) -> String {
    words(text, WORDS)
}

/// When a call must have ended: by the clock, or because nobody wants it any more.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    at: Instant,
    seconds: u32,
    cancelled: CancellationToken,
}

impl Deadline {
    pub(crate) fn after(limits: &Limits, cancelled: CancellationToken) -> Self {
        Self { at: Instant::now() + limits.duration(), seconds: limits.seconds, cancelled }
    }

    fn left(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// When three quarters of the time are over: what the call waits for until then leaves it time to end without.
    pub(crate) fn last_quarter(&self) -> Instant {
        let quarter = Duration::from_secs(u64::from(self.seconds)) / 4;
        self.at.checked_sub(quarter).unwrap_or(self.at)
    }

    fn reached(&self) -> bool {
        self.left().is_zero()
    }
}

/// What a store is made from.
pub(crate) struct Setup {
    pub(crate) plugin: Arc<str>,
    /// What stands in the log as the task: the job's id.
    pub(crate) task: Arc<str>,
    pub(crate) limits: Limits,
    pub(crate) deadline: Deadline,
    /// None where the guest has no business with a document: `describe`, `present`.
    pub(crate) document: Option<Document>,
    /// The pages that the submission named, as it named them.
    pub(crate) asked_for: Option<Arc<[u32]>>,
    pub(crate) progress: Option<ShardProgress>,
    /// The task's share of the language model. None where there is none, or the plugin has no right to it.
    pub(crate) language: Option<Arc<Session>>,
    /// None where there is none, or the plugin has no right to it.
    pub(crate) ocr: Option<Arc<Reader>>,
    /// Those that the plugin may use; none in calls without a document.
    pub(crate) networks: Arc<Networks>,
    /// Where the host notes what the guest asks for in vain.
    pub(crate) warnings: Warnings,
}

/// Where a shard's progress goes.
#[derive(Clone, Debug)]
pub(crate) struct ShardProgress {
    pub(crate) board: watch::Sender<Vec<Progress>>,
    pub(crate) shard: usize,
}

/// The host's state of one store.
pub(crate) struct Guest {
    wasi: WasiCtx,
    pub(crate) table: ResourceTable,
    memory: MemoryLimiter,
    log: GuestLog,
    limits: Limits,
    pub(crate) deadline: Deadline,
    pub(crate) document: Option<Document>,
    pub(crate) asked_for: Option<Arc<[u32]>>,
    pub(crate) progress: Option<ShardProgress>,
    pub(crate) language: Option<Arc<Session>>,
    pub(crate) ocr: Option<Arc<Reader>>,
    pub(crate) networks: Arc<Networks>,
    pub(crate) warnings: Warnings,
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

/// The most random bytes that a guest may ask for at a time.
const RANDOM_BYTES: u64 = 64 * 1024;

/// A store with nothing granted: no files, no network, no environment, no arguments, an empty standard input.
pub(crate) fn store(engine: &Engine, setup: Setup) -> Store<Guest> {
    let limits = setup.limits;
    let log = GuestLog::new(setup.plugin, setup.task, limits.log_bytes as usize);
    let wasi = WasiCtx::builder()
        .stdout(log.stream("stdout"))
        .stderr(log.stream("stderr"))
        .allow_tcp(false)
        .allow_udp(false)
        .max_random_size(RANDOM_BYTES)
        .build();
    let mut table = ResourceTable::new();
    table.set_max_capacity(limits.handles as usize);
    let guest = Guest {
        wasi,
        table,
        memory: MemoryLimiter::new(&limits),
        log,
        limits,
        deadline: setup.deadline,
        document: setup.document,
        asked_for: setup.asked_for,
        progress: setup.progress,
        language: setup.language,
        ocr: setup.ocr,
        networks: setup.networks,
        warnings: setup.warnings,
    };
    let mut store = Store::new(engine, guest);
    store.limiter(|guest| &mut guest.memory);
    store.set_hostcall_fuel(limits.host_call_bytes as usize);
    store.set_max_component_handles(limits.handles as usize);
    store.set_epoch_deadline(1);
    store.epoch_deadline_callback(|store| {
        let guest = store.data();
        let stop = guest.deadline.reached() || guest.deadline.cancelled.is_cancelled() || guest.log.flooded();
        Ok(if stop { UpdateDeadline::Interrupt } else { UpdateDeadline::Yield(1) })
    });
    store
}

/// What became of a call into a guest.
pub(crate) enum Outcome<T> {
    Returned(wasmtime::Result<T>),
    TimedOut,
    Cancelled,
}

/// Waits for a call, but no longer than the deadline: epochs interrupt a guest that runs, this one that waits.
pub(crate) async fn within<T>(deadline: &Deadline, call: impl Future<Output = wasmtime::Result<T>>) -> Outcome<T> {
    tokio::select! {
        biased;
        () = deadline.cancelled.cancelled() => Outcome::Cancelled,
        returned = tokio::time::timeout(deadline.left(), call) => {
            returned.map_or(Outcome::TimedOut, Outcome::Returned)
        }
    }
}

impl Guest {
    /// The call's value, or why there is none: the limit that the guest ran into rather than the trap it made of it.
    pub(crate) fn judge<T>(&self, outcome: Outcome<T>) -> Result<T, Failure> {
        let error = match outcome {
            Outcome::Cancelled => return Err(Failure::Cancelled),
            Outcome::TimedOut => return Err(Failure::Deadline(self.deadline.seconds)),
            Outcome::Returned(_) if self.log.flooded() => return Err(Failure::Flooded(self.limits.log_bytes)),
            Outcome::Returned(Ok(value)) => return Ok(value),
            Outcome::Returned(Err(error)) => error,
        };
        if self.deadline.cancelled.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        if self.deadline.reached() {
            return Err(Failure::Deadline(self.deadline.seconds));
        }
        if self.memory.refused() {
            return Err(Failure::Memory(self.limits.memory_mb));
        }
        tracing::debug!(error = format!("{error:?}"), "a guest trapped");
        let cause = error.downcast_ref::<Trap>().map_or_else(|| error.root_cause().to_string(), ToString::to_string);
        Err(Failure::Crashed(cause))
    }

    /// Counts bytes that the host is about to hold for the guest as the guest's.
    ///
    /// # Errors
    ///
    /// The guest has no room for them; its task fails by [`Failure::Memory`].
    pub(crate) fn charge(&mut self, bytes: usize) -> wasmtime::Result<()> {
        if !self.memory.charge(bytes) {
            wasmtime::bail!("no memory is left for what the host would hold for the guest");
        }
        Ok(())
    }

    /// Takes bytes of [`Guest::charge`] off the account: the host holds them no more.
    pub(crate) fn release(&mut self, bytes: usize) {
        self.memory.release(bytes);
    }

    /// Gives the guest a handle to something that the host holds for it, `bytes` beside the handle itself.
    pub(crate) fn push<T: Send + 'static>(&mut self, resource: T, bytes: usize) -> wasmtime::Result<Resource<T>> {
        self.charge(bytes)?;
        Ok(self.table.push(resource)?)
    }

    /// Checks that an answer is no longer than one call may give, and that the guest has room for it once more: the
    /// host holds a copy until the guest has its own.
    pub(crate) fn check_answer(&mut self, bytes: usize) -> wasmtime::Result<()> {
        let most = self.limits.host_call_bytes as usize;
        if bytes > most {
            wasmtime::bail!("an answer of {bytes} bytes is longer than the {most} that one host call may give");
        }
        self.charge(bytes)?;
        self.release(bytes);
        Ok(())
    }

    /// Bytes that one host call may give at most.
    pub(crate) fn most_answer_bytes(&self) -> usize {
        self.limits.host_call_bytes as usize
    }

    /// Bytes of all linear memories together, and of what the host holds for the guest.
    pub(crate) fn memory_used(&self) -> usize {
        self.memory.used()
    }
}
