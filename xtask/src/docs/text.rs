//! Finds links, code spans and shell commands in Markdown and in comments.

use std::path::Path;

/// Something that the text refers to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reference {
    /// The line in the file, from 1.
    pub(super) line: usize,
    pub(super) target: Target,
}

/// What a reference refers to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The destination of a link or an image.
    Link(String),
    /// The text of a code span.
    Code(String),
    /// A line of a shell block, continuation lines joined.
    Shell(String),
}

/// A line of the text, without the marker of its comment.
struct Line<'a> {
    /// The line in the file, from 1.
    number: usize,
    text: &'a str,
}

/// Returns the function that reads the references of a file, by the file's extension. None for other files.
pub(super) fn reader(path: &Path) -> Option<fn(&str) -> Vec<Reference>> {
    match path.extension()?.to_str()? {
        "md" => Some(markdown),
        "rs" | "wit" => Some(source),
        "toml" => Some(toml),
        _ => None,
    }
}

/// Reads a Markdown file.
fn markdown(content: &str) -> Vec<Reference> {
    references(&numbered(content).collect::<Vec<_>>())
}

/// Reads the comments of a Rust or WIT file, and the commands in its string literals.
///
/// Drops links without a slash: rustdoc checks links to items itself.
fn source(content: &str) -> Vec<Reference> {
    let mut found = comments(content, "//", &['/', '!']);
    found.retain(|reference| match &reference.target {
        Target::Link(destination) => destination.contains('/'),
        _ => true,
    });
    for line in numbered(content).filter(|line| !line.text.trim_start().starts_with("//")) {
        let in_line = references(&[line]);
        found.extend(in_line.into_iter().filter(|reference| match &reference.target {
            Target::Code(code) => code.starts_with("cargo ") || code.starts_with("fanlight "),
            _ => false,
        }));
    }
    found
}

/// Reads the comments of a TOML file.
fn toml(content: &str) -> Vec<Reference> {
    comments(content, "#", &[])
}

/// Reads each run of comment lines as one Markdown text. `extra` may follow the marker of a comment, once.
fn comments(content: &str, marker: &str, extra: &[char]) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut block = Vec::new();
    for line in numbered(content) {
        if let Some(text) = line.text.trim_start().strip_prefix(marker) {
            block.push(Line { number: line.number, text: text.strip_prefix(extra).unwrap_or(text) });
        } else {
            found.extend(references(&std::mem::take(&mut block)));
        }
    }
    found.extend(references(&block));
    found
}

/// Returns the lines of a file with their numbers.
fn numbered(content: &str) -> impl Iterator<Item = Line<'_>> {
    content.lines().enumerate().map(|(index, text)| Line { number: index + 1, text })
}

/// Reads one Markdown text: paragraphs and fenced blocks.
fn references(lines: &[Line]) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut paragraph = Vec::new();
    let mut lines = lines.iter();
    while let Some(line) = lines.next() {
        let text = line.text.trim();
        let ends_paragraph = text.is_empty() || starts_block(text);
        if let Some(fence) = fence(text) {
            found.extend(inline(&std::mem::take(&mut paragraph)));
            let is_shell = ["sh", "bash", "shell", "console"].contains(&text.trim_start_matches(['`', '~']));
            let block: Vec<&Line> = lines.by_ref().take_while(|line| !line.text.trim().starts_with(fence)).collect();
            if is_shell {
                found.extend(shell_lines(&block));
            }
            continue;
        }
        if ends_paragraph {
            found.extend(inline(&std::mem::take(&mut paragraph)));
        }
        if !text.is_empty() {
            paragraph.push(line);
        }
    }
    found.extend(inline(&paragraph));
    found
}

/// Returns whether a line starts a list item, a table row or a heading: no code span reaches into it from the line before.
fn starts_block(text: &str) -> bool {
    text.starts_with(['|', '#']) || ["- ", "* "].iter().any(|bullet| text.starts_with(bullet))
}

/// Returns the fence that a line opens, if it opens one.
fn fence(text: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|fence| text.starts_with(fence))
}

/// Joins the lines of a shell block that end in a backslash with the next.
fn shell_lines(block: &[&Line]) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut joined: Option<Reference> = None;
    for line in block {
        let (text, continues) = match line.text.trim_end().strip_suffix('\\') {
            Some(text) => (text, true),
            None => (line.text, false),
        };
        let reference =
            joined.get_or_insert_with(|| Reference { line: line.number, target: Target::Shell(String::new()) });
        if let Target::Shell(command) = &mut reference.target {
            command.push_str(text.trim().trim_start_matches("$ "));
            command.push(' ');
        }
        if !continues {
            found.extend(joined.take());
        }
    }
    found.extend(joined);
    found
}

