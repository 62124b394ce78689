//! The imports of a plugin are checked before it runs, and a refusal is one sentence.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use fanlight_sandbox::{Capability, Grant, Grants, Package};
use fanlight_tests::installed;

/// Returns the rights that the documented configuration grants, by plugin. Its table holds a line for each, whose value is JSON.
fn granted_by_default() -> BTreeMap<String, Vec<String>> {
    let printed = Command::new(installed::fanlight()).arg("config").output().unwrap();
    let text = String::from_utf8(printed.stdout).unwrap();
    let table = text.lines().skip_while(|line| *line != "[grants]").skip(1).take_while(|line| !line.is_empty());
    table
        .filter_map(|line| line.split_once(" = "))
        .map(|(plugin, rights)| (plugin.to_owned(), serde_json::from_str(rights).unwrap()))
        .collect()
}

#[test]
fn each_installed_plugin_may_use_what_it_asks_for_but_a_language_model() {
    let granted = granted_by_default();
    for folder in fs::read_dir(installed::plugin("")).unwrap().map(|entry| entry.unwrap().path()) {
        if !folder.join("plugin.toml").is_file() {
            continue;
        }
        let package = Package::read(&folder).unwrap();
        if !package.is_model() {
            continue;
        }
        let own = granted.get(package.name()).cloned().unwrap_or_default();
        let asked = [package.capabilities(), package.optional_capabilities()].concat();
        for (capability, right) in [(Capability::Ocr, "ocr"), (Capability::Nn, "nn:")] {
            let has_it = own.iter().any(|own| own.starts_with(right));
            assert_eq!(has_it, asked.contains(&capability), "{} and {right}", package.name());
        }
    }
}

/// Returns the refusal of a package with this component and description.
async fn refusal(wasm: &Path, manifest: &str, grants: &Grants) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(wasm, folder.path().join("plugin.wasm")).unwrap();
    fs::write(folder.path().join("plugin.toml"), manifest).unwrap();
    let package = Package::read(folder.path()).unwrap();
    installed::sandbox(1).load(&package, grants).await.unwrap_err().to_string()
}

fn manifest(name: &str, more: &str) -> String {
    format!("name = '{name}'\nversion = '1.0.0'\ncontract = '0.1'\nkind = 'model'\n{more}\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_capability_must_be_requested_and_granted() {
    let wasm = installed::guest("asking").join("plugin.wasm");
    let cases = [
        (
            manifest("asking", ""),
            Grants::new([Grant::Ocr]),
            "plugin `asking` imports `fanlight:plugin/ocr@0.1.0`, but its plugin.toml does not ask for the capability `ocr`",
        ),
        (
            manifest("asking", "capabilities = ['ocr']"),
            Grants::none(),
            "plugin `asking` asks for the capability `ocr`, which the operator has not granted it",
        ),
        (
            manifest("asking", "capabilities = ['ocr']"),
            Grants::new([Grant::Ocr]),
            "plugin `asking` needs the capability `ocr`, which this host does not offer",
        ),
    ];
    for (manifest, grants, expected) in cases {
        assert_eq!(refusal(&wasm, &manifest, &grants).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plugin_without_its_required_language_model_is_refused() {
    let wasm = installed::guest("consulting").join("plugin.wasm");
    let cases = [
        (
            "",
            Grants::new([Grant::Language]),
            "plugin `consulting` imports `fanlight:plugin/language@0.1.0`, but its plugin.toml does not ask for the capability `language`",
        ),
        (
            "capabilities = ['language']",
            Grants::none(),
            "plugin `consulting` asks for the capability `language`, which the operator has not granted it",
        ),
        (
            "capabilities = ['language']",
            Grants::new([Grant::Language]),
            "plugin `consulting` needs the capability `language`, which this host does not offer",
        ),
    ];
    for (asked, grants, expected) in cases {
        assert_eq!(refusal(&wasm, &manifest("consulting", asked), &grants).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_that_is_not_a_model_is_refused() {
    let wasm = installed::plugin("pdf-engine").join("plugin.wasm");
    let sentence = refusal(&wasm, &manifest("thief", ""), &Grants::none()).await;
    assert_eq!(sentence, "plugin `thief` imports `fanlight:plugin/source@0.1.0`, which no plugin is given");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_a_component_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let wasm = folder.path().join("text");
    fs::write(&wasm, "not wasm").unwrap();
    let sentence = refusal(&wasm, &manifest("text", ""), &Grants::none()).await;
    assert!(sentence.starts_with("plugin `text` is not a usable component: "), "{sentence}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_that_contradicts_its_component_is_refused() {
    let wasm = installed::guest("hostile").join("plugin.wasm");
    let sentence = refusal(&wasm, &manifest("toc-parser", ""), &Grants::none()).await;
    let expected = "plugin `toc-parser` does not describe itself properly: \
                    plugin.toml says toc-parser 1.0.0, the component says toc-parser 6.6.6";
    assert_eq!(sentence, expected);
}
