//! Starts a program that can access only its picture. A launcher process gives up all rights that the program does
//! not need, and then replaces itself with the program.
//!
//! | what | how | where |
//! |---|---|---|
//! | environment and working directory | empty, as the caller starts the launcher | everywhere |
//! | descriptors other than the three standard streams | closed | Unix |
//! | processor time, core dumps | resource limits | Unix |
//! | address space | a resource limit | Linux; elsewhere if the system supports it |
//! | network | a seccomp filter refuses sockets | Linux |
//! | writing files, inspecting other processes, signals to them | Landlock | Linux 5.13 and later, as far as the kernel supports it |
//!
//! No step needs a privilege, and neither the program nor its children can undo one. On a host that runs as root with
//! the capability `CAP_PERFMON`, the program may still read other processes' environment.

use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use tokio::process::Command;

/// The running program, from its own process. It stays valid if an update replaces the file.
#[cfg(target_os = "linux")]
const THIS_PROGRAM: &str = "/proc/self/exe";

/// A program that confines itself and then becomes another one. Its main function passes the arguments after its own
/// to [`become_confined`].
#[derive(Clone, Debug)]
pub struct Launcher {
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl Launcher {
    /// Creates a launcher from its absolute path and its own arguments.
    pub fn new(program: impl Into<PathBuf>, arguments: &[&str]) -> Self {
        Self { program: program.into(), arguments: arguments.iter().map(OsString::from).collect() }
    }

    /// Uses the running program as its own launcher, with this subcommand.
    ///
    /// # Errors
    ///
    /// The system does not report which program runs.
    pub fn this_program(subcommand: &str) -> io::Result<Self> {
        Ok(Self::new(this_program()?, &[subcommand]))
    }

    /// Returns the launcher's command for a program. The caller adds the program's arguments, environment and
    /// streams.
    pub(crate) fn command(&self, bounds: Bounds, program: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command.arg(bounds.memory_bytes.to_string()).arg(bounds.processor_seconds.to_string()).arg(program);
        command
    }
}

#[cfg(target_os = "linux")]
#[expect(clippy::unnecessary_wraps, reason = "on other systems it may fail")]
fn this_program() -> io::Result<PathBuf> {
    Ok(PathBuf::from(THIS_PROGRAM))
}

#[cfg(not(target_os = "linux"))]
fn this_program() -> io::Result<PathBuf> {
    std::env::current_exe()
}

/// The resource limits of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Bytes of address space.
    pub(crate) memory_bytes: u64,
    /// Seconds of processor time.
    pub(crate) processor_seconds: u64,
}

/// Why a program was not started.
#[derive(Debug, Error)]
pub enum ConfinementError {
    /// The arguments are not those of a [`Launcher`].
    #[error("the arguments are not: bytes of memory, seconds of the processor, a program, its arguments")]
    Arguments,
    /// This system or processor has no means of confinement.
    #[error("programs can't be confined here: {0}")]
    Unsupported(String),
    /// The system refused a step of the confinement.
    #[error("the program can't be confined: {0}")]
    Refused(String),
    /// The program cannot be started.
    #[error("can't start {}: {error}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

/// Confines this process and replaces it with the program that the arguments name. Returns only on failure.
///
/// Call it first in a launcher's main function: it closes every descriptor except the three standard streams, and
/// confines only the calling thread.
///
/// # Errors
///
/// [`ConfinementError`]. The program has not started, and this process may be partly confined.
pub fn become_confined(arguments: impl IntoIterator<Item = OsString>) -> Result<Infallible, ConfinementError> {
    let mut arguments = arguments.into_iter();
    let bounds = Bounds { memory_bytes: number(arguments.next())?, processor_seconds: number(arguments.next())? };
    let program = PathBuf::from(arguments.next().ok_or(ConfinementError::Arguments)?);
    replace_process(bounds, program, arguments)
}

/// Parses a number from an argument.
fn number(argument: Option<OsString>) -> Result<u64, ConfinementError> {
    let argument = argument.ok_or(ConfinementError::Arguments)?;
    OsStr::to_str(&argument).and_then(|text| text.parse().ok()).ok_or(ConfinementError::Arguments)
}

/// Confines this process step by step and replaces it with the program.
#[cfg(unix)]
fn replace_process(
    bounds: Bounds,
    program: PathBuf,
    arguments: impl Iterator<Item = OsString>,
) -> Result<Infallible, ConfinementError> {
    use std::os::unix::process::CommandExt;

    let mut command = std::process::Command::new(&program);
    command.args(arguments);
    unix::close_inherited_descriptors()?;
    unix::limit_time_and_dumps(bounds)?;
    #[cfg(target_os = "linux")]
    {
        linux::restrict_files_and_processes()?;
        linux::refuse_sockets()?;
    }
    // Last, because this process uses more address space than the program may.
    unix::limit_memory(bounds)?;
    Err(ConfinementError::Start { error: command.exec(), program })
}

#[cfg(not(unix))]
fn replace_process(_: Bounds, _: PathBuf, _: impl Iterator<Item = OsString>) -> Result<Infallible, ConfinementError> {
    Err(ConfinementError::Unsupported(format!("{} is no Unix", std::env::consts::OS)))
}

#[cfg(unix)]
mod unix {
    use std::fs;