/// Finds the code spans and links of a paragraph.
fn inline(paragraph: &[&Line]) -> Vec<Reference> {
    let text = paragraph.iter().map(|line| line.text.trim()).collect::<Vec<_>>().join("\n");
    let first = paragraph.first().map_or(0, |line| line.number);
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['`', ']']) {
        let line = first + text[..text.len() - rest.len() + at].matches('\n').count();
        rest = &rest[at..];
        let (target, length) = if rest.starts_with('`') { code_span(rest) } else { destination(rest) };
        found.extend(target.map(|target| Reference { line, target }));
        rest = &rest[length..];
    }
    found
}

/// Reads a code span at the start of `text`. Returns its target and the length of what was read.
fn code_span(text: &str) -> (Option<Target>, usize) {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let (fence, body) = text.split_at(ticks);
    match body.find(fence) {
        Some(end) => {
            let code = body[..end].split_whitespace().collect::<Vec<_>>().join(" ");
            (Some(Target::Code(code)), ticks + end + ticks)
        }
        None => (None, ticks),
    }
}

/// Reads `](destination)` or `]: destination` at the start of `text`. Returns its target and the length of what was
/// read.
fn destination(text: &str) -> (Option<Target>, usize) {
    let end_of_link = |body: &str, end: usize| Some(Target::Link(body[..end].trim_matches(['<', '>']).to_owned()));
    if let Some(body) = text.strip_prefix("](")
        && let Some(end) = body.find([')', ' ', '\n'])
    {
        return (end_of_link(body, end), 2 + end);
    }
    if let Some(body) = text.strip_prefix("]: ") {
        let end = body.find([' ', '\n']).unwrap_or(body.len());
        return (end_of_link(body, end).filter(is_path_or_anchor), 3 + end);
    }
    (None, 1)
}

/// Returns whether a target after `]: ` is a link: prose may have a bracket before a colon, too.
fn is_path_or_anchor(target: &Target) -> bool {
    matches!(target, Target::Link(link) if link.contains(['/', '#']) || link.contains(".md"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(line: usize, to: &str) -> Reference {
        Reference { line, target: Target::Link(to.to_owned()) }
    }

    fn code(line: usize, text: &str) -> Reference {
        Reference { line, target: Target::Code(text.to_owned()) }
    }

    fn shell(line: usize, text: &str) -> Reference {
        Reference { line, target: Target::Shell(text.to_owned()) }
    }

    #[test]
    fn markdown_gives_links_code_spans_and_shell_lines() {
        let cases = [
            ("a [link](b.md) and ![image](c.png)", vec![link(1, "b.md"), link(1, "c.png")]),
            ("[`code`](b.md#part)", vec![code(1, "code"), link(1, "b.md#part")]),
            ("first\n[second](b.md \"title\")", vec![link(2, "b.md")]),
            ("[name]: b.md", vec![link(1, "b.md")]),
            ("an [aside]: not a link", vec![]),
            ("`[not](a-link.md)`", vec![code(1, "[not](a-link.md)")]),
            ("``a ` b``", vec![code(1, "a ` b")]),
            ("`one\ntwo`", vec![code(1, "one two")]),
            ("a ` alone\n- `b`", vec![code(2, "b")]),
            ("```sh\na # b\nc \\\n  d\n```\n`e`", vec![shell(2, "a # b "), shell(3, "c d "), code(6, "e")]),
            ("```rust\n`a`\n```", vec![]),
        ];
        for (content, expected) in cases {
            assert_eq!(markdown(content), expected, "{content}");
        }
    }

    #[test]
    fn comments_are_read_as_markdown() {
        let cases = [
            ("//! `a`\nlet b = \"`c`\";\n    /// [d](../e.md)", vec![code(1, "a"), link(3, "../e.md")]),
            ("/// `one\n/// two`", vec![code(1, "one two")]),
            ("/// [`new`](Self::new)", vec![code(1, "new")]),
            ("bail!(\"run `cargo xtask lint`\")", vec![code(1, "cargo xtask lint")]),
        ];
        for (content, expected) in cases {
            assert_eq!(source(content), expected, "{content}");
        }
        assert_eq!(toml("# `a`\nb = \"`c`\""), vec![code(1, "a")]);
    }
}
