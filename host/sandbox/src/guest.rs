//! A guest: its store, its deadline, and how its calls end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fanlight_composition::Limits;
use fanlight_language::Session;
use fanlight_ocr::Reader;
use thiserror::Error;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use wasmtime::component::{Resource, ResourceTable};
use wasmtime::{Engine, Store, Trap, UpdateDeadline};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use crate::document::Document;
use crate::limits::MemoryLimiter;
use crate::log::GuestLog;
use crate::nn::Networks;
use crate::warning::Warnings;

/// The progress of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Completed pages of all shards.
    pub done: u32,
    /// Pages of the task.
    pub total: u32,
    /// The plugin's own message for clients, or empty.
    pub message: String,
}

/// Why a task has no result. Messages are for the operator's log, not for clients. A plugin's own text is cut to one
/// line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// The plugin reports that the document cannot be read.
    #[error("the document can't be read: {0}")]
    PdfCorrupt(String),
    /// The plugin reports that it cannot work on this document.
    #[error("the document is not one for this model: {0}")]
    Unsupported(String),
    /// The plugin reports that it failed.
    #[error("the plugin failed: {0}")]
    Internal(String),
    /// The plugin trapped: a panic, a stack overflow or an illegal access.
    #[error("the plugin crashed: {0}")]
    Crashed(String),
    /// The plugin requested more memory than it may have, and crashed.
    #[error("the plugin needs more than {0} MB of memory")]
    Memory(u32),
    /// A call exceeded its time limit.
    #[error("the plugin took more than {0} seconds")]
    Deadline(u32),
    /// The plugin exceeded the limit on its output.
    #[error("the plugin printed more than {0} bytes")]
    Flooded(u32),
    /// A result exceeds the limit on its size.
    #[error("the plugin's result has {size} bytes, more than {limit}")]
    ResultTooLarge {
        /// Bytes of the result.
        size: usize,
        /// Most bytes of a result.
        limit: u32,
    },
    /// A partial result is not JSON, or a result is not a JSON object.
    #[error("the plugin's {what} is not JSON as it must be: {detail}")]
    NotJson {
        /// The kind of text.
        what: &'static str,
        /// The parser's message.
        detail: String,
    },
    /// A partial result or a result violates the schema that the plugin declares for it. The fields hold no text of
    /// the document: names that the schema does not have become `*`.
    #[error("the plugin's {what} does not fit its schema: at `{path}` it needs {expected}")]
    SchemaViolation {
        /// The kind of text.
        what: &'static str,
        /// JSON Pointer to the value; empty for the whole text.
        path: String,
        /// What the schema expects there.
        expected: String,
    },
    /// A text is so long and its schema so complex that the check would take too long.
    #[error("the plugin's {what} takes too long to check against its schema")]
    TooMuchToCheck {
        /// The kind of text.
        what: &'static str,
    },
    /// The task was cancelled.
    #[error("the task was cancelled")]
    Cancelled,
}

/// Most bytes of a guest's own text in a message.
const REASON_BYTES: usize = 500;

/// Returns a guest's text for use in a line of a log: cut to `most` bytes, with control characters replaced, since
/// they could forge lines.
pub(crate) fn sanitized(text: &str, most: usize) -> String {
    let kept = &text[..text.floor_char_boundary(most)];
    kept.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Returns a guest's text, [`sanitized`] to [`REASON_BYTES`].
pub(crate) fn reason(text: &str) -> String {
    sanitized(text, REASON_BYTES)
}

/// The end of a call: a time limit, or cancellation.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    at: Instant,
    seconds: u32,
    cancelled: CancellationToken,
}

impl Deadline {
    /// Sets the deadline from now by `limits`.
    pub(crate) fn after(limits: &Limits, cancelled: CancellationToken) -> Self {
        Self { at: Instant::now() + limits.duration(), seconds: limits.seconds, cancelled }
    }

