//! Installs the programs that tests run and a Rust toolchain does not bring.

use std::env;
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::{output, run as run_command, say};

/// A program that tests run, and the packages that bring it.
struct Need {
    what_for: &'static str,
    /// The package of Debian and Ubuntu.
    debian: &'static str,
    /// Homebrew's formula. None if macOS has the program or does not need it.
    homebrew: Option<&'static str>,
    /// Whether this machine has it.
    present: fn() -> bool,
}

const NEEDS: &[Need] = &[
    Need {
        what_for: "PostgreSQL, for the store's tests on a throwaway cluster",
        debian: "postgresql",
        homebrew: Some("postgresql@17"),
        present: postgresql_is_installed,
    },
    Need {
        what_for: "Python with venv, for its client of the API, for Schemathesis and for an S3 server",
        debian: "python3-venv",
        homebrew: Some("python"),
        present: python_has_venv,
    },
    Need {
        what_for: "Node 20 or later, for the API's client in TypeScript and the tests' identity provider",
        debian: "nodejs",
        homebrew: Some("node"),
        present: || on_path("node"),
    },
    Need {
        what_for: "npm, for the packages that tests need",
        debian: "npm",
        homebrew: Some("node"),
        present: || on_path("npm"),
    },
    Need {
        what_for: "Chromium, in which tests use the console",
        debian: "chromium",
        homebrew: Some("chromium"),
        present: || on_path("chromium"),
    },
    Need {
        what_for: "qpdf, which checks the structure of annotated documents",
        debian: "qpdf",
        homebrew: Some("qpdf"),
        present: || on_path("qpdf"),
    },
    Need {
        what_for: "pdftoppm, which shows annotated documents as a viewer does",
        debian: "poppler-utils",
        homebrew: Some("poppler"),
        present: || on_path("pdftoppm"),
    },
    Need {
        what_for: "LibreOffice Calc, which opens the workbooks of schedules",
        debian: "libreoffice-calc-nogui",
        homebrew: Some("libreoffice"),
        present: calc_is_installed,
    },
    Need {
        what_for: "Tesseract, the other OCR engine that the server can run",
        debian: "tesseract-ocr",
        homebrew: Some("tesseract"),
        present: || on_path("tesseract"),
    },
    Need {
        what_for: "an OCI registry, which packages of plugins are pushed to",
        debian: "docker-registry",
        homebrew: None,
        present: || on_path("docker-registry"),
    },
    Need {
        what_for: "llvmpipe, a GPU for tests",
        debian: "mesa-vulkan-drivers",
        homebrew: None,
        present: a_gpu_for_tests_is_installed,
    },
];

/// How a machine installs packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    /// Debian, Ubuntu and their derivatives, by apt.
    Debian,
    /// macOS, by Homebrew.
    Homebrew,
    /// An unknown system.
    Other,
}

impl System {
    fn of_this_machine() -> Self {
        let os_release = fs::read_to_string("/etc/os-release").unwrap_or_default();
        if is_debian(&os_release) && on_path("apt-get") {
            Self::Debian
        } else if cfg!(target_os = "macos") && on_path("brew") {
            Self::Homebrew
        } else {
            Self::Other
        }
    }
}

/// Returns whether `/etc/os-release` names Debian or a derivative.
fn is_debian(os_release: &str) -> bool {
    let mut names = os_release.lines().filter_map(system_names).flat_map(str::split_whitespace);
    names.any(|name| ["debian", "ubuntu"].contains(&name))
}

/// Returns the value of a line with `ID` or `ID_LIKE`: names of systems.
fn system_names(line: &str) -> Option<&str> {
    let (key, value) = line.split_once('=')?;
    ["ID", "ID_LIKE"].contains(&key).then(|| value.trim_matches('"'))
}

/// Whether packages may be installed without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Consent {
    Given,
    Asked,
}

impl Consent {
    /// Returns the consent given by `--yes` or by `CI=true`, where nobody can answer.
    fn from_arguments(yes: bool, ci: Option<&OsStr>) -> Self {
        if yes || ci.is_some_and(|value| value == "true") { Self::Given } else { Self::Asked }
    }
}

