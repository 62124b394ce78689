//! What an author is told while a command works.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::cli::output::tell;

/// Directives of the log of an author's commands: what the plugin itself prints is shown.
pub(super) const AUTHOR_LOG: &str = "warn,fanlight::plugin=info";

/// How long a component is loaded before a person is told why: longer than it takes with machine code.
const PATIENCE: Duration = Duration::from_secs(1);

/// Says on standard error that the component is being compiled, if that takes longer than a moment. Dropped once the
/// component is loaded.
pub(super) struct CompilationNotice {
    _loaded: Sender<()>,
}

impl CompilationNotice {
    /// Begins to wait.
    pub(super) fn new() -> Self {
        let (loaded, waiting) = channel::<()>();
        thread::spawn(move || {
            if waiting.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                tell("compiling the component for this machine, once for each build");
            }
        });
        Self { _loaded: loaded }
    }
}
