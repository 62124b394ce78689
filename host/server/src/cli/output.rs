//! What commands print. `println!` and `eprintln!` panic once their reader has gone, as `head` goes after ten lines;
//! nothing here does.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use anyhow::Context;
use serde::Serialize;

/// Prints a text, which ends its own lines.
///
/// Without a reader the text is dropped: the command goes on, and its exit code says how it ended.
///
/// # Errors
///
/// Standard output cannot be written, for any other reason.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    print_bytes(text.as_bytes())
}

/// Prints bytes, likewise.
pub(super) fn print_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    written(&mut io::stdout().lock(), bytes).context("can't write to standard output")
}

/// Prints a value as indented JSON, likewise.
pub(super) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    print_bytes(&text)
}

/// Says a line on standard error, for the person at the terminal. It is dropped if it cannot be written.
pub(crate) fn tell(line: impl Display) {
    let _ = written(&mut io::stderr().lock(), format!("{line}\n").as_bytes());
}

/// Writes bytes, all of them or, once nobody reads, none.
fn written(output: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    match output.write_all(bytes).and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An output that fails in one way.
    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_has_gone_is_no_error() {
        assert!(written(&mut Failing(ErrorKind::BrokenPipe), b"ok").is_ok());
        assert!(written(&mut Failing(ErrorKind::StorageFull), b"ok").is_err());
    }
}
