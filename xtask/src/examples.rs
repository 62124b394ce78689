//! Finds public items without an example in what rustdoc writes as JSON.
//!
//! An item has an example if its own comment does, that at its re-export included, or if an example of its module uses it
//! by name. A method may also be used in the example of its type or trait, or refer to the example of another item.

use anyhow::{Context, Result};
use serde_json::Value;

/// The fence of a code block in Markdown.
const FENCE: &str = "```";

/// Returns the paths of all items without an example.
pub(crate) fn missing(documentation: &Value) -> Result<Vec<String>> {
    let mut reference = Reference { items: &documentation["index"], missing: Vec::new() };
    let root = reference.item(&documentation["root"]).context("the documentation has no root")?;
    reference.check_module(root, "crate");
    Ok(reference.missing)
}

/// The items of a crate.
struct Reference<'a> {
    /// By id. Those of other crates are not among them.
    items: &'a Value,
    missing: Vec<String>,
}

impl<'a> Reference<'a> {
    fn item(&self, id: &Value) -> Option<&'a Value> {
        let id = id.as_u64().map_or_else(|| id.as_str().unwrap_or_default().to_owned(), |id| id.to_string());
        self.items.get(id)
    }

    /// Returns the items with these ids.
    fn all(&self, ids: &'a Value) -> Vec<&'a Value> {
        ids.as_array().into_iter().flatten().filter_map(|id| self.item(id)).collect()
    }

    /// Checks what a module shows.
    fn check_module(&mut self, module: &'a Value, path: &str) {
        let shown = code(docs(module));
        for item in self.all(&module["inner"]["module"]["items"]) {
            self.check(item, "", path, &shown);
        }
    }

    /// Checks an item. `before` is the comment at its re-export, and `shown` the code of its module's examples.
    fn check(&mut self, item: &'a Value, before: &str, path: &str, shown: &str) {
        if item["visibility"] != "public" || is_hidden(item) {
            return;
        }
        let inner = &item["inner"];
        if let Some(reexport) = inner.get("use") {
            let Some(target) = self.item(&reexport["id"]) else { return };
            if reexport["is_glob"] == true {
                return self.check_module(target, path);
            }
            return self.check(target, &[before, docs(item)].join("\n"), path, shown);
        }
        let name = item["name"].as_str().unwrap_or_default();
        let path = format!("{path}::{name}");
        if inner.get("module").is_some() {
            return self.check_module(item, &path);
        }
        let own = code(before) + &code(docs(item));
        if own.is_empty() && !uses(shown, name) {
            self.missing.push(path.clone());
        }
        let shown = own + shown;
        for method in self.methods(inner) {
            let name = method["name"].as_str().unwrap_or_default();
            let has_own = refers_to_an_example(docs(method)) || !code(docs(method)).is_empty();
            if !has_own && !uses(&shown, name) {
                self.missing.push(format!("{path}::{name}"));
            }
        }
    }

    /// Returns the public methods of a type, or all of a trait.
    fn methods(&self, inner: &'a Value) -> Vec<&'a Value> {
        let of_trait = self.all(&inner["trait"]["items"]);
        let types = ["struct", "enum", "union"].into_iter().filter_map(|kind| inner.get(kind));
        let implementations = types.flat_map(|kind| self.all(&kind["impls"]));
        let inherent = implementations.map(|item| &item["inner"]["impl"]).filter(|item| item["trait"].is_null());
        let of_type = inherent.flat_map(|item| self.all(&item["items"])).filter(|item| item["visibility"] == "public");
        let methods = of_trait.into_iter().chain(of_type).filter(|item| item["inner"].get("function").is_some());
        methods.filter(|item| !is_hidden(item)).collect()
    }
}

/// Returns whether the documentation leaves an item out.
fn is_hidden(item: &Value) -> bool {
    item["attrs"].to_string().contains("#[doc(hidden)]")
}

/// Returns the comment of an item.
fn docs(item: &Value) -> &str {
    item["docs"].as_str().unwrap_or_default()
}

/// Returns whether a comment says where an example stands. "For example" says nothing of that.
fn refers_to_an_example(comment: &str) -> bool {
    ["the example of", "whose example"].iter().any(|words| comment.contains(words))
}

/// Returns the code of all examples in a comment.
fn code(comment: &str) -> String {
    comment.split(FENCE).skip(1).step_by(2).collect()
}

/// Returns whether code uses a name.
fn uses(code: &str, name: &str) -> bool {
    code.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns an item of rustdoc's JSON.
    fn item(name: &str, docs: &str, inner: &Value) -> Value {
        json!({ "name": name, "docs": docs, "visibility": "public", "attrs": [], "inner": inner })
    }

    /// Returns what has no example in a crate whose root holds the items 1 and 2. Item 3 is a method of item 1.
    fn missing_of(root: &str, re_export: &str, method: &str) -> Vec<String> {
        let implementation = json!({ "impl": { "trait": null, "items": [3] } });
        let documentation = json!({ "root": 0, "index": {
            "0": item("sdk", root, &json!({ "module": { "items": [1, 2] } })),
            "1": item("Page", "A page.\n```\nPage::open();\n```", &json!({ "struct": { "impls": [4] } })),
            "2": item("", re_export, &json!({ "use": { "id": 5, "is_glob": false } })),
            "3": item("text", method, &json!({ "function": {} })),
            "4": item("", "", &implementation),
            "5": item("render", "Renders.", &json!({ "function": {} })),
        } });
        missing(&documentation).unwrap()
    }

    #[test]
    fn items_and_methods_without_an_example_are_found() {
        assert_eq!(missing_of("", "", ""), ["crate::Page::text", "crate::render"]);
    }

    #[test]
    fn examples_count_at_re_exports_modules_and_by_reference() {
        assert_eq!(missing_of("```\nrender(page.text())\n```", "", ""), [] as [&str; 0]);
        assert_eq!(missing_of("", "```\nrender();\n```", "As in the example of `Page`."), [] as [&str; 0]);
        assert_eq!(missing_of("render and text", "", "Its `text`."), ["crate::Page::text", "crate::render"]);
        assert_eq!(missing_of("", "", "Its text, for example."), ["crate::Page::text", "crate::render"]);
    }
}
