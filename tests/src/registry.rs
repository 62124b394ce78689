//! Runs an OCI registry for the length of a test: Debian's `docker-registry`, on a free port of this machine.

use std::fs;
use std::process::{Child, Command, Stdio};

use deadline::{Lines, PATIENCE};
use tempfile::TempDir;

/// A running registry. Dropping the value ends it.
#[derive(Debug)]
pub struct Registry {
    process: Child,
    /// Host and port.
    address: String,
    _folder: TempDir,
}

impl Registry {
    /// Starts an empty registry.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let configuration = folder.path().join("registry.yml");
        let text = format!(
            "version: 0.1\nlog: {{level: info}}\nhttp: {{addr: \"127.0.0.1:0\"}}\n\
             storage: {{filesystem: {{rootdirectory: \"{}\"}}, delete: {{enabled: true}}}}\n",
            folder.path().join("data").display()
        );
        fs::write(&configuration, text).unwrap();
        let mut registry = Command::new("docker-registry");
        registry.arg("serve").arg(&configuration).stdin(Stdio::null()).stderr(Stdio::piped());
        let mut process = registry.spawn().expect("docker-registry is installed by `cargo xtask test`");
        let log = Lines::read_from(process.stderr.take().unwrap());
        let address = loop {
            let line = log.next(PATIENCE, "the registry to say where it listens").expect("the registry starts");
            if let Some((_, address)) = line.split_once("listening on ") {
                break address.split('"').next().unwrap_or_default().to_owned();
            }
        };
        Self { process, address, _folder: folder }
    }

    /// Returns host and port.
    pub fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = deadline::end_within(&mut self.process, PATIENCE);
    }
}
