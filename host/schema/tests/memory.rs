//! The memory that a check needs beside the text.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::fs;

use fanlight_schema::Schema;
use serde_json::json;

/// Size of the texts in bytes: the maximum of a result.
const TEXT_BYTES: usize = 64 * 1024 * 1024;
/// Maximum growth of the process during a check, in kilobytes.
const MOST_ADDED_KB: u64 = 4 * 1024;

/// Returns a memory figure of this process from the kernel, in kilobytes.
fn status(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().unwrap()
}

/// Repeats a text up to [`TEXT_BYTES`].
fn repeated(part: &str) -> String {
    part.repeat(TEXT_BYTES / part.len())
}

#[test]
fn a_check_adds_at_most_a_few_megabytes() {
    let schema = json!({
        "type": "object",
        "additionalProperties": { "anyOf": [{ "type": "array", "items": { "$ref": "#/$defs/Item" } }, { "type": "string" }] },
        "$defs": { "Item": { "oneOf": [{ "type": "integer", "minimum": 0 }, { "type": "string", "maxLength": 9 }, { "$ref": "#" }] } },
    });
    let schema = Schema::compile(&schema).unwrap();
    let texts = [
        ("numbers", format!(r#"{{"a":[{}0]}}"#, repeated("12,"))),
        ("names", format!(r#"{{{}"z":""}}"#, repeated(r#""a":"b","#))),
        ("objects", format!(r#"{{"a":[{}0]}}"#, repeated("{},"))),
        ("one string", format!(r#"{{"a":"{}"}}"#, repeated(r"\n\u00e9"))),
    ];
    for (what, text) in texts {
        // Resets the peak (`VmHWM`).
        fs::write("/proc/self/clear_refs", "5").unwrap();
        let before = status("VmRSS");
        assert_eq!(schema.check(&text), Ok(()), "{what}");
        let added = status("VmHWM").saturating_sub(before);
        println!("{what}: {added} kB");
        assert!(added <= MOST_ADDED_KB, "{what}: {added} kB");
    }
}