    /// Returns the remaining time.
    fn left(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// Returns when three quarters of the time have passed. A call that waits no longer than that has time to finish
    /// without the answer.
    pub(crate) fn last_quarter(&self) -> Instant {
        let quarter = Duration::from_secs(u64::from(self.seconds)) / 4;
        self.at.checked_sub(quarter).unwrap_or(self.at)
    }

    /// Returns whether the time is over.
    fn reached(&self) -> bool {
        self.left().is_zero()
    }
}

/// The parameters of a store.
pub(crate) struct Setup {
    pub(crate) plugin: Arc<str>,
    /// The task's name in the log: the job's id.
    pub(crate) task: Arc<str>,
    pub(crate) limits: Limits,
    pub(crate) deadline: Deadline,
    /// `None` for calls without a document: `describe` and `present`.
    pub(crate) document: Option<Document>,
    /// The pages as the submission names them.
    pub(crate) asked_for: Option<Arc<[u32]>>,
    pub(crate) progress: Option<ShardProgress>,
    /// The task's share of the language model. `None` if there is none or the plugin has no right to it.
    pub(crate) language: Option<Arc<Session>>,
    /// `None` if there is no OCR or the plugin has no right to it.
    pub(crate) ocr: Option<Arc<Reader>>,
    /// The networks that the plugin may use; none in calls without a document.
    pub(crate) networks: Arc<Networks>,
    /// Where the host records requests that it cannot serve.
    pub(crate) warnings: Warnings,
}

/// What one call into a guest used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// From the creation of the instance to the end of the call.
    pub time: Duration,
    /// The most memory that counted against `memory_mb` at a time, in bytes.
    pub memory_bytes: u64,
    /// Bytes that host calls copied into the guest and out of it: of the document, tensors, pictures for OCR, prompts.
    pub host_call_bytes: u64,
}

/// Receives the progress of one shard.
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
    /// Bytes that host calls have copied into the guest and out of it.
    host_call_bytes: u64,
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

/// Most random bytes of one call.
const RANDOM_BYTES: u64 = 64 * 1024;

/// Creates a store that grants nothing: no files, network, environment or arguments, and an empty standard input.
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
        host_call_bytes: 0,
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

/// How a call into a guest ended.
pub(crate) enum Outcome<T> {
    Returned(wasmtime::Result<T>),
    TimedOut,
    Cancelled,
}

/// Waits for a call until its deadline. Epochs interrupt a guest that computes; this interrupts one that waits.
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
    /// Returns the value of the call, or the limit that ended it rather than the trap that followed.
    ///
    /// # Errors
    ///
    /// The [`Failure`] of the task.
    pub(crate) fn call_result<T>(&self, outcome: Outcome<T>) -> Result<T, Failure> {
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

    /// Charges bytes that the host is about to hold to the guest's memory.
    ///
    /// # Errors
    ///
    /// The guest has no room for them. Its task then fails with [`Failure::Memory`].
    pub(crate) fn charge(&mut self, bytes: usize) -> wasmtime::Result<()> {
        if !self.memory.charge(bytes) {
            wasmtime::bail!("no memory is left for what the host would hold for the guest");
        }
        Ok(())
    }

    /// Releases bytes of [`Guest::charge`] that the host no longer holds.
    pub(crate) fn release(&mut self, bytes: usize) {
        self.memory.release(bytes);
    }

    /// Gives the guest a handle to a resource, and charges `bytes` for what the resource holds besides the handle.
    ///
    /// # Errors
    ///
    /// As [`Guest::charge`], or the guest has too many handles.
    pub(crate) fn push<T: Send + 'static>(&mut self, resource: T, bytes: usize) -> wasmtime::Result<Resource<T>> {
        self.charge(bytes)?;
        Ok(self.table.push(resource)?)
    }

    /// Checks that an answer fits the limit of one call, and that the guest has room for a second copy: the host
    /// holds one until the guest has its own.
    ///
    /// # Errors
    ///
    /// The answer is too long, or as [`Guest::charge`].
    pub(crate) fn check_answer(&mut self, bytes: usize) -> wasmtime::Result<()> {
        let most = self.limits.host_call_bytes as usize;
        if bytes > most {
            wasmtime::bail!("an answer of {bytes} bytes is longer than the {most} that one host call may give");
        }
        self.charge(bytes)?;
        self.release(bytes);
        Ok(())
    }

    /// Returns the most bytes that one host call may return.
    pub(crate) fn most_answer_bytes(&self) -> usize {
        self.limits.host_call_bytes as usize
    }

    /// Counts bytes that a host call copies into the guest or out of it.
    pub(crate) fn count_host_call(&mut self, bytes: usize) {
        self.host_call_bytes = self.host_call_bytes.saturating_add(bytes as u64);
    }

    /// Returns what the call has used so far. `started` is when it was made.
    pub(crate) fn usage(&self, started: Instant) -> Usage {
        Usage {
            time: started.elapsed(),
            memory_bytes: self.memory.peak() as u64,
            host_call_bytes: self.host_call_bytes,
        }
    }

    /// Returns the bytes of all linear memories and of what the host holds for the guest.
    pub(crate) fn memory_used(&self) -> usize {
        self.memory.used()
    }
}
