//! Collects the licences of the crates that are linked into the server and the plugins.
//!
//! cargo-about does this too, but takes minutes to install in continuous integration and finds the same files. cargo
//! itself reports which crates are linked and where their sources are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::build;
use crate::console::LICENCES;
use crate::workspace::{cargo, output, root};

/// Prefixes, in lower case, of the names of files with a licence or a notice that a licence requires.
const FILES: [&str; 6] = ["license", "licence", "copying", "notice", "unlicense", "copyright"];

/// The text of the Apache licence, version 2.0.
const APACHE: &str = include_str!("../../LICENSE-APACHE");
/// SPDX's LLVM-exception.
const LLVM_EXCEPTION: &str = "
---- LLVM Exceptions to the Apache 2.0 License ----

As an exception, if, as a result of your compiling your source code, portions
of this Software are embedded into an Object form of such source code, you
may redistribute such embedded portions in such Object form without complying
with the conditions of Sections 4(a), 4(b) and 4(d) of the License.

In addition, if you combine or link compiled forms of this Software with
software that is licensed under the GPLv2 (\"Combined Software\") and if a
court of competent jurisdiction determines that the patent provision (Section
3), the indemnity provision (Section 9) or other Section of the License
conflicts with the conditions of the GPLv2, you may retroactively and
prospectively choose to deem waived or otherwise exclude such Section(s) of
the License, but only in their entirety and only with respect to the Combined
Software.
";
/// The terms of the MIT licence, without the line of its copyright.
const MIT: &str = "
Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the \"Software\"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
";
/// The terms of the BSD licence with three clauses, without the line of its copyright.
const BSD_3_CLAUSE: &str = "
Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this
   list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its contributors
   may be used to endorse or promote products derived from this software
   without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS \"AS IS\"
AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
";
/// A reference to the waiver of all rights, which requires no text.
const CC0: &str = "
The authors have waived all rights: https://creativecommons.org/publicdomain/zero/1.0/legalcode
";

/// A crate that is linked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Crate {
    name: String,
    version: String,
    /// An SPDX expression. Old crates separate alternatives by `/`.
    licence: String,
    authors: Vec<String>,
}

/// Returns the licences of all third-party code in the archive: each text once, with its crates. Fails for a crate
/// without a text.
pub(crate) fn collect() -> Result<String> {
    let linked = linked()?;
    let metadata = output(cargo().args(["metadata", "--format-version", "1", "--locked"]))?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo's metadata is not JSON")?;
    let mut texts: BTreeMap<String, BTreeSet<Crate>> = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
        let name = (text("name"), text("version"));
        // The workspace's own packages have no source.
        if package["source"].is_null() || !linked.contains(&name) {
            continue;
        }
        let authors = package["authors"].as_array().into_iter().flatten();
        let found = Crate {
            name: name.0,
            version: name.1,
            licence: text("license"),
            authors: authors.filter_map(Value::as_str).map(str::to_owned).collect(),
        };
        let manifest = text("manifest_path");
        let folder = Path::new(&manifest).parent().unwrap_or(Path::new(""));
        for text in texts_of(&found, folder)? {
            texts.entry(text).or_default().insert(found.clone());
        }
    }
    Ok(written(&texts) + "\n" + &console()?)
}

/// Returns the licences of the packages in the console's bundle.
fn console() -> Result<String> {
    let file = root().join("host/console/dist").join(LICENCES);
    fs::read_to_string(&file).with_context(|| format!("can't read {}", file.display()))
}

