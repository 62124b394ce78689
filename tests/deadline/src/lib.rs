//! Waits of tests. Each has a deadline; when it passes, the test fails and says what it waited for.
//!
//! Tests wait through this crate only: for a future, for a state by polling, for the next line that a process prints,
//! for the end of a process.
#![expect(clippy::panic, clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The usual limit of a wait. It is far longer than anything takes on two busy cores, so what reaches it hangs. The
/// longest wait is the first start of a server on a new machine, which compiles every plugin.
pub const PATIENCE: Duration = Duration::from_mins(5);

/// The pause between two polls.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// Waits for a future.
///
/// # Panics
///
/// When it is not ready within `limit`.
pub async fn within<T>(limit: Duration, what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(limit, future).await {
        Ok(value) => value,
        Err(_elapsed) => in_vain(limit, what),
    }
}

/// Polls until `look` returns a value.
///
/// # Panics
///
/// When `look` returns none within `limit`.
pub async fn until<T>(limit: Duration, what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let seen = async {
        loop {
            if let Some(seen) = look().await {
                return seen;
            }
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
    };
    within(limit, what, seen).await
}

/// Waits for a process to end.
///
/// # Panics
///
/// When it has not ended within `limit`.
pub fn end_of(process: &mut Child, limit: Duration, what: &str) -> ExitStatus {
    end_within(process, limit).unwrap_or_else(|| in_vain(limit, &format!("the end of {what}")))
}

/// Waits for a process to end, at most for `limit`, and returns its status. For destructors, which must not panic.
pub fn end_within(process: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let started = Instant::now();
    loop {
        if let Ok(Some(status)) = process.try_wait() {
            return Some(status);
        }
        if started.elapsed() >= limit {
            return None;
        }
        thread::sleep(BETWEEN_LOOKS);
    }
}

/// Runs a command to its end, and returns what it printed.
///
/// # Panics
///
/// When it can't be started, or has not ended within `limit`; then it is killed.
pub fn output(command: &mut Command, limit: Duration) -> Output {
    try_output(command, limit).unwrap_or_else(|error| panic!("can't start {command:?}: {error}"))
}

/// Runs a command as [`output`] does, for a program that may be missing.
///
/// # Errors
///
/// When it can't be started.
///
/// # Panics
///
/// When it has not ended within `limit`; then it is killed.
pub fn try_output(command: &mut Command, limit: Duration) -> io::Result<Output> {
    let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let printed = whole(process.stdout.take().unwrap());
    let errors = whole(process.stderr.take().unwrap());
    let Some(status) = end_within(&mut process, limit) else {
        // It may have just ended.
        let _ = process.kill();
        let _ = process.wait();
        in_vain(limit, &format!("the end of {command:?}"))
    };
    // A child of the process may still hold its output open.
    let read = |bytes: &Receiver<Vec<u8>>| {
        bytes.recv_timeout(limit).unwrap_or_else(|_| in_vain(limit, &format!("the output of {command:?}")))
    };
    Ok(Output { status, stdout: read(&printed), stderr: read(&errors) })
}

/// Reads all of `reader` on a thread of its own. The bytes arrive at the returned receiver.
fn whole(mut reader: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, bytes) = channel();
    thread::spawn(move || {
        let mut read = Vec::new();
        // After an error, what was read so far is still useful.
        let _ = reader.read_to_end(&mut read);
        let _ = sender.send(read);
    });
    bytes
}

/// The lines that a process prints.
#[derive(Debug)]
pub struct Lines(Receiver<String>);

impl Lines {
    /// Reads the lines on a thread of its own, until the process closes its output.
    pub fn read_from(output: impl Read + Send + 'static) -> Self {
        let (sender, lines) = channel();
        thread::spawn(move || {
            // Lines that nobody receives are still read: else the process would block on a full pipe.
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Self(lines)
    }

    /// Returns the next line. None once the process has closed its output.
    ///
    /// # Panics
    ///
    /// When none comes within `limit`.
    pub fn next(&self, limit: Duration, what: &str) -> Option<String> {
        match self.0.recv_timeout(limit) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => in_vain(limit, what),
        }
    }
}

fn in_vain(limit: Duration, what: &str) -> ! {
    panic!("waited {limit:?} in vain for {what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limit for what never comes.
    const SHORT: Duration = Duration::from_millis(50);

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[tokio::test]
    #[should_panic(expected = "waited 50ms in vain for Godot")]
    async fn a_future_that_is_never_ready_fails_the_test() {
        within(SHORT, "Godot", std::future::pending::<()>()).await;
    }

    #[tokio::test]
    async fn a_state_is_polled_until_it_is_there() {
        let mut looks = 0;
        let seen = until(PATIENCE, "the third look", async || {
            looks += 1;
            (looks == 3).then_some("seen")
        });
        assert_eq!(seen.await, "seen");
    }

    #[test]
    #[should_panic(expected = "in vain for the end of a process that reads on")]
    fn a_process_that_does_not_end_fails_the_test() {
        let mut process = shell("cat").stdin(Stdio::piped()).spawn().unwrap();
        let _ends_with_the_test = process.stdin.take();
        end_of(&mut process, SHORT, "a process that reads on");
    }

    #[test]
    fn a_command_returns_what_it_printed() {
        let printed = output(&mut shell("echo out; echo err >&2; exit 3"), PATIENCE);
        assert_eq!(
            (printed.status.code(), &*printed.stdout, &*printed.stderr),
            (Some(3), &b"out\n"[..], &b"err\n"[..])
        );
    }

    #[test]
    fn lines_arrive_one_by_one_until_the_output_ends() {
        let mut process = shell("echo one; echo two").stdout(Stdio::piped()).spawn().unwrap();
        let lines = Lines::read_from(process.stdout.take().unwrap());
        let next = || lines.next(PATIENCE, "a line");
        assert_eq!((next().as_deref(), next().as_deref(), next()), (Some("one"), Some("two"), None));
        assert!(end_of(&mut process, PATIENCE, "a shell").success());
    }

    #[test]
    #[should_panic(expected = "in vain for a line")]
    fn a_line_that_does_not_come_fails_the_test() {
        let (output, _open) = io::pipe().unwrap();
        Lines::read_from(output).next(SHORT, "a line");
    }
}
