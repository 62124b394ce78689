//! Mutated uploads and plugins in the real sandbox: each is read or refused, and what comes after it is read as before.

use std::path::Path;

use fanlight_fuzz::{mutation, seeds};
use fanlight_sandbox::{Document, Inspection, OpenError, Sandbox};
use fanlight_tests::{document, installed};

/// Documents that are tried. `fanlight-bench mutants` tries 10,000.
const DOCUMENTS: u64 = 60;
/// Descriptions of plugins that are tried, and components.
const MANIFESTS: u64 = 500;
const COMPONENTS: u64 = 60;
/// Pixels per inch of a picture.
const DPI: f32 = 20.0;

fn written(folder: &Path, bytes: &[u8]) -> Document {
    let path = folder.join("mutant.pdf");
    std::fs::write(&path, bytes).unwrap();
    Document::open(&path, "00").unwrap()
}

async fn inspected(sandbox: &Sandbox, folder: &Path, bytes: &[u8]) -> Result<Inspection, OpenError> {
    sandbox.inspect(&written(folder, bytes)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn mutated_documents_are_inspected_and_drawn_or_refused() {
    let sandbox = installed::sandbox(2);
    let folder = tempfile::tempdir().unwrap();
    let healthy = document::titled("healthy", 2);
    let before = inspected(&sandbox, folder.path(), &healthy).await.unwrap();
    for (number, mutant) in mutation::mutants(&seeds::documents(), DOCUMENTS).enumerate() {
        let file = written(folder.path(), &mutant);
        let opened = sandbox.inspect(&file).await;
        assert!(!matches!(opened, Err(OpenError::Engine(_))), "mutant {number} breaks the engine: {opened:?}");
        // Drawing may be refused, but ends.
        let _ = sandbox.picture(&file, 1, DPI).await;
    }
    assert_eq!(inspected(&sandbox, folder.path(), &healthy).await.unwrap(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn mutated_plugins_are_checked_to_the_end() {
    let sandbox = installed::sandbox(2);
    let component = std::fs::read(installed::guest("tally").join("plugin.wasm")).unwrap();
    let manifests = seeds::manifests();
    for mutant in mutation::mutants(&manifests, MANIFESTS) {
        let checked = sandbox.check(Some(&String::from_utf8_lossy(&mutant)), None).await;
        assert!(checked.package.is_some() || !checked.problems.is_empty(), "a refusal says why");
    }
    for (number, mutant) in mutation::mutants(&[component], COMPONENTS).enumerate() {
        let checked = sandbox.check(None, Some(mutant)).await;
        assert!(
            checked.description.is_some() || !checked.problems.is_empty(),
            "component {number} is described or refused with a reason"
        );
    }
}
