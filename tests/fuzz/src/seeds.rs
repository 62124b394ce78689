//! Valid inputs, small ones, that mutants are made from.

use drafting::{manual, plan, schedule};
use fanlight_archive::{MANIFEST, WASM};
use tar::{Builder, Header};

use crate::components;

/// A description of a plugin, with every key.
const PLUGIN: &str = "\
name = \"exit-signs\"
version = \"1.2.0\"
contract = \"0.1\"
kind = \"model\"
capabilities = [\"ocr\"]
optional_capabilities = [\"nn\", \"language\"]

[[models]]
name = \"classifier\"
sha256 = \"dcf28556c2c4cefde6130cb7190d60d0cd4bac712e6120210de7e76a7fab35f9\"

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

/// Returns a description of a plugin that asks for everything.
pub(crate) fn greedy_manifest() -> &'static str {
    PLUGIN
}

/// Returns components: a plugin, and the engines that it is composed with.
pub fn components() -> Vec<Vec<u8>> {
    ["model-plugin", "pdf-engine", "ocr-engine"].into_iter().filter_map(components::of_world).collect()
}

/// Returns edits of a plugin's interfaces, as [`components::altered_plugin`] takes them.
pub fn edits() -> Vec<Vec<u8>> {
    vec![vec![0, 3, 0], vec![1, 0, 2], vec![2, 0, 1, 3, 2, 7], vec![3, 0, 0, 3, 2, 1, 1, 7, 3]]
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

/// Parameters of jobs, each after the name of a model and a line feed.
const PARAMETERS: [&str; 7] = [
    r#"content-extractor
{"source_job_id":null,"sections":[{"section_code":"081113","section_title":"Hollow Metal Doors","division_code":"08"}],"provider":"rules"}"#,
    r#"content-extractor
{"sections":[]}"#,
    r#"page-text
{"ocr":"always","words":true}"#,
    r#"similar-symbols
{"page":1,"bbox":{"x1":10.5,"y1":20,"x2":30,"y2":4.2e1}}"#,
    r#"similar-symbols
{"page":4294967295,"bbox":{"x1":-1e9,"y1":0.0,"x2":0,"y2":1}}"#,
    r#"similar-symbols
{"page":2.0,"bbox":{"x1":0,"y1":0,"x2":1e2,"y2":1}}"#,
    "door-detector\n{}",
];

/// Returns parameters of jobs, each after the name of a model and a line feed.
pub fn parameters() -> Vec<Vec<u8>> {
    PARAMETERS.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

/// Returns pictures with lines of dark letters, and what networks say of them: header, pixels, bytes.
pub fn pictures() -> Vec<Vec<u8>> {
    // Width and height are one more than the header says.
    let lines = picture(127, 63, 0, |x, y| y % 24 < 12 && x % 9 < 6 && x % 40 < 32);
    let column = picture(31, 127, 0, |x, y| (8..22).contains(&x) && y % 9 < 6);
    let line = picture(95, 23, 1, |x, y| (6..18).contains(&y) && x % 9 < 6);
    vec![lines, column, line]
}

fn picture(width: u8, height: u8, layout: u8, is_dark: impl Fn(usize, usize) -> bool) -> Vec<u8> {
    let (columns, rows) = (usize::from(width) + 1, usize::from(height) + 1);
    let pixels = (0..columns * rows).map(|at| if is_dark(at % columns, at / columns) { 20 } else { 240 });
    // Letters and likelihoods in turn, with a blank between two letters.
    let said = (0..64_u8).flat_map(|step| if step % 2 == 0 { [30 + step, 230] } else { [0, 200] });
    [width, height, layout].into_iter().chain(pixels).chain(said).collect()
}
