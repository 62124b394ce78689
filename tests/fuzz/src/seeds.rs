//! Valid inputs, small ones, that mutants are made from.

use drafting::{manual, plan, schedule};
use fanlight_archive::{MANIFEST, WASM};
use tar::{Builder, Header};

/// A description of a plugin, with every key.
const PLUGIN: &str = "\
name = \"exit-signs\"
version = \"1.2.0\"
contract = \"0.1\"
kind = \"model\"
capabilities = [\"ocr\"]
optional_capabilities = [\"nn\", \"language\"]

[[models]]
name = \"judge\"
sha256 = \"62ab6c78fd717aaaab646fddbc978656992f30ad3c7a1a09a1595d3b0dfe93e6\"

[limits]
memory_mb = 768
seconds = 600
";
/// A component without anything in it.
const EMPTY_COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";
/// Schemas with the keywords that plugins use, each before a text that fits.
const SCHEMAS: [&str; 3] = [
    r##"{"type":"object","properties":{"doors":{"type":"array","items":{"$ref":"#/$defs/Door"},"maxItems":9}},"$defs":{"Door":{"type":"object","required":["id"],"properties":{"id":{"type":"string","pattern":"^door_[0-9a-f]{4}$"},"page":{"type":"integer","minimum":1}}}}}
{"doors":[{"id":"door_01af","page":3}]}"##,
    r#"{"oneOf":[{"const":1},{"enum":["a","b"]},{"type":"null"}],"not":{"const":2}}
"a""#,
    r#"{"type":"array","uniqueItems":true,"contains":{"type":"number","multipleOf":0.5},"prefixItems":[{"minimum":-1e3}]}
[1, 2.5, {"x": [1, 2]}]"#,
];

/// Returns small PDFs: a plan, a manual and a sheet of schedules.
pub fn documents() -> Vec<Vec<u8>> {
    let plan = plan::styles().into_iter().next().map(|(_, style)| plan::generate(&style, 1).pdf);
    let sheet = schedule::styles().into_iter().next().map(|(_, style)| schedule::generate(&style, 1).pdf);
    let manual = manual::generate(&manual::Style::default(), 7).pdf;
    plan.into_iter().chain(sheet).chain([manual]).collect()
}

/// Returns descriptions of plugins, each the text of a `plugin.toml`.
pub fn manifests() -> Vec<Vec<u8>> {
    vec![PLUGIN.as_bytes().to_vec()]
}

/// Returns packages of plugins.
///
/// # Errors
///
/// Fails if a package cannot be written, which is a mistake of this crate.
pub fn packages() -> std::io::Result<Vec<Vec<u8>>> {
    let files = [(MANIFEST, PLUGIN.as_bytes()), (WASM, EMPTY_COMPONENT), ("card.md", b"# Exit signs".as_slice())];
    let mut builder = Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, bytes)?;
    }
    Ok(vec![builder.into_inner()?])
}

/// Returns schemas, each with a line feed and a text after it.
pub fn schemas() -> Vec<Vec<u8>> {
    SCHEMAS.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}
