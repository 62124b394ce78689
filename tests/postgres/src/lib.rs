//! Runs a PostgreSQL cluster for the length of a test.
//!
//! It needs the server's programs (`apt-get install postgresql` on Debian), no running service and no configuration.
//! The cluster has a folder of its own and listens on a Unix socket in it. It is stopped and deleted when its
//! [`Cluster`] is dropped or the test's process ends for any reason.

use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, anyhow, bail, ensure};
use deadline::{Lines, PATIENCE};

/// The folder where Debian keeps the programs of each major version.
const DEBIAN_VERSIONS: &str = "/usr/lib/postgresql";

/// The folders where Homebrew keeps the programs, on ARM and on Intel.
const HOMEBREW_FOLDERS: [&str; 2] = ["/opt/homebrew/opt/postgresql@17/bin", "/usr/local/opt/postgresql@17/bin"];

/// The cluster's superuser, and the system user that Debian's package creates, since PostgreSQL refuses to run as root.
const USER: &str = "postgres";

/// A shell script that creates, starts and stops the cluster. In between it waits on standard input, whose end is the
/// signal to stop: it comes when the test closes the pipe, and also when the test's process dies for any reason.
const KEEPER: &str = r#"
set -e
programs=$1
folder=$(mktemp -d /tmp/throwaway-postgres.XXXXXX)
stop() {
    "$programs/pg_ctl" stop --wait --mode=immediate --pgdata="$folder/data" >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap stop EXIT
trap : HUP INT PIPE TERM
"$programs/initdb" --pgdata="$folder/data" --username=postgres --auth=trust --encoding=UTF8 --no-locale --no-sync \
    >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
"$programs/pg_ctl" start --wait --pgdata="$folder/data" --log="$folder/log" \
    --options="-k $folder -c listen_addresses= -c fsync=off -c max_connections=400" >/dev/null \
    || { cat "$folder/log" >&2; exit 1; }
echo "$folder"
read -r _ || true
"#;

/// A running cluster.
#[derive(Debug)]
pub struct Cluster {
    keeper: Child,
    /// Closing it stops the cluster.
    until_closed: Option<ChildStdin>,
    programs: PathBuf,
    folder: PathBuf,
    databases: AtomicU32,
}

impl Cluster {
    /// Starts a new cluster.
    ///
    /// # Errors
    ///
    /// One sentence that says what is missing and how to install it, or the server's log.
    pub fn start() -> Result<Self> {
        let programs = find_programs()?;
        let mut command = if runs_as_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", USER, "--regid", USER, "--init-groups", "sh"]);
            command
        } else {
            Command::new("sh")
        };
        let mut keeper = command
            .args(["-c", KEEPER, "keeper"])
            .arg(&programs)
            .current_dir("/")
            // A signal to the test's process group must not kill the shell that cleans up.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot start a shell for PostgreSQL; as root this needs setpriv of util-linux")?;

        let until_closed = keeper.stdin.take();
        let printed = Lines::read_from(keeper.stdout.take().context("the shell has no output")?);
        let folder = PathBuf::from(printed.next(PATIENCE, "PostgreSQL to start").unwrap_or_default());
        if folder.as_os_str().is_empty() {
            let mut log = String::new();
            keeper.stderr.take().context("the shell has no error output")?.read_to_string(&mut log)?;
            deadline::end_of(&mut keeper, PATIENCE, "the shell that did not start PostgreSQL");
            bail!("PostgreSQL did not start: {}", log.trim_end());
        }
        Ok(Self { keeper, until_closed, programs, folder, databases: AtomicU32::new(0) })
    }

    /// Returns the cluster that all tests of this process share. The first caller starts it.
    pub fn shared() -> Result<&'static Self> {
        static SHARED: LazyLock<Result<Cluster, String>> =
            LazyLock::new(|| Cluster::start().map_err(|error| format!("{error:#}")));
        SHARED.as_ref().map_err(|sentence| anyhow!("{sentence}"))
    }

    /// Creates an empty database and returns its URL.
    pub fn create_database(&self) -> Result<String> {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut create = Command::new(self.programs.join("createdb"));
        create.arg("--host").arg(&self.folder).args(["--username", USER, &name]);
        let made = deadline::output(&mut create, PATIENCE);
        ensure!(made.status.success(), "createdb failed: {}", String::from_utf8_lossy(&made.stderr));
        Ok(format!("postgres://{USER}@localhost/{name}?host={}", self.folder.display()))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.until_closed.take());
        if deadline::end_within(&mut self.keeper, PATIENCE).is_none() {
            eprintln!("waited {PATIENCE:?} in vain for PostgreSQL to stop");
        }
    }
}

/// Returns the folder of `initdb`, `pg_ctl` and `createdb`: the newest of Debian's, else the first on the search path
/// or of Homebrew.
fn find_programs() -> Result<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = std::fs::read_dir(DEBIAN_VERSIONS)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, programs)| has_server(programs))
        .collect();
    versions.sort();
    if let Some((_, newest)) = versions.pop() {
        return Ok(newest);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(HOMEBREW_FOLDERS.map(PathBuf::from));
    folders.into_iter().find(|folder| has_server(folder)).context(
        "these tests need PostgreSQL's server programs, which are missing: \
         `cargo xtask test` installs them",
    )
}

fn has_server(programs: &Path) -> bool {
    programs.join("initdb").is_file() && programs.join("pg_ctl").is_file()
}

fn runs_as_root() -> bool {
    // The owner of this folder is the user of this process. Outside of Linux, nobody runs tests as root.
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_cluster_is_stopped_and_deleted() {
        let cluster = Cluster::start().unwrap();
        let url = cluster.create_database().unwrap();
        assert!(url.ends_with(&format!("test_0?host={}", cluster.folder.display())), "{url}");

        let folder = cluster.folder.clone();
        let process_id = std::fs::read_to_string(folder.join("data/postmaster.pid")).unwrap();
        let command_line = Path::new("/proc").join(process_id.lines().next().unwrap()).join("cmdline");
        assert!(!std::fs::read(&command_line).unwrap().is_empty());
        drop(cluster);

        assert!(!folder.exists());
        // A process that has ended has no command line, even before its exit status is collected.
        assert!(std::fs::read(&command_line).unwrap_or_default().is_empty());
    }
}