/// Returns name and version of every crate that is linked into the server or a plugin. Leaves out build scripts, macros
/// and tests.
fn linked() -> Result<BTreeSet<(String, String)>> {
    let mut tree = cargo();
    tree.args(["tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]);
    let mut linked = crates(&output(tree.args(["--package", "fanlight"]))?);
    let mut tree = cargo();
    tree.args(["tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]);
    tree.args(["--target", build::WASM]);
    for plugin in build::installed_plugins()? {
        tree.args(["--package", &plugin]);
    }
    linked.extend(crates(&output(&mut tree)?));
    Ok(linked)
}

/// Reads the crates of lines such as `bytes v1.12.1 (*)`.
fn crates(tree: &str) -> BTreeSet<(String, String)> {
    let lines = tree.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
    });
    lines.collect()
}

/// Returns the texts in a crate's folder. If it has none, returns the text of a licence that the crate offers.
fn texts_of(found: &Crate, folder: &Path) -> Result<BTreeSet<String>> {
    let mut texts = BTreeSet::new();
    collect_files(folder, &mut texts)?;
    if texts.is_empty() {
        texts.insert(standard_text(found)?);
    }
    Ok(texts)
}

/// Reads the licences in a folder and its subfolders, where a bundled C library has its own.
fn collect_files(folder: &Path, texts: &mut BTreeSet<String>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("can't read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_code = path.extension().is_some_and(|extension| extension == "rs");
        if path.is_dir() {
            collect_files(&path, texts)?;
        } else if FILES.iter().any(|start| name.starts_with(start)) && !is_code {
            let bytes = fs::read(&path).with_context(|| format!("can't read {}", path.display()))?;
            texts.insert(String::from_utf8_lossy(&bytes).replace("\r\n", "\n").trim().to_owned());
        }
    }
    Ok(())
}

/// Returns the text of the first known licence that a crate offers.
fn standard_text(found: &Crate) -> Result<String> {
    let copyright = match found.authors.as_slice() {
        [] => format!("Copyright (c) the authors of {}\n", found.name),
        authors => format!("Copyright (c) {}\n", authors.join(", ")),
    };
    let offered = found.licence.replace('/', " OR ");
    for licence in offered.split(" OR ").map(str::trim) {
        match licence {
            "Apache-2.0" => return Ok(APACHE.trim().to_owned()),
            "Apache-2.0 WITH LLVM-exception" => return Ok(format!("{APACHE}{LLVM_EXCEPTION}").trim().to_owned()),
            "MIT" => return Ok(format!("{copyright}{MIT}").trim().to_owned()),
            "BSD-3-Clause" => return Ok(format!("{copyright}{BSD_3_CLAUSE}").trim().to_owned()),
            "CC0-1.0" => return Ok(CC0.trim().to_owned()),
            _ => {}
        }
    }
    bail!("{} {} has no text of its licence {:?}, and none is known here", found.name, found.version, found.licence)
}

fn written(texts: &BTreeMap<String, BTreeSet<Crate>>) -> String {
    let rule = "=".repeat(80);
    let mut all = String::from("Licences of the third-party software in this archive.\n");
    // Sections are sorted by their crates.
    let mut sections: Vec<(&BTreeSet<Crate>, &String)> = texts.iter().map(|(text, crates)| (crates, text)).collect();
    sections.sort();
    for (crates, text) in sections {
        // Writing to a string can't fail.
        let _ = writeln!(all, "\n{rule}");
        for Crate { name, version, licence, .. } in crates {
            let _ = writeln!(all, "{name} {version} ({licence})");
        }
        let _ = writeln!(all, "\n{text}");
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(licence: &str) -> Crate {
        let (name, version) = ("example".to_owned(), "1.0.0".to_owned());
        Crate { name, version, licence: licence.to_owned(), authors: vec!["A. Body".to_owned()] }
    }

    #[test]
    fn crates_are_read_from_cargos_tree() {
        let tree = "fanlight v0.1.0 (/home/me/fanlight)\nbytes v1.12.1\nbytes v1.12.1 (*)\n\n";
        let expected = [("bytes", "1.12.1"), ("fanlight", "0.1.0")];
        assert_eq!(crates(tree), expected.map(|(name, version)| (name.to_owned(), version.to_owned())).into());
    }

    #[test]
    fn licences_in_subfolders_are_found() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("vendored")).unwrap();
        for (name, text) in [("LICENSE-MIT", "mine\r\n"), ("vendored/COPYING", "theirs"), ("license.rs", "code")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let texts = texts_of(&example("MIT"), folder.path()).unwrap();
        assert_eq!(texts, ["mine".to_owned(), "theirs".to_owned()].into());
    }

    #[test]
    fn a_crate_without_a_file_gets_an_offered_licence() {
        let cases = [
            ("MIT OR Apache-2.0", "Copyright (c) A. Body"),
            ("Apache-2.0/MIT", "Apache License"),
            ("Apache-2.0 WITH LLVM-exception", "Apache License"),
            ("BSL-1.0 OR BSD-3-Clause", "Copyright (c) A. Body"),
        ];
        for (licence, expected) in cases {
            let text = standard_text(&example(licence)).unwrap();
            assert!(text.starts_with(expected), "{licence}: {text}");
        }
    }

    #[test]
    fn a_crate_without_a_known_text_fails_the_packaging() {
        let error = standard_text(&example("MPL-2.0")).unwrap_err().to_string();
        assert_eq!(error, "example 1.0.0 has no text of its licence \"MPL-2.0\", and none is known here");
    }

    #[test]
    fn a_text_is_written_once_for_all_its_crates() {
        let other = Crate { name: "another".to_owned(), ..example("MIT") };
        let texts = [("terms".to_owned(), [example("MIT"), other].into())].into();
        let expected = "another 1.0.0 (MIT)\nexample 1.0.0 (MIT)\n\nterms\n";
        assert!(written(&texts).ends_with(expected), "{}", written(&texts));
    }
}
