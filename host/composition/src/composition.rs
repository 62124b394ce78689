//! Composes a plugin with the PDF engine and the OCR engine into one component, so that documents and pictures of their
//! pages never leave the sandbox.

use wac_graph::types::{ItemKind, Package as ComponentPackage};
use wac_graph::{CompositionGraph, EncodeOptions, NodeId, PackageId};

use crate::capability::{Grants, Offer, Refusal, check_export, check_imports, is_same_interface};
use crate::package::Package;

/// Part of the cache's key. It changes with the rules of composition and with this crate's version.
pub const COMPOSITION: &str = concat!("composition 2 of ", env!("CARGO_PKG_VERSION"));

/// The interface that a model exports.
pub(crate) const MODEL: &str = "fanlight:plugin/model@0.1.0";
/// The interface that the PDF engine exports to plugins.
pub const PDF: &str = "fanlight:plugin/pdf@0.1.0";
/// The interface that the OCR engine exports to plugins.
const OCR: &str = "fanlight:plugin/ocr@0.1.0";

/// The components that plugins are composed with.
#[derive(Clone, Copy, Debug)]
pub struct Engines<'a> {
    /// The PDF engine.
    pub pdf: &'a Package,
    /// The OCR engine, for a plugin that is granted `ocr` on a host that has one. Without it, the host provides `ocr`.
    pub ocr: Option<&'a Package>,
}

/// Plugs the engines' interfaces into the plugin's component and returns the result as bytes. A plugin that imports
/// neither is returned unchanged.
///
/// # Errors
///
/// The [`Refusal`] if the plugin may not have an import, lacks an export, or does not match an engine's interface.
pub fn compose(plugin: &Package, engines: Engines<'_>, grants: &Grants, offer: &Offer) -> Result<Vec<u8>, Refusal> {
    let mut graph = CompositionGraph::new();
    let plugin_id = register(&mut graph, "fanlight:plugin", plugin)?;
    let imports = names(&graph, plugin_id, Side::Imports);
    let exports = names(&graph, plugin_id, Side::Exports);
    check_imports(plugin, imports.iter().map(String::as_str), grants, offer)?;
    check_export(plugin, exports.iter().map(String::as_str), MODEL)?;

    let wanted_pdf = find(&imports, PDF).map(|import| Wanted { import, engine: engines.pdf, interface: PDF });
    let wanted_ocr = find(&imports, OCR).zip(engines.ocr);
    let wanted_ocr = wanted_ocr.map(|(import, engine)| Wanted { import, engine, interface: OCR });
    let wanted: Vec<Wanted<'_>> = wanted_pdf.into_iter().chain(wanted_ocr).collect();
    if wanted.is_empty() {
        return Ok(plugin.wasm().to_vec());
    }

    let plugin_instance = graph.instantiate(plugin_id);
    for wanted in wanted {
        plug(&mut graph, plugin, plugin_instance, &wanted)?;
    }
    for name in exports.iter().filter(|name| name.starts_with("fanlight:plugin/model@")) {
        let model = graph.alias_instance_export(plugin_instance, name).map_err(|error| mismatch(plugin, &error))?;
        graph.export(model, name).map_err(|error| mismatch(plugin, &error))?;
    }
    graph.encode(EncodeOptions::default()).map_err(|error| mismatch(plugin, &error))
}

/// An interface that a plugin imports and an engine exports.
struct Wanted<'a> {
    /// The import, with its version.
    import: &'a str,
    /// The engine.
    engine: &'a Package,
    /// The interface with this host's version.
    interface: &'static str,
}

/// Adds an engine to the graph and gives its interface to the plugin.
fn plug(
    graph: &mut CompositionGraph,
    plugin: &Package,
    plugin_instance: NodeId,
    wanted: &Wanted<'_>,
) -> Result<(), Refusal> {
    let engine_id = register(graph, wanted.interface, wanted.engine)?;
    let exports = names(graph, engine_id, Side::Exports);
    let Some(export) = find(&exports, wanted.interface) else {
        return Err(missing_export(wanted, &exports));
    };
    let engine_instance = graph.instantiate(engine_id);
    let interface = graph.alias_instance_export(engine_instance, export).map_err(|error| mismatch(plugin, &error))?;
    graph
        .set_instantiation_argument(plugin_instance, wanted.import, interface)
        .map_err(|error| mismatch(plugin, &error))
}

/// Returns the name of an interface among some names, whatever version they give it. A plugin's import in another version
/// is refused before.
fn find<'a>(names: &'a [String], interface: &str) -> Option<&'a str> {
    names.iter().map(String::as_str).find(|name| is_same_interface(name, interface))
}

/// Adds a package's component to the graph, under a name of its own there. The package's name would not do, because a
/// plugin may have that of an engine.
fn register(graph: &mut CompositionGraph, name: &str, package: &Package) -> Result<PackageId, Refusal> {
    let refuse = |detail: String| Refusal::NotAComponent { plugin: package.name().to_owned(), detail };
    let component = ComponentPackage::from_bytes(name, None, package.wasm().to_vec(), graph.types_mut())
        .map_err(|error| refuse(format!("{error:#}")))?;
    graph.register_package(component).map_err(|error| refuse(error_chain(&error)))
}

#[derive(Clone, Copy)]
pub(crate) enum Side {
    Imports,
    Exports,
}

/// Returns the names of a component's imports or exports.
pub(crate) fn names(graph: &CompositionGraph, package: PackageId, side: Side) -> Vec<String> {
    let world = &graph.types()[graph[package].ty()];
    let items: &indexmap::IndexMap<String, ItemKind> = match side {
        Side::Imports => &world.imports,
        Side::Exports => &world.exports,
    };
    items.keys().cloned().collect()
}

/// Returns the refusal of an engine that does not export its interface.
fn missing_export(wanted: &Wanted<'_>, exports: &[String]) -> Refusal {
    Refusal::MissingExport {
        plugin: wanted.engine.name().to_owned(),
        missing: wanted.interface,
        found: format!("`{}`", exports.join("`, `")),
    }
}

/// Returns the refusal of a plugin whose interfaces do not fit those of the engines.
fn mismatch(plugin: &Package, error: &dyn std::error::Error) -> Refusal {
    Refusal::InterfaceMismatch { plugin: plugin.name().to_owned(), detail: error_chain(error) }
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
