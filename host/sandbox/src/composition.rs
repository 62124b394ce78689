//! Composes a plugin with the PDF engine into one component, so that documents never leave the sandbox.

use wac_graph::types::{ItemKind, Package as ComponentPackage};
use wac_graph::{CompositionGraph, EncodeOptions, PackageId};

use crate::capability::{Grants, Offer, Refusal, check_export, check_imports};
use crate::package::Package;

/// Part of the cache's key. It changes with the rules of composition and with this crate's version.
pub(crate) const COMPOSITION: &str = concat!("composition 1 of ", env!("CARGO_PKG_VERSION"));

/// The interface that a model exports.
pub(crate) const MODEL: &str = "fanlight:plugin/model@0.1.0";
/// The interface that the PDF engine exports to plugins.
pub(crate) const PDF: &str = "fanlight:plugin/pdf";

/// Plugs the engine's `pdf` into the plugin's component and returns the result as bytes. A plugin that does not
/// import `pdf` is returned unchanged.
///
/// # Errors
///
/// The [`Refusal`] if the plugin may not have an import, lacks an export, or does not match the PDF engine's
/// interface.
pub(crate) fn compose(plugin: &Package, engine: &Package, grants: &Grants, offer: &Offer) -> Result<Vec<u8>, Refusal> {
    let mut graph = CompositionGraph::new();
    let plugin_id = register(&mut graph, plugin)?;
    let imports = names(&graph, plugin_id, Side::Imports);
    let exports = names(&graph, plugin_id, Side::Exports);
    check_imports(plugin, imports.iter().map(String::as_str), grants, offer)?;
    check_export(plugin, exports.iter().map(String::as_str), MODEL)?;

    let is_pdf = |name: &&String| name.split('@').next() == Some(PDF);
    let Some(wanted_pdf) = imports.iter().find(is_pdf) else {
        return Ok(plugin.wasm().to_vec());
    };
    let engine_id = register(&mut graph, engine)?;
    let engine_exports = names(&graph, engine_id, Side::Exports);
    let Some(offered_pdf) = engine_exports.iter().find(is_pdf) else {
        return Err(missing_pdf(engine, &engine_exports));
    };

    let mismatch = |detail: String| Refusal::InterfaceMismatch { plugin: plugin.name().to_owned(), detail };
    let engine_instance = graph.instantiate(engine_id);
    let plugin_instance = graph.instantiate(plugin_id);
    let pdf =
        graph.alias_instance_export(engine_instance, offered_pdf).map_err(|error| mismatch(error_chain(&error)))?;
    graph
        .set_instantiation_argument(plugin_instance, wanted_pdf, pdf)
        .map_err(|error| mismatch(error_chain(&error)))?;
    for name in exports.iter().filter(|name| name.starts_with("fanlight:plugin/model@")) {
        let model =
            graph.alias_instance_export(plugin_instance, name).map_err(|error| mismatch(error_chain(&error)))?;
        graph.export(model, name).map_err(|error| mismatch(error_chain(&error)))?;
    }
    graph.encode(EncodeOptions::default()).map_err(|error| mismatch(error_chain(&error)))
}

/// Adds a package's component to the graph.
fn register(graph: &mut CompositionGraph, package: &Package) -> Result<PackageId, Refusal> {
    let refuse = |detail: String| Refusal::NotAComponent { plugin: package.name().to_owned(), detail };
    let name = format!("fanlight:{}", package.name());
    let component = ComponentPackage::from_bytes(&name, None, package.wasm().to_vec(), graph.types_mut())
        .map_err(|error| refuse(format!("{error:#}")))?;
    graph.register_package(component).map_err(|error| refuse(error_chain(&error)))
}

#[derive(Clone, Copy)]
enum Side {
    Imports,
    Exports,
}

/// Returns the names of a component's imports or exports.
fn names(graph: &CompositionGraph, package: PackageId, side: Side) -> Vec<String> {
    let world = &graph.types()[graph[package].ty()];
    let items: &indexmap::IndexMap<String, ItemKind> = match side {
        Side::Imports => &world.imports,
        Side::Exports => &world.exports,
    };
    items.keys().cloned().collect()
}

/// Returns the refusal of a PDF engine that does not export `pdf`.
fn missing_pdf(engine: &Package, exports: &[String]) -> Refusal {
    Refusal::MissingExport {
        plugin: engine.name().to_owned(),
        missing: "fanlight:plugin/pdf@0.1.0",
        found: format!("`{}`", exports.join("`, `")),
    }
}

/// Returns an error with its causes in one line. wac names the differing function only in the causes.
fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
