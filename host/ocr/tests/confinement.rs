//! Checks what a confined program sees of its parent process, and what it can reach.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fanlight_ocr::{Expected, Launcher, Layout, Picture, Pixels, Reader, Settings};
use landlock::{AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, Scope};

/// A program that prints as words what it sees and reaches. The test fills in a port and a file to write.
const WITNESS: &str = r#"#!/bin/bash
if [ "$1" = --list-langs ]; then printf 'List:\neng\n'; exit; fi
cat >/dev/null
printf 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n'
{
    tr '\0' '\n' </proc/$$/environ | sed 's/^/variable /'
    find /proc/$$/fd -type l -printf 'descriptor %f %l\n'
    find . -mindepth 1 -printf 'file %p\n'
    printf 'folder '; pwd -P
    (exec 3<>/dev/tcp/127.0.0.1/PORT) && echo reached tcp
    (exec 3<>/dev/udp/127.0.0.1/PORT) && echo reached udp
    head -c 1 /proc/$PPID/environ >/dev/null && echo reached environment
    (echo >FILE) && echo reached file
    kill -0 $PPID && echo reached process
} 2>/dev/null | while IFS= read -r line; do printf '5\t1\t1\t1\t1\t1\t0\t0\t1\t1\t90\t%s\n' "$line"; done
"#;

const LAUNCHER: &str = env!("CARGO_BIN_EXE_ocr-launcher");
/// Replaces itself with the program that the arguments name, with one more descriptor open.
const INHERITING: &str = "exec 9</dev/null; exec \"$@\"";

struct Witness {
    _folder: tempfile::TempDir,
    _listener: TcpListener,
    program: PathBuf,
}

impl Witness {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        let file = folder.path().join("file").display().to_string();
        let program = folder.path().join("witness");
        fs::write(&program, WITNESS.replace("PORT", &port).replace("FILE", &file)).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        Self { _folder: folder, _listener: listener, program }
    }

    /// Returns its output when it runs as the OCR program.
    async fn confined(&self, launcher: Launcher, language_data: Option<&Path>) -> Vec<String> {
        let settings = Settings {
            program: self.program.clone(),
            language_data: language_data.map(Path::to_owned),
            ..Settings::new(launcher)
        };
        let reader = Reader::find(settings).await.unwrap();
        let picture = Picture { width: 1, height: 1, pixels: Pixels::Grey, bytes: &[255] };
        let expected = Expected { layout: Layout::Block, languages: Vec::new(), characters: String::new() };
        let words = reader.read(&picture, &expected).await.unwrap();
        words.into_iter().map(|word| word.text).collect()
    }

    /// Returns its output when it runs without confinement.
    fn free(&self) -> Vec<String> {
        let mut command = Command::new("/bin/sh");
        let output =
            command.args(["-c", INHERITING, "sh"]).arg(&self.program).arg("any").stdin(Stdio::null()).output().unwrap();
        let rows = String::from_utf8(output.stdout).unwrap();
        rows.lines().skip(1).map(|row| row.rsplit('\t').next().unwrap().to_owned()).collect()
    }
}

/// Returns the rest of the lines that begin with this word.
fn said(lines: &[String], word: &str) -> Vec<String> {
    lines.iter().filter_map(|line| Some(line.strip_prefix(word)?.trim().to_owned())).collect()
}

/// Returns what an older kernel, or one without Landlock, cannot protect.
fn left_open_by_the_kernel() -> Vec<&'static str> {
    let has_perfmon = effective_capabilities() & CAP_PERFMON != 0;
    let required = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let restricts_files = required().handle_access(AccessFs::WriteFile).and_then(Ruleset::create).is_ok();
    let restricts_signals = required().scope(Scope::Signal).and_then(Ruleset::create).is_ok();
    let open =
        [("environment", has_perfmon || !restricts_files), ("file", !restricts_files), ("process", !restricts_signals)];
    open.into_iter().filter(|(_, open)| *open).map(|(what, _)| what).collect()
}

/// A process with this capability can read every process's environment (`may_access_mm` in `kernel/fork.c`). Root has
/// it outside a container.
const CAP_PERFMON: u64 = 1 << 38;

fn effective_capabilities() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:")).unwrap();
    u64::from_str_radix(line.trim(), 16).unwrap()
}

#[tokio::test]
async fn the_program_sees_an_empty_environment_and_folder() {
    let witness = Witness::new();
    assert!(said(&witness.free(), "variable").len() > 1, "this process has an environment");

    let lines = witness.confined(Launcher::new(LAUNCHER, &[]), None).await;
    assert_eq!(said(&lines, "variable"), ["OMP_THREAD_LIMIT=1"]);
    assert_eq!(said(&lines, "file"), [""; 0]);
    let [folder] = said(&lines, "folder").try_into().unwrap();
    assert_ne!(Path::new(&folder), std::env::current_dir().unwrap());
    assert!(!Path::new(&folder).exists(), "it lasts as long as the program");

    let lines = witness.confined(Launcher::new(LAUNCHER, &[]), Some(Path::new("data"))).await;
    let data = std::env::current_dir().unwrap().join("data");
    let configured = format!("TESSDATA_PREFIX={}", data.display());
    assert!(said(&lines, "variable").contains(&configured), "{lines:?}");
}

#[tokio::test]
async fn the_program_inherits_only_its_three_pipes() {
    let witness = Witness::new();
    let open = |lines: &[String]| -> Vec<String> {
        let script = witness.program.display().to_string();
        let mut open = said(lines, "descriptor");
        open.retain(|descriptor| !descriptor.ends_with(&script));
        open.sort();
        open
    };
    assert!(open(&witness.free()).len() > 3, "a program that isn't confined inherits it");

    let inheriting = Launcher::new("/bin/sh", &["-c", INHERITING, "sh", LAUNCHER]);
    let descriptors = open(&witness.confined(inheriting, None).await);
    let [stdin, stdout, stderr] = descriptors.as_slice() else { unreachable!("{descriptors:?}") };
    for (descriptor, number) in [(stdin, 0), (stdout, 1), (stderr, 2)] {
        assert!(descriptor.starts_with(&format!("{number} pipe:")), "{descriptors:?}");
    }
}

#[tokio::test]
async fn the_program_reaches_no_network_and_no_other_process() {
    let witness = Witness::new();
    assert_eq!(said(&witness.free(), "reached"), ["tcp", "udp", "environment", "file", "process"]);
    assert_eq!(said(&witness.confined(Launcher::new(LAUNCHER, &[]), None).await, "reached"), left_open_by_the_kernel());
}
