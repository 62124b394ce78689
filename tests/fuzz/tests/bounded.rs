//! A bounded number of mutants for each target. The same ones are tried at every run; a message names the one that failed.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use fanlight_fuzz::{mutation, seeds, targets};

/// Has a target read the first mutants of these seeds, and the seeds themselves.
fn try_mutants(target: fn(&[u8]), seeds: &[Vec<u8>], number: u64) {
    for seed in seeds {
        target(seed);
    }
    for at in 0..number {
        let mutant = mutation::mutant(seeds, at).unwrap();
        let kept = catch_unwind(AssertUnwindSafe(|| target(&mutant)));
        assert!(kept.is_ok(), "mutant {at} breaks a promise; it has {} bytes", mutant.len());
    }
}

#[test]
fn mutated_documents_are_read_to_their_end() {
    try_mutants(targets::document, &seeds::documents(), 600);
}

#[test]
fn mutated_documents_are_annotated_or_refused() {
    try_mutants(targets::annotations, &seeds::documents(), 600);
}

#[test]
fn mutated_packages_are_refused_or_keep_their_digest() {
    try_mutants(targets::package, &seeds::packages().unwrap(), 20_000);
}

#[test]
fn a_host_takes_a_mutated_manifest_exactly_if_a_check_does() {
    try_mutants(targets::manifest, &seeds::manifests(), 20_000);
}

/// Otherwise the mutants of a component would show nothing about composition.
#[test]
fn a_plugin_of_the_contract_is_composed_with_the_engines() {
    let plugin = seeds::components().swap_remove(0);
    assert!(targets::compose_with_engines(plugin));
}

#[test]
fn mutated_components_are_composed_or_refused_with_a_reason() {
    try_mutants(targets::component, &seeds::components(), 3_000);
}

#[test]
fn plugins_with_other_interfaces_are_composed_or_refused_with_a_reason() {
    try_mutants(targets::interfaces, &seeds::edits(), 500);
}

#[test]
fn mutated_schemas_and_texts_are_checked_or_refused() {
    try_mutants(targets::schema, &seeds::schemas(), 20_000);
}

#[test]
fn parameters_that_a_schema_accepts_are_read_by_the_model() {
    try_mutants(targets::parameters, &seeds::parameters(), 20_000);
}

/// Otherwise the mutants of a picture would show nothing about words.
#[test]
fn each_picture_that_mutants_are_made_from_has_words() {
    for (number, picture) in seeds::pictures().iter().enumerate() {
        assert!(!targets::words(picture).is_empty(), "picture {number} has no words");
    }
}

#[test]
fn pictures_are_read_whatever_the_networks_see() {
    try_mutants(targets::ocr, &seeds::pictures(), 3_000);
}
