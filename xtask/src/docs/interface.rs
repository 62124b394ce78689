//! The commands and flags of a program, from clap's definition or from what `--help` prints.

use std::collections::BTreeMap;

use anyhow::Result;

/// What a command line may hold.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Interface {
    /// Flags with their hyphens, and whether a value follows.
    pub(super) flags: BTreeMap<String, bool>,
    /// Subcommands.
    pub(super) commands: BTreeMap<String, Interface>,
}

impl Interface {
    /// Reads clap's definition of a command.
    pub(super) fn from_clap(command: &clap::Command) -> Self {
        let mut flags = BTreeMap::from([("--help".to_owned(), false), ("-h".to_owned(), false)]);
        for argument in command.get_arguments() {
            let takes_value = argument.get_action().takes_values();
            flags.extend(argument.get_long().map(|long| (format!("--{long}"), takes_value)));
            flags.extend(argument.get_short().map(|short| (format!("-{short}"), takes_value)));
        }
        let commands =
            command.get_subcommands().map(|command| (command.get_name().to_owned(), Self::from_clap(command)));
        Self { flags, commands: commands.collect() }
    }

    /// Reads what `--help` prints, for the command at `path` and all below it.
    pub(super) fn from_help(help: &dyn Fn(&[String]) -> Result<String>, path: &[String]) -> Result<Self> {
        let printed = help(path)?;
        let mut commands = BTreeMap::new();
        for name in names_of_commands(&printed) {
            let path = [path, &[name.to_owned()]].concat();
            // `help` takes the names of commands, which are not worth checking.
            let interface = if name == "help" { Self::default() } else { Self::from_help(help, &path)? };
            commands.insert(name.to_owned(), interface);
        }
        Ok(Self { flags: flags(&printed), commands })
    }

    /// Returns what is wrong with the arguments of a command line, if anything is.
    pub(super) fn problem(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let (first, rest) = arguments.split_first()?;
        if *first == "--" {
            return None;
        }
        if let Some(flag) = first.strip_prefix('-').map(|_| first.split('=').next().unwrap_or(first)) {
            let Some(takes_value) = self.flags.get(flag) else {
                return Some(format!("`{program}` has no flag {flag}"));
            };
            let skipped = usize::from(*takes_value && !first.contains('=')).min(rest.len());
            return self.problem(program, &rest[skipped..]);
        }
        if self.commands.is_empty() {
            return self.problem(program, rest);
        }
        if is_placeholder(first) {
            return None;
        }
        match self.commands.get(*first) {
            Some(command) => command.problem(&format!("{program} {first}"), rest),
            None => Some(format!("`{program}` has no command {first}")),
        }
    }
}

/// Returns whether a word stands for others, as `NAME`, `<name>`, `$name` and `…` do.
pub(super) fn is_placeholder(word: &str) -> bool {
    word.contains(['<', '$', '{', '…'])
        || word.contains("...")
        || word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// Returns the names under `Commands:`.
fn names_of_commands(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A name is indented by two spaces, and the lines of its description by more.
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).collect()
}

/// Returns the flags of lines such as `  -p, --package <PACKAGE>  A package`.
fn flags(help: &str) -> BTreeMap<String, bool> {
    let mut flags = BTreeMap::new();
    for line in help.lines().map(str::trim_start).filter(|line| line.starts_with('-')) {
        let signature = line.split("  ").next().unwrap_or(line);
        let takes_value = signature.contains('<');
        for word in signature.split([' ', ',', '[', '=']).filter(|word| word.starts_with('-')) {
            flags.insert(word.to_owned(), takes_value);
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELP: &str = "Does things\n\nUsage: tool [OPTIONS] <COMMAND>\n\nCommands:\n  keys  Make keys\n  help  Print help\n\n\
                        Options:\n  -d, --data <DIR>  A folder\n      --once        Stop - at once\n  -h, --help        Print help\n";
    const KEYS: &str =
        "Usage: tool keys --account <NAME> [ID]\n\nOptions:\n      --account <NAME>\n          An account\n";

    fn tool() -> Interface {
        let help = |path: &[String]| Ok(if path.is_empty() { HELP } else { KEYS }.to_owned());
        Interface::from_help(&help, &[]).unwrap()
    }

    #[test]
    fn help_gives_commands_and_flags() {
        let flags = [("--data", true), ("--help", false), ("--once", false), ("-d", true), ("-h", false)];
        assert_eq!(tool().flags, flags.map(|(flag, takes_value)| (flag.to_owned(), takes_value)).into());
        assert_eq!(tool().commands.keys().collect::<Vec<_>>(), ["help", "keys"]);
        assert_eq!(tool().commands["keys"].flags, [("--account".to_owned(), true)].into());
    }

    #[test]
    fn clap_gives_commands_and_flags() {
        let command = clap::Command::new("tool")
            .subcommand(clap::Command::new("keys").arg(clap::Arg::new("account").long("account").short('a')));
        let interface = Interface::from_clap(&command);
        assert_eq!(interface.problem("tool", &["keys", "--account", "me"]), None);
        assert_eq!(interface.problem("tool", &["keys", "--name"]), Some("`tool keys` has no flag --name".to_owned()));
    }

    #[test]
    fn command_lines_are_checked_word_by_word() {
        let cases = [
            ("", None),
            ("--data ./data keys --account=me 7", None),
            ("keys -- --anything", None),
            ("COMMAND --anything", None),
            ("…", None),
            ("key", Some("`tool` has no command key")),
            ("--date ./data", Some("`tool` has no flag --date")),
            ("keys --once", Some("`tool keys` has no flag --once")),
        ];
        for (line, expected) in cases {
            let words: Vec<&str> = line.split_whitespace().collect();
            assert_eq!(tool().problem("tool", &words).as_deref(), expected, "{line}");
        }
    }
}
