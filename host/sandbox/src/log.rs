//! Forwards a guest's output to tracing line by line, up to a limit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamError, StreamResult};

/// Longest line; a longer one is split there.
const LINE_BYTES: usize = 2048;
/// Most bytes of one write.
const WRITE_BYTES: usize = 8192;

/// Both output streams of one store, which share one limit.
#[derive(Clone)]
pub(crate) struct GuestLog {
    plugin: Arc<str>,
    task: Arc<str>,
    left: Arc<Mutex<usize>>,
    flooded: Arc<AtomicBool>,
}

impl GuestLog {
    /// Creates the log of a plugin's task with a limit of `bytes`.
    pub(crate) fn new(plugin: Arc<str>, task: Arc<str>, bytes: usize) -> Self {
        Self { plugin, task, left: Arc::new(Mutex::new(bytes)), flooded: Arc::default() }
    }

    /// Returns whether the guest has printed more than its limit.
    pub(crate) fn flooded(&self) -> bool {
        self.flooded.load(Ordering::Relaxed)
    }

    /// Returns a stream whose lines carry `name`.
    pub(crate) fn stream(&self, name: &'static str) -> GuestStream {
        GuestStream { log: self.clone(), name, line: Arc::default() }
    }

    /// Takes `bytes` from the limit and returns whether that many were left.
    fn take(&self, bytes: usize) -> bool {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes > *left {
            self.flooded.store(true, Ordering::Relaxed);
            return false;
        }
        *left -= bytes;
        true
    }
}

/// Standard output or standard error of a guest.
#[derive(Clone)]
pub(crate) struct GuestStream {
    log: GuestLog,
    name: &'static str,
    line: Arc<Mutex<Vec<u8>>>,
}

impl GuestStream {
    /// Logs a line unless it is blank.
    fn emit(&self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end();
        if !text.is_empty() {
            tracing::info!(
                target: "fanlight::plugin",
                plugin = &*self.log.plugin,
                task = &*self.log.task,
                stream = self.name,
                "{text}"
            );
        }
    }
}

impl IsTerminal for GuestStream {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for GuestStream {
    /// Never used: the host links only Preview 2, which calls `p2_stream`.
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(tokio::io::sink())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl OutputStream for GuestStream {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        if !self.log.take(bytes.len()) {
            return Err(StreamError::Closed);
        }
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        for &byte in &bytes {
            if byte == b'\n' || line.len() >= LINE_BYTES {
                self.emit(&line);
                line.clear();
            }
            if byte != b'\n' {
                line.push(byte);
            }
        }
        Ok(())
    }

    /// Logs an unfinished line, so that a guest's last output is not lost.
    fn flush(&mut self) -> StreamResult<()> {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        self.emit(&line);
        line.clear();
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        if self.log.flooded() { Err(StreamError::Closed) } else { Ok(WRITE_BYTES) }
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for GuestStream {
    async fn ready(&mut self) {}
}
