//! The style presets, which are data files in `styles/`: one for each kind of document.
//!
//! A file has a table `[[style]]` for each preset, in the presets' order. The first has all fields. Each other has its
//! name and the fields that differ from the first. Fields that several presets share are in a table `[base.NAME]`, and
//! these presets have `base = "NAME"`. Their own fields override those of the base.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Table;

/// The style presets of one kind of document with their names, in the order of their file.
pub(crate) struct Presets<S>(Vec<(String, S)>);

/// A file of style presets.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PresetFile {
    /// Fields that several presets share, by the name of the base.
    #[serde(default)]
    base: BTreeMap<String, Table>,
    /// The presets.
    style: Vec<PresetTable>,
}

/// The table of a preset.
#[derive(Deserialize)]
struct PresetTable {
    name: String,
    /// The name of the base.
    base: Option<String>,
    /// The preset's own fields.
    #[serde(flatten)]
    fields: Table,
}

impl<S: Clone + DeserializeOwned> Presets<S> {
    /// Parses the text of a file that is embedded in the program.
    ///
    /// # Panics
    ///
    /// If `text` is no file of presets.
    #[expect(clippy::panic, reason = "the file is part of the program, and a test parses it")]
    pub(crate) fn embedded(text: &str) -> Self {
        Self::parse(text).unwrap_or_else(|error| panic!("{error:#}"))
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    ///
    /// If a preset has an unknown field, value or base, lacks a field, or has the name of another.
    fn parse(text: &str) -> Result<Self> {
        let PresetFile { base: bases, style: tables } = toml::from_str(text).context("a file of style presets")?;
        let first = tables.first().context("a file of style presets has no [[style]]")?.fields.clone();
        let mut presets: Vec<(String, S)> = Vec::with_capacity(tables.len());
        for PresetTable { name, base, fields } in tables {
            ensure!(presets.iter().all(|(other, _)| *other != name), "two style presets are named {name}");
            let style =
                merge(&first, &bases, base.as_deref(), fields).with_context(|| format!("style preset {name}"))?;
            presets.push((name, style));
        }
        Ok(Self(presets))
    }

    /// Returns all presets with their names.
    pub(crate) fn all(&self) -> Vec<(&str, S)> {
        self.0.iter().map(|(name, style)| (name.as_str(), style.clone())).collect()
    }

    /// Returns the first preset, from which the others differ.
    pub(crate) fn first(&self) -> S {
        self.0[0].1.clone()
    }
}

/// Returns the style with the fields of `first`, overridden by those of its base, overridden by its own.
fn merge<S: DeserializeOwned>(
    first: &Table,
    bases: &BTreeMap<String, Table>,
    base: Option<&str>,
    own: Table,
) -> Result<S> {
    let mut fields = first.clone();
    if let Some(base) = base {
        let shared = bases.get(base).with_context(|| format!("no [base.{base}] exists"))?;
        fields.extend(shared.clone());
    }
    fields.extend(own);
    Ok(fields.try_into()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{elevation, manual, plan, schedule, section, sheet};

    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Style {
        rows: u8,
        size: f32,
    }

    /// Parses a file with the preset `plain`, the base `large`, and the given lines after them.
    fn parse(lines: &str) -> Result<Presets<Style>> {
        Presets::parse(&format!("[[style]]\nname = 'plain'\nrows = 3\nsize = 8\n[base.large]\nsize = 12.5\n{lines}"))
    }

    fn error(lines: &str) -> String {
        format!("{:#}", parse(lines).err().unwrap())
    }

    #[test]
    fn every_file_parses() {
        assert_eq!(plan::styles()[0].0, "school");
        assert_eq!(sheet::styles()[0].0, "strip");
        assert_eq!(section::styles()[0].0, "tidy");
        assert_eq!(elevation::styles()[0].0, "plain");
        assert_eq!(schedule::styles()[0].0, "plain");
        assert_eq!(manual::styles()[0].0, "tidy");
    }

    #[test]
    fn presets_differ_from_the_first_by_base_and_own_fields() {
        let lines = "
            [[style]]
            name = 'long'
            rows = 9
            [[style]]
            name = 'large'
            base = 'large'
            [[style]]
            name = 'largest'
            base = 'large'
            size = 20";
        let presets = parse(lines).unwrap();
        let expected = [
            ("plain", Style { rows: 3, size: 8.0 }),
            ("long", Style { rows: 9, size: 8.0 }),
            ("large", Style { rows: 3, size: 12.5 }),
            ("largest", Style { rows: 3, size: 20.0 }),
        ];
        assert_eq!(presets.all(), expected);
        assert_eq!(presets.first(), expected[0].1);
    }

    #[test]
    fn errors_say_which_preset_is_wrong_and_why() {
        let unknown_field = error("[[style]]\nname = 'long'\nlines = 9");
        assert!(unknown_field.starts_with("style preset long: unknown field `lines`"), "{unknown_field}");
        let unknown_base = error("[[style]]\nname = 'long'\nbase = 'small'");
        assert_eq!(unknown_base, "style preset long: no [base.small] exists");
        let same_name = error("[[style]]\nname = 'plain'");
        assert_eq!(same_name, "two style presets are named plain");
        let incomplete = Presets::<Style>::parse("[[style]]\nname = 'plain'\nrows = 3").err().unwrap();
        assert!(format!("{incomplete:#}").starts_with("style preset plain: missing field `size`"), "{incomplete:#}");
    }

    #[test]
    fn an_unknown_table_is_an_error() {
        let error = error("[[styles]]\nname = 'long'");
        assert!(error.contains("unknown field `styles`"), "{error}");
    }
}
