//! Checks commands: `cargo xtask`, `cargo run`, `cargo test` and `fanlight`.

use anyhow::Result;

use super::interface::is_placeholder;
use super::workspace::{Package, Workspace};

/// The words of a command.
type Words = Vec<String>;

/// Commands of `fanlight` that its help does not list and whose arguments are not checked.
const HIDDEN: [&str; 1] = ["confined"];

/// Flags of `cargo run` and `cargo test` that no value follows.
const CARGO_FLAGS: [&str; 17] = [
    "--release",
    "--workspace",
    "--lib",
    "--bins",
    "--doc",
    "--all-targets",
    "--all-features",
    "--no-default-features",
    "--no-run",
    "--no-fail-fast",
    "--quiet",
    "--verbose",
    "--locked",
    "--offline",
    "--examples",
    "-q",
    "-v",
];

/// Flags of `cargo run` and `cargo test` that a value follows and that name nothing of the workspace.
const CARGO_FLAGS_WITH_VALUE: [&str; 6] = ["--features", "--profile", "--target", "--jobs", "--target-dir", "-F"];

/// Splits a line of a shell into its commands, without comments, redirections and assignments before a command.
pub(super) fn parse(line: &str) -> Vec<Words> {
    let mut commands = vec![Words::new()];
    let mut word = String::new();
    let mut quote = None;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let in_word = !word.is_empty();
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '#') if !in_word => break,
            // Alternatives, as in `free|pro`, are one word.
            (None, '|') if in_word && characters.peek().is_some_and(|next| next.is_alphanumeric()) => word.push(c),
            (None, '(') if word.ends_with('$') => {
                word.clear();
                commands.push(Words::new());
            }
            (None, ' ' | '\t' | '\n' | ';' | '|' | '&' | ')') => {
                if let Some(command) = commands.last_mut().filter(|_| in_word) {
                    command.push(std::mem::take(&mut word));
                }
                if !c.is_whitespace() {
                    commands.push(Words::new());
                }
            }
            _ => word.push(c),
        }
    }
    if let Some(command) = commands.last_mut().filter(|_| !word.is_empty()) {
        command.push(word);
    }
    commands.iter().map(|command| trimmed(command)).filter(|command| !command.is_empty()).collect()
}

/// Drops assignments before a command and redirections after it.
fn trimmed(command: &[String]) -> Words {
    let words = command.iter().skip_while(|word| is_assignment(word));
    words.take_while(|word| !word.starts_with(['>', '<']) || is_placeholder(word)).cloned().collect()
}

/// Returns whether a word sets a variable, as in `NAME=value`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// Returns whether a command is one of those that are checked.
pub(super) fn is_checked(command: &Words) -> bool {
    match command.as_slice() {
        [cargo, task, ..] if cargo == "cargo" => ["xtask", "run", "test"].contains(&task.as_str()),
        [program, _, ..] => is_fanlight(program),
        _ => false,
    }
}

/// Returns whether a word starts the server's binary, from the path or by its path.
fn is_fanlight(program: &str) -> bool {
    program.rsplit('/').next() == Some("fanlight")
}

/// Returns what is wrong with a command, if anything is.
pub(super) fn check(command: &Words, workspace: &Workspace) -> Result<Option<String>> {
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["cargo", "xtask", arguments @ ..] => Ok(workspace.xtask.problem("cargo xtask", arguments)),
        ["cargo", task, arguments @ ..] => check_cargo(task, arguments, workspace),
        [_, hidden, ..] if HIDDEN.contains(hidden) => Ok(None),
        [_, arguments @ ..] => check_binary("fanlight", arguments, workspace),
        [] => Ok(None),
    }
}

fn check_binary(binary: &str, arguments: &[&str], workspace: &Workspace) -> Result<Option<String>> {
    Ok(workspace.interface(binary)?.and_then(|interface| interface.problem(binary, arguments)))
}

/// What a `cargo run` or `cargo test` names.
#[derive(Debug, Default)]
struct Named<'a> {
    packages: Vec<&'a str>,
    binaries: Vec<&'a str>,
    examples: Vec<&'a str>,
    tests: Vec<&'a str>,
}

/// Checks `cargo run` or `cargo test`: the names of packages and their programs, then what follows `--`.
fn check_cargo(task: &str, arguments: &[&str], workspace: &Workspace) -> Result<Option<String>> {
    let split = arguments.iter().position(|argument| *argument == "--").unwrap_or(arguments.len());
    let (own, rest) = arguments.split_at(split);
    let mut named = Named::default();
    let mut own = own.iter();
    while let Some(argument) = own.next() {
        let (flag, joined) = argument.split_once('=').map_or((*argument, None), |(flag, value)| (flag, Some(value)));
        if CARGO_FLAGS.contains(&flag) || !flag.starts_with('-') {
            continue;
        }
        let value = joined.or_else(|| own.next().copied()).unwrap_or_default();
        match flag {
            "-p" | "--package" => named.packages.push(value),
            "--bin" => named.binaries.push(value),
            "--example" => named.examples.push(value),
            "--test" => named.tests.push(value),
            // A workspace of its own.
            "--manifest-path" => return Ok(None),
            _ if CARGO_FLAGS_WITH_VALUE.contains(&flag) => {}
            _ => return Ok(Some(format!("`cargo {task}` has no flag {flag}"))),
        }
    }
    if let Some(problem) = unknown_name(&named, workspace) {
        return Ok(Some(problem));
    }
    match (task, binary(&named, workspace), rest) {
        ("run", Some(binary), [_, arguments @ ..]) => check_binary(binary, arguments, workspace),
        _ => Ok(None),
    }
}

