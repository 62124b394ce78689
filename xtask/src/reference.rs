//! The reference of the plugin contract, a page for authors, from the comments of the WIT files.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use wit_parser::{
    Function, FunctionKind, Handle, Interface, InterfaceId, Resolve, Type, TypeDef, TypeDefKind, TypeId, WorldItem,
};

/// The world that describes plugins.
const WORLD: &str = "model-plugin";
/// The interface of values that the others share. Its place in the page is last.
const SHARED: &str = "types";

/// Returns the reference page of the contract in a folder of WIT files, as Markdown.
///
/// # Errors
///
/// Fails if the files cannot be read or parsed.
pub(crate) fn page(folder: &Path) -> Result<String> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(folder).with_context(|| format!("can't read {}", folder.display()))?;
    let package = &resolve.packages[package];
    let world = &resolve.worlds[*package.worlds.get(WORLD).context("the contract has no world of plugins")?];
    let mut page = format!(
        "# Reference of the plugin contract\n\n\
         `cargo xtask generate` writes this page from the comments in the WIT files of `wit/`. [Writing a plugin]\
         (plugin-authors.md) explains how the parts work together.\n\n\
         Package `{}`, world `{WORLD}`. {}\n",
        package.name,
        one_line(world.docs.contents.as_deref())
    );
    for (items, verb) in [(&world.exports, "exports"), (&world.imports, "imports")] {
        for item in items.values() {
            let WorldItem::Interface { id, .. } = item else { continue };
            let interface = &resolve.interfaces[*id];
            // Interfaces of other packages have pages of their own elsewhere; shared values come last.
            if package.interfaces.values().any(|own| own == id) && interface.name.as_deref() != Some(SHARED) {
                write_interface(&mut page, &resolve, *id, &format!(", which a plugin {verb}"));
            }
        }
    }
    let shared = *package.interfaces.get(SHARED).context("the contract has no shared values")?;
    write_interface(&mut page, &resolve, shared, "");
    Ok(page)
}

/// Writes the section of an interface: its functions, then its types, each resource with its methods.
fn write_interface(page: &mut String, resolve: &Resolve, id: InterfaceId, role: &str) {
    let interface = &resolve.interfaces[id];
    let name = interface.name.as_deref().unwrap_or_default();
    let _ = writeln!(page, "\n## `{name}`{role}");
    write_docs(page, interface.docs.contents.as_deref());
    for function in interface.functions.values().filter(|function| resource_of(&function.kind).is_none()) {
        write_function(page, resolve, function);
    }
    for (name, id) in &interface.types {
        write_type(page, resolve, interface, name, *id);
    }
}

/// Returns the resource that a function belongs to.
fn resource_of(kind: &FunctionKind) -> Option<TypeId> {
    match kind {
        FunctionKind::Method(id)
        | FunctionKind::AsyncMethod(id)
        | FunctionKind::Static(id)
        | FunctionKind::AsyncStatic(id)
        | FunctionKind::Constructor(id) => Some(*id),
        _ => None,
    }
}

fn write_function(page: &mut String, resolve: &Resolve, function: &Function) {
    let _ = writeln!(page, "\n### `{}`", signature(resolve, function));
    write_docs(page, function.docs.contents.as_deref());
}

/// Returns a function as it is called: its name, parameters and result.
fn signature(resolve: &Resolve, function: &Function) -> String {
    let is_method = matches!(function.kind, FunctionKind::Method(_) | FunctionKind::AsyncMethod(_));
    // The first parameter of a method is its resource.
    let own = function.params.iter().skip(usize::from(is_method));
    let parameters: Vec<String> = own.map(|one| format!("{}: {}", one.name, type_name(resolve, &one.ty))).collect();
    let result = function.result.as_ref().map(|result| format!(" -> {}", type_name(resolve, result)));
    format!("{}({}){}", function.item_name(), parameters.join(", "), result.unwrap_or_default())
}

/// Writes a type of an interface. One that another interface has is left out.
fn write_type(page: &mut String, resolve: &Resolve, interface: &Interface, name: &str, id: TypeId) {
    let found = &resolve.types[id];
    let Some((word, parts)) = described(resolve, found) else { return };
    let _ = writeln!(page, "\n### {word} `{name}`");
    write_docs(page, found.docs.contents.as_deref());
    if !parts.is_empty() {
        let _ = writeln!(page, "\n| | type | |\n|---|---|---|");
    }
    for Part { name, type_name, docs } in parts {
        let shown = if type_name.is_empty() { String::new() } else { format!("`{}`", type_name.replace('|', "\\|")) };
        let _ = writeln!(page, "| `{name}` | {shown} | {} |", one_line(docs).replace('|', "\\|"));
    }
    let methods = interface.functions.values().filter(|function| resource_of(&function.kind) == Some(id));
    for method in methods {
        let _ = writeln!(page, "\n- `{}`: {}", signature(resolve, method), one_line(method.docs.contents.as_deref()));
    }
}

/// A field of a record, or a case of a variant.
struct Part<'a> {
    name: &'a str,
    /// Empty for a case without a value.
    type_name: String,
    docs: Option<&'a str>,
}