    use nix::sys::resource::{Resource, rlim_t, setrlimit};
    use nix::unistd;

    use super::{Bounds, ConfinementError};

    /// The folder in which the system lists this process's descriptors.
    const DESCRIPTORS: &str = "/dev/fd";
    /// The first descriptor after standard input, output and error.
    const FIRST_INHERITED: i32 = 3;

    /// Closes all descriptors except the standard streams.
    pub(super) fn close_inherited_descriptors() -> Result<(), ConfinementError> {
        let refused = |error| ConfinementError::Refused(format!("can't list {DESCRIPTORS}: {error}"));
        let entries = fs::read_dir(DESCRIPTORS).map_err(refused)?;
        let names = entries.map(|entry| Ok(entry?.file_name())).collect::<Result<Vec<_>, _>>().map_err(refused)?;
        let descriptors = names.iter().filter_map(|name| name.to_str()?.parse::<i32>().ok());
        for descriptor in descriptors.filter(|descriptor| *descriptor >= FIRST_INHERITED) {
            // The descriptor that listed them is already closed.
            let _ = unistd::close(descriptor);
        }
        Ok(())
    }

    /// Limits processor time and forbids core dumps.
    pub(super) fn limit_time_and_dumps(bounds: Bounds) -> Result<(), ConfinementError> {
        limit(Resource::RLIMIT_CPU, bounds.processor_seconds)?;
        limit(Resource::RLIMIT_CORE, 0)
    }

    #[cfg(target_os = "linux")]
    pub(super) fn limit_memory(bounds: Bounds) -> Result<(), ConfinementError> {
        limit(Resource::RLIMIT_AS, bounds.memory_bytes)
    }

    /// Some systems know the limit and take no value for it.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unnecessary_wraps, reason = "on Linux it may fail")]
    pub(super) fn limit_memory(bounds: Bounds) -> Result<(), ConfinementError> {
        let _ = limit(Resource::RLIMIT_AS, bounds.memory_bytes);
        Ok(())
    }

    fn limit(resource: Resource, most: u64) -> Result<(), ConfinementError> {
        let most = rlim_t::try_from(most).unwrap_or(rlim_t::MAX);
        let refused = |error| ConfinementError::Refused(format!("{resource:?}: {error}"));
        setrlimit(resource, most, most).map_err(refused)
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;
    use std::env::consts::ARCH;

    use landlock::{
        ABI, Access, AccessFs, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
    };
    use libc::c_long;
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

    use super::ConfinementError;

    /// System calls that the program is refused. Without inherited descriptors, the first two are its only ways to a
    /// socket. The others could take memory or descriptors of another process of the same user.
    const REFUSED: [c_long; 6] = [
        libc::SYS_socket,
        libc::SYS_io_uring_setup,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_getfd,
    ];
    /// This bit marks the numbers of x32, a second set of system calls on x86-64 (`__X32_SYSCALL_BIT` in
    /// `asm/unistd.h`).
    #[cfg(target_arch = "x86_64")]
    const SECOND_SET: c_long = 0x4000_0000;
    #[cfg(not(target_arch = "x86_64"))]
    const SECOND_SET: c_long = 0;
    /// The newest version of Landlock that is requested. An older kernel applies what it supports.
    const LANDLOCK: ABI = ABI::V6;
    /// Paths that stay writable.
    const WRITABLE: [&str; 1] = ["/dev/null"];

    /// Prevents the creation of sockets, so that the program reaches no network.
    pub(super) fn refuse_sockets() -> Result<(), ConfinementError> {
        let unsupported = |error: seccompiler::BackendError| ConfinementError::Unsupported(error.to_string());
        let architecture = TargetArch::try_from(ARCH).map_err(unsupported)?;
        let calls = REFUSED.into_iter().flat_map(|call| [call, call | SECOND_SET]);
        let rules: BTreeMap<i64, _> = calls.map(|call| (call, Vec::new())).collect();
        let refuse = SeccompAction::Errno(libc::EACCES.unsigned_abs());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture).map_err(unsupported)?;
        let program = BpfProgram::try_from(filter).map_err(unsupported)?;
        seccompiler::apply_filter(&program)
            .map_err(|error| ConfinementError::Refused(format!("no seccomp filter is taken: {error}")))
    }

    /// Prevents writing files and access to processes other than its children: their environment, memory and
    /// descriptors in `/proc`. A kernel without Landlock does not enforce this.
    pub(super) fn restrict_files_and_processes() -> Result<(), ConfinementError> {
        restrict().map_err(|error| ConfinementError::Refused(format!("no Landlock rules are taken: {error}")))
    }

    fn restrict() -> Result<(), RulesetError> {
        Ruleset::default()
            .handle_access(AccessFs::from_write(LANDLOCK))?
            .scope(Scope::from_all(LANDLOCK))?
            .create()?
            .add_rules(path_beneath_rules(WRITABLE, AccessFs::WriteFile))?
            .restrict_self()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_refuses_arguments_that_are_not_its_own() {
        let cases: [&[&str]; 5] = [&[], &["1024"], &["1024", "60"], &["much", "60", "true"], &["1024", "-1", "true"]];
        for arguments in cases {
            let Err(error) = become_confined(arguments.iter().map(OsString::from));
            assert!(matches!(error, ConfinementError::Arguments), "{arguments:?}: {error}");
        }
    }
}
