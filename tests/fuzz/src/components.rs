//! Components that do nothing, made from the contract: a plugin, the engines, and plugins whose interfaces differ.

use std::path::Path;
use std::sync::OnceLock;

use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
use wit_parser::{InterfaceId, ManglingAndAbi, PackageId, Resolve, Type, TypeDefKind, WorldItem};

/// The folder of the contract.
const CONTRACT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit");
/// The world of plugins.
const PLUGIN: &str = "model-plugin";
/// Bytes of one edit: what is done, where, and in which place there.
const EDIT: usize = 3;
/// Most edits of an interface. With more, nothing is left to compose.
const MOST_EDITS: usize = 8;
/// The imported interfaces whose types no other one uses.
const UNUSED: [&str; 4] = ["pdf", "job", "ocr", "language"];
/// What a field or a result becomes.
const TYPES: [Type; 6] = [Type::Bool, Type::U8, Type::U64, Type::F32, Type::String, Type::Char];

/// The contract, read once.
fn contract() -> Option<&'static (Resolve, PackageId)> {
    static CONTRACT_READ: OnceLock<Option<(Resolve, PackageId)>> = OnceLock::new();
    let read = || {
        let mut resolve = Resolve::default();
        let (package, _) = resolve.push_dir(Path::new(CONTRACT)).ok()?;
        Some((resolve, package))
    };
    CONTRACT_READ.get_or_init(read).as_ref()
}

/// Returns a component of a world of the contract. Its functions trap.
pub fn of_world(world: &str) -> Option<Vec<u8>> {
    let (resolve, package) = contract()?;
    component(resolve, *package, world)
}

/// Returns a plugin whose interfaces differ from the contract's as these bytes say. `None` if no component has such
/// interfaces.
pub fn altered_plugin(edits: &[u8]) -> Option<Vec<u8>> {
    let (resolve, package) = contract()?;
    let mut resolve = resolve.clone();
    for edit in edits.as_chunks::<EDIT>().0.iter().take(MOST_EDITS) {
        alter(&mut resolve, *package, edit.map(usize::from))?;
    }
    component(&resolve, *package, PLUGIN)
}

/// Makes one change to an interface of the plugin's world, or to its imports.
fn alter(resolve: &mut Resolve, package: PackageId, [what, which, place]: [usize; EDIT]) -> Option<()> {
    let world = resolve.select_world(&[package], Some(PLUGIN)).ok()?;
    let world = &mut resolve.worlds[world];
    let items = world.imports.values().chain(world.exports.values());
    let interfaces: Vec<InterfaceId> = items
        .filter_map(|item| match item {
            WorldItem::Interface { id, .. } => Some(*id),
            _ => None,
        })
        .collect();
    let id = *interfaces.get(which % interfaces.len())?;
    let is_used = resolve.interfaces[id].name.as_deref().is_none_or(|name| !UNUSED.contains(&name));
    match what % 4 {
        // wit-component panics if an interface is missing whose types another one uses.
        0 if is_used => {}
        0 => world.imports.retain(|_, item| !matches!(item, WorldItem::Interface { id: import, .. } if *import == id)),
        1 => {
            let functions = &mut resolve.interfaces[id].functions;
            functions.shift_remove_index(place % functions.len().max(1));
        }
        2 => {
            let functions = &mut resolve.interfaces[id].functions;
            let count = functions.len().max(1);
            if let Some((_, function)) = functions.get_index_mut(place % count) {
                function.result = Some(TYPES[place / count % TYPES.len()]);
            }
        }
        _ => alter_field(resolve, id, place),
    }
    Some(())
}

/// Gives a field of one of the interface's records another type.
fn alter_field(resolve: &mut Resolve, interface: InterfaceId, place: usize) {
    let types = &resolve.interfaces[interface].types;
    let Some((_, id)) = types.get_index(place % types.len().max(1)) else { return };
    let TypeDefKind::Record(record) = &mut resolve.types[*id].kind else { return };
    let count = record.fields.len().max(1);
    if let Some(field) = record.fields.get_mut(place % count) {
        field.ty = TYPES[place / count % TYPES.len()];
    }
}

/// Returns a component of a world whose functions trap. `None` if there is none.
fn component(resolve: &Resolve, package: PackageId, world: &str) -> Option<Vec<u8>> {
    let world = resolve.select_world(&[package], Some(world)).ok()?;
    let mut module = dummy_module(resolve, world, ManglingAndAbi::Standard32);
    embed_component_metadata(&mut module, resolve, world, StringEncoding::UTF8, false).ok()?;
    ComponentEncoder::default().module(&module).ok()?.encode().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_world_of_the_contract_has_a_component() {
        for world in [PLUGIN, "pdf-engine", "ocr-engine", "pdf-annotator"] {
            assert!(of_world(world).is_some(), "{world} has none");
        }
    }

    #[test]
    fn edits_make_other_components() {
        let whole = of_world(PLUGIN);
        assert_eq!(altered_plugin(&[]), whole);
        let edits = (0..=255).flat_map(|what| (0..8).map(move |which| [what, which, what / 4]));
        let others: Vec<Option<Vec<u8>>> = edits.map(|edit| altered_plugin(&edit)).collect();
        let made = others.iter().filter(|other| other.is_some()).count();
        let differing = others.iter().filter(|other| other.is_some() && **other != whole).count();
        assert!(made * 2 > others.len() && differing * 2 > made, "{differing} of {made} of {} differ", others.len());
    }
}