/// Returns a sentence on the first name that the workspace does not have.
fn unknown_name(named: &Named, workspace: &Workspace) -> Option<String> {
    let is_unknown = |name: &str, known: bool| !known && !is_placeholder(name);
    if let Some(name) = named.packages.iter().find(|name| is_unknown(name, workspace.packages.contains_key(**name))) {
        return Some(format!("the workspace has no package {name}"));
    }
    let chosen: Vec<&Package> = match named.packages.as_slice() {
        [] => workspace.packages.values().collect(),
        names => names.iter().filter_map(|name| workspace.packages.get(*name)).collect(),
    };
    let kinds = [("binary", &named.binaries), ("example", &named.examples), ("test", &named.tests)];
    for (kind, names) in kinds {
        let is_known = |name: &str| chosen.is_empty() || chosen.iter().any(|package| package.has(kind, name));
        if let Some(name) = names.iter().find(|name| is_unknown(name, is_known(name))) {
            let owner =
                if named.packages.is_empty() { "the workspace".to_owned() } else { named.packages.join(" and ") };
            return Some(format!("{owner} has no {kind} {name}"));
        }
    }
    None
}

/// Returns the binary that a `cargo run` starts, if it prints its interface.
fn binary<'a>(named: &Named<'a>, workspace: &'a Workspace) -> Option<&'a str> {
    let package = named.packages.first().and_then(|name| workspace.packages.get(*name))?;
    if !package.has_help || !named.examples.is_empty() {
        return None;
    }
    named.binaries.first().copied().or_else(|| package.binary())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::docs::interface::Interface;

    fn workspace() -> Workspace {
        let set = |name: &str| BTreeSet::from([name.to_owned()]);
        let targets = [("binary", set("measure")), ("example", set("forms")), ("test", set("fixtures"))];
        let package = Package { targets: targets.into(), has_help: false };
        let flags = BTreeMap::from([("--yes".to_owned(), false)]);
        let test = Interface { flags, commands: BTreeMap::new() };
        let xtask = Interface { flags: BTreeMap::new(), commands: BTreeMap::from([("test".to_owned(), test)]) };
        Workspace::new(BTreeMap::from([("eval".to_owned(), package)]), xtask)
    }

    #[test]
    fn shell_lines_are_split_into_commands() {
        let cases: [(&str, &[&[&str]]); 8] = [
            ("a b # c", &[&["a", "b"]]),
            ("a && b | c; d &", &[&["a"], &["b"], &["c"], &["d"]]),
            ("key=$(a --b c)", &[&["a", "--b", "c"]]),
            ("A=1 B=2 c", &[&["c"]]),
            ("a 'b c' \"d\"", &[&["a", "b c", "d"]]),
            ("a --tier free|pro", &[&["a", "--tier", "free|pro"]]),
            ("a > b", &[&["a"]]),
            ("a <name>", &[&["a", "<name>"]]),
        ];
        for (line, expected) in cases {
            assert_eq!(parse(line), expected, "{line}");
        }
    }

    #[test]
    fn only_commands_of_this_project_are_checked() {
        let cases = [
            ("cargo xtask test", true),
            ("cargo run", true),
            ("./fanlight serve", true),
            ("target/release/fanlight serve", true),
            ("fanlight", false),
            ("cargo build", false),
            ("curl fanlight", false),
        ];
        for (line, expected) in cases {
            assert_eq!(is_checked(&parse(line)[0]), expected, "{line}");
        }
    }

    #[test]
    fn names_and_flags_of_commands_exist() {
        let cases = [
            ("cargo xtask test --yes", None),
            ("cargo run --release -p eval --bin measure -- 30", None),
            ("cargo run --release -p eval --example forms", None),
            ("cargo test -p eval --test fixtures some_name -- --nocapture", None),
            ("cargo test -p NAME --test TEST", None),
            ("cargo test --manifest-path a/Cargo.toml -p other", None),
            ("fanlight confined", None),
            ("cargo xtask tests", Some("`cargo xtask` has no command tests")),
            ("cargo xtask test --no", Some("`cargo xtask test` has no flag --no")),
            ("cargo test --frobnicate", Some("`cargo test` has no flag --frobnicate")),
            ("cargo test -p evil", Some("the workspace has no package evil")),
            ("cargo run -p eval --bin measures", Some("eval has no binary measures")),
            ("cargo run -p eval --example=form", Some("eval has no example form")),
            ("cargo test --test fixture", Some("the workspace has no test fixture")),
        ];
        let workspace = workspace();
        for (line, expected) in cases {
            assert_eq!(check(&parse(line)[0], &workspace).unwrap().as_deref(), expected, "{line}");
        }
    }
}
