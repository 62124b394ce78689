//! Paths in this workspace, and how its tasks run other programs.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Returns the root of the checkout.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// Returns the folder of cargo's build output: `CARGO_TARGET_DIR` if it is set.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// A profile of the programs.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// What is shipped, tested and measured.
    Release,
    /// Quick to compile, see `Cargo.toml`.
    Demo,
}

impl Profile {
    /// Returns its name, which is also that of its folder.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Demo => "demo",
        }
    }

    /// Returns a folder beside its programs.
    pub(crate) fn folder(self, name: &str) -> PathBuf {
        target().join(self.name()).join(name)
    }

    /// Returns the path of a program.
    pub(crate) fn program(self, name: &str) -> PathBuf {
        self.folder(&format!("{name}{}", env::consts::EXE_SUFFIX))
    }
}

/// Returns the path of the host's binary.
pub(crate) fn binary() -> PathBuf {
    Profile::Release.program("fanlight")
}

/// Returns a command for the cargo that runs this task.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Runs a command to its end and shows its output.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    let status = command.status().with_context(|| format!("can't run `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed: {status}");
    }
    Ok(())
}

/// Runs a command to its end and returns its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let shown = shown(command);
    let output = command.output().with_context(|| format!("can't run `{shown}`"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("`{shown}` failed: {}", errors.trim_end());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{shown}` printed something that is not UTF-8"))
}

fn shown(command: &Command) -> String {
    let words: Vec<_> =
        std::iter::once(command.get_program()).chain(command.get_args()).map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

/// Returns the CPU seconds, user and system, of all children that have ended. None if the system does not report them.
pub(crate) fn children_cpu_seconds() -> Option<f64> {
    children_ticks(&fs::read_to_string("/proc/self/stat").ok()?).map(|ticks| ticks as f64 / TICKS_PER_SECOND)
}

/// Units of times in `/proc` a second, see `proc_pid_stat(5)`. `sysconf(_SC_CLK_TCK)` is 100 on every Linux that Rust
/// supports.
const TICKS_PER_SECOND: f64 = 100.0;

/// Returns the sum of `cutime` and `cstime` in `/proc/PID/stat`. The program's name before them may contain anything.
fn children_ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut times = fields.split_whitespace().skip(13).map(str::parse);
    let (user, system): (u64, u64) = (times.next()?.ok()?, times.next()?.ok()?);
    Some(user + system)
}

/// Prints what the task is doing.
pub(crate) fn say(what: &str) {
    eprintln!("\x1b[1m==>\x1b[0m {what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_children_are_read_after_any_name() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 4194304 10 20 0 0 1 2 300 45 20 0 1 0 99 0 0";
        assert_eq!(children_ticks(stat), Some(345));
        assert_eq!(children_ticks("7 (cut off) S 1"), None);
    }
}
