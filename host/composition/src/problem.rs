//! What an author reads about a package that no host accepts.

use wac_graph::CompositionGraph;
use wac_graph::types::Package as ComponentPackage;

use crate::capability::{check_export, import_problems};
use crate::composition::{MODEL, Side, names};
use crate::package::Package;

/// The first bytes of a core module, which `wasm32-unknown-unknown` and `wasm32-wasip1` make.
const CORE_MODULE: [u8; 8] = [0, b'a', b's', b'm', 1, 0, 0, 0];
/// The build command of a package in Rust.
const BUILD: &str = "`cargo build --release --target wasm32-wasip2`";

/// Something that is wrong with a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in one sentence without a full stop.
    pub what: String,
    /// What to do, in one sentence without a full stop.
    pub remedy: String,
}

impl Problem {
    /// Creates a problem.
    pub fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: remedy.into() }
    }
}

/// Returns what is wrong with the imports and exports of a component. With `has_capabilities` false, the package's
/// capabilities are not known and not compared.
///
/// # Errors
///
/// The [`Problem`] of bytes that are not a component.
pub fn component_problems(package: &Package, has_capabilities: bool) -> Result<Vec<Problem>, Problem> {
    let wasm = package.wasm();
    if wasm.starts_with(&CORE_MODULE) {
        return Err(Problem::new(
            "the component is a core WebAssembly module, not a component",
            format!("build it for the target wasm32-wasip2, which makes components: {BUILD}"),
        ));
    }
    let mut graph = CompositionGraph::new();
    let registered = ComponentPackage::from_bytes("author:plugin", None, wasm.to_vec(), graph.types_mut())
        .map_err(|error| format!("{error:#}"))
        .and_then(|component| graph.register_package(component).map_err(|error| error.to_string()));
    let id = registered.map_err(|detail| {
        Problem::new(
            format!("the component is not a valid WebAssembly component: {detail}"),
            format!("build it again: {BUILD}, or `componentize-py` for Python"),
        )
    })?;
    let imports = names(&graph, id, Side::Imports);
    let exports = names(&graph, id, Side::Exports);
    let mut problems = import_problems(package, &imports, has_capabilities);
    if let Err(refusal) = check_export(package, exports.iter().map(String::as_str), MODEL) {
        problems.push(Problem::new(
            refusal.to_string(),
            "export the world `model-plugin` of the contract: in Rust `fanlight_plugin::export_model!(YourModel);`",
        ));
    }
    Ok(problems)
}