/// Returns the word for a type and its parts. `None` for a name that stands for a type of another interface.
fn described<'a>(resolve: &Resolve, found: &'a TypeDef) -> Option<(&'static str, Vec<Part<'a>>)> {
    let named = |ty: &Type| type_name(resolve, ty);
    let parts = match &found.kind {
        TypeDefKind::Record(record) => {
            let fields = record.fields.iter();
            fields
                .map(|one| Part { name: &one.name, type_name: named(&one.ty), docs: one.docs.contents.as_deref() })
                .collect()
        }
        TypeDefKind::Variant(variant) => {
            let cases = variant.cases.iter();
            cases
                .map(|one| Part {
                    name: &one.name,
                    type_name: one.ty.as_ref().map(named).unwrap_or_default(),
                    docs: one.docs.contents.as_deref(),
                })
                .collect()
        }
        TypeDefKind::Enum(choice) => {
            let cases = choice.cases.iter();
            cases
                .map(|one| Part { name: &one.name, type_name: String::new(), docs: one.docs.contents.as_deref() })
                .collect()
        }
        TypeDefKind::Flags(flags) => {
            let all = flags.flags.iter();
            all.map(|one| Part { name: &one.name, type_name: String::new(), docs: one.docs.contents.as_deref() })
                .collect()
        }
        TypeDefKind::Resource => Vec::new(),
        _ => return None,
    };
    Some((found.kind.as_str(), parts))
}

/// Returns a type as WIT writes it.
fn type_name(resolve: &Resolve, ty: &Type) -> String {
    let Type::Id(id) = ty else { return primitive(*ty).to_owned() };
    let found = &resolve.types[*id];
    if let Some(name) = &found.name {
        return name.clone();
    }
    let named = |ty: &Type| type_name(resolve, ty);
    match &found.kind {
        TypeDefKind::Option(inner) => format!("option<{}>", named(inner)),
        TypeDefKind::List(inner) => format!("list<{}>", named(inner)),
        TypeDefKind::Tuple(tuple) => {
            format!("tuple<{}>", tuple.types.iter().map(named).collect::<Vec<_>>().join(", "))
        }
        TypeDefKind::Result(result) => match (&result.ok, &result.err) {
            (None, None) => "result".to_owned(),
            (ok, None) => format!("result<{}>", ok.as_ref().map_or("_".to_owned(), named)),
            (ok, Some(err)) => format!("result<{}, {}>", ok.as_ref().map_or("_".to_owned(), named), named(err)),
        },
        TypeDefKind::Handle(Handle::Own(id)) => named(&Type::Id(*id)),
        TypeDefKind::Handle(Handle::Borrow(id)) => format!("borrow<{}>", named(&Type::Id(*id))),
        other => other.as_str().to_owned(),
    }
}

fn primitive(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "bool",
        Type::U8 => "u8",
        Type::U16 => "u16",
        Type::U32 => "u32",
        Type::U64 => "u64",
        Type::S8 => "s8",
        Type::S16 => "s16",
        Type::S32 => "s32",
        Type::S64 => "s64",
        Type::F32 => "f32",
        Type::F64 => "f64",
        Type::Char => "char",
        Type::String => "string",
        Type::ErrorContext => "error-context",
        Type::Id(_) => "",
    }
}

/// Writes a comment as paragraphs, which an empty line separates.
fn write_docs(page: &mut String, docs: Option<&str>) {
    for paragraph in docs.unwrap_or_default().split("\n\n") {
        let text = one_line(Some(paragraph));
        if !text.is_empty() {
            let _ = writeln!(page, "\n{text}");
        }
    }
}

fn one_line(docs: Option<&str>) -> String {
    docs.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_function_field_and_case_is_described() {
        let folder = tempfile::tempdir().unwrap();
        let wit = "package fanlight:plugin@0.1.0;
            /// Values.
            interface types {
                /// A place.
                record place {
                    /// Its page.
                    page: u32,
                    /// Its name, if it has one.
                    name: option<string>,
                }
                /// Why not.
                variant refusal {
                    /// In a word.
                    because(string),
                }
            }
            /// The model.
            interface model {
                use types.{place, refusal};
                /// Finds places.
                ///
                /// In page order.
                find: func(pages: list<u32>) -> result<list<place>, refusal>;
                /// A document.
                resource document {
                    /// Counts its pages.
                    count: func() -> u32;
                }
            }
            /// What a plugin is.
            world model-plugin { export model; }";
        fs::write(folder.path().join("all.wit"), wit).unwrap();
        let page = page(folder.path()).unwrap();
        let (_, body) = page.split_once("world `model-plugin`. ").unwrap();
        assert_eq!(
            body,
            "What a plugin is.

## `model`, which a plugin exports

The model.

### `find(pages: list<u32>) -> result<list<place>, refusal>`

Finds places.

In page order.

### resource `document`

A document.

- `count() -> u32`: Counts its pages.

## `types`

Values.

### record `place`

A place.

| | type | |
|---|---|---|
| `page` | `u32` | Its page. |
| `name` | `option<string>` | Its name, if it has one. |

### variant `refusal`

Why not.

| | type | |
|---|---|---|
| `because` | `string` | In a word. |
"
        );
    }
}