/// What to do about missing programs.
#[derive(Debug, PartialEq, Eq)]
enum Plan {
    /// Nothing is missing.
    Nothing,
    /// These commands install what is missing.
    Install(Vec<Vec<&'static str>>),
    /// What is missing must be installed by hand.
    ByHand,
}

fn plan(system: System, missing: &[&Need], superuser: bool) -> Plan {
    if missing.is_empty() {
        return Plan::Nothing;
    }
    let mut packages: Vec<&'static str> = match system {
        System::Debian => missing.iter().map(|need| need.debian).collect(),
        System::Homebrew => missing.iter().filter_map(|need| need.homebrew).collect(),
        System::Other => return Plan::ByHand,
    };
    packages.dedup();
    let sudo: &[&str] = if superuser { &[] } else { &["sudo"] };
    match system {
        System::Debian => {
            let update = [sudo, &["apt-get", "update", "--quiet"]].concat();
            let install = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "--yes", "--quiet"];
            Plan::Install(vec![update, [sudo, &install, &["--no-install-recommends"], &packages].concat()])
        }
        _ => Plan::Install(vec![[&["brew", "install"], packages.as_slice()].concat()]),
    }
}

/// Installs what the tests need and this machine lacks, after one question. Does not ask if `yes` is set or the
/// environment has `CI=true`. On an unknown system, fails with the list.
pub(crate) fn run(yes: bool) -> Result<()> {
    let missing = missing();
    let consent = Consent::from_arguments(yes, env::var_os("CI").as_deref());
    let system = System::of_this_machine();
    match plan(system, &missing, is_superuser(system)?) {
        Plan::Nothing => return Ok(()),
        Plan::ByHand => bail!("the tests need the following; install it and run them again\n{}", list(&missing)),
        Plan::Install(commands) => {
            if consent == Consent::Asked && !agrees(&missing, &commands)? {
                bail!("the tests need what is listed above");
            }
            for command in &commands {
                install(command)?;
            }
        }
    }
    let missing = self::missing();
    if !missing.is_empty() {
        bail!("this is still missing, install it by hand\n{}", list(&missing));
    }
    Ok(())
}

fn missing() -> Vec<&'static Need> {
    NEEDS.iter().filter(|need| !(need.present)()).collect()
}

fn install(command: &[&str]) -> Result<()> {
    let Some((program, arguments)) = command.split_first() else { return Ok(()) };
    say(&command.join(" "));
    run_command(Command::new(program).args(arguments))
}

/// Lists what is missing, one line each.
fn list(missing: &[&Need]) -> String {
    missing.iter().fold(String::new(), |mut list, need| {
        // Writing to a string can't fail.
        let _ = writeln!(list, "  {} (Debian's package {})", need.what_for, need.debian);
        list
    })
}

/// Asks whether to install what is missing.
fn agrees(missing: &[&Need], commands: &[Vec<&str>]) -> Result<bool> {
    eprint!("{}", question(missing, commands));
    if !io::stdin().is_terminal() {
        bail!("nobody can be asked: install it by hand, or give --yes to have it installed");
    }
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).context("can't read the answer")?;
    Ok(is_yes(&answer))
}

fn question(missing: &[&Need], commands: &[Vec<&str>]) -> String {
    let commands: Vec<String> = commands.iter().map(|command| format!("  {}", command.join(" "))).collect();
    format!("The tests need\n{}To install it:\n{}\nRun this now? [Y/n] ", list(missing), commands.join("\n"))
}

/// Returns whether an answer agrees. An empty one does.
fn is_yes(answer: &str) -> bool {
    ["", "y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}

/// Returns whether apt needs no sudo. Always false for Homebrew, which must not run as root.
fn is_superuser(system: System) -> Result<bool> {
    if system != System::Debian {
        return Ok(false);
    }
    Ok(output(Command::new("id").arg("-u"))?.trim() == "0")
}

/// Looks for `initdb` in the path and where Debian and Homebrew keep it.
fn postgresql_is_installed() -> bool {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    debian.map(|version| version.path().join("bin").join("initdb")).any(|initdb| initdb.exists())
        || on_path("initdb")
        || ["/opt/homebrew", "/usr/local"]
            .iter()
            .any(|prefix| Path::new(prefix).join("opt/postgresql@17/bin/initdb").exists())
}

/// Returns whether `LibreOffice` has Calc, which Debian packages apart from the programs that it shares. Calc is
/// `libsclo.so` beside `soffice`. A Mac's `LibreOffice` is whole.
fn calc_is_installed() -> bool {
    if cfg!(target_os = "macos") {
        return on_path("soffice");
    }
    let program = find_on_path("soffice").and_then(|soffice| soffice.canonicalize().ok());
    program.is_some_and(|program| program.with_file_name("libsclo.so").exists())
}

/// Returns whether Vulkan's loader finds llvmpipe by its driver file. Always true on a Mac, which has a GPU.
fn a_gpu_for_tests_is_installed() -> bool {
    let mut drivers = fs::read_dir("/usr/share/vulkan/icd.d").into_iter().flatten().flatten();
    cfg!(target_os = "macos") || drivers.any(|driver| driver.file_name().to_string_lossy().starts_with("lvp_icd"))
}

/// Returns whether Python can create environments. Debian packages `ensurepip` separately.
fn python_has_venv() -> bool {
    output(Command::new("python3").args(["-c", "import ensurepip, venv"])).is_ok()
}

/// Returns whether a program can be run by its name.
pub(crate) fn on_path(program: &str) -> bool {
    find_on_path(program).is_some()
}

/// Returns the file of a program that can be run by its name.
fn find_on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(packages: &[&str]) -> Vec<&'static Need> {
        NEEDS.iter().filter(|need| packages.contains(&need.debian)).collect()
    }

    #[test]
    fn nothing_is_installed_when_nothing_is_missing() {
        for system in [System::Debian, System::Homebrew, System::Other] {
            assert_eq!(plan(system, &[], true), Plan::Nothing);
        }
    }

    #[test]
    fn debian_packages_are_installed_by_apt() {
        let install = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "--yes", "--quiet"];
        let install = [&install[..], &["--no-install-recommends", "qpdf", "tesseract-ocr"]].concat();
        let update = vec!["apt-get", "update", "--quiet"];
        let with_sudo = |command: &[&'static str]| [&["sudo"], command].concat();
        let cases =
            [(true, vec![update.clone(), install.clone()]), (false, vec![with_sudo(&update), with_sudo(&install)])];
        for (superuser, expected) in cases {
            let planned = plan(System::Debian, &needs(&["qpdf", "tesseract-ocr"]), superuser);
            assert_eq!(planned, Plan::Install(expected));
        }
    }

    #[test]
    fn homebrew_installs_each_formula_once() {
        let missing = needs(&["nodejs", "npm", "mesa-vulkan-drivers"]);
        let expected = vec![vec!["brew", "install", "node"]];
        assert_eq!(plan(System::Homebrew, &missing, false), Plan::Install(expected));
    }

    #[test]
    fn an_unknown_system_gets_the_list() {
        let missing = needs(&["postgresql"]);
        assert_eq!(plan(System::Other, &missing, false), Plan::ByHand);
        let expected = "  PostgreSQL, for the store's tests on a throwaway cluster (Debian's package postgresql)\n";
        assert_eq!(list(&missing), expected);
    }

    #[test]
    fn derivatives_of_debian_are_recognized() {
        let cases = [
            ("NAME=\"Debian GNU/Linux\"\nID=debian\n", true),
            ("ID=ubuntu\nID_LIKE=debian\n", true),
            ("ID=pop\nID_LIKE=\"ubuntu debian\"\n", true),
            ("ID=fedora\n", false),
            ("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", false),
            ("", false),
        ];
        for (os_release, expected) in cases {
            assert_eq!(is_debian(os_release), expected, "{os_release}");
        }
    }

    #[test]
    fn nobody_is_asked_with_yes_or_in_ci() {
        let cases = [
            (false, None, Consent::Asked),
            (true, None, Consent::Given),
            (false, Some("true"), Consent::Given),
            (false, Some("false"), Consent::Asked),
        ];
        for (yes, ci, expected) in cases {
            assert_eq!(Consent::from_arguments(yes, ci.map(OsStr::new)), expected, "{yes} {ci:?}");
        }
    }

    #[test]
    fn the_question_says_what_is_installed_and_why() {
        let commands = vec![vec!["brew", "install", "qpdf"]];
        let expected = "The tests need\n  qpdf, which checks the structure of annotated documents (Debian's package qpdf)\n\
                        To install it:\n  brew install qpdf\nRun this now? [Y/n] ";
        assert_eq!(question(&needs(&["qpdf"]), &commands), expected);
    }

    #[test]
    fn empty_and_yes_answers_agree() {
        for (answer, expected) in [("\n", true), ("y\n", true), ("Yes\n", true), ("n\n", false), ("what?\n", false)] {
            assert_eq!(is_yes(answer), expected, "{answer:?}");
        }
    }
}
